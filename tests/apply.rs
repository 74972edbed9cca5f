//! `Kernel::apply`: what it emits, and each of its conditions.

use girih::gpu::apply::{ApplyError, ApplyOperand, ApplyOptions, MemoryTensor, RegisterTensor, Scope};
use girih::gpu::kernel::{Kernel, KernelError, Pred};
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
    let kept = ApplyOptions { preserve_dst: true, ..options };
    k.apply("abs.f32", &[(&x).into(), (&x).into()], &kept).unwrap();
    k.apply("neg.f32", &[(&x).into(), (&x).into()], &options).unwrap();
    let e = k.apply("abs.f32", &[(&x).into(), (&x).into()], &kept);
    assert_eq!(
        e,
        Err(ApplyError::PreserveUnwritten { operand: 1 }),
        "it is undefined where the condition did not hold"
    );
    let text = k.finish().unwrap().to_string();
    assert_eq!(text.matches("setp.ne.b32").count(), 1, "one comparison for both");
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
        // one carry for all repeats
        ("add.cc.u32", 3),
        ("addc.u32", 3),
        ("sub.cc.u32", 3),
        ("subc.cc.u32", 3),
        ("mad.lo.cc.u32", 4),
        ("madc.hi.u32", 4),
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
    let Pred::If(p, _) = k.lt(&tid, &5.into()) else { panic!() };
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

fn scoped(scope: Scope) -> ApplyOptions {
    ApplyOptions { scope, ..Default::default() }
}

/// A load of one word by each thread of the scope.
fn load_in(mut k: Kernel, scope: Scope) -> Result<Vec<String>, ApplyError> {
    let mut extents = scope.group(false);
    let mut strides: Vec<i64> = (0..extents.len()).map(|i| extents[i + 1..].iter().product()).collect();
    let size = extents.iter().product();
    extents.extend([1, 1]);
    strides.extend([0, 0]);
    let m = Layout::flat(&extents, &strides).unwrap();
    let x = k.pointer("x", Type::F32);
    let r = RegisterTensor::new(&k.regs(Type::F32, 1), &Layout::flat(&extents, &vec![0; extents.len()]).unwrap());
    let m = MemoryTensor::new(&x.at(&0.into()), &m, size, 4);
    k.apply("ld.global.f32", &[(&r).into(), (&m).into()], &scoped(scope))?;
    let text = k.finish().unwrap().to_string();
    Ok(text.lines().map(|l| l.trim().to_string()).collect())
}

#[test]
fn the_scope_is_that_of_the_kernels_block() {
    let block = |extents| Kernel::new("k", Target::SM_90A, extents);
    for (extents, scope) in [
        ([256, 1, 1], Scope::Cta { warps: 8 }),
        ([256, 1, 1], Scope::Warpgroup),
        ([16, 16, 1], Scope::Warp),
        ([16, 16, 1], Scope::Cta { warps: 8 }),
        ([48, 1, 1], Scope::Thread),
    ] {
        assert!(load_in(block(extents), scope).is_ok(), "{extents:?} {scope:?}");
    }
    for (extents, scope) in [
        ([256, 1, 1], Scope::Cta { warps: 2 }),
        ([256, 1, 1], Scope::Cta { warps: 16 }),
        ([48, 1, 1], Scope::Warp),
        ([64, 1, 1], Scope::Warpgroup),
        ([32, 1, 1], Scope::Cluster { ctas: 2, warps: 1 }),
    ] {
        let e = load_in(block(extents), scope).unwrap_err();
        assert!(matches!(e, ApplyError::Scope { block, cluster: None, .. } if block == extents), "{scope:?}: {e}");
    }
}

#[test]
fn lanes_count_the_threads_of_all_dimensions() {
    let text = load_in(Kernel::new("k", Target::SM_80, [16, 16, 1]), Scope::Warp).unwrap().join("\n");
    assert!(text.contains("%tid.x") && text.contains("%tid.y"), "{text}");
}

#[test]
fn a_cluster_is_the_kernels() {
    let clustered = |blocks| {
        let mut k = Kernel::new("k", Target::SM_90A, [64, 1, 1]);
        k.cluster(blocks);
        k
    };
    let text = load_in(clustered([2, 2, 1]), Scope::Cluster { ctas: 4, warps: 2 }).unwrap().join("\n");
    assert!(text.contains(".reqnctapercluster 2, 2, 1") && text.contains("%cluster_ctarank"), "{text}");
    for scope in [Scope::Cluster { ctas: 2, warps: 2 }, Scope::Cluster { ctas: 4, warps: 1 }] {
        let e = load_in(clustered([2, 2, 1]), scope).unwrap_err();
        assert!(matches!(e, ApplyError::Scope { cluster: Some([2, 2, 1]), .. }), "{e}");
    }
    for (target, blocks) in [(Target::SM_80, [2, 1, 1]), (Target::SM_90A, [0, 1, 1]), (Target::SM_90A, [8, 4, 1])] {
        let mut k = Kernel::new("k", target, [64, 1, 1]);
        k.cluster(blocks);
        assert_eq!(k.finish().err(), Some(KernelError::Cluster { cluster: blocks, target }));
    }
}

#[test]
fn matrices_are_counted() {
    let mut k = kernel();
    let s = k.shared(Type::F16, 512, 128);
    let r = zeros(&mut k, Type::B32, layout!((4):(1)));
    let m = |layout: Layout| MemoryTensor::new(&s.at(&0.into()), &layout, 512, 128);
    for wrong in
        [layout!((2,8,8):(64,8,1)), layout!((1,8,8):(64,8,1)), layout!((8,8,8):(64,8,1)), layout!((4,4,8):(64,8,1))]
    {
        let m = m(wrong);
        for (op, operands) in [
            ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", [(&r).into(), ApplyOperand::from(&m)]),
            ("stmatrix.sync.aligned.m8n8.x4.shared.b16", [(&m).into(), (&r).into()]),
        ] {
            let e = k.apply(op, &operands, &scoped(Scope::Warp)).unwrap_err();
            assert!(matches!(e, ApplyError::Matrices { expected: [4, 8], .. }), "{op} {wrong}: {e}");
        }
    }
    let m = m(layout!((4,8,8):(64,8,1)));
    let op = "stmatrix.sync.aligned.m8n8.x4.shared.b16";
    assert_eq!(k.apply(op, &[(&m).into(), (&r).into()], &scoped(Scope::Warp)), Ok(1));
}

#[test]
fn results_do_not_overlap_by_a_register_listed_twice() {
    let mut k = kernel();
    let x = k.pointer("x", Type::F32);
    let r = k.reg(Type::F32);
    let twice = RegisterTensor::new(&[r, r], &layout!((2,1):(1,1)));
    let e = thread(&mut k, "mov.f32", &[(&twice).into(), 0.0f32.into()]).unwrap_err();
    assert_eq!(e, ApplyError::Overlap { operand: 1, register: r });
    let vector = RegisterTensor::new(&[r; 4], &layout!((1,4):(0,1)));
    let m = MemoryTensor::new(&x.at(&0.into()), &layout!((1,4):(0,1)), 4, 16);
    let e = thread(&mut k, "ld.global.v4.f32", &[(&vector).into(), (&m).into()]).unwrap_err();
    assert_eq!(e, ApplyError::Overlap { operand: 1, register: r });
}

#[test]
fn results_do_not_overwrite_what_a_later_repeat_reads() {
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((5,1):(1,1)));
    let (low, high) = (x.view(0, &layout!((4,1):(1,1))), x.view(1, &layout!((4,1):(1,1))));
    let e = thread(&mut k, "mov.f32", &[(&high).into(), (&low).into()]).unwrap_err();
    assert_eq!(e, ApplyError::Hazard { operand: 2, register: x.registers()[1] });
    // in the other direction, and in place, everything is read in time
    assert_eq!(thread(&mut k, "mov.f32", &[(&low).into(), (&high).into()]), Ok(4));
    assert_eq!(thread(&mut k, "neg.f32", &[(&x).into(), (&x).into()]), Ok(5));
    // a scalar is read by all repeats
    let first = x.registers()[0];
    let e = thread(&mut k, "add.f32", &[(&x).into(), (&x).into(), first.into()]).unwrap_err();
    assert_eq!(e, ApplyError::Hazard { operand: 3, register: first });
}

#[test]
fn loads_do_not_overwrite_their_addresses() {
    let mut k = kernel();
    let s = k.shared(Type::B32, 1024, 16);
    let i = k.variable(&0.into(), 0, 7);
    let (girih::gpu::ptx::Operand::Reg(i_register), _) = k.integer(&i) else { panic!() };
    let r = RegisterTensor::new(&[i_register, k.reg(Type::B32)], &layout!((2,1):(1,1)));
    let m = MemoryTensor::new(&s.at(&i), &layout!((2,1):(1,1)), 2, 4);
    let e = thread(&mut k, "ld.shared.b32", &[(&r).into(), (&m).into()]).unwrap_err();
    assert_eq!(e, ApplyError::Hazard { operand: 2, register: i_register });
}

#[test]
fn accumulators_are_no_operands_of_later_products() {
    let mut k = kernel();
    let op = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
    let (a, b) =
        (zeros(&mut k, Type::B32, layout!((1,1,4):(4,4,1))), zeros(&mut k, Type::B32, layout!((2,1,2):(2,2,1))));
    let d = a.view(0, &layout!((1,2,2):(4,2,1)));
    let e = k.apply(op, &[(&d).into(), (&a).into(), (&b).into(), (&d).into()], &scoped(Scope::Warp)).unwrap_err();
    assert!(matches!(e, ApplyError::Hazard { operand: 2, .. }), "{e}");
    let c = zeros(&mut k, Type::B32, layout!((1,2,2):(4,2,1)));
    assert_eq!(k.apply(op, &[(&c).into(), (&a).into(), (&b).into(), (&c).into()], &scoped(Scope::Warp)), Ok(2));
}

#[test]
fn stores_do_not_overlap() {
    let mut k = kernel();
    let x = k.pointer("x", Type::F32);
    let r = zeros(&mut k, Type::F32, layout!((32,2,1):(0,1,1)));
    let mut moved = |op: &str, layout: Layout| {
        let m = MemoryTensor::new(&x.at(&0.into()), &layout, 64, 4);
        let operands =
            if op.starts_with("st") { [(&m).into(), (&r).into()] } else { [(&r).into(), ApplyOperand::from(&m)] };
        k.apply(op, &operands, &scoped(Scope::Warp))
    };
    // one place for all, for all lanes, for neighbours
    for layout in [layout!((32,2,1):(0,0,1)), layout!((32,2,1):(0,1,1)), layout!((32,2,1):(1,1,1))] {
        let e = moved("st.global.f32", layout).unwrap_err();
        assert!(matches!(e, ApplyError::Stores { operand: 1, .. }), "{layout}: {e}");
        assert_eq!(moved("ld.global.f32", layout), Ok(2), "{layout}: loads may");
    }
    assert_eq!(moved("st.global.f32", layout!((32,2,1):(1,32,1))), Ok(2));
}

#[test]
fn asynchronous_copies_do_not_overlap() {
    let mut k = kernel();
    let (x, s) = (k.pointer("x", Type::F32), k.shared(Type::F32, 64, 16));
    let mut copy = |layout: Layout| {
        let to = MemoryTensor::new(&s.at(&0.into()), &layout, 8, 16);
        let from = MemoryTensor::new(&x.at(&0.into()), &layout!((2,4):(0,1)), 8, 16);
        thread(&mut k, "cp.async.cg.shared.global", &[(&to).into(), (&from).into(), 16.into()])
    };
    assert_eq!(copy(layout!((2,4):(4,1))), Ok(2));
    assert!(matches!(copy(layout!((2,4):(0,1))), Err(ApplyError::Stores { operand: 1, .. })));
}

#[test]
fn promises_do_not_contradict_what_is_known() {
    let mut k = kernel();
    let (x, s) = (k.pointer("x", Type::F32), k.shared(Type::F32, 16, 16));
    let (tid, r) = (k.tid(), zeros(&mut k, Type::F32, layout!((1,4):(4,1))));
    let mut load = |spot: Result<girih::gpu::kernel::Index, girih::gpu::kernel::Index>, size, align| {
        let space = if spot.is_ok() { "global" } else { "shared" };
        let spot = match spot {
            Ok(element) => x.at(&element),
            Err(element) => s.at(&element),
        };
        let m = MemoryTensor::new(&spot, &layout!((1,4):(4,1)), size, align);
        thread(&mut k, &format!("ld.{space}.v4.f32"), &[(&r).into(), (&m).into()])
    };
    let at = girih::gpu::kernel::Index::from;
    assert_eq!(load(Err(at(12)), 4, 16), Ok(1));
    // more than the tile, or beyond it, or before
    for (element, size, bytes) in
        [(at(0), 17, 64), (at(12), 5, 16), (at(16), 4, 0), (at(-4), 4, 0), (tid.clone() * 4, 4, 0)]
    {
        assert_eq!(load(Err(element), size, 16), Err(ApplyError::Size { operand: 2, promised: size, bytes }));
    }
    for (element, align, known) in [(at(0), 128, 16), (at(1), 16, 4), (at(2), 16, 8), (at(0), 0, 1), (at(0), -16, 1)] {
        assert_eq!(load(Err(element), 4, align), Err(ApplyError::Promise { operand: 2, promised: align, known }));
    }
    // a pointer's alignment is a promise; the offset's is known
    for (element, align, known) in [(at(1), 16, 4), (tid.clone() * 4 + 2, 16, 8), (at(0), 24, 24), (at(0), 0, 1)] {
        assert_eq!(load(Ok(element), 4, align), Err(ApplyError::Promise { operand: 2, promised: align, known }));
    }
    for element in [at(4), tid.clone() * 4, tid] {
        assert_eq!(load(Ok(element), 4, 16), Ok(1));
    }
}

#[test]
fn without_a_condition_the_kernels_guard_keeps_its_meaning() {
    for kept in [true, false] {
        let mut k = kernel();
        let x = zeros(&mut k, Type::F32, layout!((2,1):(1,1)));
        let tid = k.tid();
        let p = k.lt(&tid, &5.into());
        let body = |k: &mut Kernel| assert_eq!(thread(k, "neg.f32", &[(&x).into(), (&x).into()]), Ok(2));
        if kept {
            k.guarded_or_kept(&p, body)
        } else {
            k.guarded(&p, body)
        }
        assert!(lines(k, "neg.f32").iter().all(|l| l.starts_with("@%p0") && l.contains("undefined") != kept));
    }
}

#[test]
fn only_results_that_every_thread_wrote_are_preserved() {
    type Write = fn(&mut Kernel, Pred, Reg);
    let zero = |k: &mut Kernel, r: Reg| k.emit("mov.f32", vec![r.into(), 0f32.into()]);
    let cases: [(&str, Write, bool); 7] = [
        ("once", |k, _, r| k.emit("mov.f32", vec![r.into(), 0f32.into()]), true),
        ("guarded", |k, p, r| k.guarded(&p, |k| k.emit("mov.f32", vec![r.into(), 0f32.into()])), false),
        ("kept", |k, p, r| k.guarded_or_kept(&p, |k| k.emit("mov.f32", vec![r.into(), 0f32.into()])), false),
        ("branch", |k, p, r| k.branch(&p, |k| k.emit("mov.f32", vec![r.into(), 0f32.into()])), false),
        ("else", |k, p, r| k.branch_or(&p, |_| {}, |k| k.emit("mov.f32", vec![r.into(), 0f32.into()])), false),
        (
            "loop that may be empty",
            |k, _, r| {
                let n = k.size("n");
                k.for_each(&0.into(), &n, 1, |k, _| k.emit("mov.f32", vec![r.into(), 0f32.into()]))
            },
            false,
        ),
        (
            "loop",
            |k, _, r| k.for_each(&0.into(), &4.into(), 1, |k, _| k.emit("mov.f32", vec![r.into(), 0f32.into()])),
            true,
        ),
    ];
    for (name, write, definite) in cases {
        for (before, after) in [(false, false), (true, false), (false, true)] {
            let mut k = kernel();
            let x = tensor(&mut k, Type::F32, layout!((1,1):(1,1)));
            let r = x.registers()[0];
            let tid = k.tid();
            let p = k.lt(&tid, &5.into());
            let Pred::If(register, _) = p else { panic!() };
            if before {
                zero(&mut k, r);
            }
            write(&mut k, p, r);
            if after {
                // the arm where it was written
                k.branch(&p, |k| zero(k, r));
            }
            let options = ApplyOptions { pred: Some(register), preserve_dst: true, ..Default::default() };
            let result = k.apply("mov.f32", &[(&x).into(), 1.0f32.into()], &options);
            // what a guard leaves undefined is so whatever was there before
            let expected = definite || before && name != "guarded";
            assert_eq!(result.is_ok(), expected, "{name}, {before} {after}: {result:?}");
        }
    }
}

#[test]
fn stores_preserve_nothing() {
    let mut k = kernel();
    let (x, r) = (k.pointer("x", Type::F32), zeros(&mut k, Type::F32, layout!((1,1):(1,1))));
    let m = MemoryTensor::new(&x.at(&0.into()), &layout!((1,1):(1,1)), 1, 4);
    let p = k.op("mov.b32", vec![1.into()]);
    let options = ApplyOptions { pred: Some(p), preserve_dst: true, ..Default::default() };
    let e = k.apply("st.global.f32", &[(&m).into(), (&r).into()], &options);
    assert_eq!(e, Err(ApplyError::PreserveNothing));
}

#[test]
fn expansions_are_bounded() {
    let mut k = kernel();
    let x = k.pointer("x", Type::F32);
    let r = k.regs(Type::F32, 1);
    for layout in [layout!((65537,1):(0,1)), layout!((1099511627776,4194304,1):(0,0,1))] {
        let many = RegisterTensor::new(&r, &layout);
        let m = MemoryTensor::new(&x.at(&0.into()), &layout, 1, 4);
        let e = thread(&mut k, "ld.global.f32", &[(&many).into(), (&m).into()]).unwrap_err();
        assert!(matches!(e, ApplyError::TooMany { .. } | ApplyError::Layout(_)), "{layout}: {e}");
    }
}

#[test]
fn registers_are_the_kernels() {
    let mut other = kernel();
    let far = *other.regs(Type::F32, 99).last().unwrap();
    let q = other.reg(Type::Pred);
    let pointer = other.pointer("x", Type::F32);
    let mut k = kernel();
    let x = zeros(&mut k, Type::F32, layout!((1,1):(1,1)));
    let foreign = RegisterTensor::new(&[far], &layout!((1,1):(1,1)));
    let refused = Err(ApplyError::Register { register: far });
    assert_eq!(thread(&mut k, "neg.f32", &[(&foreign).into(), (&x).into()]), refused);
    assert_eq!(thread(&mut k, "neg.f32", &[(&x).into(), (&foreign).into()]), refused);
    assert_eq!(thread(&mut k, "add.f32", &[(&x).into(), (&x).into(), far.into()]), refused);
    let options = ApplyOptions { pred: Some(q), ..Default::default() };
    let e = k.apply("neg.f32", &[(&x).into(), (&x).into()], &options);
    assert_eq!(e, Err(ApplyError::Register { register: q }));
    let m = MemoryTensor::new(&pointer.at(&0.into()), &layout!((1,1):(1,1)), 1, 4);
    let e = thread(&mut k, "ld.global.f32", &[(&x).into(), (&m).into()]).unwrap_err();
    assert!(matches!(e, ApplyError::Register { .. }), "{e}");
    k.finish().unwrap();
}

#[test]
fn a_refused_load_computes_no_address() {
    let numbers = |refused: bool| {
        let mut k = kernel();
        let x = k.pointer("x", Type::F32);
        let r = RegisterTensor::new(&k.regs(Type::F32, 1), &layout!((32,1,1):(0,1,1)));
        let m = MemoryTensor::new(&x.at(&0.into()), &layout!((32,1,1):(1,0,1)), 32, 4);
        if refused {
            let options = ApplyOptions { preserve_dst: true, ..scoped(Scope::Warp) };
            k.apply("ld.global.f32", &[(&r).into(), (&m).into()], &options).unwrap_err();
        }
        k.reg(Type::B32).id
    };
    assert_eq!(numbers(true), numbers(false));
}
