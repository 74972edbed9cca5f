//! Numbers that a launch computes from its arguments.

use super::LaunchError;
use crate::gpu::ptx::is_identifier;
use core::fmt;
use core::ops::{Add, Mul};
use core::str::FromStr;

/// A non-negative number computed from the arguments: constants, parameters by their names, sums, products and
/// `ceil(x / n)`. A pointer's value is its address, of which only the alignment may be asked, by [`Rule::Multiple`].
///
/// Read from text, or built; of any length and depth.
/// ```
/// use girih::gpu::launch::Expr;
/// let blocks: Expr = "ceil(m / 128) * ceil(n / 64)".parse()?;
/// assert_eq!(blocks, Expr::param("m").ceil_div(128) * Expr::param("n").ceil_div(64));
/// assert_eq!(blocks.value(|name| Some(if name == "m" { 1000 } else { 64 }))?, 8);
/// # Ok::<(), girih::gpu::launch::LaunchError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(try_from = "String", into = "String"))]
pub struct Expr {
    /// One expression in postfix order: whatever its depth, nothing recurs over it.
    ops: Vec<Op>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Op {
    Const(u64),
    Param(String),
    CeilDiv(u64),
    Sum,
    Product,
}

impl Expr {
    /// The argument of this name.
    /// ```
    /// # use girih::gpu::launch::Expr;
    /// assert_eq!(Expr::param("n").to_string(), "n");
    /// ```
    pub fn param(name: impl Into<String>) -> Expr {
        Expr { ops: vec![Op::Param(name.into())] }
    }

    /// `ceil(self / by)`.
    /// ```
    /// # use girih::gpu::launch::Expr;
    /// assert_eq!(Expr::param("n").ceil_div(256).to_string(), "ceil(n / 256)");
    /// ```
    pub fn ceil_div(mut self, by: u64) -> Expr {
        self.ops.push(Op::CeilDiv(by));
        self
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
    pub fn value(&self, value: impl Fn(&str) -> Option<u64>) -> Result<u64, LaunchError> {
        let mut stack: Vec<u64> = vec![];
        for (i, op) in self.ops.iter().enumerate() {
            // postfix order: the operands are there
            let mut operand = || stack.pop().unwrap_or_default();
            let v = match op {
                Op::Const(c) => Some(*c),
                Op::Param(name) => Some(value(name).ok_or_else(|| LaunchError::NoValue { name: name.clone() })?),
                Op::CeilDiv(0) => return Err(LaunchError::DivisionByZero { expr: self.part(i).to_string() }),
                Op::CeilDiv(by) => Some(operand().div_ceil(*by)),
                Op::Sum => operand().checked_add(operand()),
                Op::Product => operand().checked_mul(operand()),
            };
            stack.push(v.ok_or_else(|| LaunchError::Overflow { expr: self.part(i).to_string() })?);
        }
        Ok(stack.pop().unwrap_or_default())
    }

    /// The names of its arguments.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.ops.iter().filter_map(|op| match op {
            Op::Param(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// It divides by no 0.
    pub(super) fn divides(&self) -> Result<(), LaunchError> {
        match self.ops.iter().position(|op| *op == Op::CeilDiv(0)) {
            None => Ok(()),
            Some(i) => Err(LaunchError::DivisionByZero { expr: self.part(i).to_string() }),
        }
    }

    /// Of each operation the place where its operands begin.
    fn starts(&self) -> Vec<usize> {
        let mut starts: Vec<usize> = Vec::with_capacity(self.ops.len());
        for (i, op) in self.ops.iter().enumerate() {
            starts.push(match op {
                Op::Const(_) | Op::Param(_) => i,
                Op::CeilDiv(_) => starts[i - 1],
                Op::Sum | Op::Product => starts[starts[i - 1] - 1],
            });
        }
        starts
    }

    /// What operation `i` computes.
    fn part(&self, i: usize) -> Expr {
        Expr { ops: self.ops[self.starts()[i]..=i].to_vec() }
    }

    fn binary(mut self, o: Expr, op: Op) -> Expr {
        self.ops.extend(o.ops);
        self.ops.push(op);
        self
    }

    /// The last operation is a sum or a product.
    fn is_binary(&self) -> bool {
        matches!(self.ops.last(), Some(Op::Sum | Op::Product))
    }
}

impl From<u64> for Expr {
    fn from(c: u64) -> Expr {
        Expr { ops: vec![Op::Const(c)] }
    }
}

impl Add for Expr {
    type Output = Expr;
    fn add(self, o: Expr) -> Expr {
        self.binary(o, Op::Sum)
    }
}

impl Mul for Expr {
    type Output = Expr;
    fn mul(self, o: Expr) -> Expr {
        self.binary(o, Op::Product)
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Piece {
            Part(usize),
            Closed(usize),
            By(u64),
            Text(&'static str),
        }
        use Piece::*;
        let starts = self.starts();
        let mut todo = vec![Part(self.ops.len() - 1)];
        while let Some(piece) = todo.pop() {
            match piece {
                Text(text) => f.write_str(text)?,
                By(n) => write!(f, " / {n})")?,
                Closed(i) => {
                    f.write_str("(")?;
                    todo.extend([Text(")"), Part(i)]);
                }
                Part(i) => match &self.ops[i] {
                    Op::Const(c) => write!(f, "{c}")?,
                    Op::Param(name) => f.write_str(name)?,
                    Op::CeilDiv(by) => {
                        f.write_str("ceil(")?;
                        todo.extend([By(*by), Part(i - 1)]);
                    }
                    op => {
                        let (left, right) = (starts[i - 1] - 1, i - 1);
                        let product = *op == Op::Product;
                        let piece = |i, closed| if closed { Closed(i) } else { Part(i) };
                        // what is not on the left has parentheses, so that the text is read back as the same tree
                        let after = self.ops[right] == Op::Sum || product && self.ops[right] == Op::Product;
                        let before = product && self.ops[left] == Op::Sum;
                        let sign = Text(if product { " * " } else { " + " });
                        todo.extend([piece(right, after), sign, piece(left, before)]);
                    }
                },
            }
        }
        Ok(())
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
    /// It divides by no 0.
    pub(super) fn divides(&self) -> Result<(), LaunchError> {
        match self {
            Rule::Multiple(_, 0) => Err(LaunchError::DivisionByZero { expr: self.to_string() }),
            Rule::Multiple(x, _) => x.divides(),
            Rule::AtMost(x, y) => x.divides().and_then(|()| y.divides()),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Multiple(x, of) if x.is_binary() => write!(f, "({x}) % {of} == 0"),
            Rule::Multiple(x, of) => write!(f, "{x} % {of} == 0"),
            Rule::AtMost(x, y) => write!(f, "{x} <= {y}"),
        }
    }
}

/// Reads a whole text, or says where it ends.
fn whole<'a, T>(text: &'a str, read: impl Fn(&mut Tokens<'a>) -> Option<T>) -> Result<T, LaunchError> {
    let mut tokens = Tokens { rest: text };
    let value = read(&mut tokens);
    match value {
        Some(v) if tokens.peek().is_empty() => Ok(v),
        _ => Err(LaunchError::Syntax { text: text.into(), at: text.len() - tokens.rest.len() }),
    }
}

struct Tokens<'a> {
    rest: &'a str,
}

/// What waits for its end or its right operand.
#[derive(PartialEq)]
enum Open {
    Group,
    Ceil,
    Sum,
    Product,
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

    fn number(&mut self) -> Option<u64> {
        let token = self.peek();
        let n = token.parse().ok()?;
        self.take(token)?;
        Some(n)
    }

    /// The longest expression from here on, by operator precedence: no recursion, whatever the depth.
    fn sum(&mut self) -> Option<Expr> {
        let (mut ops, mut open) = (vec![], vec![]);
        loop {
            let group = self.peek() == "(";
            if group || self.peek() == "ceil" && self.rest[4..].trim_start().starts_with('(') {
                if !group {
                    self.take("ceil")?;
                }
                self.take("(")?;
                open.push(if group { Open::Group } else { Open::Ceil });
                continue;
            }
            ops.push(self.operand()?);
            // what follows an operand, until another one must
            loop {
                let sign = self.peek();
                // these bind what is before them less than it is bound already
                while let Some(ended) = open.pop_if(|o| *o == Open::Product || *o == Open::Sum && sign != "*") {
                    ops.push(if ended == Open::Sum { Op::Sum } else { Op::Product });
                }
                match (sign, open.last()) {
                    ("+", _) => open.push(Open::Sum),
                    ("*", _) => open.push(Open::Product),
                    (")", Some(Open::Group)) => {
                        open.pop();
                        self.take(")")?;
                        continue;
                    }
                    ("/", Some(Open::Ceil)) => {
                        open.pop();
                        self.take("/")?;
                        ops.push(Op::CeilDiv(self.number().filter(|n| *n > 0)?));
                        self.take(")")?;
                        continue;
                    }
                    (_, None) => return Some(Expr { ops }),
                    _ => return None,
                }
                self.take(sign)?;
                break;
            }
        }
    }

    fn operand(&mut self) -> Option<Op> {
        let token = self.peek();
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number().map(Op::Const);
        }
        // the sign of a rule where no operand can be
        let after = usize::from(token == "%");
        let end = self.rest[after..].find(|c| !name_char(c)).map_or(self.rest.len(), |n| after + n);
        let (name, rest) = self.rest.split_at(end);
        is_identifier(name).then(|| self.rest = rest)?;
        Some(Op::Param(name.into()))
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
