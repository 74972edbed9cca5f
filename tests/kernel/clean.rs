//! Instructions counted against what an expert writes.

use crate::build::{assemble, finish, kernel};
use girih::gpu::kernel::Kernel;
use girih::gpu::ptx::{Function, Module, Statement, Type};
use girih::prelude::*;

fn words(module: &Module) -> Vec<String> {
    let f: &Function = module.functions().next().unwrap();
    f.instructions().map(|i| i.opcode().to_string()).collect()
}

/// Opcodes between the labels of the first loop.
fn inside_loop(module: &Module) -> Vec<String> {
    let body = module.functions().next().unwrap().body.clone().unwrap();
    let label = |name: &str| body.iter().position(|s| matches!(s, Statement::Label(l) if l.starts_with(name))).unwrap();
    let of = body[label("$loop")..label("$endloop")].iter();
    of.filter_map(|s| if let Statement::Instruction(i) = s { Some(i.opcode().to_string()) } else { None }).collect()
}

fn built(block: u32, body: impl FnOnce(&mut Kernel)) -> Module {
    let mut k = kernel(block);
    body(&mut k);
    let module = finish(k);
    assemble(std::slice::from_ref(&module));
    module
}

#[test]
fn a_swizzled_tile_in_a_rolled_loop_has_only_the_counting_inside() {
    let module = built(128, |k| {
        let (x, n, tid) = (k.pointer("x", Type::F32), k.size("n"), k.tid());
        let tile: Composed = "S<3,2,3> o 0 o (32,32):(32,1)".parse().unwrap();
        let smem = k.shared(Type::F32, 1024, 128);
        let (row, column) = (k.div(&tid, 4), k.rem(&tid, 4));
        let at = k.offset_swizzled(&tile, &[row, column * 4]);
        k.for_each(&0.into(), &n, 1, |k, i| {
            let v = k.load(&x.at(&(i * 512 + &tid * 4)), 4);
            k.barrier();
            k.store(&smem.at(&at), &v);
        });
    });
    // one multiply-add for the pointer that moves, the counter and its test; the shared address is outside
    let expected =
        ["mad.wide.s32", "ld.global.v4.f32", "bar.sync", "st.shared.v4.f32", "add.s32", "setp.lt.s32", "bra"];
    assert_eq!(inside_loop(&module), expected);
}

#[test]
fn a_pointer_that_is_a_variable_costs_one_addition() {
    let module = built(128, |k| {
        let (x, n, tid) = (k.pointer("x", Type::F32), k.size("n"), k.tid());
        let at = k.variable(&tid, 0, 1 << 40);
        k.for_each(&0.into(), &n, 1, |k, _| {
            let _ = k.load(&x.at(&at), 1);
            k.assign(&at, &(&at + 128));
        });
    });
    let inside = inside_loop(&module);
    // scaling by 4, the base, the step
    assert_eq!(
        inside.iter().filter(|o| !["add.s32", "setp.lt.s32", "bra", "ld.global.f32"].contains(&&***o)).count(),
        3
    );
}

#[test]
fn the_fastest_swizzle_of_a_row_takes_what_an_expert_takes() {
    // element = (8 tid) ^ ((8 tid & 0x1c0) >> 3): shl, and, shr, xor; address = 2 element + begin: shl, add
    let module = built(128, |k| {
        let tid = k.tid();
        let tile: Composed = "S<3,3,3> o 0 o (16,64):(64,1)".parse().unwrap();
        let smem = k.shared(Type::F16, 1024, 128);
        let threads = layout!((8,16):(8,64));
        let i = k.offset_at(&threads, &tid);
        let at = k.swizzled(&tile.swizzles()[0], &i);
        let zero = k.op("mov.b16", vec![0.into()]);
        k.store(&smem.at(&at).of(Type::B16), &[zero]);
    });
    let words = words(&module);
    let integer =
        words.iter().filter(|w| ["shl", "shr", "and", "xor", "add", "mad"].contains(&w.split('.').next().unwrap()));
    assert!(integer.count() == 6, "{words:?}");
    assert!(words.iter().all(|w| !w.ends_with("64") && !w.starts_with("mul") && !w.starts_with("div")), "{words:?}");
}

#[test]
fn small_offsets_stay_in_32_bits_and_a_known_part_is_in_the_instruction() {
    let module = built(256, |k| {
        let (x, tid, cta) = (k.pointer("x", Type::F32), k.tid(), k.ctaid_y());
        for piece in 0..4 {
            k.load(&x.at(&(&cta * 1024 + &tid * 4 + piece * 256)), 4);
        }
    });
    let mut expected = vec!["ld.param.u64", "cvta.to.global.u64", "mov.u32", "mov.u32"];
    // cta * 256 + tid, then 16 times that and the base: one address for all four
    expected.extend(["shl.b32", "add.s32", "mul.wide.s32", "add.s64"]);
    expected.extend(["ld.global.v4.f32"; 4]);
    let mut words = words(&module);
    words.pop();
    words.sort();
    expected.sort();
    assert_eq!(words, expected);
}

#[test]
fn a_promised_stride_is_the_parameter_itself() {
    let module = |layout: Layout| {
        built(32, |k| {
            let (x, lda, tid) = (k.pointer("x", Type::F32), k.size("lda"), k.tid());
            k.bind("lda", &lda);
            let i = k.offset_at(&layout, &tid);
            k.load(&x.at(&i), 1);
        })
    };
    assert_eq!(module(layout!(32:?lda{8})), module(layout!(32:?lda)));
}
