//! From a module to a program: names resolved, variables placed.

use super::buffer::Allocation;
use super::error::SimError;
use super::initial::{self, each_initial};
use super::program::*;
use super::translate::translate;
use crate::gpu::ptx::{Directive, Register, Space as Declared};
use crate::gpu::ptx::{Function, Init, Instruction, Item, Linkage, Module, Statement, Type, Variable};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Bytes between variables in shared memory, so that an access beyond one's end is seen.
const GAP: u32 = 128;

/// Bytes at most (CUDA C++ Programming Guide, technical specifications): of constants, a thread's local memory, parameters of a kernel.
const MOST_CONST: u32 = 64 << 10;
const MOST_LOCAL: u32 = 512 << 10;
const MOST_PARAM: u32 = 32764;
/// Shared memory of all kernels of a module together.
const MOST_SHARED: u32 = 1 << 24;

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
    /// what a `.callprototype` or `.calltargets` names: types of parameters
    Callees(Vec<Type>),
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
    /// as declared
    pub registers: &'a [Register],
    /// number of a register, or of a predicate
    pub slots: &'a [u32],
    pub functions: &'a [&'a Function],
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
        dynamic: 0,
    };
    let shared = program.place_shared(module)?;
    let mut files: HashMap<u32, &str> = HashMap::new();
    let mut functions: Vec<&Function> = Vec::new();
    for item in &module.items {
        match item {
            Item::Variable(v) => program.variable(v, &shared, &mut names)?,
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
    program.bodies = functions.iter().map(|f| Body::of(f)).collect::<Result<_, _>>()?;
    let mut unsupported = Vec::new();
    for (number, function) in functions.iter().enumerate() {
        let ordinal = module.functions().position(|f| core::ptr::eq(f, *function)).unwrap_or(number);
        let mut decoder = Decoder {
            program: &mut program,
            names: &mut names,
            shared: &shared,
            functions: &functions,
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

/// Where each variable in shared memory begins.
type Placed = HashMap<*const Variable, u32>;

/// The next place for so many bytes, and its end; none beyond a limit.
fn place(at: u32, align: u32, bytes: u64, limit: u32) -> Option<(u32, u32)> {
    let start = u64::from(at).next_multiple_of(align.max(1).into());
    let end = start.checked_add(bytes)?;
    (end <= limit.into()).then_some((start as u32, end as u32))
}

fn refused(v: &Variable) -> SimError {
    SimError::Variable { name: v.name.clone().into(), bytes: v.bytes() }
}

impl Program {
    /// Places all variables in shared memory one after the other, and dynamic shared memory after them.
    fn place_shared(&mut self, module: &Module) -> Result<Placed, SimError> {
        let mut all = Vec::new();
        for item in &module.items {
            match item {
                Item::Variable(v) => all.push(v),
                Item::Function(f) => f.statements(&mut |s| {
                    if let Statement::Variable(v) = s {
                        all.push(v);
                    }
                }),
                _ => {}
            }
        }
        all.retain(|v| v.space == Declared::Shared);
        let mut placed = Placed::new();
        let (dynamic, fixed): (Vec<&Variable>, Vec<&Variable>) =
            all.into_iter().partition(|v| v.linkage == Linkage::Extern);
        for v in fixed {
            let next = self.shared.last().map_or(0, |(_, end)| end + GAP);
            let bytes = v.bytes().ok_or_else(|| refused(v))?;
            let (start, end) = place(next, v.alignment().max(16), bytes, MOST_SHARED).ok_or_else(|| refused(v))?;
            self.shared.push((start, end));
            placed.insert(v, start);
        }
        // all that is dynamic begins at one place
        self.dynamic = self.shared.last().map_or(0, |(_, end)| end + GAP).next_multiple_of(GAP);
        if let Some(v) = dynamic.iter().max_by_key(|v| v.alignment()) {
            (self.dynamic, _) = place(self.dynamic, v.alignment(), 0, MOST_SHARED).ok_or_else(|| refused(v))?;
        }
        placed.extend(dynamic.iter().map(|v| (core::ptr::from_ref(*v), self.dynamic)));
        Ok(placed)
    }

    /// Places a variable of a module or a function.
    fn variable(&mut self, v: &Variable, shared: &Placed, names: &mut Names) -> Result<(), SimError> {
        let size = || v.bytes().or_else(|| initial::bytes(v)).ok_or_else(|| refused(v));
        let symbol = match v.space {
            Declared::Shared => Symbol::Shared(*shared.get(&core::ptr::from_ref(v)).ok_or_else(|| refused(v))?),
            Declared::Const => {
                let placed = place(self.constants.len() as u32, v.alignment(), size()?, MOST_CONST);
                let (start, end) = placed.ok_or_else(|| refused(v))?;
                self.constants.resize(end as usize, 0);
                Symbol::Const(start)
            }
            Declared::Global => {
                // a variable without a value is zero
                let allocation = Allocation::zeroed(Some(size()?).filter(|b| *b < 1 << 32).ok_or_else(|| refused(v))?);
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
            let element = u64::from(v.ty.bits().div_ceil(8));
            let bytes = v.bytes().or_else(|| initial::bytes(v)).unwrap_or(0);
            let mut values = Vec::new();
            each_initial(v, &mut |at, value| {
                if at.saturating_add(element) <= bytes {
                    values.push((at, self.value(value, element as usize, names)));
                }
            });
            for (at, value) in values {
                let value = &value.to_le_bytes()[..element as usize];
                match names.find(&v.name) {
                    Some(Symbol::Const(start)) => {
                        let at = *start as usize + at as usize;
                        self.constants[at..at + value.len()].copy_from_slice(value);
                    }
                    Some(Symbol::Global(address)) => {
                        if let Some(home) = Allocation::holding(*address) {
                            home.upload(at, value);
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn value(&self, value: &Init, element: usize, names: &Names) -> u128 {
        match value {
            Init::Int(i) => i128::from(*i) as u128,
            Init::F32(bits) if element == 4 => (*bits).into(),
            Init::F32(bits) => f64::from(f32::from_bits(*bits)).to_bits().into(),
            Init::F64(bits) if element == 8 => (*bits).into(),
            Init::F64(bits) => (f64::from_bits(*bits) as f32).to_bits().into(),
            Init::Symbol { .. } | Init::Masked { .. } => self.address(value, names).into(),
            Init::List(_) => 0,
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
    fn of(f: &Function) -> Result<Body, SimError> {
        let mut at = 0;
        let limit = if f.is_entry { MOST_PARAM } else { MOST_LOCAL };
        let pass = |v: &Variable, at: &mut u32| -> Result<Passed, SimError> {
            // an array without an extent, of what a function takes more of, has no bytes of its own
            let bytes = if v.dims.contains(&None) { Some(0) } else { v.bytes() };
            let placed = bytes.and_then(|bytes| place(*at, v.alignment(), bytes, limit));
            let (start, end) = placed.ok_or_else(|| refused(v))?;
            *at = end;
            Ok(Passed { name: v.name.clone(), at: Home::Memory(start), bytes: end - start })
        };
        let params = f.params.iter().map(|v| pass(v, &mut at)).collect::<Result<Vec<_>, _>>()?;
        let param_bytes = at;
        let returns = f.returns.iter().map(|v| pass(v, &mut at)).collect::<Result<Vec<_>, _>>()?;
        let dims = |of: fn(&Directive) -> Option<[u32; 3]>| f.directives.iter().find_map(of);
        Ok(Body {
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
            cluster: dims(|d| if let Directive::Reqnctapercluster(n) = d { Some(*n) } else { None })
                .or_else(|| f.directives.contains(&Directive::Explicitcluster).then_some([0; 3])),
            at_most: dims(|d| if let Directive::Maxntid(n) = d { Some(*n) } else { None }),
            shared: BTreeSet::new(),
        })
    }
}

struct Decoder<'a> {
    program: &'a mut Program,
    names: &'a mut Names,
    shared: &'a Placed,
    functions: &'a [&'a Function],
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
        // what is only declared takes no room
        let named = self.function.instructions().flat_map(|i| i.registers()).map(|(r, _)| r.id);
        let used: HashSet<u32> = named.collect();
        let passed: HashSet<&str> =
            self.function.params.iter().chain(&self.function.returns).map(|v| &*v.name).collect();
        for (id, register) in self.function.registers.iter().enumerate() {
            if !used.contains(&(id as u32)) && !passed.contains(&*register.name) {
                self.slots.push(u32::MAX);
                continue;
            }
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
                Statement::CallPrototype { name, params, .. } => {
                    self.names.declare(name, Symbol::Callees(params.iter().map(|p| p.ty).collect()))
                }
                Statement::CallTargets { name, functions } => {
                    let first = self.functions.iter().find(|f| functions.contains(&f.name));
                    let types = first.map_or(vec![], |f| f.params.iter().map(|p| p.ty).collect());
                    self.names.declare(name, Symbol::Callees(types));
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
                let placed = v.bytes().and_then(|bytes| place(body.local, v.alignment(), bytes, MOST_LOCAL));
                let (at, end) = placed.ok_or_else(|| refused(v))?;
                body.local = end;
                self.names.declare(&v.name, Symbol::Local(at));
                Ok(())
            }
            _ => self.program.variable(v, self.shared, self.names),
        }
    }

    fn instruction(&mut self, i: &Instruction) -> Result<(), SimError> {
        let frame = Frame {
            names: self.names,
            registers: &self.function.registers,
            slots: &self.slots,
            functions: self.functions,
            carry: self.carry,
            is_entry: self.function.is_entry,
        };
        let gate = i.guard.map(|g| {
            Some(Gate {
                predicate: frame.register(&g.pred)?,
                negated: g.negated,
                undefined: g.otherwise == crate::gpu::ptx::Otherwise::Undefined,
                uniform: i.opcode().has("uni") && matches!(i.opcode().mnemonic(), "bra" | "brx" | "call" | "ret"),
            })
        });
        let shared = &mut self.program.bodies[self.body].shared;
        i.operands().iter().for_each(|o| {
            o.each_symbol(&mut |name| {
                if let Some(Symbol::Shared(start)) = self.names.find(name) {
                    shared.insert(*start);
                }
            })
        });
        // a guard that is no register of the function is not executed either
        let act = translate(i, &frame).filter(|_| gate != Some(None));
        let gate = gate.flatten();
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
