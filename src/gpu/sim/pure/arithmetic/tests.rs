//! Arithmetic against exact numbers, against itself by another way, and against what an H200 gives.

use crate::gpu::ptx::{Instruction, InstructionError, Mismatch, Opcode, Operand, Reg, Type};
use crate::gpu::sim::pure::{Lanes, Pure, narrow};

mod exact;
mod hardware;

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
        self.next() % n
    }

    /// A number of a format of so many bits of exponent and fraction: any bits, the ends of the exponents, or near 1; many or few
    /// bits of fraction set.
    fn number(&mut self, exponent: u32, fraction: u32) -> u64 {
        let one = (1 << (exponent - 1)) - 1;
        let e = match self.below(4) {
            0 => self.below(1 << exponent),
            1 => [0, 1, 2, (1 << exponent) - 2, (1 << exponent) - 1][self.below(5) as usize],
            _ => one - 4 + self.below(9),
        };
        let f = match self.below(4) {
            0 => self.next(),
            1 => self.next() & self.next() & self.next(),
            2 => 1 << self.below(64) | 1 << self.below(64),
            _ => [0, 1, u64::MAX, u64::MAX - 1][self.below(4) as usize],
        };
        self.below(2) << (exponent + fraction) | e << fraction | f & ((1 << fraction) - 1)
    }

    /// Operands for registers of this type.
    fn operand(&mut self, ty: &str) -> u64 {
        match ty {
            "f64" => self.number(11, 52),
            "f32" => self.number(8, 23),
            "f32x2" => self.number(8, 23) | self.number(8, 23) << 32,
            "f16" => self.number(5, 10),
            "f16x2" => self.number(5, 10) | self.number(5, 10) << 16,
            "bf16" => self.number(8, 7),
            _ => self.number(8, 7) | self.number(8, 7) << 16,
        }
    }
}

/// How many cases: `PROPTEST_CASES`, or a modest number.
fn cases(modest: u64) -> u64 {
    std::env::var("PROPTEST_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(modest)
}

/// An instruction of so many operands, its registers of the first types that go with it.
fn instruction(op: Opcode, operands: usize) -> Instruction {
    const TYPES: [Type; 4] = [Type::Pred, Type::B16, Type::B32, Type::B64];
    let mut types = vec![0; operands];
    loop {
        let operands = types.iter().map(|ty| Operand::from(Reg { id: 0, ty: TYPES[*ty] })).collect();
        match Instruction::new(op, operands) {
            Ok(i) => return i,
            Err(InstructionError { mismatch: Mismatch::Operand { index, .. }, .. }) => types[index - 1] += 1,
            Err(e) => panic!("{e}"),
        }
    }
}

fn spelled(op: &str) -> Instruction {
    let op = Opcode::parse(op).unwrap();
    instruction(op, op.accesses().next().unwrap().len())
}

fn pure(op: &str) -> Pure {
    crate::gpu::sim::pure::pure(&spelled(op)).unwrap()
}

/// The arithmetic of the table, with the type of its numbers.
fn all() -> impl Iterator<Item = (Instruction, &'static str)> {
    let approximate = ["tanh", "ex2", "lg2", "sin", "cos", "rsqrt"];
    let ours = move |op: &Opcode| {
        ["float", "half"].contains(&op.form().family())
            && !approximate.contains(&op.mnemonic())
            && !matches!(op.get("rnd"), Some("approx" | "full"))
    };
    Opcode::all().filter(ours).flat_map(|op| {
        let ty = op.qualifiers().last().unwrap();
        op.accesses().map(move |list| (instruction(op, list.len()), ty)).collect::<Vec<_>>()
    })
}

/// Rounding that the ISA does not have and ptxas takes, and a test without one.
fn undocumented(i: &Instruction) -> bool {
    i.opcode().mnemonic() == "testp" && !i.opcode().has("op")
        || i.opcode().form().family() == "half" && !matches!(i.opcode().get("rnd"), None | Some("rn"))
}

#[test]
fn every_spelling_is_executed_and_results_fit_their_type() {
    let mut random = Random(1);
    let mut seen = 0;
    for (i, ty) in all() {
        let op = i.opcode();
        let pure = crate::gpu::sim::pure::pure(&i);
        assert_eq!(pure.is_none(), undocumented(&i), "{op}");
        let Some(pure) = pure else { continue };
        // what mixed precision makes is a single
        let width = if op.has("f32") { 32 } else { ty.parse::<Type>().unwrap().bits() };
        let width = if op.mnemonic() == "testp" { 1 } else { width };
        let sources = i.operands().len() - 1;
        for _ in 0..20 {
            // a register may be wider than the number in it
            let lanes = |r: &mut Random| [(); 32].map(|()| if r.below(2) == 0 { r.next() } else { r.operand(ty) });
            let operands: Vec<Lanes> = (0..sources).map(|_| lanes(&mut random)).collect();
            let mut results = [[0; 32]];
            pure.run(&operands.iter().collect::<Vec<_>>(), &mut results);
            assert!(results[0].iter().all(|x| width == 64 || x >> width == 0), "{i} of {operands:x?}: {results:x?}");
        }
        seen += 1;
    }
    assert!(seen > 380, "{seen}");
}

#[test]
fn results_by_doubles_are_those_by_integers() {
    let mut random = Random(2);
    let ours: Vec<_> = all().filter(|(i, _)| !undocumented(i)).collect();
    let mut compared = 0;
    for (i, ty) in &ours {
        let mixed = i.opcode().has("f32") && *ty != "f32";
        let Some((format, numbers, _)) = ty.parse().ok().and_then(narrow::format).filter(|_| !mixed) else { continue };
        let Some(arithmetic) = super::Arithmetic::of(i, format) else { continue };
        let Some(fast) = crate::gpu::sim::pure::nearest::pure(arithmetic, numbers) else { continue };
        let exact = arithmetic.exact(numbers);
        compared += 1;
        for _ in 0..cases(6400) / 32 {
            let operands = [(); 3].map(|()| [(); 32].map(|()| random.operand(ty)));
            let operands: Vec<&Lanes> = operands[..arithmetic.sources].iter().collect();
            let (mut a, mut b) = ([[0; 32]], [[0; 32]]);
            fast.run(&operands, &mut a);
            exact.run(&operands, &mut b);
            for l in 0..32 {
                let x: Vec<u64> = operands.iter().map(|o| o[l]).collect();
                assert_eq!(a[0][l], b[0][l], "{} of {x:x?}: {:x}, exactly {:x}", i.opcode(), a[0][l], b[0][l]);
            }
        }
    }
    assert!(compared >= 80, "{compared}");
}

#[test]
fn mixed_precision_is_that_of_singles_once_halves_are_widened() {
    let mut random = Random(3);
    let [add, sub, fma] = ["add.f32.f16", "sub.f32.bf16", "fma.rn.f32.f16"].map(pure);
    for _ in 0..cases(10_000) {
        let (a, b, c) = (random.number(5, 10), random.number(5, 10), random.number(8, 23));
        let half = |x: u64| half::f16::from_bits(x as u16).to_f32();
        let single = |x: u64| f32::from_bits(x as u32);
        let bits = |x: f32| if x.is_nan() { 0x7fff_ffff } else { u64::from(x.to_bits()) };
        assert_eq!(add.thread(&[a, c])[0], bits(half(a) + single(c)), "{a:x} + {c:x}");
        assert_eq!(sub.thread(&[a, c])[0], bits(single(a << 16) - single(c)), "{a:x} - {c:x}");
        assert_eq!(fma.thread(&[a, b, c])[0], bits(half(a).mul_add(half(b), single(c))), "{a:x} * {b:x} + {c:x}");
    }
}
