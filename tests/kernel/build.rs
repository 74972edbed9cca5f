//! What every test does with a kernel.

use crate::machine::{self, Thread};
use girih::gpu::kernel::{Index, Kernel, Pointer};
use girih::gpu::ptx::{Module, Operand, Target, Type};
use std::process::Command;

/// Where the parameter `out` points.
pub const OUT: u64 = 1 << 40;

pub fn kernel(block: u32) -> Kernel {
    Kernel::new("k", Target::SM_80, [block, 1, 1])
}

/// Stores the value of an index as 64 bits.
pub fn show(k: &mut Kernel, out: &Pointer, slot: i64, i: &Index) {
    let value = match k.integer(i) {
        (Operand::Reg(r), ty) if ty.bits() == 32 => k.op("cvt.s64.s32", vec![r.into()]),
        (operand, _) => k.op("mov.b64", vec![operand]),
    };
    k.store(&out.at(&slot.into()).of(Type::B64), &[value]);
}

/// The module, which is legal and is read back equal.
pub fn finish(k: Kernel) -> Module {
    let module = k.finish().unwrap();
    module.check().unwrap_or_else(|e| panic!("{}\n{module}", e[0]));
    assert_eq!(Module::parse(&module.to_string()).unwrap(), module);
    module
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

/// Assembles modules, if `GIRIH_PTXAS` names the program.
pub fn assemble(what: &str, modules: &[Module]) {
    let Some(ptxas) = std::env::var_os("GIRIH_PTXAS") else { return };
    let file = std::env::temp_dir().join(format!("girih-kernel-{}-{what}.ptx", std::process::id()));
    for module in modules {
        for target in [Target::SM_80, Target::SM_90A] {
            let mut module = Module { target, ..module.clone() };
            module.version = module.lowest_version().unwrap();
            std::fs::write(&file, module.to_string()).unwrap();
            let arch = format!("-arch={target}");
            let out = Command::new(&ptxas).arg(arch).arg(&file).args(["-o", "/dev/null"]).output().unwrap();
            assert!(out.status.success(), "{}\n{module}", String::from_utf8_lossy(&out.stderr));
        }
    }
    let _ = std::fs::remove_file(file);
}
