//! Values for symbols.

use super::int::{FACTORS_PER_INT, Factor};
use super::{Bound, Int, IntTuple, Layout, LayoutError, Name};

/// The least common multiple of two positive numbers.
pub(crate) fn lcm(a: i64, b: i64) -> Option<i64> {
    (a / num_integer::gcd(a, b).max(1)).checked_mul(b)
}

/// The value of a symbol, if it is among `values`; checked to be at least 1 and what the factor promises.
const fn value(f: &Factor, values: &[(&str, i64)]) -> Result<Option<i64>, LayoutError> {
    let mut i = 0;
    while i < values.len() {
        let (name, value) = values[i];
        if tri!(Name::new(name)).0 == f.name.0 {
            if value < 1 || f.exact && value % f.div as i64 != 0 {
                let multiple = if f.exact { f.div as i64 } else { 1 };
                return Err(LayoutError::BrokenPromise { name: f.name, value, multiple });
            }
            return Ok(Some((value - 1) / f.div as i64 + 1));
        }
        i += 1;
    }
    Ok(None)
}

impl Int {
    /// The symbols in `values` replaced by their values; others stay.
    ///
    /// # Errors
    /// A value is below 1 or breaks the symbol's promise, a bad name, overflow.
    /// ```
    /// # use girih::prelude::*;
    /// let n = Int::symbol("M", 8)?.ceil_div(128)?;
    /// assert_eq!(n.bind(&[("M", 1000)])?, Int::known(8));
    /// assert!(Int::symbol("M", 8)?.bind(&[("M", 1001)]).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn bind(&self, values: &[(&str, i64)]) -> Result<Int, LayoutError> {
        let mut r = *self;
        let (mut k, mut n) = (0, 0);
        while k < FACTORS_PER_INT && !self.factors[k].is_none() {
            match tri!(value(&self.factors[k], values)) {
                Some(v) => match r.coef.checked_mul(v) {
                    Some(c) => r.coef = c,
                    None => return Err(LayoutError::Overflow),
                },
                None => {
                    r.factors[n] = self.factors[k];
                    n += 1;
                }
            }
            k += 1;
        }
        while n < k {
            r.factors[n] = Factor::NONE;
            n += 1;
        }
        Ok(r)
    }
}

impl Layout {
    /// The symbols in `values` replaced by their values; others stay. What a layout of known numbers must satisfy is checked.
    ///
    /// # Errors
    /// A value is below 1 or breaks the symbol's promise, a bad name, or size or offsets overflow.
    /// ```
    /// # use girih::prelude::*;
    /// let a = Layout::parse("(?M{8},?N):(1,?lda)")?;
    /// assert_eq!(a.bind(&[("M", 16), ("N", 3), ("lda", 20)])?, layout!((16,3):(1,20)));
    /// assert_eq!(a.bind(&[("N", 3)])?.to_string(), "(?M{8},3):(1,?lda)");
    /// let e = a.bind(&[("M", 12)]).unwrap_err();
    /// assert_eq!(e.to_string(), "?M = 12: a symbol is at least 1 and this one a multiple of 8");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn bind(&self, values: &[(&str, i64)]) -> Result<Layout, LayoutError> {
        if !self.packed {
            return Ok(*self);
        }
        // a fresh pool: only what stays symbolic is entered
        let mut r = Layout::BLANK;
        r.len = self.len;
        r.nest = self.nest;
        let mut i = 0;
        while i < self.leaves() {
            let (s, d) = (self.extent_int(i), self.stride_int(i));
            tri!(r.set_extent(i, &if s.underscore { s } else { tri!(s.bind(values)) }));
            tri!(r.set_stride(i, &tri!(d.bind(values))));
            i += 1;
        }
        tri!(r.check());
        Ok(r)
    }
}

impl Int {
    /// The same number where the symbol `name` is a multiple of `multiple` (and of what it promises already).
    ///
    /// # Errors
    /// A bad name, `multiple` below 1, or a promise above 32 bits.
    /// ```
    /// # use girih::prelude::*;
    /// let tiles = Int::symbol("M", 8)?.ceil_div(128)?;
    /// assert_eq!(tiles.to_string(), "⌈?M/128⌉");
    /// assert_eq!(tiles.promise("M", 256)?.mul(&Int::known(128))?.to_string(), "?M{256}");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn promise(&self, name: &str, multiple: i64) -> Result<Int, LayoutError> {
        let name = Name::new(name)?;
        if multiple < 1 {
            return Err(LayoutError::BadPromise { name, multiple });
        }
        let mut r = Int { factors: [Factor::NONE; FACTORS_PER_INT], ..*self };
        for f in self.factors.iter().take_while(|f| !f.is_none()) {
            let m = lcm(multiple, if f.exact { f.div as i64 } else { 1 });
            let m = m.ok_or(LayoutError::BadPromise { name, multiple })?;
            let mut one = Int::known(1);
            one.factors[0] = *f;
            if f.name == name && m % f.div as i64 == 0 {
                let div = u32::try_from(m).map_err(|_| LayoutError::BadPromise { name, multiple: m })?;
                one.coef = m / f.div as i64;
                one.factors[0] = Factor { name, div, exact: m > 1 };
            }
            r = r.mul(&one)?;
        }
        Ok(r)
    }

    /// The symbols in it, each with the largest divisor that rounds it up, and what it promises to be a multiple of.
    pub(crate) fn divisors(&self) -> impl Iterator<Item = (Name, i64, i64)> {
        let live = self.factors.iter().take_while(|f| !f.is_none());
        live.map(|f| if f.exact { (f.name, 1, f.div as i64) } else { (f.name, f.div as i64, 1) })
    }
}

impl Layout {
    /// The same layout where the symbol `name` is a multiple of `multiple` (and of what it promises already).
    ///
    /// # Errors
    /// As [`Int::promise`].
    /// ```
    /// # use girih::prelude::*;
    /// let ragged = Layout::parse("(?M,?N):(1,?lda)")?.logical_divide_by_mode_ceil(&tiler![128])?.layout;
    /// assert_eq!(ragged.to_string(), "((128,⌈?M/128⌉),?N):((1,128),?lda)");
    /// assert_eq!(ragged.promise("M", 128)?.coalesce().to_string(), "(?M{128},?N):(1,?lda)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn promise(&self, name: &str, multiple: i64) -> Result<Layout, LayoutError> {
        let symbol = Name::new(name)?;
        let ints = (0..self.leaves()).flat_map(|i| [self.extent_int(i), self.stride_int(i)]);
        let of_symbol = ints
            .collect::<Vec<_>>()
            .iter()
            .flat_map(|v| v.divisors().collect::<Vec<_>>())
            .filter(|d| d.0 == symbol)
            .collect::<Vec<_>>();
        let multiple = of_symbol
            .iter()
            .try_fold(multiple.max(1), |m, d| lcm(m, d.2))
            .ok_or(LayoutError::BadPromise { name: symbol, multiple })?;
        let mut r = Layout { len: self.len, nest: self.nest, ..Layout::BLANK };
        for i in 0..self.leaves() {
            r.set_extent(i, &self.extent_int(i).promise(name, multiple)?)?;
            r.set_stride(i, &self.stride_int(i).promise(name, multiple)?)?;
        }
        r.check()?;
        Ok(r)
    }
}

impl IntTuple {
    /// The symbols in `values` replaced by their values; others stay.
    ///
    /// # Errors
    /// As [`Int::bind`].
    /// ```
    /// # use girih::prelude::*;
    /// let shape: IntTuple = "(?M{128},(?N,64))".parse()?;
    /// assert_eq!(shape.bind(&[("M", 4096), ("N", 7)])?, ints!((4096, (7, 64))));
    /// assert!(shape.bind(&[("M", 100)]).is_err()); // promised to be a multiple of 128
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn bind(&self, values: &[(&str, i64)]) -> Result<IntTuple, LayoutError> {
        let mut r = Layout::BLANK;
        r.len = self.0.len;
        r.nest = self.0.nest;
        let mut i = 0;
        while i < self.leaves() {
            let v = self.0.extent_int(i);
            tri!(r.set_extent(i, &if v.underscore { v } else { tri!(v.bind(values)) }));
            i += 1;
        }
        Ok(IntTuple(r))
    }
}

impl Bound {
    /// The symbols in `values` replaced by their values; others stay.
    ///
    /// # Errors
    /// As [`Int::bind`].
    /// ```
    /// # use girih::prelude::*;
    /// let size = Layout::parse("(?M,8):(1,?lda)")?.cosize_bound()?;
    /// assert_eq!(size.bind(&[("M", 100), ("lda", 128)])?.value(), Some(996));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn bind(&self, values: &[(&str, i64)]) -> Result<Bound, LayoutError> {
        let mut r = Bound::ZERO;
        let mut i = 0;
        while i < self.terms().len() {
            r = tri!(r.plus(&tri!(self.terms()[i].bind(values))));
            i += 1;
        }
        Ok(r)
    }
}
