//! Every example of `strided_view` in the seed, with the values that it prints.

use girih::Shape;
use girih::prelude::*;
use girih::tile::Tile;
use girih::view::{Device, Nan, Relaxed, TensorSpan};

#[test]
fn chunks_with_gaps() {
    // the seed declares 5 x 10 elements and initializes 4 rows; the picture has 5
    let x: Vec<i32> = (0..50).collect();
    let t = TensorSpan::right(&x, [5, 10]).unwrap();
    let p = t.strided::<Shape![2, 2], (U3, U4)>();
    assert_eq!(p.load((0, 1)).unwrap().to_vec(), [4, 5, 14, 15]);
    // the boxes of the picture
    assert_eq!(p.index_space().unwrap(), ints!((2, 3)));
    assert_eq!(p.load((0, 0)).unwrap().to_vec(), [0, 1, 10, 11]);
    assert_eq!(p.load((0, 2)).unwrap().to_vec(), [8, 9, 18, 19]);
    assert_eq!(p.load((1, 0)).unwrap().to_vec(), [30, 31, 40, 41]);
    assert_eq!(p.load((1, 1)).unwrap().to_vec(), [34, 35, 44, 45]);
    assert_eq!(p.load((1, 2)).unwrap().to_vec(), [38, 39, 48, 49]);
}

#[test]
fn overlapping_chunks() {
    let x: Vec<i32> = (0..16).collect();
    let p = TensorSpan::right(&x, [4, 4]).unwrap().strided::<Shape![2, 2], (U1, U1)>();
    assert_eq!(p.load((1, 1)).unwrap().to_vec(), [5, 6, 9, 10]);
}

#[test]
fn padding_with_nan() {
    let x: Vec<f32> = (0..44).map(|i| i as f32).collect();
    let p = TensorSpan::right(&x, [4, 11]).unwrap().strided::<Shape![2, 4], (U1, U1)>();
    let r = p.load_masked((1, 8), Nan).unwrap().to_vec();
    assert_eq!((&r[..3], &r[4..7]), (&[19.0, 20.0, 21.0][..], &[30.0, 31.0, 32.0][..]));
    assert!(r[3].is_nan() && r[7].is_nan());
}

#[test]
fn storing_a_chunk() {
    let mut x: Vec<i32> = (0..32).collect();
    let p = TensorSpan::right(&mut x, [4, 8]).unwrap().strided::<Shape![2, 2], (U2, U3)>();
    // 60 + 10 * iota
    let a = Tile::<i32, Shape![2, 2]>::new(vec![60, 70, 80, 90]).unwrap();
    p.store(&a, (1, 2)).unwrap();
    // the seed prints the rows 2 and 3 of the other chunks as 8, 9 and 16, 17: they are 16, 17 and 24, 25
    assert_eq!(x[..16], (0..16).collect::<Vec<i32>>());
    assert_eq!(x[16..], [16, 17, 18, 19, 20, 21, 60, 70, 24, 25, 26, 27, 28, 29, 80, 90]);
}

#[test]
fn atomic_and() {
    let mut x = [0x1, 0x2, 0b10101010, 0b01010101];
    let p = TensorSpan::right(&mut x, [4]).unwrap().strided::<Shape![2], (U2,)>();
    p.atomic_and(&Tile::<i32, Shape![2]>::full(0b00001111), 1, Relaxed, Device).unwrap();
    assert_eq!(x, [1, 2, 0b00001010, 0b00000101]);
}

#[test]
fn atomic_or() {
    let mut x = [0x1, 0x2, 0b10101010, 0b01010101];
    let p = TensorSpan::right(&mut x, [4]).unwrap().strided::<Shape![2], (U2,)>();
    p.atomic_or(&Tile::<i32, Shape![2]>::full(0b00001111), 1, Relaxed, Device).unwrap();
    assert_eq!(x, [1, 2, 0b10101111, 0b01011111]);
}

#[test]
fn atomic_xor() {
    let mut x = [0x1, 0x2, 0b10101010, 0b01010101];
    let p = TensorSpan::right(&mut x, [4]).unwrap().strided::<Shape![2], (U2,)>();
    p.atomic_xor(&Tile::<i32, Shape![2]>::full(0b11111111), 1, Relaxed, Device).unwrap();
    assert_eq!(x, [1, 2, 0b01010101, 0b10101010]);
}

#[test]
fn atomic_max() {
    let mut x = [1u32, 2, 3, 6];
    let p = TensorSpan::right(&mut x, [4]).unwrap().strided::<Shape![2], (U2,)>();
    p.atomic_max(&Tile::<u32, Shape![2]>::full(4), 1, Relaxed, Device).unwrap();
    assert_eq!(x, [1, 2, 4, 6]);
}

#[test]
fn atomic_min() {
    let mut x = [1u32, 2, 3, 6];
    let p = TensorSpan::right(&mut x, [4]).unwrap().strided::<Shape![2], (U2,)>();
    p.atomic_min(&Tile::<u32, Shape![2]>::full(4), 1, Relaxed, Device).unwrap();
    assert_eq!(x, [1, 2, 3, 4]);
}

#[test]
fn atomic_add() {
    let mut x = [1u32, 2, 3, 4];
    let p = TensorSpan::right(&mut x, [4]).unwrap().strided::<Shape![2], (U2,)>();
    p.atomic_add(&Tile::<u32, Shape![2]>::full(10), 1, Relaxed, Device).unwrap();
    assert_eq!(x, [1, 2, 13, 14]);
}

#[test]
fn atomic_sub() {
    let mut x = [1u32, 2, 3, 4];
    let p = TensorSpan::right(&mut x, [4]).unwrap().strided::<Shape![2], (U2,)>();
    p.atomic_sub(&Tile::<u32, Shape![2]>::full(3), 1, Relaxed, Device).unwrap();
    assert_eq!(x, [1, 2, 0, 1]);
}
