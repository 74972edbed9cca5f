//! What an index may be.

use girih::Shape;
use girih::prelude::*;
use girih::tile::{Element, Integral, Tile};
use girih::view::{TensorSpan, ViewError};

#[test]
fn integers_of_all_types_arrays_and_tuples() {
    let x: Vec<i32> = (0..8).collect();
    let line = TensorSpan::right(&x, [8]).unwrap().partition::<Shape![2]>();
    let expected = line.load(3).unwrap().to_vec();
    macro_rules! same {
        ($($t:ty)+) => {$(
            assert_eq!(line.load(3 as $t).unwrap().to_vec(), expected);
            assert_eq!(line.load((3 as $t,)).unwrap().to_vec(), expected);
            assert_eq!(line.load([3 as $t]).unwrap().to_vec(), expected);
        )+};
    }
    same!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);
    let square = TensorSpan::right(&x, [2, 4]).unwrap().partition::<Shape![1, 2]>();
    assert_eq!(square.load([1, 1]).unwrap().to_vec(), [6, 7]);
    assert_eq!(square.load((1u8, 1i64)).unwrap().to_vec(), [6, 7]);
}

#[test]
fn scalar_tiles_of_all_integral_types() {
    fn loads<E: Element + Integral>(one: E) {
        let x: Vec<i32> = (0..8).collect();
        let square = TensorSpan::right(&x, [2, 4]).unwrap().partition::<Shape![1, 2]>();
        let one = Tile::<E, ()>::from(one);
        assert_eq!(square.load((&one, 0)).unwrap().to_vec(), [4, 5]);
        let line = TensorSpan::right(&x, [8]).unwrap().partition::<Shape![2]>();
        assert_eq!(line.load(one).unwrap().to_vec(), [2, 3]);
    }
    loads(true);
    loads(1i8);
    loads(1u8);
    loads(1i16);
    loads(1u16);
    loads(1i32);
    loads(1u32);
    loads(1i64);
    loads(1u64);
}

#[test]
fn scalar_tiles_are_checked_like_numbers() {
    let x = [0; 8];
    let line = TensorSpan::right(&x, [8]).unwrap().indexed::<i16>().unwrap().partition::<Shape![2]>();
    let at = |n: i64| line.load(Tile::<i64, ()>::from(n)).map(|_| ());
    assert!(matches!(at(-1), Err(ViewError::Outside { index: -1, .. })));
    assert!(matches!(at(1 << 15), Err(ViewError::Unrepresentable { index: 32768, .. })));
    assert!(matches!(at(-(1 << 15)), Err(ViewError::Outside { index: -32768, .. })));
    let big = line.load(Tile::<u64, ()>::from(u64::MAX)).map(|_| ());
    assert!(matches!(big, Err(ViewError::Unrepresentable { index, .. }) if index == u64::MAX.into()));
}

#[test]
fn eight_dimensions() {
    let x: Vec<i32> = (0..256).collect();
    let view = TensorSpan::right(&x, [2; 8])
        .unwrap()
        .strided::<Shape![1, 1, 1, 1, 1, 1, 1, 2], (U1, U1, U1, U1, U1, U1, U1, U1)>();
    assert_eq!(view.load((1, 0, 1, 0, 1, 0, 1, 0)).unwrap().to_vec(), [170, 171]);
    assert_eq!(view.load([1, 1, 1, 1, 1, 1, 1, 0]).unwrap().to_vec(), [254, 255]);
}
