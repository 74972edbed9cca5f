//! Kernels, built in Rust: registers, structured control flow, parameters, shared memory, and addresses from layouts.
//!
//! A [`Kernel`] takes instructions in order and prints as PTX that a person would write: what is known when building folds into
//! immediates, integer arithmetic is done once and outside of the loops that do not change it, in 32 bits where the value provably
//! fits. No index arithmetic is written by hand: an [`Index`] comes from thread numbers and sizes, and [`Kernel::offset`] evaluates a
//! layout at it.
//!
//! The first error is kept and comes out of [`Kernel::finish`], so that building reads like the kernel.
//! ```
//! use girih::gpu::kernel::Kernel;
//! use girih::gpu::ptx::{Target, Type};
//!
//! // y[i] = 2 x[i] for i < n
//! let mut k = Kernel::new("twice", Target::SM_80, [256, 1, 1]);
//! let (x, y, n) = (k.pointer("x", Type::F32), k.pointer("y", Type::F32), k.size("n"));
//! let i = k.ctaid() * 256 + k.tid();
//! let inside = k.lt(&i, &n);
//! k.branch(&inside, |k| {
//!     let v = k.load(&x.at(&i), 1);
//!     let twice = k.op("add.f32", vec![v[0].into(), v[0].into()]);
//!     k.store(&y.at(&i), &[twice]);
//! });
//! let module = k.finish()?;
//! assert!(module.to_string().contains("add.f32"));
//! # Ok::<(), girih::gpu::kernel::KernelError>(())
//! ```

mod arith;
mod control;
mod emulate;
mod error;
mod finish;
mod index;
mod lower;
mod memory;
mod param;
mod threads;

pub use control::Pred;
pub use emulate::Bf16Op;
pub use error::KernelError;
pub use index::Index;
pub(crate) use memory::shared_limit;
pub use memory::{Pointer, Shared, Spot};

use crate::gpu::ptx::{Access, Guard, Instruction, Opcode, Operand, Otherwise, Reg, Statement, Target, Type, Variable};
use arith::Fact;
use std::collections::HashMap;

/// A kernel in the making.
/// ```
/// use girih::gpu::kernel::Kernel;
/// use girih::gpu::ptx::Target;
/// let module = Kernel::new("nothing", Target::SM_80, [32, 1, 1]).finish()?;
/// assert!(module.to_string().contains(".visible .entry nothing()"));
/// # Ok::<(), girih::gpu::kernel::KernelError>(())
/// ```
pub struct Kernel {
    name: Box<str>,
    target: Target,
    block: [u32; 3],
    params: Vec<Variable>,
    shared: Vec<memory::Buffer>,
    registers: Vec<Register>,
    /// blocks that are open, the function's own first
    scopes: Vec<Scope>,
    guard: Option<Guard>,
    labels: u32,
    opcodes: HashMap<Box<str>, Opcode>,
    /// what symbols of layouts are worth
    symbols: HashMap<String, Index>,
    cluster: Option<[u32; 3]>,
    min_blocks: Option<u32>,
    max_registers: Option<u32>,
    error: Option<KernelError>,
}

/// What is known of a register.
struct Register {
    ty: Type,
    /// of integers
    fact: Option<Fact>,
    /// it is of a block or loop that is closed
    ended: bool,
    /// a variable that something in a block's `known` was computed from
    used: bool,
}

/// A block of the program.
#[derive(Default)]
struct Scope {
    nodes: Vec<Node>,
    /// what was computed here already, from variables since they were assigned
    known: HashMap<(&'static str, Vec<Operand>), Reg>,
}

/// A statement; `pure` ones go if nobody reads their result.
struct Node {
    statement: Statement,
    pure: bool,
}

impl Kernel {
    /// An empty kernel for blocks of so many threads.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let k = Kernel::new("k", Target::SM_90A, [128, 2, 1]);
    /// assert_eq!(k.threads(), 256);
    /// ```
    pub fn new(name: &str, target: Target, block: [u32; 3]) -> Kernel {
        Kernel {
            name: name.into(),
            target,
            block,
            params: Vec::new(),
            shared: Vec::new(),
            registers: Vec::new(),
            scopes: vec![Scope::default()],
            guard: None,
            labels: 0,
            opcodes: HashMap::new(),
            symbols: HashMap::new(),
            cluster: None,
            min_blocks: None,
            max_registers: None,
            error: None,
        }
    }

    /// Threads of a block.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// assert_eq!(Kernel::new("k", Target::SM_80, [32, 4, 1]).threads(), 128);
    /// ```
    pub fn threads(&self) -> u32 {
        self.block.iter().fold(1, |n: u32, extent| n.saturating_mul(*extent))
    }

    /// The target that it is for.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// assert_eq!(Kernel::new("k", Target::SM_80, [32, 4, 1]).target(), Target::SM_80);
    /// ```
    pub fn target(&self) -> Target {
        self.target
    }

    /// Extents of a block.
    pub(crate) fn block_extents(&self) -> [u32; 3] {
        self.block
    }

    /// Launches clusters of so many blocks: `.reqnctapercluster`, from sm_90 on. More than 8 need the driver's leave, 16 are the most.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_90A, [128, 1, 1]);
    /// k.cluster([2, 1, 1]);
    /// let rank = k.cluster_ctarank();
    /// assert_eq!(k.range(&rank), (0, 1));
    /// assert!(k.finish()?.to_string().contains(".reqnctapercluster 2, 1, 1"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn cluster(&mut self, blocks: [u32; 3]) {
        let all = blocks.iter().fold(1, |n: u32, extent| n.saturating_mul(*extent));
        if !(1..=16).contains(&all) || self.target.number() < 90 {
            return self.fail(KernelError::Cluster { cluster: blocks, target: self.target });
        }
        self.cluster = Some(blocks);
    }

    /// Extents of a cluster, if there are clusters.
    pub(crate) fn cluster_extents(&self) -> Option<[u32; 3]> {
        self.cluster
    }

    /// Asks that at least so many blocks fit on a multiprocessor.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// k.min_blocks(2);
    /// assert!(k.finish()?.to_string().contains(".minnctapersm 2"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn min_blocks(&mut self, n: u32) {
        // none at all is no demand
        self.min_blocks = (n > 0).then_some(n);
    }

    /// Limits the registers of a thread.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// k.max_registers(128);
    /// assert!(k.finish()?.to_string().contains(".maxnreg 128"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn max_registers(&mut self, n: u32) {
        self.max_registers = Some(n);
    }

    /// Keeps the first error.
    pub(super) fn fail(&mut self, error: impl Into<KernelError>) {
        self.error.get_or_insert(error.into());
    }

    /// A register, not yet written.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let r = Kernel::new("k", Target::SM_80, [32, 1, 1]).reg(Type::F32);
    /// assert_eq!(r.ty, Type::F32);
    /// ```
    pub fn reg(&mut self, ty: Type) -> Reg {
        let id = self.registers.len() as u32;
        self.registers.push(Register { ty: ty.register(), fact: None, ended: false, used: false });
        Reg { id, ty: ty.register() }
    }

    /// Several registers, not yet written.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// assert_eq!(Kernel::new("k", Target::SM_80, [32, 1, 1]).regs(Type::B32, 4).len(), 4);
    /// ```
    pub fn regs(&mut self, ty: Type, n: usize) -> Vec<Reg> {
        (0..n).map(|_| self.reg(ty)).collect()
    }

    fn opcode(&mut self, spelling: &str) -> Option<Opcode> {
        if let Some(op) = self.opcodes.get(spelling) {
            return Some(*op);
        }
        match Opcode::parse(spelling) {
            Ok(op) => {
                self.opcodes.insert(spelling.into(), op);
                Some(op)
            }
            Err(e) => {
                self.fail(e);
                None
            }
        }
    }

    /// An instruction of any opcode of the table, its destination among the operands.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let r = k.reg(Type::F32);
    /// k.emit("mov.f32", vec![r.into(), 1.5f32.into()]);
    /// k.emit("mov.f33", vec![r.into(), 1.5f32.into()]);
    /// assert_eq!(k.finish().unwrap_err().to_string(), "no instruction `mov.f33`; the nearest is `mov.f32`");
    /// ```
    pub fn emit(&mut self, opcode: &str, operands: Vec<Operand>) {
        let guard = self.guard;
        self.emit_under(guard, opcode, operands);
    }

    fn emit_under(&mut self, guard: Option<Guard>, opcode: &str, operands: Vec<Operand>) {
        let Some(op) = self.opcode(opcode) else { return };
        let made = Instruction::new(op, operands);
        match guard.into_iter().try_fold(made, |i, guard| Ok(i?.guarded(guard))).and_then(|i| i) {
            Ok(instruction) => self.push(Statement::Instruction(instruction), false),
            Err(e) => self.fail(e),
        }
    }

    /// An instruction that was made elsewhere; where a guard holds too, it is executed under both.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::{Instruction, Target}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// k.instruction(Instruction::spelled("bar.sync", vec![0.into()])?);
    /// assert!(k.finish()?.to_string().contains("bar.sync 0;"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn instruction(&mut self, mut instruction: Instruction) {
        let both = match (self.guard, instruction.guard) {
            (Some(outer), Some(own)) => self.and(Pred::If(outer.pred, outer.negated), Pred::If(own.pred, own.negated)),
            (Some(g), None) | (None, Some(g)) => Pred::If(g.pred, g.negated),
            (None, None) => Pred::Always,
        };
        let otherwise = instruction.guard.or(self.guard).map_or(Otherwise::Kept, |g| g.otherwise);
        instruction.guard = match both {
            Pred::Never => return,
            Pred::Always => None,
            Pred::If(pred, negated) => Some(Guard { pred, negated, otherwise }),
        };
        self.push(Statement::Instruction(instruction), false);
    }

    /// An instruction with one result, which gets a register of its own.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let two = k.op("mov.f32", vec![2.0f32.into()]);
    /// let four = k.op("add.f32", vec![two.into(), two.into()]);
    /// assert_eq!(four.ty, Type::F32);
    /// ```
    pub fn op(&mut self, opcode: &str, sources: Vec<Operand>) -> Reg {
        let ty = self.opcode(opcode).and_then(|op| op.result()).unwrap_or(Type::B32);
        let r = self.reg(ty);
        let mut operands = sources;
        operands.insert(0, r.into());
        self.emit(opcode, operands);
        r
    }

    /// Is it a register of this kernel, and not of a block that is closed?
    pub(crate) fn has(&self, r: Reg) -> bool {
        self.registers.get(r.id as usize).is_some_and(|known| known.ty == r.ty && !known.ended)
    }

    /// A comment on a line of its own.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// k.comment("main loop");
    /// assert!(k.finish()?.to_string().contains("// main loop"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn comment(&mut self, text: &str) {
        // a comment ends with its line
        self.push(Statement::Comment(text.lines().collect::<Vec<_>>().join(" ").trim().into()), false);
    }

    fn push(&mut self, statement: Statement, pure: bool) {
        if let Statement::Instruction(i) = &statement {
            for (r, access) in i.registers() {
                self.readable(r);
                if access != Access::Read
                    && self.registers.get_mut(r.id as usize).is_some_and(|r| core::mem::take(&mut r.used))
                {
                    let changed = |o: &Operand| matches!(o, Operand::Reg(s) | Operand::Not(s) if *s == r);
                    self.scopes.iter_mut().for_each(|s| s.known.retain(|(_, sources), _| !sources.iter().any(changed)));
                }
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.nodes.push(Node { statement, pure });
        }
    }

    /// Is it a register of this kernel, and not of a block that is closed?
    fn readable(&mut self, r: Reg) {
        match self.registers.get(r.id as usize) {
            Some(known) if known.ty == r.ty && !known.ended => {}
            Some(known) if known.ty == r.ty => self.fail(KernelError::Ended { register: r }),
            _ => self.fail(KernelError::Register { register: r }),
        }
    }

    /// What is known of an integer register.
    fn known(&self, r: Reg) -> Option<Fact> {
        self.registers.get(r.id as usize)?.fact
    }

    fn learn(&mut self, r: Reg, fact: Fact) {
        self.registers.get_mut(r.id as usize).into_iter().for_each(|known| known.fact = Some(fact));
    }

    /// No other bits than these are ever set in it.
    fn has_bits(&mut self, r: Reg, bits: u64) {
        if let Some(fact) = self.registers.get_mut(r.id as usize).and_then(|known| known.fact.as_mut()) {
            fact.bits &= bits;
        }
    }

    /// An integer instruction without side effects: computed once in the outermost block that has its operands; where some are
    /// variables, once in this block until one is assigned.
    fn pure(&mut self, opcode: &'static str, sources: Vec<Operand>, ty: Type, (lo, hi): (i128, i128)) -> Reg {
        let here = self.scopes.len() - 1;
        let mut depth = 0;
        let mut varies = false;
        for source in &sources {
            if let Operand::Reg(r) | Operand::Not(r) = source {
                match self.known(*r).map(|f| f.depth) {
                    Some(Some(d)) => depth = depth.max(d),
                    _ => {
                        varies = true;
                        self.registers.get_mut(r.id as usize).into_iter().for_each(|r| r.used = true);
                    }
                }
                self.readable(*r);
            }
        }
        let depth = if varies { here } else { depth };
        let key = (opcode, sources);
        if let Some(r) = self.scopes[depth].known.get(&key) {
            return *r;
        }
        let r = self.computed(depth, opcode, key.1.clone(), ty, (lo, hi));
        self.scopes[depth].known.insert(key, r);
        r
    }

    /// A new register of the block at this depth.
    fn computed(
        &mut self,
        depth: usize,
        opcode: &str,
        mut operands: Vec<Operand>,
        ty: Type,
        (lo, hi): (i128, i128),
    ) -> Reg {
        let r = self.reg(ty);
        self.learn(r, Fact::range(lo, hi, Some(depth)));
        operands.insert(0, r.into());
        let made = self.opcode(opcode).map(|op| Instruction::new(op, operands));
        match made {
            Some(Ok(instruction)) => {
                let node = Node { statement: Statement::Instruction(instruction), pure: true };
                self.scopes[depth].nodes.push(node);
            }
            Some(Err(e)) => self.fail(e),
            None => {}
        }
        r
    }

    /// With copies of the variables in it: what was computed from a variable does not change with it.
    fn settled(&mut self, i: Index) -> Index {
        if i.terms.iter().all(|(r, _)| self.known(*r).is_some_and(|f| f.depth.is_some())) {
            return i;
        }
        let mut sum = Index { terms: vec![], offset: i.offset };
        for (r, c) in i.terms {
            let Fact { lo, hi, bits, depth } = self.fact(r);
            let copy = match (depth, r.ty.bits()) {
                (Some(_), _) => r,
                (None, 64) => self.pure("mov.b64", vec![r.into()], Type::B64, (lo, hi)),
                (None, _) => self.pure("mov.b32", vec![r.into()], Type::B32, (lo, hi)),
            };
            self.has_bits(copy, bits);
            sum = sum + Index::register(copy).scaled(c);
        }
        sum
    }

    /// A register that holds an index and can be [assigned](Kernel::assign); its values are promised to lie in `lo..=hi`.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let stage = k.variable(&0.into(), 0, 3);
    /// k.assign(&stage, &(stage.clone() + 1));
    /// assert!(k.finish()?.to_string().contains("add.s32"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn variable(&mut self, first: &Index, lo: i64, hi: i64) -> Index {
        let narrow = i32::try_from(lo).is_ok() && i32::try_from(hi).is_ok();
        let r = self.reg(if narrow { Type::B32 } else { Type::B64 });
        self.learn(r, Fact::range(lo.into(), hi.into(), None));
        let variable = Index::register(r);
        self.assign(&variable, first);
        variable
    }

    /// Gives a variable another value.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [64, 1, 1]);
    /// let tid = k.tid();
    /// k.assign(&tid, &0.into()); // no variable
    /// assert!(k.finish().is_err());
    /// ```
    pub fn assign(&mut self, variable: &Index, value: &Index) {
        let r = match variable.terms[..] {
            [(r, 1)] if variable.offset == 0 && self.known(r).is_some_and(|f| f.depth.is_none()) => r,
            _ => return self.fail(KernelError::NotAVariable),
        };
        let wide = r.ty.bits() == 64;
        // the last addition goes into the variable itself
        match (value.terms.as_slice(), value.offset) {
            ([(own, 1)], known) if *own == r => {
                let (op, known) = if wide { ("add.s64", known as i64) } else { ("add.s32", (known as i32).into()) };
                self.emit(op, vec![r.into(), r.into(), known.into()]);
            }
            _ => {
                let operand = if wide { self.wide(value) } else { self.narrow(value) };
                self.emit(if wide { "mov.b64" } else { "mov.b32" }, vec![r.into(), operand]);
            }
        }
    }
}
