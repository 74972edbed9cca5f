//! Bit by bit and byte by byte.

use crate::gpu::ptx::{Instruction, Opcode, Operand, Reg, Type};
use crate::gpu::sim::pure::pure;
use crate::gpu::sim::pure::tests::{Random, compute, cut, nth};

fn bit(x: u64, i: u32) -> bool {
    x >> i & 1 == 1
}

fn word(bits: u32, f: impl Fn(u32) -> bool) -> u64 {
    (0..bits).filter(|i| f(*i)).map(|i| 1 << i).sum()
}

#[test]
fn logic_is_bit_by_bit() {
    let mut random = Random(1);
    for (ty, bits) in [("b16", 16), ("b32", 32), ("b64", 64), ("pred", 1)] {
        for _ in 0..2000 {
            let (a, b) = (random.value(bits), random.value(bits));
            assert_eq!(compute(&format!("and.{ty}"), &[a, b]), [word(bits, |i| bit(a, i) && bit(b, i))]);
            assert_eq!(compute(&format!("or.{ty}"), &[a, b]), [word(bits, |i| bit(a, i) || bit(b, i))]);
            assert_eq!(compute(&format!("xor.{ty}"), &[a, b]), [word(bits, |i| bit(a, i) != bit(b, i))]);
            assert_eq!(compute(&format!("not.{ty}"), &[a]), [word(bits, |i| !bit(a, i))]);
            if bits > 1 {
                assert_eq!(compute(&format!("cnot.{ty}"), &[a]), [if a == 0 { 1 } else { 0 }]);
            }
        }
    }
}

#[test]
fn shifts_stop_at_the_width() {
    let mut random = Random(2);
    for bits in [16, 32, 64] {
        for _ in 0..3000 {
            let a = random.value(bits);
            let n = if random.next() & 7 == 0 { random.value(32) } else { random.next() % 70 };
            let from = |i: i128, sign: bool| if i < i128::from(bits) { bit(a, i as u32) } else { sign };
            let left = word(bits, |i| u64::from(i) >= n && bit(a, i - n as u32));
            let right = |sign| word(bits, |i| from(i128::from(i) + i128::from(n), sign));
            assert_eq!(compute(&format!("shl.b{bits}"), &[a, n]), [left], "{a:x} {n}");
            assert_eq!(compute(&format!("shr.b{bits}"), &[a, n]), [right(false)]);
            assert_eq!(compute(&format!("shr.u{bits}"), &[a, n]), [right(false)]);
            assert_eq!(compute(&format!("shr.s{bits}"), &[a, n]), [right(bit(a, bits - 1))]);
        }
    }
}

#[test]
fn funnel_shifts_are_of_64_bits() {
    let mut random = Random(3);
    for _ in 0..3000 {
        let (a, b) = (random.value(32), random.value(32));
        let n = if random.next() & 7 == 0 { random.value(32) } else { random.next() % 70 };
        let all = u128::from(b) << 32 | u128::from(a);
        for (mode, n32) in [("clamp", n.min(32)), ("wrap", n % 32)] {
            let left = cut(((all * (1u128 << n32)) >> 32) as u64, 32);
            let right = cut((all / (1u128 << n32)) as u64, 32);
            assert_eq!(compute(&format!("shf.l.{mode}.b32"), &[a, b, n]), [left], "{mode} {n}");
            assert_eq!(compute(&format!("shf.r.{mode}.b32"), &[a, b, n]), [right], "{mode} {n}");
        }
    }
}

/// `lop3` with this table; its operands but for the table are registers.
fn lop3(bool: Option<&str>, table: i64, sources: &[u64]) -> Vec<u64> {
    let r = |id, ty| Operand::from(Reg { id, ty });
    let words = [r(1, Type::B32), r(2, Type::B32), r(3, Type::B32), Operand::Int(table)];
    let (name, operands) = match bool {
        None => ("lop3.b32".into(), [vec![r(0, Type::B32)], words.to_vec()].concat()),
        Some(bool) => {
            let to = Operand::Pair(Box::new([Operand::Sink, r(0, Type::Pred)]));
            (format!("lop3.{bool}.b32"), [vec![to], words.to_vec(), vec![r(1, Type::Pred)]].concat())
        }
    };
    pure(&Instruction::new(Opcode::parse(&name).unwrap(), operands).unwrap()).unwrap().thread(sources)
}

#[test]
fn every_function_of_three_bits_is_computed() {
    let mut random = Random(4);
    // the examples of the PTX ISA
    for _ in 0..100 {
        let [a, b, c] = core::array::from_fn(|_| random.value(32));
        let v = |table: u64| [a, b, c, table];
        assert_eq!(lop3(None, 0x80, &v(0x80)), [a & b & c]);
        assert_eq!(lop3(None, 0xfe, &v(0xfe)), [a | b | c]);
        assert_eq!(lop3(None, 0x40, &v(0x40)), [a & b & !c]);
        assert_eq!(lop3(None, 0x1a, &v(0x1a)), [(a & b | c) ^ a]);
    }
    for table in 0..256u64 {
        for _ in 0..20 {
            let [a, b, c] = core::array::from_fn(|_| random.value(32));
            let row = |i| u32::from(bit(a, i)) * 4 + u32::from(bit(b, i)) * 2 + u32::from(bit(c, i));
            let expected = word(32, |i| bit(table, row(i)));
            assert_eq!(lop3(None, table as i64, &[a, b, c, table]), [expected]);
            for q in [0, 1] {
                let (set, sources) = (u64::from(expected != 0), [a, b, c, table, q]);
                assert_eq!(lop3(Some("or"), table as i64, &sources), [expected, set.max(q)]);
                assert_eq!(lop3(Some("and"), table as i64, &sources), [expected, set.min(q)]);
            }
        }
    }
}

#[test]
fn bytes_are_permuted_by_digits_and_modes() {
    let mut random = Random(5);
    let spelled = |mode: &str| nth(&format!("prmt.b32{mode}"), 0);
    let plain = spelled("");
    type Choice = fn(u64, u64) -> u64;
    // byte n of the address, byte k of the result
    let modes: [(&str, Choice); 6] = [
        (".f4e", |n, k| n + k),
        (".b4e", |n, k| (8 + n - k) % 8),
        (".rc8", |n, _| n),
        (".ecl", |n, k| n.max(k)),
        (".ecr", |n, k| n.min(k)),
        (".rc16", |n, k| n % 2 * 2 + k % 2),
    ];
    let modes = modes.map(|(mode, choice)| (spelled(mode), choice));
    for _ in 0..3000 {
        let [a, b, c] = core::array::from_fn(|_| random.value(32));
        let from: Vec<u8> = [(a as u32).to_le_bytes(), (b as u32).to_le_bytes()].concat();
        let to = |f: &dyn Fn(u64) -> u8| u64::from(u32::from_le_bytes([f(0), f(1), f(2), f(3)]));
        let digit = |k: u64| {
            let d = (c >> (4 * k) & 15) as usize;
            if d < 8 {
                from[d]
            } else if from[d - 8] < 128 {
                0
            } else {
                255
            }
        };
        assert_eq!(plain.thread(&[a, b, c]), [to(&digit)]);
        for (op, choice) in &modes {
            assert_eq!(op.thread(&[a, b, c]), [to(&|k| from[choice(c % 4, k) as usize])]);
        }
    }
}
