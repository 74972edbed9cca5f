//! Instructions: an opcode and operands that go with it.

use super::form::{Access, Kind, Signature};
use super::opcode::{Opcode, OpcodeError};
use super::operand::{Address, Base, Call, Operand, Reg};
use super::print::Printer;
use super::types::{Requirement, Target, Type, Version};
use core::fmt;

/// An instruction whose operands agree with its opcode.
/// ```
/// use girih::gpu::ptx::{Instruction, Opcode, Reg, Type};
/// let r = |id| Reg { id, ty: Type::F32 }.into();
/// let add = Instruction::new(Opcode::parse("add.f32")?, vec![r(0), r(1), r(2)])?;
/// assert_eq!(add.to_string(), "add.f32 %f0, %f1, %f2;");
/// let e = Instruction::new(Opcode::parse("add.u32")?, vec![r(0), r(1), r(2)]).unwrap_err();
/// assert_eq!(e.to_string(), "add.u32 %f0, %f1, %f2: operand 1 is %f0 (f32), where a register of u32 is wanted");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// executed only if this holds
    pub guard: Option<Guard>,
    opcode: Opcode,
    operands: Vec<Operand>,
    signature: u8,
}

/// `@p` or `@!p`.
/// ```
/// # use girih::gpu::ptx::{Guard, Otherwise, Reg, Type};
/// let p = Reg { id: 0, ty: Type::Pred };
/// assert_eq!(Guard::from(p), Guard { pred: p, negated: false, otherwise: Otherwise::Kept });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// the predicate
    pub pred: Reg,
    /// executed if it is false
    pub negated: bool,
    /// what a destination holds where it is not executed
    pub otherwise: Otherwise,
}

/// What the destination of a guarded instruction means to the program in threads that do not execute it. PTX keeps it; a program
/// that does not rely on that says so, and an execution that checks can mark it as never written.
/// ```
/// # use girih::gpu::ptx::{Guard, Otherwise, Reg, Type};
/// let guard = Guard::from(Reg { id: 0, ty: Type::Pred });
/// assert_eq!(guard.otherwise, Otherwise::Kept);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Otherwise {
    /// the value that it had
    Kept,
    /// nothing that may be read; printed as the comment `// else undefined`, which is read back
    Undefined,
}

impl From<Reg> for Guard {
    fn from(pred: Reg) -> Guard {
        Guard { pred, negated: false, otherwise: Otherwise::Kept }
    }
}

/// Operands that do not go with an opcode.
/// ```
/// # use girih::gpu::ptx::{Instruction, InstructionError, Mismatch, Opcode};
/// let e = Instruction::new(Opcode::parse("add.f32").unwrap(), vec![]).unwrap_err();
/// assert!(matches!(e, InstructionError { mismatch: Mismatch::Count { found: 0, .. }, .. }));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct InstructionError {
    /// the instruction as it would be printed
    pub instruction: String,
    /// what does not agree
    pub mismatch: Mismatch,
}

/// What does not agree.
/// ```
/// # use girih::gpu::ptx::Mismatch;
/// assert_ne!(Mismatch::Count { expected: vec![3], found: 2 }, Mismatch::Guard);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Mismatch {
    /// how many there are
    Count {
        /// the numbers that it takes
        expected: Vec<usize>,
        /// how many there were
        found: usize,
    },
    /// one of them
    Operand {
        /// counted from 1
        index: usize,
        /// it, and its type
        found: String,
        /// what would do
        expected: String,
    },
    /// the guard is no predicate
    Guard,
}

impl fmt::Display for InstructionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.instruction)?;
        match &self.mismatch {
            Mismatch::Count { expected, found } => {
                let expected: Vec<_> = expected.iter().map(usize::to_string).collect();
                write!(f, "{found} operands, where {} are wanted", expected.join(" or "))
            }
            Mismatch::Operand { index, found, expected } => {
                write!(f, "operand {index} is {found}, where {expected} is wanted")
            }
            Mismatch::Guard => f.write_str("the guard is no predicate"),
        }
    }
}

impl std::error::Error for InstructionError {}

/// Why an instruction could not be made from its spelling.
/// ```
/// # use girih::gpu::ptx::{Instruction, PtxError};
/// assert!(matches!(Instruction::spelled("ad.f32", vec![]), Err(PtxError::Opcode(_))));
/// assert!(matches!(Instruction::spelled("add.f32", vec![]), Err(PtxError::Operands(_))));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum PtxError {
    /// there is no such opcode
    Opcode(OpcodeError),
    /// the operands do not go with it
    Operands(InstructionError),
}

impl fmt::Display for PtxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PtxError::Opcode(e) => e.fmt(f),
            PtxError::Operands(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for PtxError {}

impl From<OpcodeError> for PtxError {
    fn from(e: OpcodeError) -> PtxError {
        PtxError::Opcode(e)
    }
}

impl From<InstructionError> for PtxError {
    fn from(e: InstructionError) -> PtxError {
        PtxError::Operands(e)
    }
}

impl Instruction {
    /// An instruction, its operands checked against the row of the table.
    /// ```
    /// # use girih::gpu::ptx::{Instruction, Opcode};
    /// assert_eq!(Instruction::new(Opcode::parse("ret")?, vec![])?.to_string(), "ret;");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an operand is not of the kind or width that the opcode wants.
    pub fn new(opcode: Opcode, operands: Vec<Operand>) -> Result<Instruction, InstructionError> {
        let mut counts = Vec::new();
        let mut worst: Option<(usize, String)> = None;
        for (i, (_, kinds)) in opcode.signatures().enumerate() {
            if kinds.len() != operands.len() {
                counts.push(kinds.len());
                continue;
            }
            let fault = kinds.iter().zip(&operands).position(|(kind, operand)| !opcode.place(kind).admits(operand));
            match fault {
                None => return Ok(Instruction { guard: None, opcode, operands, signature: i as u8 }),
                // of several lists, the one that goes wrong last is the likeliest meant
                Some(at) if worst.as_ref().is_none_or(|(far, _)| at > *far) => {
                    worst = Some((at, opcode.place(kinds[at]).to_string()))
                }
                Some(_) => {}
            }
        }
        counts.sort_unstable();
        counts.dedup();
        let mismatch = match worst {
            Some((at, expected)) => {
                Mismatch::Operand { index: at + 1, found: Printer::anonymous().described(&operands[at]), expected }
            }
            None => Mismatch::Count { expected: counts, found: operands.len() },
        };
        let instruction = Instruction { guard: None, opcode, operands, signature: 0 };
        Err(InstructionError { instruction: instruction.to_string().trim_end_matches(';').into(), mismatch })
    }

    /// An instruction of this spelling.
    /// ```
    /// # use girih::gpu::ptx::{Instruction, Operand, Reg, Type};
    /// let r = |id| Operand::from(Reg { id, ty: Type::B32 });
    /// let i = Instruction::spelled("add.rn.f16x2", vec![r(0), r(0), r(1)])?;
    /// assert_eq!(i.to_string(), "add.rn.f16x2 %r0, %r0, %r1;");
    /// # Ok::<(), girih::gpu::ptx::PtxError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such opcode or the operands do not go with it.
    pub fn spelled(opcode: &str, operands: Vec<Operand>) -> Result<Instruction, PtxError> {
        Ok(Instruction::new(Opcode::parse(opcode)?, operands)?)
    }

    /// The same, under a guard.
    /// ```
    /// # use girih::gpu::ptx::{Instruction, Reg, Type};
    /// let p = Reg { id: 0, ty: Type::Pred };
    /// assert_eq!(Instruction::spelled("ret", vec![])?.guarded(p)?.to_string(), "@%p0 ret;");
    /// # Ok::<(), girih::gpu::ptx::PtxError>(())
    /// ```
    ///
    /// # Errors
    /// If it is no predicate.
    pub fn guarded(mut self, guard: impl Into<Guard>) -> Result<Instruction, InstructionError> {
        let guard = guard.into();
        if guard.pred.ty != Type::Pred {
            let instruction = self.to_string().trim_end_matches(';').into();
            return Err(InstructionError { instruction, mismatch: Mismatch::Guard });
        }
        self.guard = Some(guard);
        Ok(self)
    }

    /// What it does.
    /// ```
    /// # use girih::gpu::ptx::Instruction;
    /// assert_eq!(Instruction::spelled("ret", vec![])?.opcode().mnemonic(), "ret");
    /// # Ok::<(), girih::gpu::ptx::PtxError>(())
    /// ```
    pub fn opcode(&self) -> Opcode {
        self.opcode
    }

    /// What it works on.
    /// ```
    /// # use girih::gpu::ptx::Instruction;
    /// assert!(Instruction::spelled("ret", vec![])?.operands().is_empty());
    /// # Ok::<(), girih::gpu::ptx::PtxError>(())
    /// ```
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    fn signature(&self) -> Option<(&'static Signature, Vec<&'static Kind>)> {
        self.opcode.signatures().nth(self.signature.into())
    }

    /// What each of its operands is.
    pub(super) fn kinds(&self) -> Vec<&'static Kind> {
        self.signature().map(|(_, kinds)| kinds).unwrap_or_default()
    }

    /// The lowest version of PTX that has it on this target; none if the target has it not.
    /// ```
    /// # use girih::gpu::ptx::{Instruction, Reg, Target, Type, Version};
    /// let r = |id| Reg { id, ty: Type::B32 }.into();
    /// let i = Instruction::spelled("fma.rn.bf16x2", vec![r(0), r(0), r(1), r(2)])?;
    /// assert_eq!(i.version_for(Target::SM_80), Some(Version(7, 0)));
    /// # Ok::<(), girih::gpu::ptx::PtxError>(())
    /// ```
    pub fn version_for(&self, target: Target) -> Option<Version> {
        let of_signature = self.signature().map_or(Some(Version(1, 0)), |(s, _)| s.requirement.version_for(target));
        let special = self.operands.iter().filter_map(|o| match o {
            Operand::Special(s) => Some(s.version_for(target)),
            _ => None,
        });
        special.chain([of_signature]).try_fold(self.opcode.version_for(target)?, |all, v| Some(all.max(v?)))
    }

    /// What it needs that the target does not have.
    pub(crate) fn lacking(&self, target: Target) -> Option<Requirement> {
        let of_signature = self.signature().map(|(s, _)| &s.requirement).filter(|r| r.version_for(target).is_none());
        self.opcode.lacking(target).or(of_signature).cloned()
    }

    /// Other registers of the same types in the places of its own.
    pub(crate) fn rename(&mut self, to: &mut impl FnMut(Reg) -> Reg) {
        self.guard.iter_mut().for_each(|g| g.pred = to(g.pred));
        self.operands.iter_mut().for_each(|o| o.rename(to));
    }

    /// Each operand with what happens to it; `d|p` is written, an address read.
    /// ```
    /// # use girih::gpu::ptx::{Access, Instruction, Operand, Reg, Type};
    /// let r = |id| Operand::from(Reg { id, ty: Type::F32 });
    /// let add = Instruction::spelled("add.f32", vec![r(0), r(1), r(2)])?;
    /// assert_eq!(add.accesses().next(), Some((&r(0), Access::Write)));
    /// # Ok::<(), girih::gpu::ptx::PtxError>(())
    /// ```
    pub fn accesses(&self) -> impl Iterator<Item = (&Operand, Access)> {
        self.operands.iter().zip(self.kinds()).map(|(operand, kind)| match kind {
            Kind::Data(data) | Kind::Pair(data, _) => (operand, data.access),
            _ => (operand, Access::Read),
        })
    }

    /// The type of each operand that is a register, an immediate or a vector of them, and of the first of a pair.
    pub(crate) fn types(&self) -> Vec<Option<Type>> {
        let ty = |kind: &&Kind| match kind {
            Kind::Data(data) | Kind::Pair(data, _) => Some(self.opcode.ty(data)),
            _ => None,
        };
        self.kinds().iter().map(ty).collect()
    }

    /// Every register that it names, with what happens to it; the guard is read.
    /// ```
    /// # use girih::gpu::ptx::{Access, Instruction, Reg, Type};
    /// let r = |id| Reg { id, ty: Type::F32 };
    /// let add = Instruction::spelled("add.f32", vec![r(0).into(), r(1).into(), 2.0f32.into()])?;
    /// assert_eq!(add.registers(), [(r(0), Access::Write), (r(1), Access::Read)]);
    /// # Ok::<(), girih::gpu::ptx::PtxError>(())
    /// ```
    pub fn registers(&self) -> Vec<(Reg, Access)> {
        let mut all: Vec<_> = self.guard.iter().map(|g| (g.pred, Access::Read)).collect();
        for (operand, access) in self.accesses() {
            operand.each_register(access, &mut |r, access| all.push((r, access)));
        }
        all
    }
}

impl Operand {
    fn each_register(&self, access: Access, see: &mut impl FnMut(Reg, Access)) {
        let mut address = |a: &Address| {
            if let Base::Reg(r) = a.base {
                see(r, Access::Read);
            }
        };
        match self {
            Operand::Reg(r) | Operand::Not(r) => see(*r, access),
            Operand::Vector(of) => of.iter().for_each(|o| o.each_register(access, see)),
            Operand::Pair(of) => of.iter().for_each(|o| o.each_register(access, see)),
            Operand::Address(a) => address(a),
            Operand::Tensor(a, coordinates) => {
                address(a);
                coordinates.iter().for_each(|o| o.each_register(Access::Read, see));
            }
            Operand::Call(call) => {
                call.results.iter().for_each(|o| o.each_register(Access::Write, see));
                call.callee.each_register(Access::Read, see);
                call.arguments.iter().for_each(|o| o.each_register(Access::Read, see));
            }
            Operand::Int(_) | Operand::F32(_) | Operand::F64(_) | Operand::Sink => {}
            Operand::Symbol(..) | Operand::Special(_) => {}
        }
    }
}

impl Operand {
    fn rename(&mut self, to: &mut impl FnMut(Reg) -> Reg) {
        let address = |a: &mut Address, to: &mut dyn FnMut(Reg) -> Reg| {
            if let Base::Reg(r) = &mut a.base {
                *r = to(*r);
            }
        };
        match self {
            Operand::Reg(r) | Operand::Not(r) => *r = to(*r),
            Operand::Vector(of) => of.iter_mut().for_each(|o| o.rename(to)),
            Operand::Pair(of) => of.iter_mut().for_each(|o| o.rename(to)),
            Operand::Address(a) => address(a, to),
            Operand::Tensor(a, coordinates) => {
                address(a, to);
                coordinates.iter_mut().for_each(|o| o.rename(to));
            }
            Operand::Call(call) => {
                let Call { results, callee, arguments, .. } = &mut **call;
                results.iter_mut().chain([callee]).chain(arguments).for_each(|o| o.rename(to));
            }
            Operand::Int(_) | Operand::F32(_) | Operand::F64(_) | Operand::Sink => {}
            Operand::Symbol(..) | Operand::Special(_) => {}
        }
    }
}

impl Opcode {
    /// The register type of the first operand, if that is a single register that is written.
    pub(crate) fn result(&self) -> Option<Type> {
        match self.signatures().next()?.1.first()? {
            Kind::Data(data) if data.access == Access::Write && self.count(data).is_none() => {
                Some(self.ty(data).register())
            }
            _ => None,
        }
    }
}

/// With registers named by their types and numbers.
impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Printer::anonymous().instruction(self))
    }
}
