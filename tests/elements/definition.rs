//! What conversions mean, from the formats' definitions: the values of a type in order, and a search among them by exact comparison.

use core::cmp::Ordering;
use girih::tile::element::ElementType::{self, *};
use girih::tile::element::{Conversion, Rounding, Saturation};
use std::sync::LazyLock;

/// An exact value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Exact {
    Integer(i128),
    Float(f64),
}

/// A floating-point format as documents define it.
pub struct Definition {
    exponent: u32,
    mantissa: u32,
    signed: bool,
    /// codes of finite numbers without a sign: 0 to one less than this
    pub finite: u64,
    /// is the next code infinity?
    infinite: bool,
    /// what a NaN becomes
    nan: u64,
    /// the values of the finite codes, where they are few
    values: Vec<f64>,
}

/// IEEE 754 and PTX ISA 5.2.3; `f8ue5m3` as CUDA's `__nv_fp8_ue5m3`: no sign, no infinity, NaN 0xff.
static DEFINITIONS: LazyLock<[(ElementType, Definition); 10]> = LazyLock::new(|| {
    [
        (F16, define(5, 10, true, 0x7c00, true, 0x7fff)),
        (Bf16, define(8, 7, true, 0x7f80, true, 0x7fff)),
        (F32, define(8, 23, true, 0x7f80_0000, true, 0x7fff_ffff)),
        (F64, define(11, 52, true, 0x7ff0_0000_0000_0000, true, 0x7fff_ffff_ffff_ffff)),
        (Tf32, define(8, 10, true, 0x3_fc00, true, 0x3_ffff)),
        (F8E4M3, define(4, 3, true, 0x7f, false, 0x7f)),
        (F8E5M2, define(5, 2, true, 0x7c, true, 0x7f)),
        (F8UE5M3, define(5, 3, false, 0xff, false, 0xff)),
        (F8E8M0, define(8, 0, false, 0xff, false, 0xff)),
        (F4E2M1, define(2, 1, true, 8, false, 7)),
    ]
});

fn define(exponent: u32, mantissa: u32, signed: bool, finite: u64, infinite: bool, nan: u64) -> Definition {
    let mut d = Definition { exponent, mantissa, signed, finite, infinite, nan, values: vec![] };
    if finite < 1 << 20 {
        d.values = (0..finite).map(|code| d.computed(code)).collect();
    }
    d
}

pub fn definition(ty: ElementType) -> Option<&'static Definition> {
    DEFINITIONS.iter().find(|(t, _)| *t == ty).map(|(_, d)| d)
}

impl Definition {
    fn sign(&self) -> u64 {
        u64::from(self.signed) << (self.exponent + self.mantissa)
    }

    fn computed(&self, code: u64) -> f64 {
        let bias = (1 << (self.exponent - 1)) - 1;
        if self.mantissa == 0 {
            return 2f64.powi(code as i32 - bias);
        }
        let (field, fraction) = ((code >> self.mantissa) as i32, code & ((1 << self.mantissa) - 1));
        let fraction = fraction as f64 / (1u64 << self.mantissa) as f64;
        if field == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(field - bias) }
    }

    /// The value of a finite code without a sign.
    pub fn magnitude(&self, code: u64) -> f64 {
        match (self.exponent, self.mantissa) {
            (8, 23) => f32::from_bits(code as u32).into(),
            (11, 52) => f64::from_bits(code),
            _ => self.values[code as usize],
        }
    }

    /// The value of a code; NaN of a NaN's.
    fn value(&self, code: u64) -> f64 {
        let size = code & !self.sign();
        let value = match size {
            _ if size < self.finite => self.magnitude(size),
            _ if size == self.finite && self.infinite => f64::INFINITY,
            _ => f64::NAN,
        };
        if code & self.sign() == 0 { value } else { -value }
    }

    /// The code of a number that is not NaN.
    fn code(&self, x: Exact, rounding: Rounding, saturating: bool) -> u64 {
        let negative = self.signed
            && match x {
                Exact::Integer(n) => n < 0,
                Exact::Float(y) => y.is_sign_negative(),
            };
        let x = match x {
            Exact::Integer(n) => Exact::Integer(n.abs()),
            Exact::Float(y) => Exact::Float(y.abs()),
        };
        let largest = self.finite - 1;
        let size = match x {
            Exact::Float(f64::INFINITY) => self.finite,
            _ => self.rounded(x, negative, rounding),
        };
        let size = if saturating || !self.infinite { size.min(largest) } else { size };
        if negative { size | self.sign() } else { size }
    }

    /// Of a magnitude; `finite` if it is beyond the largest number.
    fn rounded(&self, x: Exact, negative: bool, rounding: Rounding) -> u64 {
        if compare(x, self.magnitude(0)) == Ordering::Less {
            return 0;
        }
        // the largest code that is not above
        let (mut low, mut high) = (0, self.finite);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if compare(x, self.magnitude(middle)) == Ordering::Less { high = middle } else { low = middle }
        }
        let below = self.magnitude(low);
        if compare(x, below) == Ordering::Equal {
            return low;
        }
        let last = low + 1 == self.finite;
        // beyond the largest number, as if the exponent had more bits; nothing comes there to f64
        let above =
            if last { below + (below - self.magnitude(low.saturating_sub(1))) } else { self.magnitude(low + 1) };
        let half = nearer(x, below, above);
        let up = match rounding {
            Rounding::TiesToEven => half == Ordering::Greater || half == Ordering::Equal && low % 2 == 1,
            Rounding::TiesAway => half != Ordering::Less,
            Rounding::TowardZero => false,
            Rounding::TowardNegative => negative,
            Rounding::TowardPositive => !negative,
        };
        low + u64::from(up)
    }
}

/// A magnitude and a finite number.
fn compare(x: Exact, y: f64) -> Ordering {
    match x {
        Exact::Float(x) => x.total_cmp(&y),
        Exact::Integer(n) if y < 1e30 => n.cmp(&(y.floor() as i128)).then(0.0f64.total_cmp(&y.fract())),
        Exact::Integer(_) => Ordering::Less,
    }
}

/// A magnitude and the middle of two neighbours.
fn nearer(x: Exact, below: f64, above: f64) -> Ordering {
    match x {
        Exact::Integer(n) if below.fract() == 0.0 && above.fract() == 0.0 && above < 1e30 => {
            (2 * n).cmp(&(below as i128 + above as i128))
        }
        _ => compare(x, below / 2.0 + above / 2.0),
    }
}

/// The value of a code.
pub fn exact(ty: ElementType, code: u64) -> Exact {
    match definition(ty) {
        Some(d) => Exact::Float(d.value(code)),
        None if ty.is_signed() && code >> (ty.bits() - 1) == 1 => Exact::Integer(i128::from(code) - (1 << ty.bits())),
        None => Exact::Integer(code.into()),
    }
}

/// The code that a code becomes.
pub fn expected(how: Conversion, code: u64) -> u64 {
    let (from, to) = (how.from(), how.to());
    let x = exact(from, code);
    let width = u64::MAX >> (64 - to.bits());
    match (x, definition(to)) {
        _ if from == to => code,
        (Exact::Float(x), None) if to == Bool => u64::from(!(x == 0.0)),
        (Exact::Integer(n), None) if to == Bool => u64::from(n != 0),
        (Exact::Integer(n), None) => n as u64 & width,
        (Exact::Float(x), _) if x.is_nan() => nan(how, code),
        (Exact::Float(x), None) => {
            let values = 1i128 << to.bits();
            let (least, largest) = if to.is_signed() { (-values / 2, values / 2 - 1) } else { (0, values - 1) };
            (x.trunc() as i128).clamp(least, largest) as u64 & width
        }
        (_, Some(d)) => d.code(x, how.rounding(), to.bits() <= 8),
    }
}

/// What a NaN becomes.
fn nan(how: Conversion, code: u64) -> u64 {
    let basic = [F16, Bf16, F32];
    match (how.from(), how.to(), definition(how.from()), definition(how.to())) {
        (Bf16, F32, ..) => code << 16,
        (Tf32, F32, ..) => code << 13,
        (from, F64, Some(d), _) if basic.contains(&from) => {
            let payload = code & ((1 << d.mantissa) - 1);
            let sign = u64::from(code & d.sign() != 0) << 63;
            sign | 0x7ff8_0000_0000_0000 | payload << (52 - d.mantissa)
        }
        (F64, to, _, Some(d)) if basic.contains(&to) => {
            let payload = code << 12 >> (64 - d.mantissa);
            ((code >> 63) * d.sign()) | d.finite | 1 << (d.mantissa - 1) | payload
        }
        (_, _, _, Some(d)) => d.nan,
        (from, to, _, None) => match from == F64 || to.bits() == 64 {
            true if how.saturation() == Saturation::None => 1 << (to.bits() - 1),
            _ => 0,
        },
    }
}
