//! Colours: qualitative, sequential and cyclic, made in OKLCH, where equal steps look equal.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Rgb(pub u8, pub u8, pub u8);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

pub(crate) const INK: Rgb = Rgb(0x0f, 0x12, 0x16);
pub(crate) const PAPER: Rgb = Rgb(0xff, 0xff, 0xff);
pub(crate) const ALARM: Rgb = Rgb(0xd0, 0x1f, 0x2e);

/// Neighbours in the list are far apart in hue.
const HUES: [f64; 8] = [250.0, 65.0, 150.0, 10.0, 305.0, 100.0, 200.0, 345.0];
/// Lightness and chroma of each round through the hues: 4 rounds of 8 tell the 32 lanes of a warp apart.
const SHADES: [(f64, f64); 4] = [(0.84, 0.09), (0.74, 0.12), (0.925, 0.045), (0.66, 0.125)];

/// A colour for the `i`-th of unordered things.
pub(crate) fn qualitative(i: usize) -> Rgb {
    let (hue, shade, warp) = (HUES[i % 8], SHADES[i / 8 % 4], i / 32);
    // golden section of the gap between hues: later warps never repeat an earlier one
    oklch(shade.0, shade.1, hue + (warp as f64 * 0.618).fract() * 45.0)
}

/// Light to dark over `0..=1`.
pub(crate) fn ramp(t: f64) -> Rgb {
    oklch(0.965 - 0.515 * t, 0.05 + 0.06 * (t * 2.0).min(1.0), 100.0 + 165.0 * t)
}

/// Banks go round, as they do in memory.
pub(crate) fn bank(b: usize) -> Rgb {
    oklch(if b.is_multiple_of(2) { 0.82 } else { 0.74 }, 0.11, b as f64 * 360.0 / 32.0 + 20.0)
}

fn oklch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    let (sin, cos) = hue.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.291485548 * b).powi(3);
    let encode = |v: f64| {
        let v = if v <= 0.0031308 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        (v.clamp(0.0, 1.0) * 255.0).round() as u8
    };
    Rgb(
        encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
        encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
        encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
    )
}

impl Rgb {
    /// Relative luminance (WCAG).
    fn luminance(self) -> f64 {
        let decode = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * decode(self.0) + 0.7152 * decode(self.1) + 0.0722 * decode(self.2)
    }

    /// Contrast ratio, 1 to 21 (WCAG).
    pub(crate) fn contrast(self, o: Rgb) -> f64 {
        let (a, b) = (self.luminance(), o.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The text colour to be read on this one.
    pub(crate) fn ink(self) -> Rgb {
        if self.contrast(INK) >= self.contrast(PAPER) { INK } else { PAPER }
    }
}
