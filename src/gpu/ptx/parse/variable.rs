//! Variables and parameters.

use super::lexer::Token;
use super::{Fault, ParseFault, Parser, unexpected, unsupported};
use crate::gpu::ptx::module::{Init, Linkage, Pointee, Space, Variable};
use crate::gpu::ptx::names::Named;
use crate::gpu::ptx::types::Type;

impl Parser<'_> {
    /// `.space .type a, b[2] = {1, 2};`.
    pub(super) fn variables(&mut self, linkage: Linkage) -> Result<Vec<Variable>, Fault> {
        let head = self.head(linkage)?;
        let mut all = Vec::new();
        loop {
            let at = self.lexer.here();
            let mut v = self.declarator(head.clone())?;
            let named = Named::Variable { defined: linkage != Linkage::Extern, space: v.space };
            self.declare(v.name.to_string(), named, at)?;
            if self.takes("=")? {
                let at = self.lexer.here();
                let scalar = v.dims.is_empty() && v.vector.is_none();
                v.init = match (self.lexer.peek()?, scalar) {
                    (Token::Mark("{"), false) => self.list(0)?,
                    (token @ Token::Mark("{"), true) => return Err(unexpected(token, at, "one value")),
                    (_, true) => vec![self.initial()?],
                    (token, false) => return Err(unexpected(token, at, "`{`")),
                };
            }
            all.push(v);
            if !self.takes(",")? {
                break;
            }
        }
        self.expect(";")?;
        Ok(all)
    }

    /// `(.param .u64 a, .reg .b32 b)`.
    pub(super) fn parameters(&mut self) -> Result<Vec<Variable>, Fault> {
        self.expect("(")?;
        let mut all = Vec::new();
        while !self.takes(")")? {
            if !all.is_empty() {
                self.expect(",")?;
            }
            let head = self.head(Linkage::Local)?;
            all.push(self.declarator(head)?);
        }
        Ok(all)
    }

    /// What stands before a name.
    fn head(&mut self, linkage: Linkage) -> Result<Variable, Fault> {
        let begin = self.lexer.here();
        let (mut space, mut ty) = (None, None);
        let mut v = Variable { linkage, ..Variable::new(Space::Reg, Type::Pred, "") };
        while let Token::Dot(word) = self.lexer.peek()? {
            let (_, at) = self.lexer.next()?;
            match (word, word.parse::<Type>()) {
                ("align", _) => v.align = Some(self.small()?),
                ("v2" | "v4", _) => v.vector = word[1..].parse().ok(),
                ("ptr", _) => v.pointee = Some(self.pointee()?),
                ("attribute", _) => {
                    self.expect("(")?;
                    let Token::Dot("managed") = self.lexer.next()?.0 else {
                        return Err(unsupported(at, "an attribute other than `.managed`"));
                    };
                    self.expect(")")?;
                    v.managed = true;
                }
                // the others are no types of variables
                (_, Ok(of)) if of.register() == of => ty = Some(of),
                (word, _) => match space_named(word) {
                    Some(of) => space = Some(of),
                    None => return Err(unsupported(at, format!("the directive `.{word}`"))),
                },
            }
        }
        match (space, ty) {
            (Some(space), Some(ty)) => Ok(Variable { space, ty, ..v }),
            (None, _) => Err(unexpected(self.lexer.peek()?, begin, "a state space")),
            (_, None) => Err(unexpected(self.lexer.peek()?, self.lexer.here(), "a type")),
        }
    }

    fn pointee(&mut self) -> Result<Pointee, Fault> {
        let mut pointee = Pointee { space: None, align: None };
        loop {
            match self.lexer.peek()? {
                Token::Dot("align") => {
                    self.lexer.next()?;
                    pointee.align = Some(self.small()?);
                }
                Token::Dot(word) if space_named(word).is_some() => {
                    self.lexer.next()?;
                    pointee.space = space_named(word);
                }
                _ => return Ok(pointee),
            }
        }
    }

    /// A name and its extents.
    fn declarator(&mut self, head: Variable) -> Result<Variable, Fault> {
        let (name, _) = self.word("a name")?;
        let mut v = Variable { name: name.into(), ..head };
        while self.takes("[")? {
            if self.takes("]")? {
                v.dims.push(None);
                continue;
            }
            let at = self.lexer.here();
            let extent = self.constant()?;
            let extent = extent.try_into().map_err(|_| Fault { at, fault: ParseFault::Number(extent.to_string()) })?;
            v.dims.push(Some(extent));
            self.expect("]")?;
        }
        Ok(v)
    }

    /// `{1, {2, 3}}`.
    fn list(&mut self, depth: usize) -> Result<Vec<Init>, Fault> {
        let depth = self.deeper(depth)?;
        self.expect("{")?;
        let mut all = Vec::new();
        while !self.takes("}")? {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(match self.lexer.peek()? {
                Token::Mark("{") => Init::List(self.list(depth)?),
                _ => self.initial()?,
            });
        }
        Ok(all)
    }

    /// An initial value that is no list.
    fn initial(&mut self) -> Result<Init, Fault> {
        if let Token::Word(_) = self.lexer.peek()? {
            return self.symbol();
        }
        Ok(match self.number()? {
            Number::Int(mask) if self.lexer.peek()? == Token::Mark("(") => {
                self.lexer.next()?;
                let of = Box::new(self.symbol()?);
                self.expect(")")?;
                Init::Masked { mask: mask as u64, of }
            }
            Number::Int(i) => Init::Int(i),
            Number::F32(bits) => Init::F32(bits),
            Number::F64(bits) => Init::F64(bits),
        })
    }

    /// `name+4`, `generic(name)+4`.
    fn symbol(&mut self) -> Result<Init, Fault> {
        let (mut name, mut at) = self.word("a name")?;
        let generic = name == "generic" && self.takes("(")?;
        if generic {
            (name, at) = self.word("a name")?;
            self.expect(")")?;
        }
        if name == "WARP_SZ" {
            return Ok(Init::Int(32));
        }
        self.find(name, at)?;
        Ok(Init::Symbol { name: name.into(), offset: self.offset()?, generic })
    }

    /// `+4-2`, or nothing.
    pub(super) fn offset(&mut self) -> Result<i64, Fault> {
        let mut offset = 0i64;
        loop {
            if self.takes("+")? {
                offset = offset.wrapping_add(self.term()?);
            } else if self.takes("-")? {
                offset = offset.wrapping_sub(self.term()?);
            } else {
                return Ok(offset);
            }
        }
    }

    /// A constant expression, or a float.
    pub(super) fn number(&mut self) -> Result<Number, Fault> {
        let at = self.lexer.here();
        let negative = self.takes("-")?;
        let sign = |bit: u32| (negative as u64) << bit;
        let number = match self.lexer.peek()? {
            Token::Single(bits) => Number::F32(bits ^ sign(31) as u32),
            Token::Double(bits) => Number::F64(bits ^ sign(63)),
            _ if negative => {
                self.lexer.back(at);
                return self.constant().map(Number::Int);
            }
            _ => return self.constant().map(Number::Int),
        };
        self.lexer.next()?;
        Ok(number)
    }
}

/// What an immediate may be.
pub(super) enum Number {
    Int(i64),
    F32(u32),
    F64(u64),
}

fn space_named(name: &str) -> Option<Space> {
    use Space::*;
    [Global, Const, Shared, Local, Param, Reg].into_iter().find(|space| space.to_string() == name)
}
