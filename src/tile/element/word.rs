//! Integers as PTX computes with them: the meaning of the operations on tiles and of the simulator.

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// An integer type: what an instruction does with a value of it, wrapping.
pub(crate) trait Word:
    Copy
    + Ord
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Send
    + Sync
    + 'static
{
    const BITS: u32;

    /// The low bits of a lane, a register of 64 bits.
    fn of(lane: u64) -> Self;
    /// In a lane, zeros above.
    fn lane(self) -> u64;
    /// To 64 bits, by its sign if the type has one.
    fn extended(self) -> u64;
    fn add(self, b: Self) -> Self;
    fn sub(self, b: Self) -> Self;
    fn mul(self, b: Self) -> Self;
    /// The upper half of the product.
    fn mul_hi(self, b: Self) -> Self;
    /// By zero, all ones.
    fn div(self, b: Self) -> Self;
    /// By zero, all ones.
    fn rem(self, b: Self) -> Self;
    /// Everything is shifted out by `BITS` and more.
    fn shl(self, n: u32) -> Self;
    /// By `BITS` and more, copies of the sign if the type has one, else zeros.
    fn shr(self, n: u32) -> Self;
}

macro_rules! word {
    ($($word:ty, $unsigned:ty, $wide:ty;)*) => {$(
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;

            #[inline]
            fn of(lane: u64) -> $word {
                lane as $word
            }
            #[inline]
            fn lane(self) -> u64 {
                self as $unsigned as u64
            }
            #[inline]
            fn extended(self) -> u64 {
                self as u64
            }
            #[inline]
            fn add(self, b: $word) -> $word {
                self.wrapping_add(b)
            }
            #[inline]
            fn sub(self, b: $word) -> $word {
                self.wrapping_sub(b)
            }
            #[inline]
            fn mul(self, b: $word) -> $word {
                self.wrapping_mul(b)
            }
            #[inline]
            fn mul_hi(self, b: $word) -> $word {
                ((self as $wide * b as $wide) >> <$word>::BITS) as $word
            }
            #[inline]
            fn div(self, b: $word) -> $word {
                if b == 0 { !0 } else { self.wrapping_div(b) }
            }
            #[inline]
            fn rem(self, b: $word) -> $word {
                if b == 0 { !0 } else { self.wrapping_rem(b) }
            }
            #[inline]
            fn shl(self, n: u32) -> $word {
                self.checked_shl(n).unwrap_or(0)
            }
            #[inline]
            fn shr(self, n: u32) -> $word {
                self.checked_shr(n).unwrap_or(self >> (<$word>::BITS - 1) >> 1)
            }
        }
    )*};
}

word! {
    u8, u8, u16;
    i8, u8, i16;
    u16, u16, u32;
    i16, u16, i32;
    u32, u32, u64;
    i32, u32, i64;
    u64, u64, u128;
    i64, u64, i128;
}
