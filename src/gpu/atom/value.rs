//! Types of operands and of the registers that hold them.

use core::fmt;

/// The type of one value of an operand. Displays as in PTX.
/// ```
/// # use girih::gpu::atom::NumericType;
/// assert_eq!((NumericType::BF16.bits(), NumericType::BF16.to_string().as_str()), (16, "bf16"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NumericType {
    /// one bit
    U1,
    /// integer of 4 bits
    S4,
    /// integer of 4 bits without a sign
    U4,
    /// integer of 8 bits
    S8,
    /// integer of 8 bits without a sign
    U8,
    /// integer of 16 bits
    S16,
    /// integer of 32 bits
    S32,
    /// float of 8 bits: 4 of exponent, 3 of mantissa
    E4M3,
    /// float of 8 bits: 5 of exponent, 2 of mantissa
    E5M2,
    /// IEEE half
    F16,
    /// upper half of an f32
    BF16,
    /// f32 of which 10 bits of mantissa count
    TF32,
    /// IEEE single
    F32,
    /// IEEE double
    F64,
    /// complex numbers of two f64
    C64,
    /// three f64: a complex product by Gauss's three multiplications
    GC64,
}

impl NumericType {
    /// Its width.
    /// ```
    /// # use girih::gpu::atom::NumericType;
    /// assert_eq!(NumericType::TF32.bits(), 32); // as it lies in a register
    /// ```
    pub const fn bits(self) -> usize {
        use NumericType::*;
        match self {
            U1 => 1,
            S4 | U4 => 4,
            S8 | U8 | E4M3 | E5M2 => 8,
            S16 | F16 | BF16 => 16,
            S32 | TF32 | F32 => 32,
            F64 => 64,
            C64 => 128,
            GC64 => 192,
        }
    }

    /// The type that PTX calls so, of real numbers.
    pub(crate) fn named(name: &str) -> Option<NumericType> {
        use NumericType::*;
        [U1, S4, U4, S8, U8, S16, S32, E4M3, E5M2, F16, BF16, TF32, F32, F64]
            .into_iter()
            .find(|t| t.to_string() == name)
    }

    /// The registers of `count` values: f32 and f64 have theirs, all else is packed into 32-bit ones.
    pub(super) const fn registers(self, count: usize) -> Registers {
        let bits = count * self.bits();
        match self {
            NumericType::F32 => Registers { register: RegisterType::F32, count },
            NumericType::F64 | NumericType::C64 | NumericType::GC64 => {
                Registers { register: RegisterType::F64, count: bits / 64 }
            }
            _ => Registers { register: RegisterType::B32, count: bits.div_ceil(32) },
        }
    }

    /// As CuTe spells it in the names of atoms.
    pub(super) fn cute(self) -> String {
        format!("{self:?}")
    }
}

impl fmt::Display for NumericType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumericType::U1 => f.write_str("b1"),
            _ => f.write_str(&self.cute().to_lowercase()),
        }
    }
}

/// A type of registers, as PTX declares them.
/// ```
/// # use girih::gpu::atom::RegisterType;
/// assert_eq!((RegisterType::B64.bits(), RegisterType::B64.to_string().as_str()), (64, ".b64"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegisterType {
    /// 8 bits
    B8,
    /// 16 bits
    B16,
    /// 32 bits
    B32,
    /// 64 bits
    B64,
    /// 128 bits
    B128,
    /// an f32
    F32,
    /// an f64
    F64,
}

impl RegisterType {
    /// Its width.
    /// ```
    /// # use girih::gpu::atom::RegisterType;
    /// assert_eq!(RegisterType::F32.bits(), 32);
    /// ```
    pub const fn bits(self) -> usize {
        match self {
            RegisterType::B8 => 8,
            RegisterType::B16 => 16,
            RegisterType::B32 | RegisterType::F32 => 32,
            RegisterType::B64 | RegisterType::F64 => 64,
            RegisterType::B128 => 128,
        }
    }
}

impl fmt::Display for RegisterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = if matches!(self, RegisterType::F32 | RegisterType::F64) { "f" } else { "b" };
        write!(f, ".{letter}{}", self.bits())
    }
}

/// The registers of an operand in one thread.
/// ```
/// # use girih::gpu::atom::*;
/// let a = SM80_16x8x16_F32F16F16F32_TN.registers().a;
/// assert_eq!(a, Registers { register: RegisterType::B32, count: 4 }); // two halves in each
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Registers {
    /// the type of each
    pub register: RegisterType,
    /// how many
    pub count: usize,
}
