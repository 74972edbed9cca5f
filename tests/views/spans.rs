//! Ways to make a span.

use girih::Shape;
use girih::prelude::*;
use girih::tile::{Tile, f16};
use girih::view::{Device, Fixed, Hints, Relaxed, Runtime, TensorSpan, Zero};
use std::cell::Cell;

#[test]
fn layouts_of_the_constructors() {
    let x = [0u8; 64];
    let layouts = [
        (TensorSpan::right(&x, [2, 3, 4]), layout!((2,3,4):(12,4,1))),
        (TensorSpan::left(&x, [2, 3, 4]), layout!((2,3,4):(1,2,6))),
        (TensorSpan::right_padded(&x, [2, 3, 4], 6), layout!((2,3,4):(18,6,1))),
        (TensorSpan::left_padded(&x, [2, 3, 4], 5), layout!((2,3,4):(1,5,15))),
        (TensorSpan::strided_by(&x, [2, 3, 4], [0, 7, 1]), layout!((2,3,4):(0,7,1))),
        (TensorSpan::over(&x, layout!((2,(2,2),1):(1,(8,2),0))), layout!((2,(2,2),1):(1,(8,2),0))),
    ];
    for (span, layout) in layouts {
        assert_eq!(span.unwrap().layout(), layout);
    }
}

#[test]
fn memory_of_every_kind() {
    let (array, vector) = ([1, 2], vec![1, 2]);
    assert_eq!(first(TensorSpan::right(&array, [2]).unwrap()), 1);
    assert_eq!(first(TensorSpan::right(&vector, [2]).unwrap()), 1);
    assert_eq!(first(TensorSpan::right(&vector[1..], [1]).unwrap()), 2);
    let cells = [Cell::new(5)];
    let span = TensorSpan::right(&cells[..], [1]).unwrap();
    span.partition::<Shape![1]>().store(&Tile::<i32, Shape![1]>::full(6), 0).unwrap();
    assert_eq!(cells[0].get(), 6);
    let (mut array, mut vector) = (array, vector);
    for span in [TensorSpan::right(&mut array, [2]), TensorSpan::right(&mut vector, [2])] {
        span.unwrap().partition::<Shape![1]>().store(&Tile::<i32, Shape![1]>::full(7), 1).unwrap();
    }
    assert_eq!((array, &vector[..]), ([1, 7], &[1, 7][..]));
}

fn first(span: TensorSpan<i32, Runtime<1>, &[i32]>) -> i32 {
    span.partition::<Shape![1]>().load(0).unwrap().to_vec()[0]
}

#[test]
fn two_views_of_one_span_see_each_others_stores() {
    let mut x = [0; 4];
    let span = TensorSpan::right(&mut x, [4]).unwrap();
    let (pairs, windows) = (span.partition::<Shape![2]>(), span.strided::<Shape![2], (U1,)>());
    pairs.store(&Tile::<i32, Shape![2]>::new(vec![1, 2]).unwrap(), 1).unwrap();
    assert_eq!(windows.load(1).unwrap().to_vec(), [0, 1]);
    assert_eq!(format!("{:?}", pairs.span()), "i32 (4):(1) by i64");
}

#[test]
fn tensors_lend_their_memory() {
    let mut a = Tensor::from_fn(layout!((4,6):(6,1)), |i| i as i32).unwrap();
    a.memory_mut().iter_mut().zip(0..).for_each(|(x, i)| *x = i);
    let view = a.view().slice((2, ..)).unwrap();
    let row = TensorSpan::of(&view).unwrap().partition::<Shape![4]>();
    assert_eq!(row.load(0).unwrap().to_vec(), [12, 13, 14, 15]);
    assert_eq!(row.load_masked(1, Zero).unwrap().to_vec(), [16, 17, 0, 0]);
    let mut column = a.view_mut().slice((.., 5)).unwrap();
    let column = TensorSpan::of_mut(&mut column).unwrap().partition::<Shape![4]>();
    column.store(&Tile::<i32, Shape![4]>::full(-1), 0).unwrap();
    assert_eq!(a.memory()[..12], [0, 1, 2, 3, 4, -1, 6, 7, 8, 9, 10, -1]);
}

#[test]
fn mappings_in_types() {
    let x: Vec<i32> = (0..50).collect();
    let span: TensorSpan<_, Fixed<Row<(U5, U10)>>, _> = TensorSpan::fixed(&x).unwrap();
    assert_eq!(span.strided::<Shape![2, 2], (U3, U4)>().load((0, 1)).unwrap().to_vec(), [4, 5, 14, 15]);
    let span: TensorSpan<_, Fixed<Col<(U5, U10)>>, _> = TensorSpan::fixed(&x).unwrap();
    assert_eq!(span.partition::<Shape![2, 2]>().load((0, 1)).unwrap().to_vec(), [10, 15, 11, 16]);
    let span: TensorSpan<_, Fixed<L<U4, U3>>, _> = TensorSpan::fixed(&x).unwrap();
    assert_eq!(span.partition::<Shape![2]>().load(1).unwrap().to_vec(), [6, 9]);
    assert!(TensorSpan::<i32, Fixed<Row<(U5, U11)>>, _>::fixed(&x).is_err());
    assert_eq!(size_of::<Fixed<Row<(U5, U10)>>>(), 0);
}

#[test]
fn stores_convert_where_nothing_can_be_lost() {
    let mut x = [0i32; 4];
    let pairs = TensorSpan::right(&mut x, [4]).unwrap().partition::<Shape![2]>();
    pairs.store(&Tile::<i8, Shape![2]>::new(vec![-1, 127]).unwrap(), 0).unwrap();
    pairs.atomic_add(&Tile::<u16, Shape![2]>::full(65535), 1, Relaxed, Device).unwrap();
    assert_eq!(x, [-1, 127, 65535, 65535]);
    let mut x = [0f64; 2];
    let pairs = TensorSpan::right(&mut x, [2]).unwrap().partition::<Shape![2]>();
    pairs.store_masked(&Tile::<f16, Shape![2]>::new(vec![f16::from_f32(-0.1), f16::MAX]).unwrap(), 0).unwrap();
    assert_eq!(x, [-0.0999755859375, 65504.0]);
}

#[test]
fn tiles_of_every_layout_are_stored_in_their_order() {
    let mut x = [0; 8];
    let whole = TensorSpan::right(&mut x, [4, 2]).unwrap().partition::<Shape![4, 2]>();
    whole.store(&Tile::<i32, Shape![2, 4]>::iota().transpose(), (0, 0)).unwrap();
    assert_eq!(x, [0, 4, 1, 5, 2, 6, 3, 7]);
    let whole = TensorSpan::left(&mut x, [2, 4]).unwrap().partition::<Shape![2, 4]>();
    whole.store(&Tile::<i32, Shape![1, 4]>::iota().broadcast::<Shape![2, 4]>(), (0, 0)).unwrap();
    assert_eq!(x, [0, 0, 1, 1, 2, 2, 3, 3]);
}

#[test]
fn hints_are_carried_and_change_nothing() {
    let mut x = [0; 4];
    let hints = Hints::default().latency(7).unwrap().allow_tma(true);
    let pairs = TensorSpan::right(&mut x, [4]).unwrap().partition::<Shape![2]>().with_hints(hints);
    pairs.store(&Tile::<i32, Shape![2]>::full(3), 1).unwrap();
    assert_eq!(pairs.load(1).unwrap().to_vec(), [3, 3]);
}
