//! Modules: functions, variables, and what is around the instructions.

use super::instruction::Instruction;
use super::types::{Target, Type, Version};
use core::fmt;

/// A module: what a `.ptx` file holds. Addresses have 64 bits.
/// ```
/// use girih::gpu::ptx::{Module, Target};
/// let m = Module::new(Target::SM_90A);
/// assert_eq!(m.to_string(), ".version 8.0\n.target sm_90a\n.address_size 64\n");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// as in `.version`
    pub version: Version,
    /// as in `.target`
    pub target: Target,
    /// with debug information
    pub debug: bool,
    /// in order
    pub items: Vec<Item>,
}

/// What stands at the top of a module.
/// ```
/// # use girih::gpu::ptx::Item;
/// assert_ne!(Item::File { number: 1, name: "a.cu".into(), stamp: None }, Item::Pragma("nounroll".into()));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// a variable in global, constant or shared memory
    Variable(Variable),
    /// a kernel or device function
    Function(Box<Function>),
    /// `.file`, which `.loc` refers to
    File {
        /// its number
        number: u32,
        /// its name
        name: Box<str>,
        /// when it was changed, and its size in bytes
        stamp: Option<(u64, u64)>,
    },
    /// `.alias name, function;`: another name of a function
    Alias {
        /// the other name
        name: Box<str>,
        /// what it names
        function: Box<str>,
    },
    /// `.section`, debug information that is kept as its text
    Section {
        /// its name, with the dot
        name: Box<str>,
        /// what is between its braces
        lines: Vec<Box<str>>,
    },
    /// `.pragma`
    Pragma(Box<str>),
}

/// Who sees a name.
/// ```
/// # use girih::gpu::ptx::Linkage;
/// assert_eq!(Linkage::Visible.to_string(), ".visible ");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Linkage {
    /// this module
    #[default]
    Local,
    /// all modules
    Visible,
    /// it is defined in another module; of shared memory: its size is that of the launch
    Extern,
    /// as visible, unless another is
    Weak,
    /// one of several equal ones
    Common,
}

/// Where a variable lies.
/// ```
/// # use girih::gpu::ptx::Space;
/// assert_eq!(Space::Shared.to_string(), "shared");
/// ```
#[allow(missing_docs)] // the names are PTX's own
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    Global,
    Const,
    Shared,
    Local,
    Param,
    Reg,
}

/// A variable or parameter.
/// ```
/// use girih::gpu::ptx::{Space, Type, Variable};
/// let v = Variable { align: Some(128), dims: vec![Some(4096)], ..Variable::new(Space::Shared, Type::B8, "tile") };
/// assert_eq!((v.to_string(), v.bytes()), (".shared .align 128 .b8 tile[4096]".into(), Some(4096)));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// who sees it
    pub linkage: Linkage,
    /// where it lies
    pub space: Space,
    /// `.attribute(.managed)`: one address for the host and the device
    pub managed: bool,
    /// in bytes, if not as its type asks
    pub align: Option<u32>,
    /// of an element
    pub ty: Type,
    /// of a `.v2` or `.v4`, how many
    pub vector: Option<u8>,
    /// of a kernel parameter `.ptr`, what is known of what it points to
    pub pointee: Option<Pointee>,
    /// what it is called
    pub name: Box<str>,
    /// extents of an array; `[]` has none of its own
    pub dims: Vec<Option<u64>>,
    /// its elements
    pub init: Vec<Init>,
}

/// `.ptr .global .align 16`.
/// ```
/// # use girih::gpu::ptx::Pointee;
/// assert_eq!(Pointee { space: None, align: Some(16) }.to_string(), " .ptr .align 16");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointee {
    /// where it points, if not anywhere
    pub space: Option<Space>,
    /// in bytes
    pub align: Option<u32>,
}

/// An initial value.
/// ```
/// # use girih::gpu::ptx::Init;
/// assert_eq!(Init::F32(0x3f80_0000).to_string(), "0f3F800000");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Init {
    /// an integer
    Int(i64),
    /// bits of a single
    F32(u32),
    /// bits of a double
    F64(u64),
    /// the address of a variable or function
    Symbol {
        /// whose
        name: Box<str>,
        /// bytes beyond it
        offset: i64,
        /// as a generic address
        generic: bool,
    },
    /// some bits of an address, moved to the lowest ones, as `0xFF00(name)`
    Masked {
        /// which bits
        mask: u64,
        /// the address
        of: Box<Init>,
    },
    /// of a nested array
    List(Vec<Init>),
}

/// A kernel (`.entry`) or device function (`.func`).
/// ```
/// use girih::gpu::ptx::{Function, Statement};
/// let f = Function::entry("nothing");
/// assert!(f.is_entry && f.registers.is_empty() && f.body == Some(vec![]));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// who sees it
    pub linkage: Linkage,
    /// can it be launched?
    pub is_entry: bool,
    /// what it is called
    pub name: Box<str>,
    /// of a device function
    pub returns: Vec<Variable>,
    /// in order
    pub params: Vec<Variable>,
    /// launch bounds and the like
    pub directives: Vec<Directive>,
    /// every register, in the order of declaration: returns and parameters in registers, what the body and its blocks declare
    pub registers: Vec<Register>,
    /// none for a declaration
    pub body: Option<Vec<Statement>>,
}

/// A register's name and type.
/// ```
/// # use girih::gpu::ptx::{Register, Type};
/// assert_eq!(Register { name: "%r1".into(), ty: Type::B32 }.ty.bits(), 32);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// with its `%`, if it has one
    pub name: Box<str>,
    /// as declared
    pub ty: Type,
}

/// What is known of a function's launches (PTX ISA, performance-tuning and cluster directives).
/// ```
/// # use girih::gpu::ptx::Directive;
/// assert_eq!(Directive::Maxntid([256, 1, 1]).to_string(), ".maxntid 256, 1, 1");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directive {
    /// at most so many threads in a block
    Maxntid([u32; 3]),
    /// exactly so many
    Reqntid([u32; 3]),
    /// at least so many blocks on a multiprocessor
    Minnctapersm(u32),
    /// at most so many blocks on a multiprocessor
    Maxnctapersm(u32),
    /// at most so many registers in a thread
    Maxnreg(u32),
    /// exactly so many blocks in a cluster
    Reqnctapercluster([u32; 3]),
    /// at most so many blocks in a cluster
    Maxclusterrank(u32),
    /// it is launched with clusters
    Explicitcluster,
    /// a launch counts clusters, not blocks
    Blocksareclusters,
    /// callers keep so many registers for it
    AbiPreserve(u32),
    /// of those, so many for control flow
    AbiPreserveControl(u32),
    /// it does not return
    Noreturn,
    /// a hint
    Pragma(Box<str>),
}

/// What a function's body holds.
/// ```
/// # use girih::gpu::ptx::{Instruction, Statement};
/// let s = Statement::Instruction(Instruction::spelled("ret", vec![])?);
/// assert_ne!(s, Statement::Comment("returns".into()));
/// # Ok::<(), girih::gpu::ptx::PtxError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// an instruction
    Instruction(Instruction),
    /// `name:`
    Label(Box<str>),
    /// `.reg`: registers `first` and on of the function's list
    Registers {
        /// of each
        ty: Type,
        /// of one, or before the number of each
        name: Box<str>,
        /// how many, named `name0` and on; none for one of that very name
        count: Option<u32>,
        /// the id of the first
        first: u32,
    },
    /// a variable in shared, local or parameter space
    Variable(Variable),
    /// `{ .. }`, whose names end with it
    Block(Vec<Statement>),
    /// `.loc`
    Loc {
        /// number of the file
        file: u32,
        /// from 1
        line: u32,
        /// from 1
        column: u32,
        /// where it was inlined to, as text
        inlined: Option<Box<str>>,
    },
    /// `.pragma`
    Pragma(Box<str>),
    /// `// ..` on a line of its own
    Comment(Box<str>),
    /// `name: .branchtargets a, b;`
    BranchTargets {
        /// what `brx.idx` names
        name: Box<str>,
        /// by index
        labels: Vec<Box<str>>,
    },
    /// `name: .calltargets f, g;`
    CallTargets {
        /// what an indirect `call` names
        name: Box<str>,
        /// functions
        functions: Vec<Box<str>>,
    },
    /// `name: .callprototype (..) _ (..);`
    CallPrototype {
        /// what an indirect `call` names
        name: Box<str>,
        /// as a function's
        returns: Vec<Variable>,
        /// as a function's
        params: Vec<Variable>,
        /// does a call not return?
        noreturn: bool,
    },
}

impl Module {
    /// An empty module for a target, of the lowest version that knows it.
    /// ```
    /// # use girih::gpu::ptx::{Module, Target, Version};
    /// assert_eq!(Module::new(Target::SM_80).version, Version(7, 0));
    /// ```
    pub fn new(target: Target) -> Module {
        Module { version: target.version(), target, debug: false, items: Vec::new() }
    }

    /// Its functions, in order.
    /// ```
    /// # use girih::gpu::ptx::{Function, Item, Module, Target};
    /// let mut m = Module::new(Target::SM_80);
    /// m.items.push(Item::Function(Box::new(Function::entry("k"))));
    /// assert_eq!(m.functions().map(|f| &*f.name).collect::<Vec<_>>(), ["k"]);
    /// ```
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(|item| match item {
            Item::Function(f) => Some(&**f),
            _ => None,
        })
    }

    /// Its variables, in order.
    /// ```
    /// # use girih::gpu::ptx::{Item, Module, Space, Target, Type, Variable};
    /// let mut m = Module::new(Target::SM_80);
    /// m.items.push(Item::Variable(Variable::new(Space::Global, Type::U32, "count")));
    /// assert_eq!(m.variables().count(), 1);
    /// ```
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.items.iter().filter_map(|item| match item {
            Item::Variable(v) => Some(v),
            _ => None,
        })
    }
}

impl Function {
    /// An empty kernel.
    /// ```
    /// # use girih::gpu::ptx::Function;
    /// assert_eq!(&*Function::entry("k").name, "k");
    /// ```
    pub fn entry(name: &str) -> Function {
        Function {
            linkage: Linkage::Visible,
            is_entry: true,
            name: name.into(),
            returns: Vec::new(),
            params: Vec::new(),
            directives: Vec::new(),
            registers: Vec::new(),
            body: Some(Vec::new()),
        }
    }

    /// Every instruction, those of nested blocks too, in order.
    /// ```
    /// # use girih::gpu::ptx::Function;
    /// assert_eq!(Function::entry("k").instructions().count(), 0);
    /// ```
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        let mut stack: Vec<core::slice::Iter<Statement>> = self.body.iter().map(|b| b.iter()).collect();
        core::iter::from_fn(move || {
            loop {
                match stack.last_mut()?.next() {
                    None => drop(stack.pop()),
                    Some(Statement::Instruction(i)) => return Some(i),
                    Some(Statement::Block(inner)) => stack.push(inner.iter()),
                    Some(_) => {}
                }
            }
        })
    }
}

impl Function {
    /// Every statement, those of nested blocks too, in order.
    pub(crate) fn statements<'a>(&'a self, see: &mut impl FnMut(&'a Statement)) {
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

impl Variable {
    /// A scalar without an initial value.
    /// ```
    /// # use girih::gpu::ptx::{Space, Type, Variable};
    /// assert_eq!(Variable::new(Space::Param, Type::U64, "a").to_string(), ".param .u64 a");
    /// ```
    pub fn new(space: Space, ty: Type, name: &str) -> Variable {
        Variable {
            linkage: Linkage::Local,
            space,
            managed: false,
            align: None,
            ty,
            vector: None,
            pointee: None,
            name: name.into(),
            dims: Vec::new(),
            init: Vec::new(),
        }
    }

    /// How many bytes it has; none for `[]` or past 64 bits.
    /// ```
    /// # use girih::gpu::ptx::{Space, Type, Variable};
    /// let v = Variable { dims: vec![Some(3), Some(5)], ..Variable::new(Space::Const, Type::F64, "c") };
    /// assert_eq!(v.bytes(), Some(120));
    /// ```
    pub fn bytes(&self) -> Option<u64> {
        let element = u64::from(self.ty.bits().div_ceil(8)) * u64::from(self.vector.unwrap_or(1));
        self.dims.iter().try_fold(element, |all, extent| all.checked_mul((*extent)?))
    }

    /// What its begin is a multiple of, in bytes.
    /// ```
    /// # use girih::gpu::ptx::{Space, Type, Variable};
    /// assert_eq!(Variable::new(Space::Const, Type::F64, "c").alignment(), 8);
    /// ```
    pub fn alignment(&self) -> u32 {
        let natural = self.ty.bits().div_ceil(8) * u32::from(self.vector.unwrap_or(1));
        self.align.unwrap_or(natural.next_power_of_two())
    }
}

impl fmt::Display for Linkage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Linkage::Local => "",
            Linkage::Visible => ".visible ",
            Linkage::Extern => ".extern ",
            Linkage::Weak => ".weak ",
            Linkage::Common => ".common ",
        })
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Global => "global",
            Space::Const => "const",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Param => "param",
            Space::Reg => "reg",
        })
    }
}
