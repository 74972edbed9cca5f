//! Text of layouts and their parts, written by `const fn`, so that compile-time errors and `Display` say the same.

use super::int::FACTORS_PER_INT;
use super::{Bound, Composed, Int, IntTuple, Layout, LayoutError, Name, Swizzle, Tiler};
use core::fmt;

/// Longest text: 24 leaves of four named factors each, twice, with an operation around two of them cut off at the end.
const CAPACITY: usize = 8192;

/// A string builder for const contexts.
pub(crate) struct Text {
    buf: [u8; CAPACITY],
    len: usize,
}

impl Text {
    pub const fn new() -> Text {
        Text { buf: [0; CAPACITY], len: 0 }
    }

    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.buf.split_at(self.len).0) {
            Ok(s) => s,
            // only a text cut off inside a character
            Err(_) => "(text too long)",
        }
    }

    pub const fn bytes(&mut self, b: &[u8]) -> &mut Text {
        let mut i = 0;
        while i < b.len() && self.len < CAPACITY {
            self.buf[self.len] = b[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    pub const fn str(&mut self, s: &str) -> &mut Text {
        self.bytes(s.as_bytes())
    }

    pub const fn int(&mut self, v: i64) -> &mut Text {
        self.wide(v as i128)
    }

    pub const fn count(&mut self, v: usize) -> &mut Text {
        self.wide(v as i128)
    }

    pub const fn wide(&mut self, v: i128) -> &mut Text {
        if v < 0 {
            self.str("-");
        }
        let mut digits = [0u8; 40];
        let mut n = 40;
        let mut rest = v.unsigned_abs();
        loop {
            n -= 1;
            digits[n] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                return self.bytes(digits.split_at(n).1);
            }
        }
    }

    pub const fn name(&mut self, n: Name) -> &mut Text {
        let (text, len) = n.text();
        self.bytes(text.split_at(len).0)
    }

    /// `8`, `?M{8}`, `64*?lda`, `⌈?M/128⌉`, `2*⌈?M{8}/8⌉` (a promise kept inside), `1@0`, `_`.
    pub const fn leaf(&mut self, v: &Int) -> &mut Text {
        if v.underscore {
            return self.str("_");
        }
        // promises are taken from the coefficient where they are there: 24*ceil(M/8) of ?M{8} is 3*?M{8}
        let mut coef = v.coef;
        let symbols = v.symbols();
        let mut whole = 0u32;
        let mut k = 0;
        while k < symbols {
            let f = &v.factors[k];
            if f.exact && coef % f.div as i64 == 0 {
                coef /= f.div as i64;
                whole |= 1 << k;
            }
            k += 1;
        }
        let mut star = false;
        if symbols == 0 || coef != 1 {
            self.int(coef);
            star = true;
        }
        k = 0;
        while k < symbols {
            if star {
                self.str("*");
            }
            star = true;
            let f = &v.factors[k];
            if f.div == 1 {
                self.str("?").name(f.name);
            } else if whole >> k & 1 == 1 {
                self.str("?").name(f.name).str("{").int(f.div as i64).str("}");
            } else {
                self.str("⌈?").name(f.name);
                if f.exact {
                    self.str("{").int(f.div as i64).str("}");
                }
                self.str("/").int(f.div as i64).str("⌉");
            }
            k += 1;
        }
        k = v.basis.len as usize;
        while k > 0 && k <= FACTORS_PER_INT {
            k -= 1;
            self.str("@").int(v.basis.step[k] as i64);
        }
        self
    }

    const fn plane(&mut self, l: &Layout, stride: bool) -> &mut Text {
        let mut nest = l.nest;
        let mut i = 0;
        while i < l.leaves() {
            let (mut o, mut c) = nest.next();
            if i > 0 {
                self.str(",");
            }
            while o > 0 {
                self.str("(");
                o -= 1;
            }
            self.leaf(&if stride { l.stride_int(i) } else { l.extent_int(i) });
            while c > 0 {
                self.str(")");
                c -= 1;
            }
            i += 1;
        }
        self
    }

    pub const fn layout(&mut self, l: &Layout) -> &mut Text {
        self.plane(l, false).str(":").plane(l, true)
    }

    pub const fn tuple(&mut self, t: &IntTuple) -> &mut Text {
        self.plane(&t.0, false)
    }

    pub const fn tiler(&mut self, t: &Tiler) -> &mut Text {
        let mut nest = t.nest;
        let mut i = 0;
        while i < t.leaves() {
            let (mut o, mut c) = nest.next();
            if i > 0 {
                self.str(",");
            }
            while o > 0 {
                self.str("<");
                o -= 1;
            }
            match t.get(i) {
                Ok(Some(l)) => self.layout(&l),
                _ => self.str("_"),
            };
            while c > 0 {
                self.str(">");
                c -= 1;
            }
            i += 1;
        }
        self
    }

    pub const fn bound(&mut self, b: &Bound) -> &mut Text {
        let terms = b.terms();
        if terms.is_empty() {
            return self.str("0");
        }
        // the constant last
        let mut pass = 0;
        let mut first = true;
        while pass < 2 {
            let mut i = 0;
            while i < terms.len() {
                if terms[i].is_known() == (pass == 1) {
                    if !first && terms[i].coef >= 0 {
                        self.str("+");
                    }
                    first = false;
                    let mut term = terms[i];
                    if !term.is_known() && term.coef < 0 && term.coef > i64::MIN {
                        self.str("-");
                        term.coef = -term.coef;
                    }
                    self.leaf(&term);
                }
                i += 1;
            }
            pass += 1;
        }
        self
    }
}

/// `Display` of a part through [`Text`].
macro_rules! display {
    ($($type:ty => $write:ident($($how:tt)*),)*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(Text::new().$write($($how)* self).as_str())
            }
        }
    )*};
}
display! {
    Layout => layout(),
    IntTuple => tuple(),
    Int => leaf(),
    Tiler => tiler(),
    Swizzle => swizzle(),
    Composed => composed(),
    Bound => bound(),
    Name => name(*),
    LayoutError => reason(),
}
/// `Debug` is the text.
macro_rules! debug {
    ($($type:ty)*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}
debug!(Layout IntTuple Tiler Swizzle Composed Bound Name);
