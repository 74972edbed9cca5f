//! What the tensor cores of an H200 compute, bit by bit.
//!
//! `D = A B + C` in a tensor core is neither a chain of fused multiply-adds nor an exact dot product. [`Arithmetic::of`] an
//! instruction is what it is, and [`Arithmetic::dot`] applies it to a row of A, a row of B (which is N x K here, a column of the
//! mathematical B) and an element of C, all as bits:
//!
//! ```
//! use girih::gpu::atom::SM80_16x8x16_F32BF16BF16F32_TN as MMA;
//! use girih::gpu::sim::tensor_core::Arithmetic;
//! use half::bf16;
//! let sum = Arithmetic::of(&MMA).ok_or("not of a tensor core")?;
//! let bits = |row: &[f32]| row.iter().map(|&x| bf16::from_f32(x).to_bits().into()).collect::<Vec<u64>>();
//! let dot = |a: &[f32], b: &[f32], c: f32| f32::from_bits(sum.dot(&bits(a), &bits(b), c.to_bits().into()) as u32);
//! assert_eq!(dot(&[1.5, 2.0], &[4.0, 0.5], 10.0), 17.0);
//!
//! // what is 2^25 times smaller than the largest term is gone, even if the large ones cancel
//! assert_eq!(dot(&[4096.0, -4096.0, 0.125], &[4096.0, 4096.0, 1.0], 0.0), 0.0);
//! let fma = |a: f32, b: f32, c: f32| a.mul_add(b, c);
//! assert_eq!(fma(0.125, 1.0, fma(-4096.0, 4096.0, fma(4096.0, 4096.0, 0.0))), 0.125);
//! // it is cut, not rounded: 1 + 7/8 of the last bit of an f32
//! let e = 1.0 / (1 << 23) as f32;
//! assert_eq!((dot(&[0.875 * e], &[1.0], 1.0), fma(0.875 * e, 1.0, 1.0)), (1.0, 1.0 + e));
//! // but once in an instruction, where the chain rounds 16 times
//! let (many, ones) = ([0.75 * e; 16], [1.0; 16]);
//! assert_eq!((dot(&many, &ones, 1.0), many.iter().fold(1.0, |c, &a| fma(a, 1.0, c))), (1.0 + 12.0 * e, 1.0 + 16.0 * e));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The law
//! Products and accumulator go through one sum of fixed-point numbers, in six steps:
//!
//! 1. **Specials.** A NaN, infinity times zero, or infinities of both signs make NaN, whose bits are all ones but the sign. Else an
//!    infinity makes infinity. A sum of finite terms is finite until step 6.
//! 2. **Terms.** Zeros are left out; without any term the result is +0. The exponent of a product is the sum of its factors'
//!    exponents, its significand their exact product, in `[0, 4)`: it is not normalised. A subnormal has the exponent of the
//!    smallest normal number, and is not normalised either.
//! 3. **Alignment.** `E` is the largest exponent of a term, or -133 if that is larger.
//! 4. **Truncation.** Each term's magnitude is cut to a multiple of `2^(E - F)`.
//! 5. **Sum.** Exact. So **the order of k within an instruction does not matter.**
//! 6. **Rounding.** To f32 toward zero, to f16 to nearest (ties to even), each once. Above the largest f32, but below 2^128, it is
//!    the largest f32; from 2^128, or for f16 from 65520, infinity. Subnormal results are kept; what rounds to zero is +0.
//!
//! | instruction | terms | arithmetic |
//! |---|---|---|
//! | `mma` and `wgmma` of f16, bf16, tf32 | K products and c | the law with F = 25 |
//! | `wgmma` of e4m3, e5m2 | 32 products and c | the law with F = 13; of an f32 result the low 10 bits are 0 |
//! | `mma` of e4m3, e5m2 | two halves of K | k modulo 4 in {0, 1}, then in {2, 3}, both by the law in f16 from +0; then c is added to nearest |
//! | `mma` m8n8k4 of f16 | 4 products | no tensor core: f32 additions of exact products, `(((p0 + p1) + p2) + p3) + c`; to f16 `(c + (p0 + p1)) + (p2 + p3)`, rounded at the end |
//! | `mma` of f64 | one after the other | `c = fma(a, b, c)`, k ascending; NaN: the first of b, c, a, made quiet; an invalid operation gives `fff8000000000000` |
//! | `mma`, `wgmma` of s8, u8, s4, u4 | K products and c | exact, then modulo 2^32, or cut to the range of s32 with `.satfinite` |
//! | `mma` of b1 | K bits and c | ones of `a ^ b` or `a & b`, added modulo 2^32 |
//!
//! tf32 has 19 bits: the low 13 are not looked at, so `7f800001` is infinity, and `00000fff` zero. e4m3 has no infinity.
//! Everything else, subnormals too, is read as IEEE 754 says. `scale-d` of `wgmma` being false is c = +0, `imm-scale-a` of -1 flips
//! the signs of A first.
//!
//! A longer dot product repeats the instruction, and D is rounded to its format each time: **the order of the instructions does
//! matter**, and so does K.
//!
//! # Error analysis
//! Let `t` be the largest magnitude of a term of one instruction, of normal numbers. Each of K + 1 terms loses less than
//! `2^-F t`, and rounding less than an ulp of D:
//!
//! ```text
//! |D - exact| < (K + 1) 2^-F t + ulp(D)        F = 25, K = 16: 2^-20.9 t,  ulp 2^-23 |D|
//!                                              F = 13, K = 32: 2^-7.9 t,   ulp 2^-13 |D|      (wgmma of fp8)
//! ```
//! Compared with a chain of `fma.rn.f32`: one rounding in place of K; but toward zero, so that long sums of one sign drift, by up to
//! an ulp in every instruction, where errors to nearest cancel on average. And the error is relative to the largest *term*,
//! the accumulator included, not to the partial sums: no order of k helps against cancellation within an instruction. For `wgmma` of
//! fp8 the accumulator has no more than 14 bits, so an addend below 1/8192 of it is lost: move partial sums to f32 registers and
//! add there, after every few instructions. `mma.sync` of fp8 has not that loss: it is made of f16 instructions.
//!
//! ```
//! use girih::gpu::sim::tensor_core::Arithmetic;
//! use girih::prelude::*;
//! let of = |name| MmaAtom::named(name).and_then(|mma| Arithmetic::of(&mma)).ok_or("no such atom");
//! let (wgmma, mma) = (of("SM90_64x64x32_F32E4M3E4M3_SS_TN")?, of("SM89_16x8x32_F32E4M3E4M3F32_TN")?);
//! let one = [0x38]; // 1.0 in e4m3
//! let c = 16384f32.to_bits().into();
//! let [lost, kept] = [wgmma, mma].map(|of| f32::from_bits(of.dot(&one, &one, c) as u32));
//! assert_eq!((lost, kept), (16384.0, 16385.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//! Found by experiment on one GPU model (H200, sm_90a), one driver (580.159) and one assembler (13.0); NVIDIA promises none of
//! it, and other generations differ. In the expansions (`mma` of fp8, m8n8k4, integers of 4 bits) the assembler has a part too.
//! 2:4 sparse instructions were seen to compute the same from the compressed operands (f16 and e4m3); of bf16, tf32 and integers that
//! is not known. The floor -133 of step 3 rests on few cases. `tests/data/tensor_core.jsonl` has elements read off an H200,
//! `tests/data/h200_mma.jsonl` whole warps, of every `mma` that is executed.

mod multiply;
mod number;
mod sum;

use crate::gpu::atom::{MmaAtom, Modifier, NumericType, Source};
use number::{Format, Rounding};
use sum::Sum;

/// How an instruction makes an element of `D = A B + C` from a row of A, a row of B (N x K) and an element of C.
/// ```
/// use girih::gpu::atom::{SM80_8x8x4_F64F64F64F64_TN as F64, SM80_16x8x32_S32S8S8S32_TN as S8};
/// use girih::gpu::sim::tensor_core::Arithmetic;
/// let sum = Arithmetic::of(&S8).ok_or("not of a tensor core")?;
/// assert_eq!(sum.dot(&[3, 0xff], &[5, 2], 1), 14); // 0xff is -1
/// assert_ne!(Arithmetic::of(&F64), Some(sum));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arithmetic {
    /// elements of a row that one instruction takes
    k: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// all products and the accumulator at once
    Sum {
        a: Format,
        b: Format,
        sum: Sum,
    },
    /// halves of K in f16, one after the other, then the accumulator
    Halves {
        a: Format,
        b: Format,
        sum: Sum,
    },
    /// products in singles, one after the other
    Singles {
        c: Format,
        d: Format,
    },
    /// doubles, one after the other
    Fma,
    Integers {
        a: Integer,
        b: Integer,
        saturate: bool,
    },
    /// ones of the exclusive or, or of the conjunction
    Bits {
        xor: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Integer {
    bits: u32,
    signed: bool,
}

impl Arithmetic {
    /// That of an instruction; none for those of a single thread (`dp4a`, `fma`) and for CuTe's complex products, which are several.
    /// ```
    /// # use girih::gpu::sim::tensor_core::Arithmetic;
    /// # use girih::prelude::*;
    /// let of = |name| MmaAtom::named(name).and_then(|mma| Arithmetic::of(&mma));
    /// // A in registers or in shared memory, and how wide D is, make no difference
    /// assert_eq!(of("SM90_64x8x16_F32F16F16_SS<K,K>"), of("SM80_16x8x16_F32F16F16F32_TN"));
    /// // that of fp8 is another in a warpgroup
    /// assert_ne!(of("SM90_64x8x32_F32E4M3E4M3_SS_TN"), of("SM89_16x8x32_F32E4M3E4M3F32_TN"));
    /// assert_eq!(of("SM61_DP4A"), None);
    /// ```
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
            (F16, F16) if mma.is_of_quad_pair() => Kind::Singles { c: Format::of(types.c)?, d: Format::of(types.d)? },
            // not in the PTX ISA; the assembler takes bf16 and tf32, and an H200 then returns what is no product
            _ if mma.is_of_quad_pair() => return None,
            (a, b) => match (Format::of(a), Format::of(b), Integer::of(a), Integer::of(b)) {
                (Some(a), Some(b), ..) if is_byte && warpgroup => Kind::Sum { a, b, sum: sum(13)? },
                (Some(a), Some(b), ..) if is_byte => Kind::Halves { a, b, sum: sum(25)? },
                (Some(a), Some(b), ..) => Kind::Sum { a, b, sum: sum(25)? },
                (_, _, Some(a), Some(b)) => Kind::Integers { a, b, saturate },
                _ => return None,
            },
        };
        let k = if types.a == U1 { k / 32 } else { k };
        Some(Arithmetic { k, kind })
    }

    /// The element of D, as bits, of bits of a row of A and of B and of an element of C. Bits above a format's width are not looked
    /// at. An element of b1 is 32 bits in a word.
    ///
    /// Rows longer than the instruction's K are what a loop over K makes of them: an instruction for each K, to whose result the
    /// next one adds. The last part may be short. Of rows of different lengths, the longer is cut.
    /// ```
    /// # use girih::gpu::atom::SM80_16x8x8_F32TF32TF32F32_TN as MMA;
    /// # use girih::gpu::sim::tensor_core::Arithmetic;
    /// let sum = Arithmetic::of(&MMA).ok_or("not of a tensor core")?;
    /// let row: Vec<u64> = (0..1024).map(|k| (k as f32 / 1024.0).to_bits().into()).collect();
    /// let loops = row.chunks(8).fold(0, |c, part| sum.dot(part, part, c));
    /// assert_eq!(sum.dot(&row, &row, 0), loops);
    /// # Ok::<(), &str>(())
    /// ```
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
