//! Memory that an argument describes: its elements, and what they are at first.

use super::{DescribeError, MOST_BYTES, whole};
use crate::gpu::launch::DataType;
use core::str::FromStr;
use half::{bf16, f16};
use std::path::{Path, PathBuf};

/// A buffer of a [`Description`](super::Description): `f32[64]=iota`.
/// ```
/// use girih::gpu::launch::DataType;
/// use girih::gpu::sim::{Fill, Filled};
/// let b: Filled = "u16[3]=iota".parse()?;
/// assert_eq!((b.of, b.count, &b.fill), (DataType::U16, 3, &Fill::Iota));
/// assert_eq!(b.bytes("".as_ref())?, Some(vec![0, 0, 1, 0, 2, 0]));
/// # Ok::<(), girih::gpu::sim::DescribeError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Filled {
    /// what an element is
    pub of: DataType,
    /// how many elements there are, at least one
    pub count: u64,
    /// what they are at first
    pub fill: Fill,
}

/// What the elements of a buffer are at first. Numbers are the bits of an element.
/// ```
/// use girih::gpu::sim::{Fill, Filled};
/// assert_eq!("f32[4]=1".parse::<Filled>()?.fill, Fill::All(0x3f80_0000));
/// # Ok::<(), girih::gpu::sim::DescribeError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Fill {
    /// nothing has written them
    Unwritten,
    /// all the same
    All(u64),
    /// 0, 1, 2, ...
    Iota,
    /// integers of all bits, floats in [-1, 1)
    Random {
        /// of the generator
        seed: u64,
    },
    /// integers in [low, high)
    Integers {
        /// of the generator
        seed: u64,
        /// the least
        low: i128,
        /// the first beyond
        high: i128,
    },
    /// floats in [low, high)
    Floats {
        /// of the generator
        seed: u64,
        /// the least
        low: f64,
        /// the first beyond, but for rounding
        high: f64,
    },
    /// as in this file
    File(PathBuf),
}

impl Filled {
    /// Bytes of the whole.
    /// ```
    /// assert_eq!("f64[3]".parse::<girih::gpu::sim::Filled>().unwrap().size(), 24);
    /// ```
    pub fn size(&self) -> u64 {
        self.count.saturating_mul(u64::from(self.of.bits() / 8))
    }

    /// What it holds at first, little-endian; none if nothing has written it. Paths of files start from `folder`.
    ///
    /// # Errors
    /// A file that cannot be read, or has another size.
    /// ```
    /// # use girih::gpu::sim::Filled;
    /// assert_eq!("f64[3]".parse::<Filled>()?.bytes("".as_ref())?, None);
    /// assert_eq!("s8[2]=-1".parse::<Filled>()?.bytes("".as_ref())?, Some(vec![255, 255]));
    /// # Ok::<(), girih::gpu::sim::DescribeError>(())
    /// ```
    pub fn bytes(&self, folder: &Path) -> Result<Option<Vec<u8>>, DescribeError> {
        let float = self.of.is_float();
        let element: Box<dyn Fn(u64) -> u64> = match &self.fill {
            Fill::Unwritten => return Ok(None),
            Fill::File(path) => return self.read(&folder.join(path)).map(Some),
            Fill::All(bits) => Box::new(|_| *bits),
            Fill::Iota if float => Box::new(|i| rounded(i as f64, self.of)),
            Fill::Iota => Box::new(|i| i),
            Fill::Random { seed } if float => Box::new(|i| rounded(between(-1.0, 1.0, random(*seed, i)), self.of)),
            Fill::Random { seed } => Box::new(|i| random(*seed, i)),
            // of the type's width: read so
            Fill::Integers { seed, low, high } => {
                Box::new(|i| low.wrapping_add(i128::from(random(*seed, i)) % high.wrapping_sub(*low).max(1)) as u64)
            }
            Fill::Floats { seed, low, high } => Box::new(|i| rounded(between(*low, *high, random(*seed, i)), self.of)),
        };
        let width = self.of.bits() as usize / 8;
        Ok(Some((0..self.count).flat_map(|i| element(i).to_le_bytes().into_iter().take(width)).collect()))
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, DescribeError> {
        let why = |e: std::io::Error| DescribeError::File { path: path.into(), why: e.to_string() };
        // the size first: what is too large is not read
        let (got, expected) = (std::fs::metadata(path).map_err(why)?.len(), self.size());
        if got != expected {
            return Err(DescribeError::FileSize { path: path.into(), got, expected });
        }
        std::fs::read(path).map_err(why)
    }
}

impl FromStr for Filled {
    type Err = DescribeError;

    fn from_str(text: &str) -> Result<Filled, DescribeError> {
        let (head, fill) = match text.split_once('=') {
            Some((head, fill)) => (head, Some(fill)),
            None => (text, None),
        };
        let bad = || DescribeError::Argument { text: text.into() };
        let (name, count) = head.strip_suffix(']').and_then(|head| head.split_once('[')).ok_or_else(bad)?;
        let of = DataType::ALL.into_iter().find(|ty| ty.to_string() == name);
        let of = of.ok_or_else(|| DescribeError::Type { name: name.into(), text: text.into() })?;
        let count = whole(count).ok_or_else(bad)?;
        let bytes = count.checked_mul(u64::from(of.bits() / 8)).filter(|n| (1..=MOST_BYTES).contains(n));
        if bytes.is_none() {
            return Err(DescribeError::Size { text: text.into(), limit: MOST_BYTES });
        }
        let fill = fill.map_or(Ok(Fill::Unwritten), |fill| Fill::read(fill, of))?;
        Ok(Filled { of, count, fill })
    }
}

impl Fill {
    fn read(text: &str, of: DataType) -> Result<Fill, DescribeError> {
        if let Some(path) = text.strip_prefix('@') {
            return Ok(Fill::File(path.into()));
        }
        let Some(inner) = text.strip_prefix("random(").and_then(|rest| rest.strip_suffix(')')) else {
            return match text {
                "iota" => Ok(Fill::Iota),
                "" => Err(DescribeError::Fill { text: text.into() }),
                _ if text.starts_with("random") => Err(DescribeError::Fill { text: text.into() }),
                _ => number(text, of).map(Fill::All),
            };
        };
        let parts: Vec<&str> = inner.split(',').collect();
        let seed = |text: &str| whole(text).ok_or_else(|| DescribeError::Fill { text: inner.into() });
        let empty = || DescribeError::Bounds { text: text.into() };
        match parts[..] {
            [one] => Ok(Fill::Random { seed: seed(one)? }),
            [one, low, high] if of.is_float() => {
                let bound = |text| float(text).filter(|x| x.is_finite());
                let both = bound(low).zip(bound(high)).filter(|(low, high)| low < high && (high - low).is_finite());
                let (low, high) = both.ok_or_else(empty)?;
                for text in [parts[1], parts[2]] {
                    number(text, of)?;
                }
                Ok(Fill::Floats { seed: seed(one)?, low, high })
            }
            [one, low, high] => {
                let (low, high) = integer(low).zip(integer(high)).filter(|(low, high)| low < high).ok_or_else(empty)?;
                for n in [low, high - 1] {
                    fits(n, of).ok_or_else(|| DescribeError::Range { text: n.to_string(), of })?;
                }
                Ok(Fill::Integers { seed: seed(one)?, low, high })
            }
            _ => Err(DescribeError::Fill { text: text.into() }),
        }
    }
}

/// The bits of a number of this type.
pub(super) fn number(text: &str, of: DataType) -> Result<u64, DescribeError> {
    let (none, range) =
        (|| DescribeError::Number { text: text.into(), of }, || DescribeError::Range { text: text.into(), of });
    if !of.is_float() || text.starts_with("0x") {
        return fits(integer(text).ok_or_else(none)?, of).ok_or_else(range);
    }
    let x = float(text).ok_or_else(none)?;
    // from the text at once: an f64 on the way would round twice
    let bits = match (of, text.parse::<f32>()) {
        (DataType::F32, Ok(x)) => x.to_bits().into(),
        _ => rounded(x, of),
    };
    let infinite = [f64::INFINITY, f64::NEG_INFINITY].map(|x| rounded(x, of)).contains(&bits);
    let spelled = text.trim_start_matches(['+', '-']).to_ascii_lowercase().starts_with("inf");
    if infinite && !spelled { Err(range()) } else { Ok(bits) }
}

fn float(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// Decimal, or hexadecimal after `0x`.
fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let n = match digits.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let n = i128::try_from(n.ok().filter(|_| !digits.contains('+'))?).ok()?;
    Some(if negative { -n } else { n })
}

/// The bits of an integer, if it has as few as the type.
fn fits(n: i128, of: DataType) -> Option<u64> {
    let bits = of.bits();
    let mask = u64::MAX >> (64 - bits);
    (-(1i128 << (bits - 1))..1i128 << bits).contains(&n).then_some(n as u64 & mask)
}

/// The bits of a float of this type, rounded to the nearest, ties to even.
fn rounded(x: f64, of: DataType) -> u64 {
    match of {
        DataType::F16 => f16::from_f32(odd(x)).to_bits().into(),
        DataType::BF16 => bf16::from_f32(odd(x)).to_bits().into(),
        DataType::F32 => (x as f32).to_bits().into(),
        _ => x.to_bits(),
    }
}

/// An f32 that rounds to a narrower type as `x` does: cut, with the last bit set if anything was cut off.
fn odd(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) == x || !near.is_finite() {
        return near;
    }
    let away = f64::from(near).abs() > x.abs();
    f32::from_bits(near.to_bits().wrapping_sub(away.into()) | 1)
}

/// Output i + 1 of splitmix64 seeded with `seed`.
fn random(seed: u64, i: u64) -> u64 {
    let x = seed.wrapping_add(i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

fn between(low: f64, high: f64, x: u64) -> f64 {
    low + (high - low) * ((x >> 40) as f64 / (1u64 << 24) as f64)
}
