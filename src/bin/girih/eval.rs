//! Expressions.
//!
//! ```text
//! expression = term { " o " term }                     composition, from the left
//!            | integer "+" expression                  a layout with an offset
//! term       = name "(" expression { "," expression } ")" | "(" expression ")" | value | word
//! value      = a layout, a swizzled layout, a swizzle, a tiler or a tuple, as the library reads them
//! word       = letter { letter | digit | "_" | "=" }   half_t, M=256
//! ```

use crate::ops;
use crate::value::{Answer, Args, Failure, Value};
use girih::algebra::prove::Image;
use girih::layout::{IntTuple, Layout, Swizzle, Tiler};

/// Calls inside each other.
const DEPTH: usize = 64;

/// The value of an expression.
pub fn evaluate(text: &str) -> Answer {
    let mut p = Parser { text, at: 0, depth: 0 };
    let value = p.expression()?;
    if p.at < text.len() {
        return p.fail("the end of the expression");
    }
    Ok(value)
}

/// An argument that stands alone: an expression, or words with commas (`M=256,lda=512`).
pub fn argument(text: &str) -> Answer {
    let words = |c: char| c.is_ascii_alphanumeric() || "_=, ".contains(c);
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(words) && !text.contains(" o ") {
        return Ok(Value::Word(text.to_string()));
    }
    evaluate(text)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn fail<T>(&self, expected: &str) -> Result<T, Failure> {
        Err(Failure::own("text", format!("at byte {} of {:?}: expected {expected}", self.at, self.text)))
    }

    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expression(&mut self) -> Answer {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail("at most 64 levels of nesting");
        }
        let mut value = self.term()?;
        if self.eat("+") {
            let args = Args(vec![value, self.expression()?]);
            value = Image::new(&args.layout(1)?, args.int(0)?).into();
        }
        while self.eat("o ") {
            value = ops::apply("composition", vec![value, self.term()?])?;
        }
        self.depth -= 1;
        Ok(value)
    }

    fn term(&mut self) -> Answer {
        let rest = self.rest();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '=';
        let name = &rest[..rest.find(|c| !word(c)).unwrap_or(rest.len())];
        if rest.starts_with("S<") || rest.starts_with("Sw<") {
            return self.swizzled(rest);
        }
        // ceil(?M/8) is a part of a value
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) && !rest.starts_with("ceil(") {
            self.at += name.len();
            return if self.eat("(") { self.call(name) } else { Ok(Value::Word(name.to_string())) };
        }
        // no tuple has a colon inside its parentheses
        if rest.starts_with('(') && rest[1..1 + value_len(&rest[1..], &[])].contains(':') {
            self.at += 1;
            let value = self.expression()?;
            return if self.eat(")") { Ok(value) } else { self.fail(")") };
        }
        let value = &rest[..value_len(rest, &[",", " o ", "+"])];
        if value.is_empty() {
            return self.fail("a value or an operation");
        }
        let read = read(value);
        if read.is_ok() {
            self.at += value.len();
        }
        read
    }

    /// `S<3,4,3> o 0 o (8,64):(64,1)` as far as it is one value, else the swizzle alone.
    fn swizzled(&mut self, rest: &str) -> Answer {
        let all = &rest[..value_len(rest, &[","])];
        let ends = all.match_indices(" o ").map(|(i, _)| i).chain([all.len()]);
        for end in ends {
            if let Ok(c) = all[..end].parse() {
                self.at += end;
                return Ok(Value::Composed(c));
            }
        }
        let value = &rest[..value_len(rest, &[",", " o "])];
        let read = read(value);
        if read.is_ok() {
            self.at += value.len();
        }
        read
    }

    fn call(&mut self, name: &str) -> Answer {
        let mut args = Vec::new();
        if !self.eat(")") {
            loop {
                args.push(self.expression()?);
                if self.eat(")") {
                    break;
                }
                if !self.eat(",") {
                    return self.fail(", or )");
                }
            }
        }
        ops::apply(name, args)
    }
}

/// Bytes of the value at the start of `text`: up to a closing bracket or one of `ends` that is not inside brackets.
fn value_len(text: &str, ends: &[&str]) -> usize {
    let mut inside = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '<' => inside += 1,
            ')' | '>' if inside > 0 => inside -= 1,
            ')' | '>' => return text[..i].trim_end().len(),
            _ if inside == 0 && ends.iter().any(|e| text[i..].starts_with(e)) => return text[..i].trim_end().len(),
            _ => {}
        }
    }
    text.trim_end().len()
}

/// A layout has a colon, a by-mode tiler is in angle brackets, all else is a tuple.
fn read(text: &str) -> Answer {
    let read = if text.starts_with('S') {
        Swizzle::parse(text).map(Value::Swizzle)
    } else if text.starts_with('<') {
        Tiler::parse(text).map(Value::Tiler)
    } else if text.contains(':') {
        Layout::parse(text).map(Value::Layout)
    } else {
        IntTuple::parse(text).map(Value::Tuple)
    };
    read.map_err(|e| Failure::own(e.kind(), format!("{text:?}: {e}")))
}
