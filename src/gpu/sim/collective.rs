//! Instructions whose results in a thread depend on other threads of its warp: shuffles, votes, matches, reductions.

#[cfg(test)]
mod tests;

use super::atomic::{greater, lesser};
use super::pure::Lanes;
use crate::gpu::ptx::{Instruction, Opcode, Operand};

type Run = dyn Fn(&[&Lanes], u32, &mut [Lanes]) -> u32 + Send + Sync;

/// What an instruction computes from the sources of the threads of a warp that execute it together. Sources and results are as in
/// [`Pure`](super::pure::Pure); the member mask, if there is one, is the last source and is left out here.
pub(super) struct Collective {
    masked: bool,
    results: usize,
    run: Box<Run>,
}

impl Collective {
    /// Has it a member mask? It is the last source.
    pub fn masked(&self) -> bool {
        self.masked
    }

    /// How many values it makes.
    pub fn results(&self) -> usize {
        self.results
    }

    /// All threads of a warp, of which those in `active` take part; results of others mean nothing. Returns those of `active` that
    /// read from a thread that is not in it: their values are undefined.
    pub fn run(&self, sources: &[&Lanes], active: u32, results: &mut [Lanes]) -> u32 {
        (self.run)(sources, active, results)
    }
}

/// The meaning of `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`, `elect.sync` and `activemask`; none of others.
pub(super) fn collective(i: &Instruction) -> Option<Collective> {
    let op = i.opcode();
    let run = match op.mnemonic() {
        "shfl" => shfl(op.get("mode")?)?,
        "vote" => vote(op.get("mode").unwrap_or("ballot"))?,
        "match" => matches(op.has("any"), op.get("type")?),
        "redux" => redux(op)?,
        "elect" => Box::new(|_: &[&Lanes], active: u32, results: &mut [Lanes]| {
            // PTX promises some thread, always the same: an H200 takes the first
            let leader = active.trailing_zeros();
            give(results, leader.into(), |lane| lane as u32 == leader)
        }),
        "activemask" => {
            Box::new(|_: &[&Lanes], active: u32, results: &mut [Lanes]| give(results, active.into(), |_| true))
        }
        _ => return None,
    };
    let results = if let Some(Operand::Pair(_)) = i.operands().first() { 2 } else { 1 };
    Some(Collective { masked: op.has("sync"), results, run })
}

/// One value for all threads, and a predicate if it is wanted.
fn give(results: &mut [Lanes], value: u64, pred: impl Fn(usize) -> bool) -> u32 {
    if let [d, p @ ..] = results {
        *d = [value; 32];
        p.iter_mut().for_each(|p| *p = core::array::from_fn(|lane| pred(lane).into()));
    }
    0
}

/// Which threads of a set hold what is asked for.
fn ballot(lanes: &Lanes, active: u32, holds: impl Fn(u64) -> bool) -> u32 {
    active & lanes.iter().rev().fold(0, |all, &x| all << 1 | u32::from(holds(x)))
}

/// PTX ISA, "shfl.sync": where each mode reads from, and whether that is within the segment.
fn shfl(mode: &str) -> Option<Box<Run>> {
    Some(match mode {
        "up" => shuffle(|lane, b, _| lane - b, i32::ge),
        "down" => shuffle(|lane, b, _| lane + b, i32::le),
        "bfly" => shuffle(|lane, b, _| lane ^ b, i32::le),
        "idx" => shuffle(|lane, b, mask| lane & mask | b & !mask, i32::le),
        _ => return None,
    })
}

fn shuffle<F, I>(from: F, inside: I) -> Box<Run>
where
    F: Fn(i32, i32, i32) -> i32 + Send + Sync + 'static,
    I: Fn(&i32, &i32) -> bool + Send + Sync + 'static,
{
    Box::new(move |sources, active, results| {
        let ([a, b, c], [d, p @ ..]) = (sources, results) else { return 0 };
        let (mut valid, mut missing) = ([0; 32], 0);
        for lane in 0..32 {
            let (at, b, clamp, mask) =
                (lane as i32, b[lane] as i32 & 31, c[lane] as i32 & 31, c[lane] as i32 >> 8 & 31);
            let j = from(at, b, mask);
            let ok = inside(&j, &(at & mask | clamp & !mask));
            let j = if ok { j as usize & 31 } else { lane };
            d[lane] = a[j];
            valid[lane] = ok.into();
            missing |= (active >> lane & !(active >> j) & 1) << lane;
        }
        p.iter_mut().for_each(|p| *p = valid);
        missing
    })
}

fn vote(mode: &str) -> Option<Box<Run>> {
    let count: fn(u32, u32) -> u32 = match mode {
        "all" => |yes, active| (yes == active).into(),
        "any" => |yes, _| (yes != 0).into(),
        "uni" => |yes, active| (yes == 0 || yes == active).into(),
        "ballot" => |yes, _| yes,
        _ => return None,
    };
    Some(Box::new(move |sources, active, results| {
        let [p] = sources else { return 0 };
        give(results, count(ballot(p, active, |p| p != 0), active).into(), |_| true)
    }))
}

/// `match.any`, or `match.all`.
fn matches(any: bool, ty: &str) -> Box<Run> {
    let width = if ty == "b32" { u32::MAX.into() } else { u64::MAX };
    Box::new(move |sources, active, results| {
        let [a] = sources else { return 0 };
        let like = |lane: u32, of: u32| ballot(a, of, |x| (x ^ a[lane as usize & 31]) & width == 0);
        if !any {
            let all = like(active.trailing_zeros(), active) == active;
            return give(results, if all { active.into() } else { 0 }, |_| all);
        }
        let [d, ..] = results else { return 0 };
        let mut rest = active;
        while rest != 0 {
            let same = like(rest.trailing_zeros(), rest);
            each(same).for_each(|lane| d[lane] = same.into());
            rest &= !same;
        }
        0
    })
}

/// The threads of a set.
fn each(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| set >> lane & 1 == 1)
}

fn redux(op: Opcode) -> Option<Box<Run>> {
    if op.has("f32") {
        let choose = if op.get("op")? == "min" { lesser } else { greater };
        let (abs, nan) = (op.has("abs"), op.has("NaN"));
        return Some(Box::new(move |sources, active, results| {
            let [a] = sources else { return 0 };
            let values = each(active).map(|lane| f32::from_bits(a[lane] as u32));
            let values = values.map(|x| if abs { x.abs() } else { x });
            let choose = |x: f32, y: f32| {
                if nan && x.is_nan() {
                    x
                } else if nan && y.is_nan() {
                    y
                } else {
                    choose(x, y)
                }
            };
            let x = values.reduce(choose).unwrap_or(f32::NAN);
            give(results, if x.is_nan() { 0x7fff_ffff } else { x.to_bits().into() }, |_| true)
        }));
    }
    let combine: fn(u32, u32) -> u32 = match (op.get("op")?, op.get("type")) {
        ("add", _) => u32::wrapping_add,
        ("and", _) => |x, y| x & y,
        ("or", _) => |x, y| x | y,
        ("xor", _) => |x, y| x ^ y,
        ("min", Some("s32")) => |x, y| (x as i32).min(y as i32) as u32,
        ("max", Some("s32")) => |x, y| (x as i32).max(y as i32) as u32,
        ("min", _) => u32::min,
        ("max", _) => u32::max,
        _ => return None,
    };
    Some(Box::new(move |sources, active, results| {
        let [a] = sources else { return 0 };
        let total = each(active).map(|lane| a[lane] as u32).reduce(combine);
        give(results, total.unwrap_or(0).into(), |_| true)
    }))
}
