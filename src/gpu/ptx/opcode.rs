//! An opcode: a row of the table with a choice for each of its slots.

use super::form::{Access, Count, Data, Form, In, Kind, Of, SLOTS, Signature, Slot};
use super::table::Table;
use super::types::{Requirement, Target, Type, Version};
use core::fmt;
use core::str::FromStr;

/// A mnemonic with its qualifiers, as `add.rn.ftz.f32`: a legal spelling, and no other.
/// ```
/// use girih::gpu::ptx::{Opcode, Target, Type, Version};
/// let op = Opcode::parse("fma.rn.bf16x2")?;
/// assert_eq!((op.mnemonic(), op.get("rnd")), ("fma", Some("rn")));
/// assert_eq!(op.version_for(Target::SM_80), Some(Version(7, 0)));
/// assert_eq!(Opcode::parse("add.rm.f16").unwrap_err().to_string(), "no instruction `add.rm.f16`; the nearest is `add.rn.f16`");
/// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Opcode {
    form: &'static Form,
    /// 0 for a slot that is left out, else one more than its value's place
    choice: [u8; SLOTS],
}

/// There is no such instruction.
/// ```
/// # use girih::gpu::ptx::Opcode;
/// let e = Opcode::parse("addd.f32").unwrap_err();
/// assert_eq!(e.nearest.as_deref(), Some("add.f32"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpcodeError {
    /// what was asked for
    pub spelling: String,
    /// the legal spelling that is most like it
    pub nearest: Option<String>,
}

impl fmt::Display for OpcodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no instruction `{}`", self.spelling)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; the nearest is `{nearest}`"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for OpcodeError {}

impl Opcode {
    /// The opcode of a spelling; qualifiers stand in the order that the PTX ISA gives.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("add.rn.f32")?.to_string(), "add.rn.f32");
    /// assert!(Opcode::parse("add.f32.rn").is_err());
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    ///
    /// # Errors
    /// With the nearest legal spelling.
    pub fn parse(spelling: &str) -> Result<Opcode, OpcodeError> {
        let end = spelling.find('.').unwrap_or(spelling.len());
        let (mnemonic, rest) = spelling.split_at(end);
        for form in Table::get().of(mnemonic) {
            let mut choice = [0; SLOTS];
            if choose(&form.slots, rest, &mut choice) {
                return Ok(Opcode { form, choice });
            }
        }
        Err(OpcodeError { spelling: spelling.into(), nearest: super::nearest::nearest(spelling) })
    }

    /// Every legal opcode.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert!(Opcode::all().count() > 5000);
    /// ```
    pub fn all() -> impl Iterator<Item = Opcode> {
        Table::get().forms.iter().flat_map(Opcode::of_form)
    }

    /// Every choice of the slots of one row.
    fn of_form(form: &'static Form) -> impl Iterator<Item = Opcode> {
        // a number with one digit for each slot
        let mut next = Some(core::array::from_fn(|i| form.slots.get(i).map_or(0, |slot| !slot.optional as u8)));
        core::iter::from_fn(move || {
            let choice: [u8; SLOTS] = next?;
            next = None;
            let mut more = choice;
            for (digit, slot) in more.iter_mut().zip(&form.slots) {
                if (*digit as usize) < slot.values.len() {
                    *digit += 1;
                    next = Some(more);
                    break;
                }
                *digit = !slot.optional as u8;
            }
            Some(Opcode { form, choice })
        })
    }

    /// Its row.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("add.f32")?.form().mnemonic(), "add");
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn form(&self) -> &'static Form {
        self.form
    }

    /// The word before the first dot.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("ret")?.mnemonic(), "ret");
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn mnemonic(&self) -> &'static str {
        self.form.mnemonic
    }

    /// What stands in the slot of this name.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// let add = Opcode::parse("add.rz.f32")?;
    /// assert_eq!((add.get("rnd"), add.get("ftz"), add.get("f32")), (Some("rz"), None, Some("f32")));
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn get(&self, slot: &str) -> Option<&'static str> {
        self.chosen(self.form.slots.iter().position(|s| s.name == slot)?)
    }

    /// Is the slot or literal of this name there?
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert!(Opcode::parse("add.ftz.f32")?.has("ftz"));
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn has(&self, slot: &str) -> bool {
        self.get(slot).is_some()
    }

    /// The type in the slot of this name.
    /// ```
    /// # use girih::gpu::ptx::{Opcode, Type};
    /// assert_eq!(Opcode::parse("add.s64")?.type_of("type"), Some(Type::S64));
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn type_of(&self, slot: &str) -> Option<Type> {
        self.get(slot)?.parse().ok()
    }

    /// Its qualifiers, in order.
    /// ```
    /// # use girih::gpu::ptx::Opcode;
    /// assert_eq!(Opcode::parse("add.rn.ftz.f32")?.qualifiers().collect::<Vec<_>>(), ["rn", "ftz", "f32"]);
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn qualifiers(&self) -> impl Iterator<Item = &'static str> {
        (0..self.form.slots.len()).filter_map(|i| self.chosen(i))
    }

    /// The lowest version of PTX that has it on this target; none if the target has it not at all.
    /// ```
    /// # use girih::gpu::ptx::{Opcode, Target};
    /// assert_eq!(Opcode::parse("add.bf16x2")?.version_for(Target::SM_80), None);
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn version_for(&self, target: Target) -> Option<Version> {
        self.requirements().map(|r| r.version_for(target)).try_fold(target.version(), |all, v| Some(all.max(v?)))
    }

    /// What it needs, all of them.
    fn requirements(&self) -> impl Iterator<Item = &'static Requirement> {
        let form = self.form;
        let values = form.slots.iter().zip(self.choice).filter(|(_, c)| *c > 0);
        let values = values.map(|(slot, c)| &slot.values[c as usize - 1].requirement);
        core::iter::once(&form.requirement).chain(values)
    }

    /// What it needs that this target does not have.
    pub(super) fn lacking(&self, target: Target) -> Option<&'static Requirement> {
        self.requirements().find(|r| r.version_for(target).is_none())
    }

    /// How each of its lists of operands uses them. Vectors count as one operand, `d|p` as one that is written.
    /// ```
    /// # use girih::gpu::ptx::{Access, Opcode};
    /// let st = Opcode::parse("st.global.f32")?;
    /// assert_eq!(st.accesses().next(), Some(vec![Access::Read, Access::Read]));
    /// # Ok::<(), girih::gpu::ptx::OpcodeError>(())
    /// ```
    pub fn accesses(&self) -> impl Iterator<Item = Vec<Access>> {
        self.signatures().map(|(_, operands)| {
            let access = |kind: &Kind| match kind {
                Kind::Data(data) | Kind::Pair(data, _) => data.access,
                _ => Access::Read,
            };
            operands.into_iter().map(access).collect()
        })
    }

    pub(super) fn chosen(&self, slot: usize) -> Option<&'static str> {
        let value = (self.choice[slot] as usize).checked_sub(1)?;
        Some(self.form.slots[slot].values[value].name)
    }

    /// Its lists of operands: those that come with slots left out are not there.
    pub(super) fn signatures(&self) -> impl Iterator<Item = (&'static Signature, Vec<&'static Kind>)> {
        let present = |with: &Option<usize>| with.is_none_or(|slot| self.choice[slot] > 0);
        self.form.signatures.iter().map(move |signature| {
            (signature, signature.operands.iter().filter(|o| present(&o.with)).map(|o| &o.kind).collect())
        })
    }

    /// The type of an operand.
    pub(super) fn ty(&self, data: &Data) -> Type {
        let slot = |slot| self.chosen(slot).and_then(|name| name.parse::<Type>().ok());
        let ty = match data.ty {
            Of::Type(ty) => Some(ty),
            Of::Slot(i) => slot(i),
            Of::Wide(i) => slot(i).and_then(Type::wide),
            Of::Register(i) => slot(i).map(Type::register),
        };
        // a row whose type is in an optional slot falls back to untyped words
        ty.unwrap_or(Type::B32)
    }

    /// How many registers a vector has; none for a scalar.
    pub(super) fn count(&self, data: &Data) -> Option<u32> {
        match data.count {
            Count::Scalar => None,
            Count::Vector(n) => Some(n),
            Count::Slot(slot) => {
                let value = self.chosen(slot)?;
                // 64 x N values are spread over 128 threads, pairs of halves in one register
                let packed = if self.ty(data) == Type::F16x2 { 2 } else { 1 };
                columns(value).map(|n| n / 2 / packed).or_else(|| number(value))
            }
        }
    }

    /// The state space of an address.
    pub(super) fn space(&self, space: In) -> &'static str {
        match space {
            In::Space(space) => space,
            In::Slot(slot) => self.chosen(slot).unwrap_or("generic"),
        }
    }

    /// The coordinates of a tensor address.
    pub(super) fn dims(&self, count: Count) -> u32 {
        match count {
            Count::Scalar => 1,
            Count::Vector(n) => n,
            Count::Slot(slot) => self.chosen(slot).and_then(number).unwrap_or(1),
        }
    }
}

/// N of `m64n8k16`.
fn columns(shape: &str) -> Option<u32> {
    shape.strip_prefix("m64n")?.split_once('k')?.0.parse().ok()
}

/// The number in `v4`, `x2`, `3d`.
fn number(value: &str) -> Option<u32> {
    value.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok()
}

/// Do the slots spell `rest`? Chooses their values.
fn choose(slots: &[Slot], rest: &str, choice: &mut [u8]) -> bool {
    let Some((slot, more)) = slots.split_first() else { return rest.is_empty() };
    for (i, value) in slot.values.iter().enumerate() {
        if let Some(rest) = rest.strip_prefix('.').and_then(|r| r.strip_prefix(value.name))
            && (rest.is_empty() || rest.starts_with('.'))
            && choose(more, rest, &mut choice[1..])
        {
            choice[0] = i as u8 + 1;
            return true;
        }
    }
    choice[0] = 0;
    slot.optional && choose(more, rest, &mut choice[1..])
}

impl PartialEq for Opcode {
    fn eq(&self, other: &Opcode) -> bool {
        core::ptr::eq(self.form, other.form) && self.choice == other.choice
    }
}

impl Eq for Opcode {}

impl core::hash::Hash for Opcode {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        core::ptr::hash(self.form, state);
        self.choice.hash(state);
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.form.mnemonic)?;
        self.qualifiers().try_for_each(|q| write!(f, ".{q}"))
    }
}

impl fmt::Debug for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Opcode {
    type Err = OpcodeError;

    fn from_str(spelling: &str) -> Result<Opcode, OpcodeError> {
        Opcode::parse(spelling)
    }
}
