//! What `ptxas` would refuse of a whole module: names, versions, state spaces, sizes.

use super::declare::{self, Role};
use super::form::Kind;
use super::instruction::Instruction;
use super::module::{Function, Init, Item, Linkage, Module, Register, Space, Statement, Variable};
use super::names::{Named, Names, is_identifier, is_special};
use super::operand::{Base, Call, Operand, Reg};
use super::print::Printer;
use super::types::Version;
use core::fmt;
use std::collections::{HashMap, HashSet};

/// What is wrong with a module, and where.
/// ```
/// use girih::gpu::ptx::{CheckFault, Function, Item, Module, Target};
/// let mut m = Module::new(Target::SM_80);
/// m.items.push(Item::Function(Box::new(Function::entry("2d"))));
/// let errors = m.check().unwrap_err();
/// assert_eq!(errors[0].fault, CheckFault::Identifier("2d".into()));
/// assert!(errors[0].to_string().starts_with("2d: `2d` is no identifier of PTX"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct CheckError {
    /// in which function
    pub function: Option<Box<str>>,
    /// the instruction, as it is printed
    pub instruction: Option<String>,
    /// what is wrong
    pub fault: CheckFault,
}

/// What may be wrong with a module that is made of legal instructions.
/// ```
/// # use girih::gpu::ptx::{CheckFault, Module, Version};
/// let m = Module::parse(".version 7.0\n.target sm_90\n").unwrap();
/// let needs = CheckFault::Version { what: "the target sm_90".into(), needs: Version(7, 8) };
/// assert_eq!(m.check().unwrap_err()[0].fault, needs);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum CheckFault {
    /// a name that PTX cannot have
    Identifier(String),
    /// a name that is PTX's own
    Reserved(String),
    /// two things of one scope with one name
    Duplicate(String),
    /// a name that stands for nothing where it is used
    Undeclared(String),
    /// a function that is declared, neither `.extern` nor defined
    Undefined(String),
    /// a name that stands for something of another kind
    Kind {
        /// the name
        name: String,
        /// what it stands for
        found: &'static str,
        /// what should stand there
        expected: &'static str,
    },
    /// a variable, parameter or function that may not be declared so
    Declaration {
        /// its name
        name: String,
        /// the rule that it breaks
        why: &'static str,
    },
    /// a directive that a function or module may not have
    Directive {
        /// as it is printed
        directive: String,
        /// the rule that it breaks
        why: &'static str,
    },
    /// a version or target that PTX does not have
    Unknown(String),
    /// a register that is not in the function's list, has another type there, or is not visible where it is used
    Register(Reg),
    /// the target does not have it
    Target {
        /// what is asked for
        what: String,
        /// what it needs
        needs: String,
    },
    /// a newer version of PTX has it
    Version {
        /// what is asked for
        what: String,
        /// the first that has it on this target
        needs: Version,
    },
    /// an address in another state space than the instruction's
    Space {
        /// the variable
        name: String,
        /// where it lies
        space: Space,
        /// what the instruction accesses
        expected: &'static str,
    },
    /// more bytes of parameters than a kernel may have
    Parameters {
        /// how many
        bytes: u64,
        /// how many it may have
        limit: u64,
    },
    /// more bytes of constant memory than a module may have
    Constant {
        /// how many
        bytes: u64,
        /// how many it may have
        limit: u64,
    },
    /// more bytes of static shared memory than a kernel may have: 48 KiB, and on a target of one chip alone (`a`) what a block may
    /// have there, as `ptxas` 13.0 has it
    Shared {
        /// how many
        bytes: u64,
        /// how many it may have
        limit: u64,
    },
    /// blocks or lists too deep to print
    Deep,
    /// its text would be read as another module: a list of registers that the body does not declare, a comment of two lines, ..
    Text(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.function.iter().try_for_each(|name| write!(f, "{name}: "))?;
        self.instruction.iter().try_for_each(|i| write!(f, "{i} "))?;
        self.fault.fmt(f)
    }
}

impl std::error::Error for CheckError {}

impl fmt::Display for CheckFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckFault::Identifier(name) => {
                write!(
                    f,
                    "`{name}` is no identifier of PTX: a letter, or one of _ $ % and more, then letters, digits, _ and $"
                )
            }
            CheckFault::Reserved(name) => write!(f, "`{name}` is a name of PTX's own; choose another"),
            CheckFault::Duplicate(name) => write!(f, "`{name}` is declared twice; give one of them another name"),
            CheckFault::Undeclared(name) => write!(f, "nothing is called `{name}` here"),
            CheckFault::Undefined(name) => write!(f, "`{name}` has no body; define it, or declare it `.extern`"),
            CheckFault::Kind { name, found, expected } => write!(f, "`{name}` is {found}, where {expected} is wanted"),
            CheckFault::Declaration { name, why } => write!(f, "`{name}` cannot be declared so: {why}"),
            CheckFault::Directive { directive, why } => write!(f, "`{directive}` cannot stand here: {why}"),
            CheckFault::Unknown(what) => write!(f, "PTX does not have {what}"),
            CheckFault::Constant { bytes, limit } => write!(f, "{bytes} bytes of constant memory, at most {limit}"),
            CheckFault::Register(r) => write!(f, "register {} of {} is not declared where it is used", r.id, r.ty),
            CheckFault::Target { what, needs } => write!(f, "{what} needs {needs}"),
            CheckFault::Version { what, needs } => write!(f, "{what} needs PTX {needs}; raise the module's version"),
            CheckFault::Space { name, space, expected } => {
                write!(f, "`{name}` lies in {space} memory, where an address in {expected} is wanted")
            }
            CheckFault::Parameters { bytes, limit } => write!(f, "{bytes} bytes of parameters, at most {limit}"),
            CheckFault::Shared { bytes, limit } => {
                write!(
                    f,
                    "{bytes} bytes of static shared memory, at most {limit}; declare it `.extern` and size it at launch"
                )
            }
            CheckFault::Deep => write!(f, "blocks or lists deeper than {DEPTH} levels"),
            CheckFault::Text(why) => write!(f, "its text is not read back as the same module: {why}"),
        }
    }
}

/// With the names of the function's registers.
pub(super) fn instruction_text(f: Option<&Function>, i: &Instruction) -> String {
    f.map_or_else(|| i.to_string(), |f| Printer::named(&f.registers).instruction(i))
}

/// What the parser reads.
const DEPTH: usize = 60;

impl Module {
    /// Whether `ptxas` would take it, as far as names, declarations, directives, versions, state spaces and sizes go, and whether its
    /// text is read back equal.
    /// ```
    /// use girih::gpu::ptx::Module;
    /// let m = Module::parse(".version 8.0\n.target sm_90a\n.visible .entry k() { ret; }").unwrap();
    /// assert!(m.check().is_ok());
    /// ```
    ///
    /// # Errors
    /// All that is wrong.
    pub fn check(&self) -> Result<(), Vec<CheckError>> {
        let mut check = Check {
            names: Names::new(),
            variables: HashMap::new(),
            functions: HashMap::new(),
            files: HashSet::new(),
            function: None,
            instruction: None,
            errors: Vec::new(),
        };
        if !self.target.exists() {
            check.fault(CheckFault::Unknown(format!("the target {}", self.target)));
        }
        if !self.version.exists() {
            check.fault(CheckFault::Unknown(format!("the version {}", self.version)));
        }
        for need in self.needs() {
            let fault = match need.version {
                None => CheckFault::Target { what: need.what, needs: need.lacking },
                Some(needs) if needs > self.version => {
                    // too old for the target: said once, not of every instruction
                    if needs == self.target.version() && (need.function.is_some() || !check.errors.is_empty()) {
                        continue;
                    }
                    CheckFault::Version { what: need.what, needs }
                }
                Some(_) => continue,
            };
            (check.function, check.instruction) = (need.function, need.instruction);
            check.fault(fault);
        }
        (check.function, check.instruction) = (None, None);
        self.items.iter().for_each(|item| check.item(item));
        for f in self.functions() {
            if let Some(Named::Function { defined: false, .. }) = check.names.find(&f.name)
                && f.linkage != Linkage::Extern
            {
                check.fault(CheckFault::Undefined(f.name.to_string()));
            }
        }
        let bytes = bytes_of(self.variables().filter(|v| v.space == Space::Const));
        if bytes > CONSTANT {
            check.fault(CheckFault::Constant { bytes, limit: CONSTANT });
        }
        for f in self.functions().filter(|f| f.is_entry) {
            check.function = Some(f);
            check.sizes(f, self.target.static_shared());
        }
        if check.errors.is_empty() {
            check.function = None;
            match Module::parse(&self.to_string()) {
                Err(e) => check.fault(CheckFault::Text(e.to_string())),
                Ok(read) if read != *self => check.fault(CheckFault::Text(self.difference(&read))),
                Ok(_) => {}
            }
        }
        if check.errors.is_empty() { Ok(()) } else { Err(check.errors) }
    }

    /// The first thing that differs, as text.
    fn difference(&self, read: &Module) -> String {
        let (a, b) = (self.to_string(), read.to_string());
        let line = a.lines().zip(b.lines()).find(|(a, b)| a != b);
        line.map_or("the registers that functions list are not those that they declare".into(), |(a, b)| {
            format!("`{a}` as `{b}`")
        })
    }
}

/// What a kernel may have of parameters.
const PARAMETERS: u64 = 32764;

/// What a module may have of constant memory.
const CONSTANT: u64 = 64 << 10;

/// What variables take one after another, each where its alignment lets it.
pub(super) fn bytes_of<'a>(of: impl IntoIterator<Item = &'a Variable>) -> u64 {
    of.into_iter().fold(0, |at: u64, v| {
        let align = u64::from(v.alignment().max(1));
        at.div_ceil(align).saturating_mul(align).saturating_add(v.bytes().unwrap_or(0))
    })
}

struct Check<'a> {
    names: Names<'a>,
    /// of the module, as last declared
    variables: HashMap<&'a str, &'a Variable>,
    functions: HashMap<&'a str, &'a Function>,
    files: HashSet<u32>,
    function: Option<&'a Function>,
    instruction: Option<&'a Instruction>,
    errors: Vec<CheckError>,
}

impl<'a> Check<'a> {
    fn fault(&mut self, fault: CheckFault) {
        self.errors.push(CheckError {
            function: self.function.map(|f| f.name.clone()),
            instruction: self.instruction.map(|i| instruction_text(self.function, i)),
            fault,
        });
    }

    fn item(&mut self, item: &'a Item) {
        match item {
            Item::Variable(v) => {
                self.variable(v, Role::Module);
                if let Some(first) = self.variables.insert(&v.name, v)
                    && !declare::same_variable(first, v)
                {
                    self.declaration(&v.name, "it is declared before with another type, shape or linkage");
                }
            }
            Item::Function(f) => self.function(f),
            Item::Alias { name, function } => self.alias(name, function),
            Item::File { number, .. } if !self.files.insert(*number) => {
                self.fault(CheckFault::Duplicate(format!(".file {number}")));
            }
            Item::Pragma(pragma) if &**pragma != "nounroll" => {
                let why = "of a whole module, `nounroll` is the only one";
                self.fault(CheckFault::Directive { directive: format!(".pragma \"{pragma}\""), why });
            }
            Item::File { .. } | Item::Section { .. } | Item::Pragma(_) => {}
        }
    }

    fn alias(&mut self, name: &'a str, function: &'a str) {
        self.expect(name, "a device function", |named| matches!(named, Named::Function { is_entry: false, .. }));
        self.expect(function, "a device function", |named| matches!(named, Named::Function { is_entry: false, .. }));
        if let (Some(alias), Some(of)) = (self.functions.get(name), self.functions.get(function)) {
            if !declare::same_prototype(alias, of) {
                self.declaration(name, "an alias takes and returns what its function does");
            } else if matches!(of.linkage, Linkage::Extern | Linkage::Weak) {
                self.declaration(name, "an external or weak function has no alias");
            }
        }
        self.declare(name, Named::Function { defined: true, is_entry: false });
    }

    fn declaration(&mut self, name: &str, why: &'static str) {
        self.fault(CheckFault::Declaration { name: name.into(), why });
    }

    /// False if the scope has the name already.
    fn declare(&mut self, name: &'a str, named: Named) -> bool {
        if !is_identifier(name) {
            self.fault(CheckFault::Identifier(name.into()));
        } else if name == "WARP_SZ" || self.names.is_outermost() && is_special(name) {
            self.fault(CheckFault::Reserved(name.into()));
        }
        let fresh = self.names.declare(name, named);
        if !fresh {
            self.fault(CheckFault::Duplicate(name.into()));
        }
        fresh
    }

    /// What the name stands for must be so.
    fn expect(&mut self, name: &str, expected: &'static str, is: impl FnOnce(Named) -> bool) {
        match self.names.find(name) {
            None => self.fault(CheckFault::Undeclared(name.into())),
            Some(named) if !is(named) => {
                self.fault(CheckFault::Kind { name: name.into(), found: named.what(), expected });
            }
            Some(_) => {}
        }
    }

    fn variable(&mut self, v: &'a Variable, role: Role) {
        if v.dims.len() > DEPTH {
            return self.fault(CheckFault::Deep);
        }
        v.init.iter().for_each(|init| self.initial(&v.name, init, 0));
        declare::variable(v, role).into_iter().for_each(|why| self.declaration(&v.name, why));
        if matches!(role, Role::Module | Role::Body) {
            self.declare(&v.name, Named::Variable { defined: v.linkage != Linkage::Extern, space: v.space });
        }
    }

    /// Of the variable of this name.
    fn initial(&mut self, of: &str, init: &Init, depth: usize) {
        match init {
            _ if depth > DEPTH => self.fault(CheckFault::Deep),
            Init::Symbol { name, .. } if self.names.find(name).is_none() => {
                self.fault(CheckFault::Undeclared(name.to_string()));
            }
            Init::Symbol { name, offset, generic } => {
                declare::address(name, *offset, *generic, &self.names)
                    .into_iter()
                    .for_each(|why| self.declaration(of, why));
            }
            Init::Masked { of: address, .. } => self.initial(of, address, depth + 1),
            Init::List(list) => list.iter().for_each(|init| self.initial(of, init, depth + 1)),
            Init::Int(_) | Init::F32(_) | Init::F64(_) => {}
        }
    }

    fn function(&mut self, f: &'a Function) {
        self.function = Some(f);
        let fresh = self.declare(&f.name, Named::Function { defined: f.body.is_some(), is_entry: f.is_entry });
        if let Some(first) = self.functions.insert(&f.name, f)
            && fresh
            && !declare::same_function(first, f)
        {
            self.declaration(&f.name, "it is declared before otherwise");
        }
        declare::head(f).into_iter().for_each(|why| self.declaration(&f.name, why));
        for directive in &f.directives {
            for why in declare::directive(f, directive) {
                self.fault(CheckFault::Directive { directive: directive.to_string(), why });
            }
        }
        self.names.enter();
        let mut id = 0;
        let role = if f.is_entry { Role::Argument } else { Role::Parameter };
        let results = f.returns.iter().map(|v| (v, Role::Result));
        for (v, role) in results.chain(f.params.iter().map(|v| (v, role))) {
            self.variable(v, role);
            if v.space == Space::Reg && f.body.is_some() {
                self.declare(&v.name, Named::Register(Reg { id, ty: v.ty }));
                id += 1;
            } else {
                self.declare(&v.name, Named::Variable { defined: true, space: v.space });
            }
        }
        if let Some(body) = &f.body {
            self.block(f, body, 0);
        }
        self.names.leave();
        (self.function, self.instruction) = (None, None);
    }

    fn block(&mut self, f: &'a Function, body: &'a [Statement], depth: usize) {
        if depth > DEPTH {
            return self.fault(CheckFault::Deep);
        }
        self.names.enter();
        // labels may be used before they stand, tables and prototypes may not
        for statement in body {
            if let Statement::Label(name) = statement {
                self.declare(name, Named::Label);
            }
        }
        for statement in body {
            self.instruction = None;
            match statement {
                Statement::Registers { count, first, .. } => {
                    for id in (0..count.unwrap_or(1)).map(|i| first.wrapping_add(i)) {
                        match f.registers.get(id as usize) {
                            Some(Register { name, ty }) => {
                                self.declare(name, Named::Register(Reg { id, ty: *ty }));
                            }
                            None => return self.fault(CheckFault::Text(format!("no register {id} in the list"))),
                        }
                    }
                }
                Statement::Variable(v) => self.variable(v, Role::Body),
                Statement::Block(inner) => self.block(f, inner, depth + 1),
                Statement::BranchTargets { name, labels } => {
                    labels.iter().for_each(|label| self.expect(label, "a label", |named| named == Named::Label));
                    self.declare(name, Named::Branches);
                }
                Statement::CallTargets { name, functions } => {
                    let is = |named| matches!(named, Named::Function { .. });
                    functions.iter().for_each(|function| self.expect(function, "a device function", is));
                    self.declare(name, Named::Callees);
                }
                Statement::CallPrototype { name, returns, noreturn, .. } => {
                    if *noreturn && !returns.is_empty() {
                        self.declaration(name, "a function with results returns");
                    }
                    self.declare(name, Named::Callees);
                }
                Statement::Instruction(i) => self.check_instruction(f, i),
                Statement::Label(_) | Statement::Loc { .. } | Statement::Pragma(_) | Statement::Comment(_) => {}
            }
        }
        self.instruction = None;
        self.names.leave();
    }

    fn check_instruction(&mut self, f: &'a Function, i: &'a Instruction) {
        self.instruction = Some(i);
        for (r, _) in i.registers() {
            let named = f.registers.get(r.id as usize).and_then(|register| self.names.find(&register.name));
            if named != Some(Named::Register(r)) {
                self.fault(CheckFault::Register(r));
            }
        }
        for (operand, kind) in i.operands().iter().zip(i.kinds()) {
            match (operand, kind) {
                (Operand::Symbol(name, _), Kind::Label) => self.expect(name, "a label", |named| named == Named::Label),
                (Operand::Symbol(name, _), Kind::Labels) => {
                    self.expect(name, "a table of labels that stands before", |named| named == Named::Branches);
                }
                (Operand::Symbol(name, _), _) if matches!(i.opcode().mnemonic(), "mapa" | "getctarank") => {
                    self.address(&Base::Symbol(name.clone()), "shared");
                }
                (Operand::Symbol(name, _), _) if i.opcode().mnemonic() == "cvta" => {
                    self.address(&Base::Symbol(name.clone()), i.opcode().get("ss").unwrap_or("generic"));
                }
                (Operand::Symbol(name, _), _)
                    if i.opcode().type_of("type").map_or(i.opcode().has("b32"), |ty| ty.bits() == 32)
                        && matches!(self.names.find(name), Some(Named::Variable { space: Space::Global, .. })) =>
                {
                    let expected = "a space of 32-bit addresses";
                    self.fault(CheckFault::Space { name: name.to_string(), space: Space::Global, expected });
                }
                (Operand::Symbol(name, offset), _) => self.expect(name, "a variable", |named| match named {
                    Named::Variable { .. } => true,
                    Named::Function { .. } => *offset == 0,
                    _ => false,
                }),
                (Operand::Call(call), _) => self.call(call),
                (Operand::Address(a), Kind::Address(space)) => self.address(&a.base, i.opcode().space(*space)),
                (Operand::Tensor(a, _), _) => self.address(&a.base, "any space"),
                _ => operand.each_symbol(&mut |name| {
                    self.expect(name, "a variable", |named| matches!(named, Named::Variable { .. }));
                }),
            }
        }
    }

    /// Generic addresses are those of global, shared and local memory.
    fn address(&mut self, base: &Base, expected: &'static str) {
        let Base::Symbol(name) = base else { return };
        self.expect(name, "a variable", |named| matches!(named, Named::Variable { .. }));
        let Some(Named::Variable { space, .. }) = self.names.find(name) else { return };
        let fits = match expected.split("::").next().unwrap_or(expected) {
            "any space" => true,
            "generic" => matches!(space, Space::Global | Space::Shared | Space::Local),
            word => word == space.to_string(),
        };
        if !fits {
            self.fault(CheckFault::Space { name: name.to_string(), space, expected });
        }
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Operand::Symbol(name, _) => {
                self.expect(name, "a device function", |named| {
                    matches!(named, Named::Function { is_entry: false, .. })
                });
                if let Some(f) = self.functions.get(&**name)
                    && (f.params.len(), f.returns.len()) != (call.arguments.len(), call.results.len())
                {
                    self.declaration(name, "it is called with another number of arguments or results");
                }
            }
            callee => callee.each_symbol(&mut |name| {
                self.expect(name, "a device function", |named| matches!(named, Named::Function { .. }));
            }),
        }
        for operand in call.results.iter().chain(&call.arguments) {
            operand.each_symbol(&mut |name| {
                let is = |named| matches!(named, Named::Variable { space: Space::Param, .. });
                self.expect(name, "a variable in parameter space", is);
            });
        }
        let targets = "a prototype or a list of targets that stands before";
        call.prototype.iter().for_each(|name| self.expect(name, targets, |named| named == Named::Callees));
    }

    /// Parameters and static shared memory of a kernel: what it declares, and what it names of the module's. What the functions
    /// that it calls have is not counted.
    fn sizes(&mut self, f: &'a Function, limit: u64) {
        let bytes = bytes_of(&f.params);
        if bytes > PARAMETERS {
            self.fault(CheckFault::Parameters { bytes, limit: PARAMETERS });
        }
        let mut named = HashSet::new();
        let mut shared: Vec<&Variable> = Vec::new();
        f.instructions().flat_map(|i| i.operands()).for_each(|o| {
            o.each_symbol(&mut |name| {
                if named.insert(name) {
                    shared.extend(self.variables.get(name));
                }
            })
        });
        f.statements(&mut |statement| {
            if let Statement::Variable(v) = statement {
                shared.push(v);
            }
        });
        shared.retain(|v| v.space == Space::Shared);
        // with the least gaps, so that nothing is refused which fits
        shared.sort_by_key(|v| core::cmp::Reverse(v.alignment()));
        let bytes = bytes_of(shared);
        if bytes > limit {
            self.fault(CheckFault::Shared { bytes, limit });
        }
    }
}
