//! Instructions whose results depend on their operands alone: what they compute in each thread.

pub mod approx;
mod arithmetic;
mod carry;
mod compare;
mod convert;
mod field;
mod float;
mod half;
mod integer;
mod logic;
pub(super) mod matrix;
mod mov;
mod narrow;
mod nearest;
mod packed;
mod small_float;
pub mod tensor_core;

use crate::gpu::ptx::Instruction;
use crate::tile::element::word;

#[cfg(test)]
pub(super) mod tests;

/// The values of an operand in the 32 threads of a warp. Bits above the operand's width are zero; a predicate is 0 or 1.
pub(crate) type Lanes = [u64; 32];

type Run = dyn Fn(&[&Lanes], &mut [Lanes]) + Send + Sync;

/// What an instruction computes in each thread: from its sources, in the order in which it is written, to its results.
///
/// Vectors and pairs count as their parts, `!p` is negated already, an immediate is one value for all threads, cut to the width of
/// its type; a register of 128 bits is two values, the lower half first; the carry flag is the last source of those that read it, and
/// the last result of those that write it; a destination that is read too (`+t`) is a source and a result. A sink `_` is a result
/// like others. A source register may be wider than the type where PTX allows that: the rest is to be ignored.
/// Results that are wider than what the instruction makes are extended as the instruction says.
/// All 32 threads are computed, those that do not take part from whatever their registers hold: no value may panic.
pub(crate) struct Pure {
    results: usize,
    run: Box<Run>,
}

impl Pure {
    /// Of one source.
    pub fn one(f: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Pure {
        Pure::of(1, move |s, d| each(d, |l| f(s[0][l])))
    }

    /// Of two.
    pub fn two(f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Pure {
        Pure::of(1, move |s, d| each(d, |l| f(s[0][l], s[1][l])))
    }

    /// Of three.
    pub fn three(f: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Pure {
        Pure::of(1, move |s, d| each(d, |l| f(s[0][l], s[1][l], s[2][l])))
    }

    /// Of any number, to any number.
    pub fn many(results: usize, f: impl Fn(&[u64], &mut [u64]) + Send + Sync + 'static) -> Pure {
        Pure::of(results, move |s, d| {
            let (mut from, mut to) = ([0; 8], [0; 8]);
            for l in 0..32 {
                from.iter_mut().zip(s).for_each(|(x, lanes)| *x = lanes[l]);
                f(&from[..s.len().min(8)], &mut to[..results]);
                d.iter_mut().zip(to).for_each(|(lanes, x)| lanes[l] = x);
            }
        })
    }

    /// Of the warp's threads together.
    pub(super) fn of(results: usize, run: impl Fn(&[&Lanes], &mut [Lanes]) + Send + Sync + 'static) -> Pure {
        Pure { results, run: Box::new(run) }
    }

    /// How many values it makes.
    pub fn results(&self) -> usize {
        self.results
    }

    /// All threads of a warp.
    pub fn run(&self, sources: &[&Lanes], results: &mut [Lanes]) {
        (self.run)(sources, results)
    }

    /// One thread.
    #[cfg(test)]
    pub fn thread(&self, sources: &[u64]) -> Vec<u64> {
        let sources: Vec<Lanes> = sources.iter().map(|&x| [x; 32]).collect();
        let mut results = vec![[0; 32]; self.results];
        self.run(&sources.iter().collect::<Vec<_>>(), &mut results);
        results.iter().map(|lanes| lanes[0]).collect()
    }
}

#[inline(always)]
fn each(d: &mut [Lanes], f: impl Fn(usize) -> u64) {
    if let [d, ..] = d {
        for (l, d) in d.iter_mut().enumerate() {
            *d = f(l);
        }
    }
}

/// The meaning of an instruction that depends on its operands alone; none for others, and for those that are not executed.
pub(crate) fn pure(i: &Instruction) -> Option<Pure> {
    integer::pure(i)
        .or_else(|| packed::pure(i))
        .or_else(|| logic::pure(i))
        .or_else(|| mov::pure(i))
        .or_else(|| compare::pure(i))
        .or_else(|| float::pure(i))
        .or_else(|| half::pure(i))
        .or_else(|| approx::pure(i))
        .or_else(|| convert::pure(i))
        .or_else(|| matrix::pure(i))
}
