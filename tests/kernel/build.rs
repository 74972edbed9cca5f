//! What every test does with a kernel.

use crate::machine::{self, Thread};
use crate::ptxas;
use girih::gpu::kernel::{Index, Kernel, Pointer};
use girih::gpu::ptx::{Module, Operand, Target, Type};

/// Where the parameter `out` points.
pub const OUT: u64 = 1 << 40;

pub fn kernel(block: u32) -> Kernel {
    Kernel::new("k", Target::SM_80, [block, 1, 1])
}

/// Stores the value of an index as 64 bits.
pub fn show(k: &mut Kernel, out: &Pointer, slot: impl Into<Index>, i: &Index) {
    let value = match k.integer(i) {
        (Operand::Reg(r), ty) if ty.bits() == 32 => k.op("cvt.s64.s32", vec![r.into()]),
        (operand, _) => k.op("mov.b64", vec![operand]),
    };
    k.store(&out.at(&slot.into()).of(Type::B64), &[value]);
}

/// The module, which is legal and is read back equal.
pub fn finish(k: Kernel) -> Module {
    let module = k.finish().unwrap();
    legal(&module);
    module
}

pub fn legal(module: &Module) {
    module.check().unwrap_or_else(|e| panic!("{}\n{module}", e[0]));
    assert_eq!(Module::parse(&module.to_string()).unwrap(), *module);
}

pub fn thread(tid: u64, ctaid: u64, params: &[(&str, u64)]) -> Thread {
    let mut t = Thread::default();
    t.special.extend([("%tid.x", tid), ("%ctaid.x", ctaid)]);
    t.params.insert("out".into(), OUT);
    t.params.extend(params.iter().map(|(name, v)| (name.to_string(), *v)));
    t
}

/// What it stores at `out`, by slot, in order.
pub fn shown(module: &Module, t: &Thread) -> Vec<(i64, i64)> {
    let machine = machine::run(module, t).unwrap_or_else(|e| panic!("{e}\n{module}"));
    machine.stores.iter().map(|(at, value)| ((at.wrapping_sub(OUT) / 8) as i64, *value as i64)).collect()
}

/// Assembles modules, where there is a `ptxas`.
pub fn assemble(modules: &[Module]) {
    for module in modules {
        [Target::SM_80, Target::SM_90A].into_iter().for_each(|target| ptxas::assemble(module, target));
    }
}
