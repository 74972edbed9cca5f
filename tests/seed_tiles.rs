//! The examples of the document on tile operations, with the matrices that it prints, and rules of it without an example.
//!
//! Where the document slips, the values are those of its rules: `ones` and `zeros` are passed a stray 42 there, indices have the
//! type of tiles of floats in `isinf` and `isnan`, and fp4 values are packed with `&` for `|`.
#![allow(dead_code)]

use girih::Shape;
use girih::tile::rounding::{TiesToEven, TowardPositive, TowardZero};
use girih::tile::typed::*;
use girih::tile::*;
use std::marker::PhantomData;
use typenum::{U0, U1, U2, U3};

/// A tile of these rows.
fn tile<E: Element, S: TileShape>(values: &[E]) -> Tile<E, S> {
    Tile::new(values.to_vec()).unwrap()
}

/// Both are the same type.
fn same<T>(_: PhantomData<T>, _: PhantomData<T>) {}
macro_rules! same {
    ($a:ty, $b:ty) => {
        same(PhantomData::<$a>, PhantomData::<$b>)
    };
}
/// Does a bound hold? An inherent constant under the bound hides the trait's.
macro_rules! holds {
    ($t:ty: $($bound:tt)+) => {{
        struct Probe<T>(PhantomData<T>);
        trait No {
            const HOLDS: bool = false;
        }
        impl<T> No for Probe<T> {}
        impl<T: $($bound)+> Probe<T> {
            const HOLDS: bool = true;
        }
        Probe::<$t>::HOLDS
    }};
}

#[test]
fn full() {
    let x: Tile<i32, Shape![2, 2]> = Tile::full(42);
    assert_eq!(x.to_vec(), [42, 42, 42, 42]);
}

#[test]
fn iota() {
    let x = Tile::<i32, Shape![2, 4]>::iota();
    assert_eq!(x.to_vec(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(x.to_string(), "(0 1 2 3)\n(4 5 6 7)");
}

#[test]
fn iota_needs_its_last_number_in_the_type() {
    assert_eq!(Tile::<i8, Shape![128]>::iota().to_vec().last(), Some(&127));
    assert_eq!(Tile::<u8, Shape![16, 16]>::iota().to_vec().last(), Some(&255));
    assert_eq!(Tile::<bool, Shape![2]>::iota().to_vec(), [false, true]);
    assert!(!holds!(i8: Counts<N<256>>) && !holds!(u8: Counts<N<512>>) && !holds!(f32: Counts<N<1>>));
}

#[test]
fn ones() {
    assert_eq!(Tile::<i32, Shape![2, 2]>::ones().to_vec(), [1; 4]);
    assert_eq!(Tile::<bool, Shape![2]>::ones().to_vec(), [true; 2]);
    assert_eq!(Tile::<F8E4M3, Shape![]>::ones().cast::<f32>().to_vec(), [1.0]);
    assert_eq!(Tile::<F8E8M0, Shape![]>::ones().cast::<f32>().to_vec(), [1.0]);
}

#[test]
fn zeros() {
    assert_eq!(Tile::<f64, Shape![2, 2]>::zeros().to_vec().map_bits(), [0; 4]);
    assert_eq!(Tile::<bool, Shape![2]>::zeros().to_vec(), [false; 2]);
    assert!(!holds!(F8E8M0: HasZero) && holds!(F8UE5M3: HasZero));
}

/// The bits of doubles: +0 is not -0.
trait MapBits {
    fn map_bits(self) -> Vec<u64>;
}
impl MapBits for Vec<f64> {
    fn map_bits(self) -> Vec<u64> {
        self.into_iter().map(f64::to_bits).collect()
    }
}

const CLASSES: [f32; 4] = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1.0];

#[test]
fn isinf() {
    assert_eq!(tile::<_, Shape![4]>(&CLASSES).isinf().to_vec(), [true, true, false, false]);
}

#[test]
fn isnan() {
    assert_eq!(tile::<_, Shape![4]>(&CLASSES).isnan().to_vec(), [false, false, true, false]);
}

#[test]
fn reshape() {
    let x = Tile::<i32, Shape![2, 4]>::iota();
    let y: Tile<i32, Shape![4, 2]> = x.reshape();
    assert_eq!(y.to_string(), "(0 1)\n(2 3)\n(4 5)\n(6 7)");
}

#[test]
fn reshape_of_a_transposed_tile_is_row_major() {
    let x = Tile::<i32, Shape![2, 4]>::iota().transpose();
    assert_eq!(x.reshape::<Shape![8]>().to_vec(), [0, 4, 1, 5, 2, 6, 3, 7]);
}

#[test]
fn tile_permutation_t() {
    same!(<() as Permute<()>>::Output, ());
    same!(<Shape![4, 2, 16, 8] as Permute<(U2, U1, U3, U0)>>::Output, Shape![16, 2, 8, 4]);
}

#[test]
fn permute() {
    let x = Tile::<i32, Shape![4, 2, 2]>::iota();
    let r: Tile<i32, Shape![2, 4, 2]> = x.permute::<(U2, U0, U1)>();
    assert_eq!(r.to_vec(), [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]);
}

#[test]
fn tile_transpose_t() {
    same!(<() as Transpose>::Output, ());
    same!(<Shape![8] as Transpose>::Output, Shape![8]);
    same!(<Shape![4, 2, 16, 8] as Transpose>::Output, Shape![2, 4, 16, 8]);
}

#[test]
fn transpose() {
    let x = Tile::<i32, Shape![4, 2, 2]>::iota();
    let r: Tile<i32, Shape![2, 4, 2]> = x.transpose();
    assert_eq!(r.to_vec(), [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15]);
    assert_eq!(r.to_vec(), x.permute::<(U1, U0, U2)>().to_vec());
}

#[test]
fn transpose_below_rank_2_changes_nothing() {
    assert_eq!(Tile::<i32, Shape![4]>::iota().transpose().to_vec(), [0, 1, 2, 3]);
    assert_eq!(Tile::from(7).transpose().to_vec(), [7]);
}

#[test]
fn concatenation_t() {
    same!(<Shape![2, 4] as Cat<Shape![2, 4], U0>>::Output, Shape![4, 4]);
    same!(<Shape![2, 4] as Cat<Shape![2, 4], U1>>::Output, Shape![2, 8]);
    assert!(!holds!((): Cat<(), U0>), "scalars are incompatible");
    assert!(!holds!(Shape![2, 4]: Cat<Shape![2, 8], U1>), "4 + 8 is no power of two");
    assert!(!holds!(Shape![16777216]: Cat<Shape![16777216], U0>), "too large");
}

#[test]
fn cat() {
    let (x, y) = (Tile::<i32, Shape![4, 2]>::full(0), Tile::<i32, Shape![4, 2]>::full(1));
    let r: Tile<i32, Shape![4, 4]> = x.cat::<U1, _>(&y);
    assert_eq!(r.to_string(), "(0 0 1 1)\n(0 0 1 1)\n(0 0 1 1)\n(0 0 1 1)");
}

#[test]
fn select() {
    let c = tile::<_, Shape![4]>(&[true, false, true, false]);
    let x = Tile::<i32, Shape![4]>::iota();
    let y = -Tile::<i32, Shape![4]>::iota();
    assert_eq!(c.select(&x, &y).to_vec(), [0, -1, 2, -3]);
}

#[test]
fn select_converts_its_condition_to_bool_and_broadcasts_it() {
    let (x, y) = (Tile::<i32, Shape![2, 4]>::iota(), Tile::<i32, Shape![2, 4]>::full(-1));
    let columns = tile::<f32, Shape![4]>(&[0.0, -0.0, 0.5, f32::NAN]);
    assert_eq!(columns.select(&x, &y).to_vec(), [-1, -1, 2, 3, -1, -1, 6, 7]);
    let rows = tile::<i64, Shape![2, 1]>(&[1 << 40, 0]);
    assert_eq!(rows.select(&x, &y).to_vec(), [0, 1, 2, 3, -1, -1, -1, -1]);
}

#[test]
fn extractable_from() {
    assert!(holds!((): ExtractableFrom<()>));
    assert!(holds!(Shape![16, 2]: ExtractableFrom<Shape![32, 8]>));
    assert!(!holds!(Shape![2, 16]: ExtractableFrom<Shape![32, 8]>));
    assert!(!holds!(Shape![8]: ExtractableFrom<Shape![32, 8]>), "another rank");
}

#[test]
fn extract() {
    let x = Tile::<i32, Shape![4, 4]>::iota();
    let r: Tile<i32, Shape![2, 2]> = x.extract((0, 1)).unwrap();
    assert_eq!(r.to_string(), "(2 3)\n(6 7)");
}

#[test]
fn extract_takes_integers_and_scalar_tiles_as_indices() {
    let x = Tile::<i32, Shape![4, 4]>::iota();
    let last = [12, 13];
    assert_eq!(x.extract::<Shape![1, 2]>((3u8, 0usize)).unwrap().to_vec(), last);
    assert_eq!(x.extract::<Shape![1, 2]>([3, 0]).unwrap().to_vec(), last);
    assert_eq!(x.extract::<Shape![1, 2]>((Tile::from(3i64), &Tile::from(0u16))).unwrap().to_vec(), last);
    assert_eq!(Tile::from(5).extract::<()>(()).unwrap().to_vec(), [5]);
}

#[test]
fn a_part_that_there_is_not_is_refused() {
    let x = Tile::<i32, Shape![4, 4]>::iota();
    let index = |i: i64| x.extract::<Shape![2, 4]>((i, 0)).map(|part| part.to_vec()[0]);
    assert_eq!(index(1), Ok(8));
    assert_eq!(index(2), Err(TileError::Index { dim: 0, index: 2, parts: 2 }));
    assert_eq!(index(-1), Err(TileError::Index { dim: 0, index: -1, parts: 2 }));
    assert_eq!(x.insert(&x, (0, 1)).map(|_| ()), Err(TileError::Index { dim: 1, index: 1, parts: 1 }));
}

#[test]
fn insert() {
    let x = Tile::<i32, Shape![4, 4]>::iota();
    let s = Tile::<i32, Shape![2, 2]>::iota();
    let r = x.insert(&s, (0, 1)).unwrap();
    assert_eq!(r.to_vec(), [0, 1, 0, 1, 4, 5, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15]);
    assert_eq!(x.to_vec()[2], 2, "the tile itself stays");
}

#[test]
fn insert_converts_what_widens() {
    let r = Tile::<f64, Shape![2]>::zeros().insert(tile::<F8E5M2, Shape![1]>(&[cast(1.5f32)]), (1,)).unwrap();
    assert_eq!(r.to_vec(), [0.0, 1.5]);
    assert!(!holds!(i32: Widens<f32>) && !holds!(f16: Widens<bf16>) && !holds!(i8: Widens<u8>));
}

#[test]
fn broadcast() {
    let x = Tile::<i32, Shape![4, 1]>::iota();
    let r: Tile<i32, Shape![4, 4]> = x.broadcast();
    assert_eq!(r.to_string(), "(0 0 0 0)\n(1 1 1 1)\n(2 2 2 2)\n(3 3 3 3)");
}

#[test]
fn broadcast_aligns_the_last_dimensions() {
    let x = Tile::<i32, Shape![2]>::iota();
    assert_eq!(x.broadcast::<Shape![2, 2, 2]>().to_vec(), [0, 1, 0, 1, 0, 1, 0, 1]);
    assert!(!holds!(Shape![2]: BroadcastsTo<Shape![2, 1]>));
    assert!(!holds!(Shape![1, 2]: BroadcastsTo<Shape![2]>));
    assert_eq!(Tile::from(3).broadcast::<Shape![2, 2]>().to_vec(), [3; 4]);
}

#[test]
fn element_cast() {
    let r: Tile<f64, Shape![4, 1]> = Tile::<i32, Shape![4, 1]>::iota().cast::<f64>();
    assert_eq!(r.to_vec(), [0.0, 1.0, 2.0, 3.0]);
}

/// `0x1.0000014000000p0`
const BETWEEN: f64 = 1.0 + 0x14 as f64 / (1u64 << 28) as f64;

#[test]
fn element_cast_with_a_rounding_mode() {
    let x = Tile::<f64, Shape![2, 1]>::full(BETWEEN);
    // 0x1.000002p0f
    let (above, below) = (1.0 + f32::EPSILON, 1.0);
    assert_eq!(BETWEEN.to_bits(), 0x3ff0_0000_1400_0000);
    assert_eq!(x.cast_rounded::<f32, TiesToEven>().to_vec(), [above; 2]);
    assert_eq!(x.cast_rounded::<f32, TowardZero>().to_vec(), [below; 2]);
    assert_eq!(x.cast_rounded::<f32, TowardPositive>().to_vec(), [above; 2]);
}

#[test]
fn element_cast_with_saturation() {
    let x = Tile::<f32, Shape![2, 1]>::full(100000.0);
    assert_eq!(x.cast_saturating::<i16>().to_vec(), [32767, 32767]);
    assert_eq!((-x).cast_saturating::<u8>().to_vec(), [0, 0]);
}

#[test]
fn element_bitcast() {
    let x = Tile::<u8, Shape![4, 1]>::full(255);
    assert_eq!(x.bitcast::<i8>().to_vec(), [-1; 4]);
    assert_eq!(Tile::<bool, Shape![2]>::iota().bitcast::<u8>().to_vec(), [0, 1]);
    assert!(!holds!(f32: Bitcasts<u16>) && !holds!(F4E2M1: Bitcasts<u8>) && !holds!(Tf32: Bitcasts<f32>));
}

#[test]
fn repack_to_bool() {
    let x = tile::<u8, Shape![1, 2]>(&[0b0011_0011, 0b1010_1111]);
    let bits = |rows: &[u8]| rows.iter().map(|&b| b == 1).collect::<Vec<_>>();
    let columns: Tile<bool, Shape![8, 2]> = x.repack::<bool, U0>();
    assert_eq!(columns.to_vec(), bits(&[1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1]));
    let rows: Tile<bool, Shape![1, 16]> = x.repack::<bool, U1>();
    assert_eq!(rows.to_vec(), bits(&[1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1]));
    assert_eq!(columns.repack::<u8, U0>().to_vec(), x.to_vec(), "and back");
    assert_eq!(rows.repack::<u8, U1>().to_vec(), x.to_vec(), "and back");
}

#[test]
fn repack_to_fp4() {
    let code = |x: f32| cast::<f32, F4E2M1>(x).to_bits() as u8;
    let packed = |low, high| code(high) << 4 | code(low);
    let x = tile::<u8, Shape![1, 2]>(&[packed(3.0, -3.0), packed(1.0, -1.0)]);
    let columns: Tile<F4E2M1, Shape![2, 2]> = x.repack::<F4E2M1, U0>();
    assert_eq!(columns.cast::<f32>().to_vec(), [3.0, 1.0, -3.0, -1.0]);
    let rows: Tile<F4E2M1, Shape![1, 4]> = x.repack::<F4E2M1, U1>();
    assert_eq!(rows.cast::<f32>().to_vec(), [3.0, -3.0, 1.0, -1.0]);
}

#[test]
fn repack_to_wider_integers() {
    let x = tile::<u8, Shape![4, 2]>(&[0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]);
    let columns: Tile<u16, Shape![2, 2]> = x.repack::<u16, U0>();
    assert_eq!(columns.to_vec(), [0x4501, 0x6723, 0xcd89, 0xefab]);
    let rows: Tile<u16, Shape![4, 1]> = x.repack::<u16, U1>();
    assert_eq!(rows.to_vec(), [0x2301, 0x6745, 0xab89, 0xefcd]);
}

#[test]
fn repack_holds_its_four_conditions() {
    type Bytes = Shape![4, 2];
    assert!(!holds!(Bytes: Repack<u8, u16, U2>), "no such dimension");
    assert!(!holds!(Bytes: Repack<u8, u32, U1>), "16 bits are no whole u32");
    assert!(!holds!(Shape![4]: Repack<bool, F4E2M1, U0>), "4 bits are no whole bytes");
    assert!(holds!(Shape![4]: Repack<bool, bool, U0>), "but the same type is");
    assert!(!holds!(Shape![16777216]: Repack<u64, u8, U0>), "too large");
    assert!(!holds!(Shape![16]: Repack<Tf32, u8, U0>) && holds!(Shape![16]: Repack<Tf32, Tf32, U0>));
}

#[test]
fn arithmetic_conversions_join_elements_and_shapes() {
    let (column, row) = (Tile::<u8, Shape![2, 1]>::iota(), Tile::<i16, Shape![4]>::iota());
    let sum: Tile<i16, Shape![2, 4]> = &column * 10i16.pow(1) as u8 + &row;
    assert_eq!(sum.to_vec(), [0, 1, 2, 3, 10, 11, 12, 13]);
    let mixed: Tile<f16, Shape![4]> = &row + Tile::from(f16::ONE);
    assert_eq!(mixed.to_vec().iter().map(|x| x.to_f32()).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0]);
    let small: Tile<i8, Shape![2]> = Tile::<i8, Shape![2]>::full(100) + 27;
    assert_eq!(small.to_vec(), [127; 2], "no promotion");
}

#[test]
fn numbers_stand_on_either_side() {
    let x = Tile::<i32, Shape![4]>::iota();
    assert_eq!((10 - &x).to_vec(), [10, 9, 8, 7]);
    assert_eq!((&x - 10).to_vec(), [-10, -9, -8, -7]);
    assert_eq!((1 << x).to_vec(), [1, 2, 4, 8]);
    let y = Tile::<f32, Shape![2]>::full(4.0);
    assert_eq!((1.0 / &y + 2.0 * y).to_vec(), vec![8.25f32; 2]);
    let b = Tile::<bool, Shape![2]>::iota();
    assert_eq!((!(true ^ b)).to_vec(), [false, true]);
}

#[test]
fn reductions_keep_their_dimension() {
    let x = Tile::<f32, Shape![2, 4]>::full(0.25) * Tile::<i32, Shape![2, 4]>::iota();
    let mean: Tile<f32, Shape![2, 1]> = x.sum::<U1>() / 4.0;
    assert_eq!((&x - &mean).sum::<U1>().to_vec(), [0.0, 0.0]);
    let columns: Tile<f32, Shape![1, 4]> = x.reduce_max::<U0>();
    assert_eq!(columns.to_vec(), [1.0, 1.25, 1.5, 1.75]);
}

#[test]
fn batches_of_one_are_repeated_in_products() {
    let a = Tile::<i8, Shape![1, 2, 4]>::iota();
    let b = Tile::<u8, Shape![2, 4, 2]>::iota();
    let d: Tile<i32, Shape![2, 2, 2]> = a.matmul(&b);
    assert_eq!(d.to_vec(), [28, 34, 76, 98, 76, 82, 252, 274]);
    let c = Tile::<i32, Shape![2, 2, 2]>::full(1);
    assert_eq!(a.mma(&b, &c).to_vec(), (d + 1).to_vec());
}
