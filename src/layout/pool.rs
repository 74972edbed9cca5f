//! Where a layout keeps what does not fit an `i64` leaf: symbols and basis vectors.
//!
//! Such a leaf is *packed* into its own `i64`: a 40-bit coefficient above four 6-bit places. A place holds 0 (nothing),
//! 1..=10 (a factor of the layout's pool), 16..40 (a step of a basis path) or, in the first place, 63 (`_`). Layouts of
//! known numbers have no packed leaf and pay one bool test.

use super::int::{FACTORS_PER_INT, Factor};
use super::{Int, Layout, LayoutError, Name};

/// Different symbols in one layout.
/// ```
/// # use girih::prelude::*;
/// assert!(IntTuple::parse("(?a,?b,?c,?d,?e,?f,?g,?h)").is_ok());
/// assert_eq!(IntTuple::parse("(?a,?b,?c,?d,?e,?f,?g,?h,?i)"), Err(LayoutError::TooManySymbols));
/// ```
pub const SYMBOLS: usize = 8;
/// Different factors (`?M`, `ceil(?M/128)`, ...) in one layout.
/// ```
/// # use girih::prelude::*;
/// let m = Int::symbol("M", 1)?;
/// let tiles = |n| IntTuple::tuple(&(1..=n).map(|k| IntTuple::leaf(&m.ceil_div(k)?)).collect::<Result<Vec<_>, _>>()?);
/// assert!(tiles(10).is_ok());
/// assert_eq!(tiles(11), Err(LayoutError::TooManySymbols));
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub const FACTORS: usize = 10;

const STEP: i64 = 16;
const UNDERSCORE: i64 = 63;
const COEF_LIMIT: i64 = 1 << 39;

/// Names and factors of the packed leaves of one layout.
#[derive(Clone, Copy)]
pub(crate) struct Pool {
    name: [[u16; 3]; SYMBOLS],
    div: [u32; FACTORS], // 0: not in use
    symbol: [u8; FACTORS],
    exact: u16, // bit per factor
}

impl Pool {
    pub const EMPTY: Pool = Pool { name: [[0; 3]; SYMBOLS], div: [0; FACTORS], symbol: [0; FACTORS], exact: 0 };

    const fn name(&self, s: usize) -> Name {
        let [a, b, c] = self.name[s];
        Name(a as u64 | (b as u64) << 16 | (c as u64) << 32)
    }
    const fn factor(&self, i: usize) -> Factor {
        Factor { name: self.name(self.symbol[i] as usize), div: self.div[i], exact: self.exact >> i & 1 == 1 }
    }
    /// The number of this factor, entered if it is new.
    const fn enter(&mut self, f: &Factor) -> Result<usize, LayoutError> {
        let mut i = 0;
        while i < FACTORS && self.div[i] != 0 {
            if self.factor(i).same(f) {
                return Ok(i);
            }
            i += 1;
        }
        let mut s = 0;
        while s < SYMBOLS && self.name(s).0 != f.name.0 && self.name(s).0 != 0 {
            s += 1;
        }
        if i == FACTORS || s == SYMBOLS {
            return Err(LayoutError::TooManySymbols);
        }
        self.name[s] = [f.name.0 as u16, (f.name.0 >> 16) as u16, (f.name.0 >> 32) as u16];
        self.div[i] = f.div;
        self.symbol[i] = s as u8;
        self.exact |= (f.exact as u16) << i;
        Ok(i)
    }

    const fn pack(&mut self, v: &Int) -> Result<i64, LayoutError> {
        if v.underscore {
            return Ok(UNDERSCORE);
        }
        if v.coef >= COEF_LIMIT || v.coef < -COEF_LIMIT {
            return Err(LayoutError::Overflow);
        }
        let mut p = v.coef << 24;
        let (mut k, mut place) = (0, 0);
        while k < FACTORS_PER_INT && !v.factors[k].is_none() {
            p |= (tri!(self.enter(&v.factors[k])) as i64 + 1) << (6 * place);
            k += 1;
            place += 1;
        }
        k = 0;
        while k < v.basis.len as usize {
            p |= (STEP + v.basis.step[k] as i64) << (6 * place);
            k += 1;
            place += 1;
        }
        Ok(p)
    }

    const fn unpack(&self, p: i64) -> Int {
        let mut v = Int::known(p >> 24);
        let (mut n, mut k) = (0, 0);
        while k < FACTORS_PER_INT {
            let place = p >> (6 * k) & 63;
            if place == UNDERSCORE {
                return Int::UNDERSCORE;
            } else if place >= STEP {
                v.basis.step[v.basis.len as usize] = (place - STEP) as u8;
                v.basis.len += 1;
            } else if place > 0 {
                v.factors[n] = self.factor(place as usize - 1);
                n += 1;
            }
            k += 1;
        }
        v
    }
}

impl Layout {
    /// Extent of leaf `i`.
    pub(crate) const fn extent_int(&self, i: usize) -> Int {
        if self.packed_shape >> i & 1 == 0 { Int::known(self.shape[i]) } else { self.pool.unpack(self.shape[i]) }
    }
    /// Stride of leaf `i`.
    pub(crate) const fn stride_int(&self, i: usize) -> Int {
        if self.packed_stride >> i & 1 == 0 { Int::known(self.stride[i]) } else { self.pool.unpack(self.stride[i]) }
    }
    pub(crate) const fn set_extent(&mut self, i: usize, v: &Int) -> Result<(), LayoutError> {
        if v.is_known() {
            self.shape[i] = v.coef;
            self.packed_shape &= !(1 << i);
        } else {
            self.shape[i] = tri!(self.pool.pack(v));
            self.packed_shape |= 1 << i;
            self.packed = true;
        }
        Ok(())
    }
    pub(crate) const fn set_stride(&mut self, i: usize, v: &Int) -> Result<(), LayoutError> {
        if v.is_known() {
            self.stride[i] = v.coef;
            self.packed_stride &= !(1 << i);
        } else {
            self.stride[i] = tri!(self.pool.pack(v));
            self.packed_stride |= 1 << i;
            self.packed = true;
        }
        Ok(())
    }
    /// After leaves were replaced: is any packed still?
    pub(crate) const fn settle(&mut self) {
        self.packed = self.packed_shape | self.packed_stride != 0;
        if !self.packed {
            self.pool = Pool::EMPTY;
        }
    }
}
