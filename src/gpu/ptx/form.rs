//! Rows of the instruction table: a spelling with slots, and what operands go with it.
//!
//! The rows are text, in `forms/*.txt`, close to how the PTX ISA writes its syntax:
//! ```text
//! add{.rnd=rn|rz|rm|rp}{.ftz}{.sat}.f32 ; =f32, f32, f32   ; 1.0
//! mul.wide.type=u16|u32|s16|s32         ; =wide(type), type, type ; 1.0
//! ld.weak{.ss=global|shared}{.vec=v2|v4}.type=b32|f32 ; =type>*vec, [ss] ; 6.0
//! ```
//! A spelling is a mnemonic and slots in PTX's order: `.lit`, `.name=v|w`, in braces if optional; `@8.0/sm_90` after a value, a
//! signature or the row states what it needs. Every product of the values of a row is legal. Operands: `t` read, `=t` written,
//! `+t` both, `%t` a register, never an immediate, `%exact(t)` one declared as just that type; `register(t)` what registers hold of a packed type; `t>` the register may be wider, `t*n` a vector, `=t_` may be the sink `_`, which `_`
//! must be; `#lo..hi` an immediate, `#lo..hi*step` of every so many, `fraction` a float; `!pred` may be negated; `d{|p}` a pair;
//! `[space]` an address; `{, x}` optional, `{slot: , x}` present with the slot.

use super::types::{Requirement, Type};

/// A row of the table.
/// ```
/// # use girih::gpu::ptx::Opcode;
/// let form = Opcode::parse("add.rn.f32")?.form();
/// assert_eq!(form.mnemonic(), "add");
/// assert_eq!(form.slots()[0].values().map(|v| v.name()).collect::<Vec<_>>(), ["rn", "rz", "rm", "rp"]);
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
#[derive(Debug)]
pub struct Form {
    pub(super) mnemonic: &'static str,
    pub(super) slots: Vec<Slot>,
    pub(super) signatures: Vec<Signature>,
    pub(super) requirement: Requirement,
    pub(super) family: &'static str,
    pub(super) line: usize,
}

/// The most slots of a row.
pub(super) const SLOTS: usize = 16;

/// A place in a spelling.
/// ```
/// # use girih::gpu::ptx::Opcode;
/// let add = Opcode::parse("add.rn.f32")?;
/// let ftz = &add.form().slots()[1];
/// assert!(ftz.is_optional() && ftz.name() == "ftz" && ftz.values().count() == 1);
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
#[derive(Debug)]
pub struct Slot {
    pub(super) name: &'static str,
    pub(super) values: Vec<Value>,
    pub(super) optional: bool,
}

/// What may stand in a slot.
/// ```
/// # use girih::gpu::ptx::Opcode;
/// let add = Opcode::parse("add.rn.f32")?;
/// assert_eq!(add.form().slots()[0].values().next().map(|v| v.name()), Some("rn"));
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
#[derive(Debug)]
pub struct Value {
    pub(super) name: &'static str,
    pub(super) requirement: Requirement,
}

/// Operands that go together.
#[derive(Debug)]
pub(super) struct Signature {
    pub operands: Vec<Spec>,
    pub requirement: Requirement,
}

/// An operand of a signature.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Spec {
    pub kind: Kind,
    /// only there if this optional slot is
    pub with: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    Data(Data),
    /// an integer known when assembling, from the first to the second in steps of the third
    Immediate(i64, i64, i64),
    /// a float known when assembling, above 0 and at most 1
    Fraction,
    /// the sink `_`
    Sink,
    Pair(Data, Data),
    Address(In),
    /// of so many coordinates
    Tensor(Count),
    Label,
    /// a branch table
    Labels,
    /// the name of a variable or function
    Symbol,
    /// a special register
    Special,
    /// results, callee, arguments
    Call,
}

/// A register, immediate or vector of them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Data {
    pub ty: Of,
    pub access: Access,
    pub count: Count,
    pub exact: bool,
    pub immediate: bool,
    pub wider: bool,
    pub sink: bool,
    pub negatable: bool,
}

/// What happens to an operand.
/// ```
/// # use girih::gpu::ptx::{Access, Opcode};
/// let add = Opcode::parse("add.f32")?;
/// assert_eq!(add.accesses().next(), Some(vec![Access::Write, Access::Read, Access::Read]));
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// it is read, or is no register
    Read,
    /// it is written, and was not read before
    Write,
    /// both
    ReadWrite,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Of {
    Type(Type),
    Slot(usize),
    /// twice as wide
    Wide(usize),
    /// what its registers hold
    Register(usize),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Count {
    Scalar,
    Vector(u32),
    /// as the slot says: its number, a scalar without it; of a shape `m64n8k16` the accumulators of a thread of a warpgroup
    Slot(usize),
}

/// A state space: of a slot, or always this one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum In {
    Slot(usize),
    Space(&'static str),
}

impl Form {
    /// Every row, in order.
    /// ```
    /// # use girih::gpu::ptx::Form;
    /// assert!(Form::all().any(|form| form.mnemonic() == "fma"));
    /// ```
    pub fn all() -> impl Iterator<Item = &'static Form> {
        super::table::Table::get().forms.iter()
    }

    /// The word before the first dot.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("cp.async.commit_group")?.form().mnemonic(), "cp");
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn mnemonic(&self) -> &'static str {
        self.mnemonic
    }

    /// Its slots, in order.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("add.rn.f32")?.form().slots().len(), 4);
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The file that states it, which is a family of instructions.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("add.rn.f32")?.form().family(), "float");
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn family(&self) -> &'static str {
        self.family
    }

    /// Where in that file it begins, counted from 1.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert!(Opcode::parse("add.rn.f32")?.form().line() > 1);
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn line(&self) -> usize {
        self.line
    }
}

impl Slot {
    /// Its name; a literal's is itself.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("add.rn.f32")?.form().slots()[0].name(), "rnd");
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// May it be left out?
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert!(!Opcode::parse("add.rn.f32")?.form().slots()[3].is_optional());
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// What may stand there.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("add.rn.f32")?.form().slots()[2].values().count(), 1);
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.values.iter()
    }
}

impl Value {
    /// As PTX writes it, without the dot.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("add.rn.f32")?.form().slots()[3].values().next().map(|v| v.name()), Some("f32"));
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What it needs beyond its row.
    /// ```
    /// # use girih::gpu::ptx::{Opcode, Target};
    /// let needs = Opcode::parse("add.rn.f32")?.form().slots()[0].values().next().map(|v| v.requirement().clone());
    /// assert!(needs.unwrap_or_default().version_for(Target::SM_80).is_some());
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn requirement(&self) -> &Requirement {
        &self.requirement
    }
}

/// A row that could not be read: what is wrong with it.
pub(super) type Fault = String;

impl Form {
    /// Reads a row.
    pub(super) fn parse(row: &'static str, family: &'static str, line: usize) -> Result<Form, Fault> {
        let mut parts = row.split(';').map(str::trim);
        let (spelling, signatures, requirement) = match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(a), Some(b), Some(c), None) => (a, b, c),
            _ => return Err("a row is `spelling ; operands ; requirement`".into()),
        };
        let end = spelling.find(['.', '{']).unwrap_or(spelling.len());
        let (mnemonic, rest) = spelling.split_at(end);
        let slots = slots(rest)?;
        if slots.len() > SLOTS {
            return Err(format!("{} slots, at most {SLOTS}", slots.len()));
        }
        let mut form = Form {
            mnemonic,
            slots,
            signatures: Vec::new(),
            requirement: requirement.parse().map_err(|()| format!("requirement `{requirement}`"))?,
            family,
            line,
        };
        for signature in signatures.split(" | ") {
            let (operands, requirement) = match signature.rsplit_once(" @") {
                Some((operands, requirement)) => (operands, parse_requirement(requirement)?),
                None => (signature, Requirement::default()),
            };
            for operands in expand(operands.trim())? {
                let operands = operands.iter().map(|o| form.spec(o)).collect::<Result<Vec<_>, _>>()?;
                form.signatures.push(Signature { operands, requirement: requirement.clone() });
            }
        }
        Ok(form)
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.name == name)
    }

    fn spec(&self, (with, text): &(Option<&'static str>, &'static str)) -> Result<Spec, Fault> {
        let with = match with {
            Some(name) => Some(self.slot(name).ok_or_else(|| format!("no slot `{name}`"))?),
            None => None,
        };
        Ok(Spec { kind: self.kind(text)?, with })
    }

    fn kind(&self, text: &'static str) -> Result<Kind, Fault> {
        if let Some(space) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            if let Some(dims) = space.strip_prefix("tensor:") {
                return self.count(dims).map(Kind::Tensor);
            }
            return Ok(Kind::Address(self.slot(space).map_or(In::Space(space), In::Slot)));
        }
        if let Some(range) = text.strip_prefix('#').map(str::trim) {
            let bound = |t: &str| t.parse::<i64>().map_err(|_| format!("immediate `{text}`"));
            let (range, step) = range.split_once('*').unwrap_or((range, "1"));
            return match range.split_once("..") {
                Some((lo, hi)) => Ok(Kind::Immediate(bound(lo)?, bound(hi)?, bound(step)?)),
                None if range.is_empty() => Ok(Kind::Immediate(i64::MIN, i64::MAX, 1)),
                None => Ok(Kind::Immediate(bound(range)?, bound(range)?, 1)),
            };
        }
        Ok(match text {
            "label" => Kind::Label,
            "labels" => Kind::Labels,
            "symbol" => Kind::Symbol,
            "sreg" => Kind::Special,
            "call" => Kind::Call,
            "_" => Kind::Sink,
            "fraction" => Kind::Fraction,
            _ => match text.split_once('|') {
                // `a|b`, or `a{|b}` read as the pair
                Some((first, second)) => {
                    Kind::Pair(self.data(first.trim_end_matches('{'))?, self.data(second.trim_end_matches('}'))?)
                }
                None => Kind::Data(self.data(text)?),
            },
        })
    }

    fn count(&self, text: &str) -> Result<Count, Fault> {
        match (text.parse(), self.slot(text)) {
            (Ok(n), _) => Ok(Count::Vector(n)),
            (_, Some(slot)) => Ok(Count::Slot(slot)),
            _ => Err(format!("count `{text}`")),
        }
    }

    fn data(&self, text: &'static str) -> Result<Data, Fault> {
        let mut data = Data {
            ty: Of::Type(Type::Pred),
            access: Access::Read,
            count: Count::Scalar,
            exact: false,
            immediate: true,
            wider: false,
            sink: false,
            negatable: false,
        };
        let mut rest = text;
        for (mark, access) in [("=", Access::Write), ("+", Access::ReadWrite)] {
            if let Some(t) = rest.strip_prefix(mark) {
                (rest, data.access, data.immediate) = (t, access, false);
            }
        }
        if let Some(t) = rest.strip_prefix('%') {
            (rest, data.immediate) = (t, false);
        }
        if let Some(t) = rest.strip_prefix('!') {
            (rest, data.negatable) = (t, true);
        }
        if let Some((t, count)) = rest.split_once('*') {
            rest = t;
            data.count = self.count(count)?;
        }
        while let Some(mark) = rest.chars().last().filter(|c| ['>', '_'].contains(c)) {
            rest = &rest[..rest.len() - 1];
            match mark {
                '>' => data.wider = true,
                _ => data.sink = true,
            }
        }
        let within = |f: &str| rest.strip_prefix(f)?.strip_prefix('(')?.strip_suffix(')');
        let slot = |name: &str| self.slot(name).ok_or_else(|| format!("no slot `{name}`"));
        if let Some(inner) = within("exact") {
            (rest, data.exact) = (inner, true);
        }
        data.ty = if let Some(inner) = within("wide") {
            Of::Wide(slot(inner)?)
        } else if let Some(inner) = within("register") {
            Of::Register(slot(inner)?)
        } else if let Some(slot) = self.slot(rest) {
            Of::Slot(slot)
        } else {
            Of::Type(rest.parse().map_err(|()| format!("neither a slot nor a type: `{rest}`"))?)
        };
        if let Of::Slot(slot) | Of::Wide(slot) | Of::Register(slot) = data.ty
            && let Some(value) = self.slots[slot].values.iter().find(|v| v.name.parse::<Type>().is_err())
        {
            return Err(format!("`{}` of slot `{rest}` is no type", value.name));
        }
        Ok(data)
    }
}

fn parse_requirement(text: &str) -> Result<Requirement, Fault> {
    text.trim().parse().map_err(|()| format!("requirement `{text}`"))
}

/// The slots of `{.a}.b=c|d...`.
fn slots(mut rest: &'static str) -> Result<Vec<Slot>, Fault> {
    let mut slots = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(slots);
        }
        let (body, optional) = if let Some(inner) = rest.strip_prefix("{.") {
            let end = inner.find('}').ok_or("an open brace")?;
            rest = &inner[end + 1..];
            (&inner[..end], true)
        } else {
            let inner = rest.strip_prefix('.').ok_or_else(|| format!("a dot at `{rest}`"))?;
            // a requirement has dots of its own: a slot ends at the next dot that no version number holds
            let end = slot_end(inner);
            rest = &inner[end..];
            (&inner[..end], false)
        };
        let (name, values) = match body.split_once('=') {
            Some((name, values)) => (name.trim(), values),
            None => ("", body),
        };
        let values = values.split('|').map(value).collect::<Result<Vec<_>, _>>()?;
        let name = if name.is_empty() { values[0].name } else { name };
        slots.push(Slot { name, values, optional });
    }
}

/// Where a required slot ends: at a brace, or at a dot that is not in `@8.0`.
fn slot_end(text: &str) -> usize {
    let mut in_version = false;
    for (i, c) in text.char_indices() {
        match c {
            '@' => in_version = true,
            '{' => return i,
            '.' if in_version && text[..i].ends_with(|c: char| c.is_ascii_digit()) && !version_done(&text[..i]) => {}
            '.' => return i,
            '|' => in_version = false,
            _ => {}
        }
    }
    text.len()
}

/// Has the version after the last `@`, `+` its dot already, or has its target begun?
fn version_done(text: &str) -> bool {
    let last = text.rfind(['@', '+']).map_or("", |at| &text[at + 1..]);
    last.contains('.') || last.contains('/') || last.starts_with("sm_")
}

fn value(text: &'static str) -> Result<Value, Fault> {
    let text = text.trim();
    let (name, requirement) = match text.split_once('@') {
        Some((name, requirement)) => (name, parse_requirement(requirement)?),
        None => (text, Requirement::default()),
    };
    let legal = |c: char| c.is_ascii_alphanumeric() || "_:.".contains(c);
    if name.is_empty() || !name.chars().all(legal) {
        return Err(format!("value `{text}`"));
    }
    Ok(Value { name, requirement })
}

/// An operand's text, and the optional slot that it comes with.
type Part = (Option<&'static str>, &'static str);

/// The operand lists that optional groups stand for.
fn expand(text: &'static str) -> Result<Vec<Vec<Part>>, Fault> {
    let mut all = vec![Vec::new()];
    let mut rest = text;
    while !rest.is_empty() {
        rest = rest.trim_start_matches([',', ' ']);
        if let Some(inner) = rest.strip_prefix('{') {
            let end = inner.find('}').ok_or("an open brace")?;
            let (group, with) = match inner[..end].split_once(": ,") {
                Some((slot, operands)) => (operands, Some(slot)),
                None => (inner[..end].strip_prefix(',').ok_or("`{, x}` or `{slot: , x}`")?, None),
            };
            rest = &inner[end + 1..];
            let longer = group
                .split(',')
                .fold(all.clone(), |all, o| append(&all, with, &o.trim().split('/').collect::<Vec<_>>()));
            match with {
                Some(_) => all = longer,
                None => all.extend(longer),
            }
            continue;
        }
        // up to the comma or group after it; a pair's brace belongs to the operand
        let end = operand_end(rest);
        let operand = rest[..end].trim();
        rest = &rest[end..];
        let choices: Vec<&'static str> = match operand.split_once("{|") {
            Some((first, _)) => vec![first, operand],
            None => operand.split('/').map(str::trim).collect(),
        };
        all = append(&all, None, &choices);
    }
    Ok(all)
}

/// Each list with each choice at its end.
fn append(all: &[Vec<Part>], with: Option<&'static str>, choices: &[&'static str]) -> Vec<Vec<Part>> {
    choices.iter().flat_map(|c| all.iter().map(move |a| [a.clone(), vec![(with, *c)]].concat())).collect()
}

fn operand_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b',' => return i,
            b'{' if bytes.get(i + 1) == Some(&b'|') => i += text[i..].find('}').unwrap_or(0),
            b'{' => return i,
            _ => {}
        }
        i += 1;
    }
    text.len()
}
