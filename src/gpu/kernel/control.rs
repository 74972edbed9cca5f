//! Predicates and structured control flow.

use super::arith::Fact;
use super::index::Index;
use super::{Kernel, Node, Scope};
use crate::gpu::ptx::{Guard, Instruction, Operand, Otherwise, Reg, Statement, Type};

/// A condition: decided when building, or held in a predicate register.
/// ```
/// use girih::gpu::kernel::{Kernel, Pred};
/// use girih::gpu::ptx::Target;
/// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
/// let tid = k.tid();
/// assert_eq!((k.lt(&tid, &128.into()), k.lt(&tid, &0.into())), (Pred::Always, Pred::Never));
/// assert!(matches!(k.lt(&tid, &7.into()), Pred::If(_, false)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pred {
    /// it holds
    Always,
    /// it does not
    Never,
    /// it holds if the register does, or if it does not when negated
    If(Reg, bool),
}

impl core::ops::Not for Pred {
    type Output = Pred;
    fn not(self) -> Pred {
        match self {
            Pred::Always => Pred::Never,
            Pred::Never => Pred::Always,
            Pred::If(r, negated) => Pred::If(r, !negated),
        }
    }
}

impl Kernel {
    /// `a < b`.
    /// ```
    /// # use girih::gpu::{kernel::{Kernel, Pred}, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// assert_eq!(k.lt(&tid, &(tid.clone() + 1)), Pred::Always);
    /// ```
    pub fn lt(&mut self, a: &Index, b: &Index) -> Pred {
        let difference = b - a;
        let (lo, hi) = self.range(&difference);
        if lo > 0 {
            return Pred::Always;
        }
        if hi <= 0 {
            return Pred::Never;
        }
        self.compare("lt", a, b)
    }

    /// `a == b`.
    /// ```
    /// # use girih::gpu::{kernel::{Kernel, Pred}, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// assert_eq!(k.eq(&tid, &128.into()), Pred::Never);
    /// ```
    pub fn eq(&mut self, a: &Index, b: &Index) -> Pred {
        let difference = b - a;
        match self.range(&difference) {
            (0, 0) => Pred::Always,
            (lo, hi) if lo > 0 || hi < 0 => Pred::Never,
            _ => self.compare("eq", a, b),
        }
    }

    /// The known part goes to the right, where it can be an immediate.
    fn compare(&mut self, cmp: &str, a: &Index, b: &Index) -> Pred {
        let (a, known) = a.split();
        let b = b + Index { terms: vec![], offset: -known };
        let ((x, y), ty) = self.integers(&a, &b);
        let op = match (cmp, ty.bits()) {
            ("lt", 32) => "setp.lt.s32",
            ("lt", _) => "setp.lt.s64",
            (_, 32) => "setp.eq.s32",
            _ => "setp.eq.s64",
        };
        Pred::If(self.pure(op, vec![x, y], Type::Pred, (0, 1)), false)
    }

    /// Both hold.
    /// ```
    /// # use girih::gpu::{kernel::{Kernel, Pred}, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let p = k.lt(&tid, &7.into());
    /// assert_eq!((k.and(p, Pred::Always), k.and(Pred::Never, p)), (p, Pred::Never));
    /// ```
    pub fn and(&mut self, p: Pred, q: Pred) -> Pred {
        match (p, q) {
            (Pred::Never, _) | (_, Pred::Never) => Pred::Never,
            (Pred::Always, other) | (other, Pred::Always) => other,
            (p, q) if p == q => p,
            (Pred::If(a, x), Pred::If(b, y)) => {
                let (a, b) = (self.positive(a, x), self.positive(b, y));
                Pred::If(self.pure("and.pred", vec![a.into(), b.into()], Type::Pred, (0, 1)), false)
            }
        }
    }

    fn positive(&mut self, r: Reg, negated: bool) -> Reg {
        if negated { self.pure("not.pred", vec![r.into()], Type::Pred, (0, 1)) } else { r }
    }

    /// `p ? a : b`, of indices.
    /// ```
    /// # use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let p = k.lt(&tid, &7.into());
    /// let least = k.select(p, &tid, &7.into());
    /// assert_eq!(k.range(&least), (0, 127));
    /// ```
    pub fn select(&mut self, p: Pred, a: &Index, b: &Index) -> Index {
        let (r, negated) = match p {
            Pred::Always => return a.clone(),
            Pred::Never => return b.clone(),
            Pred::If(r, negated) => (r, negated),
        };
        let (a, b) = if negated { (b, a) } else { (a, b) };
        let ((lo, hi), (lo2, hi2)) = (self.range(a), self.range(b));
        let ((x, y), ty) = self.integers(a, b);
        let op = if ty.bits() == 64 { "selp.b64" } else { "selp.b32" };
        Index::register(self.pure(op, vec![x, y, r.into()], ty, (lo.min(lo2), hi.max(hi2))))
    }

    /// What `body` emits is executed where the condition holds, each instruction under the predicate, without a branch. What it
    /// loads is not to be read elsewhere: the destination is undefined there.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let first = k.eq(&tid, &0.into());
    /// k.guarded(&first, |k| k.emit("trap", vec![]));
    /// assert!(k.finish()?.to_string().contains("@%p0 trap;"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn guarded(&mut self, p: &Pred, body: impl FnOnce(&mut Kernel)) {
        self.guarded_as(p, Otherwise::Undefined, body);
    }

    /// The same, destinations keeping what they held where the condition does not hold.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let (p, x) = (k.lt(&tid, &3.into()), k.op("mov.f32", vec![0.0f32.into()]));
    /// k.guarded_or_kept(&p, |k| k.emit("add.f32", vec![x.into(), x.into(), 1.0f32.into()]));
    /// assert!(!k.finish()?.to_string().contains("undefined"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn guarded_or_kept(&mut self, p: &Pred, body: impl FnOnce(&mut Kernel)) {
        self.guarded_as(p, Otherwise::Kept, body);
    }

    fn guarded_as(&mut self, p: &Pred, otherwise: Otherwise, body: impl FnOnce(&mut Kernel)) {
        let outer = self.guard;
        let both = match outer {
            Some(g) => self.and(Pred::If(g.pred, g.negated), *p),
            None => *p,
        };
        match both {
            Pred::Never => return,
            Pred::Always => {}
            Pred::If(pred, negated) => self.guard = Some(Guard { pred, negated, otherwise }),
        }
        body(self);
        self.guard = outer;
    }

    fn label(&mut self, what: &str) -> Box<str> {
        self.labels += 1;
        format!("${what}{}", self.labels).into()
    }

    fn jump(&mut self, p: Option<(Reg, bool)>, to: &str) {
        let guard = p.map(|(pred, negated)| Guard { pred, negated, otherwise: Otherwise::Kept });
        self.emit_under(guard, "bra", vec![Operand::Symbol(to.into(), 0)]);
    }

    /// Opens a block, whose registers are computed in it or before it, and closes it again.
    fn block(&mut self, body: impl FnOnce(&mut Kernel)) {
        self.scopes.push(Scope::default());
        body(self);
        let inner = self.scopes.pop().unwrap_or_default();
        if let Some(outer) = self.scopes.last_mut() {
            outer.nodes.extend(inner.nodes);
        }
    }

    fn place(&mut self, label: &str) {
        self.scopes.last_mut().into_iter().for_each(|scope| {
            scope.nodes.push(Node { statement: Statement::Label(label.into()), pure: false });
        });
    }

    /// `if`, with a branch.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let first = k.eq(&tid, &0.into());
    /// k.branch(&first, |k| k.emit("trap", vec![]));
    /// assert!(k.finish()?.to_string().contains("bra $else1;"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn branch(&mut self, p: &Pred, then: impl FnOnce(&mut Kernel)) {
        self.branch_or(p, then, |_| {});
    }

    /// `if` and `else`, with branches.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let first = k.eq(&tid, &0.into());
    /// k.branch_or(&first, |k| k.emit("trap", vec![]), |k| k.emit("exit", vec![]));
    /// assert!(k.finish()?.to_string().contains("$endif"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn branch_or(&mut self, p: &Pred, then: impl FnOnce(&mut Kernel), or: impl FnOnce(&mut Kernel)) {
        let (r, negated) = match p {
            Pred::Always => return self.block(then),
            Pred::Never => return self.block(or),
            Pred::If(r, negated) => (*r, *negated),
        };
        let (other, end) = (self.label("else"), self.label("endif"));
        self.jump(Some((r, !negated)), &other);
        self.block(then);
        let at = self.scopes.last().map_or(0, |s| s.nodes.len());
        self.place(&other);
        self.block(or);
        // an empty `else` needs no jump around it
        let empty = self.scopes.last().is_some_and(|s| s.nodes.len() == at + 1);
        if !empty && let Some(op) = self.opcode("bra") {
            let jump = Instruction::new(op, vec![Operand::Symbol(end.clone(), 0)]);
            match jump {
                Ok(jump) => self.scopes.last_mut().into_iter().for_each(|scope| {
                    scope.nodes.insert(at, Node { statement: Statement::Instruction(jump.clone()), pure: false });
                }),
                Err(e) => self.fail(e),
            }
            self.place(&end);
        }
    }

    /// Leaves the kernel where the condition holds.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::Target};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let beyond = k.lt(&99.into(), &tid);
    /// k.exit_if(&beyond);
    /// assert!(k.finish()?.to_string().contains("ret;"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn exit_if(&mut self, p: &Pred) {
        let guard = match p {
            Pred::Never => return,
            Pred::Always => None,
            Pred::If(pred, negated) => Some(Guard { pred: *pred, negated: *negated, otherwise: Otherwise::Kept }),
        };
        self.emit_under(guard, "ret", vec![]);
    }

    /// A loop over `lo, lo + step, ..` below `hi`, in a register; what does not depend on it is computed before the loop.
    /// ```
    /// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let (x, n, tid) = (k.pointer("x", Type::F32), k.size("n"), k.tid());
    /// let sum = k.op("mov.f32", vec![0.0f32.into()]);
    /// k.for_each(&tid, &n, 128, |k, i| {
    ///     let v = k.load(&x.at(i), 1);
    ///     k.emit("add.f32", vec![sum.into(), sum.into(), v[0].into()]);
    /// });
    /// assert!(k.finish()?.to_string().contains("bra $loop1;"));
    /// # Ok::<(), girih::gpu::kernel::KernelError>(())
    /// ```
    pub fn for_each(&mut self, lo: &Index, hi: &Index, step: i64, body: impl FnOnce(&mut Kernel, &Index)) {
        if step <= 0 {
            return self.fail(super::KernelError::Negative { of: "a step" });
        }
        let (begin, end) = (self.label("loop"), self.label("endloop"));
        match self.lt(lo, hi) {
            Pred::Never => return,
            Pred::Always => {}
            Pred::If(r, negated) => self.jump(Some((r, !negated)), &end),
        }
        let least = self.range(lo).0;
        let (most, step128) = (self.range(hi).1 - 1, i128::from(step));
        // the register goes one step beyond the last value
        let fits = |x: i128| i32::try_from(x).is_ok();
        let ty = if fits(least) && fits(most + step128) { Type::B32 } else { Type::B64 };
        let limit = if ty == Type::B32 { self.narrow(hi) } else { self.wide(hi) };
        let first = if ty == Type::B32 { self.narrow(lo) } else { self.wide(lo) };
        let r = self.reg(ty);
        self.emit(if ty == Type::B32 { "mov.b32" } else { "mov.b64" }, vec![r.into(), first]);
        self.block(|k| {
            k.place(&begin);
            // unrolling is the builder's to decide
            k.push(Statement::Pragma("nounroll".into()), false);
            k.facts.insert(r.id, Fact::range(least, most, Some(k.scopes.len() - 1)));
            body(k, &Index::register(r));
            let wide = ty == Type::B64;
            k.emit(if wide { "add.s64" } else { "add.s32" }, vec![r.into(), r.into(), step.into()]);
            let again = k.op(if wide { "setp.lt.s64" } else { "setp.lt.s32" }, vec![r.into(), limit]);
            k.jump(Some((again, false)), &begin);
        });
        self.place(&end);
    }
}
