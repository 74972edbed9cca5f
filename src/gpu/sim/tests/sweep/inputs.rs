//! Values of operands: special ones, all of narrow types, random bits, and random ones near where something happens.

/// What a part of a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    Predicate,
    /// of so many bits
    Integer(u32),
    /// bits of exponent and mantissa
    Float(u32, u32),
}
use Element::*;

/// What a register holds: so many equal parts; bits above them are of no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kind {
    pub element: Element,
    pub parts: u32,
    pub bits: u32,
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// The lowest bits.
pub fn mask(bits: u32) -> u64 {
    1u64.checked_shl(bits).map_or(u64::MAX, |b| b - 1)
}

/// A float's value.
pub fn value(exponent: u32, mantissa: u32, x: u64) -> f64 {
    let (bias, e, m) = (mask(exponent - 1) as i32, x >> mantissa & mask(exponent), x & mask(mantissa));
    let magnitude = match e {
        _ if e == mask(exponent) && m > 0 => f64::NAN,
        _ if e == mask(exponent) => f64::INFINITY,
        0 => m as f64 * two(1 - bias - mantissa as i32),
        e => (m | 1 << mantissa) as f64 * two(e as i32 - bias - mantissa as i32),
    };
    if x >> (exponent + mantissa) & 1 > 0 { -magnitude } else { magnitude }
}

/// A power of two, of any double.
pub fn two(power: i32) -> f64 {
    let half = power / 2;
    2f64.powi(half) * 2f64.powi(power - half)
}

/// Near a value: cut to the format, without subnormals.
fn near(exponent: u32, mantissa: u32, x: f64) -> u64 {
    let bits = x.to_bits();
    let e = (bits >> 52 & 0x7ff) as i64 - 1023 + mask(exponent - 1) as i64;
    let e = e.clamp(0, mask(exponent) as i64) as u64;
    bits >> 63 << (exponent + mantissa) | e << mantissa | (bits & mask(52)) >> (52 - mantissa)
}

impl Element {
    pub fn bits(self) -> u32 {
        match self {
            Predicate => 1,
            Integer(bits) => bits,
            Float(e, m) => 1 + e + m,
        }
    }

    fn specials(self) -> Vec<u64> {
        match self {
            Predicate => vec![0, 1],
            Integer(n) => {
                let min = 1 << (n - 1);
                let all =
                    [0, 1, 2, 31, 32, 33, 64, min, min + 1, min - 1, min - 2, !0, !1, 0x5555_5555_5555_5555, !min >> 1];
                all.iter().map(|x: &u64| x & mask(n)).collect()
            }
            Float(e, m) => {
                let (one, last) = (mask(e - 1) << m, mask(e) << m);
                let all = [
                    0,
                    1,
                    mask(m),
                    1 << m,
                    one,
                    one - 1,
                    one + 1,
                    one - (1 << m),
                    one | 1 << (m - 1),
                    one + (1 << m),
                    last - 1,
                    last,
                    last | 1 << (m - 1),
                    last | 1,
                    last | mask(m),
                ];
                all.iter().flat_map(|x| [*x, x | 1 << (e + m)]).collect()
            }
        }
    }

    /// A mantissa that is often the middle between numbers of fewer bits, or next to it.
    fn bits_with_ties(width: u32, r: &mut Random) -> u64 {
        let x = r.next() & mask(width);
        let low = 1 + r.below(u64::from(width.max(1))) as u32;
        let half = 1u64 << (low - 1);
        let tail = r.of(&[0, half, half - 1, half + 1, mask(low), 1, x, x]) & mask(low);
        (x & !mask(low) | tail) & mask(width)
    }

    fn random(self, r: &mut Random) -> u64 {
        let class = r.below(16);
        match self {
            _ if class < 2 => r.of(&self.specials()),
            Predicate => r.below(2),
            Integer(n) => {
                let x = match class {
                    2..=5 => r.next(),
                    6..=8 => (r.next() as i64 >> r.below(u64::from(n)).max(64 - u64::from(n))) as u64,
                    9..=11 => r.below(80),
                    12 | 13 => (1u64 << r.below(u64::from(n))).wrapping_add(r.below(5)).wrapping_sub(2),
                    _ => Element::bits_with_ties(r.below(u64::from(n)) as u32 + 1, r),
                };
                let x = if class.is_multiple_of(2) { x } else { x.wrapping_neg() };
                x & mask(n)
            }
            Float(e, m) => {
                let (bias, top) = (mask(e - 1) as i64, mask(e) as i64);
                let within = |r: &mut Random, spread: u64| r.below(2 * spread + 1) as i64 - spread as i64;
                let exponent = match class {
                    2..=4 => r.below(mask(e) + 1) as i64,
                    5 | 6 => bias + within(r, 4),
                    7 | 8 => bias + within(r, 30),
                    9 => bias + within(r, 160),
                    // where narrower formats and integers end
                    10 | 11 => {
                        bias + r.of(&[-150, -127, -25, -15, -10, -7, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128])
                            + within(r, 1)
                    }
                    12 | 13 => bias + r.below(u64::from(m) + 3) as i64,
                    14 => 0,
                    _ => top - 1 - r.below(4) as i64,
                };
                let mantissa = if class < 4 { r.next() & mask(m) } else { Element::bits_with_ties(m, r) };
                r.below(2) << (e + m) | (exponent.clamp(0, top) as u64) << m | mantissa
            }
        }
    }

    /// A value that has to do with another one.
    fn beside(self, x: u64, r: &mut Random) -> u64 {
        let x = match (self, r.below(6)) {
            (_, 0) => x,
            (Float(e, m), class) => {
                let sign = r.below(2) << (e + m);
                let x = x.wrapping_add(r.below(5)).wrapping_sub(2);
                let exponents = if class < 3 { r.below(3) } else { r.below(u64::from(m) + 4) };
                let steps = if class % 2 == 0 { exponents } else { exponents.wrapping_neg() };
                x.wrapping_add(steps.wrapping_mul(1 << m)) ^ sign
            }
            (_, 1) => !x,
            (_, 2) => x.wrapping_neg(),
            _ => x.wrapping_add(r.below(5)).wrapping_sub(2),
        };
        x & mask(self.bits())
    }
}

impl Kind {
    fn of_parts(self, mut part: impl FnMut(u32) -> u64) -> u64 {
        (0..self.parts).fold(0, |all, p| all | part(p) << (p * self.element.bits()))
    }

    pub fn part(self, x: u64, p: u32) -> u64 {
        x >> (p * self.element.bits()) & mask(self.element.bits())
    }

    /// Bits of no meaning above the parts.
    fn fill(self, x: u64, r: &mut Random) -> u64 {
        let used = mask(self.parts * self.element.bits());
        (x | r.next() & !used) & mask(self.bits)
    }
}

/// Every source of every instance; the instances of a row are threads of one warp after another.
pub fn columns(kinds: &[Kind], n: usize) -> Vec<Vec<u64>> {
    let mut columns = vec![Vec::with_capacity(n); kinds.len()];
    let seed =
        kinds.iter().fold(1, |s: u64, k| s.wrapping_mul(31) ^ u64::from(k.element.bits() * 64 + k.bits + k.parts));
    let mut r = Random(seed);
    let specials: Vec<Vec<u64>> = kinds.iter().map(|k| k.element.specials()).collect();
    let products = specials.iter().try_fold(1usize, |all, s| all.checked_mul(s.len())).filter(|p| *p <= n / 2);
    for i in 0..n {
        let mut row: Vec<u64> = match products {
            _ if kinds.len() == 1 && i < 1 << 16 => {
                let count = |p| if p == 0 { i as u64 } else { kinds[0].element.random(&mut r) };
                match kinds[0].element.bits() {
                    // all of a narrow type
                    0..=16 => vec![kinds[0].of_parts(count) & mask(kinds[0].bits)],
                    _ if i < specials[0].len() => vec![specials[0][i]],
                    _ => vec![kinds[0].element.random(&mut r)],
                }
            }
            Some(p) if i < p => {
                let mut at = i;
                let mut digit = |k: usize| {
                    let s = &specials[k];
                    let x = s[at % s.len()];
                    at /= s.len();
                    x
                };
                let first: Vec<u64> = (0..kinds.len()).map(&mut digit).collect();
                let parts = |k: usize| kinds[k].of_parts(|p| if p == 0 { first[k] } else { r.of(&specials[k]) });
                (0..kinds.len()).map(parts).collect()
            }
            None if i < n / 4 => (0..kinds.len()).map(|k| kinds[k].of_parts(|_| r.of(&specials[k]))).collect(),
            _ => related(kinds, &mut r),
        };
        for ((column, x), kind) in columns.iter_mut().zip(&mut row).zip(kinds) {
            column.push(kind.fill(*x, &mut r));
        }
    }
    columns
}

/// Random values; of every third row, some are made from others.
fn related(kinds: &[Kind], r: &mut Random) -> Vec<u64> {
    let mut row: Vec<u64> = kinds.iter().map(|k| k.of_parts(|_| k.element.random(r))).collect();
    if r.below(3) == 0 {
        for j in 1..kinds.len() {
            let i = r.below(j as u64) as usize;
            if kinds[i].element == kinds[j].element && r.below(2) == 0 {
                row[j] = kinds[j].of_parts(|p| kinds[i].element.beside(kinds[i].part(row[i], p), r));
            }
        }
        if let &[a, b, c, ..] = kinds
            && let (Float(e, m), true) = (c.element, a == b && b == c)
        {
            // a product that is nearly cancelled
            let read = |x: u64, p| value(e, m, a.part(x, p));
            row[2] = c.of_parts(|p| c.element.beside(near(e, m, -read(row[0], p) * read(row[1], p)), r));
        }
    }
    row
}

/// Sources of instructions of a whole warp: the exponents of each warp lie within a spread of its own.
pub fn matrices(kinds: &[Kind], n: usize) -> Vec<Vec<u64>> {
    let mut columns = vec![Vec::with_capacity(n); kinds.len()];
    let mut r = Random(n as u64 ^ 0xabcd);
    let (mut spread, mut specials, mut ties) = (0, 0, false);
    for i in 0..n {
        if i % 32 == 0 {
            (spread, specials, ties) =
                (r.of(&[0, 1, 3, 6, 12, 30, 1 << 11]), r.of(&[0, 0, 0, 1, 2, 16]), r.below(2) == 0);
        }
        for (column, kind) in columns.iter_mut().zip(kinds) {
            let x = kind.of_parts(|_| match kind.element {
                _ if specials > r.below(256) => r.of(&kind.element.specials()),
                Float(e, m) => {
                    let bias = mask(e - 1) as i64;
                    let exponent = bias + r.below(2 * spread + 1) as i64 - spread as i64;
                    let mantissa = if ties { Element::bits_with_ties(m, &mut r) } else { r.next() & mask(m) };
                    r.below(2) << (e + m) | (exponent.clamp(0, mask(e) as i64 - 1) as u64) << m | mantissa
                }
                other => r.next() & mask(other.bits()),
            });
            column.push(kind.fill(x, &mut r));
        }
    }
    columns
}
