//! Rounded results against exact ones, by what rounding means: no other number of the format is nearer, or on the right side.

use super::{Random, cases, pure};
use core::cmp::Ordering;

/// A format, as IEEE 754 has it.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
}

/// `significand * 2^exponent`
type Magnitude = (u64, i32);

impl Format {
    fn sign(self) -> u64 {
        1 << (self.exponent + self.fraction)
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// Without its sign.
    fn bits(self, x: u64) -> u64 {
        x & (self.sign() - 1)
    }

    /// Of bits without a sign; infinity is the power of two that would come next.
    fn magnitude(self, x: u64) -> Magnitude {
        let (e, f) = ((x >> self.fraction) as i32, x & ((1 << self.fraction) - 1));
        let lowest = 2 - (1 << (self.exponent - 1)) - self.fraction as i32;
        if e == 0 { (f, lowest) } else { (f | 1 << self.fraction, lowest + e - 1) }
    }

    fn flushed(self, x: u64) -> u64 {
        if self.bits(x) >> self.fraction == 0 { x & self.sign() } else { x }
    }
}

/// A whole number of 2^-2200, in two's complement.
type Big = [u64; 72];

fn add(sum: &mut Big, negative: bool, (significand, exponent): (u128, i32)) {
    let at = (exponent + 2200) as usize;
    let (limb, shift) = (at / 64, at % 64);
    let mut term = [0; 72];
    term[limb] = (significand << shift) as u64;
    term[limb + 1] = (significand << shift >> 64) as u64;
    term[limb + 2] = if shift == 0 { 0 } else { (significand >> (128 - shift)) as u64 };
    let mut carry = u128::from(negative);
    for (s, t) in sum.iter_mut().zip(term) {
        carry += u128::from(*s) + u128::from(if negative { !t } else { t });
        *s = carry as u64;
        carry >>= 64;
    }
}

/// The order of the exact result of an operation and a number.
fn compare(op: &str, f: Format, x: [u64; 3], negative: bool, m: Magnitude) -> Ordering {
    let [sa, sb, sc] = x.map(|x| x & f.sign() != 0);
    let [a, b, c] = x.map(|x| f.magnitude(f.bits(x)));
    let product = |(a, i): Magnitude, (b, j): Magnitude| (u128::from(a) * u128::from(b), i + j);
    let one = (1, 0);
    let mut sum = [0; 72];
    let mut term = |negative, product| add(&mut sum, negative, product);
    match op {
        "add" | "sub" => {
            term(sa, product(a, one));
            term(sb != (op == "sub"), product(b, one));
            term(!negative, product(m, one));
        }
        "mul" => {
            term(sa != sb, product(a, b));
            term(!negative, product(m, one));
        }
        "fma" => {
            term(sa != sb, product(a, b));
            term(sc, product(c, one));
            term(!negative, product(m, one));
        }
        // a / |b| and m are in the order of a and m |b|
        "div" => {
            term(sa != sb, product(a, one));
            term(!negative, product(m, b));
        }
        "rcp" => {
            term(sa, product(one, one));
            term(!negative, product(m, a));
        }
        // roots are in the order of their squares
        _ => {
            term(false, product(a, one));
            term(!negative, product(m, m));
        }
    }
    match sum {
        _ if sum[71] >> 63 == 1 => Ordering::Less,
        _ if sum == [0; 72] => Ordering::Equal,
        _ => Ordering::Greater,
    }
}

/// The zero of an exact result that is zero, IEEE 754 section 6.3.
fn zero_of(op: &str, rnd: &str, f: Format, [a, b, c]: [u64; 3]) -> u64 {
    let sum = |a: u64, b: u64| match (a ^ b) & f.sign() {
        0 => a & f.sign(),
        _ if rnd == "rm" => f.sign(),
        _ => 0,
    };
    match op {
        "add" => sum(a, b),
        "sub" => sum(a, b ^ f.sign()),
        "fma" => sum(a ^ b, c),
        "sqrt" => a,
        _ => (a ^ b) & f.sign(),
    }
}

/// Is this what the operation gives, rounded?
fn is_right(op: &str, rnd: &str, ftz: bool, f: Format, x: [u64; 3], result: u64) -> bool {
    let x = if ftz { x.map(|x| f.flushed(x)) } else { x };
    let zero = compare(op, f, x, false, (0, 0));
    if zero.is_eq() {
        return result == zero_of(op, rnd, f, x);
    }
    let negative = zero.is_lt();
    // of the magnitudes
    let order = |m: Magnitude| {
        let order = compare(op, f, x, negative, m);
        if negative { order.reverse() } else { order }
    };
    let found = f.bits(result);
    let largest = f.infinity() - 1;
    if (result & f.sign() != 0) != negative || found > f.infinity() {
        return false;
    }
    let toward_zero = rnd == "rz" || rnd == if negative { "rp" } else { "rm" };
    // without a least exponent, the numbers below the least normal one are half as far apart as those above
    let (least, lowest) = f.magnitude(1 << f.fraction);
    let vanishes = match rnd {
        "rn" => order((4 * least - 1, lowest - 2)).is_lt(),
        _ if toward_zero => order((least, lowest)).is_lt(),
        _ => order((2 * least - 1, lowest - 1)).is_le(),
    };
    if ftz && vanishes {
        return found == 0;
    }
    if rnd == "rn" {
        let above_middle = |g: u64| {
            let (significand, exponent) = f.magnitude(g);
            order((2 * significand + 1, exponent - 1))
        };
        let even = found.is_multiple_of(2);
        let above = found == 0 || above_middle(found - 1).is_gt() || even && above_middle(found - 1).is_eq();
        let below = found > largest || above_middle(found).is_lt() || even && above_middle(found).is_eq();
        return above && below;
    }
    if toward_zero {
        let below = found == largest || order(f.magnitude(found + 1)).is_lt();
        return found <= largest && order(f.magnitude(found)).is_ge() && below;
    }
    let below = found > largest || order(f.magnitude(found)).is_le();
    found > 0 && below && order(f.magnitude(found - 1)).is_gt()
}

/// Checks an opcode on random operands whose results are numbers.
fn check(op: &str, rnd: &str, ftz: bool, ty: &str) {
    let f = match ty {
        "f16" => Format { exponent: 5, fraction: 10 },
        "bf16" => Format { exponent: 8, fraction: 7 },
        "f32" => Format { exponent: 8, fraction: 23 },
        _ => Format { exponent: 11, fraction: 52 },
    };
    let spelling = format!("{op}.{rnd}{}.{ty}", if ftz { ".ftz" } else { "" });
    let run = pure(&spelling);
    let sources = match op {
        "fma" => 3,
        "rcp" | "sqrt" => 1,
        _ => 2,
    };
    let mut random = Random(spelling.bytes().fold(0, |all: u64, b| all.wrapping_mul(31) + u64::from(b)));
    let mut checked = 0;
    while checked < cases(1000) {
        let mut x = [(); 3].map(|()| random.operand(ty));
        x[sources..].fill(0);
        let read = if ftz { x.map(|x| f.flushed(x)) } else { x };
        let no_number = match op {
            "div" => f.bits(read[1]) == 0,
            "rcp" => f.bits(read[0]) == 0,
            "sqrt" => read[0] > f.sign(),
            _ => false,
        };
        if no_number || x.iter().any(|x| f.bits(*x) >= f.infinity()) {
            continue;
        }
        let result = run.thread(&x[..sources])[0];
        assert!(is_right(op, rnd, ftz, f, x, result), "{spelling} of {x:x?} is not {result:x}");
        checked += 1;
    }
}

#[test]
fn singles_are_rounded_right_in_every_mode() {
    for rnd in ["rn", "rz", "rm", "rp"] {
        for op in ["add", "sub", "mul", "fma", "div", "rcp", "sqrt"] {
            check(op, rnd, false, "f32");
            check(op, rnd, true, "f32");
        }
    }
}

#[test]
fn doubles_are_rounded_right_in_every_mode() {
    for rnd in ["rn", "rz", "rm", "rp"] {
        for op in ["add", "sub", "mul", "fma", "div", "rcp", "sqrt"] {
            check(op, rnd, false, "f64");
        }
    }
}

#[test]
fn halves_are_rounded_right() {
    for op in ["add", "sub", "mul", "fma"] {
        check(op, "rn", false, "bf16");
        check(op, "rn", false, "f16");
        // fma needs its rounding, the others have no other
        check(op, "rn", true, "f16");
    }
}

#[test]
fn wrong_results_are_found() {
    let f = Format { exponent: 8, fraction: 23 };
    // the square of 1 + 2^-23 is a little above 1 + 2^-22
    let x = [0x3f80_0001, 0x3f80_0001, 0];
    for (rnd, right) in [("rn", 0x3f80_0002), ("rz", 0x3f80_0002), ("rm", 0x3f80_0002), ("rp", 0x3f80_0003)] {
        for result in 0x3f80_0000..0x3f80_0006 {
            assert_eq!(is_right("mul", rnd, false, f, x, result), result == right, "{rnd} {result:x}");
        }
    }
    for (rnd, zero) in [("rn", 0), ("rm", f.sign())] {
        assert!(is_right("add", rnd, false, f, [0, f.sign(), 0], zero));
        assert!(!is_right("add", rnd, false, f, [0, f.sign(), 0], zero ^ f.sign()));
    }
}
