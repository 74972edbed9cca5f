//! Conversions against `half`, `float8` and `microfloat`, with the inputs on which those mean something else.

use crate::inputs::{Random, cases};
use girih::tile::element::{F4E2M1, F8E4M3, F8E5M2, F8E8M0, Tf32, bf16, cast, f16};
use microfloat::{f4e2m1fn, f8e4m3fn, f8e5m2, f8e8m0fnu};

/// All singles that are bfloat16, what lies beside them, and random ones.
fn singles() -> impl Iterator<Item = f32> {
    let mut random = Random(1);
    let even =
        (0..=0xffffu32).flat_map(|upper| [0, 1, 0x8000, 0x7fff, 0x8001, 0xffff].map(|lower| upper << 16 | lower));
    even.chain((0..64 * cases()).map(move |_| random.next() as u32)).map(f32::from_bits)
}

#[test]
fn halves_are_those_of_half_but_for_payloads_of_nans() {
    for x in singles().filter(|x| !x.is_nan()) {
        assert_eq!(cast::<f32, f16>(x).to_bits(), f16::from_f32(x).to_bits(), "{x:e}");
        assert_eq!(cast::<f32, bf16>(x).to_bits(), bf16::from_f32(x).to_bits(), "{x:e}");
    }
    for code in 0..=0xffff {
        let (a, b) = (f16::from_bits(code), bf16::from_bits(code));
        assert!(cast::<f16, f32>(a) == a.to_f32() || a.is_nan() && cast::<f16, f32>(a).is_nan());
        assert!(cast::<bf16, f64>(b) == b.to_f64() || b.is_nan() && cast::<bf16, f64>(b).is_nan());
    }
}

/// `microfloat` overflows to infinity or NaN, this saturates: they agree up to where the largest number's rounding ends.
#[test]
fn small_floats_are_those_of_microfloat_up_to_the_largest() {
    for x in singles() {
        if x.abs() < 464.0 {
            assert_eq!(F8E4M3::from_f32(x).to_bits(), f8e4m3fn::from_f32(x).to_bits(), "{x:e}");
        }
        if x.abs() < 61440.0 {
            assert_eq!(F8E5M2::from_f32(x).to_bits(), f8e5m2::from_f32(x).to_bits(), "{x:e}");
        }
        // that saturates too; its NaNs are other numbers
        if !x.is_nan() {
            assert_eq!(F4E2M1::from_f32(x).to_bits(), f4e2m1fn::from_f32(x).to_bits(), "{x:e}");
        }
        // that rounds to nearest, negative numbers are NaN, and so are zero and what is below half of the least
        if x > 0.0 && x.is_normal() && x.to_bits() << 9 == 0 {
            assert_eq!(F8E8M0::from_f32(x).to_bits(), f8e8m0fnu::from_f32(x).to_bits(), "{x:e}");
        }
    }
    for code in 0..=255 {
        let same =
            |a: f32, b: f32| assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(), "{code:#x}: {a}, {b}");
        same(F8E4M3::from_bits(code).to_f32(), f8e4m3fn::from_bits(code).to_f32());
        same(F8E5M2::from_bits(code).to_f32(), f8e5m2::from_bits(code).to_f32());
        same(F8E8M0::from_bits(code).to_f32(), f8e8m0fnu::from_bits(code).to_f32());
        same(F4E2M1::from_bits(code).to_f32(), f4e2m1fn::from_bits(code & 15).to_f32());
    }
}

/// `float8` follows CUDA's header and saturates as this does; its NaNs have signs.
#[test]
fn floats_of_8_bits_are_those_of_float8() {
    for x in singles().filter(|x| !x.is_nan()) {
        assert_eq!(F8E4M3::from_f32(x).to_bits(), float8::F8E4M3::from_f32(x).to_bits(), "{x:e}");
        assert_eq!(F8E5M2::from_f32(x).to_bits(), float8::F8E5M2::from_f32(x).to_bits(), "{x:e}");
        let double = f64::from(x) * (1.0 + f64::EPSILON);
        assert_eq!(cast::<f64, F8E4M3>(double).to_bits(), float8::F8E4M3::from_f64(double).to_bits(), "{double:e}");
        assert_eq!(cast::<f64, F8E5M2>(double).to_bits(), float8::F8E5M2::from_f64(double).to_bits(), "{double:e}");
    }
}

#[test]
fn printed_numbers_are_those_of_singles() {
    assert_eq!(
        format!("{} {:?} {:.2}", F8E4M3::from_f32(1.5), F8E5M2::from_f32(-2.0), Tf32::from_f32(0.1)),
        "1.5 -2.0 0.10"
    );
    assert_eq!(format!("{} {} {:?}", F8E8M0::NAN, F8E5M2::INFINITY, F4E2M1::from_f32(-0.0)), "NaN inf -0.0");
}
