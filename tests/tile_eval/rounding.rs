//! Directed rounding and flushed subnormals, by comparison with the exact result.

use crate::elementwise::NEAR;
use crate::{Plain, Random, run, shape};
use girih::tile::*;
use half::f16;
use std::cmp::Ordering;

const MODES: [Rounding; 4] =
    [Rounding::TiesToEven, Rounding::TowardZero, Rounding::TowardNegative, Rounding::TowardPositive];

fn mode(rounding: Rounding) -> Mode {
    Mode { precision: Precision::Rounded(rounding), flush: false }
}

/// The f16 that an exact number other than zero rounds to: `order` compares it with a number of units of 2^-50.
fn round(rounding: Rounding, negative: bool, order: impl Fn(i128) -> Ordering) -> u64 {
    let units =
        |code: u16| if code == 0x7c00 { 1i128 << 66 } else { (f16::from_bits(code).to_f64() * 50f64.exp2()) as i128 };
    // of magnitudes
    let (mut low, mut high) = (0u16, 0x7c01);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if order(units(middle)) != Ordering::Less { low = middle } else { high = middle }
    }
    let exact = order(units(low)) == Ordering::Equal;
    let up = match rounding {
        _ if exact => false,
        _ if low == 0x7c00 => false,
        Rounding::TowardZero => false,
        Rounding::TowardNegative => negative,
        Rounding::TowardPositive => !negative,
        _ => match order((units(low) + units(low + 1)) / 2) {
            Ordering::Less => false,
            Ordering::Equal => low % 2 == 1,
            Ordering::Greater => true,
        },
    };
    let largest = match rounding {
        Rounding::TowardZero => true,
        Rounding::TowardNegative => !negative,
        Rounding::TowardPositive => negative,
        _ => false,
    };
    let magnitude = low + u16::from(up);
    let magnitude = if magnitude == 0x7c00 && largest { 0x7bff } else { magnitude };
    u64::from(magnitude) | if negative { 0x8000 } else { 0 }
}

/// Units of 2^-24, and so of 2^-48 in products.
fn units(code: u64) -> i128 {
    (f16::from_bits(code as u16).to_f64() * 24f64.exp2()) as i128
}

/// Of a number in units of 2^-48.
fn rounded(rounding: Rounding, exact: i128) -> u64 {
    round(rounding, exact < 0, |units| (exact.abs() * 4).cmp(&units))
}

#[test]
fn halves_are_exact_results_rounded_once() {
    let mut random = Random(21);
    let finite = |random: &mut Random| {
        let codes: Vec<u64> =
            std::iter::repeat_with(|| random.next() & 0xffff).filter(|c| c & 0x7c00 != 0x7c00).take(1 << 14).collect();
        Plain::new(TileType::new(ElementType::F16, shape(&[1 << 14])), codes)
    };
    let x = [finite(&mut random), finite(&mut random), finite(&mut random)];
    for rounding in MODES {
        let m = mode(rounding);
        let check = |op: Op, expected: &dyn Fn([u64; 3]) -> Option<u64>| {
            let operands = match op {
                Op::Unary(_) => 1,
                Op::Binary(_) => 2,
                _ => 3,
            };
            let got = run(op, &x[..operands]);
            for (i, &got) in got.codes.iter().enumerate() {
                let codes = [0, 1, 2].map(|n| x[n].codes[i]);
                // zeros have signs of their own
                if let Some(expected) = expected(codes) {
                    assert_eq!(got, expected, "{op:?} of {codes:x?}");
                }
            }
        };
        let sum = |exact: i128| (exact != 0).then(|| rounded(rounding, exact));
        check(Op::Binary(Binary::Add(m)), &|[a, b, _]| sum((units(a) + units(b)) << 24));
        check(Op::Binary(Binary::Sub(m)), &|[a, b, _]| sum((units(a) - units(b)) << 24));
        check(Op::Binary(Binary::Mul(m)), &|[a, b, _]| sum(units(a) * units(b)));
        check(Op::Fma(m), &|[a, b, c]| sum(units(a) * units(b) + (units(c) << 24)));
        check(Op::Binary(Binary::Div(m)), &|[a, b, _]| {
            let (x, y) = (units(a), units(b));
            let compare = |units: i128| (x.abs() << 50).cmp(&(units.checked_mul(y.abs()).unwrap_or(i128::MAX)));
            (x != 0 && y != 0).then(|| round(rounding, (x < 0) != (y < 0), compare))
        });
        check(Op::Unary(Unary::Sqrt(m)), &|[a, ..]| {
            let x = units(a);
            // the root in units of 2^-50: its square is in those of 2^-100, the number in those of 2^-24
            let compare = |units: i128| (x << 76).cmp(&units.checked_mul(units).unwrap_or(i128::MAX));
            (x > 0 && x < 1 << 50).then(|| round(rounding, false, compare))
        });
    }
}

/// The result to nearest and the sign of what it lacks give that of each mode.
fn directed(rounding: Rounding, near: f64, error: f64, next: impl Fn(f64, bool) -> f64) -> f64 {
    match rounding {
        Rounding::TowardNegative if error < 0.0 => next(near, false),
        Rounding::TowardPositive if error > 0.0 => next(near, true),
        Rounding::TowardZero if error < 0.0 && near > 0.0 => next(near, false),
        Rounding::TowardZero if error > 0.0 && near < 0.0 => next(near, true),
        _ => near,
    }
}

/// Doubles, with the errors that Rust's own fused multiplication finds.
#[test]
fn doubles_lie_on_the_right_side_of_the_exact_result() {
    let mut random = Random(22);
    let ty = TileType::new(ElementType::F64, shape(&[1 << 12]));
    // exponents so that neither results nor errors overflow or underflow
    let code = |random: &mut Random| {
        let n = random.next();
        n & !(0x7ff << 52) | (1023 - 20 + (n >> 52) % 40) << 52
    };
    let mut plain = || Plain::new(ty, (0..1 << 12).map(|_| code(&mut random)));
    let x = [plain(), plain()];
    for rounding in MODES {
        let m = mode(rounding);
        let next = |x: f64, up: bool| if up { x.next_up() } else { x.next_down() };
        let check = |op: Op, expected: &dyn Fn(f64, f64) -> (f64, f64)| {
            let operands = if matches!(op, Op::Unary(_)) { 1 } else { 2 };
            for (i, got) in run(op, &x[..operands]).codes.into_iter().enumerate() {
                let (a, b) = (f64::from_bits(x[0].codes[i]), f64::from_bits(x[1].codes[i]));
                let (near, error) = expected(a, b);
                assert_eq!(
                    f64::from_bits(got).to_bits(),
                    directed(rounding, near, error, next).to_bits(),
                    "{op:?}: {a:e} {b:e}"
                );
            }
        };
        check(Op::Binary(Binary::Add(m)), &|a, b| {
            let sum = a + b;
            let of_b = sum - a;
            (sum, (a - (sum - of_b)) + (b - of_b))
        });
        check(Op::Binary(Binary::Mul(m)), &|a, b| (a * b, a.mul_add(b, -(a * b))));
        check(Op::Binary(Binary::Div(m)), &|a, b| (a / b, (-(a / b)).mul_add(b, a) * b.signum()));
        check(Op::Unary(Unary::Sqrt(m)), &|a, _| match a.sqrt() {
            root if root.is_nan() => (f64::from_bits(0xfff8_0000_0000_0000), 0.0),
            root => (root, (-root).mul_add(root, a)),
        });
    }
}

/// Singles whose exact results are doubles.
#[test]
fn singles_lie_on_the_right_side_of_the_exact_result() {
    let mut random = Random(23);
    let mut plain = || {
        let codes = (0..1 << 12).map(|_| random.next()).map(|n| n & 0x807f_ffff | (127 - 10 + (n >> 32) % 20) << 23);
        Plain::new(TileType::new(ElementType::F32, shape(&[1 << 12])), codes)
    };
    let x = [plain(), plain(), plain()];
    for rounding in MODES {
        let m = mode(rounding);
        let next = |x: f64, up: bool| f64::from(if up { (x as f32).next_up() } else { (x as f32).next_down() });
        let check = |op: Op, operands: usize, exact: &dyn Fn([f64; 3]) -> f64| {
            for (i, got) in run(op, &x[..operands]).codes.into_iter().enumerate() {
                let exact = exact([0, 1, 2].map(|n| f32::from_bits(x[n].codes[i] as u32).into()));
                let near = f64::from(exact as f32);
                assert_eq!(
                    f64::from(f32::from_bits(got as u32)),
                    directed(rounding, near, exact - near, next),
                    "{op:?} {exact:e}"
                );
            }
        };
        check(Op::Binary(Binary::Add(m)), 2, &|[a, b, _]| a + b);
        check(Op::Binary(Binary::Sub(m)), 2, &|[a, b, _]| a - b);
        check(Op::Binary(Binary::Mul(m)), 2, &|[a, b, _]| a * b);
    }
}

#[test]
fn overflow_stops_at_the_largest_number_where_rounding_leads_back() {
    for (element, largest, infinity) in [
        (ElementType::F16, 0x7bff, 0x7c00),
        (ElementType::Bf16, 0x7f7f, 0x7f80),
        (ElementType::F32, 0x7f7f_ffff, 0x7f80_0000),
        (ElementType::F64, 0x7fef_ffff_ffff_ffff, 0x7ff0_0000_0000_0000),
    ] {
        let x = Plain::scalar(element, largest);
        let got = MODES.map(|rounding| run(Op::Binary(Binary::Add(mode(rounding))), &[x.clone(), x.clone()]).codes[0]);
        assert_eq!(got, [infinity, largest, largest, infinity]);
    }
}

#[test]
fn subnormal_singles_are_zeros_when_flushed() {
    let flush = Mode { flush: true, ..NEAR };
    let of = |x: f32| Plain::scalar(ElementType::F32, x.to_bits().into());
    let value = |op, operands: &[Plain]| f32::from_bits(run(op, operands).codes[0] as u32);
    let tiny = f32::MIN_POSITIVE / 2.0;
    assert_eq!(value(Op::Binary(Binary::Add(flush)), &[of(tiny), of(tiny)]), 0.0);
    assert_eq!(value(Op::Binary(Binary::Add(NEAR)), &[of(tiny), of(tiny)]), f32::MIN_POSITIVE);
    assert!(value(Op::Binary(Binary::Mul(flush)), &[of(-f32::MIN_POSITIVE), of(0.5)]).is_sign_negative());
    assert_eq!(value(Op::Binary(Binary::Mul(flush)), &[of(f32::MIN_POSITIVE), of(0.5)]), 0.0);
    assert_eq!(value(Op::Unary(Unary::Exp2(Mode { precision: Precision::Full, flush: true })), &[of(-127.0)]), 0.0);
    assert_eq!(value(Op::Unary(Unary::Exp2(Mode { precision: Precision::Full, flush: false })), &[of(-127.0)]), tiny);
    assert_eq!(value(Op::Reduce(Fold::Sum(flush), 0), &[Plain::new(of(1.0).ty.shaped(shape(&[2])), [1, 1])]), 0.0);
}

/// As the instruction: an f64 keeps the first NaN that it looks at, made quiet; in every path and mode.
#[test]
fn a_double_keeps_the_nan_of_an_operand() {
    let tile = |bits: u64| AnyTile::scalar(f64::from_bits(bits));
    let (a, b, c) = (tile(0x7ff0_0000_0000_000a), tile(0xfff0_0000_0000_000b), tile(0x7ff8_0000_0000_000c));
    let bits = |op: Op, x: &[&AnyTile]| op.eval(x).unwrap().to_vec::<f64>().unwrap()[0].to_bits();
    let (of_a, of_b, of_c) = (0x7ff8_0000_0000_000a, 0xfff8_0000_0000_000b, 0x7ff8_0000_0000_000c);
    let one = tile(1f64.to_bits());
    for mode in [NEAR, mode(Rounding::TowardZero)] {
        for f in [Binary::Add(mode), Binary::Sub(mode), Binary::Mul(mode)] {
            assert_eq!(bits(Op::Binary(f), &[&a, &b]), of_b, "{f:?}");
            assert_eq!(bits(Op::Binary(f), &[&a, &one]), of_a, "{f:?}");
        }
        assert_eq!(bits(Op::Binary(Binary::Div(mode)), &[&a, &b]), of_a);
        assert_eq!(bits(Op::Fma(mode), &[&a, &one, &c]), of_c);
        assert_eq!(bits(Op::Fma(mode), &[&a, &b, &c]), of_b);
        assert_eq!(bits(Op::Unary(Unary::Sqrt(mode)), &[&b]), of_b);
        assert_eq!(bits(Op::Unary(Unary::Sqrt(mode)), &[&tile((-1f64).to_bits())]), 0xfff8_0000_0000_0000);
    }
    assert_eq!([Unary::Neg, Unary::Abs].map(|f| bits(Op::Unary(f), &[&b])), [of_b; 2]);
    assert_eq!(bits(Op::Binary(Binary::Max(Extremum::SUPPRESS)), &[&a, &b]), of_b);
    assert_eq!(bits(Op::Binary(Binary::Min(Extremum::PROPAGATE)), &[&a, &one]), of_a);
}
