//! A kernel around each instruction: loads its sources from columns of 64-bit slots, runs it, stores its results.

use super::inputs::{Element, Kind};
use crate::gpu::ptx::{Access, Data, Instruction, Opcode, Operand, Place, Reg, Target, Type};
use crate::gpu::sim::pure::{Pure, pure};
use core::fmt::Write;

pub enum Source {
    /// of the next column
    Column(Kind),
    /// an immediate
    Constant(u64),
}

pub struct Case {
    pub instruction: Instruction,
    /// what the carry flag was made by, if it is read
    pub after: &'static str,
    pub pure: Pure,
    pub sources: Vec<Source>,
    /// bits of each result; none for one that is not stored
    pub results: Vec<Option<u32>>,
    body: String,
}

impl Case {
    pub fn kinds(&self) -> Vec<Kind> {
        let kind = |s: &Source| match s {
            Source::Column(kind) => Some(*kind),
            Source::Constant(_) => None,
        };
        self.sources.iter().filter_map(kind).collect()
    }

    /// The kernel of this number, for columns of so many slots.
    pub fn kernel(&self, number: usize, slots: usize) -> String {
        let mut body = String::new();
        for (i, piece) in self.body.split("column<").enumerate() {
            match piece.split_once('>') {
                Some((column, rest)) if i > 0 => {
                    let _ = write!(body, "{}{rest}", column.parse().map_or(0, |c: usize| c * slots * 8));
                }
                _ => body.push_str(piece),
            }
        }
        format!(
            ".visible .entry k{number}(.param .u64 in, .param .u64 out) {{\n.reg .b64 %a, %b, %o; .reg .b32 %t0, %t1, %t2, %c;\n\
             ld.param.u64 %a, [in]; ld.param.u64 %b, [out];\n\
             mov.u32 %t0, %ctaid.x; mov.u32 %t1, %ntid.x; mov.u32 %t2, %tid.x; mad.lo.u32 %t0, %t0, %t1, %t2;\n\
             mul.wide.u32 %o, %t0, 8; add.u64 %a, %a, %o; add.u64 %b, %b, %o;\n{body}ret;\n}}\n"
        )
    }
}

/// All cases of the opcodes whose spelling has `filter` in it, or that are of a family of that name.
pub fn cases(filter: &str) -> Vec<Case> {
    let chosen = |op: &Opcode| op.form().family() == filter || op.to_string().contains(filter);
    let mut all = Vec::new();
    for op in Opcode::all().filter(|op| op.version_for(Target::SM_90A).is_some()).filter(chosen) {
        for places in op.places() {
            for variant in 0..variants(&op, &places) {
                let afters: &[&str] = if reads_carry(&op) { &["add.cc", "sub.cc"] } else { &[""] };
                all.extend(afters.iter().filter_map(|after| Builder::default().case(op, &places, variant, after)));
            }
        }
    }
    all
}

fn reads_carry(op: &Opcode) -> bool {
    matches!(op.mnemonic(), "addc" | "subc" | "madc")
}

/// How often a list of operands is tried: with several immediates, or with registers of the type's width and of 64 bits.
fn variants(op: &Opcode, places: &[Place]) -> usize {
    // ptxas stumbles over its own expansion of these into a wider register
    if op.has("ftz") && op.to_string().ends_with(".f32.f64") {
        return 1;
    }
    let variants = |p: &Place| match p {
        Place::Immediate(range, _) => (range.end().saturating_sub(*range.start())).clamp(0, 15) as usize + 1,
        Place::Scalar(Data { wider: true, .. }) => 2,
        _ => 1,
    };
    places.iter().map(variants).max().unwrap_or(1)
}

#[derive(Default)]
struct Builder {
    registers: u32,
    declared: String,
    load: String,
    store: String,
    columns: usize,
    sources: Vec<Source>,
    results: Vec<Option<u32>>,
}

impl Builder {
    fn case(mut self, op: Opcode, places: &[Place], variant: usize, after: &'static str) -> Option<Case> {
        let mut operands = Vec::new();
        for (i, place) in places.iter().enumerate() {
            operands.push(self.operand(&op, i, place, variant)?);
        }
        // ptxas folds this to all ones for every source, where the ISA has the sign
        if op.to_string() == "bfe.s32" && matches!(operands[..], [.., Operand::Int(32..), Operand::Int(1..)]) {
            return None;
        }
        let instruction = Instruction::new(op, operands).ok().filter(|i| i.version_for(Target::SM_90A).is_some())?;
        let pure = pure(&instruction)?;
        let mut body = String::new();
        if reads_carry(&op) {
            let column = self.column(Kind { element: Element::Predicate, parts: 1, bits: 1 });
            let make = if after == "add.cc" { "add.cc.u32 %t0, %t0, -1;" } else { "sub.cc.u32 %t0, %t0, 1;" };
            let _ = writeln!(body, "ld.global.b32 %t0, [%a+column<{column}>];\n{make}");
        }
        let _ = writeln!(body, "{instruction}");
        if op.has("cc") {
            let column = self.result(1);
            let _ = writeln!(body, "addc.u32 %c, 0, 0;\nst.global.b32 [%b+column<{column}>], %c;");
        }
        let Builder { declared, load, store, sources, results, .. } = self;
        Some(Case { instruction, after, pure, sources, results, body: declared + &load + &body + &store })
    }

    fn operand(&mut self, op: &Opcode, index: usize, place: &Place, variant: usize) -> Option<Operand> {
        Some(match place {
            Place::Scalar(data) => self.data(op, index, data, variant),
            Place::Vector(data, n) => Operand::Vector((0..*n).map(|_| self.data(op, index, data, variant)).collect()),
            Place::Pair(a, b) => {
                Operand::Pair(Box::new([self.data(op, index, a, variant), self.data(op, index, b, variant)]))
            }
            Place::Immediate(range, step) => {
                const SOME: [i64; 16] = [0xe8, 0, 1, 0x80, 0xff, 0x96, 0xca, 31, 32, 0x3c, 0x69, 64, 33, 0xcc, 0x5f, 8];
                let small = range.start() + variant as i64 * step;
                let immediate = if *range == (0..=255) { SOME[variant] } else { small };
                if !range.contains(&immediate) {
                    return None;
                }
                self.sources.push(Source::Constant(immediate as u64));
                immediate.into()
            }
            Place::Sink => {
                self.results.push(None);
                Operand::Sink
            }
            _ => return None,
        })
    }

    fn data(&mut self, op: &Opcode, index: usize, data: &Data, variant: usize) -> Operand {
        let ty = match data.ty.register() {
            ty if data.exact || ty == Type::Pred => ty,
            ty => match if data.wider && variant > 0 { 64 } else { ty.bits() } {
                8 => Type::B8,
                16 => Type::B16,
                32 => Type::B32,
                64 => Type::B64,
                _ => Type::B128,
            },
        };
        let reg = Reg { id: self.registers, ty };
        self.registers += 1;
        let name = name(reg);
        let _ = writeln!(self.declared, ".reg .{ty} {name};");
        if data.access != Access::Write {
            self.read(&name, ty, kind(op, index, data.ty, ty.bits()));
        }
        if data.access != Access::Read {
            self.written(&name, ty);
        }
        reg.into()
    }

    fn column(&mut self, kind: Kind) -> usize {
        self.sources.push(Source::Column(kind));
        self.columns += 1;
        self.columns - 1
    }

    fn result(&mut self, bits: u32) -> usize {
        self.results.push(Some(bits));
        self.results.len() - 1
    }

    fn read(&mut self, name: &str, ty: Type, kind: Kind) {
        let column = self.column(kind);
        let _ = match ty {
            Type::Pred => writeln!(self.load, "ld.global.b32 %t0, [%a+column<{column}>]; setp.ne.b32 {name}, %t0, 0;"),
            Type::B128 => {
                let high = self.column(kind);
                let load = format!("ld.global.b64 %o, [%a+column<{high}>];");
                let low = format!("{{ .reg .b64 %l; ld.global.b64 %l, [%a+column<{column}>];");
                writeln!(self.load, "{load} {low} mov.b128 {name}, {{%l, %o}}; }}")
            }
            _ => writeln!(self.load, "ld.global.b{} {name}, [%a+column<{column}>];", ty.bits()),
        };
    }

    fn written(&mut self, name: &str, ty: Type) {
        let column = self.result(ty.bits().min(64));
        let _ = match ty {
            Type::Pred => writeln!(self.store, "selp.b32 %t0, 1, 0, {name}; st.global.b32 [%b+column<{column}>], %t0;"),
            Type::B128 => {
                let high = self.result(64);
                let low =
                    format!("{{ .reg .b64 %l; mov.b128 {{%l, %o}}, {name}; st.global.b64 [%b+column<{column}>], %l;");
                writeln!(self.store, "{low} st.global.b64 [%b+column<{high}>], %o; }}")
            }
            _ => writeln!(self.store, "st.global.b{} [%b+column<{column}>], {name};", ty.bits()),
        };
    }
}

/// As instructions are printed.
fn name(reg: Reg) -> String {
    let letter = match reg.ty.bits() {
        1 => "p",
        16 => "rs",
        64 => "rd",
        128 => "rq",
        _ => "r",
    };
    format!("%{letter}{}", reg.id)
}

/// What a source of this type holds.
fn kind(op: &Opcode, index: usize, ty: Type, bits: u32) -> Kind {
    // fragments are in untyped bits: their elements are of the types d, a, b, c
    let ty = match op.mnemonic() {
        "mma" => {
            let types: Vec<Type> = op.qualifiers().filter_map(|q| q.parse().ok()).collect();
            types.get(index).copied().unwrap_or(ty)
        }
        _ => ty,
    };
    let (element, parts) = element(ty);
    let parts = if op.mnemonic() == "mma" { bits / element.bits() } else { parts };
    Kind { element, parts, bits }
}

fn element(ty: Type) -> (Element, u32) {
    use Element::{Float, Integer, Predicate};
    match ty {
        Type::Pred => (Predicate, 1),
        Type::F16 => (Float(5, 10), 1),
        Type::F16x2 => (Float(5, 10), 2),
        Type::Bf16 => (Float(8, 7), 1),
        Type::Bf16x2 => (Float(8, 7), 2),
        Type::F32 | Type::Tf32 => (Float(8, 23), 1),
        Type::F64 => (Float(11, 52), 1),
        Type::E4m3 => (Float(4, 3), 1),
        Type::E5m2 => (Float(5, 2), 1),
        Type::U16x2 | Type::S16x2 => (Integer(16), 2),
        Type::U4 | Type::S4 => (Integer(4), 1),
        Type::B128 => (Integer(64), 1),
        _ => (Integer(ty.bits()), 1),
    }
}
