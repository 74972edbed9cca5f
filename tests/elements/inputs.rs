//! Codes to convert.

use crate::definition::definition;
use girih::tile::element::ElementType;

/// A generator of numbers: splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
}

/// How many random ones.
pub fn cases() -> usize {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1 << 12)
}

/// Every code of a type of 16 bits or fewer.
pub fn all(ty: ElementType) -> Vec<u64> {
    (0..1 << ty.bits()).collect()
}

/// Codes of a type with more: special ones, random ones, and ones around what another type has and the middles of it.
pub fn some(from: ElementType, to: ElementType, cases: usize) -> Vec<u64> {
    let mask = u64::MAX >> (64 - from.bits());
    let mut random = Random(from as u64 * 64 + to as u64);
    let mut codes: Vec<u64> = (0..from.bits()).flat_map(|n| [1 << n, mask << n, (1 << n) - 1, !(1 << n)]).collect();
    codes.extend((0..cases / 2).map(|_| random.next()));
    // of all magnitudes, if integers
    codes.extend((0..cases / 2).map(|_| random.next() >> (random.next() % 64)));
    if from.is_float() {
        let d = definition(from).unwrap();
        codes.extend((0..8).flat_map(|n| [d.finite - 4 + n, n]));
        codes.extend(targets(to, cases).into_iter().flat_map(|x| near(from, x)));
    } else {
        // halves of the last bits that floats keep
        codes.extend((0..cases).flat_map(|_| {
            let (top, cut) = (random.next(), random.next() % u64::from(from.bits()));
            let tie = (top & mask) >> cut << cut | 1 << cut >> 1;
            [tie - 1, tie, tie + 1]
        }));
    }
    codes.iter().map(|c| c & mask).collect()
}

/// Values of a type and middles between them: all, if many cases are asked for, else some.
fn targets(to: ElementType, cases: usize) -> Vec<f64> {
    let mut random = Random(to as u64);
    match definition(to) {
        Some(d) => {
            let cases = cases.min(1 << 20);
            let few = d.finite < 1 << 20 && (cases >= 1_000_000 || d.finite < cases as u64);
            let codes: Vec<u64> = match few {
                true => (0..d.finite - 1).collect(),
                false => (0..cases).map(|_| random.next() % (d.finite - 1)).collect(),
            };
            let last = d.magnitude(d.finite - 1);
            let beyond = last + (last - d.magnitude(d.finite - 2)) / 2.0;
            let pairs = codes.iter().map(|c| (d.magnitude(*c), d.magnitude(c + 1)));
            pairs.flat_map(|(a, b)| [a, a / 2.0 + b / 2.0]).chain([last, beyond, d.magnitude(0) / 2.0]).collect()
        }
        None => (0..=to.bits() as i32).flat_map(|n| [2f64.powi(n), 2f64.powi(n) - 0.5, f64::from(n) + 0.5]).collect(),
    }
}

/// Codes of a single, tf32 or double around a value, of both signs.
fn near(from: ElementType, x: f64) -> [u64; 6] {
    let code = match from {
        ElementType::F64 => x.to_bits(),
        _ => (x as f32).to_bits() as u64 >> (32 - from.bits().max(19)),
    };
    let sign = 1 << (from.bits() - 1);
    let [a, b] = [code.saturating_sub(1), code + 1];
    [a, code, b, a | sign, code | sign, b | sign]
}
