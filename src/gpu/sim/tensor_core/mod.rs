//! What the tensor cores compute.

mod multiply;
mod number;
mod sum;

use crate::gpu::atom::{MmaAtom, Modifier, NumericType, Source};
use number::{Format, Rounding};
use sum::Sum;

/// How an instruction makes an element of `D = A B + C` from a row of A, a row of B (N x K) and an element of C.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arithmetic {
    /// elements of a row that one instruction takes
    k: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// all products and the accumulator at once
    Sum { a: Format, b: Format, sum: Sum },
    /// halves of K in f16, one after the other, then the accumulator
    Halves { a: Format, b: Format, sum: Sum },
    /// products in singles, one after the other
    Singles { c: Format, d: Format },
    /// doubles, one after the other
    Fma,
    Integers { a: Integer, b: Integer, saturate: bool },
    /// ones of the exclusive or, or of the conjunction
    Bits { xor: bool },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Integer {
    bits: u32,
    signed: bool,
}

impl Arithmetic {
    /// That of an instruction; none for those that are no tensor core's (`dp4a`, `fma`) and for CuTe's complex products, which are
    /// several.
    pub fn of(mma: &MmaAtom) -> Option<Arithmetic> {
        use NumericType::*;
        let (types, [.., k]) = (mma.types(), mma.extents());
        if mma.thr().size() == Ok(1) {
            return None;
        }
        let warpgroup = matches!(mma.source_b(), Source::Shared(_));
        let is_byte = types.a.bits() == 8;
        let sum = |fraction: u32| {
            let (c, d) = (Format::of(types.c)?, Format::of(types.d)?);
            let rounding = match types.d {
                F16 => Rounding::Even,
                // no more bits than the sum has
                _ => Rounding::Zero { cut: 23u32.saturating_sub(fraction) },
            };
            Some(Sum { fraction: fraction as i32, c, d, rounding })
        };
        let saturate = mma.modifier() == Some(Modifier::Saturate);
        let kind = match (types.a, types.b) {
            (F64, F64) => Kind::Fma,
            (U1, U1) => Kind::Bits { xor: mma.modifier() == Some(Modifier::XorPopc) },
            (a, b) => match (Format::of(a), Format::of(b), Integer::of(a), Integer::of(b)) {
                (Some(a), Some(b), ..) if is_byte && warpgroup => Kind::Sum { a, b, sum: sum(13)? },
                (Some(a), Some(b), ..) if is_byte => Kind::Halves { a, b, sum: sum(25)? },
                (Some(_), Some(_), ..) if mma.is_of_quad_pair() => {
                    if types.a != F16 {
                        return None;
                    }
                    Kind::Singles { c: Format::of(types.c)?, d: Format::of(types.d)? }
                }
                (Some(a), Some(b), ..) => Kind::Sum { a, b, sum: sum(25)? },
                (_, _, Some(a), Some(b)) => Kind::Integers { a, b, saturate },
                _ => return None,
            },
        };
        let k = if types.a == U1 { k / 32 } else { k };
        Some(Arithmetic { k, kind })
    }

    /// The element of D.
    pub fn dot(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let k = a.len().min(b.len());
        a[..k].chunks(self.k).zip(b[..k].chunks(self.k)).fold(c, |c, (a, b)| {
            let mut d = c;
            self.multiply::<1>([1, 1, a.len()], |k| a[k], |k| b[k], |_| c, |_, x| d = x);
            d
        })
    }
}

impl Format {
    fn of(of: NumericType) -> Option<Format> {
        Some(match of {
            NumericType::F32 => number::F32,
            NumericType::TF32 => number::TF32,
            NumericType::BF16 => number::BF16,
            NumericType::F16 => number::F16,
            NumericType::E5M2 => number::E5M2,
            NumericType::E4M3 => number::E4M3,
            _ => return None,
        })
    }
}

impl Integer {
    fn of(of: NumericType) -> Option<Integer> {
        let signed = match of {
            NumericType::S4 | NumericType::S8 => true,
            NumericType::U4 | NumericType::U8 => false,
            _ => return None,
        };
        Some(Integer { bits: of.bits() as u32, signed })
    }
}
