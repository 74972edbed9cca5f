//! What holds of types is what holds of them as values; limits; packing.

use core::marker::PhantomData;
use girih::tile::element::rounding::*;
use girih::tile::element::*;
use std::collections::HashSet;

/// Facts that hold are inherent constants, which hide those of the trait [`Otherwise`].
struct Probe<A, B = (), M = ()>(PhantomData<(A, B, M)>);

trait Otherwise {
    const ROUNDS: bool = false;
    const SATURATES: bool = false;
    const WIDENS: bool = false;
    const COMMON: Option<ElementType> = None;
    const INTEGRAL: bool = false;
    const INTEGER: bool = false;
    const ARITHMETIC: bool = false;
    const NUMBER: bool = false;
    const FLOAT: bool = false;
    const BASIC: bool = false;
}
impl<A, B, M> Otherwise for Probe<A, B, M> {}

impl<A: RoundsTo<B, M>, B: Element, M: RoundingMode> Probe<A, B, M> {
    const ROUNDS: bool = true;
}
impl<A: SaturatesTo<B>, B: Element> Probe<A, B> {
    const SATURATES: bool = true;
}
impl<A: Widens<B>, B: Element> Probe<A, B> {
    const WIDENS: bool = true;
}
impl<A: Common<B>, B: Arithmetic> Probe<A, B> {
    const COMMON: Option<ElementType> = Some(<A as Common<B>>::Output::TYPE);
}
macro_rules! classes {
    ($($class:ident $name:ident)*) => { $(impl<A: $class> Probe<A> { const $name: bool = true; })* };
}
classes!(Integral INTEGRAL Integer INTEGER Arithmetic ARITHMETIC Number NUMBER Float FLOAT BasicFloat BASIC);

/// `$check!(A, B);` for every pair.
macro_rules! pairs {
    ($check:ident) => {
        pairs!(@ $check; bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 Tf32 F8E4M3 F8E5M2 F8UE5M3 F8E8M0 F4E2M1)
    };
    (@ $check:ident; $($a:ident)*) => { pairs!(@ $check; [$($a)*] [$($a)*]) };
    (@ $check:ident; [$($a:ident)*] $all:tt) => { $(pairs!(@@ $check; $a $all);)* };
    (@@ $check:ident; $a:ident [$($b:ident)*]) => { $($check!($a, $b);)* };
}

#[test]
fn rounding_modes_and_saturation_of_types_are_those_of_the_table() {
    let mut allowed = 0;
    macro_rules! check {
        ($a:ident, $b:ident) => {{
            let modes = rounding_modes($a::TYPE, $b::TYPE);
            for (holds, mode) in [
                (Probe::<$a, $b, TiesToEven>::ROUNDS, Rounding::TiesToEven),
                (Probe::<$a, $b, TowardZero>::ROUNDS, Rounding::TowardZero),
                (Probe::<$a, $b, TowardNegative>::ROUNDS, Rounding::TowardNegative),
                (Probe::<$a, $b, TowardPositive>::ROUNDS, Rounding::TowardPositive),
                (Probe::<$a, $b, TiesAway>::ROUNDS, Rounding::TiesAway),
            ] {
                let how = Conversion::new($a::TYPE, $b::TYPE).rounded(mode);
                assert_eq!((holds, holds), (how.is_ok(), modes.contains(&mode)), "{} {} {mode}", $a::TYPE, $b::TYPE);
                allowed += usize::from(holds);
            }
            let saturates = Conversion::new($a::TYPE, $b::TYPE).saturating().is_ok();
            assert_eq!(Probe::<$a, $b>::SATURATES, saturates, "{} {}", $a::TYPE, $b::TYPE);
            assert_eq!(saturates, $a::TYPE.is_basic_float() && $b::TYPE.is_integral());
        }};
    }
    pairs!(check);
    // two to e8m0 from 10 types, one to each of four others, five where nothing is lost, then f64 to f32, f32 to tf32, 11 others
    assert_eq!(allowed, 20 + 40 + 5 * (4 + 6 + 8 + 9 + 10) + 4 + 3 + 2 * 11);
}

#[test]
fn implicit_conversions_of_types_are_those_of_values() {
    macro_rules! check {
        ($a:ident, $b:ident) => {{
            let (a, b) = ($a::TYPE, $b::TYPE);
            assert_eq!(Probe::<$a, $b>::WIDENS, non_narrowing(a, b), "{a} {b}");
            assert_eq!(Probe::<$a, $b>::COMMON, common(a, b).ok(), "{a} {b}");
            assert_eq!(common(a, b).ok(), common(b, a).ok(), "{a} {b}");
        }};
    }
    pairs!(check);
}

#[test]
fn what_does_not_narrow_is_a_partial_order_that_keeps_every_value() {
    for a in ElementType::ALL {
        for b in ElementType::ALL {
            assert!(a == b || !(non_narrowing(a, b) && non_narrowing(b, a)), "{a} {b}");
            for c in ElementType::ALL {
                assert!(!(non_narrowing(a, b) && non_narrowing(b, c)) || non_narrowing(a, c), "{a} {b} {c}");
            }
            if non_narrowing(a, b) && a.bits() <= 16 {
                let codes = crate::inputs::all(a);
                for (code, other) in codes.iter().zip(crate::types::converted(Conversion::new(a, b), &codes)) {
                    let (x, y) = (crate::definition::exact(a, *code), crate::definition::exact(b, other));
                    assert!(
                        x == y || format!("{x:?}{y:?}") == "Float(NaN)Float(NaN)",
                        "{a} {b} {code:#x}: {x:?} {y:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn classes_of_types_are_those_of_values() {
    macro_rules! check {
        ($($a:ident)*) => {$({
            let t = $a::TYPE;
            assert_eq!(Probe::<$a>::INTEGRAL, t.is_integral(), "{t}");
            assert_eq!(Probe::<$a>::INTEGER, t.is_integer(), "{t}");
            assert_eq!(Probe::<$a>::ARITHMETIC, t.is_arithmetic(), "{t}");
            assert_eq!(Probe::<$a>::NUMBER, t.is_number(), "{t}");
            assert_eq!(Probe::<$a>::FLOAT, t.is_float(), "{t}");
            assert_eq!(Probe::<$a>::BASIC, t.is_basic_float(), "{t}");
            assert_eq!(size_of::<$a>(), t.bytes() as usize, "{t}");
            assert_eq!(t.name().parse(), Ok(t));
        })*};
    }
    check!(bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 Tf32 F8E4M3 F8E5M2 F8UE5M3 F8E8M0 F4E2M1);
    assert_eq!(ElementType::ALL.iter().map(|t| t.name()).collect::<HashSet<_>>().len(), 19);
    let count = |f: fn(ElementType) -> bool| ElementType::ALL.into_iter().filter(|t| f(*t)).count();
    assert_eq!([count(ElementType::is_integral), count(ElementType::is_float)], [9, 10]);
    assert_eq!([count(ElementType::is_arithmetic), count(ElementType::is_number)], [13, 12]);
}

#[test]
fn limits_are_those_of_the_formats() {
    let two = |n: i32| 2f64.powi(n);
    macro_rules! limits {
        ($($t:ident: $max:expr, $least:expr, $epsilon:expr;)*) => {$(
            assert_eq!($t::MAX.to_f64(), $max);
            assert_eq!($t::MIN_POSITIVE.to_f64(), two($least));
            assert_eq!($t::EPSILON.to_f64(), two($epsilon));
        )*};
    }
    limits! {
        Tf32: two(128) - two(117), -126, -10;
        F8E4M3: 448.0, -6, -3;
        F8E5M2: 57344.0, -14, -2;
        F8UE5M3: 114688.0, -14, -3;
        F8E8M0: two(127), -127, 0;
        F4E2M1: 6.0, 0, -1;
    }
    assert_eq!(Tf32::MIN_POSITIVE_SUBNORMAL.to_f64(), two(-136));
    assert_eq!(F8E4M3::MIN_POSITIVE_SUBNORMAL.to_f64(), two(-9));
    assert_eq!(F8E5M2::MIN_POSITIVE_SUBNORMAL.to_f64(), two(-16));
    assert_eq!(F8UE5M3::MIN_POSITIVE_SUBNORMAL.to_f64(), two(-17));
    assert_eq!(F4E2M1::MIN_POSITIVE_SUBNORMAL.to_f64(), 0.5);
    assert!([Tf32::INFINITY.to_f64(), F8E5M2::INFINITY.to_f64()].iter().all(|x| *x == f64::INFINITY));
    assert!(Tf32::NAN.is_nan() && F8E4M3::NAN.is_nan() && F8E5M2::NAN.is_nan() && F8UE5M3::NAN.is_nan());
    assert!(F8E8M0::NAN.is_nan() && F8E8M0::NAN != F8E8M0::NAN && F8E4M3::from_f32(-0.0) == F8E4M3::default());
}

#[test]
fn packed_elements_unpack_to_themselves_with_the_first_lowest() {
    fn round_trip<E: Element>(n: usize) {
        let mut random = crate::inputs::Random(n as u64);
        let elements: Vec<E> = (0..n).map(|_| E::from_bits(random.next())).collect();
        let codes = |e: &[E]| e.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let bits = E::TYPE.bits() as usize;
        match pack(&elements) {
            Ok(bytes) => {
                assert_eq!(bytes.len() * 8, n * bits);
                assert_eq!(codes(&unpack::<E>(&bytes).unwrap()), codes(&elements));
                // bit by bit
                for (i, code) in codes(&elements).into_iter().enumerate() {
                    for b in 0..bits {
                        let at = i * bits + b;
                        assert_eq!(u64::from(bytes[at / 8] >> (at % 8) & 1), code >> b & 1, "{} {i} {b}", E::TYPE);
                    }
                }
            }
            Err(e) => assert_eq!(
                (e, !(n * bits).is_multiple_of(8)),
                (PackError::Elements { element: E::TYPE, count: n }, true)
            ),
        }
        let whole = (n * 8).is_multiple_of(bits);
        assert_eq!(unpack::<E>(&vec![0; n]).is_ok(), whole, "{} {n}", E::TYPE);
    }
    macro_rules! all {
        ($($t:ident)*) => { $((0..40).for_each(round_trip::<$t>);)* };
    }
    all!(bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 Tf32 F8E4M3 F8E5M2 F8UE5M3 F8E8M0 F4E2M1);
    assert_eq!(unpack::<Tf32>(&[0; 3]).unwrap_err().to_string(), "3 bytes end inside an element: tf32 takes 19 bits");
}

#[test]
fn errors_say_what_there_is_instead() {
    let e = |a, b, r| Conversion::new(a, b).rounded(r).unwrap_err().to_string();
    use ElementType::*;
    assert_eq!(
        e(F32, F8E8M0, Rounding::TiesToEven),
        "f32 to f8e8m0 does not round ties to even; it rounds toward zero or toward positive"
    );
    assert_eq!(
        e(F32, F8E4M3, Rounding::TowardZero),
        "f32 to f8e4m3 does not round toward zero; it rounds ties to even"
    );
    assert_eq!(
        e(F32, I32, Rounding::TowardZero),
        "f32 to i32 does not round toward zero; a rounding mode is for conversions between floats"
    );
    assert_eq!(
        Conversion::new(F32, F8E4M3).saturating().unwrap_err().to_string(),
        "f32 to f8e4m3 does not saturate; only f16, bf16, f32 and f64 to integers and bool do"
    );
    assert_eq!(
        Conversion::new(F32, F16).convert::<f32, bf16>(&[]).unwrap_err().to_string(),
        "a conversion from f32 to f16 was given f32 to make bf16"
    );
    assert_eq!(
        common(Tf32, F32).unwrap_err().to_string(),
        "arithmetic on tf32 does not exist: convert to an arithmetic type first, f32 for one"
    );
}
