//! Values, failures, and the arguments of an operation.

use girih::algebra::prove::{BUDGET, Claim, Image, Verdict};
use girih::algebra::{Guard, Guarded};
use girih::gpu::facts::FactError;
use girih::layout::{Bound, Composed, Error, IntTuple, Layout, LayoutError, Swizzle, Tiler};
use std::fmt;

/// What an expression can be.
#[allow(clippy::large_enum_variant)] // few of them live, and not for long
pub enum Value {
    Layout(Layout),
    /// below a swizzle
    Composed(Composed),
    Swizzle(Swizzle),
    /// the result of a `_ceil` operation
    Guarded(Box<Value>, Box<Guard>),
    Tuple(IntTuple),
    Tiler(Tiler),
    Bound(Bound),
    Bool(bool),
    /// a layout with an offset: `16 + 8:1`
    Image(Image),
    /// the answer to a claim
    Verdict(Box<Verdict>),
    /// a type, a name, `M=256`; also texts that only leave: a guard
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Layout(l) => l.fmt(f),
            Value::Composed(c) => c.fmt(f),
            Value::Swizzle(s) => s.fmt(f),
            Value::Guarded(value, _) => value.fmt(f),
            Value::Tuple(t) => t.fmt(f),
            Value::Tiler(t) => t.fmt(f),
            Value::Bound(b) => b.fmt(f),
            Value::Bool(b) => b.fmt(f),
            Value::Image(i) => i.fmt(f),
            Value::Verdict(v) => v.fmt(f),
            Value::Word(w) => w.fmt(f),
        }
    }
}

impl Value {
    /// A claim that was not proved.
    pub fn is_unproved(&self) -> bool {
        matches!(self, Value::Verdict(v) if !matches!(**v, Verdict::Proved(_)))
    }
    /// What an operation sees of a rounded result.
    pub fn unguarded(self) -> Value {
        match self {
            Value::Guarded(value, _) => *value,
            value => value,
        }
    }
}

macro_rules! into_value {
    ($($from:ty, $v:ident => $value:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($v: $from) -> Value {
                $value
            }
        }
    )*};
}
into_value! {
    Layout, l => Value::Layout(l);
    Composed, c => Value::Composed(c);
    Swizzle, s => Value::Swizzle(s);
    Guarded, g => Value::Guarded(Box::new(g.layout.into()), Box::new(g.guard));
    (Composed, Guard), g => Value::Guarded(Box::new(g.0.into()), Box::new(g.1));
    IntTuple, t => Value::Tuple(t);
    Bound, b => Value::Bound(b);
    bool, b => Value::Bool(b);
    Image, i => Value::Image(i);
    Claim, c => Value::Verdict(Box::new(c.decide(BUDGET)));
    i64, n => Value::Tuple(IntTuple::int(n));
    usize, n => Value::Tuple(IntTuple::int(n as i64));
    String, w => Value::Word(w);
}

/// Why there is no value.
pub enum Failure {
    /// the library's refusal, with its operands
    Whole(Box<Error>),
    /// the library's reason
    Bare(LayoutError),
    /// the command line's own: kind and message
    Own(&'static str, String),
    /// reading or writing
    Io(std::io::Error),
}

impl Failure {
    pub fn own(kind: &'static str, message: impl Into<String>) -> Failure {
        Failure::Own(kind, message.into())
    }
    pub fn kind(&self) -> &'static str {
        match self {
            Failure::Whole(e) => e.kind(),
            Failure::Bare(e) => e.kind(),
            Failure::Own(kind, _) => kind,
            Failure::Io(_) => "io",
        }
    }
}
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Whole(e) => e.fmt(f),
            Failure::Bare(e) => e.fmt(f),
            Failure::Own(_, message) => f.write_str(message),
            Failure::Io(e) => e.fmt(f),
        }
    }
}
impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        Failure::Whole(Box::new(e))
    }
}
impl From<LayoutError> for Failure {
    fn from(e: LayoutError) -> Failure {
        Failure::Bare(e)
    }
}

impl From<FactError> for Failure {
    fn from(e: FactError) -> Failure {
        Failure::own(e.kind(), e.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(e: std::io::Error) -> Failure {
        Failure::Io(e)
    }
}

pub type Answer = Result<Value, Failure>;

/// The arguments of one call.
pub struct Args(pub Vec<Value>);

/// How a layout is cut or repeated: as one dimension, or mode by mode.
pub enum Tile {
    One(Layout),
    ByMode(Tiler),
}

impl Args {
    pub fn wrong<T>(&self, i: usize, must_be: &str) -> Result<T, Failure> {
        Err(Failure::own("args", format!("argument {}, {}, must be {must_be}", i + 1, self.0[i])))
    }
    pub fn has(&self, i: usize) -> bool {
        i < self.0.len()
    }
    pub fn layout(&self, i: usize) -> Result<Layout, Failure> {
        match &self.0[i] {
            Value::Layout(l) => Ok(*l),
            Value::Composed(_) => self.wrong(i, "a layout without a swizzle"),
            _ => self.wrong(i, "a layout: shape:stride"),
        }
    }
    /// A layout, or one with an offset.
    pub fn image(&self, i: usize) -> Result<Image, Failure> {
        match &self.0[i] {
            Value::Image(image) => Ok(*image),
            _ => Ok(self.layout(i)?.into()),
        }
    }
    pub fn tuple(&self, i: usize) -> Result<IntTuple, Failure> {
        match &self.0[i] {
            Value::Tuple(t) => Ok(*t),
            _ => self.wrong(i, "an integer or a tuple of integers"),
        }
    }
    pub fn int(&self, i: usize) -> Result<i64, Failure> {
        match &self.0[i] {
            Value::Tuple(t) => t.as_int().map_or_else(|| self.wrong(i, "an integer"), Ok),
            _ => self.wrong(i, "an integer"),
        }
    }
    pub fn index(&self, i: usize) -> Result<usize, Failure> {
        usize::try_from(self.int(i)?).or_else(|_| self.wrong(i, "the number of a mode"))
    }
    pub fn word(&self, i: usize) -> Result<&str, Failure> {
        match &self.0[i] {
            Value::Word(w) => Ok(w),
            _ => self.wrong(i, "a word"),
        }
    }
    /// A layout is one dimension, and so is an integer `t` (`t:1`); a shape and `<..>` go mode by mode.
    pub fn tile(&self, i: usize) -> Result<Tile, Failure> {
        match &self.0[i] {
            Value::Layout(l) => Ok(Tile::One(*l)),
            Value::Tuple(t) if t.is_int() => Ok(Tile::One(Layout::new(t, &IntTuple::int(1))?)),
            Value::Tuple(t) => Ok(Tile::ByMode(Tiler::shape(t)?)),
            Value::Tiler(t) => Ok(Tile::ByMode(*t)),
            _ => self.wrong(i, "a layout, a shape or a tiler <..>"),
        }
    }
    pub fn tiler(&self, i: usize) -> Result<Tiler, Failure> {
        Ok(match self.tile(i)? {
            Tile::One(l) => Tiler::leaf(&l)?,
            Tile::ByMode(t) => t,
        })
    }
    /// No argument is swizzled.
    pub fn plain(&self) -> bool {
        !self.0.iter().any(|v| matches!(v, Value::Composed(_)))
    }
    /// A layout as one below a swizzle, which may be the identity.
    pub fn composed(&self, i: usize) -> Result<Composed, Failure> {
        match &self.0[i] {
            Value::Composed(c) => Ok(*c),
            _ => Ok(self.layout(i)?.swizzled(&Swizzle::IDENTITY)?),
        }
    }
    pub fn swizzle(&self, i: usize) -> Result<Swizzle, Failure> {
        match &self.0[i] {
            Value::Swizzle(s) => Ok(*s),
            _ => self.wrong(i, "a swizzle: S<B,M,S>"),
        }
    }
    /// The width in bits that a type's name says: `half_t`, `uint4_t`, `f32`, or a number.
    pub fn bits(&self, i: usize) -> Result<i64, Failure> {
        match &self.0[i] {
            Value::Tuple(_) => self.int(i),
            _ => match self.word(i)? {
                "half_t" => Ok(16),
                "float" => Ok(32),
                "double" => Ok(64),
                name => {
                    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
                    let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
                    digits.parse().or_else(|_| self.wrong(i, "a type: half_t, float, uint8_t, f32, or its bits"))
                }
            },
        }
    }
    /// The same, not negative.
    pub fn width(&self, i: usize) -> Result<usize, Failure> {
        usize::try_from(self.bits(i)?).or_else(|_| self.wrong(i, "the bits of an element"))
    }
    /// The shape of a layout, or a shape itself.
    pub fn shape(&self, i: usize) -> Result<IntTuple, Failure> {
        match &self.0[i] {
            Value::Tuple(t) => Ok(*t),
            Value::Composed(c) => Ok(c.shape()),
            _ => Ok(self.layout(i)?.shape()),
        }
    }
    /// All arguments from `i` on, of one sort.
    pub fn from<T>(&self, i: usize, get: fn(&Args, usize) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
        (i..self.0.len()).map(|k| get(self, k)).collect()
    }
}
