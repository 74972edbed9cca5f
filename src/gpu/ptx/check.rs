//! What `ptxas` would refuse of a whole module: names, versions, state spaces, sizes.

use super::form::Kind;
use super::instruction::Instruction;
use super::module::{Directive, Function, Init, Item, Linkage, Module, Register, Space, Statement, Variable};
use super::names::{Named, Names};
use super::operand::{Base, Operand, Reg};
use super::print::Printer;
use super::special::Special;
use super::types::{Target, Type, Version};
use core::fmt;
use std::collections::HashSet;
use std::sync::OnceLock;

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
    /// more bytes of static shared memory than a kernel may have
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
fn instruction_text(f: Option<&Function>, i: &Instruction) -> String {
    f.map_or_else(|| i.to_string(), |f| Printer::named(&f.registers).instruction(i))
}

/// What the parser reads.
const DEPTH: usize = 60;

/// Static shared memory of a kernel, in bytes.
const SHARED: u64 = 48 << 10;

/// A part of a module and what it needs.
struct Need<'a> {
    function: Option<&'a Function>,
    instruction: Option<&'a Instruction>,
    what: String,
    /// the first version that has it on the module's target
    version: Option<Version>,
    /// if none has
    lacking: String,
}

impl Module {
    /// Whether `ptxas` would take it, as far as names, versions, state spaces and sizes go, and whether its text is read back equal.
    /// ```
    /// use girih::gpu::ptx::Module;
    /// let m = Module::parse(".version 8.0\n.target sm_90a\n.visible .entry k() { ret; }").unwrap();
    /// assert!(m.check().is_ok());
    /// ```
    ///
    /// # Errors
    /// All that is wrong.
    pub fn check(&self) -> Result<(), Vec<CheckError>> {
        let mut check = Check { names: Names::new(), function: None, instruction: None, errors: Vec::new() };
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
        for f in self.functions().filter(|f| f.is_entry) {
            check.function = Some(f);
            check.sizes(self, f);
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

    /// The lowest version of PTX that suffices for its target and for all that it holds.
    /// ```
    /// use girih::gpu::ptx::{Module, Version};
    /// let m = Module::parse(".version 9.0\n.target sm_80\n.visible .entry k(.param .b8 p[8192]) { ret; }").unwrap();
    /// assert_eq!(m.lowest_version(), Ok(Version(8, 1)));
    /// ```
    ///
    /// # Errors
    /// If there is something that the target does not have at all.
    pub fn lowest_version(&self) -> Result<Version, CheckError> {
        self.needs().into_iter().try_fold(self.target.version(), |all, need| match need.version {
            Some(version) => Ok(all.max(version)),
            None => Err(CheckError {
                function: need.function.map(|f| f.name.clone()),
                instruction: need.instruction.map(|i| instruction_text(need.function, i)),
                fault: CheckFault::Target { what: need.what, needs: need.lacking },
            }),
        })
    }

    /// Everything that needs more than the first version of the target.
    fn needs(&self) -> Vec<Need<'_>> {
        let target = self.target;
        let what = format!("the target {target}");
        let first =
            Need { function: None, instruction: None, what, version: Some(target.version()), lacking: String::new() };
        let mut all = vec![first];
        for item in &self.items {
            let mut part = |what: &str, needs: (Version, Target)| all.push(Need::of(None, what, needs, target));
            match item {
                Item::Alias { .. } => part("`.alias`", (Version(6, 3), Target::plain(30))),
                Item::Variable(v) => variable_needs(v, &mut part),
                Item::Function(f) => function_needs(f, target, &mut all),
                Item::Pragma(p) => pragma_needs(p, &mut part),
                Item::File { .. } | Item::Section { .. } => {}
            }
        }
        all
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

impl<'a> Need<'a> {
    fn of(function: Option<&'a Function>, what: &str, needs: (Version, Target), target: Target) -> Need<'a> {
        let (version, least) = needs;
        let version = target.provides(least).then(|| version.max(target.version()));
        Need { function, instruction: None, what: what.into(), version, lacking: format!("{least}") }
    }
}

fn variable_needs(v: &Variable, part: &mut impl FnMut(&str, (Version, Target))) {
    if v.managed {
        part("`.managed`", (Version(4, 0), Target::plain(30)));
    }
    if v.ty == Type::B128 {
        part("`.b128`", (Version(8, 3), Target::plain(70)));
    }
    if v.linkage == Linkage::Common {
        part("`.common`", (Version(5, 0), Target::plain(0)));
    }
    if v.pointee.is_some() {
        part("`.ptr`", (Version(2, 2), Target::plain(0)));
    }
    let masked = |init: &Init| matches!(init, Init::Masked { .. });
    if v.init.iter().any(|init| masked(init) || matches!(init, Init::List(of) if of.iter().any(masked))) {
        part("a masked address", (Version(7, 1), Target::plain(0)));
    }
}

fn pragma_needs(pragma: &str, part: &mut impl FnMut(&str, (Version, Target))) {
    let version = match pragma.split_whitespace().next() {
        Some("used_bytes_mask") => Version(8, 3),
        Some("enable_smem_spilling") => Version(8, 7),
        Some("frequency") => Version(9, 0),
        _ => return,
    };
    part(&format!("the pragma `{pragma}`"), (version, Target::plain(0)));
}

fn function_needs<'a>(f: &'a Function, target: Target, all: &mut Vec<Need<'a>>) {
    let mut part = |what: &str, needs: (Version, Target)| all.push(Need::of(Some(f), what, needs, target));
    for directive in &f.directives {
        let (version, least) = match directive {
            Directive::Reqnctapercluster(_) | Directive::Maxclusterrank(_) | Directive::Explicitcluster => {
                (Version(7, 8), 90)
            }
            Directive::Blocksareclusters => (Version(9, 0), 90),
            Directive::AbiPreserve(_) | Directive::AbiPreserveControl(_) => (Version(9, 0), 80),
            Directive::Noreturn => (Version(6, 4), 30),
            Directive::Pragma(p) => {
                pragma_needs(p, &mut part);
                continue;
            }
            _ => continue,
        };
        let name = directive.to_string();
        part(&format!("`{}`", name.split(' ').next().unwrap_or_default()), (version, Target::plain(least)));
    }
    f.returns.iter().chain(&f.params).for_each(|v| variable_needs(v, &mut part));
    if f.is_entry && bytes_of(&f.params) > SMALL_PARAMETERS {
        part(&format!("more than {SMALL_PARAMETERS} bytes of parameters"), (Version(8, 1), Target::plain(70)));
    }
    f.statements(&mut |statement| match statement {
        Statement::Registers { ty: Type::B128, .. } => part("`.b128`", (Version(8, 3), Target::plain(70))),
        Statement::Variable(v) => variable_needs(v, &mut part),
        Statement::Pragma(p) => pragma_needs(p, &mut part),
        Statement::Loc { inlined: Some(_), .. } => part("`inlined_at`", (Version(7, 0), Target::plain(0))),
        Statement::BranchTargets { .. } => part("`.branchtargets`", (Version(6, 0), Target::plain(30))),
        Statement::CallTargets { .. } => part("`.calltargets`", (Version(2, 1), Target::plain(20))),
        Statement::CallPrototype { noreturn: true, .. } => part("`.noreturn`", (Version(6, 4), Target::plain(30))),
        _ => {}
    });
    all.extend(f.instructions().map(|i| Need {
        function: Some(f),
        instruction: Some(i),
        what: format!("`{}`", i.opcode()),
        version: i.version_for(target),
        lacking: i.lacking(target).map(|r| r.to_string()).unwrap_or_default(),
    }));
}

/// What a kernel may have of parameters before PTX 8.1, and since.
const SMALL_PARAMETERS: u64 = 4352;
const PARAMETERS: u64 = 32764;

/// What variables take one after another, each where its alignment lets it.
fn bytes_of<'a>(of: impl IntoIterator<Item = &'a Variable>) -> u64 {
    of.into_iter().fold(0, |at: u64, v| {
        let align = u64::from(v.alignment().max(1));
        at.div_ceil(align).saturating_mul(align).saturating_add(v.bytes().unwrap_or(0))
    })
}

struct Check<'a> {
    names: Names<'a>,
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
            Item::Variable(v) => self.variable(v),
            Item::Function(f) => self.function(f),
            Item::Alias { name, function } => {
                self.refer(function);
                self.declare(name, Named::Function { defined: true });
            }
            Item::File { .. } | Item::Section { .. } | Item::Pragma(_) => {}
        }
    }

    fn declare(&mut self, name: &'a str, named: Named) {
        if !is_identifier(name) {
            self.fault(CheckFault::Identifier(name.into()));
        } else if is_reserved(name) {
            self.fault(CheckFault::Reserved(name.into()));
        }
        if !self.names.declare(name, named) {
            self.fault(CheckFault::Duplicate(name.into()));
        }
    }

    fn refer(&mut self, name: &str) {
        if self.names.find(name).is_none() {
            self.fault(CheckFault::Undeclared(name.into()));
        }
    }

    fn variable(&mut self, v: &'a Variable) {
        v.init.iter().for_each(|init| self.initial(init, 0));
        self.declare(&v.name, Named::Variable { defined: v.linkage != Linkage::Extern, space: v.space });
    }

    fn initial(&mut self, init: &Init, depth: usize) {
        match init {
            _ if depth > DEPTH => self.fault(CheckFault::Deep),
            Init::Symbol { name, .. } => self.refer(name),
            Init::Masked { of, .. } => self.initial(of, depth + 1),
            Init::List(of) => of.iter().for_each(|init| self.initial(init, depth + 1)),
            Init::Int(_) | Init::F32(_) | Init::F64(_) => {}
        }
    }

    fn function(&mut self, f: &'a Function) {
        self.function = Some(f);
        self.declare(&f.name, Named::Function { defined: f.body.is_some() });
        self.names.enter();
        let mut id = 0;
        for v in f.returns.iter().chain(&f.params) {
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
        // labels may be used before they stand
        for statement in body {
            match statement {
                Statement::Label(name)
                | Statement::BranchTargets { name, .. }
                | Statement::CallTargets { name, .. }
                | Statement::CallPrototype { name, .. } => self.declare(name, Named::Label),
                _ => {}
            }
        }
        for statement in body {
            self.instruction = None;
            match statement {
                Statement::Registers { count, first, .. } => {
                    for id in (0..count.unwrap_or(1)).map(|i| first.wrapping_add(i)) {
                        match f.registers.get(id as usize) {
                            Some(Register { name, ty }) => self.declare(name, Named::Register(Reg { id, ty: *ty })),
                            None => return self.fault(CheckFault::Text(format!("no register {id} in the list"))),
                        }
                    }
                }
                Statement::Variable(v) => self.variable(v),
                Statement::Block(inner) => self.block(f, inner, depth + 1),
                Statement::BranchTargets { labels: names, .. } | Statement::CallTargets { functions: names, .. } => {
                    names.iter().for_each(|name| self.refer(name))
                }
                Statement::Instruction(i) => self.check_instruction(f, i),
                Statement::Label(_)
                | Statement::Loc { .. }
                | Statement::Pragma(_)
                | Statement::Comment(_)
                | Statement::CallPrototype { .. } => {}
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
        for operand in i.operands() {
            operand.each_symbol(&mut |name| self.refer(name));
        }
        for (operand, kind) in i.operands().iter().zip(i.kinds()) {
            if let (Operand::Address(a), Kind::Address(space)) = (operand, kind)
                && let Base::Symbol(name) = &a.base
                && let Some(Named::Variable { space: lies, .. }) = self.names.find(name)
            {
                let expected = i.opcode().space(*space);
                let word = expected.split("::").next().unwrap_or(expected);
                if word != "generic" && word != lies.to_string() {
                    self.fault(CheckFault::Space { name: name.to_string(), space: lies, expected });
                }
            }
        }
    }

    /// Parameters and static shared memory of a kernel: what it declares, and what it names of the module's. What the functions
    /// that it calls have is not counted.
    fn sizes(&mut self, module: &'a Module, f: &'a Function) {
        let bytes = bytes_of(&f.params);
        if bytes > PARAMETERS {
            self.fault(CheckFault::Parameters { bytes, limit: PARAMETERS });
        }
        let mut named = HashSet::new();
        f.instructions().flat_map(|i| i.operands()).for_each(|o| {
            o.each_symbol(&mut |name| {
                named.insert(name);
            })
        });
        let mut shared: Vec<&Variable> = module.variables().filter(|v| named.contains(&*v.name)).collect();
        f.statements(&mut |statement| {
            if let Statement::Variable(v) = statement {
                shared.push(v);
            }
        });
        let bytes = bytes_of(shared.into_iter().filter(|v| v.space == Space::Shared));
        if bytes > SHARED {
            self.fault(CheckFault::Shared { bytes, limit: SHARED });
        }
    }
}

impl Function {
    /// Every statement, those of nested blocks too, in order.
    fn statements<'a>(&'a self, see: &mut impl FnMut(&'a Statement)) {
        let mut stack: Vec<core::slice::Iter<Statement>> = self.body.iter().map(|b| b.iter()).collect();
        while let Some(inner) = stack.last_mut() {
            match inner.next() {
                None => drop(stack.pop()),
                Some(statement) => {
                    see(statement);
                    if let Statement::Block(inner) = statement {
                        stack.push(inner.iter());
                    }
                }
            }
        }
    }
}

impl Operand {
    /// The names of variables, functions, labels and tables in it.
    fn each_symbol<'a>(&'a self, see: &mut impl FnMut(&'a str)) {
        match self {
            Operand::Symbol(name, _) => see(name),
            Operand::Address(a) | Operand::Tensor(a, _) => {
                if let Base::Symbol(name) = &a.base {
                    see(name);
                }
            }
            Operand::Vector(of) => of.iter().for_each(|o| o.each_symbol(see)),
            Operand::Pair(of) => of.iter().for_each(|o| o.each_symbol(see)),
            Operand::Call(call) => {
                let all = call.results.iter().chain([&call.callee]).chain(&call.arguments);
                all.for_each(|o| o.each_symbol(see));
                call.prototype.iter().for_each(|name| see(name));
            }
            Operand::Reg(_) | Operand::Not(_) | Operand::Int(_) | Operand::F32(_) | Operand::F64(_) => {}
            Operand::Sink | Operand::Special(_) => {}
        }
    }
}

/// PTX ISA, identifiers.
pub(crate) fn is_identifier(name: &str) -> bool {
    let follows = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut chars = name.chars();
    match chars.next() {
        Some(c) if c.is_ascii_alphabetic() => chars.all(follows),
        Some('_' | '$' | '%') => name.len() > 1 && chars.all(follows),
        _ => false,
    }
}

/// PTX ISA, predefined identifiers.
fn is_reserved(name: &str) -> bool {
    static SPECIAL: OnceLock<HashSet<&str>> = OnceLock::new();
    let special = || Special::all().map(|s| s.name().split('.').next().unwrap_or_default()).collect();
    name == "WARP_SZ" || name.starts_with('%') && SPECIAL.get_or_init(special).contains(name)
}
