//! Operands of instructions.

use super::special::Special;
use super::types::Type;

/// A register: its place in [`Function::registers`](super::Function), where its name is, and its declared type.
/// ```
/// # use girih::gpu::ptx::{Reg, Type};
/// let r = Reg { id: 3, ty: Type::B32 };
/// assert_eq!(r.ty.bits(), 32);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reg {
    /// place in the function's list
    pub id: u32,
    /// as declared
    pub ty: Type,
}

/// What an instruction works on.
/// ```
/// # use girih::gpu::ptx::{Operand, Reg, Type};
/// let r = Reg { id: 0, ty: Type::F32 };
/// assert_eq!(Operand::from(r), Operand::Reg(r));
/// assert_eq!(Operand::from(1.0f32), Operand::F32(0x3f80_0000));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// a register
    Reg(Reg),
    /// a predicate, negated
    Not(Reg),
    /// an integer; unsigned ones of 64 bits wrap
    Int(i64),
    /// bits of a single
    F32(u32),
    /// bits of a double
    F64(u64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `d|p`
    Pair(Box<[Operand; 2]>),
    /// `_`, a result not wanted
    Sink,
    /// `[base+offset]`
    Address(Address),
    /// `[map, {c0, c1}]`
    Tensor(Address, Vec<Operand>),
    /// the name of a variable, function, label or branch table, and bytes beyond a variable's begin
    Symbol(Box<str>, i64),
    /// a special register
    Special(Special),
    /// of `call`
    Call(Box<Call>),
}

/// Where in memory: `[%rd1+16]`, `[smem+8]`.
/// ```
/// # use girih::gpu::ptx::{Address, Base, Reg, Type};
/// let a = Address::from(Reg { id: 0, ty: Type::B64 }).plus(16);
/// assert_eq!((a.offset, matches!(a.base, Base::Reg(_))), (16, true));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// what it counts from
    pub base: Base,
    /// bytes
    pub offset: i64,
}

/// What an address counts from.
/// ```
/// # use girih::gpu::ptx::{Address, Base};
/// assert_eq!(Address::symbol("smem").base, Base::Symbol("smem".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// a register of 32 or 64 bits
    Reg(Reg),
    /// a variable or parameter
    Symbol(Box<str>),
    /// nothing: an absolute address
    Zero,
}

/// Operands of `call`: `(results), callee, (arguments), prototype`.
/// ```
/// # use girih::gpu::ptx::{Call, Operand};
/// let call = Call { results: vec![], callee: Operand::Symbol("f".into(), 0), arguments: vec![], prototype: None };
/// assert_eq!(call.prototype, None);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    /// registers or parameters that receive
    pub results: Vec<Operand>,
    /// a function's name, or a register that holds its address
    pub callee: Operand,
    /// what is passed
    pub arguments: Vec<Operand>,
    /// of an indirect call, its prototype or list of targets
    pub prototype: Option<Box<str>>,
}

impl Operand {
    /// The names of variables, functions, labels and tables in it.
    pub(in crate::gpu) fn each_symbol<'a>(&'a self, see: &mut impl FnMut(&'a str)) {
        match self {
            Operand::Symbol(name, _) => see(name),
            Operand::Address(a) | Operand::Tensor(a, _) => {
                if let Base::Symbol(name) = &a.base {
                    see(name);
                }
            }
            Operand::Vector(of) => of.iter().for_each(|o| o.each_symbol(see)),
            Operand::Pair(of) => of.iter().for_each(|o| o.each_symbol(see)),
            Operand::Call(call) => {
                let all = call.results.iter().chain([&call.callee]).chain(&call.arguments);
                all.for_each(|o| o.each_symbol(see));
                call.prototype.iter().for_each(|name| see(name));
            }
            Operand::Reg(_) | Operand::Not(_) | Operand::Int(_) | Operand::F32(_) | Operand::F64(_) => {}
            Operand::Sink | Operand::Special(_) => {}
        }
    }
}

impl Address {
    /// A variable's begin.
    /// ```
    /// # use girih::gpu::ptx::Address;
    /// assert_eq!(Address::symbol("smem").offset, 0);
    /// ```
    pub fn symbol(name: &str) -> Address {
        Address { base: Base::Symbol(name.into()), offset: 0 }
    }

    /// So many bytes further.
    /// ```
    /// # use girih::gpu::ptx::Address;
    /// assert_eq!(Address::symbol("smem").plus(4).plus(4).offset, 8);
    /// ```
    pub fn plus(mut self, bytes: i64) -> Address {
        self.offset = self.offset.wrapping_add(bytes);
        self
    }
}

impl From<Reg> for Address {
    fn from(r: Reg) -> Address {
        Address { base: Base::Reg(r), offset: 0 }
    }
}

impl From<Reg> for Operand {
    fn from(r: Reg) -> Operand {
        Operand::Reg(r)
    }
}

impl From<&Reg> for Operand {
    fn from(r: &Reg) -> Operand {
        Operand::Reg(*r)
    }
}

impl From<Address> for Operand {
    fn from(a: Address) -> Operand {
        Operand::Address(a)
    }
}

impl From<i64> for Operand {
    fn from(i: i64) -> Operand {
        Operand::Int(i)
    }
}

impl From<i32> for Operand {
    fn from(i: i32) -> Operand {
        Operand::Int(i.into())
    }
}

impl From<u32> for Operand {
    fn from(i: u32) -> Operand {
        Operand::Int(i.into())
    }
}

impl From<f32> for Operand {
    fn from(x: f32) -> Operand {
        Operand::F32(x.to_bits())
    }
}

impl From<f64> for Operand {
    fn from(x: f64) -> Operand {
        Operand::F64(x.to_bits())
    }
}

impl From<&[Reg]> for Operand {
    fn from(of: &[Reg]) -> Operand {
        Operand::Vector(of.iter().map(Operand::from).collect())
    }
}

impl<const N: usize> From<[Reg; N]> for Operand {
    fn from(of: [Reg; N]) -> Operand {
        Operand::from(&of[..])
    }
}

impl From<Special> for Operand {
    fn from(s: Special) -> Operand {
        Operand::Special(s)
    }
}
