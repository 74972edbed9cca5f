//! From a module to a program: names resolved, variables placed.

use super::buffer::Allocation;
use super::error::SimError;
use super::program::*;
use super::translate::translate;
use crate::gpu::ptx::{Directive, Space as Declared};
use crate::gpu::ptx::{Function, Init, Instruction, Item, Linkage, Module, Statement, Variable};
use std::collections::HashMap;

/// Bytes between variables in shared memory, so that an access beyond one's end is seen.
const GAP: u32 = 128;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Global(u64),
    Shared(u32),
    Const(u32),
    /// in the frame's local memory
    Local(u32),
    /// of a kernel
    Param(u32),
    Function(usize),
    /// by number, to be replaced by its place
    Label(u32),
    Table(Vec<Box<str>>),
    /// what a `.callprototype` or `.calltargets` names
    Callees,
}

/// Names, inner scopes last.
#[derive(Default)]
pub(super) struct Names {
    scopes: Vec<HashMap<Box<str>, Symbol>>,
}

impl Names {
    pub fn find(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn declare(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.into(), symbol);
        }
    }
}

/// Where registers and variables of a function are while it is decoded.
pub(super) struct Frame<'a> {
    pub names: &'a Names,
    /// number of a register, or of a predicate
    pub slots: &'a [u32],
    pub carry: u32,
    pub is_entry: bool,
}

/// All functions of a module, and the numbers of those instructions that are not executed.
pub(super) fn decode(module: &Module) -> Result<(Program, Vec<u32>), SimError> {
    let mut names = Names::default();
    names.scopes.push(HashMap::new());
    let mut program = Program {
        codes: Vec::new(),
        origins: Vec::new(),
        bodies: Vec::new(),
        entries: HashMap::new(),
        globals: Vec::new(),
        constants: Vec::new(),
        shared: Vec::new(),
        dynamic: dynamic_shared(module),
    };
    let mut files: HashMap<u32, &str> = HashMap::new();
    let mut functions: Vec<&Function> = Vec::new();
    for item in &module.items {
        match item {
            Item::Variable(v) => program.variable(v, &mut names)?,
            Item::File { number, name, .. } => drop(files.insert(*number, name)),
            Item::Function(f) => {
                // a declaration and its definition have one number
                let known = functions.iter().position(|g| g.name == f.name);
                let number = known.unwrap_or(functions.len());
                match known {
                    None => functions.push(f),
                    Some(_) if f.body.is_some() => functions[number] = f,
                    Some(_) => {}
                }
                names.declare(&f.name, Symbol::Function(number));
            }
            Item::Alias { name, function } => {
                if let Some(symbol) = names.find(function).cloned() {
                    names.declare(name, symbol);
                }
            }
            Item::Section { .. } | Item::Pragma(_) => {}
        }
    }
    program.bodies = functions.iter().map(|f| Body::of(f)).collect();
    let mut unsupported = Vec::new();
    for (number, function) in functions.iter().enumerate() {
        let ordinal = module.functions().position(|f| core::ptr::eq(f, *function)).unwrap_or(number);
        let mut decoder = Decoder {
            program: &mut program,
            names: &mut names,
            files: &files,
            body: number,
            function,
            ordinal,
            slots: Vec::new(),
            carry: 0,
            labels: Vec::new(),
            instructions: 0,
            comment: None,
            source: None,
            unsupported: &mut unsupported,
        };
        decoder.function()?;
    }
    program.initialize(module, &names)?;
    Ok((program, unsupported))
}

/// Places static variables in shared memory one after the other.
fn place_shared(v: &Variable, end: Option<u32>) -> Option<(u32, u32)> {
    let start = end.map_or(0, |end| end + GAP).next_multiple_of(v.alignment().max(16));
    let bytes = v.bytes().filter(|bytes| u64::from(start) + bytes < 1 << 28)?;
    Some((start, start + bytes as u32))
}

/// Where dynamic shared memory begins: after all static variables.
fn dynamic_shared(module: &Module) -> u32 {
    let mut end = None;
    let mut see = |v: &Variable| {
        if v.space == Declared::Shared && v.linkage != Linkage::Extern {
            end = place_shared(v, end).map(|(_, end)| end).or(end);
        }
    };
    for item in &module.items {
        match item {
            Item::Variable(v) => see(v),
            Item::Function(f) => f.statements(&mut |s| {
                if let Statement::Variable(v) = s {
                    see(v);
                }
            }),
            _ => {}
        }
    }
    end.map_or(0, |end| (end + GAP).next_multiple_of(GAP))
}

impl Program {
    /// Places a variable of a module or a function.
    fn variable(&mut self, v: &Variable, names: &mut Names) -> Result<(), SimError> {
        let align = v.alignment().max(1);
        let bytes = v.bytes();
        let size = || {
            let bytes = bytes.filter(|b| *b < 1 << 32);
            bytes.ok_or_else(|| SimError::Variable { name: v.name.clone().into(), bytes })
        };
        let symbol = match v.space {
            Declared::Shared if v.linkage == Linkage::Extern => Symbol::Shared(self.dynamic),
            Declared::Shared => {
                let place = place_shared(v, self.shared.last().map(|(_, end)| *end));
                let (start, end) = place.ok_or_else(|| SimError::Variable { name: v.name.clone().into(), bytes })?;
                self.shared.push((start, end));
                Symbol::Shared(start)
            }
            Declared::Const => {
                let start = (self.constants.len() as u32).next_multiple_of(align);
                self.constants.resize(start as usize + size()? as usize, 0);
                Symbol::Const(start)
            }
            Declared::Global => {
                // a variable without a value is zero
                let allocation = Allocation::new(size()?);
                allocation.upload(0, &vec![0; allocation.bytes as usize]);
                let address = allocation.address;
                self.globals.push(allocation);
                Symbol::Global(address)
            }
            Declared::Local | Declared::Param | Declared::Reg => return Ok(()),
        };
        names.declare(&v.name, symbol);
        Ok(())
    }

    /// Values of variables in global and constant memory.
    fn initialize(&mut self, module: &Module, names: &Names) -> Result<(), SimError> {
        for v in module.variables().filter(|v| !v.init.is_empty()) {
            let element = u64::from(v.ty.bits().div_ceil(8)) as usize;
            let mut bytes = Vec::new();
            for value in &v.init {
                self.value(value, element, names, &mut bytes);
            }
            match names.find(&v.name) {
                Some(Symbol::Const(at)) => {
                    let home = &mut self.constants[*at as usize..];
                    let some = bytes.len().min(home.len());
                    home[..some].copy_from_slice(&bytes[..some]);
                }
                Some(Symbol::Global(address)) => {
                    if let Some(home) = Allocation::holding(*address) {
                        bytes.truncate(home.bytes as usize);
                        home.upload(0, &bytes);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn value(&self, value: &Init, element: usize, names: &Names, bytes: &mut Vec<u8>) {
        let mut put = |bits: u64| bytes.extend_from_slice(&bits.to_le_bytes()[..element.min(8)]);
        match value {
            Init::Int(i) => put(*i as u64),
            Init::F32(bits) if element == 4 => put((*bits).into()),
            Init::F32(bits) => put(f64::from(f32::from_bits(*bits)).to_bits()),
            Init::F64(bits) if element == 8 => put(*bits),
            Init::F64(bits) => put((f64::from_bits(*bits) as f32).to_bits().into()),
            Init::Symbol { .. } | Init::Masked { .. } => put(self.address(value, names)),
            Init::List(values) => values.iter().for_each(|v| self.value(v, element, names, bytes)),
        }
    }

    fn address(&self, value: &Init, names: &Names) -> u64 {
        match value {
            Init::Symbol { name, offset, generic } => {
                let (space, at) = match names.find(name) {
                    Some(Symbol::Global(a)) => (Space::Global, *a),
                    Some(Symbol::Shared(a)) => (Space::Shared, u64::from(*a)),
                    Some(Symbol::Const(a)) => (Space::Const, u64::from(*a)),
                    Some(Symbol::Function(n)) => (Space::Global, CODE + 16 * *n as u64),
                    _ => (Space::Global, 0),
                };
                at.wrapping_add_signed(*offset).wrapping_add(if *generic { space.window() } else { 0 })
            }
            // which byte of the address is wanted, the mask says
            Init::Masked { mask, of } => (self.address(of, names) & mask) >> mask.trailing_zeros().min(63),
            _ => 0,
        }
    }
}

impl Body {
    fn of(f: &Function) -> Body {
        let mut at = 0;
        let place = |v: &Variable, at: &mut u32| {
            let bytes = v.bytes().unwrap_or(0) as u32;
            *at = at.next_multiple_of(v.alignment().max(1));
            let home = Home::Memory(*at);
            *at += bytes;
            Passed { name: v.name.clone(), at: home, bytes }
        };
        let params: Vec<_> = f.params.iter().map(|v| place(v, &mut at)).collect();
        let param_bytes = at;
        let returns: Vec<_> = f.returns.iter().map(|v| place(v, &mut at)).collect();
        let dims = |of: fn(&Directive) -> Option<[u32; 3]>| f.directives.iter().find_map(of);
        Body {
            name: f.name.clone(),
            start: u32::MAX,
            names: Vec::new(),
            registers: 0,
            predicates: 0,
            local: if f.is_entry { 0 } else { at },
            params,
            returns,
            param_bytes,
            required: dims(|d| if let Directive::Reqntid(n) = d { Some(*n) } else { None }),
            at_most: dims(|d| if let Directive::Maxntid(n) = d { Some(*n) } else { None }),
        }
    }
}

struct Decoder<'a> {
    program: &'a mut Program,
    names: &'a mut Names,
    files: &'a HashMap<u32, &'a str>,
    body: usize,
    function: &'a Function,
    ordinal: usize,
    slots: Vec<u32>,
    carry: u32,
    labels: Vec<Option<u32>>,
    instructions: usize,
    comment: Option<Box<str>>,
    source: Option<(Box<str>, u32)>,
    unsupported: &'a mut Vec<u32>,
}

impl Decoder<'_> {
    fn function(&mut self) -> Result<(), SimError> {
        let Some(body) = &self.function.body else { return Ok(()) };
        let start = self.program.codes.len() as u32;
        self.number_registers();
        self.names.scopes.push(HashMap::new());
        self.parameters();
        self.block(body)?;
        self.names.scopes.pop();
        // the end of a function returns
        self.push(Code { gate: None, act: Act::Return }, None);
        for code in &mut self.program.codes[start as usize..] {
            let place = |label: &mut u32| *label = self.labels[*label as usize].unwrap_or(u32::MAX);
            match &mut code.act {
                Act::Branch(label) => place(label),
                Act::Table { targets, .. } => targets.iter_mut().for_each(place),
                _ => {}
            }
        }
        let home = &mut self.program.bodies[self.body];
        home.start = start;
        if self.function.is_entry {
            self.program.entries.insert(self.function.name.clone(), self.body);
        }
        Ok(())
    }

    fn number_registers(&mut self) {
        let (mut registers, mut predicates, mut names) = (0, 0, Vec::new());
        for register in &self.function.registers {
            let (next, many) = match register.ty.bits() {
                1 => (&mut predicates, 1),
                128 => (&mut registers, 2),
                _ => (&mut registers, 1),
            };
            self.slots.push(*next);
            names.push((*next, register.ty.bits() == 1, register.name.clone()));
            *next += many;
        }
        self.carry = predicates;
        let body = &mut self.program.bodies[self.body];
        body.names = names;
        body.registers = registers as usize;
        body.predicates = predicates as usize + 1;
    }

    /// Names of parameters; those that are registers get their numbers.
    fn parameters(&mut self) {
        let body = &mut self.program.bodies[self.body];
        let declared = self.function.params.iter().chain(&self.function.returns);
        for (passed, v) in body.params.iter_mut().chain(&mut body.returns).zip(declared) {
            let Home::Memory(at) = passed.at else { continue };
            match v.space {
                Declared::Reg => {
                    if let Some(id) = self.function.registers.iter().position(|r| r.name == v.name) {
                        let slot = self.slots[id];
                        let predicate = self.function.registers[id].ty.bits() == 1;
                        let place = if predicate { Place::Predicate(slot) } else { Place::Register(slot) };
                        passed.at = Home::Register(place);
                    }
                }
                _ if self.function.is_entry => self.names.declare(&v.name, Symbol::Param(at)),
                _ => self.names.declare(&v.name, Symbol::Local(at)),
            }
        }
    }

    fn block(&mut self, statements: &[Statement]) -> Result<(), SimError> {
        self.names.scopes.push(HashMap::new());
        for statement in statements {
            match statement {
                Statement::Label(name) => {
                    self.names.declare(name, Symbol::Label(self.labels.len() as u32));
                    self.labels.push(None);
                }
                Statement::BranchTargets { name, labels } => self.names.declare(name, Symbol::Table(labels.clone())),
                Statement::CallTargets { name, .. } | Statement::CallPrototype { name, .. } => {
                    self.names.declare(name, Symbol::Callees)
                }
                Statement::Variable(v) => self.variable(v)?,
                _ => {}
            }
        }
        for statement in statements {
            match statement {
                Statement::Label(name) => {
                    if let Some(Symbol::Label(number)) = self.names.find(name) {
                        self.labels[*number as usize] = Some(self.program.codes.len() as u32);
                    }
                }
                Statement::Block(inner) => self.block(inner)?,
                Statement::Instruction(i) => self.instruction(i)?,
                // what nvcc notes says nothing about the kernel
                Statement::Comment(text)
                    if !["inline asm", "demoted variable"].iter().any(|end| text.trim_end().ends_with(end)) =>
                {
                    self.comment = Some(text.clone());
                }
                Statement::Loc { file, line, .. } => {
                    self.source = self.files.get(file).map(|name| ((*name).into(), *line));
                }
                _ => {}
            }
        }
        self.names.scopes.pop();
        Ok(())
    }

    fn variable(&mut self, v: &Variable) -> Result<(), SimError> {
        match v.space {
            Declared::Local | Declared::Param => {
                let body = &mut self.program.bodies[self.body];
                let bytes = v.bytes().filter(|b| *b <= 1 << 24);
                let Some(size) = bytes else {
                    return Err(SimError::Variable { name: v.name.clone().into(), bytes: v.bytes() });
                };
                let at = body.local.next_multiple_of(v.alignment().max(1));
                body.local = at + size as u32;
                self.names.declare(&v.name, Symbol::Local(at));
                Ok(())
            }
            _ => self.program.variable(v, self.names),
        }
    }

    fn instruction(&mut self, i: &Instruction) -> Result<(), SimError> {
        let frame =
            Frame { names: self.names, slots: &self.slots, carry: self.carry, is_entry: self.function.is_entry };
        let gate = i.guard.map(|g| Gate {
            predicate: self.slots[g.pred.id as usize],
            negated: g.negated,
            undefined: g.otherwise == crate::gpu::ptx::Otherwise::Undefined,
        });
        let act = translate(i, &frame);
        if act.is_none() {
            self.unsupported.push(self.program.codes.len() as u32);
        }
        self.push(Code { gate, act: act.unwrap_or(Act::Trap) }, Some(i));
        self.instructions += 1;
        Ok(())
    }

    fn push(&mut self, code: Code, of: Option<&Instruction>) {
        self.program.codes.push(code);
        self.program.origins.push(Origin {
            body: self.body,
            function: self.ordinal,
            ordinal: self.instructions,
            instruction: of.cloned(),
            text: of.map_or("the end".into(), |i| self.function.printed(i).into()),
            comment: self.comment.clone(),
            source: self.source.clone(),
        });
    }
}
