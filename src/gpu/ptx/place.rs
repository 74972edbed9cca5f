//! What may stand where an opcode wants an operand.

use super::form::{Access, Kind};
use super::opcode::Opcode;
use super::operand::{Address, Base, Operand};
use super::types::Type;
use core::fmt;
use core::ops::RangeInclusive;

/// An operand's place, its slots filled in by the opcode.
/// ```
/// use girih::gpu::ptx::{Opcode, Place};
/// let add = Opcode::parse("add.f32")?;
/// let places = add.places().next().unwrap_or_default();
/// assert!(places[2].admits(&1.0f32.into()) && !places[0].admits(&1.0f32.into()));
/// assert_eq!(places[0].to_string(), "a register of f32");
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// a register or an immediate
    Scalar(Data),
    /// so many of them in braces
    Vector(Data, u32),
    /// `d|p`
    Pair(Data, Data),
    /// an integer known when assembling, of every so many in a range
    Immediate(RangeInclusive<i64>, i64),
    /// a float known when assembling, above 0 and at most 1
    Fraction,
    /// the sink `_`
    Sink,
    /// an address in this state space
    Address(&'static str),
    /// a tensor map with so many coordinates
    Tensor(u32),
    /// a label
    Label,
    /// a branch table
    Labels,
    /// the name of a variable or function
    Symbol,
    /// a special register of this type
    Special(Type),
    /// a callee with its results and arguments
    Call,
}

/// What a register or an immediate must be.
/// ```
/// use girih::gpu::ptx::{Access, Opcode, Place, Type};
/// let places = Opcode::parse("abs.f64")?.places().next().unwrap_or_default();
/// let Place::Scalar(result) = &places[0] else { panic!() };
/// assert_eq!((result.ty, result.access, result.immediate), (Type::F64, Access::Write, false));
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Data {
    /// the type that the instruction works on
    pub ty: Type,
    /// what happens to it
    pub access: Access,
    /// must the register be declared as this very type?
    pub exact: bool,
    /// may it be an immediate?
    pub immediate: bool,
    /// may the register be wider than the type?
    pub wider: bool,
    /// may it be the sink `_`?
    pub sink: bool,
    /// may it be negated with `!`?
    pub negatable: bool,
}

impl Opcode {
    /// The lists of operands that it takes.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("fma.rn.f32")?.places().next().map(|p| p.len()), Some(4));
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn places(&self) -> impl Iterator<Item = Vec<Place>> {
        self.signatures().map(|(_, kinds)| kinds.into_iter().map(|kind| self.place(kind)).collect())
    }

    /// A place of the row with this opcode's choice of slots.
    pub(super) fn place(&self, kind: &Kind) -> Place {
        match kind {
            Kind::Data(data) => match self.count(data) {
                None => Place::Scalar(self.data(data)),
                Some(n) => Place::Vector(self.data(data), n),
            },
            Kind::Pair(first, second) => Place::Pair(self.data(first), self.data(second)),
            Kind::Immediate(lo, hi, step) => Place::Immediate(*lo..=*hi, *step),
            Kind::Fraction => Place::Fraction,
            Kind::Sink => Place::Sink,
            Kind::Address(space) => Place::Address(self.space(*space)),
            Kind::Tensor(count) => Place::Tensor(self.dims(*count)),
            Kind::Label => Place::Label,
            Kind::Labels => Place::Labels,
            Kind::Symbol => Place::Symbol,
            // only `mov` reads them, and its type is its last qualifier
            Kind::Special => Place::Special(self.qualifiers().last().and_then(|q| q.parse().ok()).unwrap_or(Type::B32)),
            Kind::Call => Place::Call,
        }
    }

    fn data(&self, data: &super::form::Data) -> Data {
        Data {
            ty: self.ty(data),
            access: data.access,
            exact: data.exact,
            immediate: data.immediate,
            wider: data.wider,
            sink: data.sink,
            negatable: data.negatable,
        }
    }
}

impl Place {
    /// May the operand stand here?
    /// ```
    /// # use girih::gpu::ptx::{Opcode, Operand, Reg, Type};
    /// let places = Opcode::parse("add.u32")?.places().next().unwrap_or_default();
    /// let of = |ty| Operand::from(Reg { id: 0, ty });
    /// assert!(places[0].admits(&of(Type::B32)) && !places[0].admits(&of(Type::F32)));
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn admits(&self, operand: &Operand) -> bool {
        match (self, operand) {
            (Place::Scalar(data), operand) => data.admits(operand),
            (Place::Vector(data, n), Operand::Vector(of)) => {
                let wanted = of.iter().any(|o| *o != Operand::Sink);
                of.len() == *n as usize && of.iter().all(|o| data.admits(o)) && wanted
            }
            // from a range's start on; unbounded ones have a step of one
            (Place::Immediate(range, step), Operand::Int(i)) => {
                range.contains(i) && i.wrapping_sub(*range.start()).checked_rem(*step) == Some(0)
            }
            (Place::Fraction, Operand::F32(bits)) => (0.0..=1.0).contains(&f32::from_bits(*bits)) && bits << 1 != 0,
            (Place::Fraction, Operand::F64(bits)) => (0.0..=1.0).contains(&f64::from_bits(*bits)) && bits << 1 != 0,
            (Place::Sink, Operand::Sink) => true,
            (Place::Pair(first, second), Operand::Pair(of)) => {
                first.admits(&of[0]) && second.admits(&of[1]) && **of != [Operand::Sink, Operand::Sink]
            }
            (Place::Address(space), Operand::Address(a)) => addresses(space, a),
            (Place::Tensor(dims), Operand::Tensor(a, coordinates)) => {
                addresses("generic", a)
                    && coordinates.len() == *dims as usize
                    && coordinates.iter().all(|c| match c {
                        Operand::Reg(r) => Type::S32.holds(r.ty),
                        Operand::Int(_) => true,
                        _ => false,
                    })
            }
            (Place::Label | Place::Labels, Operand::Symbol(_, 0)) => true,
            (Place::Symbol, Operand::Symbol(..)) => true,
            (Place::Special(ty), Operand::Special(s)) => ty.holds(s.ty()),
            (Place::Call, Operand::Call(_)) => true,
            _ => false,
        }
    }
}

impl Data {
    fn admits(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Reg(r) if self.exact => self.ty.register() == r.ty,
            Operand::Reg(r) => self.ty.holds(r.ty) || self.wider && self.ty.holds_wider(r.ty),
            Operand::Not(r) => self.negatable && r.ty == Type::Pred,
            Operand::Int(_) => self.immediate && self.ty.takes_integers(),
            // the bits of a single or a double are those of 32 or 64 untyped ones
            Operand::F32(_) => self.immediate && matches!(self.ty, Type::F32 | Type::F64 | Type::B32),
            Operand::F64(_) => self.immediate && matches!(self.ty, Type::F32 | Type::F64 | Type::B64),
            Operand::Sink => self.sink,
            _ => false,
        }
    }
}

/// Addresses are held in integers or bits; those of windows that are smaller than 4 GiB may have 32.
fn addresses(space: &str, a: &Address) -> bool {
    match &a.base {
        Base::Reg(r) => {
            let wide_enough = r.ty.bits() == 64 || r.ty.bits() == 32 && !matches!(space, "generic" | "global");
            wide_enough && !r.ty.is_float()
        }
        Base::Symbol(_) => true,
        Base::Zero => space == "local",
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a register of {}", self.ty.register())?;
        match self.ty.register() == self.ty {
            true => Ok(()),
            false => write!(f, " (for {})", self.ty),
        }
    }
}

/// In words, as an error message puts what is wanted.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Scalar(d) if d.immediate => write!(f, "{d}, or an immediate"),
            Place::Scalar(d) => write!(f, "{d}"),
            Place::Vector(d, n) => write!(f, "a vector of {n}, each {d}"),
            Place::Pair(a, b) => write!(f, "a pair, {a} and {b}"),
            Place::Immediate(range, _) if *range.start() == i64::MIN => f.write_str("an integer known when assembling"),
            Place::Immediate(range, 1) => write!(f, "an integer in {}..={}", range.start(), range.end()),
            Place::Immediate(range, step) => {
                write!(f, "an integer in {}..={} in steps of {step}", range.start(), range.end())
            }
            Place::Fraction => f.write_str("a float above 0 and at most 1"),
            Place::Sink => f.write_str("the sink `_`"),
            Place::Address(space) => write!(f, "an address in {space}"),
            Place::Tensor(dims) => write!(f, "a tensor map with {dims} coordinates"),
            Place::Label => f.write_str("a label"),
            Place::Labels => f.write_str("a table of labels"),
            Place::Symbol => f.write_str("the name of a variable or function"),
            Place::Special(ty) => write!(f, "a special register of {} bits", ty.bits()),
            Place::Call => f.write_str("a callee with its arguments"),
        }
    }
}
