//! Each error of the builder, and input that no kernel has: errors, never panics.

use crate::build::{finish, kernel, show, shown, thread};
use girih::gpu::kernel::{Index, Kernel, KernelError, Pred};
use girih::gpu::ptx::{self, Instruction, Reg, Type};
use girih::prelude::*;

/// The first error of what is built from the thread's number.
fn error(body: impl FnOnce(&mut Kernel, &Index)) -> KernelError {
    let mut k = kernel(32);
    let tid = k.tid();
    body(&mut k, &tid);
    k.finish().unwrap_err()
}

fn beyond() -> Index {
    Index::from(i64::MIN) * i64::MAX * i64::MAX * 2
}

#[test]
fn every_error_names_what_is_wrong() {
    use KernelError::*;
    assert!(matches!(error(|k, _| k.emit("add.f33", vec![])), Opcode(_)));
    assert!(matches!(error(|k, _| k.emit("add.f32", vec![])), Operands(_)));
    assert_eq!(error(|k, _| drop(k.offset(&layout!((4,4):(1,4)), &[0.into()]))), Rank { layout: 2, coordinate: 1 });
    assert_eq!(error(|k, t| drop(k.offset_at(&layout!(4:?lda), t))), Unbound { symbol: "lda".into() });
    let negative = [
        error(|k, t| drop(k.div(&(t - 1), 2))),
        error(|k, t| {
            let from_one_below = k.promised(&(t * 3 - 1), -1, 63);
            k.rem(&from_one_below, 64);
        }),
        error(|k, t| drop(k.div(t, 0))),
        error(|k, t| drop(k.rem(t, -4))),
        error(|k, t| drop(k.xor(t, &(-1).into()))),
        error(|k, t| drop(k.swizzled(&Swizzle::new(3, 0, 3).unwrap(), &(t - 8)))),
        error(|k, _| k.for_each(&0.into(), &9.into(), 0, |_, _| {})),
        error(|k, _| k.for_each(&0.into(), &9.into(), i64::MIN, |_, _| {})),
    ];
    assert!(negative.iter().all(|e| matches!(e, Negative { .. })), "{negative:?}");
    let large = [
        error(|k, t| drop(k.integer(&(t * i64::MAX)))),
        error(|k, _| drop(k.integer(&beyond()))),
        error(|k, t| assert_eq!(k.lt(&(t + beyond()), &(beyond() + 3)), Pred::Never)),
        error(|k, _| assert_eq!(k.eq(&beyond(), &beyond()), Pred::Never)),
        error(|k, _| drop(k.div(&(beyond() * -1), 3))),
        error(|k, t| k.for_each(&0.into(), &(t + i64::MAX), 1, |_, _| {})),
        error(|k, _| k.for_each(&0.into(), &(beyond() * -1), i64::MAX, |_, _| {})),
        error(|k, t| {
            let x = k.pointer("x", Type::F64);
            k.load(&x.at(&(t * i64::MIN * i64::MAX * i64::MAX)), 1);
        }),
    ];
    assert!(large.iter().all(|e| matches!(e, TooLarge { .. })), "{large:?}");
    for name in ["", "2x", "a b", "x\n", "WARP_SZ", "smem", "é"] {
        assert_eq!(error(|k, _| drop(k.size(name))), Name { name: name.into() });
        let k = Kernel::new(name, ptx::Target::SM_80, [1, 1, 1]);
        assert_eq!(k.finish().unwrap_err(), Name { name: name.into() });
    }
    let twice = error(|k, _| {
        k.size("n");
        k.scalar("n", Type::F32);
    });
    assert_eq!(twice, Name { name: "n".into() });
    assert_eq!(error(|k, t| k.assign(t, &0.into())), NotAVariable);
    assert_eq!(error(|k, _| k.assign(&7.into(), &0.into())), NotAVariable);
    for n in [0, 3, 5, 1 << 40] {
        let e = error(|k, _| {
            let x = k.pointer("x", Type::F32);
            k.load(&x.at(&0.into()), n);
        });
        assert_eq!(e, Vector { elements: n, bits: 32 });
    }
    for block in [[0, 1, 1], [1025, 1, 1], [u32::MAX; 3]] {
        let k = Kernel::new("k", ptx::Target::SM_80, block);
        assert!(k.threads() == 0 || k.threads() > 1024);
        assert_eq!(k.finish().unwrap_err(), Block { block });
    }
    for (elements, align) in [(1 << 20, 16), (u64::MAX, 1), (1, u64::MAX), (1, 1 << 63)] {
        assert!(matches!(error(|k, _| drop(k.shared(Type::F32, elements, align))), SharedMemory { limit: 166912, .. }));
    }
    assert!(matches!(error(|k, _| k.emit("wgmma.fence.sync.aligned", vec![])), Target { .. }));
    let far = Reg { id: 99, ty: Type::F32 };
    assert_eq!(error(|k, _| k.emit("mov.f32", vec![far.into(), 1.0f32.into()])), Register { register: far });
    let text = error(|k, _| {
        let r = k.reg(Type::B32);
        let other = Reg { ty: Type::F32, ..r };
        k.emit("mov.f32", vec![other.into(), 1.0f32.into()]);
    });
    assert_eq!(text.to_string(), "register 1 of f32 is none of this kernel's");
}

#[test]
fn an_index_of_a_closed_block_or_loop_is_refused() {
    let escapes = |open: fn(&mut Kernel, &mut Index)| {
        error(|k, _| {
            let mut kept = Index::default();
            open(k, &mut kept);
            let later = k.div(&(kept + 1), 3);
            let out = k.pointer("out", Type::B64);
            show(k, &out, 0, &later);
        })
    };
    let of = [
        escapes(|k, kept| k.for_each(&0.into(), &9.into(), 1, |_, i| *kept = i.clone())),
        escapes(|k, kept| k.for_each(&0.into(), &9.into(), 1, |k, i| *kept = k.mul(i, i))),
        escapes(|k, kept| {
            let (tid, v) = (k.tid(), k.variable(&0.into(), 0, 9));
            let p = k.lt(&tid, &3.into());
            k.branch(&p, |k| *kept = k.div(&v, 3));
        }),
    ];
    assert!(of.iter().all(|e| matches!(e, KernelError::Ended { .. })), "{of:?}");
}

#[test]
fn a_predicate_that_is_none_is_refused() {
    let e = error(|k, _| {
        let r = k.reg(Type::B32);
        k.guarded(&Pred::If(r, false), |k| k.emit("trap", vec![]));
    });
    assert!(matches!(e, KernelError::Operands(_)));
}

#[test]
fn odd_layouts_are_evaluated_or_refused() {
    let texts = [
        "1:0",
        "(1,1):(5,7)",
        "()",
        "((1,4),1):((9,2),3)",
        "(0,4):(1,1)",
        "(4,0):(1,1)",
        "(4,_):(1,2)",
        "(2,3):(1@0,1@1)",
    ];
    for text in texts {
        let Ok(layout) = text.parse::<Layout>() else { continue };
        let mut k = kernel(32);
        let (out, tid) = (k.pointer("out", Type::B64), k.tid());
        let inside = k.min(&tid, &(layout.size().unwrap_or(1).max(1) - 1).into());
        let i = k.offset_at(&layout, &inside);
        show(&mut k, &out, 0, &i);
        if let Ok(module) = k.finish()
            && let Ok(value) = layout.at(0)
        {
            assert_eq!(shown(&module, &thread(0, 0, &[])), [(0, value)], "{text}");
        }
    }
}

#[test]
fn comments_and_empty_shared_memory_do_not_break_the_text() {
    let mut k = kernel(32);
    for text in ["", "  two  words ", "a\nb\r\nc", "else undefined", "*/ // \\"] {
        k.comment(text);
    }
    let (tile, out) = (k.shared(Type::F32, 0, 0), k.pointer("out", Type::B64));
    let first = tile.first().clone();
    show(&mut k, &out, 0, &first);
    finish(k);
}

#[test]
fn an_instruction_made_elsewhere_is_executed_under_the_guard_too() {
    let mut k = kernel(32);
    let tid = k.tid();
    let (p, q) = (k.lt(&tid, &3.into()), k.lt(&tid, &9.into()));
    let Pred::If(own, _) = q else { panic!("not known") };
    k.guarded(&p, |k| {
        k.instruction(Instruction::spelled("trap", vec![]).unwrap());
        k.instruction(Instruction::spelled("trap", vec![]).unwrap().guarded(own).unwrap());
    });
    let text = finish(k).to_string();
    assert!(
        text.contains("@%p0 trap;") && text.contains("and.pred %p2, %p0, %p1;") && text.contains("@%p2 trap;"),
        "{text}"
    );
}
