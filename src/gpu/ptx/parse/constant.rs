//! Constant expressions (PTX ISA, constant expressions): C's operators on integers of 64 bits.

use super::lexer::Token;
use super::{Fault, ParseFault, Parser};

/// A value, and whether it counts as unsigned.
#[derive(Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

/// How tightly binary operators bind.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_> {
    /// An integer that is known when assembling.
    pub(super) fn constant(&mut self) -> Result<i64, Fault> {
        self.choice(0).map(|value| value.bits)
    }

    /// An integer before `>`, which would be an operator in an expression.
    pub(super) fn count(&mut self) -> Result<u32, Fault> {
        let at = self.lexer.here();
        let bits = self.unary(0)?.bits;
        bits.try_into().map_err(|_| Fault { at, fault: ParseFault::Number(bits.to_string()) })
    }

    /// What follows a base's `+`: sums end with their first term.
    pub(super) fn term(&mut self) -> Result<i64, Fault> {
        self.binary(LEVELS.len() - 1, 0).map(|value| value.bits)
    }

    /// `a ? b : c`.
    fn choice(&mut self, depth: usize) -> Result<Value, Fault> {
        let condition = self.binary(0, depth)?;
        if !self.takes("?")? {
            return Ok(condition);
        }
        let depth = self.deeper(depth)?;
        let yes = self.choice(depth)?;
        self.expect(":")?;
        let no = self.choice(depth)?;
        // of the chosen one's sign, unlike C's
        Ok(if condition.bits != 0 { yes } else { no })
    }

    fn binary(&mut self, level: usize, depth: usize) -> Result<Value, Fault> {
        let Some(operators) = LEVELS.get(level) else { return self.unary(depth) };
        let mut left = self.binary(level + 1, depth)?;
        while let Token::Mark(mark) = self.lexer.peek()?
            && operators.contains(&mark)
        {
            let (_, at) = self.lexer.next()?;
            let right = self.binary(level + 1, depth)?;
            left = left.apply(mark, right).ok_or(Fault { at, fault: ParseFault::Constant })?;
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Result<Value, Fault> {
        let depth = self.deeper(depth)?;
        let (token, at) = self.lexer.next()?;
        let signed = |bits| Value { bits, unsigned: false };
        match token {
            Token::Int(value, unsigned) => Ok(Value { bits: value as i64, unsigned }),
            Token::Word("WARP_SZ") => Ok(signed(32)),
            Token::Mark("+") => self.unary(depth),
            Token::Mark("-") => self.unary(depth).map(|v| Value { bits: v.bits.wrapping_neg(), ..v }),
            Token::Mark("~") => self.unary(depth).map(|v| Value { bits: !v.bits, ..v }),
            Token::Mark("!") => self.unary(depth).map(|v| signed((v.bits == 0) as i64)),
            Token::Mark("(") => {
                if let Token::Dot(cast @ ("s64" | "u64")) = self.lexer.peek()? {
                    self.lexer.next()?;
                    self.expect(")")?;
                    return self.unary(depth).map(|v| Value { unsigned: cast == "u64", ..v });
                }
                let value = self.choice(depth)?;
                self.expect(")")?;
                Ok(value)
            }
            _ => Err(super::unexpected(token, at, "an integer")),
        }
    }
}

impl Value {
    /// None for a quotient that is no number of 64 bits.
    fn apply(self, operator: &str, by: Value) -> Option<Value> {
        let unsigned = self.unsigned || by.unsigned;
        let (a, b) = (self.bits, by.bits);
        let (ua, ub) = (a as u64, b as u64);
        let truth = |t: bool| Value { bits: t as i64, unsigned: false };
        let less = if unsigned { ua < ub } else { a < b };
        let bits = match operator {
            "||" => return Some(truth(a != 0 || b != 0)),
            "&&" => return Some(truth(a != 0 && b != 0)),
            "==" => return Some(truth(a == b)),
            "!=" => return Some(truth(a != b)),
            "<" => return Some(truth(less)),
            "<=" => return Some(truth(less || a == b)),
            ">" => return Some(truth(!less && a != b)),
            ">=" => return Some(truth(!less)),
            "|" => a | b,
            "^" => a ^ b,
            "&" => a & b,
            // a shift has the sign of what is shifted; of the count, the lowest six bits are used
            "<<" => return Some(Value { bits: a.wrapping_shl(b as u32), ..self }),
            ">>" if self.unsigned => return Some(Value { bits: ua.wrapping_shr(b as u32) as i64, ..self }),
            ">>" => return Some(Value { bits: a.wrapping_shr(b as u32), ..self }),
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" if unsigned => ua.checked_div(ub)? as i64,
            "/" => a.checked_div(b)?,
            _ if unsigned => ua.checked_rem(ub)? as i64,
            _ => a.checked_rem(b)?,
        };
        Some(Value { bits, unsigned })
    }
}
