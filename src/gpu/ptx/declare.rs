//! What `ptxas` refuses of declarations: each alone, and two of one name.

use super::module::{Directive, Function, Init, Linkage, Space, Variable};
use super::names::{Named, Names};
use super::types::Type;

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Role {
    Module,
    Body,
    /// of a kernel
    Argument,
    /// of a device function
    Parameter,
    Result,
}

/// What is wrong with a declaration.
pub(super) type Faults = Vec<&'static str>;

/// A rule that does not hold adds its words.
fn hold(rules: &[(bool, &'static str)]) -> Faults {
    rules.iter().filter(|(holds, _)| !holds).map(|(_, why)| *why).collect()
}

/// What is wrong with a variable but for what its initial values name.
pub(super) fn variable(v: &Variable, role: Role) -> Faults {
    let of = |space| v.space == space;
    let external = v.linkage == Linkage::Extern;
    let power = |align: Option<u32>| align.is_none_or(u32::is_power_of_two);
    let complete = match v.dims.first() {
        Some(None) => !v.init.is_empty(),
        Some(Some(0)) => false,
        _ => true,
    };
    let scalar = v.dims.is_empty();
    let parameter = !matches!(role, Role::Module | Role::Body);
    let lies = match role {
        Role::Module => matches!(v.space, Space::Global | Space::Const | Space::Shared),
        Role::Body => !of(Space::Reg),
        Role::Argument => of(Space::Param),
        Role::Parameter | Role::Result => matches!(v.space, Space::Param | Space::Reg),
    };
    hold(&[
        (lies, "it may not lie in this state space here"),
        (power(v.align), "an alignment is a power of two"),
        (power(v.pointee.and_then(|p| p.align)), "an alignment is a power of two"),
        (
            !of(Space::Param) || role == Role::Argument || v.align.is_none_or(|align| align <= 128),
            "parameters are aligned to at most 128 bytes",
        ),
        (v.ty != Type::Pred || of(Space::Reg), "a predicate lies in a register"),
        (v.ty.bits() * u32::from(v.vector.unwrap_or(1)) <= 128, "a vector has at most 128 bits"),
        (!of(Space::Param) || !scalar || v.vector.is_none() && v.ty != Type::F16x2, "a parameter is no vector"),
        (!of(Space::Reg) || scalar, "a register is no array"),
        (!parameter || v.dims.len() < 2, "a parameter has one extent"),
        (complete || external || role == Role::Parameter, "an array without elements is `.extern`"),
        (v.dims.iter().skip(1).all(|extent| extent.is_some_and(|n| n > 0)), "inner extents are known and above 0"),
        (!v.managed || of(Space::Global) && !parameter, "only a variable in global memory is managed"),
        (v.pointee.is_none() || role == Role::Argument, "`.ptr` is of a kernel's parameter"),
        (
            !matches!(v.pointee.and_then(|p| p.space), Some(Space::Param | Space::Reg)),
            "a pointer is to global, constant, shared or local memory",
        ),
        (v.linkage == Linkage::Local || role == Role::Module, "only a module's variables have a linkage"),
        (v.linkage != Linkage::Common || of(Space::Global), "a common variable lies in global memory"),
        (v.init.is_empty() || !external, "an external variable has no initial value"),
        (
            v.init.is_empty() || matches!(v.space, Space::Global | Space::Const) && !parameter,
            "only a variable in global or constant memory has an initial value",
        ),
    ])
    .into_iter()
    .chain((!v.init.is_empty()).then(|| values(v)).flatten())
    .collect()
}

/// Do the initial values have the variable's shape and type?
fn values(v: &Variable) -> Option<&'static str> {
    match (v.dims.is_empty(), v.vector, &v.init[..]) {
        (true, None, [one]) => value(one, v.ty),
        (true, None, _) => Some("a scalar has one initial value"),
        (_, vector, list) => elements(list, &v.dims, vector, v.ty),
    }
}

/// Elements of an array of these extents, or of a vector.
fn elements(list: &[Init], dims: &[Option<u64>], vector: Option<u8>, ty: Type) -> Option<&'static str> {
    let inner = match (dims, vector) {
        ([extent, inner @ ..], _) => {
            if extent.is_some_and(|n| (list.len() as u64) > n) {
                return Some("more initial values than elements");
            }
            Some(inner).filter(|inner| !inner.is_empty() || vector.is_some())
        }
        ([], Some(n)) if list.len() != usize::from(n) => return Some("a vector has an initial value for each element"),
        ([], _) => None,
    };
    list.iter().find_map(|init| match (inner, init) {
        (Some(inner), Init::List(of)) => elements(of, inner, vector, ty),
        (None, Init::List(_)) | (Some(_), _) => Some("its initial values are nested otherwise than it"),
        (None, one) => value(one, ty),
    })
}

fn value(init: &Init, ty: Type) -> Option<&'static str> {
    let bits = matches!(ty, Type::B8 | Type::B16 | Type::B32 | Type::B64 | Type::B128);
    let fits = match init {
        Init::Int(_) => !ty.is_float(),
        Init::F32(_) | Init::F64(_) => bits || matches!(ty, Type::F32 | Type::F64),
        Init::Symbol { .. } => matches!(ty, Type::U32 | Type::U64),
        Init::Masked { .. } => matches!(ty, Type::U8 | Type::U32 | Type::U64),
        Init::List(_) => return Some("its initial values are nested otherwise than it"),
    };
    let byte = |mask: u64| mask.trailing_zeros().is_multiple_of(8) && mask >> mask.trailing_zeros().min(63) == 0xFF;
    match init {
        _ if !fits => Some("its initial value is of another type"),
        Init::Masked { mask, .. } if !byte(*mask) => Some("a mask is of one byte of the address"),
        Init::Masked { of, .. } if !matches!(**of, Init::Symbol { .. }) => Some("a mask is of an address"),
        _ => None,
    }
}

/// What is wrong with the address that an initial value is.
pub(super) fn address(name: &str, offset: i64, generic: bool, names: &Names) -> Option<&'static str> {
    match names.find(name)? {
        Named::Variable { space: Space::Global | Space::Const, .. } => None,
        Named::Function { .. } if offset == 0 && !generic => None,
        Named::Function { .. } => Some("a function's address is neither generic nor added to"),
        _ => Some("its initial value is no address of global or constant memory, or of a function"),
    }
}

/// What is wrong with a function's head but for its parameters.
pub(super) fn head(f: &Function) -> Faults {
    let registers = f.returns.iter().all(|v| v.space == Space::Reg);
    hold(&[
        (!f.is_entry || f.returns.is_empty(), "a kernel returns nothing"),
        (f.returns.len() < 2 || registers, "several results are returned in registers"),
        (f.linkage != Linkage::Common, "a function is not common"),
        (f.linkage != Linkage::Extern || f.body.is_none(), "an external function has no body"),
        (!f.is_entry || f.body.is_some() || f.directives.is_empty(), "a kernel's declaration has no directives"),
    ])
}

/// What is wrong with a directive of a function.
pub(super) fn directive(f: &Function, directive: &Directive) -> Faults {
    use Directive::*;
    let has = |is: fn(&Directive) -> bool| f.directives.iter().any(is);
    let of_function = matches!(directive, Noreturn | AbiPreserve(_) | AbiPreserveControl(_));
    let above_zero = match directive {
        Maxntid(extents) | Reqntid(extents) => !extents.contains(&0),
        Minnctapersm(n) | Maxnreg(n) => *n > 0,
        _ => true,
    };
    let alone = match directive {
        Maxntid(_) => !has(|d| matches!(d, Reqntid(_))),
        Maxclusterrank(_) => !has(|d| matches!(d, Reqnctapercluster(_))),
        _ => true,
    };
    let clusters = has(|d| matches!(d, Reqntid(_))) && has(|d| matches!(d, Reqnctapercluster(_)));
    hold(&[
        (!of_function || !f.is_entry, "it is of device functions"),
        (of_function || f.is_entry, "it is of kernels"),
        (above_zero, "its extents are above 0"),
        (alone, "an exact number and a bound exclude each other"),
        (*directive != Blocksareclusters || clusters, "it needs `.reqntid` and `.reqnctapercluster`"),
        (!matches!(directive, Maxnctapersm(_)), "PTX has it no more; use `.minnctapersm`"),
        (*directive != Noreturn || f.returns.is_empty(), "a function with results returns"),
    ])
}

/// May the second of two variables of one name stand after the first? What is defined twice is found elsewhere.
pub(super) fn same_variable(first: &Variable, second: &Variable) -> bool {
    let extents = first.dims.len() == second.dims.len()
        && first.dims.iter().zip(&second.dims).all(|(a, b)| a == b || a.is_none() || b.is_none());
    let hidden = first.linkage == Linkage::Extern && second.linkage == Linkage::Local;
    first.ty == second.ty && first.vector == second.vector && extents && !hidden
}

/// May the second of two functions of one name stand after the first?
pub(super) fn same_function(first: &Function, second: &Function) -> bool {
    let linkage = first.linkage == second.linkage
        || second.linkage == Linkage::Local && matches!(first.linkage, Linkage::Visible | Linkage::Weak);
    let returns = |f: &Function| !f.directives.contains(&Directive::Noreturn);
    linkage
        && first.is_entry == second.is_entry
        && returns(first) == returns(second)
        && first.body.is_none()
        && same_prototype(first, second)
}

/// Do both take and return the same?
pub(super) fn same_prototype(first: &Function, second: &Function) -> bool {
    let same = |a: &[Variable], b: &[Variable]| {
        let one = |(a, b): (&Variable, &Variable)| {
            (a.space, a.ty, a.vector, &a.dims, a.alignment()) == (b.space, b.ty, b.vector, &b.dims, b.alignment())
        };
        a.len() == b.len() && a.iter().zip(b).all(one)
    };
    same(&first.params, &second.params) && same(&first.returns, &second.returns)
}
