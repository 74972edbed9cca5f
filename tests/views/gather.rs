//! Listed rows: gathered, scattered, masked.

use girih::Shape;
use girih::prelude::*;
use girih::tile::Tile;
use girih::view::{Device, NegativeInfinity, Relaxed, TensorSpan, ViewError, Zero};

fn list(rows: [i32; 4]) -> Tile<i32, Shape![4]> {
    Tile::new(rows.to_vec()).unwrap()
}

#[test]
fn rows_are_gathered_along_each_dimension() {
    let x: Vec<i32> = (0..24).collect();
    let span = TensorSpan::right(&x, [6, 4]).unwrap();
    let rows = span.gather::<Shape![4, 2], U0>().load((list([5, 0, 0, 3]), 1)).unwrap();
    assert_eq!(rows.to_vec(), [22, 23, 2, 3, 2, 3, 14, 15]);
    let columns = span.gather::<Shape![2, 4], U1>().load((2, list([3, 1, 1, 0]))).unwrap();
    assert_eq!(columns.to_vec(), [19, 17, 17, 16, 23, 21, 21, 20]);
}

#[test]
fn rows_are_scattered() {
    let mut x = [0; 12];
    let rows = TensorSpan::right(&mut x, [6, 2]).unwrap().gather::<Shape![4, 2], U0>();
    let tile = Tile::<i32, Shape![4, 2]>::new((1..9).collect()).unwrap();
    rows.store(&tile, (list([5, 0, 2, 3]), 0)).unwrap();
    assert_eq!(x, [3, 4, 0, 0, 5, 6, 7, 8, 0, 0, 1, 2]);
}

#[test]
fn rows_beyond_the_span_are_padded_and_left_alone() {
    let mut x = [1.0f32, 2.0, 3.0];
    let rows = TensorSpan::right(&mut x, [3]).unwrap().gather::<Shape![4], U0>();
    let at = list([2, 3, -1, 0]);
    let e = rows.load(&at).unwrap_err();
    assert_eq!(e.to_string(), "dimension 0: row 1 is number 3 of 3: use the masked form");
    let infinity = f32::NEG_INFINITY;
    assert_eq!(rows.load_masked(&at, NegativeInfinity).unwrap().to_vec(), [3.0, infinity, infinity, 1.0]);
    let tile = Tile::<f32, Shape![4]>::new(vec![7.0, 8.0, 9.0, 10.0]).unwrap();
    assert_eq!(rows.store(&tile, &at), Err(ViewError::Gather { dim: 0, at: 1, index: 3, extent: 3 }));
    rows.store_masked(&tile, &at).unwrap();
    assert_eq!(x, [10.0, 2.0, 7.0]);
}

#[test]
fn the_other_dimensions_are_chunks_side_by_side() {
    let x: Vec<i32> = (0..15).collect();
    let rows = TensorSpan::right(&x, [3, 5]).unwrap().gather::<Shape![2, 4], U0>();
    let at = Tile::<u8, Shape![2]>::new(vec![2, 1]).unwrap();
    assert!(matches!(rows.load((&at, 1)), Err(ViewError::Partial { dim: 1, tile: 4, .. })));
    assert_eq!(rows.load_masked((&at, 1), Zero).unwrap().to_vec(), [14, 0, 0, 0, 9, 0, 0, 0]);
    assert!(matches!(rows.load_masked((&at, 2), Zero), Err(ViewError::Outside { dim: 1, .. })));
    assert_eq!(rows.index_space().unwrap(), ints!((3, 2)));
}

#[test]
fn rows_stored_to_twice_race_unless_they_are_atomic() {
    let mut x = [0; 3];
    let rows = TensorSpan::right(&mut x, [3]).unwrap().gather::<Shape![4], U0>();
    let tile = Tile::<i32, Shape![4]>::new(vec![1, 2, 3, 4]).unwrap();
    let at = list([2, 0, 1, 0]);
    let e = rows.store(&tile, &at).unwrap_err();
    assert_eq!(e.to_string(), "dimension 0: rows 1 and 3 are both stored to number 0");
    // outside the span nothing is stored
    rows.store_masked(&tile, list([2, 9, 0, 9])).unwrap();
    rows.atomic_store(&tile, &at, Relaxed, Device).unwrap();
    rows.atomic_add(&tile, &at, Relaxed, Device).unwrap();
    assert_eq!(x, [4 + 2 + 4, 3 + 3, 1 + 1]);
}

#[test]
fn listed_numbers_must_be_of_the_index_type() {
    let x = [1, 2, 3];
    let rows = TensorSpan::right(&x, [3]).unwrap().indexed::<u8>().unwrap().gather::<Shape![4], U0>();
    assert!(matches!(rows.load_masked(list([0, 0, 0, -1]), Zero), Err(ViewError::Unrepresentable { index: -1, .. })));
}
