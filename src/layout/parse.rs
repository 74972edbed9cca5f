//! Reading layouts, tuples and tilers, at compile time and at run time by the same `const fn`.
//!
//! ```text
//! layout = tuple ":" tuple
//! tuple  = leaf | "(" tuple { "," tuple } ")"
//! leaf   = factor { "*" factor } { "@" number } | "_"
//! factor = [ "-" ] number | "?" name [ "{" number "}" ] | "⌈" "?" name [ "{" number "}" ] "/" number "⌉"
//! tiler  = "<" item { "," item } ">" | layout | tuple (a tuple is a shape: (3,8) is <3:1,8:1>)
//! item   = tiler | layout | number | "_"
//! swizzle  = "S<" number "," number "," number ">" [ "[" bits "b]" ]
//! composed = swizzle "o" { swizzle "o" } [ number "o" ] layout
//! ```
//! Blanks may stand anywhere between these. `ceil(?M/8)` is also read for `⌈?M/8⌉`, and CuTe's `_8` for `8`. A promise
//! made anywhere in a text, `?M{8}`, holds for every `?M` in it.

use super::int::Factor;
use super::nest::Pen;
use super::value::Writer;
use super::{Composed, Int, IntTuple, Layout, LayoutError, MODES, Name, Swizzle, Tiler};

#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    text: &'a [u8],
    pub at: usize,
    /// promises made so far
    promise: [(Name, u32); super::SYMBOLS],
}

impl<'a> Reader<'a> {
    pub const fn new(text: &'a str) -> Reader<'a> {
        let mut r = Reader { text: text.as_bytes(), at: 0, promise: [(Name::NONE, 1); super::SYMBOLS] };
        r.promises();
        r
    }

    /// Collects every `?name{n}` of the text; those that do not parse are reported where they stand.
    const fn promises(&mut self) {
        let mut n = 0;
        while self.at < self.text.len() && n < super::SYMBOLS {
            if self.text[self.at] == b'?' {
                self.at += 1;
                if let Ok(name) = self.name()
                    && self.eat(b"{")
                    && let Ok(m @ 2..=0xffff_ffff) = self.number()
                {
                    let mut i = 0;
                    while i < n && self.promise[i].0.0 != name.0 {
                        i += 1;
                    }
                    // the first one of a name
                    if i == n {
                        self.promise[n] = (name, m as u32);
                        n += 1;
                    }
                }
            } else {
                self.at += 1;
            }
        }
        self.at = 0;
    }

    pub const fn expected<T: Copy>(&self, what: &'static str) -> Result<T, LayoutError> {
        Err(LayoutError::Text { at: self.at, expected: what })
    }

    pub const fn blanks(&mut self) {
        while self.at < self.text.len() && matches!(self.text[self.at], b' ' | b'\n' | b'\t' | b'\r') {
            self.at += 1;
        }
    }

    /// The next byte that is no blank, 0 at the end.
    pub const fn peek(&mut self) -> u8 {
        self.blanks();
        if self.at < self.text.len() { self.text[self.at] } else { 0 }
    }

    /// Reads `token` if it is next.
    pub const fn eat(&mut self, token: &[u8]) -> bool {
        self.blanks();
        let mut i = 0;
        while i < token.len() {
            if self.at + i >= self.text.len() || self.text[self.at + i] != token[i] {
                return false;
            }
            i += 1;
        }
        self.at += i;
        true
    }

    pub const fn end(&mut self) -> Result<(), LayoutError> {
        if self.peek() == 0 && self.at == self.text.len() { Ok(()) } else { self.expected("the end of the text") }
    }

    pub const fn number(&mut self) -> Result<i64, LayoutError> {
        let negative = self.eat(b"-");
        if !self.peek().is_ascii_digit() {
            return self.expected("a number");
        }
        let mut v = 0i64;
        while self.at < self.text.len() && self.text[self.at].is_ascii_digit() {
            let digit = (self.text[self.at] - b'0') as i64;
            // negative numbers reach one further
            let next = match v.checked_mul(10) {
                Some(v) if negative => v.checked_sub(digit),
                Some(v) => v.checked_add(digit),
                None => None,
            };
            match next {
                Some(x) => v = x,
                None => return self.expected("a number of 64 bits"),
            }
            self.at += 1;
        }
        Ok(v)
    }

    pub const fn name(&mut self) -> Result<Name, LayoutError> {
        let from = self.at;
        while self.at < self.text.len() && matches!(self.text[self.at], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_')
        {
            self.at += 1;
        }
        match Name::of(self.text.split_at(self.at).0.split_at(from).1) {
            Ok(n) => Ok(n),
            Err(_) => {
                self.at = from;
                self.expected("a name of 1 to 8 characters [A-Za-z0-9_]")
            }
        }
    }

    /// `?name{8}`, without looking at what else the text promises for it: the name, and its promise or 1.
    const fn symbol(&mut self) -> Result<(Name, u32), LayoutError> {
        if !self.eat(b"?") {
            return self.expected("a symbol");
        }
        let name = tri!(self.name());
        if !self.eat(b"{") {
            let mut i = 0;
            while i < super::SYMBOLS {
                if self.promise[i].0.0 == name.0 {
                    return Ok((name, self.promise[i].1));
                }
                i += 1;
            }
            return Ok((name, 1));
        }
        let at = self.at;
        let multiple = match self.number() {
            Ok(m @ 1..=0xffff_ffff) => m as u32,
            _ => {
                self.at = at;
                return self.expected("a multiple of 1 to 4294967295");
            }
        };
        if self.eat(b"}") { Ok((name, multiple)) } else { self.expected("}") }
    }

    const fn factor(&mut self) -> Result<Int, LayoutError> {
        match self.peek() {
            b'?' => {
                let (name, multiple) = tri!(self.symbol());
                Int::of_name(name, multiple)
            }
            b'_' => {
                self.at += 1;
                if self.at < self.text.len() && (self.text[self.at].is_ascii_digit() || self.text[self.at] == b'-') {
                    // CuTe prints static integers so
                    Ok(Int::known(tri!(self.number())))
                } else {
                    Ok(Int::UNDERSCORE)
                }
            }
            b'-' | b'0'..=b'9' => Ok(Int::known(tri!(self.number()))),
            _ => {
                let word = self.eat(b"ceil(");
                if !word && !self.eat("⌈".as_bytes()) {
                    return self.expected("a number, ?symbol, ⌈?symbol/number⌉ or _");
                }
                let (name, multiple) = tri!(self.symbol());
                if !self.eat(b"/") {
                    return self.expected("/");
                }
                let div = tri!(self.number());
                if !self.eat(if word { b")" } else { "⌉".as_bytes() }) {
                    return self.expected("⌉");
                }
                if div < 1 || div > u32::MAX as i64 {
                    return self.expected("a divisor of 1 to 4294967295");
                }
                if div % multiple as i64 != 0 {
                    // a part of the promise: ceil(M/2) of ?M{8} is 4*ceil(M/8)
                    return tri!(Int::of_name(name, multiple)).ceil_div(div);
                }
                let mut v = Int::known(1);
                v.factors[0] = Factor { name, div: div as u32, exact: multiple > 1 && multiple as i64 == div };
                Ok(v)
            }
        }
    }

    pub const fn leaf(&mut self) -> Result<Int, LayoutError> {
        let mut v = tri!(self.factor());
        if v.underscore {
            return Ok(v);
        }
        while self.eat(b"*") {
            let f = tri!(self.factor());
            v = tri!(v.mul(&f));
        }
        let mut path = [0u8; MODES];
        let mut n = 0;
        while self.eat(b"@") {
            let step = tri!(self.number());
            if n == 4 || step < 0 || step >= MODES as i64 {
                return self.expected("a basis vector of at most four steps, each a mode 0 to 23");
            }
            path[n] = step as u8;
            n += 1;
        }
        if n == 0 {
            return Ok(v);
        }
        // written innermost first
        let mut outer_first = [0u8; MODES];
        let mut i = 0;
        while i < n {
            outer_first[i] = path[n - 1 - i];
            i += 1;
        }
        v.at(outer_first.split_at(n).0)
    }

    pub const fn tuple(&mut self) -> Result<IntTuple, LayoutError> {
        let mut w = Writer::NEW;
        let mut depth = 0;
        loop {
            while self.eat(b"(") {
                w.open();
                depth += 1;
            }
            if self.peek() == b')' && depth > 0 {
                return Err(LayoutError::Empty);
            }
            let v = tri!(self.leaf());
            tri!(w.leaf(&v, &Int::known(0)));
            loop {
                if depth == 0 {
                    return Ok(IntTuple(w.finish()));
                }
                if self.eat(b")") {
                    tri!(w.close());
                    depth -= 1;
                } else if self.eat(b",") {
                    // Python writes (4,)
                    if self.peek() != b')' {
                        break;
                    }
                } else {
                    return self.expected(", or )");
                }
            }
        }
    }

    pub const fn layout(&mut self) -> Result<Layout, LayoutError> {
        let shape = tri!(self.tuple());
        if !self.eat(b":") {
            return self.expected(": and the stride (of a shape alone, see Layout::column_major)");
        }
        let stride = tri!(self.tuple());
        Layout::new(&shape, &stride)
    }

    pub const fn tiler(&mut self) -> Result<Tiler, LayoutError> {
        if self.peek() != b'<' {
            let shape = tri!(self.tuple());
            if self.eat(b":") {
                return Tiler::leaf(&tri!(Layout::new(&shape, &tri!(self.tuple()))));
            }
            return Tiler::shape(&shape);
        }
        let (mut w, mut pen) = (Writer::NEW, Pen::NEW);
        let (mut keep, mut n, mut depth) = (0u32, 0, 0);
        w.open();
        loop {
            while self.eat(b"<") {
                pen.open(1);
                depth += 1;
            }
            if depth == 0 {
                return self.expected("<");
            }
            let shape = tri!(self.tuple());
            if self.eat(b":") {
                let stride = tri!(self.tuple());
                tri!(w.mode(&tri!(Layout::new(&shape, &stride))));
                if !pen.leaf() {
                    return Err(LayoutError::TooDeep);
                }
                n += 1;
            } else {
                // a shape: one leaf tiler s:1 for each extent
                let mut nest = shape.0.nest;
                let mut i = 0;
                while i < shape.leaves() {
                    let (o, c) = nest.next();
                    let s = shape.0.extent_int(i);
                    if s.underscore {
                        keep |= 1 << n;
                        tri!(w.known(1, 0));
                    } else {
                        tri!(w.leaf(&s, &Int::known(1)));
                    }
                    pen.open(o);
                    if !pen.leaf() || !pen.close(c) {
                        return Err(LayoutError::TooDeep);
                    }
                    n += 1;
                    i += 1;
                }
            }
            loop {
                if self.eat(b">") {
                    if !pen.close(1) {
                        return Err(LayoutError::TooDeep);
                    }
                    depth -= 1;
                    if depth == 0 {
                        tri!(w.close());
                        let entries = w.finish();
                        tri!(entries.check());
                        return Ok(Tiler { entries, nest: pen.nest, keep });
                    }
                } else if self.eat(b",") {
                    break;
                } else {
                    return self.expected(", or >");
                }
            }
        }
    }
}

/// `parse` of a part, and `FromStr` with it.
macro_rules! parse {
    ($($type:ty => $read:ident, $example:literal;)*) => {$(
        impl $type {
            /// Reads the text form; `FromStr` at compile time. See the [grammar](mod@crate::layout#text).
            ///
            /// # Errors
            /// [`LayoutError::Text`] with the byte where reading stopped, or what makes the value itself impossible.
            /// ```
            /// # use girih::prelude::*;
            #[doc = concat!("let x = ", stringify!($type), "::parse(\"", $example, "\")?;")]
            #[doc = concat!("assert_eq!(x.to_string(), \"", $example, "\");")]
            /// # Ok::<(), girih::LayoutError>(())
            /// ```
            pub const fn parse(text: &str) -> Result<$type, LayoutError> {
                let mut r = Reader::new(text);
                let v = tri!(r.$read());
                tri!(r.end());
                Ok(v)
            }
        }
        impl core::str::FromStr for $type {
            type Err = LayoutError;
            fn from_str(text: &str) -> Result<$type, LayoutError> {
                <$type>::parse(text)
            }
        }
    )*};
}
parse! {
    Layout => layout, "((2,2),3):((24,2),8)";
    IntTuple => tuple, "(2,(?N,_))";
    Tiler => tiler, "<4:1,<_,8:2>>";
    Swizzle => swizzle, "S<3,4,-3>";
    Composed => composed, "S<3,4,3> o 0 o (8,64):(64,1)";
    Int => leaf, "64*?lda";
}
