//! Parts make a whole, the first the lowest.

use crate::gpu::ptx::{Instruction, Opcode, Operand, Reg, Special, Type};
use crate::gpu::sim::pure::pure;
use crate::gpu::sim::pure::tests::{Random, instructions};

/// As one number.
fn whole(parts: &[u64], bits: u32) -> u128 {
    parts.iter().enumerate().map(|(k, part)| u128::from(*part) << (k as u32 * bits)).sum()
}

#[test]
fn every_mov_keeps_all_bits() {
    let mut random = Random(1);
    let mut seen = 0;
    for op in Opcode::all().filter(|op| op.mnemonic() == "mov") {
        for (i, sources, results) in instructions(op) {
            seen += 1;
            let mov = pure(&i).unwrap();
            for _ in 0..100 {
                let from: Vec<u64> = sources.iter().map(|bits| random.value(*bits)).collect();
                let to = mov.thread(&from);
                assert_eq!(to.len(), results.len(), "{i}");
                assert_eq!(whole(&to, results[0]), whole(&from, sources[0]), "{i} {from:x?}");
            }
        }
    }
    assert_eq!(seen, 27);
}

#[test]
fn special_registers_and_addresses_are_not_operands_alone() {
    let to = Operand::from(Reg { id: 0, ty: Type::B32 });
    let tid = Operand::from(Special::named("%tid.x").unwrap());
    for from in [tid, Operand::Symbol("smem".into(), 4)] {
        assert!(pure(&Instruction::spelled("mov.b32", vec![to.clone(), from]).unwrap()).is_none());
    }
}
