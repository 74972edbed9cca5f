//! Instructions of every row of the table.

use crate::random::Random;
use girih::gpu::ptx::{Address, Base, Call, Data, Form, Instruction, Opcode, Operand, Place, Reg, Special, Type};
use std::collections::HashSet;

/// Types that registers are declared as.
#[rustfmt::skip]
pub const REGISTERS: [Type; 18] = [
    Type::Pred, Type::B8, Type::B16, Type::B32, Type::B64, Type::B128, Type::U8, Type::U16, Type::U32, Type::U64,
    Type::S8, Type::S16, Type::S32, Type::S64, Type::F16, Type::F32, Type::F64, Type::F16x2,
];

/// Registers of each type.
const EACH: u32 = 1000;

/// The type of a register.
pub fn register(id: u32) -> Option<Type> {
    REGISTERS.get((id / EACH) as usize).copied()
}

/// What a register of this type is called before its number.
pub fn letter(ty: Type) -> &'static str {
    match (ty.is_float(), ty.bits()) {
        (_, 1) => "p",
        (true, 32) => "f",
        (true, 64) => "fd",
        (true, _) => "h",
        (false, 64) => "rd",
        (false, 16) => "rs",
        (false, 128) => "rq",
        (false, _) => "r",
    }
}

/// The `n`th register of a type.
pub fn reg(ty: Type, n: u32) -> Reg {
    let bank = REGISTERS.iter().position(|r| *r == ty).unwrap_or(0) as u32;
    Reg { id: bank * EACH + n % EACH, ty }
}

/// A value's place, or none for a slot left out, of each slot.
type Choice = Vec<Option<usize>>;

/// Opcodes of a row: all of them if they are at most `most`, else so many that every pair of values of two slots is in one.
pub fn opcodes(form: &'static Form, most: usize, random: &mut Random) -> Vec<Opcode> {
    let digits = form.slots().iter().map(|slot| {
        let values = (0..slot.values().count()).map(Some);
        slot.is_optional().then_some(None).into_iter().chain(values).collect()
    });
    let digits: Vec<Vec<Option<usize>>> = digits.collect();
    let product = digits.iter().try_fold(1usize, |all, d| all.checked_mul(d.len()).filter(|n| *n <= most));
    let choices = match product {
        Some(n) => (0..n).map(|i| nth(&digits, i)).collect(),
        None => pairwise(&digits, random),
    };
    choices.iter().filter_map(|choice| Opcode::parse(&spelling(form, choice)).ok()).collect()
}

fn nth(digits: &[Vec<Option<usize>>], mut i: usize) -> Choice {
    let digit = |d: &Vec<Option<usize>>| {
        let value = d[i % d.len()];
        i /= d.len();
        value
    };
    digits.iter().map(digit).collect()
}

fn pairwise(digits: &[Vec<Option<usize>>], random: &mut Random) -> Vec<Choice> {
    let mut covered = HashSet::new();
    let mut choices = Vec::new();
    for (a, values) in digits.iter().enumerate() {
        for (b, others) in digits.iter().enumerate().skip(a + 1) {
            for (v, w) in values.iter().flat_map(|v| others.iter().map(move |w| (*v, *w))) {
                if covered.contains(&(a, v, b, w)) {
                    continue;
                }
                let mut choice: Choice = digits.iter().map(|d| *random.of(d)).collect();
                (choice[a], choice[b]) = (v, w);
                for (i, x) in choice.iter().enumerate() {
                    covered.extend(choice.iter().enumerate().skip(i + 1).map(|(j, y)| (i, *x, j, *y)));
                }
                choices.push(choice);
            }
        }
    }
    choices
}

fn spelling(form: &Form, choice: &Choice) -> String {
    let values = form.slots().iter().zip(choice).filter_map(|(slot, c)| slot.values().nth((*c)?));
    values.fold(form.mnemonic().into(), |text: String, value| text + "." + value.name())
}

/// The operand that first comes to mind, the registers it needs numbered from `n` on.
pub fn plain(place: &Place, n: u32) -> Operand {
    match place {
        Place::Scalar(data) => scalar(data, n),
        Place::Vector(data, len) => Operand::Vector((0..*len).map(|i| scalar(data, n + i)).collect()),
        Place::Pair(a, b) => Operand::Pair(Box::new([scalar(a, n), scalar(b, n + 1)])),
        Place::Immediate(range, _) => Operand::Int(if *range.start() == i64::MIN { 1 } else { *range.start() }),
        Place::Fraction => 0.5f32.into(),
        Place::Sink => Operand::Sink,
        Place::Address(_) => Operand::Address(reg(Type::B64, n).into()),
        Place::Tensor(dims) => {
            let coordinates = (0..*dims).map(|i| reg(Type::B32, n + i).into()).collect();
            Operand::Tensor(reg(Type::B64, n).into(), coordinates)
        }
        Place::Label => Operand::Symbol("L".into(), 0),
        Place::Labels => Operand::Symbol("table".into(), 0),
        Place::Symbol => Operand::Symbol("g".into(), 0),
        Place::Special(ty) => {
            let mut all = ["%tid.x", "%clock64", "%is_explicit_cluster"].into_iter().filter_map(Special::named);
            all.find(|s| ty.holds(s.ty())).map_or(Operand::Sink, Operand::Special)
        }
        Place::Call => {
            let callee = Operand::Symbol("f".into(), 0);
            Operand::Call(Box::new(Call { results: vec![], callee, arguments: vec![], prototype: None }))
        }
    }
}

fn scalar(data: &Data, n: u32) -> Operand {
    reg(data.ty.register(), n).into()
}

/// Operands of a list of places: registers all different.
pub fn plain_list(places: &[Place]) -> Vec<Operand> {
    places.iter().enumerate().map(|(i, place)| plain(place, 100 * i as u32)).collect()
}

/// What else may be written where an operand is wanted, whether it may stand there or not.
pub fn others(place: &Place, n: u32) -> Vec<Operand> {
    let registers = || REGISTERS.iter().filter(|ty| **ty != Type::F16x2).map(move |ty| Operand::Reg(reg(*ty, n)));
    let immediates = [Operand::Int(1), Operand::Int(-1), Operand::Int(1 << 40), 1.5f32.into(), 1.5f64.into()];
    let address = |base: Base, offset| Operand::Address(Address { base, offset });
    let name = |space: &str| match space.split("::").next() {
        Some("shared") => "s",
        Some("const") => "c",
        Some("local") => "l",
        Some("param") => "p",
        _ => "g",
    };
    match place {
        Place::Scalar(data) => registers()
            // ptxas reads some bounded integers modulo 2^32
            .chain(immediates.into_iter().filter(|o| data.immediate || *o != Operand::Int(1 << 40)))
            .chain([Operand::Not(reg(Type::Pred, n)), Operand::Sink])
            // ptxas reads a vector of two where it wants a bf16 or two of them
            .chain((!matches!(data.ty, Type::Bf16 | Type::Bf16x2)).then(|| Operand::Vector(vec![plain(place, n); 2])))
            .chain([
                address(Base::Reg(reg(Type::B64, n)), 0),
                Operand::Pair(Box::new([plain(place, n), plain(place, n + 1)])),
            ])
            .collect(),
        Place::Vector(data, len) => {
            let like = |o: Operand| Operand::Vector(vec![o; *len as usize]);
            let one = |o: Operand| {
                let mut of: Vec<_> = (0..*len).map(|i| scalar(data, n + i)).collect();
                of[*len as usize / 2] = o;
                Operand::Vector(of)
            };
            let lengths = [1, 2, 3, 4, 5, 8].map(|m| Operand::Vector((0..m).map(|i| scalar(data, n + i)).collect()));
            let different = REGISTERS.map(|ty| Operand::Vector((0..*len).map(|i| reg(ty, n + i).into()).collect()));
            let different = different.into_iter().take(REGISTERS.len() - 1);
            let sinks = [one(Operand::Sink), like(Operand::Sink), scalar(data, n)];
            immediates
                .into_iter()
                .flat_map(|o| [like(o.clone()), one(o)])
                .chain(lengths)
                .chain(different)
                .chain(sinks)
                .collect()
        }
        Place::Pair(a, b) => {
            let pair = |x: Operand, y: Operand| Operand::Pair(Box::new([x, y]));
            let first = registers().map(|r| pair(r, scalar(b, n + 1)));
            let second = registers().map(|r| pair(scalar(a, n), r));
            let sinks = [
                pair(Operand::Sink, scalar(b, n)),
                pair(scalar(a, n), Operand::Sink),
                pair(Operand::Sink, Operand::Sink),
            ];
            first.chain(second).chain(sinks).chain([scalar(a, n)]).collect()
        }
        Place::Fraction => [0.0, 1e-9, 1.0, 1.5, -1.0]
            .into_iter()
            .flat_map(|x| [(x as f32).into(), x.into()])
            .chain([Operand::Int(1), Operand::Sink])
            .collect(),
        Place::Sink => registers().chain([Operand::Int(1)]).collect(),
        Place::Immediate(range, _) => {
            let inside = [range.start(), range.end()].into_iter().filter(|i| i64::abs(**i / 2) < i64::MAX / 4);
            let ints = inside.flat_map(|i| [*i, i - 1, i + 1]).map(Operand::Int);
            ints.chain([Operand::Int(1), 1.5f32.into(), reg(Type::B32, n).into(), Operand::Sink]).collect()
        }
        Place::Address(space) => {
            let bases = registers().filter_map(|r| match r {
                // ptxas reads addresses of 8 and 16 bits, which no memory has
                Operand::Reg(r) if !matches!(r.ty.bits(), 8 | 16) => Some(address(Base::Reg(r), 0)),
                _ => None,
            });
            let symbol = Base::Symbol(name(space).into());
            bases
                .chain([address(symbol.clone(), 0), address(symbol, 128), address(Base::Reg(reg(Type::B64, n)), -128)])
                .chain([address(Base::Zero, 1024), reg(Type::B64, n).into(), Operand::Int(128)])
                .collect()
        }
        Place::Tensor(dims) => {
            let tensor = |base: Operand, m: u32, coordinate: Operand| match base {
                Operand::Reg(r) => Operand::Tensor(r.into(), vec![coordinate; m as usize]),
                _ => Operand::Sink,
            };
            let b32 = || Operand::Reg(reg(Type::B32, n));
            let coordinates = registers().chain(immediates).map(|c| tensor(reg(Type::B64, n).into(), *dims, c));
            let bases = registers().map(|r| tensor(r, *dims, b32()));
            let counts = (1..=6).map(|m| tensor(reg(Type::B64, n).into(), m, b32()));
            let symbol = Operand::Tensor(Address::symbol("g"), vec![b32(); *dims as usize]);
            coordinates.chain(bases).chain(counts).chain([symbol, address(Base::Reg(reg(Type::B64, n)), 0)]).collect()
        }
        Place::Label | Place::Labels => [reg(Type::B32, n).into(), Operand::Int(1)].into(),
        Place::Symbol => [0, 8].map(|offset| Operand::Symbol("g".into(), offset)).into(),
        // the grid's number may also be read as its low half
        Place::Special(ty) => Special::all()
            .filter(|s| s.name() != "%gridid" || ty.holds(s.ty()))
            .map(Operand::Special)
            .chain([reg(Type::B32, n).into()])
            .collect(),
        Place::Call => {
            let call = |results: Vec<Operand>, callee: Operand, arguments: Vec<Operand>, prototype: Option<&str>| {
                Operand::Call(Box::new(Call { results, callee, arguments, prototype: prototype.map(Box::from) }))
            };
            let b32 = |i| Operand::Reg(reg(Type::B32, n + i));
            let callee = || Operand::Reg(reg(Type::B64, n));
            vec![
                call(vec![b32(0)], Operand::Symbol("h".into(), 0), vec![b32(1)], None),
                call(vec![], callee(), vec![], Some("proto")),
                call(vec![], callee(), vec![], Some("to")),
            ]
        }
    }
}

/// A line that holds an instruction; what leaves a block is jumped over, so that what follows it can be reached.
pub fn line(instruction: &str, number: usize) -> String {
    let end = instruction.find(['.', ' ', ';']).unwrap_or(instruction.len());
    match &instruction[..end] {
        "ret" | "exit" | "trap" | "bra" | "brx" => format!("@skip bra S{number}; {instruction} S{number}:"),
        _ => instruction.into(),
    }
}

/// The variable that lies where an opcode looks for one.
fn variable(opcode: Opcode) -> &'static str {
    let spaces = [("local", "l"), ("const", "c"), ("param", "p"), ("shared", "s")];
    let in_space = |space: &str| opcode.qualifiers().any(|q| q.split("::").next() == Some(space));
    match opcode.mnemonic() {
        "mapa" | "getctarank" | "mbarrier" => "s",
        // an address of 32 bits is one in a small window
        "mov" if opcode.qualifiers().any(|q| matches!(q, "b32" | "u32" | "s32")) => "s",
        _ => spaces.into_iter().find(|(space, _)| in_space(space)).map_or("g", |(_, name)| name),
    }
}

/// Arguments of calls have names, and no addresses.
fn argument(a: &mut Address, opcode: Opcode) {
    if opcode.qualifiers().any(|q| q == "param" || q == "param::func") {
        a.base = Base::Symbol("q".into());
    }
}

/// What is printed for operands, be they right or wrong.
pub fn text(opcode: Opcode, mut operands: Vec<Operand>) -> (String, Option<Instruction>) {
    for operand in &mut operands {
        match operand {
            Operand::Symbol(name, _) if &**name == "g" => *name = variable(opcode).into(),
            Operand::Address(a) if opcode.mnemonic() == "mbarrier" && a.base == Base::Symbol("g".into()) => {
                a.base = Base::Symbol(variable(opcode).into());
            }
            Operand::Address(a) if opcode.form().family() == "store" || opcode.has("param::func") => {
                argument(a, opcode)
            }
            _ => {}
        }
    }
    match Instruction::new(opcode, operands) {
        Ok(instruction) => (instruction.to_string(), Some(instruction)),
        Err(error) => (error.instruction + ";", None),
    }
}
