//! Data types, targets and versions of PTX.

use core::fmt;
use core::str::FromStr;

/// A data type: what an instruction works on, and what a register is declared as.
/// ```
/// # use girih::gpu::ptx::Type;
/// assert_eq!("bf16x2".parse(), Ok(Type::Bf16x2));
/// assert_eq!((Type::F32.bits(), Type::Bf16x2.register()), (32, Type::B32));
/// assert!(Type::U32.holds(Type::B32) && !Type::U32.holds(Type::F32));
/// ```
#[allow(missing_docs)] // the names are PTX's own
#[rustfmt::skip]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Pred, B1, B8, B16, B32, B64, B128,
    U4, U8, U16, U32, U64, S4, S8, S16, S32, S64,
    F16, F32, F64,
    F16x2, F32x2, Bf16, Bf16x2, Tf32, U16x2, S16x2, U8x4, S8x4,
    E4m3, E5m2, E2m1, E2m3, E3m2, Ue8m0, Ue4m3,
    E4m3x2, E5m2x2, E2m1x2, E2m3x2, E3m2x2, Ue8m0x2,
    E4m3x4, E5m2x4, E2m1x4, E2m3x4, E3m2x4,
    B8x16, B6x16P32, B4x16P64,
}
use Type::*;

/// How a type's bits are read, which decides what registers an operand of that type may be (PTX ISA, operand type checking).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Predicate,
    Bits,
    Integer,
    Float,
    /// without registers of its own: held in one of untyped bits
    Packed,
}

/// Type, name, bits of the register it is held in, class.
#[rustfmt::skip]
const TYPES: [(Type, &str, u32, Class); 50] = {
    use Class::*;
    [
        (Pred, "pred", 1, Predicate),
        (B1, "b1", 32, Packed), (B8, "b8", 8, Bits), (B16, "b16", 16, Bits), (B32, "b32", 32, Bits), (B64, "b64", 64, Bits),
        (B128, "b128", 128, Bits),
        (U4, "u4", 32, Packed), (U8, "u8", 8, Integer), (U16, "u16", 16, Integer), (U32, "u32", 32, Integer),
        (U64, "u64", 64, Integer),
        (S4, "s4", 32, Packed), (S8, "s8", 8, Integer), (S16, "s16", 16, Integer), (S32, "s32", 32, Integer),
        (S64, "s64", 64, Integer),
        (F16, "f16", 16, Float), (F32, "f32", 32, Float), (F64, "f64", 64, Float),
        (F16x2, "f16x2", 32, Float), (F32x2, "f32x2", 64, Packed), (Bf16, "bf16", 16, Packed), (Bf16x2, "bf16x2", 32, Packed),
        (Tf32, "tf32", 32, Packed), (U16x2, "u16x2", 32, Packed), (S16x2, "s16x2", 32, Packed),
        (U8x4, "u8x4", 32, Packed), (S8x4, "s8x4", 32, Packed),
        (E4m3, "e4m3", 8, Packed), (E5m2, "e5m2", 8, Packed), (E2m1, "e2m1", 8, Packed), (E2m3, "e2m3", 8, Packed),
        (E3m2, "e3m2", 8, Packed), (Ue8m0, "ue8m0", 8, Packed), (Ue4m3, "ue4m3", 8, Packed),
        (E4m3x2, "e4m3x2", 16, Packed), (E5m2x2, "e5m2x2", 16, Packed), (E2m1x2, "e2m1x2", 8, Packed),
        (E2m3x2, "e2m3x2", 16, Packed), (E3m2x2, "e3m2x2", 16, Packed), (Ue8m0x2, "ue8m0x2", 16, Packed),
        (E4m3x4, "e4m3x4", 32, Packed), (E5m2x4, "e5m2x4", 32, Packed), (E2m1x4, "e2m1x4", 16, Packed),
        (E2m3x4, "e2m3x4", 32, Packed), (E3m2x4, "e3m2x4", 32, Packed),
        (B8x16, "b8x16", 32, Packed), (B6x16P32, "b6x16_p32", 32, Packed), (B4x16P64, "b4x16_p64", 32, Packed),
    ]
};

impl Type {
    /// All of them.
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert!(Type::all().all(|t| t.name().parse() == Ok(t)));
    /// ```
    pub fn all() -> impl Iterator<Item = Type> {
        TYPES.iter().map(|row| row.0)
    }

    const fn row(self) -> &'static (Type, &'static str, u32, Class) {
        &TYPES[self as usize]
    }

    /// As PTX writes it, without the dot.
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert_eq!(Type::F16x2.name(), "f16x2");
    /// ```
    pub const fn name(self) -> &'static str {
        self.row().1
    }

    /// Bits of the register that holds it.
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert_eq!((Type::Tf32.bits(), Type::Pred.bits()), (32, 1));
    /// ```
    pub const fn bits(self) -> u32 {
        self.row().2
    }

    /// The type of the register that holds it: itself, or untyped bits for those without registers of their own.
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert_eq!((Type::Bf16.register(), Type::S8.register()), (Type::B16, Type::S8));
    /// ```
    pub const fn register(self) -> Type {
        match self.row().3 {
            Class::Packed => Type::untyped(self.bits()),
            _ => self,
        }
    }

    /// Untyped bits.
    const fn untyped(bits: u32) -> Type {
        match bits {
            8 => B8,
            16 => B16,
            32 => B32,
            64 => B64,
            _ => B128,
        }
    }

    /// The type of twice the width of the same kind, for the results of `mul.wide`.
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert_eq!((Type::S16.wide(), Type::F32.wide()), (Some(Type::S32), None));
    /// ```
    pub const fn wide(self) -> Option<Type> {
        Some(match self {
            U16 => U32,
            U32 => U64,
            S16 => S32,
            S32 => S64,
            B16 => B32,
            B32 => B64,
            _ => return None,
        })
    }

    /// Is it a floating-point type with registers of its own?
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert!(Type::F64.is_float() && !Type::Bf16.is_float() && !Type::B64.is_float());
    /// ```
    pub const fn is_float(self) -> bool {
        matches!(self.row().3, Class::Float)
    }

    /// Is it an integer type with a sign or without, not mere bits?
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert!(Type::U16.is_integer() && !Type::B16.is_integer());
    /// ```
    pub const fn is_integer(self) -> bool {
        matches!(self.row().3, Class::Integer)
    }

    /// Is it signed: an integer below zero, or any float?
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert!(Type::S8.is_signed() && !Type::U8.is_signed());
    /// ```
    pub const fn is_signed(self) -> bool {
        matches!(self, S4 | S8 | S16 | S32 | S64 | F16 | F32 | F64)
    }

    /// May an operand of this type be a register declared as `register`? Untyped bits agree with everything of their width,
    /// integers with integers, floats with the same float (PTX ISA, operand type checking).
    /// ```
    /// # use girih::gpu::ptx::Type;
    /// assert!(Type::S32.holds(Type::U32) && Type::F16x2.holds(Type::B32) && !Type::F16x2.holds(Type::F32));
    /// ```
    pub const fn holds(self, register: Type) -> bool {
        use Class::*;
        let agree = match (self.row().3, register.row().3) {
            (Predicate, Predicate) | (Bits, _) | (_, Bits) | (Integer, Integer) => true,
            (Float, Float) => self as u8 == register as u8,
            _ => false,
        };
        agree && self.bits() == register.bits() && matches!(self, Pred) == matches!(register, Pred)
    }

    /// May an immediate of this type be an integer? Packed types and floats take none.
    pub(super) const fn takes_integers(self) -> bool {
        matches!(self.row().3, Class::Predicate | Class::Bits | Class::Integer)
    }

    /// Loads, stores and conversions take registers wider than their type (PTX ISA, operand size exceeding instruction-type size):
    /// any for untyped bits, bits for all but packed types, integers for integers.
    pub(super) const fn holds_wider(self, register: Type) -> bool {
        use Class::*;
        let agree = matches!(
            (self.row().3, register.row().3),
            (Bits, Bits | Integer | Float) | (Integer, Bits | Integer) | (Float, Bits)
        );
        register.bits() > self.bits() && agree
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Type {
    type Err = ();

    fn from_str(name: &str) -> Result<Type, ()> {
        TYPES.iter().find(|row| row.1 == name).map(|row| row.0).ok_or(())
    }
}

/// A version of PTX, as in `.version 8.0`.
/// ```
/// # use girih::gpu::ptx::Version;
/// assert!(Version(7, 8) < Version(8, 0));
/// assert_eq!("8.6".parse(), Ok(Version(8, 6)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version(
    /// major
    pub u8,
    /// minor
    pub u8,
);

impl Version {
    /// Is there such a version? Those that are newer than this crate, up to 9.9, count as ones.
    pub(super) const fn exists(self) -> bool {
        self.1
            <= match self.0 {
                1 | 6 => 5,
                2 | 4 => 3,
                3 => 2,
                5 => 1,
                7 | 8 => 8,
                9 => 9,
                _ => return false,
            }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Version, ()> {
        let (major, minor) = text.split_once('.').ok_or(())?;
        let number =
            |digits: &str| digits.starts_with(|c: char| c.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
        Ok(Version(number(major).ok_or(())?, number(minor).ok_or(())?))
    }
}

/// What a target has beyond its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
enum Suffix {
    None,
    /// `f`: what a family of chips shares
    Family,
    /// `a`: what this chip alone has
    Exact,
}

/// A target, as in `.target sm_90a`: a compute capability times ten, and whether the features that only this chip (`a`) or its
/// family (`f`) has are used.
/// ```
/// # use girih::gpu::ptx::{Target, Version};
/// let hopper: Target = "sm_90a".parse().unwrap();
/// assert_eq!(hopper, Target::SM_90A);
/// assert!(hopper.provides(Target::SM_80) && !Target::SM_100A.provides(hopper));
/// assert_eq!(hopper.version(), Version(8, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    number: u16,
    suffix: Suffix,
}

impl Target {
    /// Turing.
    pub const SM_75: Target = Target::new(75, Suffix::None);
    /// Ampere.
    pub const SM_80: Target = Target::new(80, Suffix::None);
    /// Ada.
    pub const SM_89: Target = Target::new(89, Suffix::None);
    /// Hopper, without its own features.
    pub const SM_90: Target = Target::new(90, Suffix::None);
    /// Hopper.
    pub const SM_90A: Target = Target::new(90, Suffix::Exact);
    /// Blackwell of data centres.
    pub const SM_100A: Target = Target::new(100, Suffix::Exact);
    /// Blackwell of workstations.
    pub const SM_120A: Target = Target::new(120, Suffix::Exact);

    const fn new(number: u16, suffix: Suffix) -> Target {
        Target { number, suffix }
    }

    /// Any chip from this compute capability on.
    pub(super) const fn plain(number: u16) -> Target {
        Target::new(number, Suffix::None)
    }

    /// The compute capability, times ten.
    /// ```
    /// # use girih::gpu::ptx::Target;
    /// assert_eq!(Target::SM_90A.number(), 90);
    /// ```
    pub const fn number(self) -> u16 {
        self.number
    }

    /// The target of a device of this compute capability, with all that it has. [`Module::check`](super::Module::check) refuses
    /// one that PTX does not have.
    /// ```
    /// # use girih::gpu::ptx::Target;
    /// assert_eq!(Target::of_device(9, 0), Target::SM_90A);
    /// assert_eq!(Target::of_device(8, 0), Target::SM_80);
    /// ```
    pub const fn of_device(major: u16, minor: u16) -> Target {
        let suffix = if major >= 9 { Suffix::Exact } else { Suffix::None };
        Target::new(major.saturating_mul(10).saturating_add(minor), suffix)
    }

    /// Does code for this target have what `required` names? Plain targets are provided by all newer ones, `sm_90a` by itself
    /// alone, `sm_100f` by its family (the same major number, from there on).
    /// ```
    /// # use girih::gpu::ptx::Target;
    /// let family: Target = "sm_100f".parse().unwrap();
    /// assert!(Target::SM_100A.provides(family) && !Target::SM_120A.provides(family));
    /// ```
    pub const fn provides(self, required: Target) -> bool {
        match required.suffix {
            Suffix::None => self.number >= required.number,
            Suffix::Exact => self.number == required.number && matches!(self.suffix, Suffix::Exact),
            Suffix::Family => {
                self.family() == required.family()
                    && self.number >= required.number
                    && !matches!(self.suffix, Suffix::None)
            }
        }
    }

    /// Is it one of PTX's?
    pub(super) const fn exists(self) -> bool {
        match self.number {
            50 | 52 | 53 | 60 | 61 | 62 | 70 | 72 | 75 | 80 | 86 | 87 | 88 | 89 => matches!(self.suffix, Suffix::None),
            90 => !matches!(self.suffix, Suffix::Family),
            100 | 101 | 103 | 110 | 120 | 121 => true,
            _ => false,
        }
    }

    /// What `ptxas` 13.0 lets a kernel have of static shared memory, in bytes.
    pub(super) const fn static_shared(self) -> u64 {
        match (self.suffix, self.number) {
            (Suffix::Exact, 90..120) => 227 << 10,
            (Suffix::Exact, 120..) => 99 << 10,
            _ => 48 << 10,
        }
    }

    /// As it is written, whether there is one or not.
    fn written(text: &str) -> Option<Target> {
        let rest = text.strip_prefix("sm_").filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))?;
        let (number, suffix) = match (rest.strip_suffix('a'), rest.strip_suffix('f')) {
            (Some(number), _) => (number, Suffix::Exact),
            (_, Some(number)) => (number, Suffix::Family),
            _ => (rest, Suffix::None),
        };
        Some(Target::new(number.parse().ok()?, suffix))
    }

    const fn family(self) -> u16 {
        match self.number {
            // the same chip, renamed
            101 => 11,
            number => number / 10,
        }
    }

    /// The lowest version of PTX that knows the target.
    /// ```
    /// # use girih::gpu::ptx::{Target, Version};
    /// assert_eq!(Target::SM_120A.version(), Version(8, 7));
    /// ```
    pub const fn version(self) -> Version {
        match (self.number, self.suffix) {
            (..70, _) => Version(5, 0),
            (70, _) => Version(6, 0),
            (72, _) => Version(6, 1),
            (75, _) => Version(6, 3),
            (80, _) => Version(7, 0),
            (86, _) => Version(7, 1),
            (87, _) => Version(7, 4),
            (88, _) => Version(7, 3),
            (..90, _) | (90, Suffix::None) => Version(7, 8),
            (90, _) => Version(8, 0),
            (110, _) => Version(9, 0),
            (_, Suffix::Family) => Version(8, 8),
            (..=101, _) => Version(8, 6),
            (120, _) => Version(8, 7),
            (103 | 121, _) => Version(8, 8),
            _ => Version(9, 0),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suffix {
            Suffix::None => "",
            Suffix::Family => "f",
            Suffix::Exact => "a",
        };
        write!(f, "sm_{}{suffix}", self.number)
    }
}

impl FromStr for Target {
    type Err = ();

    fn from_str(text: &str) -> Result<Target, ()> {
        Target::written(text).filter(|target| target.exists()).ok_or(())
    }
}

/// What a form needs: one of several pairs of a version of PTX and a target.
/// ```
/// # use girih::gpu::ptx::{Requirement, Target, Version};
/// let needs: Requirement = "8.6/sm_100a+8.8/sm_100f".parse().unwrap();
/// assert_eq!(needs.version_for(Target::SM_100A), Some(Version(8, 6)));
/// assert_eq!(needs.version_for(Target::SM_90A), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Requirement {
    /// any of them; none at all asks nothing
    alternatives: Vec<(Version, Target)>,
}

impl Requirement {
    /// The lowest version that has it on this target.
    /// ```
    /// # use girih::gpu::ptx::{Requirement, Target, Version};
    /// let needs: Requirement = "7.8/sm_90".parse().unwrap();
    /// assert_eq!(needs.version_for(Target::SM_80), None);
    /// assert_eq!(needs.version_for(Target::SM_90A), Some(Version(7, 8)));
    /// ```
    pub fn version_for(&self, target: Target) -> Option<Version> {
        if self.alternatives.is_empty() {
            return Some(Version(1, 0));
        }
        self.alternatives.iter().filter(|(_, t)| target.provides(*t)).map(|(version, _)| *version).min()
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (version, target)) in self.alternatives.iter().enumerate() {
            write!(f, "{}PTX {version} for {target}", if i > 0 { " or " } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Requirement {
    type Err = ();

    /// `7.8`, `7.8/sm_90`, `8.6/sm_100a+sm_120a`, `8.6/sm_100a+8.8/sm_100f`.
    fn from_str(text: &str) -> Result<Requirement, ()> {
        let mut alternatives: Vec<(Version, Target)> = Vec::new();
        for part in text.split('+') {
            let (version, target) = match part.split_once('/') {
                Some((version, target)) => (version.parse()?, Target::written(target).ok_or(())?),
                None if part.starts_with("sm_") => {
                    (alternatives.first().ok_or(())?.0, Target::written(part).ok_or(())?)
                }
                None => (part.parse()?, Target::new(0, Suffix::None)),
            };
            alternatives.push((version, target));
        }
        Ok(Requirement { alternatives })
    }
}
