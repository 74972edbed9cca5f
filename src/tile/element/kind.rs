//! The element types as a value.

use core::fmt;
use core::str::FromStr;

/// An element type as a value: what [`Element::TYPE`](super::Element::TYPE) says of a Rust type.
///
/// Its text form is its name in lower case, as Rust names its numbers.
/// ```
/// use girih::tile::element::ElementType;
/// let t: ElementType = "f8e4m3".parse()?;
/// assert_eq!((t, t.bits()), (ElementType::F8E4M3, 8));
/// assert_eq!(ElementType::Bf16.to_string(), "bf16");
/// assert!("f12".parse::<ElementType>().unwrap_err().to_string().starts_with("`f12` is not an element type"));
/// # Ok::<(), girih::tile::element::UnknownElementType>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementType {
    /// `bool`: one bit when packed, a byte in memory
    Bool,
    /// `i8`
    I8,
    /// `u8`
    U8,
    /// `i16`
    I16,
    /// `u16`
    U16,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// [`f16`](struct@super::f16): IEEE binary16
    F16,
    /// [`bf16`](super::bf16): the upper half of a single
    Bf16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// [`Tf32`](super::Tf32): a single with 10 bits of mantissa
    Tf32,
    /// [`F8E4M3`](super::F8E4M3)
    F8E4M3,
    /// [`F8E5M2`](super::F8E5M2)
    F8E5M2,
    /// [`F8UE5M3`](super::F8UE5M3)
    F8UE5M3,
    /// [`F8E8M0`](super::F8E8M0)
    F8E8M0,
    /// [`F4E2M1`](super::F4E2M1)
    F4E2M1,
}

use ElementType::*;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Bool,
    Integer,
    Basic,
    Restricted,
}

impl ElementType {
    /// All of them.
    pub const ALL: [ElementType; 19] = [
        Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, Bf16, F32, F64, Tf32, F8E4M3, F8E5M2, F8UE5M3, F8E8M0, F4E2M1,
    ];

    /// Name, bits, class, and whether there are negative numbers.
    const fn facts(self) -> (&'static str, u32, Class, bool) {
        match self {
            Bool => ("bool", 1, Class::Bool, false),
            I8 => ("i8", 8, Class::Integer, true),
            U8 => ("u8", 8, Class::Integer, false),
            I16 => ("i16", 16, Class::Integer, true),
            U16 => ("u16", 16, Class::Integer, false),
            I32 => ("i32", 32, Class::Integer, true),
            U32 => ("u32", 32, Class::Integer, false),
            I64 => ("i64", 64, Class::Integer, true),
            U64 => ("u64", 64, Class::Integer, false),
            F16 => ("f16", 16, Class::Basic, true),
            Bf16 => ("bf16", 16, Class::Basic, true),
            F32 => ("f32", 32, Class::Basic, true),
            F64 => ("f64", 64, Class::Basic, true),
            Tf32 => ("tf32", 19, Class::Restricted, true),
            F8E4M3 => ("f8e4m3", 8, Class::Restricted, true),
            F8E5M2 => ("f8e5m2", 8, Class::Restricted, true),
            F8UE5M3 => ("f8ue5m3", 8, Class::Restricted, false),
            F8E8M0 => ("f8e8m0", 8, Class::Restricted, false),
            F4E2M1 => ("f4e2m1", 4, Class::Restricted, true),
        }
    }

    /// Its name, which is also its text form.
    pub const fn name(self) -> &'static str {
        self.facts().0
    }

    /// The bits of an element in a packed sequence: `bool` 1, `f4e2m1` 4, `tf32` 19, else as many as its bytes have.
    pub const fn bits(self) -> u32 {
        self.facts().1
    }

    /// The bits that a bitcast compares: [`bits`](Self::bits), but 8 for `bool`.
    pub const fn bitcast_bits(self) -> u32 {
        match self {
            Bool => 8,
            _ => self.bits(),
        }
    }

    /// The bytes of an element in memory, when it is not packed: a power of two, 1 for `bool` and `f4e2m1`, 4 for `tf32`.
    pub const fn bytes(self) -> u32 {
        self.bits().div_ceil(8).next_power_of_two()
    }

    const fn class(self) -> Class {
        self.facts().2
    }

    /// The eight integers and `bool`.
    pub const fn is_integral(self) -> bool {
        matches!(self.class(), Class::Bool | Class::Integer)
    }

    /// The eight integers.
    pub const fn is_integer(self) -> bool {
        matches!(self.class(), Class::Integer)
    }

    /// The ten floating-point types.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Basic | Class::Restricted)
    }

    /// `f16`, `bf16`, `f32` and `f64`: those with arithmetic.
    pub const fn is_basic_float(self) -> bool {
        matches!(self.class(), Class::Basic)
    }

    /// The six floating-point types that are for storage and tensor cores only.
    pub const fn is_restricted_float(self) -> bool {
        matches!(self.class(), Class::Restricted)
    }

    /// The integral types and the basic floating-point ones.
    pub const fn is_arithmetic(self) -> bool {
        !self.is_restricted_float()
    }

    /// What can be added and multiplied: the arithmetic types but `bool`.
    pub const fn is_number(self) -> bool {
        matches!(self.class(), Class::Integer | Class::Basic)
    }

    /// Does it have negative numbers?
    pub const fn is_signed(self) -> bool {
        self.facts().3
    }

    /// The integer that bits of such an element are.
    pub(crate) const fn integer(self, bits: u64) -> i128 {
        let unused = 64 - self.bits();
        if self.is_signed() { ((bits << unused) as i64 >> unused) as i128 } else { bits as i128 }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no element type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownElementType(pub String);

impl fmt::Display for UnknownElementType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "`{}` is not an element type; these are:", self.0)?;
        ElementType::ALL.iter().try_for_each(|t| write!(f, " {t}"))
    }
}

impl core::error::Error for UnknownElementType {}

impl FromStr for ElementType {
    type Err = UnknownElementType;

    fn from_str(s: &str) -> Result<ElementType, UnknownElementType> {
        ElementType::ALL.into_iter().find(|t| t.name() == s).ok_or_else(|| UnknownElementType(s.into()))
    }
}
