//! The expansion: operands checked, then one instruction for each repeat.

use super::error::ApplyError;
use super::tensor::{ApplyOperand, MemoryTensor, RegisterTensor, Scalar, axes};
use super::{ApplyOptions, LIMIT, Scope};
use crate::gpu::kernel::{Index, Kernel, Pred};
use crate::gpu::ptx::{Access, Data, Instruction, Opcode, Operand, Otherwise, Place, Reg, Type};
use std::collections::HashSet;

/// What an opcode means over tensors.
#[derive(Clone, Copy, PartialEq)]
enum Pattern {
    /// registers and immediates only
    Registers,
    /// `ld`, `st`, `cp.async`
    Move,
    /// `ldmatrix`, `stmatrix`
    Matrix,
    Mma,
}

/// Instructions between threads, and those that make predicates, addresses or state: emitted by themselves.
const ALONE: [&str; 18] = [
    "setp",
    // what they carry is one bit for all repeats, as in `add.cc`
    "addc",
    "subc",
    "madc",
    "shfl",
    "vote",
    "match",
    "redux",
    "activemask",
    "elect",
    "bar",
    "barrier",
    "mapa",
    "getctarank",
    "setmaxnreg",
    "createpolicy",
    "movmatrix",
    "isspacep",
];

fn pattern(op: &Opcode, places: &[Place]) -> Option<Pattern> {
    let plain = |p: &Place| matches!(p, Place::Scalar(d) if d.ty != Type::Pred);
    let memory = places.iter().filter(|p| matches!(p, Place::Address(_))).count();
    match op.mnemonic() {
        "mma" => Some(Pattern::Mma),
        "ldmatrix" | "stmatrix" => Some(Pattern::Matrix),
        "ld" | "ldu" | "st" if memory == 1 && !op.has("async") && !op.has("bulk") => Some(Pattern::Move),
        "cp" if op.has("async") && memory == 2 && matches!(places.get(2), Some(Place::Immediate(..))) => {
            Some(Pattern::Move)
        }
        m if ALONE.contains(&m)
            || op.qualifiers().any(|q| q == "cc")
            || !matches!(places.first(), Some(Place::Scalar(d)) if d.access == Access::Write) =>
        {
            None
        }
        _ if places.iter().all(|p| plain(p) || matches!(p, Place::Immediate(..) | Place::Vector(..))) => {
            Some(Pattern::Registers)
        }
        // `selp` reads a predicate
        "selp" => Some(Pattern::Registers),
        _ => None,
    }
}

impl Kernel {
    /// Emits an instruction for every repeat of its operands, results first as PTX has them: see [the module](crate::gpu::apply). Returns
    /// how many.
    /// ```
    /// use girih::gpu::apply::{ApplyOptions, MemoryTensor, RegisterTensor};
    /// use girih::gpu::{kernel::Kernel, ptx::{Target, Type}};
    /// use girih::prelude::*;
    /// let mut k = Kernel::new("k", Target::SM_80, [32, 1, 1]);
    /// let x = k.pointer("x", Type::F32);
    /// let r = RegisterTensor::new(&k.regs(Type::F32, 8), &layout!((2,4):(4,1)));
    /// let m = MemoryTensor::new(&x.at(&0.into()), &layout!((2,4):(4,1)), 8, 16);
    /// assert_eq!(k.apply("ld.global.v4.f32", &[(&r).into(), (&m).into()], &ApplyOptions::default())?, 2);
    /// # Ok::<(), girih::gpu::apply::ApplyError>(())
    /// ```
    ///
    /// # Errors
    /// If a condition does not hold: nothing is emitted then.
    pub fn apply(
        &mut self,
        opcode: &str,
        operands: &[ApplyOperand],
        options: &ApplyOptions,
    ) -> Result<usize, ApplyError> {
        let op = Opcode::parse(opcode)?;
        let lists: Vec<Vec<Place>> = op.places().collect();
        let fitting: Vec<&Vec<Place>> = lists.iter().filter(|places| places.len() == operands.len()).collect();
        let Some(first) = fitting.first() else {
            let mut expected: Vec<usize> = lists.iter().map(Vec::len).collect();
            expected.sort_unstable();
            expected.dedup();
            return Err(ApplyError::Count { expected, found: operands.len() });
        };
        let Some(kind) = pattern(&op, first) else {
            return Err(ApplyError::NoPattern { opcode: opcode.into() });
        };
        // of several lists of operands that which fits; the error of the first if none does
        let mut error = None;
        for places in fitting {
            let plan = Plan { op, places, operands, scope: options.scope };
            match plan.instructions(self, kind) {
                Ok(steps) => return self.emit_all(steps, &plan, kind, options),
                Err(e) => error = error.or(Some(e)),
            }
        }
        Err(error.unwrap_or(ApplyError::NoPattern { opcode: opcode.into() }))
    }

    fn emit_all(
        &mut self,
        steps: Vec<Step>,
        plan: &Plan,
        kind: Pattern,
        options: &ApplyOptions,
    ) -> Result<usize, ApplyError> {
        if options.preserve_dst {
            if options.pred.is_none() {
                return Err(ApplyError::PreserveWithoutPredicate);
            }
            let Some(operand) = plan.places.iter().position(writes) else { return Err(ApplyError::PreserveNothing) };
            let written = self.written();
            let mut accesses = steps.iter().flat_map(|s| s.instruction.registers());
            if accesses.any(|(r, access)| access != Access::Read && !written.contains(&r)) {
                return Err(ApplyError::PreserveUnwritten { operand: operand + 1 });
            }
        }
        let pred = match options.pred {
            None => Pred::Always,
            Some(register) if !self.has(register) => return Err(ApplyError::Register { register }),
            Some(p) if p.ty == Type::Pred => Pred::If(p, false),
            Some(p) if p.ty.bits() == 32 && !p.ty.is_float() => self.nonzero(p),
            Some(_) => return Err(ApplyError::Predicate),
        };
        let n = steps.len();
        let all = plan.addressed(self, steps, kind)?;
        let otherwise = if options.preserve_dst { Otherwise::Kept } else { Otherwise::Undefined };
        self.guarded_as(&pred, otherwise, |k| all.into_iter().for_each(|i| k.instruction(i)));
        Ok(n)
    }
}

fn writes(place: &Place) -> bool {
    matches!(place, Place::Scalar(d) | Place::Vector(d, _) if d.access != Access::Read)
}

/// An instruction of one repeat, whose addresses are still to be computed.
struct Step {
    at: Vec<i64>,
    instruction: Instruction,
}

/// An opcode, the list of operands that it is to have, and what is given.
struct Plan<'a> {
    op: Opcode,
    places: &'a [Place],
    operands: &'a [ApplyOperand<'a>],
    scope: Scope,
}

impl Plan<'_> {
    /// The instructions, every condition checked. Nothing is emitted.
    fn instructions(&self, k: &Kernel, kind: Pattern) -> Result<Vec<Step>, ApplyError> {
        let collective = matches!(kind, Pattern::Matrix | Pattern::Mma);
        self.check_scope(k, collective)?;
        let group = self.scope.group(collective);
        for (i, (operand, place)) in self.operands.iter().zip(self.places).enumerate() {
            self.check(k, i + 1, operand, place, &group, kind)?;
        }
        let (steps, depth) = match kind {
            Pattern::Mma => self.mma(&group)?,
            _ => (self.elementwise(&group, kind)?, 1),
        };
        self.check_order(k, &steps, depth)?;
        Ok(steps)
    }

    /// That the scope's threads are the kernel's.
    fn check_scope(&self, k: &Kernel, collective: bool) -> Result<(), ApplyError> {
        let (block, cluster) = (k.block_extents(), k.cluster_extents());
        let threads = u64::from(k.threads());
        let of = |warps: u32| threads == 32 * u64::from(warps);
        let fits = match self.scope {
            Scope::Thread => !collective || threads % 32 == 0,
            Scope::Warp => threads % 32 == 0,
            Scope::Warpgroup => threads % 128 == 0,
            Scope::Cta { warps } => of(warps),
            Scope::Cluster { ctas, warps } => of(warps) && cluster.is_some_and(|c| c.iter().product::<u32>() == ctas),
        };
        if fits { Ok(()) } else { Err(ApplyError::Scope { scope: self.scope, block, cluster }) }
    }

    /// That registers are the kernel's, each written by one repeat and by none before another reads it. Each `depth` steps add to one
    /// result, which all but the first read as their last operand.
    fn check_order(&self, k: &Kernel, steps: &[Step], depth: usize) -> Result<(), ApplyError> {
        let mut written = HashSet::new();
        for (i, step) in steps.iter().enumerate() {
            let adds = i % depth > 0;
            let accesses = step.instruction.accesses().enumerate();
            let each = accesses.flat_map(|(n, (o, a))| registers(o).into_iter().map(move |r| (n + 1, r, a)));
            let each: Vec<(usize, Reg, Access)> = each.collect();
            for &(operand, register, access) in &each {
                let sum = adds && operand == self.operands.len();
                if !k.has(register) {
                    return Err(ApplyError::Register { register });
                }
                if access != Access::Write && !sum && written.contains(&register) {
                    return Err(ApplyError::Hazard { operand, register });
                }
            }
            for (operand, register, access) in each {
                if access != Access::Read && !adds && !written.insert(register) {
                    return Err(ApplyError::Overlap { operand, register });
                }
            }
        }
        for (i, operand) in self.operands.iter().enumerate() {
            if let (ApplyOperand::Memory(m), 2..) = (operand, steps.len())
                && let Some(register) = m.spot.registers().find(|r| written.contains(r))
            {
                return Err(ApplyError::Hazard { operand: i + 1, register });
            }
        }
        Ok(())
    }

    /// The instructions with their addresses, computed here.
    fn addressed(&self, k: &mut Kernel, steps: Vec<Step>, kind: Pattern) -> Result<Vec<Instruction>, ApplyError> {
        if !self.operands.iter().any(|o| matches!(o, ApplyOperand::Memory(_))) {
            return Ok(steps.into_iter().map(|s| s.instruction).collect());
        }
        let threads = self.threads(k, kind);
        let mut all = Vec::new();
        for step in steps {
            let mut operands = step.instruction.operands().to_vec();
            for (operand, given) in operands.iter_mut().zip(self.operands) {
                if let ApplyOperand::Memory(m) = given {
                    *operand = self.address(k, m, &threads, &step.at, kind);
                }
            }
            all.push(Instruction::new(self.op, operands)?);
        }
        Ok(all)
    }

    /// What can be said of an operand by itself.
    fn check(
        &self,
        k: &Kernel,
        n: usize,
        operand: &ApplyOperand,
        place: &Place,
        group: &[i64],
        kind: Pattern,
    ) -> Result<(), ApplyError> {
        let data = |d: &Data, registers: i64| match operand {
            ApplyOperand::Registers(t) => {
                let (_, last) = t.check(n, group)?;
                if last != registers {
                    return Err(ApplyError::Width { operand: n, expected: registers, found: last });
                }
                Ok(())
            }
            // C of a matrix product may be one value for all
            ApplyOperand::Scalar(_) if d.access == Access::Read && (registers == 1 || kind == Pattern::Mma) => Ok(()),
            ApplyOperand::Scalar(_) => Err(ApplyError::Kind { operand: n, wanted: "a tensor of registers" }),
            ApplyOperand::Memory(_) => Err(ApplyError::Kind { operand: n, wanted: "a tensor of registers" }),
        };
        match place {
            Place::Scalar(d) => data(d, 1),
            Place::Vector(d, count) => data(d, i64::from(*count)),
            Place::Immediate(..) => match operand {
                ApplyOperand::Scalar(Scalar::Int(_)) => Ok(()),
                _ => Err(ApplyError::Kind { operand: n, wanted: "an integer known when assembling" }),
            },
            Place::Address(space) => match operand {
                ApplyOperand::Memory(m) => self.check_memory(k, n, m, space, group, kind),
                _ => Err(ApplyError::Kind { operand: n, wanted: "a tensor in memory" }),
            },
            _ => Err(ApplyError::NoPattern { opcode: self.op.to_string() }),
        }
    }

    fn check_memory(
        &self,
        k: &Kernel,
        n: usize,
        m: &MemoryTensor,
        space: &'static str,
        group: &[i64],
        kind: Pattern,
    ) -> Result<(), ApplyError> {
        let memory = m.spot.space();
        if space != memory && !(space == "shared::cta" && memory == "shared") {
            return Err(ApplyError::Space { operand: n, opcode: space, memory });
        }
        let bytes = m.spot.bytes();
        let (repeat, last) = axes(n, &m.layout, group)?;
        let words = match kind {
            // a row of a matrix is 16 bytes
            Pattern::Matrix => {
                // each register is 8 rows of 16 bytes, of larger matrices too
                let matrices =
                    self.places.iter().find_map(|p| if let Place::Vector(_, n) = p { Some(*n) } else { None });
                let expected = [matrices.unwrap_or(1).into(), 8];
                if !repeat.ends_with(&expected) {
                    return Err(ApplyError::Matrices { operand: n, expected, found: repeat });
                }
                16 / bytes
            }
            _ => self.words(bytes).ok_or(ApplyError::Element {
                operand: n,
                opcode: self.op.type_of("type").map_or(0, |t| t.bits()),
                memory: (bytes * 8) as u32,
            })?,
        };
        if last != words {
            return Err(ApplyError::Width { operand: n, expected: words, found: last });
        }
        m.check(k, n, words)?;
        // a destination comes first
        if n == 1 { m.check_distinct(n) } else { Ok(()) }
    }

    /// Elements of so many bytes that one instruction moves: those of the type and vector, or the bytes of a copy.
    fn words(&self, bytes: i64) -> Option<i64> {
        if self.op.mnemonic() == "cp" {
            return match self.operands.get(2) {
                Some(ApplyOperand::Scalar(Scalar::Int(n))) if *n > 0 && n % bytes == 0 => Some(n / bytes),
                _ => None,
            };
        }
        let ty = self.op.type_of("type")?;
        let vector = self.op.get("vec").and_then(|v| v.trim_start_matches('v').parse().ok()).unwrap_or(1);
        (i64::from(ty.bits()) == 8 * bytes).then_some(vector)
    }

    /// The repeats that all operands have, and each operand's own extents after the group's.
    fn repeats(&self, group: &[i64], kind: Pattern) -> Result<Vec<i64>, ApplyError> {
        let mut all: Option<Vec<i64>> = None;
        for (i, operand) in self.operands.iter().enumerate() {
            let mut repeat = match operand {
                ApplyOperand::Registers(t) => axes(i + 1, &t.layout(), group)?.0,
                ApplyOperand::Memory(m) => axes(i + 1, &m.layout, group)?.0,
                ApplyOperand::Scalar(_) => continue,
            };
            if let (Pattern::Matrix, ApplyOperand::Memory(_)) = (kind, operand) {
                // matrix and row are of the atom
                repeat.truncate(repeat.len().saturating_sub(2));
            }
            match &all {
                Some(expected) if *expected != repeat => {
                    return Err(ApplyError::Repeats { operand: i + 1, expected: expected.clone(), found: repeat });
                }
                _ => all = Some(repeat),
            }
        }
        Ok(all.unwrap_or_default())
    }

    fn elementwise(&self, group: &[i64], kind: Pattern) -> Result<Vec<Step>, ApplyError> {
        let repeats = self.repeats(group, kind)?;
        bounded(&repeats)?;
        let mut all = Vec::new();
        for at in row_major(&repeats) {
            let mut operands = Vec::new();
            for (operand, place) in self.operands.iter().zip(self.places) {
                operands.push(match operand {
                    ApplyOperand::Registers(t) => bind(t, group.len(), &at, place),
                    ApplyOperand::Scalar(s) => (*s).into(),
                    // computed when all is checked
                    ApplyOperand::Memory(m) => m.spot.origin().into(),
                });
            }
            let instruction = Instruction::new(self.op, operands)?;
            all.push(Step { at, instruction });
        }
        Ok(all)
    }

    /// The thread's coordinate in the group.
    fn threads(&self, k: &mut Kernel, kind: Pattern) -> Vec<Index> {
        let (lane, warp) = (k.lane(), k.warp());
        let mut all = match self.scope {
            Scope::Thread => vec![],
            Scope::Warp => vec![lane],
            Scope::Warpgroup => vec![k.rem(&warp, 4), lane],
            Scope::Cta { .. } => vec![warp, lane],
            Scope::Cluster { .. } => vec![k.cluster_ctarank(), warp, lane],
        };
        if kind == Pattern::Matrix {
            all.pop();
        }
        all
    }

    fn address(&self, k: &mut Kernel, m: &MemoryTensor, threads: &[Index], at: &[i64], kind: Pattern) -> Operand {
        let mut coordinate: Vec<Index> = threads.iter().cloned().chain(at.iter().map(|i| Index::from(*i))).collect();
        if kind == Pattern::Matrix {
            // lane l gives row l mod 8 of matrix l / 8; those beyond the matrices are not read, and repeat them
            let lane = k.lane();
            let matrices = m.layout.mode(m.layout.rank() - 3).and_then(|mode| mode.size()).unwrap_or(1);
            let matrix = k.div(&lane, 8);
            coordinate.extend([k.rem(&matrix, matrices), k.rem(&lane, 8)]);
        }
        coordinate.push(0.into());
        let offset = k.offset(&m.layout, &coordinate);
        Operand::Address(k.address(&m.spot.clone().plus(&(offset * m.spot.bytes()))))
    }

    /// Products: for each (batch, m, n) all k in order, C before the first; and how many k there are.
    fn mma(&self, group: &[i64]) -> Result<(Vec<Step>, usize), ApplyError> {
        let [d, a, b, c] = self.operands else {
            return Err(ApplyError::NoPattern { opcode: self.op.to_string() });
        };
        let extents = |n: usize, operand: &ApplyOperand| match operand {
            ApplyOperand::Registers(t) => Ok(axes(n, &t.layout(), group)?.0),
            _ => Err(ApplyError::Kind { operand: n, wanted: "a tensor of registers" }),
        };
        let (of_d, of_a, of_b) = (extents(1, d)?, extents(2, a)?, extents(3, b)?);
        let [batch @ .., m, n] = &of_d[..] else {
            return Err(ApplyError::Repeats { operand: 1, expected: vec![1, 1], found: of_d });
        };
        let depth = of_a.last().copied().unwrap_or(1);
        let wanted = |last: [i64; 2]| [batch, &last].concat();
        for (operand, expected, found) in [(2, wanted([*m, depth]), &of_a), (3, wanted([*n, depth]), &of_b)] {
            if expected != *found {
                return Err(ApplyError::Repeats { operand, expected, found: found.clone() });
            }
        }
        if let ApplyOperand::Registers(_) = c {
            let of_c = extents(4, c)?;
            if of_c != of_d {
                return Err(ApplyError::Repeats { operand: 4, expected: of_d, found: of_c });
            }
        }
        bounded(&[&of_d[..], &[depth]].concat())?;
        let fragment = |operand: &ApplyOperand, at: &[i64], place: &Place| match (operand, place) {
            (ApplyOperand::Registers(t), place) => bind(t, group.len(), at, place),
            (ApplyOperand::Scalar(s), Place::Vector(_, n)) => Operand::Vector(vec![(*s).into(); *n as usize]),
            (ApplyOperand::Scalar(s), _) => (*s).into(),
            (ApplyOperand::Memory(_), _) => Operand::Sink,
        };
        let mut all = Vec::new();
        for at in row_major(&of_d) {
            let [batch @ .., m, n] = &at[..] else { continue };
            for step in 0..depth {
                let so_far = if step == 0 { c } else { d };
                let operands = vec![
                    fragment(d, &at, &self.places[0]),
                    fragment(a, &[batch, &[*m, step]].concat(), &self.places[1]),
                    fragment(b, &[batch, &[*n, step]].concat(), &self.places[2]),
                    fragment(so_far, &at, &self.places[3]),
                ];
                all.push(Step { at: at.clone(), instruction: Instruction::new(self.op, operands)? });
            }
        }
        Ok((all, depth as usize))
    }
}

/// The registers of one repeat.
fn bind(t: &RegisterTensor, group: usize, at: &[i64], place: &Place) -> Operand {
    // the places were checked: those that are missing cannot be
    let register = |i: i64| t.at(group, at, i).map_or(Operand::Sink, Operand::Reg);
    match place {
        Place::Vector(_, n) => Operand::Vector((0..i64::from(*n)).map(register).collect()),
        _ => register(0),
    }
}

/// The registers of an operand that is no address.
fn registers(operand: &Operand) -> Vec<Reg> {
    match operand {
        Operand::Reg(r) => vec![*r],
        Operand::Vector(of) => of.iter().flat_map(registers).collect(),
        _ => vec![],
    }
}

/// That they are not too many to expand.
fn bounded(repeats: &[i64]) -> Result<(), ApplyError> {
    match repeats.iter().try_fold(1i64, |n, extent| n.checked_mul(*extent)) {
        Some(..=LIMIT) => Ok(()),
        _ => Err(ApplyError::TooMany { repeats: repeats.to_vec(), limit: LIMIT }),
    }
}

/// All coordinates, the last fastest.
fn row_major(extents: &[i64]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let extents = extents.to_vec();
    let all: i64 = extents.iter().product();
    (0..all).map(move |mut i| {
        let mut at = vec![0; extents.len()];
        for (digit, extent) in at.iter_mut().zip(&extents).rev() {
            (*digit, i) = (i % extent, i / extent);
        }
        at
    })
}
