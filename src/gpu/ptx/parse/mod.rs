//! Modules from text: what `ptxas` reads, and what nvcc and Triton print.

mod body;
mod constant;
mod lexer;
mod lines;
mod order;
mod variable;

use super::instruction::InstructionError;
use super::module::{Directive, Function, Item, Linkage, Module, Space};
use super::names::{Named, Names};
use super::opcode::{Opcode, OpcodeError};
use core::fmt;
use core::str::FromStr;
use lexer::{Lexer, Token};
pub use lines::Lines;
use std::collections::HashMap;

/// Where a text is no module, and why.
/// ```
/// use girih::gpu::ptx::{Module, ParseFault};
/// let e = Module::parse(".version 8.0\n.target sm_90a\n.entry k() {\n  rett;\n}").unwrap_err();
/// assert_eq!((e.line, e.column), (4, 3));
/// assert!(matches!(e.fault, ParseFault::Opcode(_)));
/// assert_eq!(e.to_string(), "line 4, column 3: no instruction `rett`; the nearest is `ret`\n    rett;");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ParseError {
    /// from 1
    pub line: usize,
    /// in characters, from 1
    pub column: usize,
    /// the line itself
    pub text: String,
    /// what is wrong there
    pub fault: ParseFault,
}

/// What is wrong with a text.
/// ```
/// # use girih::gpu::ptx::{Module, ParseFault};
/// let e = Module::parse("hello").unwrap_err();
/// assert!(matches!(e.fault, ParseFault::Expected { expected: "`.version`", .. }));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum ParseFault {
    /// a character that PTX does not use
    Character(char),
    /// a comment, string or section without its end
    Unfinished(&'static str),
    /// a number that is none, or is too large
    Number(String),
    /// a constant expression divides by zero, or the least integer by -1
    Constant,
    /// something else should stand here
    Expected {
        /// what should
        expected: &'static str,
        /// what does
        found: String,
    },
    /// there is no such opcode
    Opcode(OpcodeError),
    /// operands that do not go with the opcode
    Operands(Box<InstructionError>),
    /// a name that stands for nothing here
    Undeclared(String),
    /// a name that this scope has already
    Duplicate(String),
    /// PTX that is not read, such as textures and 32-bit addresses
    Unsupported(String),
    /// blocks, parentheses or lists too deep
    Deep,
    /// more registers than a module may have here
    Registers(u64),
}

/// The most levels of blocks, parentheses and lists.
const DEPTH: usize = 64;

/// The most registers of a module.
const REGISTERS: u64 = 1 << 20;

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}\n    {}", self.line, self.column, self.fault, self.text.trim())
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for ParseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseFault::Character(c) => write!(f, "PTX has no character `{}`", c.escape_default()),
            ParseFault::Unfinished(what) => write!(f, "this {what} has no end"),
            ParseFault::Number(text) => write!(f, "`{text}` is no number of 64 bits"),
            ParseFault::Constant => f.write_str("a quotient that is no integer of 64 bits"),
            ParseFault::Expected { expected, found } => write!(f, "{expected} should stand here, not {found}"),
            ParseFault::Opcode(e) => e.fmt(f),
            ParseFault::Operands(e) => e.fmt(f),
            ParseFault::Undeclared(name) => write!(f, "nothing is called `{name}` here"),
            ParseFault::Duplicate(name) => write!(f, "`{name}` is declared already; give one of them another name"),
            ParseFault::Unsupported(what) => write!(f, "{what} is not supported"),
            ParseFault::Deep => write!(f, "more than {DEPTH} levels"),
            ParseFault::Registers(n) => write!(f, "{n} registers, where a module may have {REGISTERS}"),
        }
    }
}

/// A fault and its place in the text.
#[derive(Debug)]
struct Fault {
    at: usize,
    fault: ParseFault,
}

impl Fault {
    fn locate(self, text: &str) -> ParseError {
        let before = &text[..self.at];
        let begin = before.rfind('\n').map_or(0, |n| n + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[begin..].chars().count() + 1,
            text: text[begin..].lines().next().unwrap_or("").into(),
            fault: self.fault,
        }
    }
}

fn unexpected(token: Token, at: usize, expected: &'static str) -> Fault {
    let found = match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Dot(word) => format!("`.{word}`"),
        Token::Int(..) | Token::Single(_) | Token::Double(_) => "a number".into(),
        Token::Text(text) => format!("\"{text}\""),
        Token::Mark(mark) => format!("`{mark}`"),
        Token::End => "the end of the text".into(),
    };
    Fault { at, fault: ParseFault::Expected { expected, found } }
}

fn unsupported(at: usize, what: impl Into<String>) -> Fault {
    Fault { at, fault: ParseFault::Unsupported(what.into()) }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    names: Names<'a>,
    /// spellings seen, which come again and again
    opcodes: HashMap<String, Opcode>,
    /// of the function
    registers: Vec<super::module::Register>,
    /// how many registers earlier functions have
    earlier: u64,
    /// names that were used in a scope before they were declared, if they are
    pending: Vec<Vec<(&'a str, usize)>>,
    /// where each instruction of each function begins
    places: Vec<Vec<usize>>,
}

impl Module {
    /// Reads a module. Comments go, except those in functions on lines of their own, and `// else undefined` after an instruction;
    /// numbers lose how they were written.
    /// ```
    /// use girih::gpu::ptx::Module;
    /// let text = ".version 8.0\n.target sm_90a\n.address_size 64\n\n.visible .entry k()\n{\n    ret;\n}\n";
    /// let module = Module::parse(text)?;
    /// assert_eq!(module.to_string(), text);
    /// # Ok::<(), girih::gpu::ptx::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// With the line, and what is wrong with it.
    pub fn parse(text: &str) -> Result<Module, ParseError> {
        Ok(Module::parse_with_lines(text)?.0)
    }

    /// As [`parse`](Module::parse), with the line of each instruction. The lines of a module as it prints itself are those of
    /// `Module::parse_with_lines(&module.to_string())`.
    /// ```
    /// # use girih::gpu::ptx::Module;
    /// let text = ".version 8.0\n.target sm_90a\n.entry k() {\n  bar.sync 0;\n\n  ret;\n}";
    /// let (module, lines) = Module::parse_with_lines(text)?;
    /// assert_eq!(module, Module::parse(text)?);
    /// assert_eq!((lines.of(0, 0), lines.of(0, 1), lines.of(0, 2)), (Some(4), Some(6), None));
    /// # Ok::<(), girih::gpu::ptx::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`parse`](Module::parse).
    pub fn parse_with_lines(text: &str) -> Result<(Module, Lines), ParseError> {
        let mut parser = Parser {
            lexer: Lexer::new(text),
            names: Names::new(),
            opcodes: HashMap::new(),
            registers: Vec::new(),
            earlier: 0,
            pending: Vec::new(),
            places: Vec::new(),
        };
        let module = parser.module().map_err(|fault| fault.locate(text))?;
        Ok((module, Lines::new(text, parser.places)))
    }
}

impl FromStr for Module {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Module, ParseError> {
        Module::parse(text)
    }
}

impl<'a> Parser<'a> {
    fn module(&mut self) -> Result<Module, Fault> {
        self.directive("version", "`.version`")?;
        let version = self.raw("a version such as `8.0`")?;
        self.directive("target", "`.target`")?;
        let target = self.raw("a target such as `sm_90a`")?;
        let mut debug = false;
        while self.takes(",")? {
            let (option, at) = self.lexer.next()?;
            match option {
                Token::Word("debug") => debug = true,
                Token::Word(option) => return Err(unsupported(at, format!("the target option `{option}`"))),
                token => return Err(unexpected(token, at, "an option")),
            }
        }
        if self.lexer.peek()? == Token::Dot("address_size") {
            self.lexer.next()?;
            let at = self.lexer.here();
            if self.constant()? != 64 {
                return Err(unsupported(at, "an address size other than 64"));
            }
        }
        let mut items = Vec::new();
        while self.lexer.peek()? != Token::End {
            self.item(&mut items)?;
        }
        Ok(Module { version, target, debug, items })
    }

    fn raw<T: FromStr>(&mut self, expected: &'static str) -> Result<T, Fault> {
        let (text, at) = self.lexer.raw()?;
        let found = || ParseFault::Expected { expected, found: format!("`{text}`") };
        text.parse().map_err(|_| Fault { at, fault: found() })
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Result<(), Fault> {
        let linkage = self.linkage()?;
        let at = self.lexer.here();
        match self.lexer.peek()? {
            Token::Dot(kind @ ("entry" | "func")) if linkage != Linkage::Common => {
                self.lexer.next()?;
                let function = self.function(linkage, kind == "entry")?;
                items.push(Item::Function(Box::new(function)));
            }
            Token::Dot("file") if linkage == Linkage::Local => {
                self.lexer.next()?;
                let number = self.small()?;
                let name = self.string()?;
                let mut stamp = None;
                if self.takes(",")? {
                    let time = self.constant()? as u64;
                    self.expect(",")?;
                    stamp = Some((time, self.constant()? as u64));
                }
                items.push(Item::File { number, name, stamp });
            }
            Token::Dot("section") if linkage == Linkage::Local => {
                self.lexer.next()?;
                let name = match self.lexer.next()? {
                    (Token::Dot(name), _) => format!(".{name}").into(),
                    (token, at) => return Err(unexpected(token, at, "a section's name")),
                };
                self.expect("{")?;
                let lines = self.lexer.lines()?.into_iter().map(Box::from).collect();
                items.push(Item::Section { name, lines });
            }
            Token::Dot("pragma") if linkage == Linkage::Local => {
                self.lexer.next()?;
                items.extend(self.pragmas()?.into_iter().map(Item::Pragma));
            }
            Token::Dot("alias") if linkage == Linkage::Local => {
                self.lexer.next()?;
                let (alias, _) = self.word("a function's name")?;
                self.expect(",")?;
                let (function, at) = self.word("a function's name")?;
                self.find(function, at)?;
                self.declare(alias, Named::Function { defined: true, is_entry: false }, at)?;
                self.expect(";")?;
                items.push(Item::Alias { name: alias.into(), function: function.into() });
            }
            Token::Dot("texref" | "samplerref" | "surfref" | "tex") => return Err(unsupported(at, "a texture")),
            Token::Dot(_) => items.extend(self.variables(linkage)?.into_iter().map(Item::Variable)),
            token => return Err(unexpected(token, at, "a directive")),
        }
        Ok(())
    }

    fn linkage(&mut self) -> Result<Linkage, Fault> {
        let linkage = match self.lexer.peek()? {
            Token::Dot("visible") => Linkage::Visible,
            Token::Dot("extern") => Linkage::Extern,
            Token::Dot("weak") => Linkage::Weak,
            Token::Dot("common") => Linkage::Common,
            _ => return Ok(Linkage::Local),
        };
        self.lexer.next()?;
        Ok(linkage)
    }

    /// What follows `.entry` or `.func`.
    fn function(&mut self, linkage: Linkage, is_entry: bool) -> Result<Function, Fault> {
        self.registers = Vec::new();
        self.pending = vec![Vec::new()];
        self.places.push(Vec::new());
        // its parameters' scope; its own name belongs to the module
        let returns = match self.lexer.peek()? {
            Token::Mark("(") => self.parameters()?,
            _ => Vec::new(),
        };
        let (name, at) = self.word("a function's name")?;
        let params = match self.lexer.peek()? {
            Token::Mark("(") => self.parameters()?,
            _ => Vec::new(),
        };
        let mut directives = Vec::new();
        while let Token::Dot(name) = self.lexer.peek()? {
            let (_, at) = self.lexer.next()?;
            match name {
                "pragma" => directives.extend(self.pragmas()?.into_iter().map(Directive::Pragma)),
                name => directives.push(self.bound(name, at)?),
            }
        }
        let defined = !self.takes(";")?;
        self.declare(name, Named::Function { defined, is_entry }, at)?;
        let mut body = None;
        if defined {
            self.names.enter();
            for v in returns.iter().chain(&params) {
                match v.space {
                    Space::Reg => drop(self.register(v.name.to_string().into(), v.ty, at)?),
                    _ => self.declare(v.name.to_string(), Named::Variable { defined: true, space: v.space }, at)?,
                }
            }
            self.expect("{")?;
            body = Some(self.block(0)?);
            self.names.leave();
            // what is left are names that no scope has
            if let Some((name, at)) =
                self.pending.concat().into_iter().find(|(name, _)| self.names.find(name).is_none())
            {
                return Err(Fault { at, fault: ParseFault::Undeclared(name.into()) });
            }
        }
        let registers = core::mem::take(&mut self.registers);
        self.earlier += registers.len() as u64;
        Ok(Function { linkage, is_entry, name: name.into(), returns, params, directives, registers, body })
    }

    /// A directive between a function's head and its body.
    fn bound(&mut self, name: &str, at: usize) -> Result<Directive, Fault> {
        Ok(match name {
            "maxntid" => Directive::Maxntid(self.triple()?),
            "reqntid" => Directive::Reqntid(self.triple()?),
            "reqnctapercluster" => Directive::Reqnctapercluster(self.triple()?),
            "minnctapersm" => Directive::Minnctapersm(self.small()?),
            "maxnctapersm" => Directive::Maxnctapersm(self.small()?),
            "maxnreg" => Directive::Maxnreg(self.small()?),
            "maxclusterrank" => Directive::Maxclusterrank(self.small()?),
            "explicitcluster" => Directive::Explicitcluster,
            "blocksareclusters" => Directive::Blocksareclusters,
            "noreturn" => Directive::Noreturn,
            "abi_preserve" => Directive::AbiPreserve(self.small()?),
            "abi_preserve_control" => Directive::AbiPreserveControl(self.small()?),
            name => return Err(unsupported(at, format!("the directive `.{name}`"))),
        })
    }

    /// `x`, `x, y` or `x, y, z`.
    fn triple(&mut self) -> Result<[u32; 3], Fault> {
        let mut all = [1; 3];
        for (i, extent) in all.iter_mut().enumerate() {
            if i > 0 && !self.takes(",")? {
                break;
            }
            *extent = self.small()?;
        }
        Ok(all)
    }

    /// `"a", "b";`
    fn pragmas(&mut self) -> Result<Vec<Box<str>>, Fault> {
        let mut all = vec![self.string()?];
        while self.takes(",")? {
            all.push(self.string()?);
        }
        self.expect(";")?;
        Ok(all)
    }

    fn string(&mut self) -> Result<Box<str>, Fault> {
        match self.lexer.next()? {
            (Token::Text(text), _) => Ok(text.into()),
            (token, at) => Err(unexpected(token, at, "a string")),
        }
    }

    /// An integer of 32 bits without a sign.
    fn small(&mut self) -> Result<u32, Fault> {
        let at = self.lexer.here();
        let value = self.constant()?;
        value.try_into().map_err(|_| Fault { at, fault: ParseFault::Number(value.to_string()) })
    }

    fn word(&mut self, expected: &'static str) -> Result<(&'a str, usize), Fault> {
        match self.lexer.next()? {
            (Token::Word(word), at) => Ok((word, at)),
            (token, at) => Err(unexpected(token, at, expected)),
        }
    }

    fn directive(&mut self, name: &'static str, expected: &'static str) -> Result<(), Fault> {
        match self.lexer.next()? {
            (Token::Dot(word), _) if word == name => Ok(()),
            (token, at) => Err(unexpected(token, at, expected)),
        }
    }

    /// Takes a mark if it comes next.
    fn takes(&mut self, mark: &str) -> Result<bool, Fault> {
        let found = self.lexer.peek()? == Token::Mark(mark);
        if found {
            self.lexer.next()?;
        }
        Ok(found)
    }

    fn expect(&mut self, mark: &'static str) -> Result<(), Fault> {
        match self.lexer.next()? {
            (Token::Mark(found), _) if found == mark => Ok(()),
            (token, at) => Err(unexpected(token, at, quoted(mark))),
        }
    }

    fn deeper(&mut self, depth: usize) -> Result<usize, Fault> {
        match depth < DEPTH {
            true => Ok(depth + 1),
            false => Err(Fault { at: self.lexer.here(), fault: ParseFault::Deep }),
        }
    }

    fn declare(&mut self, name: impl Into<std::borrow::Cow<'a, str>>, named: Named, at: usize) -> Result<(), Fault> {
        let name = name.into();
        match self.names.declare(name.clone(), named) {
            true => Ok(()),
            false => Err(Fault { at, fault: ParseFault::Duplicate(name.into()) }),
        }
    }

    fn find(&self, name: &str, at: usize) -> Result<Named, Fault> {
        self.names.find(name).ok_or_else(|| Fault { at, fault: ParseFault::Undeclared(name.into()) })
    }
}

fn quoted(mark: &'static str) -> &'static str {
    match mark {
        ";" => "`;`",
        "," => "`,`",
        "{" => "`{`",
        "}" => "`}`",
        "(" => "`(`",
        ")" => "`)`",
        "]" => "`]`",
        ":" => "`:`",
        _ => mark,
    }
}
