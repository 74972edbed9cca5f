//! Predicates and structured control flow.

use super::arith::Fact;
use super::index::Index;
use super::{Kernel, Node, Scope};
use crate::gpu::ptx::{Access, Guard, Operand, Otherwise, Reg, Statement, Type};
use std::collections::HashSet;

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
        if !self.exact(a) || !self.exact(b) {
            return Pred::Never;
        }
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
        if !self.exact(a) || !self.exact(b) {
            return Pred::Never;
        }
        let difference = b - a;
        match self.range(&difference) {
            (0, 0) => Pred::Always,
            (lo, hi) if lo > 0 || hi < 0 => Pred::Never,
            _ => self.compare("eq", a, b),
        }
    }

    /// The known part goes to the right, where it can be an immediate.
    fn compare(&mut self, cmp: &str, a: &Index, b: &Index) -> Pred {
        let (cmp, a, b) = match (cmp, a.terms.is_empty()) {
            ("lt", true) => ("gt", b, a),
            (_, true) => (cmp, b, a),
            _ => (cmp, a, b),
        };
        let (a, known) = a.split();
        let b = b + Index { terms: vec![], offset: known.saturating_neg() };
        let ((x, y), ty) = self.integers(&a, &b);
        let op = match (cmp, ty.bits()) {
            ("lt", 32) => "setp.lt.s32",
            ("lt", _) => "setp.lt.s64",
            ("gt", 32) => "setp.gt.s32",
            ("gt", _) => "setp.gt.s64",
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
            (p, q) if p == !q => Pred::Never,
            (Pred::If(a, x), Pred::If(b, y)) => {
                let (a, b) = (self.positive(a, x), self.positive(b, y));
                Pred::If(self.pure("and.pred", vec![a.into(), b.into()], Type::Pred, (0, 1)), false)
            }
        }
    }

    /// `r != 0`, of an integer of 32 bits.
    pub(crate) fn nonzero(&mut self, r: Reg) -> Pred {
        Pred::If(self.pure("setp.ne.b32", vec![r.into(), 0.into()], Type::Pred, (0, 1)), false)
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
            Pred::Always => return self.settled(a.clone()),
            Pred::Never => return self.settled(b.clone()),
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

    pub(crate) fn guarded_as(&mut self, p: &Pred, otherwise: Otherwise, body: impl FnOnce(&mut Kernel)) {
        // without a condition of its own the outer guard keeps its meaning
        if *p == Pred::Always {
            return body(self);
        }
        let outer = self.guard;
        match self.inside_guard(*p) {
            Pred::Never => return,
            Pred::Always => {}
            Pred::If(pred, negated) => self.guard = Some(Guard { pred, negated, otherwise }),
        }
        body(self);
        self.guard = outer;
    }

    /// Both the condition and the guard hold: what is computed under a guard is not to steer threads outside of it.
    fn inside_guard(&mut self, p: Pred) -> Pred {
        match self.guard {
            Some(g) => self.and(Pred::If(g.pred, g.negated), p),
            None => p,
        }
    }

    fn label(&mut self, what: &str) -> Box<str> {
        self.labels += 1;
        format!("${what}{}", self.labels).into()
    }

    fn jump(&mut self, p: Option<(Reg, bool)>, to: &str) {
        let guard = p.map(|(pred, negated)| Guard { pred, negated, otherwise: Otherwise::Kept });
        self.emit_under(guard, "bra", vec![Operand::Symbol(to.into(), 0)]);
    }

    /// The statements of a block. What it computes from outer registers goes to the outer blocks right away, so before the jump that
    /// may leave this one out: only then it may be used again after it. What depends on registers of the block ends with it.
    fn block(&mut self, body: impl FnOnce(&mut Kernel)) -> Vec<Node> {
        self.scopes.push(Scope::default());
        body(self);
        let inner = self.scopes.pop().unwrap_or_default().nodes;
        for node in inner.iter().filter(|n| n.pure) {
            if let Statement::Instruction(i) = &node.statement {
                i.registers().iter().filter(|(_, access)| *access == Access::Write).for_each(|(r, _)| self.end(*r));
            }
        }
        inner
    }

    /// The registers that are sure to be written here, in every thread. What only one arm of a branch writes is not, even if the other
    /// does too.
    pub(crate) fn written(&self) -> HashSet<Reg> {
        let mut written = HashSet::new();
        for scope in &self.scopes {
            // labels that jumps lead to and that are not reached yet: what lies between may be skipped
            let (mut ahead, mut behind) = (HashSet::new(), HashSet::new());
            for node in &scope.nodes {
                let i = match &node.statement {
                    Statement::Instruction(i) => i,
                    Statement::Label(label) => {
                        ahead.remove(label);
                        behind.insert(label);
                        continue;
                    }
                    _ => continue,
                };
                for operand in i.operands() {
                    match operand {
                        Operand::Symbol(to, _) if i.opcode().mnemonic() == "bra" && !behind.contains(to) => {
                            ahead.insert(to);
                        }
                        _ => {}
                    }
                }
                for (r, _) in i.registers().into_iter().filter(|(_, access)| *access != Access::Read) {
                    match i.guard.map(|g| g.otherwise) {
                        None if ahead.is_empty() => {
                            written.insert(r);
                        }
                        Some(Otherwise::Undefined) => {
                            written.remove(&r);
                        }
                        _ => {}
                    }
                }
            }
        }
        written
    }

    /// From here on the register is not to be read.
    fn end(&mut self, r: Reg) {
        self.registers.get_mut(r.id as usize).into_iter().for_each(|known| (known.fact, known.ended) = (None, true));
    }

    fn append(&mut self, nodes: Vec<Node>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.nodes.extend(nodes);
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
            Pred::Always => {
                let then = self.block(then);
                return self.append(then);
            }
            Pred::Never => {
                let or = self.block(or);
                return self.append(or);
            }
            Pred::If(..) => match self.inside_guard(*p) {
                Pred::If(r, negated) => (r, negated),
                // it contradicts the guard, under which nothing is executed
                _ => return,
            },
        };
        let (other, end) = (self.label("else"), self.label("endif"));
        let (then, or) = (self.block(then), self.block(or));
        self.jump(Some((r, !negated)), &other);
        self.append(then);
        // an empty `else` needs no jump around it
        if or.is_empty() {
            return self.place(&other);
        }
        self.jump(None, &end);
        self.place(&other);
        self.append(or);
        self.place(&end);
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
        self.guarded_or_kept(p, |k| k.emit("ret", vec![]));
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
        let entered = self.lt(lo, hi);
        let entered = self.inside_guard(entered);
        if entered == Pred::Never {
            return;
        }
        let least = self.range(lo).0;
        let most = self.range(hi).1.saturating_sub(1);
        // the register goes one step beyond the last value
        let beyond = most.saturating_add(step.into());
        if least < i64::MIN.into() || beyond > i64::MAX.into() {
            return self.fail(super::KernelError::TooLarge { lo: least, hi: beyond });
        }
        let narrow = i32::try_from(least).is_ok() && i32::try_from(beyond).is_ok();
        let (ty, mov) = if narrow { (Type::B32, "mov.b32") } else { (Type::B64, "mov.b64") };
        // the limit is what it is here, whatever variables become in the loop
        let hi = self.settled(hi.clone());
        let (first, limit) = if narrow { (self.narrow(lo), self.narrow(&hi)) } else { (self.wide(lo), self.wide(&hi)) };
        let r = self.reg(ty);
        let inner = self.block(|k| {
            k.place(&begin);
            // unrolling is the builder's to decide
            k.push(Statement::Pragma("nounroll".into()), false);
            k.learn(r, Fact::range(least, most, Some(k.scopes.len() - 1)));
            body(k, &Index::register(r));
            // a guard is for the body: all threads count
            let again = k.reg(Type::Pred);
            let (add, below) = if narrow { ("add.s32", "setp.lt.s32") } else { ("add.s64", "setp.lt.s64") };
            k.emit_under(None, add, vec![r.into(), r.into(), step.into()]);
            k.emit_under(None, below, vec![again.into(), r.into(), limit]);
            k.jump(Some((again, false)), &begin);
        });
        if let Pred::If(p, negated) = entered {
            self.jump(Some((p, !negated)), &end);
        }
        self.emit_under(None, mov, vec![r.into(), first]);
        self.append(inner);
        self.place(&end);
        self.end(r);
    }
}
