//! Which version of PTX and which target the parts of a module need.

use super::check::{CheckError, CheckFault, bytes_of, instruction_text};
use super::instruction::Instruction;
use super::module::{Directive, Function, Init, Item, Linkage, Module, Statement, Variable};
use super::types::{Target, Type, Version};

/// What a kernel may have of parameters before PTX 8.1.
const SMALL_PARAMETERS: u64 = 4352;

/// A part of a module and what it needs.
pub(super) struct Need<'a> {
    pub function: Option<&'a Function>,
    pub instruction: Option<&'a Instruction>,
    pub what: String,
    /// the first version that has it on the module's target
    pub version: Option<Version>,
    /// if none has
    pub lacking: String,
}

impl Module {
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
    pub(super) fn needs(&self) -> Vec<Need<'_>> {
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
