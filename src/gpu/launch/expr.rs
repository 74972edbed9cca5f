//! Numbers that a launch computes from its arguments.

use super::LaunchError;
use core::fmt;
use core::ops::{Add, Mul};
use core::str::FromStr;

/// A non-negative number computed from the arguments: constants, parameters by their names, sums, products and
/// `ceil(x / n)`. A pointer's value is its address, so that its alignment is a condition like any other.
///
/// Read from text, or built.
/// ```
/// use girih::gpu::launch::Expr;
/// let blocks: Expr = "ceil(m / 128) * ceil(n / 64)".parse()?;
/// assert_eq!(blocks, Expr::param("m").ceil_div(128) * Expr::param("n").ceil_div(64));
/// assert_eq!(blocks.value(|name| Some(if name == "m" { 1000 } else { 64 }))?, 8);
/// # Ok::<(), girih::gpu::launch::LaunchError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(try_from = "String", into = "String"))]
pub enum Expr {
    /// This number.
    Const(u64),
    /// The argument of this name.
    Param(String),
    /// The quotient, rounded up.
    CeilDiv(Box<Expr>, u64),
    /// The sum.
    Sum(Box<Expr>, Box<Expr>),
    /// The product.
    Product(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The argument of this name.
    /// ```
    /// # use girih::gpu::launch::Expr;
    /// assert_eq!(Expr::param("n").to_string(), "n");
    /// ```
    pub fn param(name: impl Into<String>) -> Expr {
        Expr::Param(name.into())
    }

    /// `ceil(self / by)`.
    /// ```
    /// # use girih::gpu::launch::Expr;
    /// assert_eq!(Expr::param("n").ceil_div(256).to_string(), "ceil(n / 256)");
    /// ```
    pub fn ceil_div(self, by: u64) -> Expr {
        Expr::CeilDiv(Box::new(self), by)
    }

    /// Its value, where `value` gives that of an argument.
    ///
    /// # Errors
    /// An argument without a value, a division by 0, a value beyond 64 bits.
    /// ```
    /// # use girih::gpu::launch::{Expr, LaunchError};
    /// let e: Expr = "4 * n".parse()?;
    /// assert_eq!(e.value(|_| Some(10)), Ok(40));
    /// assert!(matches!(e.value(|_| Some(u64::MAX)), Err(LaunchError::Overflow { .. })));
    /// assert!(matches!(e.value(|_| None), Err(LaunchError::NoValue { .. })));
    /// # Ok::<(), LaunchError>(())
    /// ```
    pub fn value(&self, value: impl Fn(&str) -> Option<u64> + Copy) -> Result<u64, LaunchError> {
        let overflow = || LaunchError::Overflow { expr: self.to_string() };
        match self {
            Expr::Const(c) => Ok(*c),
            Expr::Param(name) => value(name).ok_or_else(|| LaunchError::NoValue { name: name.clone() }),
            Expr::CeilDiv(_, 0) => Err(LaunchError::DivisionByZero { expr: self.to_string() }),
            Expr::CeilDiv(x, by) => Ok(x.value(value)?.div_ceil(*by)),
            Expr::Sum(x, y) => x.value(value)?.checked_add(y.value(value)?).ok_or_else(overflow),
            Expr::Product(x, y) => x.value(value)?.checked_mul(y.value(value)?).ok_or_else(overflow),
        }
    }

    /// The names of its arguments.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Expr::Const(_) => vec![],
            Expr::Param(name) => vec![name],
            Expr::CeilDiv(x, _) => x.names(),
            Expr::Sum(x, y) | Expr::Product(x, y) => [x.names(), y.names()].concat(),
        }
    }
}

impl From<u64> for Expr {
    fn from(c: u64) -> Expr {
        Expr::Const(c)
    }
}

impl Add for Expr {
    type Output = Expr;
    fn add(self, o: Expr) -> Expr {
        Expr::Sum(Box::new(self), Box::new(o))
    }
}

impl Mul for Expr {
    type Output = Expr;
    fn mul(self, o: Expr) -> Expr {
        Expr::Product(Box::new(self), Box::new(o))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // what is not on the left has parentheses, so that the text is read back as the same tree
        let factor = |e: &Expr, left: bool, f: &mut fmt::Formatter<'_>| match e {
            Expr::Product(..) if !left => write!(f, "({e})"),
            Expr::Sum(..) => write!(f, "({e})"),
            _ => write!(f, "{e}"),
        };
        match self {
            Expr::Const(c) => write!(f, "{c}"),
            Expr::Param(name) => f.write_str(name),
            Expr::CeilDiv(x, by) => write!(f, "ceil({x} / {by})"),
            Expr::Sum(x, y) if matches!(**y, Expr::Sum(..)) => write!(f, "{x} + ({y})"),
            Expr::Sum(x, y) => write!(f, "{x} + {y}"),
            Expr::Product(x, y) => {
                factor(x, true, f)?;
                f.write_str(" * ")?;
                factor(y, false, f)
            }
        }
    }
}

/// What a launch demands of its arguments.
/// ```
/// use girih::gpu::launch::Rule;
/// assert_eq!("lda % 8 == 0".parse::<Rule>()?, Rule::Multiple("lda".parse()?, 8));
/// assert_eq!("cols <= 8192".parse::<Rule>()?, Rule::AtMost("cols".parse()?, 8192.into()));
/// # Ok::<(), girih::gpu::launch::LaunchError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(try_from = "String", into = "String"))]
pub enum Rule {
    /// A multiple of this; `x % 16 == 0` of a pointer is its alignment.
    Multiple(Expr, u64),
    /// The first is at most the second.
    AtMost(Expr, Expr),
}

impl Rule {
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Rule::Multiple(x, _) => x.names(),
            Rule::AtMost(x, y) => [x.names(), y.names()].concat(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Multiple(x @ (Expr::Sum(..) | Expr::Product(..)), of) => write!(f, "({x}) % {of} == 0"),
            Rule::Multiple(x, of) => write!(f, "{x} % {of} == 0"),
            Rule::AtMost(x, y) => write!(f, "{x} <= {y}"),
        }
    }
}

/// Reads a whole text, or says where it ends.
fn whole<'a, T>(text: &'a str, read: impl Fn(&mut Tokens<'a>) -> Option<T>) -> Result<T, LaunchError> {
    let mut tokens = Tokens { rest: text, operators: 0 };
    let value = read(&mut tokens);
    match value {
        Some(v) if tokens.peek().is_empty() => Ok(v),
        _ => Err(LaunchError::Syntax { text: text.into(), at: text.len() - tokens.rest.len() }),
    }
}

/// Operators and parentheses of a text: more are refused, as reading and evaluating recur.
const OPERATORS: usize = 256;

struct Tokens<'a> {
    rest: &'a str,
    operators: usize,
}

impl<'a> Tokens<'a> {
    /// The next token: a name, a number, a sign; "" at the end.
    fn peek(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let word = self.rest.find(|c: char| !name_char(c)).unwrap_or(self.rest.len());
        let sign = self.rest.chars().next().map_or(0, char::len_utf8);
        let two = ["==", "<="].iter().any(|s| self.rest.starts_with(s));
        &self.rest[..if word > 0 {
            word
        } else if two {
            2
        } else {
            sign
        }]
    }

    fn take(&mut self, token: &str) -> Option<()> {
        let found = self.peek() == token;
        if found {
            self.rest = &self.rest[token.len()..];
        }
        found.then_some(())
    }

    /// One operator more.
    fn operator(&mut self, token: &str) -> Option<()> {
        self.operators += 1;
        self.take(token).filter(|()| self.operators <= OPERATORS)
    }

    fn number(&mut self) -> Option<u64> {
        let token = self.peek();
        let n = token.parse().ok()?;
        self.take(token)?;
        Some(n)
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut e = self.product()?;
        while self.peek() == "+" {
            self.operator("+")?;
            e = e + self.product()?;
        }
        Some(e)
    }

    fn product(&mut self) -> Option<Expr> {
        let mut e = self.atom()?;
        while self.peek() == "*" {
            self.operator("*")?;
            e = e * self.atom()?;
        }
        Some(e)
    }

    fn atom(&mut self) -> Option<Expr> {
        let token = self.peek();
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number().map(Expr::Const);
        }
        let ceil = token == "ceil" && self.rest[4..].trim_start().starts_with('(');
        if token != "(" && !ceil {
            self.take(token).filter(|()| is_name(token))?;
            return Some(Expr::param(token));
        }
        if ceil {
            self.take("ceil")?;
        }
        self.operator("(")?;
        let mut e = self.sum()?;
        if ceil {
            self.take("/")?;
            e = e.ceil_div(self.number().filter(|n| *n > 0)?);
        }
        self.take(")")?;
        Some(e)
    }

    fn rule(&mut self) -> Option<Rule> {
        let x = self.sum()?;
        if self.take("<=").is_some() {
            return Some(Rule::AtMost(x, self.sum()?));
        }
        self.take("%")?;
        let of = self.number().filter(|n| *n > 0)?;
        self.take("==")?;
        self.take("0")?;
        Some(Rule::Multiple(x, of))
    }
}

fn name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// An identifier as PTX has it (PTX ISA 4.4), without `%`: a letter, `_` or `$` first.
pub(super) fn is_name(s: &str) -> bool {
    s.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$') && s.chars().all(name_char)
}

impl FromStr for Expr {
    type Err = LaunchError;
    fn from_str(text: &str) -> Result<Expr, LaunchError> {
        whole(text, Tokens::sum)
    }
}

impl FromStr for Rule {
    type Err = LaunchError;
    fn from_str(text: &str) -> Result<Rule, LaunchError> {
        whole(text, Tokens::rule)
    }
}

/// serde reads both as text.
#[cfg(feature = "json")]
mod text {
    use super::{Expr, LaunchError, Rule};

    impl TryFrom<String> for Expr {
        type Error = LaunchError;
        fn try_from(text: String) -> Result<Expr, LaunchError> {
            text.parse()
        }
    }
    impl From<Expr> for String {
        fn from(e: Expr) -> String {
            e.to_string()
        }
    }
    impl TryFrom<String> for Rule {
        type Error = LaunchError;
        fn try_from(text: String) -> Result<Rule, LaunchError> {
            text.parse()
        }
    }
    impl From<Rule> for String {
        fn from(r: Rule) -> String {
            r.to_string()
        }
    }
}
