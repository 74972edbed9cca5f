//! The expansion: operands checked, then one instruction for each repeat.

use super::error::ApplyError;
use super::tensor::{ApplyOperand, MemoryTensor, RegisterTensor, axes};
use super::{ApplyOptions, Scope};
use crate::gpu::kernel::{Index, Kernel, Pred};
use crate::gpu::ptx::{Access, Data, Instruction, Opcode, Operand, Otherwise, Place, Reg, Type};

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

/// Instructions between threads, and those with several results: emitted by themselves.
const ALONE: [&str; 16] = [
    "setp",
    "set",
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
        m if ALONE.contains(&m) || !matches!(places.first(), Some(Place::Scalar(d)) if d.access == Access::Write) => {
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
                Ok(instructions) => return self.emit_all(instructions, &plan, options),
                Err(e) => error = error.or(Some(e)),
            }
        }
        Err(error.unwrap_or(ApplyError::NoPattern { opcode: opcode.into() }))
    }

    fn emit_all(&mut self, all: Vec<Instruction>, plan: &Plan, options: &ApplyOptions) -> Result<usize, ApplyError> {
        if options.preserve_dst {
            if options.pred.is_none() {
                return Err(ApplyError::PreserveWithoutPredicate);
            }
            let written = |r: &Reg| self.is_written(*r);
            for (operand, place) in plan.operands.iter().zip(plan.places) {
                if let (ApplyOperand::Registers(t), true) = (operand, writes(place))
                    && !t.used().iter().all(written)
                {
                    return Err(ApplyError::PreserveUnwritten { operand: plan.number(operand) });
                }
            }
        }
        let pred = match options.pred {
            None => Pred::Always,
            Some(p) if p.ty == Type::Pred => Pred::If(p, false),
            Some(p) if p.ty.bits() == 32 && !p.ty.is_float() => {
                Pred::If(self.op("setp.ne.b32", vec![p.into(), 0.into()]), false)
            }
            Some(_) => return Err(ApplyError::Predicate),
        };
        let n = all.len();
        let otherwise = if options.preserve_dst { Otherwise::Kept } else { Otherwise::Undefined };
        self.guarded_as(&pred, otherwise, |k| all.into_iter().for_each(|i| k.instruction(i)));
        Ok(n)
    }
}

fn writes(place: &Place) -> bool {
    matches!(place, Place::Scalar(d) | Place::Vector(d, _) if d.access != Access::Read)
}

/// An opcode, the list of operands that it is to have, and what is given.
struct Plan<'a> {
    op: Opcode,
    places: &'a [Place],
    operands: &'a [ApplyOperand<'a>],
    scope: Scope,
}

impl Plan<'_> {
    fn number(&self, operand: &ApplyOperand) -> usize {
        self.operands.iter().position(|o| core::ptr::eq(o, operand)).map_or(0, |i| i + 1)
    }

    fn group(&self, kind: Pattern) -> Vec<i64> {
        self.scope.group(matches!(kind, Pattern::Matrix | Pattern::Mma))
    }

    fn instructions(&self, k: &mut Kernel, kind: Pattern) -> Result<Vec<Instruction>, ApplyError> {
        let group = self.group(kind);
        for (i, (operand, place)) in self.operands.iter().zip(self.places).enumerate() {
            self.check(i + 1, operand, place, &group, kind)?;
        }
        match kind {
            Pattern::Mma => self.mma(&group),
            _ => self.elementwise(k, &group, kind),
        }
    }

    /// What can be said of an operand by itself.
    fn check(
        &self,
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
                if d.access != Access::Read { t.check_distinct(n, group.len()) } else { Ok(()) }
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
                ApplyOperand::Scalar(super::tensor::Scalar::Int(_)) => Ok(()),
                _ => Err(ApplyError::Kind { operand: n, wanted: "an integer known when assembling" }),
            },
            Place::Address(space) => match operand {
                ApplyOperand::Memory(m) => self.check_memory(n, m, space, group, kind),
                _ => Err(ApplyError::Kind { operand: n, wanted: "a tensor in memory" }),
            },
            _ => Err(ApplyError::NoPattern { opcode: self.op.to_string() }),
        }
    }

    fn check_memory(
        &self,
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
                if repeat.len() < 2 || repeat[repeat.len() - 1] != 8 {
                    return Err(ApplyError::Kind { operand: n, wanted: "(.., matrix, 8 rows, words) in memory" });
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
        m.check(n, words, bytes)
    }

    /// Elements of so many bytes that one instruction moves: those of the type and vector, or the bytes of a copy.
    fn words(&self, bytes: i64) -> Option<i64> {
        if self.op.mnemonic() == "cp" {
            return match self.operands.get(2) {
                Some(ApplyOperand::Scalar(super::tensor::Scalar::Int(n))) if n % bytes == 0 => Some(n / bytes),
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

    fn elementwise(&self, k: &mut Kernel, group: &[i64], kind: Pattern) -> Result<Vec<Instruction>, ApplyError> {
        let repeats = self.repeats(group, kind)?;
        let threads = self.threads(k, group.len(), kind);
        let mut all = Vec::new();
        for at in row_major(&repeats) {
            let mut operands = Vec::new();
            for (operand, place) in self.operands.iter().zip(self.places) {
                operands.push(match operand {
                    ApplyOperand::Registers(t) => bind(t, group.len(), &at, place),
                    ApplyOperand::Scalar(s) => (*s).into(),
                    ApplyOperand::Memory(m) => self.address(k, m, &threads, &at, kind),
                });
            }
            all.push(Instruction::new(self.op, operands)?);
        }
        Ok(all)
    }

    /// The thread's coordinate in the group.
    fn threads(&self, k: &mut Kernel, axes: usize, kind: Pattern) -> Vec<Index> {
        let has_memory = self.operands.iter().any(|o| matches!(o, ApplyOperand::Memory(_)));
        if !has_memory {
            return vec![Index::default(); axes];
        }
        let (lane, warp) = (k.lane(), k.warp());
        let mut all = match self.scope {
            Scope::Thread => vec![],
            Scope::Warp => vec![lane],
            Scope::Warpgroup => vec![k.rem(&warp, 4), lane],
            Scope::Cta { .. } => vec![warp, lane],
            Scope::Cluster { .. } => vec![k.cluster_ctarank(), warp, lane],
        };
        if matches!(kind, Pattern::Matrix | Pattern::Mma) {
            all.truncate(axes);
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

    /// Products: for each (batch, m, n) all k in order, C before the first.
    fn mma(&self, group: &[i64]) -> Result<Vec<Instruction>, ApplyError> {
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
                all.push(Instruction::new(self.op, operands)?);
            }
        }
        Ok(all)
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
