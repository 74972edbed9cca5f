//! `Kernel::apply`: what it emits, and each of its conditions.

use girih::gpu::apply::{ApplyError, ApplyOperand, ApplyOptions, MemoryTensor, RegisterTensor, Scope};
use girih::gpu::kernel::Kernel;
use girih::gpu::ptx::{Reg, Target, Type};
use girih::prelude::*;

fn kernel() -> Kernel {
    Kernel::new("k", Target::SM_90A, [128, 1, 1])
}

fn tensor(k: &mut Kernel, ty: Type, layout: Layout) -> RegisterTensor {
    let n = layout.cosize().unwrap();
    RegisterTensor::new(&k.regs(ty, n as usize), &layout)
}

/// As [`tensor`], every register written.
fn zeros(k: &mut Kernel, ty: Type, layout: Layout) -> RegisterTensor {
    let t = tensor(k, ty, layout);
    for r in t.registers() {
        match ty {
            Type::F32 => k.emit("mov.f32", vec![r.into(), 0f32.into()]),
            Type::B16 => k.emit("mov.b16", vec![r.into(), 0.into()]),
            _ => k.emit("mov.b32", vec![r.into(), 0.into()]),
        }
    }
    t
}

fn thread(k: &mut Kernel, opcode: &str, operands: &[ApplyOperand]) -> Result<usize, ApplyError> {
    k.apply(opcode, operands, &ApplyOptions::default())
}

/// The lines of the kernel that have this word.
fn lines(k: Kernel, word: &str) -> Vec<String> {
    let text = k.finish().unwrap().to_string();
    text.lines().filter(|l| l.contains(word)).map(|l| l.trim().to_string()).collect()
}

#[test]
fn eight_packed_additions_are_eight_instructions() {
    let mut k = kernel();
    let (a, b) = (zeros(&mut k, Type::B32, layout!((8,1):(1,1))), zeros(&mut k, Type::B32, layout!((8,1):(1,1))));
    assert_eq!(thread(&mut k, "add.rn.f16x2", &[(&a).into(), (&a).into(), (&b).into()]), Ok(8));
    let lines = lines(k, "add.rn.f16x2");
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[3], "add.rn.f16x2 %r3, %r3, %r11;");
}

#[test]
fn repeats_are_expanded_in_row_major_order() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((2,3,1):(1,2,1)));
    assert_eq!(thread(&mut k, "neg.f32", &[(&x).into(), (&x).into()]), Ok(6));
    // (0,0) (0,1) (0,2) (1,0) ..: registers 0, 2, 4, 1, 3, 5
    let order: Vec<String> = lines(k, "neg").iter().map(|l| l.rsplit("%f").next().unwrap().into()).collect();
    assert_eq!(order, ["0;", "2;", "4;", "1;", "3;", "5;"]);
}

#[test]
fn a_scalar_stands_for_every_repeat_and_keeps_its_side() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
    thread(&mut k, "sub.f32", &[(&x).into(), 1.0f32.into(), (&x).into()]).unwrap();
    assert_eq!(lines(k, "sub.f32"), ["sub.f32 %f0, 0f3F800000, %f0;", "sub.f32 %f1, 0f3F800000, %f1;"]);
}

#[test]
fn views_of_stride_0_broadcast() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((4,1):(1,1)));
    let second = x.view(1, &layout!((4,1):(0,1)));
    let y = tensor(&mut k, Type::F32, layout!((4,1):(1,1)));
    thread(&mut k, "add.f32", &[(&y).into(), (&x).into(), (&second).into()]).unwrap();
    assert!(lines(k, "add.f32").iter().all(|l| l.ends_with(", %f1;")));
}

#[test]
fn products_of_twice_the_width_need_registers_of_twice_the_width() {
    let mut k = kernel();
    let (a, wide) = (zeros(&mut k, Type::B16, layout!((2,1):(1,1))), tensor(&mut k, Type::B32, layout!((2,1):(1,1))));
    assert_eq!(thread(&mut k, "mul.wide.u16", &[(&wide).into(), (&a).into(), (&a).into()]), Ok(2));
    let e = thread(&mut k, "mul.wide.u16", &[(&a).into(), (&a).into(), (&a).into()]).unwrap_err();
    assert!(matches!(e, ApplyError::Operands(_)), "{e}");
}

#[test]
fn other_forms_of_registers_only_are_applied_too() {
    let mut k = kernel();
    let f = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
    let h = tensor(&mut k, Type::B32, layout!((2,1):(1,1)));
    for op in ["mov.f32", "sqrt.rn.f32", "ex2.approx.f32", "lg2.approx.f32", "rcp.approx.f32", "abs.f32", "neg.f32"] {
        assert_eq!(thread(&mut k, op, &[(&f).into(), (&f).into()]), Ok(2), "{op}");
    }
    for op in ["div.rn.f32", "min.f32", "max.f32", "mul.rz.f32"] {
        assert_eq!(thread(&mut k, op, &[(&f).into(), (&f).into(), (&f).into()]), Ok(2), "{op}");
    }
    assert_eq!(thread(&mut k, "fma.rn.f32", &[(&f).into(), (&f).into(), 2.0f32.into(), (&f).into()]), Ok(2));
    // two sources, one result of two halves
    assert_eq!(thread(&mut k, "cvt.rn.f16x2.f32", &[(&h).into(), (&f).into(), (&f).into()]), Ok(2));
    k.finish().unwrap().check().unwrap();
}

#[test]
fn vectors_are_moved_by_their_words() {
    let mut k = kernel();
    let x = k.pointer("x", Type::F32);
    let r = tensor(&mut k, Type::F32, layout!((2,4):(4,1)));
    let m = MemoryTensor::new(&x.at(&0.into()), &layout!((2,4):(8,1)), 12, 16);
    assert_eq!(thread(&mut k, "ld.global.v4.f32", &[(&r).into(), (&m).into()]), Ok(2));
    assert_eq!(thread(&mut k, "st.global.v4.f32", &[(&m).into(), (&r).into()]), Ok(2));
    let lines = lines(k, ".v4");
    assert!(lines[1].ends_with("{%f4, %f5, %f6, %f7}, [%rd1+32];"), "{lines:?}");
}

#[test]
fn the_scope_adds_the_thread_to_addresses() {
    let mut k = kernel();
    let x = k.pointer("x", Type::F32);
    let r = tensor(&mut k, Type::F32, layout!((4,32,2,1):(0,0,1,1)));
    // (warp, lane, repeat, word)
    let m = MemoryTensor::new(&x.at(&0.into()), &layout!((4,32,2,1):(64,1,32,1)), 256, 4);
    let options = ApplyOptions { scope: Scope::Cta { warps: 4 }, ..Default::default() };
    assert_eq!(k.apply("ld.global.f32", &[(&r).into(), (&m).into()], &options), Ok(2));
    let lines = lines(k, "ld.global.f32");
    assert!(lines[1].ends_with("+128];"), "{lines:?}");
}

#[test]
fn each_lane_gives_a_row_to_ldmatrix() {
    let mut k = kernel();
    let s = k.shared(Type::F16, 4096, 128);
    let r = tensor(&mut k, Type::B32, layout!((2,4):(4,1)));
    // (repeat, matrix, row, half)
    let m = MemoryTensor::new(&s.at(&0.into()), &layout!((2,4,8,8):(2048,512,64,1)), 4096, 128);
    let options = ApplyOptions { scope: Scope::Warp, ..Default::default() };
    let op = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
    assert_eq!(k.apply(op, &[(&r).into(), (&m).into()], &options), Ok(2));
    let lines = lines(k, "ldmatrix");
    assert!(lines[1].ends_with("+4096];"), "{lines:?}");
}

#[test]
fn products_run_over_k_first_and_begin_with_c() {
    let mut k = kernel();
    let (a, b) =
        (zeros(&mut k, Type::B32, layout!((2,3,4):(4,8,1))), zeros(&mut k, Type::B32, layout!((1,3,2):(2,2,1))));
    let (d, c) =
        (tensor(&mut k, Type::F32, layout!((2,1,4):(4,4,1))), zeros(&mut k, Type::F32, layout!((2,1,4):(4,4,1))));
    let options = ApplyOptions { scope: Scope::Warp, ..Default::default() };
    let op = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
    assert_eq!(k.apply(op, &[(&d).into(), (&a).into(), (&b).into(), (&c).into()], &options), Ok(6));
    // one register for all of C
    let zero = k.op("mov.f32", vec![0.0f32.into()]);
    assert_eq!(k.apply(op, &[(&d).into(), (&a).into(), (&b).into(), zero.into()], &options), Ok(6));
    let e = k.apply(op, &[(&d).into(), (&b).into(), (&b).into(), (&c).into()], &options).unwrap_err();
    assert!(matches!(e, ApplyError::Width { operand: 2, expected: 4, found: 2 }), "{e}");
    let short = b.view(0, &layout!((1,2,2):(2,2,1)));
    let e = k.apply(op, &[(&d).into(), (&a).into(), (&short).into(), (&c).into()], &options).unwrap_err();
    assert!(matches!(e, ApplyError::Repeats { operand: 3, .. }), "{e}");
    let lines = lines(k, "mma.sync");
    let (last, first) = (
        |l: &str| l[l.rfind('{').unwrap()..].to_string(),
        |l: &str| l[l.find('{').unwrap()..l.find('}').unwrap()].to_string(),
    );
    assert_ne!(last(&lines[0]).trim_end_matches("};"), first(&lines[0]), "C is read before the first k");
    assert_eq!(last(&lines[1]).trim_end_matches("};"), first(&lines[1]), "then D");
}

#[test]
fn a_condition_guards_every_instruction_and_says_what_is_lost() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
    let p = k.op("mov.b32", vec![1.into()]);
    let options = ApplyOptions { pred: Some(p), ..Default::default() };
    k.apply("neg.f32", &[(&x).into(), (&x).into()], &options).unwrap();
    let kept = ApplyOptions { preserve_dst: true, ..options };
    k.apply("abs.f32", &[(&x).into(), (&x).into()], &kept).unwrap();
    let text = k.finish().unwrap().to_string();
    assert_eq!(text.matches("setp.ne.b32").count(), 2);
    assert_eq!(text.matches("// else undefined").count(), 2);
    assert!(text.lines().filter(|l| l.contains("abs.f32")).all(|l| l.trim().starts_with("@%p") && l.ends_with(';')));
}

// the conditions, each by itself

#[test]
fn unknown_opcodes_name_the_nearest() {
    let mut k = kernel();
    let e = thread(&mut k, "add.rn.f16x3", &[]).unwrap_err();
    assert_eq!(e.to_string(), "no instruction `add.rn.f16x3`; the nearest is `add.rn.f16x2`");
}

#[test]
fn instructions_without_a_meaning_over_tensors_are_refused() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
    let o = ApplyOperand::from(&x);
    for (op, n) in [
        ("setp.lt.f32", 3),
        ("shfl.sync.bfly.b32", 5),
        ("atom.global.add.f32", 3),
        ("red.global.add.f32", 2),
        ("wgmma.fence.sync.aligned", 0),
        ("bar.sync", 1),
        ("ret", 0),
        ("vote.sync.any.pred", 3),
    ] {
        let e = thread(&mut k, op, &vec![o; n]).unwrap_err();
        assert!(matches!(e, ApplyError::NoPattern { .. }), "{op}: {e}");
    }
}

#[test]
fn the_number_of_operands_is_the_opcodes() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
    let e = thread(&mut k, "neg.f32", &[(&x).into()]).unwrap_err();
    assert_eq!(e, ApplyError::Count { expected: vec![2], found: 1 });
}

#[test]
fn group_axes_are_those_of_the_scope() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
    let options = ApplyOptions { scope: Scope::Warp, ..Default::default() };
    let e = k.apply("neg.f32", &[(&x).into(), (&x).into()], &options).unwrap_err();
    assert!(matches!(&e, ApplyError::Group { operand: 1, expected, .. } if *expected == [32]), "{e}");
}

#[test]
fn repeats_agree() {
    let mut k = kernel();
    let (x, y) = (zeros(&mut k, Type::F32, layout!((2,1):(1,1))), zeros(&mut k, Type::F32, layout!((3,1):(1,1))));
    let e = thread(&mut k, "neg.f32", &[(&x).into(), (&y).into()]).unwrap_err();
    assert_eq!(e, ApplyError::Repeats { operand: 2, expected: vec![2], found: vec![3] });
}

#[test]
fn the_last_axis_counts_native_registers() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::B32, layout!((4,2):(2,1)));
    // two halves in a word are one register
    let e = thread(&mut k, "add.f16x2", &[(&x).into(), (&x).into(), (&x).into()]).unwrap_err();
    assert_eq!(e, ApplyError::Width { operand: 1, expected: 1, found: 2 });
}

#[test]
fn scalars_are_read_and_memory_is_not_computed_with() {
    let mut k = kernel();
    let pointer = k.pointer("x", Type::F32);
    let (x, r) = (zeros(&mut k, Type::F32, layout!((2,1):(1,1))), k.reg(Type::F32));
    let m = MemoryTensor::new(&pointer.at(&0.into()), &layout!((2,1):(1,1)), 2, 4);
    for operands in [[ApplyOperand::from(r), (&x).into()], [(&m).into(), (&x).into()], [(&x).into(), (&m).into()]] {
        let e = thread(&mut k, "neg.f32", &operands).unwrap_err();
        assert!(matches!(e, ApplyError::Kind { .. }), "{e}");
    }
    let e = thread(&mut k, "ld.global.f32", &[(&x).into(), (&x).into()]).unwrap_err();
    assert!(matches!(e, ApplyError::Kind { operand: 2, .. }), "{e}");
}

#[test]
fn places_are_in_the_list_of_registers() {
    let mut k = kernel();
    let x = RegisterTensor::new(&k.regs(Type::F32, 3), &layout!((4,1):(1,1)));
    let e = thread(&mut k, "neg.f32", &[(&x).into(), (&x).into()]).unwrap_err();
    assert_eq!(e, ApplyError::Registers { operand: 1, lo: 0, hi: 3, have: 3 });
    let e = thread(&mut k, "neg.f32", &[(&x.view(-1, &layout!((2,1):(1,1)))).into(), (&x).into()]).unwrap_err();
    assert_eq!(e, ApplyError::Registers { operand: 1, lo: -1, hi: 0, have: 3 });
}

#[test]
fn registers_belong_to_the_thread_that_executes() {
    let mut k = kernel();
    let options = ApplyOptions { scope: Scope::Warp, ..Default::default() };
    let own = zeros(&mut k, Type::F32, layout!((32,2,1):(0,1,1)));
    assert_eq!(k.apply("neg.f32", &[(&own).into(), (&own).into()], &options), Ok(2));
    let held = own.clone().held_by(&layout!((32,2,1):(1,0,0)));
    assert_eq!(k.apply("neg.f32", &[(&held).into(), (&held).into()], &options), Ok(2));
    // held by the neighbour of each thread, in the other order, or spread over the repeats
    for threads in [layout!(((2,16),2,1):((16,1),0,0)), layout!((32,2,1):(0,0,0)), layout!((32,2,1):(1,1,0))] {
        let foreign = own.clone().held_by(&threads);
        let e = k.apply("neg.f32", &[(&own).into(), (&foreign).into()], &options).unwrap_err();
        assert!(matches!(e, ApplyError::Owner { operand: 2, .. }), "{threads}: {e}");
    }
    // places that depend on the lane
    let spread = RegisterTensor::new(&k.regs(Type::F32, 64), &layout!((32,2,1):(1,32,1)));
    let e = k.apply("neg.f32", &[(&spread).into(), (&own).into()], &options).unwrap_err();
    assert!(matches!(e, ApplyError::Owner { operand: 1, .. }), "{e}");
}

#[test]
fn results_do_not_overlap() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((4,1):(1,1)));
    for layout in [layout!((4,1):(0,1)), layout!((2,2,1):(1,1,1))] {
        let y = x.view(0, &layout);
        let e = thread(&mut k, "mov.f32", &[(&y).into(), 0.0f32.into()]).unwrap_err();
        assert!(matches!(e, ApplyError::Overlap { operand: 1, .. }), "{layout}: {e}");
    }
}

#[test]
fn words_are_neighbours_and_aligned_and_there() {
    let mut k = kernel();
    let pointer = k.pointer("x", Type::F32);
    let r = zeros(&mut k, Type::F32, layout!((2,4):(4,1)));
    let mut load = |layout: Layout, size, align| {
        let m = MemoryTensor::new(&pointer.at(&0.into()), &layout, size, align);
        thread(&mut k, "ld.global.v4.f32", &[(&r).into(), (&m).into()]).unwrap_err()
    };
    assert!(matches!(load(layout!((2,4):(1,2)), 8, 16), ApplyError::Words { operand: 2, words: 4, .. }));
    assert!(matches!(load(layout!((2,4):(6,1)), 16, 16), ApplyError::Alignment { operand: 2, bytes: 16, .. }));
    assert!(matches!(load(layout!((2,4):(4,1)), 8, 8), ApplyError::Alignment { operand: 2, align: 8, .. }));
    assert!(matches!(load(layout!((2,4):(4,1)), 7, 16), ApplyError::Bounds { operand: 2, lo: 0, hi: 7, size: 7 }));
}

#[test]
fn memory_is_of_the_space_and_width_of_the_instruction() {
    let mut k = kernel();
    let (x, s) = (k.pointer("x", Type::F16), k.shared(Type::F32, 8, 16));
    let r = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
    let halves = MemoryTensor::new(&x.at(&0.into()), &layout!((2,1):(1,1)), 2, 4);
    let e = thread(&mut k, "ld.global.f32", &[(&r).into(), (&halves).into()]).unwrap_err();
    assert!(matches!(e, ApplyError::Element { operand: 2, opcode: 32, memory: 16 }), "{e}");
    let shared = MemoryTensor::new(&s.at(&0.into()), &layout!((2,1):(1,1)), 2, 4);
    let e = thread(&mut k, "ld.global.f32", &[(&r).into(), (&shared).into()]).unwrap_err();
    assert!(matches!(e, ApplyError::Space { operand: 2, opcode: "global", memory: "shared" }), "{e}");
}

#[test]
fn conditions_are_predicates_or_words() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
    let wide = k.reg(Type::B64);
    let options = ApplyOptions { pred: Some(wide), ..Default::default() };
    assert_eq!(k.apply("neg.f32", &[(&x).into(), (&x).into()], &options), Err(ApplyError::Predicate));
}

#[test]
fn only_guarded_and_written_results_are_preserved() {
    let mut k = kernel();
    let (x, fresh) = (zeros(&mut k, Type::F32, layout!((2,1):(1,1))), tensor(&mut k, Type::F32, layout!((2,1):(1,1))));
    let tid = k.tid();
    let girih::gpu::kernel::Pred::If(p, _) = k.lt(&tid, &5.into()) else { panic!() };
    let kept = ApplyOptions { preserve_dst: true, ..Default::default() };
    let e = k.apply("neg.f32", &[(&x).into(), (&x).into()], &kept);
    assert_eq!(e, Err(ApplyError::PreserveWithoutPredicate));
    let kept = ApplyOptions { pred: Some(p), ..kept };
    let e = k.apply("neg.f32", &[(&fresh).into(), (&x).into()], &kept);
    assert_eq!(e, Err(ApplyError::PreserveUnwritten { operand: 1 }));
    assert_eq!(k.apply("neg.f32", &[(&x).into(), (&x).into()], &kept), Ok(2));
}

#[test]
fn extents_are_known() {
    let mut k = kernel();
    let r: Vec<Reg> = k.regs(Type::F32, 2);
    let x = RegisterTensor::new(&r, &layout!((?N,1):(1,1)));
    let e = thread(&mut k, "neg.f32", &[(&x).into(), (&x).into()]).unwrap_err();
    assert!(matches!(e, ApplyError::Layout(_)), "{e}");
}

#[test]
fn a_refused_application_emits_nothing() {
    let mut k = kernel();
    let x = tensor(&mut k, Type::F32, layout!((4,1):(1,1)));
    let y = x.view(0, &layout!((4,1):(0,1)));
    thread(&mut k, "neg.f32", &[(&y).into(), (&x).into()]).unwrap_err();
    assert!(lines(k, "neg").is_empty());
}
