//! Atoms against the instruction table: each name is a legal spelling, and the table takes the registers that the atom counts.

use girih::gpu::atom::{CopyAtom, MmaAtom, RegisterType, Registers, Source};
use girih::gpu::ptx::{Address, Instruction, Opcode, Operand, Reg, Type};

fn register(of: RegisterType) -> Type {
    match of {
        RegisterType::B8 => Type::B8,
        RegisterType::B16 => Type::B16,
        RegisterType::B32 => Type::B32,
        RegisterType::B64 => Type::B64,
        RegisterType::B128 => Type::B128,
        RegisterType::F32 => Type::F32,
        RegisterType::F64 => Type::F64,
    }
}

fn vector(of: Registers) -> Operand {
    Operand::Vector((0..of.count as u32).map(|id| Reg { id, ty: register(of.register) }.into()).collect())
}

fn scalar(of: Registers) -> Operand {
    Reg { id: 0, ty: register(of.register) }.into()
}

fn refused(name: &str, operands: Vec<Operand>) -> Option<String> {
    Instruction::spelled(name, operands).err().map(|e| format!("{name}: {e}"))
}

#[test]
fn every_mma_atom_is_a_form_with_its_registers() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for atom in MmaAtom::all() {
        // CuTe's dp2a has neither .lo nor .hi, which the assembler refuses too
        let Some(name) = atom.ptx().filter(|name| name != "dp2a.s32.s32") else { continue };
        let of = atom.registers();
        let descriptor = || Operand::from(Reg { id: 0, ty: Type::B64 });
        let predicate = Operand::from(Reg { id: 0, ty: Type::Pred });
        let operands = match (atom.source_a(), atom.source_b()) {
            // of one thread: a register each
            _ if atom.thr().size() == Ok(1) => [of.d, of.a, of.b, of.c].map(scalar).into(),
            (_, Source::Registers) => [of.d, of.a, of.b, of.c].map(vector).into(),
            (a, Source::Shared(_)) => {
                let in_registers = a == Source::Registers;
                let a = if in_registers { vector(of.a) } else { descriptor() };
                let mut all = vec![vector(of.c), a, descriptor(), predicate];
                let t = atom.types();
                if t.d.to_string() != "s32" {
                    all.extend([1.into(), (-1).into()]);
                }
                if t.a.bits() == 16 {
                    all.extend(vec![Operand::from(1); if in_registers { 1 } else { 2 }]);
                }
                all
            }
        };
        seen += 1;
        wrong.extend(refused(&name, operands));
    }
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

#[test]
fn every_copy_atom_is_a_form_with_its_registers() {
    let address = || Operand::from(Address::from(Reg { id: 0, ty: Type::B64 }));
    let mut wrong = Vec::new();
    for atom in CopyAtom::all() {
        let Some(name) = atom.ptx() else { continue };
        let (src, dst) = atom.registers();
        let operands = match atom {
            CopyAtom::Ldmatrix { .. } => vec![vector(dst), address()],
            CopyAtom::Stmatrix { .. } => vec![address(), vector(src)],
            CopyAtom::Movmatrix => [dst, src].map(scalar).into(),
            // cp.async has neither: its form is the memory family's
            _ => {
                wrong.extend(Opcode::parse(&name).err().map(|e| e.to_string()));
                continue;
            }
        };
        wrong.extend(refused(&name, operands));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
