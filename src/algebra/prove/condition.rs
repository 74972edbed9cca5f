//! Claims about layouts with symbols: proofs for all values, and the side conditions that are missing.
//!
//! What is proved is that the strides form a chain: in some order of the leaves each stride is at least extent times stride of
//! the leaf before (then no value repeats), or equal to it (then no value is left out). Monomials are compared factor by
//! factor, for symbols of at least 1 that keep their promises. What is not so for all values becomes a condition; first it is
//! tried whether promises alone suffice, `?M % 128 == 0` for an extent `⌈?M/128⌉`.

use super::certificate::{Certificate, Flaw, Proof};
use super::claim::{Claim, Image};
use super::decide::{Unknown, Verdict};
use crate::layout::{Bound, Int, Layout, LayoutError, lcm};
use core::fmt;

/// What a launch has to check for a certificate to hold.
/// ```
/// use girih::algebra::prove::{self, Verdict};
/// use girih::prelude::*;
/// let Verdict::Conditional(c) = prove::injective(&"(?M,?N):(1,?lda)".parse()?) else { panic!() };
/// assert_eq!(c.assuming[0].to_string(), "?M <= ?lda");
/// assert!(c.assuming[0].holds(&[("M", 100), ("lda", 128)])?);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// `symbol % by == 0`
    Divides {
        /// a symbol, with what it promises
        symbol: Int,
        /// the divisor
        by: i64,
    },
    /// `left <= right`
    AtMost {
        /// the smaller
        left: Int,
        /// the larger
        right: Int,
    },
    /// `left == right`
    Equal {
        /// one
        left: Int,
        /// the other
        right: Int,
    },
    /// `sum < 2^bits`
    Below {
        /// the largest partial sum
        sum: Box<Bound>,
        /// bits of a number without its sign
        bits: u32,
    },
}

impl Condition {
    /// Whether it holds for these values of the symbols.
    ///
    /// # Errors
    /// A symbol is unbound, or as [`Int::bind`].
    /// ```
    /// # use girih::{algebra::prove::Condition, prelude::*};
    /// let c = Condition::Divides { symbol: Int::symbol("M", 8)?, by: 64 };
    /// assert_eq!((c.holds(&[("M", 128)])?, c.holds(&[("M", 72)])?), (true, false));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn holds(&self, values: &[(&str, i64)]) -> Result<bool, LayoutError> {
        let number = |v: &Int| v.bind(values)?.value().ok_or(LayoutError::Undecided);
        Ok(match self {
            Condition::Divides { symbol, by } => {
                number(symbol)?.checked_rem(*by).ok_or(LayoutError::BadExtent { leaf: 0, extent: *by })? == 0
            }
            Condition::AtMost { left, right } => number(left)? <= number(right)?,
            Condition::Equal { left, right } => number(left)? == number(right)?,
            Condition::Below { sum, bits } => {
                (sum.bind(values)?.value().ok_or(LayoutError::Undecided)? as i128) < 1 << bits.min(&100)
            }
        })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Divides { symbol, by } => write!(f, "{symbol} % {by} == 0"),
            Condition::AtMost { left, right } => write!(f, "{left} <= {right}"),
            Condition::Equal { left, right } => write!(f, "{left} == {right}"),
            Condition::Below { sum, bits } => write!(f, "{sum} < 2^{bits}"),
        }
    }
}

impl Claim {
    /// The claim with values for symbols.
    ///
    /// # Errors
    /// As [`Layout::bind`].
    /// ```
    /// # use girih::{algebra::prove::Claim, prelude::*};
    /// let claim = Claim::Injective("(?M,4):(1,?lda)".parse()?);
    /// assert_eq!(claim.bind(&[("M", 3), ("lda", 8)])?, Claim::Injective(layout!((3,4):(1,8))));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn bind(&self, values: &[(&str, i64)]) -> Result<Claim, LayoutError> {
        self.map(&|l| l.bind(values), &|v| v.bind(values))
    }

    /// The claim with other layouts and sizes.
    fn map(
        &self,
        layout: &dyn Fn(&Layout) -> Result<Layout, LayoutError>,
        int: &dyn Fn(&Int) -> Result<Int, LayoutError>,
    ) -> Result<Claim, LayoutError> {
        let image = |i: &Image| Ok::<_, LayoutError>(Image { layout: layout(&i.layout)?, offset: i.offset });
        let images = |f: &[Image]| f.iter().map(image).collect::<Result<Vec<_>, _>>();
        Ok(match self {
            Claim::Injective(a) => Claim::Injective(layout(a)?),
            Claim::Bijective { image: i, lo, size } => Claim::Bijective { image: image(i)?, lo: *lo, size: int(size)? },
            Claim::Onto { image: i, lo, hi } => Claim::Onto { image: image(i)?, lo: *lo, hi: *hi },
            Claim::Contiguous(a) => Claim::Contiguous(layout(a)?),
            Claim::Disjoint(family) => Claim::Disjoint(images(family)?),
            Claim::Covers { whole, family } => Claim::Covers { whole: image(whole)?, family: images(family)? },
            Claim::Inside(a, b) => Claim::Inside(image(a)?, image(b)?),
            Claim::Equal(a, b) => Claim::Equal(layout(a)?, layout(b)?),
            Claim::Monotone { layout: a, strict } => Claim::Monotone { layout: layout(a)?, strict: *strict },
            Claim::Aligned { image: i, to } => Claim::Aligned { image: image(i)?, to: *to },
            Claim::Fits { image: i, bits, signed } => Claim::Fits { image: image(i)?, bits: *bits, signed: *signed },
            Claim::Vectors { a, b, width } => Claim::Vectors { a: image(a)?, b: image(b)?, width: *width },
        })
    }

    /// All numbers in it that may have symbols.
    pub(super) fn ints(&self) -> Vec<Int> {
        let layouts = self.layouts();
        let leaves = layouts.iter().flat_map(|l| (0..l.leaves()).flat_map(|i| [l.extent_int(i), l.stride_int(i)]));
        let size = if let Claim::Bijective { size, .. } = self { Some(*size) } else { None };
        leaves.chain(size).collect()
    }

    /// The symbols: name, the common multiple of the divisors that round them up, and what they promise.
    pub(super) fn symbols(&self) -> Vec<(String, i64, i64)> {
        let mut out: Vec<(String, i64, i64)> = Vec::new();
        for (name, div, promise) in self.ints().iter().flat_map(|v| v.divisors().collect::<Vec<_>>()) {
            let name = name.to_string();
            match out.iter_mut().find(|s| s.0 == name) {
                Some(s) => (s.1, s.2) = (lcm(s.1, div).unwrap_or(i64::MAX), lcm(s.2, promise).unwrap_or(i64::MAX)),
                None => out.push((name, div, promise)),
            }
        }
        out
    }

    /// The claim where the divisibilities among the conditions are promises.
    fn assume(&self, assuming: &[Condition]) -> Result<Claim, LayoutError> {
        let mut claim = self.clone();
        for c in assuming {
            if let Condition::Divides { symbol, by } = c {
                // of a symbol itself: what divides a product or a quotient says nothing of its factors
                let of = symbol.divisors().next().ok_or(LayoutError::Undecided)?;
                let (name, promise) = (of.0.to_string(), of.2);
                let plain = Int::symbol(&name, u32::try_from(promise).map_err(|_| LayoutError::Overflow)?)?;
                let by = lcm(*by, promise).filter(|_| *by > 0 && *symbol == plain).ok_or(LayoutError::Undecided)?;
                claim = claim.map(&|l| l.promise(&name, by), &|v| v.promise(&name, by))?;
            }
        }
        Ok(claim)
    }
}

/// What a proof needs of two monomials.
#[derive(Clone, Copy)]
enum Need {
    AtMost(Int, Int),
    /// at most, whatever the sign of the stride
    Apart(Int, Int),
    Equal(Int, Int),
}

/// The comparisons, and the largest sums, that a claim needs for a proof; None if the proof is of another kind.
fn needs(claim: &Claim, proof: &Proof) -> Option<(Vec<Need>, Vec<Condition>)> {
    let one = Int::known(1);
    let leaf = |a: &Layout, k: usize| Some((a.leaf_extent(k).ok()?, a.leaf_stride(k).ok()?));
    let live = |a: &Layout| (0..a.leaves()).filter(|&k| a.leaf_extent(k).is_ok_and(|s| s != one)).collect::<Vec<_>>();
    // consecutive leaves of a chain, from a span of 1; the span at the end
    let chain = |a: &Layout, order: &[usize], need: fn(Int, Int) -> Need| {
        let (mut span, mut out) = (one, Vec::new());
        for &k in order {
            let (s, d) = leaf(a, k)?;
            // from which side a value is reached does not matter where it is reached once
            let d = if d.coefficient() < 0 && matches!(need(one, one), Need::Apart(..)) {
                d.mul(&Int::known(-1)).ok()?
            } else {
                d
            };
            if d.coefficient() < 1 {
                return None;
            }
            out.push(need(span, d));
            span = s.mul(&d).ok()?;
        }
        Some((out, span))
    };
    // every leaf once
    let all = |a: &Layout, order: &[usize]| {
        let distinct = (0..order.len()).all(|i| !order[..i].contains(&order[i]));
        (distinct && live(a).iter().all(|k| order.contains(k))).then_some(())
    };
    let mut sums = Vec::new();
    let needs = match (claim, proof) {
        (Claim::Injective(a), Proof::Chain(order)) => {
            all(a, order)?;
            chain(a, order, Need::Apart)?.0
        }
        (Claim::Contiguous(a), Proof::Chain(order)) => {
            all(a, order)?;
            chain(a, order, Need::Equal)?.0
        }
        (Claim::Bijective { image, lo, size }, Proof::Chain(order)) => {
            all(&image.layout, order)?;
            let (mut needs, span) = chain(&image.layout, order, Need::Equal)?;
            needs.push(Need::Equal(span, *size));
            (image.offset == *lo).then_some(needs)?
        }
        (Claim::Equal(a, b), Proof::Arithmetic) => a.same_function(b).then(Vec::new)?,
        (Claim::Aligned { image, to }, Proof::Arithmetic) => {
            let a = &image.layout;
            let whole = |k: usize| leaf(a, k).is_some_and(|(s, d)| s == one || d.div_exact(&Int::known(*to)).is_some());
            ((0..a.leaves()).all(whole) && image.offset % to == 0).then(Vec::new)?
        }
        (Claim::Monotone { layout: a, strict }, Proof::Arithmetic) => {
            let live = live(a);
            let flat = |k: &&usize| !*strict && a.leaf_stride(**k).is_ok_and(|d| d.value() == Some(0));
            chain(a, &live[live.iter().take_while(flat).count()..], Need::AtMost)?.0
        }
        (Claim::Fits { image, bits, signed }, Proof::Arithmetic) => {
            let a = &image.layout;
            let rising = (0..a.leaves()).all(|k| leaf(a, k).is_some_and(|(_, d)| d.coefficient() >= 0));
            let bits = bits.checked_sub(*signed as u32).filter(|b| *b <= 64 && rising && image.offset >= 0)?;
            // cosize counts from 0 to the largest value
            let sum = a.cosize_bound().ok()?.plus(&Int::known(image.offset - 1)).ok()?;
            sums.push(Condition::Below { sum: Box::new(sum), bits });
            Vec::new()
        }
        _ => return None,
    };
    Some((needs, sums))
}

impl Need {
    /// Some(true): for all values. Some(false): for none.
    fn always(self) -> Option<bool> {
        // a symbol is at least 1
        let below = |a: &Int, b: &Int| a.coefficient() > 0 && b.value().is_some_and(|b| b < 1);
        match self {
            Need::AtMost(a, b) | Need::Apart(a, b) | Need::Equal(a, b) if below(&a, &b) => Some(false),
            Need::AtMost(a, b) | Need::Apart(a, b) => a.le(&b),
            Need::Equal(a, b) if a == b => Some(true),
            Need::Equal(a, b) => (a.le(&b) == Some(false) || b.le(&a) == Some(false)).then_some(false),
        }
    }

    fn condition(self) -> Condition {
        match self {
            Need::AtMost(left, right) | Need::Apart(left, right) => Condition::AtMost { left, right },
            Need::Equal(left, right) => Condition::Equal { left, right },
        }
    }
}

fn known_sum(c: &Condition) -> Option<bool> {
    match c {
        Condition::Below { sum, .. } if sum.value().is_some() => c.holds(&[]).ok(),
        _ => None,
    }
}

/// The checker for claims with symbols.
pub(super) fn check(c: &Certificate) -> Result<(), Flaw> {
    let claim = c.claim.assume(&c.assuming).map_err(|_| Flaw("an assumption overflows"))?;
    let (needs, sums) = needs(&claim, &c.proof).ok_or(Flaw("the proof is of another kind"))?;
    let assumed = |n: &Need| n.always() == Some(true) || c.assuming.contains(&n.condition());
    let bounded = |s: &Condition| known_sum(s) == Some(true) || c.assuming.contains(s);
    if needs.iter().all(assumed) && sums.iter().all(bounded) {
        Ok(())
    } else {
        Err(Flaw("a condition of the proof does not hold for all values"))
    }
}

fn without_sign(d: Int) -> Int {
    if d.coefficient() < 0 { d.mul(&Int::known(-1)).unwrap_or(d) } else { d }
}

/// The leaves in the order in which they most likely form a chain.
fn order(a: &Layout) -> Vec<usize> {
    let one = Int::known(1);
    let stride = |k: usize| without_sign(a.stride_int(k));
    let mut rest: Vec<usize> = (0..a.leaves()).filter(|&k| a.extent_int(k) != one).collect();
    rest.sort_by_key(|&k| (stride(k).symbols(), stride(k).coefficient()));
    let (mut span, mut order) = (one, Vec::new());
    while !rest.is_empty() {
        let exact = rest.iter().position(|&k| stride(k) == span);
        let longer = || rest.iter().position(|&k| span.le(&stride(k)) == Some(true));
        let k = rest.remove(exact.or_else(longer).unwrap_or(0));
        span = a.extent_int(k).mul(&stride(k)).unwrap_or(span);
        order.push(k);
    }
    order
}

fn proof(claim: &Claim) -> Proof {
    match claim {
        Claim::Injective(a) | Claim::Contiguous(a) => Proof::Chain(order(a)),
        Claim::Bijective { image, .. } => Proof::Chain(order(&image.layout)),
        _ => Proof::Arithmetic,
    }
}

/// A certificate under these divisibilities and what else is missing; None if there is none.
fn attempt(claim: &Claim, divides: &[Condition]) -> Option<Certificate> {
    let under = claim.assume(divides).ok()?;
    let proof = proof(&under);
    let (needs, sums) = needs(&under, &proof)?;
    let mut assuming = divides.to_vec();
    for need in needs {
        match need.always() {
            Some(true) => {}
            Some(false) => return None,
            None if assuming.contains(&need.condition()) => {}
            None => assuming.push(need.condition()),
        }
    }
    for sum in sums {
        match known_sum(&sum) {
            Some(true) => {}
            Some(false) => return None,
            None => assuming.push(sum),
        }
    }
    let c = Certificate { claim: claim.clone(), assuming, proof };
    check(&c).is_ok().then_some(c)
}

pub(super) fn decide(claim: &Claim, budget: u64) -> Verdict {
    let plain = attempt(claim, &[]);
    if let Some(c) = plain.clone().filter(|c| c.assuming.is_empty()) {
        return Verdict::Proved(c);
    }
    // promises that make what is rounded up exact, or that an alignment needs; as few as suffice
    let to = if let Claim::Aligned { to, .. } = claim { *to } else { 1 };
    let promises =
        claim.symbols().into_iter().map(|(name, div, promise)| (name, lcm(div, to).unwrap_or(i64::MAX), promise));
    let mut divides: Vec<Condition> = promises
        .filter(|(_, by, promise)| promise % by != 0)
        .filter_map(|(name, by, promise)| {
            let symbol = Int::symbol(&name, u32::try_from(promise).ok()?).ok()?;
            Some(Condition::Divides { symbol, by })
        })
        .collect();
    let mut best = attempt(claim, &divides);
    let mut k = 0;
    while best.is_some() && k < divides.len() {
        let mut fewer = divides.clone();
        fewer.remove(k);
        match attempt(claim, &fewer).filter(|c| best.as_ref().is_some_and(|b| c.assuming.len() < b.assuming.len())) {
            Some(c) => (best, divides) = (Some(c), fewer),
            None => k += 1,
        }
    }
    let fewest = [best, plain].into_iter().flatten().min_by_key(|c| {
        let others = c.assuming.iter().filter(|c| !matches!(c, Condition::Divides { .. })).count();
        (others, c.assuming.len())
    });
    if let Some(c) = fewest {
        return if c.assuming.is_empty() { Verdict::Proved(c) } else { Verdict::Conditional(c) };
    }
    // a claim that is false for some small values of the symbols is false
    let symbols = claim.symbols();
    for times in 1..=4 {
        let values: Vec<(&str, i64)> = symbols.iter().map(|s| (s.0.as_str(), s.2.saturating_mul(times))).collect();
        let bound = claim.bind(&values).ok().filter(|c| !c.is_symbolic());
        if let Some(Verdict::Refuted(mut r)) = bound.map(|c| c.decide(budget)) {
            r.values = values.iter().map(|v| (v.0.to_string(), v.1)).collect();
            return Verdict::Refuted(r);
        }
    }
    Verdict::Unknown(Unknown::Symbols)
}
