//! Random modules for property tests: any instructions of the table, with any operands that go with them.

use super::form::{Access, Count, Data, Kind};
use super::instruction::{Guard, Instruction, Otherwise};
use super::module::{Directive, Function, Init, Item, Linkage, Module, Register, Space, Statement, Variable};
use super::opcode::Opcode;
use super::operand::{Address, Call, Operand, Reg};
use super::special::Special;
use super::table::Table;
use super::types::{Target, Type, Version};
use proptest::prelude::*;

/// Registers of each type that a module of [`module`] declares.
const EACH: u32 = 256;

/// Types of registers, in the order in which they are declared.
const TYPES: [Type; 16] = {
    use Type::*;
    [Pred, B8, B16, B32, B64, B128, U16, U32, U64, S16, S32, S64, F16, F16x2, F32, F64]
};

/// Modules of random instructions in nested blocks, with labels, comments, variables and directives. They pass
/// [`Module::check`] but for versions, state spaces of the rarer kinds, and what a target does not have.
/// ```
/// use girih::gpu::ptx::{Module, strategy};
/// use proptest::{strategy::{Strategy, ValueTree}, test_runner::TestRunner};
/// let m = strategy::module().new_tree(&mut TestRunner::deterministic()).unwrap().current();
/// assert_eq!(Module::parse(&m.to_string()), Ok(m));
/// ```
pub fn module() -> impl Strategy<Value = Module> {
    proptest::collection::vec(any::<u64>(), 0..60).prop_map(|seeds| of_seeds(&seeds))
}

/// An instruction with operands that are declared in the modules of [`module`]; none where a form has no operands that are made
/// here. The same seed gives the same instruction.
/// ```
/// use girih::gpu::ptx::strategy;
/// assert!((0..100).filter_map(strategy::instruction).count() > 90);
/// ```
pub fn instruction(seed: u64) -> Option<Instruction> {
    let mut random = Random(seed);
    let forms = &Table::get().forms;
    let form = forms.get(random.below(forms.len() as u64) as usize)?;
    let mut spelling = String::from(form.mnemonic());
    for slot in form.slots() {
        if !slot.is_optional() || random.below(3) == 0 {
            let value = slot.values().nth(random.below(slot.values().count() as u64) as usize)?;
            spelling = format!("{spelling}.{}", value.name());
        }
    }
    let opcode = Opcode::parse(&spelling).ok()?;
    let signatures: Vec<_> = opcode.signatures().collect();
    let (_, kinds) = signatures.get(random.below(signatures.len() as u64) as usize)?;
    let operands = kinds.iter().map(|kind| random.operand(opcode, kind)).collect::<Option<Vec<_>>>()?;
    let i = Instruction::new(opcode, operands).ok()?;
    if random.below(4) > 0 {
        return Some(i);
    }
    let otherwise = [Otherwise::Kept, Otherwise::Undefined][random.below(2) as usize];
    i.guarded(Guard { pred: random.register(Type::Pred, 0), negated: random.below(2) == 0, otherwise }).ok()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    fn register(&mut self, ty: Type, at: u64) -> Reg {
        let place = TYPES.iter().position(|t| *t == ty).unwrap_or(0) as u32;
        Reg { id: place * EACH + (at % u64::from(EACH)) as u32, ty }
    }

    fn operand(&mut self, opcode: Opcode, kind: &Kind) -> Option<Operand> {
        Some(match kind {
            Kind::Data(data) => match opcode.count(data) {
                None => self.scalar(opcode, data, None),
                Some(n) => {
                    // distinct registers, and not all of them sinks
                    let first = self.next() % u64::from(EACH);
                    Operand::Vector((0..u64::from(n)).map(|i| self.scalar(opcode, data, Some(first + i))).collect())
                }
            },
            Kind::Immediate(lo, hi, step) => {
                let span = hi.wrapping_sub(*lo) as u64 / (*step).max(1) as u64;
                Operand::Int(lo.wrapping_add(self.below(span.saturating_add(1)) as i64 * step))
            }
            Kind::Fraction => Operand::F32((self.below(4) as f32 / 4.0 + 0.25).to_bits()),
            Kind::Sink => Operand::Sink,
            Kind::Pair(a, b) => Operand::Pair(Box::new([self.scalar(opcode, a, None), self.scalar(opcode, b, None)])),
            Kind::Address(space) => Operand::Address(self.address(opcode.space(*space))),
            Kind::Tensor(count) => {
                let mut coordinate = |_| Operand::Reg(Reg { ty: Type::S32, ..self.register(Type::S32, 7) });
                let coordinates = (0..opcode.dims(*count)).map(&mut coordinate).collect();
                Operand::Tensor(self.address("generic"), coordinates)
            }
            Kind::Label => Operand::Symbol("$here".into(), 0),
            Kind::Labels => Operand::Symbol("$table".into(), 0),
            Kind::Symbol => Operand::Symbol("in_global".into(), 4 * self.below(3) as i64),
            Kind::Special => {
                let all = Special::all().count() as u64;
                Operand::Special(Special::all().nth(self.below(all) as usize)?)
            }
            Kind::Call => Operand::Call(Box::new(Call {
                results: vec![self.register(Type::B32, 0).into()],
                callee: Operand::Symbol("callee".into(), 0),
                arguments: vec![self.register(Type::B32, 1).into()],
                prototype: None,
            })),
        })
    }

    fn scalar(&mut self, opcode: Opcode, data: &Data, at: Option<u64>) -> Operand {
        let ty = opcode.ty(data);
        let scalar = data.count == Count::Scalar;
        match self.below(8) {
            0 if data.sink && (scalar || at.is_some_and(|at| at % 2 == 0)) => return Operand::Sink,
            1 if data.negatable => return Operand::Not(self.register(Type::Pred, 1)),
            2 if data.immediate && data.access == Access::Read && scalar && ty != Type::Pred => {
                return match ty {
                    Type::F64 => Operand::F64(self.next()),
                    ty if ty.is_float() => Operand::F32(self.next() as u32),
                    _ => Operand::Int(self.next() as i8 as i64),
                };
            }
            _ => {}
        }
        let all: Vec<Type> = TYPES.into_iter().filter(|of| ty.holds(*of) && (!data.exact || ty == *of)).collect();
        let of = all.get(self.below(all.len() as u64) as usize).copied().unwrap_or(Type::Pred);
        let at = at.unwrap_or_else(|| self.next());
        self.register(of, at).into()
    }

    /// In a register, or of a variable where the space has one.
    fn address(&mut self, space: &str) -> Address {
        let variable = match space {
            "global" => Some("in_global"),
            "const" => Some("in_const"),
            "shared" | "shared::cta" => Some("in_shared"),
            _ => None,
        };
        let offset = 16 * (self.below(9) as i64 - 4);
        match variable.filter(|_| self.below(2) == 0) {
            Some(name) => Address::symbol(name).plus(offset.abs()),
            None => Address::from(self.register(Type::B64, 3)).plus(offset),
        }
    }
}

fn of_seeds(seeds: &[u64]) -> Module {
    let array =
        |space, name| Variable { align: Some(16), dims: vec![Some(256)], ..Variable::new(space, Type::B8, name) };
    let listed = Variable {
        dims: vec![Some(2), Some(2)],
        init: vec![Init::List(vec![Init::F32(1), Init::F64(2)]), Init::List(vec![])],
        ..Variable::new(Space::Global, Type::F32, "listed")
    };
    let scalar = |name| Variable::new(Space::Reg, Type::B32, name);
    let callee = Function {
        linkage: Linkage::Extern,
        is_entry: false,
        returns: vec![scalar("result")],
        params: vec![scalar("argument")],
        body: None,
        ..Function::entry("callee")
    };
    let mut kernel = Function::entry("kernel");
    kernel.directives = vec![Directive::Maxntid([128, 1, 1]), Directive::Pragma("with \\ in it".into())];
    kernel.params = vec![Variable::new(Space::Param, Type::U64, "a"), array(Space::Param, "b")];
    let mut body = Vec::new();
    for (i, ty) in TYPES.into_iter().enumerate() {
        let name = format!("%{ty}_");
        body.push(Statement::Registers { ty, name: (&*name).into(), count: Some(EACH), first: i as u32 * EACH });
        kernel.registers.extend((0..EACH).map(|n| Register { name: format!("{name}{n}").into(), ty }));
    }
    body.push(Statement::Label("$here".into()));
    body.push(Statement::BranchTargets { name: "$table".into(), labels: vec!["$here".into()] });
    // blocks that are open, the innermost last
    let mut open: Vec<Vec<Statement>> = Vec::new();
    for (n, seed) in seeds.iter().enumerate() {
        let statement = match seed % 32 {
            0 if open.len() < 8 => {
                open.push(Vec::new());
                continue;
            }
            1 => match open.pop() {
                Some(inner) => Statement::Block(inner),
                None => continue,
            },
            2 => Statement::Comment(format!("comment {n}").into()),
            3 => Statement::Label(format!("label_{n}").into()),
            4 => Statement::Loc { file: 1, line: n as u32, column: 1, inlined: None },
            5 => Statement::Pragma("nounroll".into()),
            _ => match instruction(*seed) {
                Some(i) => Statement::Instruction(i),
                None => continue,
            },
        };
        open.last_mut().unwrap_or(&mut body).push(statement);
    }
    while let Some(inner) = open.pop() {
        open.last_mut().unwrap_or(&mut body).push(Statement::Block(inner));
    }
    kernel.body = Some(body);
    let mut module = Module { version: Version(9, 0), ..Module::new(Target::SM_90A) };
    module.items = vec![
        Item::File { number: 1, name: "a b".into(), stamp: Some((1, 2)) },
        Item::Variable(array(Space::Global, "in_global")),
        Item::Variable(array(Space::Const, "in_const")),
        Item::Variable(array(Space::Shared, "in_shared")),
        Item::Variable(listed),
        Item::Function(Box::new(callee)),
        Item::Function(Box::new(kernel)),
        Item::Section { name: ".debug_str".into(), lines: vec!["$L: .b8 1, 2".into()] },
    ];
    module
}
