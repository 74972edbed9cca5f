//! Integer leaves: known numbers, monomials of symbols, multiples of a basis vector, and `_`.

use super::LayoutError;

/// The name of a symbol: one to eight characters of `[A-Za-z0-9_]`, six bits each, so that a `Copy` layout prints it.
/// ```
/// # use girih::prelude::*;
/// # use girih::layout::Name;
/// let e = Layout::parse("(?M,64):(64,1)")?.size().unwrap_err();
/// assert_eq!(e, LayoutError::Unbound { name: Name::new("M")? });
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub(crate) u64);

const ALPHABET: &[u8; 64] = b"\0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

impl Name {
    pub(crate) const NONE: Name = Name(0);

    /// A name from its text.
    ///
    /// # Errors
    /// [`LayoutError::BadName`] when the text is empty, longer than eight characters or not of `[A-Za-z0-9_]`.
    /// ```
    /// # use girih::layout::Name;
    /// assert_eq!(Name::new("lda")?.to_string(), "lda");
    /// assert!(Name::new("leading_dimension").is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn new(text: &str) -> Result<Name, LayoutError> {
        Name::of(text.as_bytes())
    }

    pub(crate) const fn of(text: &[u8]) -> Result<Name, LayoutError> {
        if text.is_empty() || text.len() > 8 {
            return Err(LayoutError::BadName { len: text.len() });
        }
        let (mut v, mut i) = (0u64, 0);
        while i < text.len() {
            let code = match text[i] {
                c @ b'a'..=b'z' => c - b'a' + 1,
                c @ b'A'..=b'Z' => c - b'A' + 27,
                c @ b'0'..=b'9' => c - b'0' + 53,
                b'_' => 63,
                _ => return Err(LayoutError::BadName { len: text.len() }),
            };
            v |= (code as u64) << (6 * i);
            i += 1;
        }
        Ok(Name(v))
    }

    /// The characters, then their count.
    pub(crate) const fn text(self) -> ([u8; 8], usize) {
        let (mut out, mut n, mut v) = ([0; 8], 0, self.0);
        while v != 0 {
            out[n] = ALPHABET[(v & 63) as usize];
            v >>= 6;
            n += 1;
        }
        (out, n)
    }
}

/// `ceil(symbol / div)`. `exact` says that `div` divides the symbol by promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Factor {
    pub name: Name,
    pub div: u32,
    pub exact: bool,
}

impl Factor {
    pub const NONE: Factor = Factor { name: Name::NONE, div: 0, exact: false };

    pub const fn is_none(&self) -> bool {
        self.name.0 == 0
    }
    pub const fn same(&self, o: &Factor) -> bool {
        self.name.0 == o.name.0 && self.div == o.div && self.exact == o.exact
    }
    /// Sorting key, so that equal monomials are equal values.
    const fn key(&self) -> u128 {
        (self.name.0 as u128) << 64 | (self.div as u128) << 1 | self.exact as u128
    }
}

/// Factors of one monomial (a basis path takes places of its own among them).
pub(crate) const FACTORS_PER_INT: usize = 4;

/// The unit vector of one coordinate: `@0` is the first mode, `@1@0` (read from the right) mode 1 of mode 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Basis {
    /// outermost step first
    pub step: [u8; FACTORS_PER_INT],
    pub len: u8,
}

impl Basis {
    pub const NONE: Basis = Basis { step: [0; FACTORS_PER_INT], len: 0 };

    pub const fn same(&self, o: &Basis) -> bool {
        self.len == o.len && u32::from_le_bytes(self.step) == u32::from_le_bytes(o.step)
    }
}

/// A leaf of a shape, a stride or a coordinate: `coef * ceil(sym/div) * ...`, a monomial of at most four factors.
///
/// * A known number has no factor.
/// * A symbol is `?M`; promised to be a multiple of 8 it is `?M{8}` = `8 * ceil(M/8)`, so its coefficient is the promise.
/// * A stride may be a multiple of a basis vector, `2@0`: the layout's values are then coordinates, not numbers (CuTe's
///   `ScaledBasis`).
/// * `_` keeps a mode when slicing.
///
/// ```
/// # use girih::layout::Int;
/// let m = Int::symbol("M", 8)?;
/// assert_eq!(m.to_string(), "?M{8}");
/// assert_eq!(m.ceil_div(128)?.to_string(), "⌈?M/128⌉");
/// assert_eq!(m.mul(&Int::known(3))?.to_string(), "3*?M{8}");
/// assert_eq!(Int::known(6).value(), Some(6));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    pub(crate) coef: i64,
    pub(crate) factors: [Factor; FACTORS_PER_INT], // sorted, empty ones last
    pub(crate) basis: Basis,
    pub(crate) underscore: bool,
}

impl Int {
    /// `_`, which keeps a mode in a slice and leaves it alone in a tiler.
    /// ```
    /// # use girih::prelude::*;
    /// let row = IntTuple::tuple(&[IntTuple::int(3), IntTuple::leaf(&Int::UNDERSCORE)?])?;
    /// assert_eq!(row, ints!((3, _)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const UNDERSCORE: Int = Int { underscore: true, ..Int::known(0) };

    /// A known number.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Int::known(64), Int::from(64));
    /// assert_eq!(Int::known(64).to_string(), "64");
    /// ```
    pub const fn known(coef: i64) -> Int {
        Int { coef, factors: [Factor::NONE; FACTORS_PER_INT], basis: Basis::NONE, underscore: false }
    }

    /// The symbol `?name`, at least 1, promised to be a multiple of `multiple`.
    ///
    /// # Errors
    /// A bad name, or `multiple` is 0.
    /// ```
    /// # use girih::prelude::*;
    /// let k = Int::symbol("K", 64)?;
    /// assert_eq!(k.to_string(), "?K{64}");
    /// assert!(k.div_exact(&Int::known(64)).is_some()); // a whole number of tiles
    /// assert!(Int::symbol("K", 1)?.div_exact(&Int::known(64)).is_none());
    /// assert!(Int::symbol("K", 0).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn symbol(name: &str, multiple: u32) -> Result<Int, LayoutError> {
        Int::of_name(tri!(Name::new(name)), multiple)
    }

    pub(crate) const fn of_name(name: Name, multiple: u32) -> Result<Int, LayoutError> {
        if multiple == 0 {
            return Err(LayoutError::BadPromise { name, multiple: 0 });
        }
        let mut i = Int::known(multiple as i64);
        i.factors[0] = Factor { name, div: multiple, exact: multiple > 1 };
        Ok(i)
    }

    /// `self` times the unit vector of the coordinate at `path` (outermost mode first): `E<0,1>` is `1@1@0`. The empty path
    /// leaves it alone, and 0 times any vector is 0.
    ///
    /// # Errors
    /// More than four steps, a step of 24 or more, no room beside the symbols, `_`, or it has a unit vector already.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Int::known(1).at(&[0, 1])?.to_string(), "1@1@0");
    /// assert_eq!(Layout::parse("(4,8):(2@0,1@1)")?.leaf_stride(0)?, Int::known(2).at(&[0])?);
    /// assert!(Int::known(1).at(&[0])?.at(&[1]).is_err());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn at(&self, path: &[u8]) -> Result<Int, LayoutError> {
        if path.is_empty() {
            return Ok(*self);
        }
        if self.underscore {
            return Err(LayoutError::Underscore);
        }
        if self.basis.len > 0 {
            return Err(LayoutError::MixedBasis);
        }
        let mut r = *self;
        if path.len() + self.symbols() > FACTORS_PER_INT {
            return Err(LayoutError::TooManyFactors);
        }
        let mut i = 0;
        while i < path.len() {
            if path[i] as usize >= super::MODES {
                return Err(LayoutError::NoSuchMode { mode: path[i] as usize, rank: super::MODES });
            }
            r.basis.step[i] = path[i];
            i += 1;
        }
        r.basis.len = path.len() as u8;
        Ok(if self.coef == 0 { Int::known(0) } else { r })
    }

    /// As the value of mode `mode` of a coordinate: `@mode` in front of the path, so that `1@0` becomes `1@0@1` in mode 1.
    pub(crate) const fn inside(&self, mode: u8) -> Result<Int, LayoutError> {
        let mut path = [mode; FACTORS_PER_INT + 1];
        let n = self.basis.len as usize + 1;
        let mut i = 1;
        while i < n {
            path[i] = self.basis.step[i - 1];
            i += 1;
        }
        let mut scale = *self;
        scale.basis = Basis::NONE;
        scale.at(path.split_at(n).0)
    }

    pub(crate) const fn symbols(&self) -> usize {
        let mut n = 0;
        while n < FACTORS_PER_INT && !self.factors[n].is_none() {
            n += 1;
        }
        n
    }

    /// No symbol, no basis vector, not `_`.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(Int::known(64).is_known());
    /// assert!(!Int::symbol("M", 64)?.is_known() && !Int::UNDERSCORE.is_known());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn is_known(&self) -> bool {
        self.factors[0].is_none() && self.basis.len == 0 && !self.underscore
    }

    /// The number, if it is known.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Int::known(64).value(), Some(64));
    /// assert_eq!(Int::symbol("M", 64)?.value(), None);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn value(&self) -> Option<i64> {
        if self.is_known() { Some(self.coef) } else { None }
    }

    /// Is this `_`?
    /// ```
    /// # use girih::prelude::*;
    /// assert!(ints!((3, _)).get(1)?.is_underscore());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn is_underscore(&self) -> bool {
        self.underscore
    }

    /// The known factor: of `64*?lda` it is 64, of `?M{8}` it is 8. Every value of the monomial is a multiple of it.
    /// ```
    /// # use girih::prelude::*;
    /// // rows of a matrix whose leading dimension is a multiple of 8: every one begins at a multiple of 8
    /// assert_eq!(Layout::parse("(64,64):(?lda{8},1)")?.leaf_stride(0)?.coefficient(), 8);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn coefficient(&self) -> i64 {
        self.coef
    }

    /// The same monomial: equal for every value of the symbols. Differently written ones are told apart.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(Int::symbol("M", 8)?.same(&Int::parse("?M{8}")?));
    /// assert!(!Int::symbol("M", 8)?.same(&Int::symbol("M", 1)?));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn same(&self, o: &Int) -> bool {
        if self.coef != o.coef || self.underscore != o.underscore || !self.basis.same(&o.basis) {
            return false;
        }
        let mut i = 0;
        while i < FACTORS_PER_INT {
            if !self.factors[i].same(&o.factors[i]) {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The product.
    ///
    /// # Errors
    /// Overflow of the coefficient, more than four factors, or a product of two basis vectors or with `_`.
    /// ```
    /// # use girih::prelude::*;
    /// let (m, n) = (Int::symbol("M", 8)?, Int::symbol("N", 1)?);
    /// assert_eq!(m.mul(&n)?, n.mul(&m)?);
    /// assert_eq!(n.mul(&Int::known(64))?.to_string(), "64*?N");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn mul(&self, o: &Int) -> Result<Int, LayoutError> {
        if self.underscore || o.underscore {
            return Err(LayoutError::Underscore);
        }
        if self.basis.len > 0 && o.basis.len > 0 {
            return Err(LayoutError::MixedBasis);
        }
        let Some(coef) = self.coef.checked_mul(o.coef) else { return Err(LayoutError::Overflow) };
        let mut r = Int::known(coef);
        if coef == 0 {
            return Ok(r);
        }
        r.basis = if self.basis.len > 0 { self.basis } else { o.basis };
        let (mut i, mut j, mut n) = (0, 0, 0);
        loop {
            let a = if i < FACTORS_PER_INT { self.factors[i] } else { Factor::NONE };
            let b = if j < FACTORS_PER_INT { o.factors[j] } else { Factor::NONE };
            if a.is_none() && b.is_none() {
                return if n + r.basis.len as usize > FACTORS_PER_INT {
                    Err(LayoutError::TooManyFactors)
                } else {
                    Ok(r)
                };
            }
            if n == FACTORS_PER_INT {
                return Err(LayoutError::TooManyFactors);
            }
            if b.is_none() || !a.is_none() && a.key() <= b.key() {
                r.factors[n] = a;
                i += 1;
            } else {
                r.factors[n] = b;
                j += 1;
            }
            n += 1;
        }
    }

    /// `self / by` when `by` divides it for every value of the symbols, else None.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Int::parse("64*?lda")?.div_exact(&Int::known(16)), Some(Int::parse("4*?lda")?));
    /// assert_eq!(Int::parse("64*?lda")?.div_exact(&Int::parse("?lda")?), Some(Int::known(64)));
    /// assert_eq!(Int::parse("?lda")?.div_exact(&Int::known(16)), None);
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn div_exact(&self, by: &Int) -> Option<Int> {
        if by.basis.len > 0 || self.underscore || by.underscore {
            return None;
        }
        // 0 divides nothing, and the least number by -1 is none of 64 bits
        let (Some(coef), Some(0)) = (self.coef.checked_div(by.coef), self.coef.checked_rem(by.coef)) else {
            return None;
        };
        let mut r = Int::known(coef);
        if coef == 0 {
            return Some(r);
        }
        r.basis = self.basis;
        // both are sorted: remove the factors of `by` one after another
        let (mut i, mut j, mut n) = (0, 0, 0);
        while i < FACTORS_PER_INT && !self.factors[i].is_none() {
            if j < FACTORS_PER_INT && self.factors[i].same(&by.factors[j]) {
                j += 1;
            } else {
                r.factors[n] = self.factors[i];
                n += 1;
            }
            i += 1;
        }
        if j < FACTORS_PER_INT && !by.factors[j].is_none() { None } else { Some(r) }
    }

    /// `ceil(self / by)` for `by >= 1`, if it is a monomial.
    ///
    /// # Errors
    /// [`LayoutError::Undecided`] when no monomial is found that has this value for all values of the symbols;
    /// [`LayoutError::BadExtent`] when `by < 1`.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(Int::known(1000).ceil_div(128)?, Int::known(8));
    /// assert_eq!(Int::symbol("M", 1)?.ceil_div(128)?.to_string(), "⌈?M/128⌉");
    /// assert_eq!(Int::parse("3*?M")?.ceil_div(128), Err(LayoutError::Undecided));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn ceil_div(&self, by: i64) -> Result<Int, LayoutError> {
        if by < 1 {
            return Err(LayoutError::BadExtent { leaf: 0, extent: by });
        }
        if let Some(r) = self.div_exact(&Int::known(by)) {
            return Ok(r);
        }
        if self.is_known() {
            let (q, r) = (self.coef.div_euclid(by), self.coef.rem_euclid(by));
            return Ok(Int::known(q + (r != 0) as i64));
        }
        // ceil(c ceil(M/d) / (c k)) = ceil(M / (d k)); where d divides M, c need not divide the divisor
        if self.coef > 0 && self.symbols() == 1 && self.basis.len == 0 {
            let f = &self.factors[0];
            let (whole, c) = (f.div as i128 * by as i128, self.coef as i128);
            if whole % c == 0 && (f.exact || by % self.coef == 0) && whole / c <= u32::MAX as i128 {
                let mut r = Int::known(1);
                r.factors[0] = Factor { name: f.name, div: (whole / c) as u32, exact: false };
                return Ok(r);
            }
        }
        Err(LayoutError::Undecided)
    }

    /// Is `self <= o` for all values of the symbols (each at least 1)? Some(false): never. None: it depends, or the
    /// monomials cannot be compared.
    /// ```
    /// # use girih::prelude::*;
    /// let m = Int::symbol("M", 128)?;
    /// assert_eq!(Int::known(128).le(&m), Some(true));
    /// assert_eq!(m.le(&Int::known(64)), Some(false));
    /// assert_eq!(m.le(&Int::known(256)), None); // 128 is, 384 is not
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub const fn le(&self, o: &Int) -> Option<bool> {
        if self.within(o) && self.coef <= o.coef {
            return Some(true);
        }
        if o.within(self) && o.coef < self.coef {
            return Some(false);
        }
        None
    }

    /// The factors of `self` are among those of `o`, and both coefficients are positive (or both are known).
    const fn within(&self, o: &Int) -> bool {
        if self.is_known() && o.is_known() {
            return true;
        }
        let (mut a, mut b) = (*self, *o);
        if a.coef < 1 || b.coef < 1 || a.basis.len > 0 || b.basis.len > 0 {
            return false;
        }
        a.coef = 1;
        b.coef = 1;
        b.div_exact(&a).is_some()
    }
}

/// `sum a_i b_i`, over the numbers of `a`.
pub(crate) const fn dot(a: &[i64], b: &[i64]) -> Result<i64, LayoutError> {
    let (mut sum, mut i) = (0i128, 0);
    while i < a.len() {
        // one product fits 127 bits, two of them need not
        let Some(s) = sum.checked_add(a[i] as i128 * b[i] as i128) else { return Err(LayoutError::Overflow) };
        sum = s;
        i += 1;
    }
    if sum as i64 as i128 == sum { Ok(sum as i64) } else { Err(LayoutError::Overflow) }
}

impl From<i64> for Int {
    fn from(v: i64) -> Int {
        Int::known(v)
    }
}
