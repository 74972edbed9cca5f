//! What is done to an instruction to make a kernel wrong.

use girih::gpu::ptx::{Instruction, Operand, Reg, Type};

/// What replaces an instruction: nothing, another, or several. Registers from `spare` on are free.
pub type Change = Vec<Instruction>;

/// A name, and all that it makes of an instruction.
pub struct Rule {
    pub name: &'static str,
    pub changes: fn(&Instruction, u32) -> Vec<Change>,
}

pub const RULES: [Rule; 22] = [
    Rule { name: "barrier deleted", changes: |i, _| deleted(i, &["bar", "barrier"]) },
    Rule { name: "fence deleted", changes: |i, _| deleted(i, &["membar", "fence"]) },
    Rule { name: "copy group or wait deleted", changes: |i, _| delete_copy(i) },
    Rule { name: "mbarrier operation deleted", changes: |i, _| deleted(i, &["mbarrier"]) },
    Rule { name: "wait for one group less", changes: |i, _| wait_less(i) },
    Rule { name: "barrier for others", changes: |i, _| barrier_for_others(i) },
    Rule { name: "order weakened", changes: |i, _| weaken_order(i) },
    Rule { name: "scope weakened", changes: |i, _| weaken_scope(i) },
    Rule { name: "atomic in pieces", changes: in_pieces },
    Rule { name: "guard deleted or negated", changes: |i, _| unguard(i) },
    Rule { name: "comparison off by one", changes: |i, _| compare(i) },
    Rule { name: "condition dropped", changes: |i, _| drop_condition(i) },
    Rule { name: "selection swapped", changes: |i, _| swap_selection(i) },
    Rule { name: "vector narrowed", changes: |i, _| narrow(i) },
    Rule { name: "copy whole", changes: |i, _| copy_whole(i) },
    Rule { name: "swizzle bit", changes: |i, _| swizzle(i) },
    Rule { name: "mask bit", changes: |i, _| mask(i) },
    Rule { name: "offset moved", changes: |i, _| offset(i) },
    Rule { name: "shared base moved", changes: |i, _| base(i) },
    Rule { name: "step off by one", changes: |i, _| step(i) },
    Rule { name: "fragments exchanged", changes: |i, _| fragments(i) },
    Rule { name: "lanes changed", changes: |i, _| lanes(i) },
];

/// The same under the same guard with another spelling and other operands, if there is such an instruction.
fn again(i: &Instruction, opcode: &str, operands: Vec<Operand>) -> Option<Instruction> {
    let new = Instruction::spelled(opcode, operands).ok()?;
    let new = match i.guard {
        Some(guard) => new.guarded(guard).ok()?,
        None => new,
    };
    (new != *i).then_some(new)
}

/// One change for each that is an instruction.
fn each(changed: impl IntoIterator<Item = Option<Instruction>>) -> Vec<Change> {
    changed.into_iter().flatten().map(|i| vec![i]).collect()
}

fn spelling(i: &Instruction) -> String {
    i.opcode().to_string()
}

/// Respelled so, with its operands.
fn respelled(i: &Instruction, from: &str, to: &str) -> Option<Instruction> {
    let old = spelling(i);
    old.contains(from).then(|| again(i, &old.replacen(from, to, 1), i.operands().to_vec()))?
}

/// With another operand at a place.
fn with(i: &Instruction, at: usize, operand: Operand) -> Option<Instruction> {
    let mut operands = i.operands().to_vec();
    *operands.get_mut(at)? = operand;
    again(i, &spelling(i), operands)
}

fn immediate(i: &Instruction, at: usize) -> Option<i64> {
    match i.operands().get(at)? {
        Operand::Int(n) => Some(*n),
        _ => None,
    }
}

/// Bits of the type that its spelling ends with.
fn bits(i: &Instruction) -> u32 {
    let last = i.opcode().qualifiers().last();
    last.and_then(|q| q.parse::<Type>().ok()).map_or(32, Type::bits)
}

fn deleted(i: &Instruction, mnemonics: &[&str]) -> Vec<Change> {
    if mnemonics.contains(&i.opcode().mnemonic()) { vec![vec![]] } else { vec![] }
}

fn delete_copy(i: &Instruction) -> Vec<Change> {
    let op = spelling(i);
    let all = ["cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all", "cp.async.mbarrier"];
    if all.iter().any(|start| op.starts_with(start)) { vec![vec![]] } else { vec![] }
}

fn wait_less(i: &Instruction) -> Vec<Change> {
    let pending = immediate(i, 0).filter(|_| spelling(i) == "cp.async.wait_group");
    each([pending.and_then(|n| with(i, 0, (n + 1).into()))])
}

/// Another number, or another count.
fn barrier_for_others(i: &Instruction) -> Vec<Change> {
    if !matches!(i.opcode().mnemonic(), "bar" | "barrier") || spelling(i).contains("warp") {
        return vec![];
    }
    let counted = i.operands().len() > 1;
    let id = immediate(i, 0).filter(|_| counted).and_then(|n| with(i, 0, ((n + 1) % 16).into()));
    let count = |by: i64| immediate(i, 1).and_then(|n| with(i, 1, (n + by).into()));
    each([id, count(32), count(-32)])
}

fn weaken_order(i: &Instruction) -> Vec<Change> {
    let weak =
        |order: &str| ["sys", "gpu", "cta"].iter().find_map(|scope| respelled(i, &format!(".{order}.{scope}"), ""));
    match i.opcode().mnemonic() {
        "ld" | "st" => each([
            respelled(i, ".acquire", ".relaxed"),
            respelled(i, ".release", ".relaxed"),
            weak("relaxed"),
            respelled(i, ".volatile", ""),
        ]),
        "atom" | "red" => each([
            respelled(i, ".acq_rel", ".acquire"),
            respelled(i, ".acq_rel", ".release"),
            respelled(i, ".acq_rel", ".relaxed"),
            respelled(i, ".acquire", ".relaxed"),
            respelled(i, ".release", ".relaxed"),
        ]),
        _ => vec![],
    }
}

fn weaken_scope(i: &Instruction) -> Vec<Change> {
    match i.opcode().mnemonic() {
        "membar" => each([respelled(i, ".gl", ".cta"), respelled(i, ".sys", ".cta")]),
        "fence" | "ld" | "st" | "atom" | "red" => each([respelled(i, ".gpu", ".cta"), respelled(i, ".sys", ".cta")]),
        _ => vec![],
    }
}

/// An atomic as a load, a computation and a store.
fn in_pieces(i: &Instruction, spare: u32) -> Vec<Change> {
    let op = i.opcode();
    let (space, ty) = (op.get("ss").map_or(String::new(), |s| format!(".{s}")), op.qualifiers().last().unwrap_or(""));
    let (to, rest) = match op.mnemonic() {
        "atom" => (i.operands().first(), &i.operands()[1..]),
        "red" => (None, i.operands()),
        _ => return vec![],
    };
    let Some(held) = ty.parse::<Type>().ok().filter(|t| t.bits() >= 16) else { return vec![] };
    let [old, new, equal] =
        [(0, held), (1, held), (2, Type::Pred)].map(|(n, ty)| Operand::from(Reg { id: spare + n, ty }));
    let [address, operands @ ..] = rest else { return vec![] };
    let kind = op.qualifiers().find(|q| ["add", "and", "or", "xor", "min", "max", "exch", "cas"].contains(q));
    let untyped = format!("b{}", held.bits());
    let compute = match (kind, operands) {
        (Some("exch"), [b]) => Instruction::spelled(&format!("mov.{untyped}"), vec![new.clone(), b.clone()]),
        (Some("cas"), [b, c]) => {
            let same = Instruction::spelled(&format!("setp.eq.{untyped}"), vec![equal.clone(), old.clone(), b.clone()]);
            let pick = vec![new.clone(), c.clone(), old.clone(), equal];
            let pick = Instruction::spelled(&format!("selp.{untyped}"), pick);
            match (same, pick) {
                (Ok(same), Ok(pick)) => return pieces(i, space, ty, to, address, old, new, vec![same, pick]),
                _ => return vec![],
            }
        }
        (Some(kind), [b]) => Instruction::spelled(&format!("{kind}.{ty}"), vec![new.clone(), old.clone(), b.clone()]),
        _ => return vec![],
    };
    compute.map_or(vec![], |compute| pieces(i, space, ty, to, address, old, new, vec![compute]))
}

#[allow(clippy::too_many_arguments)] // the parts of an atomic
fn pieces(
    i: &Instruction,
    space: String,
    ty: &str,
    to: Option<&Operand>,
    address: &Operand,
    old: Operand,
    new: Operand,
    compute: Change,
) -> Vec<Change> {
    let load = Instruction::spelled(&format!("ld{space}.{ty}"), vec![old.clone(), address.clone()]).ok();
    let store = Instruction::spelled(&format!("st{space}.{ty}"), vec![address.clone(), new]).ok();
    let (Some(load), Some(store)) = (load, store) else { return vec![] };
    let mut all = vec![load];
    all.extend(compute);
    all.push(store);
    if let Some(to @ Operand::Reg(_)) = to {
        let bits = format!("mov.b{}", ty.parse::<Type>().map_or(32, Type::bits));
        all.extend(Instruction::spelled(&bits, vec![to.clone(), old]).ok());
    }
    let guarded = |new: Instruction| match i.guard {
        Some(guard) => new.guarded(guard).ok(),
        None => Some(new),
    };
    all.into_iter().map(guarded).collect::<Option<Change>>().into_iter().collect()
}

fn unguard(i: &Instruction) -> Vec<Change> {
    let Some(mut guard) = i.guard else { return vec![] };
    let (mut always, mut negated) = (i.clone(), i.clone());
    always.guard = None;
    guard.negated = !guard.negated;
    negated.guard = Some(guard);
    vec![vec![always], vec![negated]]
}

/// `<` as `<=` and so on, and a constant that is one more or less.
fn compare(i: &Instruction) -> Vec<Change> {
    if !matches!(i.opcode().mnemonic(), "setp" | "set") || spelling(i).ends_with(".f32") {
        return vec![];
    }
    let pairs = [("lt", "le"), ("gt", "ge"), ("lo", "ls"), ("hi", "hs"), ("eq", "ne")];
    let swap = pairs.iter().flat_map(|(a, b)| [(a, b), (b, a)]);
    let mut all: Vec<_> = swap.map(|(a, b)| respelled(i, &format!(".{a}."), &format!(".{b}."))).collect();
    let near = |by: i64| immediate(i, 2).and_then(|n| with(i, 2, (n + by).into()));
    all.extend([near(1), near(-1)]);
    each(all)
}

/// One of two conditions alone.
fn drop_condition(i: &Instruction) -> Vec<Change> {
    let (op, operands) = (spelling(i), i.operands());
    let alone = |o: &Operand| match o {
        Operand::Not(r) => again(i, "not.pred", vec![operands[0].clone(), (*r).into()]),
        o => again(i, "mov.pred", vec![operands[0].clone(), o.clone()]),
    };
    match (&op[..], operands) {
        ("and.pred" | "or.pred", [_, a, b]) => each([alone(a), alone(b)]),
        (_, [p, a, b, c]) if op.starts_with("setp.") => {
            let plain = [".and.", ".or."].iter().find(|b| op.contains(**b)).map(|b| op.replacen(b, ".", 1));
            let first = plain.and_then(|op| again(i, &op, vec![p.clone(), a.clone(), b.clone()]));
            each([first, alone(c).filter(|_| matches!(p, Operand::Reg(_)))])
        }
        _ => vec![],
    }
}

fn swap_selection(i: &Instruction) -> Vec<Change> {
    match i.operands() {
        [d, a, b, p] if i.opcode().mnemonic() == "selp" => {
            each([again(i, &spelling(i), vec![d.clone(), b.clone(), a.clone(), p.clone()])])
        }
        _ => vec![],
    }
}

/// Half of a vector; both halves from where the first is; half of a copy.
fn narrow(i: &Instruction) -> Vec<Change> {
    let (op, operands) = (spelling(i), i.operands());
    if op.starts_with("cp.async.") && !op.contains("bulk") {
        let half = match immediate(i, 2) {
            Some(n @ (8 | 16)) => n / 2,
            _ => return vec![],
        };
        let mut new = operands.to_vec();
        new[2] = half.into();
        return each([again(i, &op.replacen(".cg.", ".ca.", 1), new)]);
    }
    let Some(at) = operands.iter().position(|o| matches!(o, Operand::Vector(_))) else { return vec![] };
    let Operand::Vector(of) = &operands[at] else { return vec![] };
    let (from, to) = match of.len() {
        4 if op.contains(".v4.") => (".v4.", ".v2."),
        2 if op.contains(".v2.") => (".v2.", "."),
        _ => return vec![],
    };
    if !matches!(i.opcode().mnemonic(), "ld" | "st") {
        return vec![];
    }
    let half = |of: &[Operand]| {
        let mut new = operands.to_vec();
        new[at] = if of.len() == 1 { of[0].clone() } else { Operand::Vector(of.to_vec()) };
        again(i, &op.replacen(from, to, 1), new)
    };
    let (low, high) = of.split_at(of.len() / 2);
    let (Some(low), Some(high)) = (half(low), half(high)) else { return vec![] };
    vec![vec![low.clone()], vec![low, high]]
}

/// A copy that is cut short reads all.
fn copy_whole(i: &Instruction) -> Vec<Change> {
    match i.operands() {
        [to, from, size, _] if spelling(i).starts_with("cp.async.c") => {
            each([again(i, &spelling(i), vec![to.clone(), from.clone(), size.clone()])])
        }
        _ => vec![],
    }
}

/// The lowest and the highest bit of a constant, each flipped.
fn flipped(n: i64, bits: u32) -> Vec<i64> {
    let n = if bits < 64 { n & ((1 << bits) - 1) } else { n };
    match n {
        0 => vec![],
        n => vec![n & (n - 1), n ^ 1 << (63 - n.leading_zeros())],
    }
}

fn swizzle(i: &Instruction) -> Vec<Change> {
    let bits = bits(i);
    match i.operands() {
        [d, a, b] if i.opcode().mnemonic() == "xor" && bits > 1 => {
            let mov = again(i, &format!("mov.b{bits}"), vec![d.clone(), a.clone()]);
            let others = match b {
                Operand::Int(n) => flipped(*n, bits),
                _ => vec![],
            };
            each([mov].into_iter().chain(others.into_iter().map(|n| with(i, 2, n.into()))))
        }
        _ => vec![],
    }
}

fn mask(i: &Instruction) -> Vec<Change> {
    match immediate(i, 2) {
        Some(n) if i.opcode().mnemonic() == "and" => {
            each(flipped(n, bits(i)).into_iter().map(|n| with(i, 2, n.into())))
        }
        _ => vec![],
    }
}

/// An access before or after where it should be.
fn offset(i: &Instruction) -> Vec<Change> {
    let op = spelling(i);
    if op.contains(".param") || op.contains("mbarrier") {
        return vec![];
    }
    let Some(at) = i.operands().iter().position(|o| matches!(o, Operand::Address(_))) else { return vec![] };
    let count = |o: &Operand| if let Operand::Vector(of) = o { of.len() as i64 } else { 1 };
    let bytes = match i.opcode().mnemonic() {
        "ldmatrix" | "stmatrix" => 16,
        "cp" => immediate(i, 2).unwrap_or(16),
        _ => i64::from(bits(i).div_ceil(8)) * i.operands().iter().map(count).max().unwrap_or(1),
    };
    let moved = |at: usize, by: i64| match i.operands().get(at) {
        Some(Operand::Address(a)) => with(i, at, a.clone().plus(by).into()),
        _ => None,
    };
    // copies have two addresses
    each([moved(at, bytes), moved(at, -bytes), moved(at + 1, bytes), moved(at + 1, -bytes)])
}

/// 16 bytes behind the begin of a variable.
fn base(i: &Instruction) -> Vec<Change> {
    match i.operands() {
        [_, Operand::Symbol(name, n)] if spelling(i).starts_with("mov.") => {
            each([with(i, 1, Operand::Symbol(name.clone(), n + 16))])
        }
        _ => vec![],
    }
}

fn step(i: &Instruction) -> Vec<Change> {
    match immediate(i, 2) {
        Some(n) if matches!(i.opcode().mnemonic(), "add" | "sub" | "shl" | "shr") => {
            each([with(i, 2, (n + 1).into()), with(i, 2, (n - 1).into())])
        }
        _ => vec![],
    }
}

/// Registers of A, B and C in each other's places; matrices that are transposed or not.
fn fragments(i: &Instruction) -> Vec<Change> {
    let op = spelling(i);
    match i.opcode().mnemonic() {
        "ldmatrix" if op.contains(".trans") => each([respelled(i, ".trans", "")]),
        "ldmatrix" => each([respelled(i, ".shared", ".trans.shared")]),
        "mma" => {
            let swapped = |(o, p): (usize, usize), (q, r): (usize, usize)| {
                let mut operands = i.operands().to_vec();
                let of = |operands: &[Operand], (o, p): (usize, usize)| match &operands[o] {
                    Operand::Vector(of) => of.get(p).cloned(),
                    _ => None,
                };
                let (x, y) = (of(&operands, (o, p))?, of(&operands, (q, r))?);
                for ((o, p), new) in [((o, p), y), ((q, r), x)] {
                    if let Operand::Vector(of) = &mut operands[o] {
                        of[p] = new;
                    }
                }
                again(i, &op, operands)
            };
            each([swapped((1, 0), (2, 0)), swapped((1, 0), (1, 1)), swapped((2, 0), (2, 1)), swapped((3, 0), (3, 1))])
        }
        _ => vec![],
    }
}

/// Another lane, another bound, another direction, a thread less.
fn lanes(i: &Instruction) -> Vec<Change> {
    let op = spelling(i);
    let last = i.operands().len().wrapping_sub(1);
    let named = |n: i64| if n as u32 == 0 { None } else { Some(n & !(1 << (31 - (n as u32).leading_zeros()))) };
    let fewer = immediate(i, last).and_then(named).and_then(|n| with(i, last, (n & 0xffff_ffff).into()));
    match i.opcode().mnemonic() {
        "shfl" => {
            let near = |at, by: i64| immediate(i, at).and_then(|n| with(i, at, (n + by).into()));
            let turned = [("bfly", "down"), ("down", "up"), ("up", "down"), ("idx", "bfly")];
            let turned = turned.iter().find_map(|(a, b)| respelled(i, a, b));
            each([near(2, 1), near(3, -1), turned, fewer])
        }
        "vote" | "match" | "redux" => each([fewer]),
        "bar" if op == "bar.warp.sync" => each([fewer]),
        _ => vec![],
    }
}
