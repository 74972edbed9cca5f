//! Every operation by its definition: codes are read as numbers, indices are computed one by one, results are written as codes.

use crate::{Plain, with};
use girih::tile::*;
use half::f16;
use std::cmp::Ordering;

/// An element as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i128),
    Real(f64),
}
use self::Number::{Int, Real};

impl Number {
    fn real(self) -> f64 {
        match self {
            Real(x) => x,
            Int(i) => panic!("{i} is an integer"),
        }
    }
}

/// What a code stands for, of small floats by their fields.
pub fn read(element: ElementType, code: u64) -> Number {
    let fields = |exponent: u32, mantissa: u32, signed: bool| {
        let fraction = (code & ((1 << mantissa) - 1)) as f64 / f64::from(1 << mantissa);
        let field = (code >> mantissa & ((1 << exponent) - 1)) as i32;
        let bias = (1 << (exponent - 1)) - 1;
        let size = if field == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(field - bias) };
        Real(if signed && code >> (exponent + mantissa) & 1 == 1 { -size } else { size })
    };
    match element {
        ElementType::F64 => Real(f64::from_bits(code)),
        ElementType::F32 => Real(f32::from_bits(code as u32).into()),
        ElementType::F16 => Real(f16::from_bits(code as u16).to_f64()),
        ElementType::Bf16 => Real(f32::from_bits((code as u32) << 16).into()),
        ElementType::Tf32 => Real(f32::from_bits((code as u32) << 13).into()),
        ElementType::F8E4M3 if code & 0x7f == 0x7f => Real(f64::NAN),
        ElementType::F8E4M3 => fields(4, 3, true),
        ElementType::F8E5M2 if code & 0x7f > 0x7c => Real(f64::NAN),
        ElementType::F8E5M2 if code & 0x7f == 0x7c => {
            Real(if code == 0x7c { f64::INFINITY } else { f64::NEG_INFINITY })
        }
        ElementType::F8E5M2 => fields(5, 2, true),
        ElementType::F8UE5M3 if code == 0xff => Real(f64::NAN),
        ElementType::F8UE5M3 => fields(5, 3, false),
        ElementType::F8E8M0 if code == 0xff => Real(f64::NAN),
        ElementType::F8E8M0 => Real(2f64.powi(code as i32 - 127)),
        ElementType::F4E2M1 => fields(2, 1, true),
        _ if element.is_signed() => Int(i128::from((code << (64 - element.bits())) as i64 >> (64 - element.bits()))),
        _ => Int(code.into()),
    }
}

/// The code of a number: integers modulo 2^n, floats rounded to nearest, a NaN the one that an H200 makes.
pub fn write(element: ElementType, x: Number) -> u64 {
    match (element, x) {
        (_, Int(i)) => i as u64 & (u64::MAX >> (64 - element.bits())),
        (ElementType::F64, Real(x)) if x.is_nan() => 0xfff8_0000_0000_0000,
        (ElementType::F32, Real(x)) if x.is_nan() => 0x7fff_ffff,
        (ElementType::F16 | ElementType::Bf16, Real(x)) if x.is_nan() => 0x7fff,
        (ElementType::F64, Real(x)) => x.to_bits(),
        (ElementType::F32, Real(x)) => (x as f32).to_bits().into(),
        (ElementType::F16, Real(x)) => nearest(|code| f16::from_bits(code).to_f64(), 0x7c00, x),
        (ElementType::Bf16, Real(x)) => nearest(|code| f32::from_bits(u32::from(code) << 16).into(), 0x7f80, x),
        _ => panic!("no results of {element}"),
    }
}

/// The code whose value is nearest, of two the even one, by search: magnitudes are in the order of their codes.
fn nearest(value: impl Fn(u16) -> f64, infinity: u16, x: f64) -> u64 {
    // where the next number would be
    let largest = value(infinity - 1);
    let value = |code| if code == infinity { 2.0 * largest - value(infinity - 2) } else { value(code) };
    let (mut low, mut high) = (0, infinity);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if value(middle) <= x.abs() { low = middle } else { high = middle }
    }
    let tie = (value(low) + value(high)) / 2.0;
    let up = x.abs() > tie || x.abs() == tie && low % 2 == 1;
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    sign | u64::from(if up { high } else { low })
}

/// An element of this value, of types that have it.
pub fn number<E: Element>(x: f64) -> E {
    let mask = u64::MAX >> (64 - E::TYPE.bits());
    let codes = 0..=mask.min(0xffff);
    let found = match E::TYPE {
        ElementType::F64 => Some(x.to_bits()),
        ElementType::F32 => Some((x as f32).to_bits().into()),
        ElementType::Tf32 => Some(u64::from((x as f32).to_bits() >> 13)),
        ElementType::Bool => Some((x != 0.0).into()),
        e if e.is_float() => codes.into_iter().find(|&code| read(e, code) == Real(x)),
        _ => Some(x as i64 as u64 & mask),
    };
    E::from_bits(found.unwrap_or_else(|| panic!("{} has no {x}", E::TYPE)))
}

pub fn unary(f: Unary, e: ElementType, x: Number) -> Number {
    match (f, x) {
        (Unary::Neg, Int(x)) => Int(-x),
        (Unary::Abs, Int(x)) => Int(x.abs()),
        (Unary::Not, Int(x)) => Int(!x),
        (Unary::IsNan, Real(x)) => Int(x.is_nan().into()),
        (Unary::IsInf, Real(x)) => Int(x.is_infinite().into()),
        (Unary::Neg, Real(x)) => Real(-x),
        (Unary::Abs, Real(x)) => Real(x.abs()),
        (Unary::Sqrt(_), Real(x)) if e == ElementType::F32 => Real((x as f32).sqrt().into()),
        (Unary::Sqrt(_), Real(x)) => Real(x.sqrt()),
        (Unary::Rsqrt(_), Real(x)) => Real(1.0 / x.sqrt()),
        (Unary::Exp(_), Real(x)) => Real(x.exp()),
        (Unary::Exp2(_), Real(x)) => Real(x.exp2()),
        (Unary::Log, Real(x)) => Real(x.ln()),
        (Unary::Log2, Real(x)) => Real(x.log2()),
        (Unary::Sin, Real(x)) => Real(x.sin()),
        (Unary::Cos, Real(x)) => Real(x.cos()),
        (Unary::Tanh(_), Real(x)) => Real(x.tanh()),
        (Unary::Floor, Real(x)) => Real(x.floor()),
        (Unary::Ceil, Real(x)) => Real(x.ceil()),
        _ => panic!("no {f:?} of {e}"),
    }
}

pub fn binary(f: Binary, e: ElementType, a: Number, b: Number) -> Number {
    let (bits, all) = (i128::from(e.bits()), Int(-1));
    match (f, a, b) {
        (Binary::Add(_), Int(a), Int(b)) => Int(a + b),
        (Binary::Sub(_), Int(a), Int(b)) => Int(a - b),
        (Binary::Mul(_), Int(a), Int(b)) => Int(a.wrapping_mul(b)),
        (Binary::Div(_) | Binary::Rem, _, Int(0)) => all,
        (Binary::Div(_), Int(a), Int(b)) => Int(a / b),
        (Binary::Rem, Int(a), Int(b)) => Int(a % b),
        (Binary::Min(_), Int(a), Int(b)) => Int(if a < b { a } else { b }),
        (Binary::Max(_), Int(a), Int(b)) => Int(if a > b { a } else { b }),
        (Binary::And, Int(a), Int(b)) => Int(a & b),
        (Binary::Or, Int(a), Int(b)) => Int(a | b),
        (Binary::Xor, Int(a), Int(b)) => Int(a ^ b),
        (Binary::Shl, Int(a), Int(n)) => Int(if (0..bits).contains(&n) { a << n } else { 0 }),
        (Binary::Shr, Int(a), Int(n)) => Int(if (0..bits).contains(&n) { a >> n } else { -i128::from(a < 0) }),
        (Binary::Add(_), Real(a), Real(b)) => Real(a + b),
        (Binary::Sub(_), Real(a), Real(b)) => Real(a - b),
        (Binary::Mul(_), Real(a), Real(b)) => Real(a * b),
        (Binary::Div(_), Real(a), Real(b)) => Real(a / b),
        (Binary::Rem, Real(a), Real(b)) => Real(a % b),
        (Binary::Pow, Real(a), Real(b)) => Real(a.powf(b)),
        (Binary::Min(m) | Binary::Max(m), Real(a), Real(b)) => {
            let (propagate, flush) = (m.nan == Nan::Propagate, |x: f64| {
                if m.flush && x.abs() < f32::MIN_POSITIVE.into() { 0f64.copysign(x) } else { x }
            });
            let (a, b) = (flush(a), flush(b));
            Real(match (a.is_nan(), b.is_nan()) {
                (true, true) => f64::NAN,
                (true, false) if !propagate => b,
                (false, true) if !propagate => a,
                (false, false) => {
                    let order = a.total_cmp(&b);
                    let first = matches!(f, Binary::Min(_)) == (order == Ordering::Less);
                    if first { a } else { b }
                }
                _ => f64::NAN,
            })
        }
        _ => panic!("no {f:?} of {e}"),
    }
}

fn compare(f: Compare, a: Number, b: Number) -> bool {
    let order = match (a, b) {
        (Int(a), Int(b)) => Some(a.cmp(&b)),
        (Real(a), Real(b)) => a.partial_cmp(&b),
        _ => panic!("of two types"),
    };
    match f {
        Compare::Eq => order == Some(Ordering::Equal),
        Compare::Ne => order != Some(Ordering::Equal),
        Compare::Lt => order == Some(Ordering::Less),
        Compare::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Compare::Gt => order == Some(Ordering::Greater),
        Compare::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// One step of a reduction, on codes.
fn step(f: Fold, e: ElementType, a: u64, b: u64) -> u64 {
    let f = match f {
        Fold::Sum(m) => Binary::Add(m),
        Fold::Prod(m) => Binary::Mul(m),
        Fold::Min(nan) => Binary::Min(Extremum { nan, flush: false }),
        Fold::Max(nan) => Binary::Max(Extremum { nan, flush: false }),
        Fold::And => Binary::And,
        Fold::Or => Binary::Or,
        Fold::Xor => Binary::Xor,
    };
    write(e, binary(f, e, read(e, a), read(e, b)))
}

/// By halves.
fn tree(f: Fold, e: ElementType, codes: &[u64]) -> u64 {
    match codes {
        [one] => *one,
        _ => {
            let (a, b) = codes.split_at(codes.len() / 2);
            step(f, e, tree(f, e, a), tree(f, e, b))
        }
    }
}

/// The coordinate of an index.
fn coordinate(shape: Shape, mut index: usize) -> Vec<usize> {
    let mut c: Vec<usize> = shape.extents().rev().map(|n| (index % n as usize, index /= n as usize).0).collect();
    c.reverse();
    c
}

fn index(shape: Shape, c: &[usize]) -> usize {
    shape.extents().zip(c).fold(0, |i, (n, c)| i * n as usize + c)
}

/// The elements along a dimension through a coordinate.
fn along(x: &Plain, c: &[usize], dim: usize) -> Vec<u64> {
    let at = |k| {
        let mut c = c.to_vec();
        c[dim] = k;
        x.codes[index(x.ty.shape, &c)]
    };
    (0..x.ty.shape.extent(dim) as usize).map(at).collect()
}

/// The bits of codes, the lowest first.
fn bits(e: ElementType, codes: &[u64]) -> Vec<bool> {
    codes.iter().flat_map(|code| (0..e.bits()).map(move |bit| code >> bit & 1 == 1)).collect()
}

pub fn eval(op: &Op, x: &[Plain]) -> Plain {
    let ty = op.result(&x.iter().map(|x| x.ty).collect::<Vec<_>>()).unwrap();
    let (e, shape) = (ty.element, ty.shape);
    let from = x.first().map_or(e, |x| x.ty.element);
    let at = |n: usize, i: usize| read(x[n].ty.element, x[n].codes[i]);
    let parts = |whole: Shape, part: Shape, first: usize| -> Vec<usize> {
        (0..whole.rank()).map(|d| x[first + d].codes[0] as usize * part.extent(d) as usize).collect()
    };
    let plus = |a: &[usize], b: &[usize]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<_>>();
    let one = |i: usize| -> u64 {
        let c = coordinate(shape, i);
        match *op {
            Op::Full(_, code) => code,
            Op::Iota(_) => write(e, Int(i as i128)),
            Op::Unary(f) => write(e, unary(f, from, at(0, i))),
            Op::Binary(f) => write(e, binary(f, e, at(0, i), at(1, i))),
            Op::Powi => match at(1, i) {
                Int(n) => write(e, Real(at(0, i).real().powf(n as f64))),
                n => panic!("{n:?} is no exponent"),
            },
            Op::Fma(_) => fma(e, [0, 1, 2].map(|n| at(n, i).real())),
            Op::Compare(f) => compare(f, at(0, i), at(1, i)).into(),
            Op::Select => x[if x[0].codes[i] == 1 { 1 } else { 2 }].codes[i],
            Op::Cast(how) => with!(how.to(), E => girih::tile::Element::to_bits(number::<E>(match at(0, i) {
                Int(i) => i as f64,
                Real(x) => x,
            }))),
            Op::Bitcast(_) => x[0].codes[i] & (u64::MAX >> (64 - e.bits())),
            Op::Reshape(_) => x[0].codes[i],
            Op::Permute(map) => {
                let mut from = vec![0; c.len()];
                map.dims().iter().zip(&c).for_each(|(&dim, &c)| from[usize::from(dim)] = c);
                x[0].codes[index(x[0].ty.shape, &from)]
            }
            Op::Broadcast(_) => {
                let own = x[0].ty.shape;
                let c: Vec<_> =
                    c[c.len() - own.rank()..].iter().zip(own.extents()).map(|(c, n)| c % n as usize).collect();
                x[0].codes[index(own, &c)]
            }
            Op::Cat(dim) => {
                let (dim, mut c) = (usize::from(dim), c);
                let n = x[0].ty.shape.extent(dim) as usize;
                let which = c[dim] / n;
                c[dim] %= n;
                x[which].codes[index(x[which].ty.shape, &c)]
            }
            Op::Extract(part) => x[0].codes[index(x[0].ty.shape, &plus(&c, &parts(x[0].ty.shape, part, 1)))],
            Op::Insert => {
                let part = x[1].ty.shape;
                let start = parts(shape, part, 2);
                let inside = |d: usize| c[d].checked_sub(start[d]).filter(|&c| c < part.extent(d) as usize);
                match (0..c.len()).map(inside).collect::<Option<Vec<_>>>() {
                    Some(c) => x[1].codes[index(part, &c)],
                    None => x[0].codes[i],
                }
            }
            Op::Repack(_, dim) => {
                let dim = usize::from(dim);
                let all = bits(from, &along(&x[0], &c, dim));
                let own = &all[c[dim] * e.bits() as usize..][..e.bits() as usize];
                own.iter().rev().fold(0, |code, &bit| code << 1 | u64::from(bit))
            }
            Op::Reduce(f, dim) => tree(f, e, &along(&x[0], &c, dim.into())),
            Op::Arg(extreme, dim) => {
                let all = along(&x[0], &c, dim.into());
                let is_number = |&(_, &code): &(usize, &u64)| read(from, code) == read(from, code);
                // -0 is below +0
                let below = |a: u64, b: u64| match (read(from, a), read(from, b)) {
                    (Real(a), Real(b)) if a == b => a.is_sign_negative() && b.is_sign_positive(),
                    (a, b) => compare(Compare::Lt, a, b),
                };
                let best = all.iter().enumerate().filter(is_number).reduce(|best, next| {
                    let (a, b) = if extreme == Extreme::Min { (next, best) } else { (best, next) };
                    if below(*a.1, *b.1) { next } else { best }
                });
                best.map_or(0, |(k, _)| k as u64)
            }
            Op::Scan(f, dim, direction) => {
                let (mut all, dim) = (along(&x[0], &c, dim.into()), usize::from(dim));
                let mut k = c[dim];
                if direction == Direction::Backward {
                    all.reverse();
                    k = all.len() - 1 - k;
                }
                all[1..=k].iter().fold(all[0], |a, &b| step(f, e, a, b))
            }
            Op::Mma | Op::ScaledMma => product(x, &c),
        }
    };
    Plain::new(ty, (0..shape.size()).map(one))
}

/// One element of a product.
fn product(x: &[Plain], c: &[usize]) -> u64 {
    let rank = c.len();
    let depth = x[0].ty.shape.extent(rank - 1) as usize;
    let element = |n: usize, at: [usize; 2]| {
        let batch: Vec<usize> = c[..rank - 2].iter().map(|&b| b % x[n].ty.shape.extent(0) as usize).collect();
        read(x[n].ty.element, x[n].codes[index(x[n].ty.shape, &[&batch[..], &at].concat())])
    };
    let (i, j) = (c[rank - 2], c[rank - 1]);
    let start = element(2, [i, j]);
    let scale = |n: usize, k: usize| match x.get(3 + n) {
        None => 1.0,
        Some(s) => {
            let run = depth / s.ty.shape.extent(rank - 1 - n) as usize;
            element(3 + n, if n == 0 { [i, k / run] } else { [k / run, j] }).real()
        }
    };
    let sum = (0..depth).fold(start, |sum, k| match (element(0, [i, k]), element(1, [k, j]), sum) {
        (Int(a), Int(b), Int(sum)) => Int(sum + a * b),
        (a, b, sum) => Real((a.real() * scale(0, k)).mul_add(b.real() * scale(1, k), sum.real())),
    });
    write(x[2].ty.element, sum)
}

/// `a * b + c` rounded once. Of f64 the library's; the others by sums whose operands are cut until they are exact.
fn fma(e: ElementType, [a, b, c]: [f64; 3]) -> u64 {
    if e == ElementType::F64 {
        return write(e, Real(a.mul_add(b, c)));
    }
    if e == ElementType::F32 {
        return write(e, Real((a as f32).mul_add(b as f32, c as f32).into()));
    }
    // the exact sum lies on this side of the double that is nearest to it: one more bit decides ties
    let (product, sum) = (a * b, a.mul_add(b, c));
    let rest = if sum.is_finite() { (product - (sum - c)) + (c - (sum - (sum - c))) } else { 0.0 };
    let sum = match rest.partial_cmp(&0.0) {
        Some(Ordering::Greater) if sum.to_bits() & 1 == 0 => sum.next_up(),
        Some(Ordering::Less) if sum.to_bits() & 1 == 0 => sum.next_down(),
        _ => sum,
    };
    write(e, Real(sum))
}
