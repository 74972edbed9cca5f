//! Function bodies.

use super::lexer::Token;
use super::order::ordered;
use super::variable::Number;
use super::{Fault, ParseFault, Parser, REGISTERS, unexpected, unsupported};
use crate::gpu::ptx::instruction::{Guard, Instruction, Mismatch, Otherwise};
use crate::gpu::ptx::module::{Linkage, Register, Statement};
use crate::gpu::ptx::names::Named;
use crate::gpu::ptx::opcode::Opcode;
use crate::gpu::ptx::operand::{Address, Base, Call, Operand, Reg};
use crate::gpu::ptx::print::Printer;
use crate::gpu::ptx::special::Special;
use crate::gpu::ptx::types::Type;
use std::borrow::Cow;

impl<'a> Parser<'a> {
    /// Statements up to the closing brace, which is taken too.
    pub(super) fn block(&mut self, depth: usize) -> Result<Vec<Statement>, Fault> {
        let depth = self.deeper(depth)?;
        self.names.enter();
        self.pending.push(Vec::new());
        let mut all = Vec::new();
        loop {
            let comments = self.lexer.comments()?.into_iter();
            all.extend(comments.map(|c| Statement::Comment(c.strip_prefix(' ').unwrap_or(c).into())));
            if self.takes("}")? {
                break;
            }
            match self.takes("{")? {
                true => all.push(Statement::Block(self.block(depth)?)),
                false => self.statement(&mut all)?,
            }
        }
        // a name that this scope did not declare after its use may be declared later outside
        let pending = self.pending.pop().unwrap_or_default();
        let open: Vec<_> = pending.into_iter().filter(|(name, _)| self.names.find(name).is_none()).collect();
        if let Some(outer) = self.pending.last_mut() {
            outer.extend(open);
        }
        self.names.leave();
        Ok(all)
    }

    fn statement(&mut self, all: &mut Vec<Statement>) -> Result<(), Fault> {
        let at = self.lexer.here();
        match self.lexer.peek()? {
            Token::Dot("reg") => {
                self.lexer.next()?;
                self.declare_registers(all)?;
            }
            Token::Dot("loc") => {
                self.lexer.next()?;
                all.push(self.loc(at)?);
            }
            Token::Dot("pragma") => {
                self.lexer.next()?;
                all.extend(self.pragmas()?.into_iter().map(Statement::Pragma));
            }
            token @ Token::Dot("visible" | "extern" | "weak" | "common") => {
                return Err(unexpected(token, at, "a statement"));
            }
            Token::Dot(_) => all.extend(self.variables(Linkage::Local)?.into_iter().map(Statement::Variable)),
            Token::Mark("@") => all.push(self.guarded()?),
            Token::Word(word) => {
                self.lexer.next()?;
                match self.lexer.follows(':') {
                    true => all.push(self.label(word, at)?),
                    false => all.push(Statement::Instruction(self.instruction(word, at)?)),
                }
            }
            token => return Err(unexpected(token, at, "a statement")),
        }
        Ok(())
    }

    /// What follows `.reg`: `.b32 a, %r<5>;`.
    fn declare_registers(&mut self, all: &mut Vec<Statement>) -> Result<(), Fault> {
        let ty = match self.lexer.next()? {
            (Token::Dot(word), at) => match word.parse::<Type>() {
                Ok(ty) if ty.register() == ty => ty,
                _ => return Err(unsupported(at, format!("a register of `.{word}`"))),
            },
            (token, at) => return Err(unexpected(token, at, "a type")),
        };
        loop {
            let (name, at) = self.word("a register's name")?;
            let first = self.registers.len() as u32;
            let count = match self.takes("<")? {
                true => Some(self.count()?),
                false => None,
            };
            match count {
                None => self.register(Cow::Borrowed(name), ty, at)?,
                Some(n) => {
                    let total = self.earlier + u64::from(first) + u64::from(n);
                    if total > REGISTERS {
                        return Err(Fault { at, fault: ParseFault::Registers(total) });
                    }
                    self.expect(">")?;
                    (0..n).try_for_each(|i| self.register(Cow::Owned(format!("{name}{i}")), ty, at))?;
                }
            }
            all.push(Statement::Registers { ty, name: name.into(), count, first });
            if !self.takes(",")? {
                return self.expect(";");
            }
        }
    }

    pub(super) fn register(&mut self, name: Cow<'a, str>, ty: Type, at: usize) -> Result<(), Fault> {
        let id = self.registers.len() as u32;
        let total = self.earlier + u64::from(id) + 1;
        if total > REGISTERS {
            return Err(Fault { at, fault: ParseFault::Registers(total) });
        }
        self.registers.push(Register { name: (&*name).into(), ty });
        self.declare(name, Named::Register(Reg { id, ty }), at)
    }

    /// What follows `.loc`, which a line's end ends.
    fn loc(&mut self, at: usize) -> Result<Statement, Fault> {
        let line = self.lexer.line();
        let (numbers, inlined) = line.split_once(',').map_or((line, None), |(n, rest)| (n, Some(rest.trim().into())));
        let mut words = numbers.split_whitespace().map(str::parse);
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some(Ok(file)), Some(Ok(line)), Some(Ok(column)), None) => {
                Ok(Statement::Loc { file, line, column, inlined })
            }
            _ => {
                let found = format!("`{numbers}`");
                Err(Fault { at, fault: ParseFault::Expected { expected: "file, line and column", found } })
            }
        }
    }

    /// A label, or a table with a name.
    fn label(&mut self, name: &'a str, at: usize) -> Result<Statement, Fault> {
        self.expect(":")?;
        let next = self.lexer.peek()?;
        let named = match next {
            Token::Dot("branchtargets") => Named::Branches,
            Token::Dot("calltargets" | "callprototype") => Named::Callees,
            _ => Named::Label,
        };
        self.declare(name, named, at)?;
        let name: Box<str> = name.into();
        let statement = match next {
            Token::Dot("branchtargets") => Statement::BranchTargets { name, labels: self.table()? },
            Token::Dot("calltargets") => Statement::CallTargets { name, functions: self.table()? },
            Token::Dot("callprototype") => {
                self.lexer.next()?;
                let returns = match self.lexer.peek()? {
                    Token::Mark("(") => self.parameters()?,
                    _ => Vec::new(),
                };
                self.word("`_`")?;
                let params = match self.lexer.peek()? {
                    Token::Mark("(") => self.parameters()?,
                    _ => Vec::new(),
                };
                let noreturn = self.lexer.peek()? == Token::Dot("noreturn");
                if noreturn {
                    self.lexer.next()?;
                }
                Statement::CallPrototype { name, returns, params, noreturn }
            }
            _ => return Ok(Statement::Label(name)),
        };
        self.expect(";")?;
        Ok(statement)
    }

    /// Names after a directive.
    fn table(&mut self) -> Result<Vec<Box<str>>, Fault> {
        self.lexer.next()?;
        let mut all = Vec::new();
        loop {
            let (name, at) = self.word("a name")?;
            self.refer(name, at);
            all.push(name.into());
            if !self.takes(",")? {
                return Ok(all);
            }
        }
    }

    /// A name that must be declared, here or later.
    fn refer(&mut self, name: &'a str, at: usize) {
        if self.names.find(name).is_none()
            && let Some(pending) = self.pending.last_mut()
        {
            pending.push((name, at));
        }
    }

    /// `@!p opcode operands;`.
    fn guarded(&mut self) -> Result<Statement, Fault> {
        self.expect("@")?;
        let negated = self.takes("!")?;
        let (name, at) = self.word("a predicate")?;
        let Named::Register(pred) = self.find(name, at)? else {
            return Err(unexpected(Token::Word(name), at, "a predicate"));
        };
        let (mnemonic, at) = self.word("an instruction")?;
        let i = self.instruction(mnemonic, at)?;
        let otherwise = match self.lexer.takes_comment("// else undefined") {
            true => Otherwise::Undefined,
            false => Otherwise::Kept,
        };
        let i = i.guarded(Guard { pred, negated, otherwise });
        Ok(Statement::Instruction(i.map_err(|e| Fault { at, fault: ParseFault::Operands(e.into()) })?))
    }

    fn instruction(&mut self, mnemonic: &'a str, at: usize) -> Result<Instruction, Fault> {
        if let Some(places) = self.places.last_mut() {
            places.push(at);
        }
        let spelling = self.lexer.opcode(mnemonic, at);
        let opcode = match self.opcodes.get(&*spelling) {
            Some(opcode) => *opcode,
            None => {
                let opcode = Opcode::parse(&spelling).or_else(|e| match ordered(&spelling) {
                    Some(spelling) => Opcode::parse(&spelling),
                    None => Err(e),
                });
                let opcode = opcode.map_err(|e| Fault { at, fault: ParseFault::Opcode(e) })?;
                self.opcodes.insert(spelling.into(), opcode);
                opcode
            }
        };
        let mut operands = Vec::new();
        if opcode.mnemonic() == "call" {
            operands.push(Operand::Call(Box::new(self.call()?)));
            self.expect(";")?;
        } else if !self.takes(";")? {
            operands = self.operands(";")?;
        }
        Instruction::new(opcode, operands.clone())
            // a vector of one may stand for its element
            .or_else(|e| match operands.iter().any(is_single) {
                true => Instruction::new(opcode, operands.iter().cloned().map(without_braces).collect()).map_err(|_| e),
                false => Err(e),
            })
            .map_err(|mut e| {
                // with the names of the text
                let printer = Printer::named(&self.registers);
                e.instruction = printer.spelled(opcode, &operands);
                if let Mismatch::Operand { index, found, .. } = &mut e.mismatch {
                    *found = printer.described(&operands[*index - 1]);
                }
                Fault { at, fault: ParseFault::Operands(e.into()) }
            })
    }

    /// `(results), callee, (arguments), prototype`.
    fn call(&mut self) -> Result<Call, Fault> {
        let mut results = Vec::new();
        if self.takes("(")? {
            results = self.list_or_none()?;
            self.expect(",")?;
        }
        let mut call = Call { results, callee: self.operand()?, arguments: Vec::new(), prototype: None };
        let mut more = self.takes(",")?;
        if more && self.takes("(")? {
            call.arguments = self.list_or_none()?;
            more = self.takes(",")?;
        }
        if more {
            let (name, at) = self.word("a prototype or a list of targets")?;
            self.refer(name, at);
            call.prototype = Some(name.into());
        }
        Ok(call)
    }

    fn list_or_none(&mut self) -> Result<Vec<Operand>, Fault> {
        match self.takes(")")? {
            true => Ok(Vec::new()),
            false => self.operands(")"),
        }
    }

    /// Operands, commas between them, up to a mark, which is taken too.
    fn operands(&mut self, end: &'static str) -> Result<Vec<Operand>, Fault> {
        let mut all = vec![self.operand()?];
        while self.takes(",")? {
            all.push(self.operand()?);
        }
        self.expect(end)?;
        Ok(all)
    }

    fn operand(&mut self) -> Result<Operand, Fault> {
        match self.lexer.peek()? {
            Token::Mark("{") => {
                self.lexer.next()?;
                self.scalars("}").map(Operand::Vector)
            }
            Token::Mark("[") => {
                self.lexer.next()?;
                self.address()
            }
            _ => {
                let first = self.scalar()?;
                match self.takes("|")? {
                    true => Ok(Operand::Pair(Box::new([first, self.scalar()?]))),
                    false => Ok(first),
                }
            }
        }
    }

    /// Operands that hold no others.
    fn scalars(&mut self, end: &'static str) -> Result<Vec<Operand>, Fault> {
        let mut all = vec![self.scalar()?];
        while self.takes(",")? {
            all.push(self.scalar()?);
        }
        self.expect(end)?;
        Ok(all)
    }

    fn scalar(&mut self) -> Result<Operand, Fault> {
        match self.lexer.peek()? {
            Token::Word("_") => {
                self.lexer.next()?;
                Ok(Operand::Sink)
            }
            Token::Word(name) if name != "WARP_SZ" => {
                let (_, at) = self.lexer.next()?;
                self.named(name, at)
            }
            Token::Mark("!") => {
                let (_, begin) = self.lexer.next()?;
                if let Token::Word(name) = self.lexer.peek()?
                    && let Some(Named::Register(r)) = self.names.find(name)
                {
                    self.lexer.next()?;
                    return Ok(Operand::Not(r));
                }
                self.lexer.back(begin);
                self.constant().map(Operand::Int)
            }
            _ => Ok(match self.number()? {
                Number::Int(i) => Operand::Int(i),
                Number::F32(bits) => Operand::F32(bits),
                Number::F64(bits) => Operand::F64(bits),
            }),
        }
    }

    /// A register, special register or symbol.
    fn named(&mut self, name: &'a str, at: usize) -> Result<Operand, Fault> {
        match self.names.find(name) {
            Some(Named::Register(r)) => return Ok(Operand::Reg(r)),
            None if name.starts_with('%') => {
                let full = self.lexer.opcode(name, at);
                let special = Special::named(&full).map(Operand::Special);
                return special.ok_or_else(|| Fault { at, fault: ParseFault::Undeclared(full.into()) });
            }
            _ => self.refer(name, at),
        }
        Ok(Operand::Symbol(name.into(), self.offset()?))
    }

    /// What follows `[`.
    fn address(&mut self) -> Result<Operand, Fault> {
        let base = match self.lexer.peek()? {
            Token::Word(name) if name != "WARP_SZ" => {
                let (_, at) = self.lexer.next()?;
                match self.names.find(name) {
                    Some(Named::Register(r)) => Base::Reg(r),
                    None if name.starts_with('%') => {
                        return Err(Fault { at, fault: ParseFault::Undeclared(name.into()) });
                    }
                    _ => {
                        self.refer(name, at);
                        Base::Symbol(name.into())
                    }
                }
            }
            _ => Base::Zero,
        };
        let offset = match base {
            Base::Zero => self.constant()?,
            _ => self.offset()?,
        };
        let address = Address { base, offset };
        if self.takes(",")? {
            self.expect("{")?;
            let coordinates = self.scalars("}")?;
            self.expect("]")?;
            return Ok(Operand::Tensor(address, coordinates));
        }
        self.expect("]")?;
        Ok(Operand::Address(address))
    }
}

fn is_single(operand: &Operand) -> bool {
    matches!(operand, Operand::Vector(of) if of.len() == 1)
}

fn without_braces(operand: Operand) -> Operand {
    match operand {
        Operand::Vector(mut of) if of.len() == 1 => of.remove(0),
        other => other,
    }
}
