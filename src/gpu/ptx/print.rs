//! Modules as the text that `ptxas` reads.

use super::instruction::{Guard, Instruction, Otherwise};
use super::module::{Directive, Function, Init, Item, Module, Pointee, Register, Statement, Variable};
use super::opcode::Opcode;
use super::operand::{Address, Base, Operand, Reg};
use core::fmt::{self, Write};

/// Prints instructions with the names of one function's registers.
pub(super) struct Printer<'a> {
    registers: Option<&'a [Register]>,
}

impl Printer<'_> {
    /// Names registers by their types and numbers.
    pub fn anonymous() -> Printer<'static> {
        Printer { registers: None }
    }

    /// Names registers as they are in this list.
    pub fn named(registers: &[Register]) -> Printer<'_> {
        Printer { registers: Some(registers) }
    }

    /// An opcode and operands, whether they go together or not.
    pub fn spelled(&self, opcode: Opcode, operands: &[Operand]) -> String {
        let mut text = opcode.to_string();
        for (n, operand) in operands.iter().enumerate() {
            text.push_str(if n > 0 { ", " } else { " " });
            self.write_operand(&mut text, operand);
        }
        text
    }

    pub fn instruction(&self, i: &Instruction) -> String {
        let mut text = String::new();
        self.write_instruction(&mut text, i);
        text
    }

    pub fn operand(&self, operand: &Operand) -> String {
        let mut text = String::new();
        self.write_operand(&mut text, operand);
        text
    }

    /// An operand, and its type if it is a register.
    pub fn described(&self, operand: &Operand) -> String {
        let text = self.operand(operand);
        match operand {
            Operand::Reg(r) => format!("{text} ({})", r.ty),
            _ => text,
        }
    }

    // Writing to a string does not fail.
    fn write_instruction(&self, text: &mut String, i: &Instruction) {
        if let Some(Guard { pred, negated, .. }) = i.guard {
            text.push_str(if negated { "@!" } else { "@" });
            self.write_register(text, pred);
            text.push(' ');
        }
        text.push_str(&self.spelled(i.opcode(), i.operands()));
        text.push(';');
        if i.guard.is_some_and(|g| g.otherwise == Otherwise::Undefined) {
            text.push_str(" // else undefined");
        }
    }

    fn write_operand(&self, text: &mut String, operand: &Operand) {
        let _ = match operand {
            Operand::Reg(r) => {
                self.write_register(text, *r);
                Ok(())
            }
            Operand::Not(r) => {
                text.push('!');
                self.write_register(text, *r);
                Ok(())
            }
            Operand::Int(i) => write!(text, "{i}"),
            Operand::F32(bits) => write!(text, "0f{bits:08X}"),
            Operand::F64(bits) => write!(text, "0d{bits:016X}"),
            Operand::Vector(of) => {
                text.push('{');
                self.write_list(text, of);
                text.push('}');
                Ok(())
            }
            Operand::Pair(of) => {
                self.write_operand(text, &of[0]);
                text.push('|');
                self.write_operand(text, &of[1]);
                Ok(())
            }
            Operand::Sink => text.write_char('_'),
            Operand::Address(a) => {
                text.push('[');
                self.write_address(text, a);
                text.push(']');
                Ok(())
            }
            Operand::Tensor(a, coordinates) => {
                text.push('[');
                self.write_address(text, a);
                text.push_str(", {");
                self.write_list(text, coordinates);
                text.push_str("}]");
                Ok(())
            }
            Operand::Symbol(name, offset) => write!(text, "{name}{}", Offset(*offset)),
            Operand::Special(s) => write!(text, "{s}"),
            Operand::Call(call) => {
                if !call.results.is_empty() {
                    text.push('(');
                    self.write_list(text, &call.results);
                    text.push_str("), ");
                }
                self.write_operand(text, &call.callee);
                // an indirect call names its prototype after the list, also after an empty one
                if !call.arguments.is_empty() || call.prototype.is_some() {
                    text.push_str(", (");
                    self.write_list(text, &call.arguments);
                    text.push(')');
                }
                call.prototype.iter().try_for_each(|p| write!(text, ", {p}"))
            }
        };
    }

    fn write_list(&self, text: &mut String, of: &[Operand]) {
        for (n, operand) in of.iter().enumerate() {
            text.push_str(if n > 0 { ", " } else { "" });
            self.write_operand(text, operand);
        }
    }

    fn write_address(&self, text: &mut String, a: &Address) {
        match &a.base {
            Base::Reg(r) => self.write_register(text, *r),
            Base::Symbol(name) => text.push_str(name),
            Base::Zero => {
                let _ = write!(text, "{}", a.offset);
                return;
            }
        }
        let _ = write!(text, "{}", Offset(a.offset));
    }

    fn write_register(&self, text: &mut String, r: Reg) {
        match self.registers.and_then(|all| all.get(r.id as usize)) {
            Some(register) => text.push_str(&register.name),
            None => {
                let letter = match (r.ty.is_float(), r.ty.bits()) {
                    (_, 1) => "p",
                    (true, 32) => "f",
                    (true, 64) => "fd",
                    (true, _) => "h",
                    (false, 64) => "rd",
                    (false, 16) => "rs",
                    (false, 128) => "rq",
                    (false, _) => "r",
                };
                let _ = write!(text, "%{letter}{}", r.id);
            }
        }
    }

    fn statements(&self, text: &mut String, of: &[Statement], indent: usize) {
        for statement in of {
            let margin = if matches!(statement, Statement::Label(_)) { indent - 1 } else { indent };
            (0..margin).for_each(|_| text.push_str("    "));
            self.statement(text, statement, indent);
            text.push('\n');
        }
    }

    fn statement(&self, text: &mut String, statement: &Statement, indent: usize) {
        let _ = match statement {
            Statement::Instruction(i) => {
                self.write_instruction(text, i);
                Ok(())
            }
            Statement::Label(name) => write!(text, "{name}:"),
            Statement::Registers { ty, name, count: Some(count), .. } => write!(text, ".reg .{ty} {name}<{count}>;"),
            Statement::Registers { ty, name, count: None, .. } => write!(text, ".reg .{ty} {name};"),
            Statement::Variable(v) => write!(text, "{v};"),
            Statement::Block(inner) => {
                text.push_str("{\n");
                self.statements(text, inner, indent + 1);
                (0..indent).for_each(|_| text.push_str("    "));
                text.write_char('}')
            }
            Statement::Loc { file, line, column, inlined } => {
                let _ = write!(text, ".loc {file} {line} {column}");
                inlined.iter().try_for_each(|rest| write!(text, ", {rest}"))
            }
            Statement::Pragma(p) => write!(text, ".pragma \"{p}\";"),
            Statement::Comment(c) => write!(text, "//{}{c}", if c.is_empty() { "" } else { " " }),
            Statement::BranchTargets { name, labels } => write!(text, "{name}: .branchtargets {};", labels.join(", ")),
            Statement::CallTargets { name, functions } => {
                write!(text, "{name}: .calltargets {};", functions.join(", "))
            }
            Statement::CallPrototype { name, returns, params, noreturn } => {
                let _ = write!(text, "{name}: .callprototype ");
                if !returns.is_empty() {
                    let _ = write!(text, "{} ", Parameters(returns));
                }
                let noreturn = if *noreturn { " .noreturn" } else { "" };
                write!(text, "_ {}{noreturn};", Parameters(params))
            }
        };
    }
}

/// `+16`, `+-16` (`ptxas` reads no other) or nothing.
struct Offset(i64);

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            offset => write!(f, "+{offset}"),
        }
    }
}

/// `(.param .u64 a, .param .u32 n)`.
struct Parameters<'a>(&'a [Variable]);

impl fmt::Display for Parameters<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (n, v) in self.0.iter().enumerate() {
            write!(f, "{}{v}", if n > 0 { ", " } else { "" })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.linkage, self.space)?;
        f.write_str(if self.managed { " .attribute(.managed)" } else { "" })?;
        self.align.iter().try_for_each(|a| write!(f, " .align {a}"))?;
        self.vector.iter().try_for_each(|n| write!(f, " .v{n}"))?;
        write!(f, " .{}", self.ty)?;
        self.pointee.iter().try_for_each(|p| write!(f, "{p}"))?;
        write!(f, " {}", self.name)?;
        for extent in &self.dims {
            match extent {
                Some(n) => write!(f, "[{n}]")?,
                None => f.write_str("[]")?,
            }
        }
        match &self.init[..] {
            [] => Ok(()),
            [one] if self.dims.is_empty() && self.vector.is_none() => write!(f, " = {one}"),
            list => write!(f, " = {}", List(list)),
        }
    }
}

impl fmt::Display for Pointee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(" .ptr")?;
        self.space.iter().try_for_each(|s| write!(f, " .{s}"))?;
        self.align.iter().try_for_each(|a| write!(f, " .align {a}"))
    }
}

/// `{1, 2}`.
struct List<'a>(&'a [Init]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (n, init) in self.0.iter().enumerate() {
            write!(f, "{}{init}", if n > 0 { ", " } else { "" })?;
        }
        f.write_str("}")
    }
}

impl fmt::Display for Init {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Init::Int(i) => write!(f, "{i}"),
            Init::F32(bits) => write!(f, "0f{bits:08X}"),
            Init::F64(bits) => write!(f, "0d{bits:016X}"),
            Init::Symbol { name, offset, generic: false } => write!(f, "{name}{}", Offset(*offset)),
            Init::Symbol { name, offset, generic: true } => write!(f, "generic({name}){}", Offset(*offset)),
            Init::Masked { mask, of } => write!(f, "0x{mask:X}({of})"),
            Init::List(of) => write!(f, "{}", List(of)),
        }
    }
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Directive::Maxntid([x, y, z]) => write!(f, ".maxntid {x}, {y}, {z}"),
            Directive::Reqntid([x, y, z]) => write!(f, ".reqntid {x}, {y}, {z}"),
            Directive::Minnctapersm(n) => write!(f, ".minnctapersm {n}"),
            Directive::Maxnctapersm(n) => write!(f, ".maxnctapersm {n}"),
            Directive::Maxnreg(n) => write!(f, ".maxnreg {n}"),
            Directive::Reqnctapercluster([x, y, z]) => write!(f, ".reqnctapercluster {x}, {y}, {z}"),
            Directive::Maxclusterrank(n) => write!(f, ".maxclusterrank {n}"),
            Directive::Explicitcluster => f.write_str(".explicitcluster"),
            Directive::Blocksareclusters => f.write_str(".blocksareclusters"),
            Directive::AbiPreserve(n) => write!(f, ".abi_preserve {n}"),
            Directive::AbiPreserveControl(n) => write!(f, ".abi_preserve_control {n}"),
            Directive::Noreturn => f.write_str(".noreturn"),
            Directive::Pragma(p) => write!(f, ".pragma \"{p}\";"),
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} ", self.linkage, if self.is_entry { ".entry" } else { ".func" })?;
        if !self.returns.is_empty() {
            write!(f, "{} ", Parameters(&self.returns))?;
        }
        f.write_str(&self.name)?;
        match &self.params[..] {
            [] => f.write_str("()")?,
            params => {
                f.write_str("(")?;
                for (n, v) in params.iter().enumerate() {
                    write!(f, "{}\n    {v}", if n > 0 { "," } else { "" })?;
                }
                f.write_str("\n)")?;
            }
        }
        self.directives.iter().try_for_each(|d| write!(f, "\n{d}"))?;
        match &self.body {
            None => f.write_str(";"),
            Some(body) => {
                let mut text = String::new();
                Printer::named(&self.registers).statements(&mut text, body, 1);
                write!(f, "\n{{\n{text}}}")
            }
        }
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let debug = if self.debug { ", debug" } else { "" };
        write!(f, ".version {}\n.target {}{debug}\n.address_size 64\n", self.version, self.target)?;
        for item in &self.items {
            match item {
                Item::Variable(v) => writeln!(f, "{v};")?,
                Item::Function(function) => writeln!(f, "\n{function}")?,
                Item::File { number, name, stamp } => {
                    write!(f, ".file {number} \"{name}\"")?;
                    stamp.iter().try_for_each(|(time, size)| write!(f, ", {time}, {size}"))?;
                    writeln!(f)?;
                }
                Item::Alias { name, function } => writeln!(f, ".alias {name}, {function};")?,
                Item::Section { name, lines } => {
                    writeln!(f, ".section {name}\n{{")?;
                    lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
                    writeln!(f, "}}")?;
                }
                Item::Pragma(p) => writeln!(f, ".pragma \"{p}\";")?,
            }
        }
        Ok(())
    }
}

impl super::module::Function {
    /// One of its instructions, with its registers' names.
    pub(crate) fn printed(&self, instruction: &super::instruction::Instruction) -> String {
        Printer::named(&self.registers).instruction(instruction)
    }
}
