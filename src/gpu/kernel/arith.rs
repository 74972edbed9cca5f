//! Index arithmetic: what is known folds, powers of two become shifts, and the rest is computed once, in the outermost block that
//! has its registers.

use super::index::Index;
use super::{Kernel, KernelError};
use crate::gpu::ptx::{Operand, Reg, Type};
use num_integer::Integer;

/// What is known of an integer register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub lo: i128,
    pub hi: i128,
    /// the bits that may be set, if it is never negative
    pub bits: u64,
    /// the block that it is computed in; none for variables, which are used where they stand
    pub depth: Option<usize>,
}

impl Fact {
    pub fn range(lo: i128, hi: i128, depth: Option<usize>) -> Fact {
        Fact { lo, hi, bits: ones(hi), depth }
    }
}

/// All bits up to the highest of `hi`.
fn ones(hi: i128) -> u64 {
    match u64::try_from(hi) {
        Ok(hi) => u64::MAX.checked_shr(hi.leading_zeros()).unwrap_or(0),
        Err(_) if hi < 0 => 0,
        Err(_) => u64::MAX,
    }
}

/// Why a value in this range has no bits to work on.
fn no_bits(of: &'static str, (lo, hi): (i128, i128)) -> KernelError {
    if lo < 0 { KernelError::Negative { of } } else { KernelError::TooLarge { lo, hi } }
}

const I32: core::ops::RangeInclusive<i128> = i32::MIN as i128..=i32::MAX as i128;

impl Kernel {
    /// Least and greatest value.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// assert_eq!(k.range(&(tid * 4 + 1)), (1, 509));
    /// ```
    pub fn range(&self, i: &Index) -> (i128, i128) {
        let (mut lo, mut hi) = (i.offset, i.offset);
        for (r, c) in &i.terms {
            let fact = self.fact(*r);
            let (a, b) = (c.saturating_mul(fact.lo), c.saturating_mul(fact.hi));
            lo = lo.saturating_add(a.min(b));
            hi = hi.saturating_add(a.max(b));
        }
        (lo, hi)
    }

    pub(super) fn fact(&self, r: Reg) -> Fact {
        let any = || match r.ty.bits() {
            32 => Fact::range(i32::MIN.into(), i32::MAX.into(), None),
            _ => Fact::range(i64::MIN.into(), i64::MAX.into(), None),
        };
        self.known(r).unwrap_or_else(any)
    }

    /// The bits that may be set, if it is never negative.
    fn bits(&self, i: &Index) -> Option<u64> {
        let (lo, hi) = self.range(i);
        if lo < 0 || hi > i64::MAX.into() {
            return None;
        }
        let (mut all, mut disjoint, mut zeros) = (i.offset as u64, i.offset >= 0, (i.offset as u64).trailing_zeros());
        for (r, c) in &i.terms {
            let fact = self.fact(*r);
            let own = match u64::try_from(*c) {
                Ok(c) if fact.lo >= 0 && c.is_power_of_two() => fact.bits.saturating_mul(c),
                Ok(c) if fact.lo >= 0 => {
                    let zeros = c.trailing_zeros() + fact.bits.trailing_zeros();
                    ones(fact.hi.saturating_mul(c.into())) & u64::MAX.checked_shl(zeros).unwrap_or(0)
                }
                _ => u64::MAX.checked_shl(c.trailing_zeros()).unwrap_or(0),
            };
            disjoint &= all & own == 0;
            zeros = zeros.min(own.trailing_zeros());
            all |= own;
        }
        // without carries the bits are those of the terms; with them, all from the lowest to the highest possible
        Some(if disjoint { all } else { ones(hi) & u64::MAX.checked_shl(zeros).unwrap_or(0) })
    }

    /// Are its registers to be read here, and its coefficients of 64 bits? Those beyond are not kept exactly: no use of them is right.
    pub(super) fn exact(&mut self, i: &Index) -> bool {
        i.terms.iter().for_each(|(r, _)| self.readable(*r));
        let exact = i.terms.iter().map(|(_, c)| *c).chain([i.offset]).all(|c| i64::try_from(c).is_ok());
        if !exact {
            let (lo, hi) = self.range(i);
            self.fail(KernelError::TooLarge { lo, hi });
        }
        exact
    }

    /// `floor(i / by)` of a value that is never negative.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let (warp, lane) = (k.warp(), k.lane());
    /// assert_eq!(k.div(&(warp.clone() * 32 + lane), 32), warp); // no instruction
    /// ```
    pub fn div(&mut self, i: &Index, by: i64) -> Index {
        self.div_rem(i, by).0
    }

    /// `i mod by` of a value that is never negative.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let (warp, lane) = (k.warp(), k.lane());
    /// assert_eq!(k.rem(&(warp * 32 + lane.clone()), 32), lane);
    /// ```
    pub fn rem(&mut self, i: &Index, by: i64) -> Index {
        self.div_rem(i, by).1
    }

    fn div_rem(&mut self, i: &Index, by: i64) -> (Index, Index) {
        if !self.exact(i) {
            return Default::default();
        }
        if by <= 0 || self.range(i).0 < 0 {
            self.fail(KernelError::Negative { of: "a division" });
            return Default::default();
        }
        let i = &self.settled(i.clone());
        let by128 = i128::from(by);
        if self.range(i).1 < by128 {
            return (Index::default(), i.clone());
        }
        // what the divisor divides goes to the quotient, if the rest does not go beyond the divisor
        let whole = i.filter(|(_, c)| c % by128 == 0);
        let rest = i.filter(|(_, c)| c % by128 != 0);
        let (quotient, known) = (i.offset.div_euclid(by128), i.offset.rem_euclid(by128));
        let rest = Index { offset: known, ..rest };
        let mut exact = Index { offset: quotient, ..whole };
        exact.terms.iter_mut().for_each(|(_, c)| *c /= by128);
        let (lo, hi) = self.range(&rest);
        // the quotient of what is never negative is not, but as a sum its range may seem to be
        let apart = lo >= 0 && self.range(&exact).0 >= 0;
        if apart && hi < by128 {
            return (exact, rest);
        }
        // else all of it, or only the rest
        let (add, of) = if apart { (exact, rest) } else { (Index::default(), i.clone()) };
        let (_, hi) = self.range(&of);
        let r = self.integer(&of);
        let wide = r.1.bits() == 64;
        let quotient_range = (0, hi / by128);
        let (q, m) = if by.count_ones() == 1 {
            let n = by.trailing_zeros();
            let q = self.pure(["shr.u32", "shr.u64"][wide as usize], vec![r.0.clone(), n.into()], r.1, quotient_range);
            let bits = self.bits(&of).unwrap_or(u64::MAX);
            self.has_bits(q, bits >> n);
            let m = self.pure(["and.b32", "and.b64"][wide as usize], vec![r.0, (by - 1).into()], r.1, (0, by128 - 1));
            self.has_bits(m, bits & (by as u64 - 1));
            (q, m)
        } else {
            let q = self.pure(["div.u32", "div.u64"][wide as usize], vec![r.0.clone(), by.into()], r.1, quotient_range);
            let m = self.pure(["rem.u32", "rem.u64"][wide as usize], vec![r.0, by.into()], r.1, (0, by128 - 1));
            (q, m)
        };
        (add + Index::register(q), Index::register(m))
    }

    /// `floor(i / by)` and `i mod by` where the divisor is known at launch only; neither is negative, the divisor not 0.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let (tid, n) = (k.tid(), k.size("n"));
    /// let (q, m) = k.div_rem_by(&tid, &n);
    /// assert_eq!((k.range(&q), k.range(&m)), ((0, 127), (0, 127)));
    /// ```
    pub fn div_rem_by(&mut self, i: &Index, by: &Index) -> (Index, Index) {
        if let Some(by) = by.known() {
            return self.div_rem(i, by);
        }
        if self.range(i).0 < 0 || self.range(by).0 < 0 {
            self.fail(KernelError::Negative { of: "a division" });
            return Default::default();
        }
        let (hi, most) = (self.range(i).1, self.range(by).1);
        let ((a, b), ty) = self.integers(i, by);
        let wide = ty.bits() == 64;
        let q = self.pure(["div.u32", "div.u64"][wide as usize], vec![a.clone(), b.clone()], ty, (0, hi));
        let m = self.pure(["rem.u32", "rem.u64"][wide as usize], vec![a, b], ty, (0, hi.min(most - 1)));
        (Index::register(q), Index::register(m))
    }

    /// `ceil(i / by)`.
    /// ```
    /// use girih::gpu::kernel::{Index, Kernel};
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// assert_eq!(k.ceil_div(&Index::from(9), 4).known(), Some(3));
    /// ```
    pub fn ceil_div(&mut self, i: &Index, by: i64) -> Index {
        self.div(&(i + by.saturating_sub(1)), by)
    }

    /// The product of two.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let square = k.mul(&tid, &tid);
    /// assert_eq!(k.range(&square), (0, 127 * 127));
    /// ```
    pub fn mul(&mut self, a: &Index, b: &Index) -> Index {
        let (a, b) = (&self.settled(a.clone()), &self.settled(b.clone()));
        if a.terms.is_empty() {
            return b.scaled(a.offset);
        }
        if b.terms.is_empty() {
            return a.scaled(b.offset);
        }
        // multiplied out, so that each known part and each block's part folds and is hoisted by itself
        let ((a, p), (b, q)) = (a.split(), b.split());
        let mut sum = a.scaled(q) + b.scaled(p) + Index { terms: vec![], offset: p.saturating_mul(q) };
        for x in self.by_depth(&a) {
            for y in self.by_depth(&b) {
                sum = sum + Index::register(self.product(&x, &y));
            }
        }
        sum
    }

    fn product(&mut self, a: &Index, b: &Index) -> Reg {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.range(a), self.range(b));
        let corners = [(a_lo, b_lo), (a_lo, b_hi), (a_hi, b_lo), (a_hi, b_hi)].map(|(x, y)| x.saturating_mul(y));
        let range = (corners.into_iter().fold(i128::MAX, i128::min), corners.into_iter().fold(i128::MIN, i128::max));
        let ((x, y), ty) = self.integers(a, b);
        match ty.bits() {
            32 if I32.contains(&range.0) && I32.contains(&range.1) => {
                self.pure("mul.lo.s32", vec![x, y], Type::B32, range)
            }
            32 => self.pure("mul.wide.s32", vec![x, y], Type::B64, range),
            _ => self.pure("mul.lo.s64", vec![x, y], Type::B64, range),
        }
    }

    /// The terms, those of each block together, outer blocks first.
    fn by_depth(&self, i: &Index) -> Vec<Index> {
        let depth = |(r, _): &(Reg, i128)| self.fact(*r).depth.unwrap_or(usize::MAX);
        let mut terms = i.terms.clone();
        terms.sort_by_key(|t| (depth(t), t.0.id));
        terms.chunk_by(|s, t| depth(s) == depth(t)).map(|group| Index { terms: group.to_vec(), offset: 0 }).collect()
    }

    /// The lesser of two.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let least = k.min(&tid, &7.into());
    /// assert_eq!(k.range(&least), (0, 7));
    /// ```
    pub fn min(&mut self, a: &Index, b: &Index) -> Index {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.range(a), self.range(b));
        if a_hi <= b_lo {
            return self.settled(a.clone());
        }
        if b_hi <= a_lo {
            return self.settled(b.clone());
        }
        let ((x, y), ty) = self.integers(a, b);
        let op = if ty.bits() == 64 { "min.s64" } else { "min.s32" };
        Index::register(self.pure(op, vec![x, y], ty, (a_lo.min(b_lo), a_hi.min(b_hi))))
    }

    /// The greater of two.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// let greatest = k.max(&tid, &7.into());
    /// assert_eq!(k.range(&greatest), (7, 127));
    /// ```
    pub fn max(&mut self, a: &Index, b: &Index) -> Index {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.range(a), self.range(b));
        if a_lo >= b_hi {
            return self.settled(a.clone());
        }
        if b_lo >= a_hi {
            return self.settled(b.clone());
        }
        let ((x, y), ty) = self.integers(a, b);
        let op = if ty.bits() == 64 { "max.s64" } else { "max.s32" };
        Index::register(self.pure(op, vec![x, y], ty, (a_lo.max(b_lo), a_hi.max(b_hi))))
    }

    /// The same value, promised to lie in `lo..=hi`, by what the builder does not know. In 32 bits if these have room there.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let (row, rows) = (k.ctaid() * 128, k.size_at_most("m", 1 << 30));
    /// let row = k.promised(&row, 0, (1 << 30) - 1); // the grid has no block beyond the rows
    /// assert_eq!(k.range(&(rows - row)), (1 - (1 << 30), 1 << 30));
    /// ```
    pub fn promised(&mut self, i: &Index, lo: i64, hi: i64) -> Index {
        if i.terms.is_empty() {
            return i.clone();
        }
        let range = (i128::from(lo), i128::from(hi));
        let narrow = I32.contains(&range.0) && I32.contains(&range.1) && i.terms.iter().all(|(r, _)| r.ty.bits() == 32);
        let (value, op, ty) = match narrow {
            true => (self.narrow(i), "mov.b32", Type::B32),
            false => (self.wide(i), "mov.b64", Type::B64),
        };
        // of this block, and none that is known already: elsewhere the promise may not hold
        let here = self.scopes.len() - 1;
        Index::register(self.computed(here, op, vec![value], ty, range))
    }

    /// `a XOR b` of values that are never negative; where no bit can be set in both it is their sum.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::Target;
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// assert_eq!(k.xor(&tid, &128.into()), tid + 128);
    /// ```
    pub fn xor(&mut self, a: &Index, b: &Index) -> Index {
        let (Some(x), Some(y)) = (self.bits(a), self.bits(b)) else {
            let ((a, hi), (b, far)) = (self.range(a), self.range(b));
            self.fail(no_bits("an exclusive or", (a.min(b), hi.max(far))));
            return Index::default();
        };
        if x & y == 0 {
            return self.settled(a + b);
        }
        if let (Some(a), Some(b)) = (a.known(), b.known()) {
            return (a ^ b).into();
        }
        let ((p, q), ty) = self.integers(a, b);
        let op = if ty.bits() == 64 { "xor.b64" } else { "xor.b32" };
        let r = self.pure(op, vec![p, q], ty, (0, ones((x | y).into()).into()));
        self.has_bits(r, x | y);
        Index::register(r)
    }

    /// Those bits of a value that are set in `mask`.
    fn masked(&mut self, i: &Index, mask: u64) -> Index {
        let Some(bits) = self.bits(i) else {
            self.fail(no_bits("a swizzle", self.range(i)));
            return Index::default();
        };
        if bits & !mask == 0 {
            return i.clone();
        }
        let (operand, ty) = self.integer(i);
        let op = if ty.bits() == 64 { "and.b64" } else { "and.b32" };
        let r = self.pure(op, vec![operand, ((mask & bits) as i64).into()], ty, (0, (mask & bits).into()));
        self.has_bits(r, mask & bits);
        Index::register(r)
    }

    /// A value with the bits of `source` moved by `shift` (down if positive) and exclusively or'ed to it. What no bit of the masks
    /// touches is left outside, and the known part, whose image is known, too.
    pub(super) fn flip(&mut self, i: &Index, source: u64, shift: i32) -> Index {
        let i = &self.settled(i.clone());
        let moved = |bits: u64| if shift >= 0 { bits >> shift } else { bits << -shift };
        let touched = source | moved(source);
        let (varying, known) = i.split();
        let (mut inside, mut outside) = (Index::default(), Index::default());
        for term in &varying.terms {
            let one = Index { terms: vec![*term], offset: 0 };
            match self.bits(&one) {
                Some(bits) if bits & touched == 0 => outside = outside + one,
                _ => inside = inside + one,
            }
        }
        let disjoint = |k: &Kernel, a: &Index, b: i128| match (k.bits(a), u64::try_from(b)) {
            (Some(bits), Ok(b)) => bits & b == 0,
            _ => false,
        };
        // the parts are flipped one by one only if no carry goes from one into another, or among those outside into what is touched
        let (sum, own) = (&inside + &outside, self.bits(&inside).zip(self.bits(&outside)));
        let separate = own.is_some_and(|(a, b)| (a | touched) & b == 0);
        let (inside, outside, known) = match (separate, disjoint(self, &sum, known)) {
            (true, true) => {
                let inner = known & i128::from(touched);
                (inside, outside + Index { terms: vec![], offset: known - inner }, inner)
            }
            _ => (i.clone(), Index::default(), 0),
        };
        let source_bits = self.and_shift(&inside, source, shift);
        let flipped = self.xor(&inside, &source_bits);
        let image = known ^ i128::from(moved(known as u64 & source));
        let image = Index { terms: vec![], offset: image };
        let all = self.xor(&flipped, &image);
        all + outside
    }

    fn and_shift(&mut self, i: &Index, mask: u64, shift: i32) -> Index {
        if self.bits(i).is_some_and(|bits| bits & mask == 0) {
            return Index::default();
        }
        let masked = self.masked(i, mask);
        let moved = if shift >= 0 { self.div(&masked, 1 << shift) } else { masked * (1 << -shift) };
        let bits = if shift >= 0 { mask >> shift } else { mask << -shift };
        if let [(r, 1)] = moved.terms[..] {
            self.has_bits(r, bits);
        }
        moved
    }

    /// The value in a register of 32 bits if it fits, else of 64; known ones are immediates.
    /// ```
    /// use girih::gpu::kernel::Kernel;
    /// use girih::gpu::ptx::{Target, Type};
    /// let mut k = Kernel::new("k", Target::SM_80, [128, 1, 1]);
    /// let tid = k.tid();
    /// assert_eq!(k.integer(&(tid * 4)).1, Type::B32);
    /// ```
    pub fn integer(&mut self, i: &Index) -> (Operand, Type) {
        let (lo, hi) = self.range(i);
        if lo < i64::MIN.into() || hi > i64::MAX.into() {
            self.fail(KernelError::TooLarge { lo, hi });
            return (0.into(), Type::B64);
        }
        match I32.contains(&lo) && I32.contains(&hi) && i.terms.iter().all(|(r, _)| r.ty.bits() == 32) {
            true => (self.narrow(i), Type::B32),
            false => (self.wide(i), Type::B64),
        }
    }

    /// Both in registers of one width.
    pub(super) fn integers(&mut self, a: &Index, b: &Index) -> ((Operand, Operand), Type) {
        let (x, s) = self.integer(a);
        let (y, t) = self.integer(b);
        match (s.bits(), t.bits()) {
            (32, 32) => ((x, y), Type::B32),
            _ => ((self.wide(a), self.wide(b)), Type::B64),
        }
    }

    /// In 32 bits, modulo 2^32.
    pub(super) fn narrow(&mut self, i: &Index) -> Operand {
        let known = i.offset as i32;
        if i.terms.is_empty() {
            return known.into();
        }
        let sum = self.sum(&i.filter(|_| true), Type::B32);
        match known {
            0 => sum.into(),
            known => self.pure("add.s32", vec![sum.into(), known.into()], Type::B32, self.range(i)).into(),
        }
    }

    /// In 64 bits.
    pub(super) fn wide(&mut self, i: &Index) -> Operand {
        if i.terms.is_empty() {
            return (i.offset as i64).into();
        }
        let sum = self.sum(&i.filter(|_| true), Type::B64);
        match i.offset {
            0 => sum.into(),
            known => self.pure("add.s64", vec![sum.into(), (known as i64).into()], Type::B64, self.range(i)).into(),
        }
    }

    /// The sum of the terms, those of outer blocks first, so that what does not change in a loop is added before it.
    pub(super) fn sum(&mut self, i: &Index, ty: Type) -> Reg {
        let mut so_far: Option<(Index, Reg)> = None;
        for group in self.by_depth(i) {
            let wide = ty.bits() == 64;
            so_far = Some(match so_far {
                None if wide => (group.clone(), self.wide_group(&group)),
                None => (group.clone(), self.group(&group)),
                Some((before, sum)) => {
                    let all = before + &group;
                    let range = self.range(&all);
                    let r = match self.multiple(&group).filter(|_| wide) {
                        // widened, scaled and added by one instruction
                        Some((reduced, by)) => {
                            let r = self.group(&reduced);
                            self.pure("mad.wide.s32", vec![r.into(), by.into(), sum.into()], ty, range)
                        }
                        None => {
                            let r = if wide { self.wide_group(&group) } else { self.group(&group) };
                            let op = if wide { "add.s64" } else { "add.s32" };
                            self.pure(op, vec![sum.into(), r.into()], ty, range)
                        }
                    };
                    (all, r)
                }
            });
        }
        match so_far {
            Some((_, r)) => r,
            // no term: a register that holds 0
            None => self.pure(if ty.bits() == 32 { "mov.b32" } else { "mov.b64" }, vec![0.into()], ty, (0, 0)),
        }
    }

    /// Terms of one block, in 32 bits.
    fn group(&mut self, i: &Index) -> Reg {
        let mut so_far: Option<(Index, Reg)> = None;
        for &(r, c) in &i.terms {
            let r = if r.ty.bits() == 64 { self.low(r) } else { r };
            let term = Index { terms: vec![(r, c)], offset: 0 };
            let all = so_far.as_ref().map_or_else(|| term.clone(), |(before, _)| before + &term);
            let (range, own) = (self.range(&all), self.range(&term));
            let c32 = c as i32;
            let power = c.unsigned_abs().is_power_of_two() && c > 0;
            let sum = match &so_far {
                None if c == 1 => r,
                None if power => self.pure("shl.b32", vec![r.into(), c.trailing_zeros().into()], Type::B32, own),
                None => self.pure("mul.lo.s32", vec![r.into(), c32.into()], Type::B32, own),
                Some((_, sum)) if c == 1 => self.pure("add.s32", vec![(*sum).into(), r.into()], Type::B32, range),
                Some((_, sum)) if c == -1 => self.pure("sub.s32", vec![(*sum).into(), r.into()], Type::B32, range),
                Some((_, sum)) if power => {
                    let sum = *sum;
                    let t = self.pure("shl.b32", vec![r.into(), c.trailing_zeros().into()], Type::B32, own);
                    self.pure("add.s32", vec![sum.into(), t.into()], Type::B32, range)
                }
                Some((_, sum)) => {
                    let operands = vec![r.into(), c32.into(), (*sum).into()];
                    self.pure("mad.lo.s32", operands, Type::B32, range)
                }
            };
            if let Some(bits) = self.bits(&all) {
                self.has_bits(sum, bits);
            }
            so_far = Some((all, sum));
        }
        so_far.map_or(Reg { id: 0, ty: Type::B32 }, |(_, r)| r)
    }

    /// Terms in 32 bits as a multiple of a sum that fits there.
    fn multiple(&self, i: &Index) -> Option<(Index, i32)> {
        let common = i.terms.iter().fold(0i128, |g, (_, c)| g.gcd(c));
        let by = i32::try_from(common).ok().filter(|by| *by > 0)?;
        let mut reduced = i.clone();
        reduced.terms.iter_mut().for_each(|(_, c)| *c /= common);
        let (lo, hi) = self.range(&reduced);
        let fits = I32.contains(&lo) && I32.contains(&hi) && i.terms.iter().all(|(r, _)| r.ty.bits() == 32);
        fits.then_some((reduced, by))
    }

    /// The lower half.
    fn low(&mut self, r: Reg) -> Reg {
        let Fact { lo, hi, bits, .. } = self.fact(r);
        let fits = I32.contains(&lo) && I32.contains(&hi);
        let range = if fits { (lo, hi) } else { (*I32.start(), *I32.end()) };
        let low = self.pure("cvt.u32.u64", vec![r.into()], Type::B32, range);
        if fits {
            self.has_bits(low, bits);
        }
        low
    }

    /// Terms of one block, in 64 bits: those of 32 are summed there as far as the sum fits, and widened by one multiplication.
    fn wide_group(&mut self, i: &Index) -> Reg {
        let is_narrow = |(r, _): &(Reg, i128)| r.ty.bits() == 32;
        let narrow = i.filter(is_narrow);
        let mut parts: Vec<(Index, Reg)> = Vec::new();
        if let Some((reduced, by)) = self.multiple(&narrow) {
            let r = self.group(&reduced);
            let range = self.range(&narrow);
            let widened = match by {
                1 => self.pure("cvt.s64.s32", vec![r.into()], Type::B64, range),
                _ => self.pure("mul.wide.s32", vec![r.into(), by.into()], Type::B64, range),
            };
            parts.push((narrow, widened));
        } else {
            for (r, c) in narrow.terms {
                let wide = self.pure("cvt.s64.s32", vec![r.into()], Type::B64, self.range(&Index::register(r)));
                let term = Index { terms: vec![(r, c)], offset: 0 };
                parts.push((term, self.scaled(wide, c)));
            }
        }
        for (r, c) in i.filter(|t| !is_narrow(t)).terms {
            parts.push((Index { terms: vec![(r, c)], offset: 0 }, self.scaled(r, c)));
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or((Index::default(), Reg { id: 0, ty: Type::B64 }));
        parts
            .fold(first, |(before, sum), (term, r)| {
                let all = before + term;
                let range = self.range(&all);
                (all, self.pure("add.s64", vec![sum.into(), r.into()], Type::B64, range))
            })
            .1
    }

    fn scaled(&mut self, r: Reg, by: i128) -> Reg {
        let range = self.range(&Index { terms: vec![(r, by)], offset: 0 });
        match by {
            1 => r,
            by if by > 0 && by.count_ones() == 1 => {
                self.pure("shl.b64", vec![r.into(), by.trailing_zeros().into()], Type::B64, range)
            }
            by => self.pure("mul.lo.s64", vec![r.into(), (by as i64).into()], Type::B64, range),
        }
    }
}
