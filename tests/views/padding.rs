//! Every padding of every element type.

use girih::layout;
use girih::tile::element::*;
use girih::tile::{AnyTile, ElementType, Shape};
use girih::view::{Access, At, Chunks, Padding, View, ViewError, host};

const PADDINGS: [Padding; 5] =
    [Padding::Zero, Padding::NegativeZero, Padding::PositiveInfinity, Padding::NegativeInfinity, Padding::Nan];

/// One element in the span, one outside.
fn padded<E: Element>(padding: Padding, one: E) -> Result<(E, E), ViewError> {
    let chunks = Chunks::partition(Shape::new(&[2]).unwrap());
    let view = View::new(E::TYPE, layout!(1:1), ElementType::I64, chunks).unwrap();
    let tile: AnyTile = host::load::<E, _>(&view, &Access::LOAD.masked(padding), &[At::Number(0)], &[one][..])?;
    let values = tile.to_vec::<E>().unwrap();
    Ok((values[0], values[1]))
}

#[test]
fn basic_floats_have_all_paddings() {
    macro_rules! check {
        ($($t:ident)+) => {$(
            let one = $t::from_bits(0x15);
            let expected = [<$t>::default(), -<$t>::default(), $t::INFINITY, $t::NEG_INFINITY, $t::NAN];
            for (padding, expected) in PADDINGS.into_iter().zip(expected) {
                let (inside, outside) = padded(padding, one).unwrap();
                assert_eq!(inside.to_bits(), one.to_bits());
                assert_eq!(outside.is_nan(), expected.is_nan(), "{padding:?} {outside}");
                assert!(expected.is_nan() || outside.to_bits() == expected.to_bits(), "{padding:?} {outside}");
            }
        )+};
    }
    check!(f32 f64 f16 bf16);
}

#[test]
fn the_others_have_zero_alone_and_powers_of_two_none() {
    fn check<E: Element>(zero: Option<E>) {
        for padding in PADDINGS {
            match zero.filter(|_| padding == Padding::Zero) {
                Some(zero) => assert_eq!(padded(padding, E::from_bits(1)).unwrap().1, zero),
                None => {
                    let e = padded(padding, E::from_bits(1)).unwrap_err();
                    assert_eq!(e, ViewError::Padding { padding, element: E::TYPE });
                }
            }
        }
    }
    check(Some(false));
    check(Some(0i8));
    check(Some(0u8));
    check(Some(0i16));
    check(Some(0u16));
    check(Some(0i32));
    check(Some(0u32));
    check(Some(0i64));
    check(Some(0u64));
    check(Some(Tf32::from_f32(0.0)));
    check(Some(F8E4M3::from_f32(0.0)));
    check(Some(F8E5M2::from_f32(0.0)));
    check(Some(F8UE5M3::from_f32(0.0)));
    check(Some(F4E2M1::from_f32(0.0)));
    check::<F8E8M0>(None);
}

#[test]
fn elements_without_padding_are_loaded_in_whole_chunks() {
    let x = [F8E8M0::from_f32(2.0); 4];
    let view = girih::view::TensorSpan::right(&x, [4]).unwrap().partition::<girih::Shape![4]>();
    assert_eq!(view.load(0).unwrap().to_vec(), x);
}
