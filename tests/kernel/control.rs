//! Blocks, loops, guards and variables: what may be reused where.

use crate::build::{assemble, finish, kernel, show, shown, thread};
use crate::machine;
use girih::gpu::kernel::{Index, Kernel, Pointer};
use girih::gpu::ptx::{Module, Type};
use girih::prelude::*;

fn built(block: u32, body: impl FnOnce(&mut Kernel, &Pointer, &Index, &Index)) -> Module {
    let mut k = kernel(block);
    let (out, n, tid) = (k.pointer("out", Type::B64), k.size("n"), k.tid());
    body(&mut k, &out, &n, &tid);
    let module = finish(k);
    assemble(std::slice::from_ref(&module));
    module
}

fn values(module: &Module, tid: u64, n: u64) -> Vec<i64> {
    shown(module, &thread(tid, 0, &[("n", n)])).into_iter().map(|(_, v)| v).collect()
}

#[test]
fn what_a_branch_computes_of_outer_values_is_there_after_it_and_in_the_other_branch() {
    let module = built(128, |k, out, _, tid| {
        let p = k.lt(tid, &7.into());
        let third = |k: &mut Kernel| k.div(tid, 3);
        k.branch_or(
            &p,
            |k| drop(third(k)),
            |k| {
                let q = third(k);
                show(k, out, 0, &q);
            },
        );
        let q = third(k);
        show(k, out, 1, &q);
    });
    assert_eq!((values(&module, 5, 0), values(&module, 100, 0)), (vec![1], vec![33, 33]));
}

#[test]
fn what_a_loop_computes_of_outer_values_is_there_if_it_is_not_entered() {
    let module = built(128, |k, out, n, tid| {
        let square = |k: &mut Kernel| k.mul(tid, tid);
        k.for_each(&0.into(), n, 1, |k, _| {
            let s = square(k);
            show(k, out, 0, &s);
        });
        let s = square(k);
        show(k, out, 1, &s);
    });
    assert_eq!((values(&module, 9, 0), values(&module, 9, 2)), (vec![81], vec![81; 3]));
}

#[test]
fn what_was_computed_from_a_variable_keeps_its_value_and_sums_follow_it() {
    let module = built(32, |k, out, _, tid| {
        let v = k.variable(tid, 0, 1000);
        let (late, quotient, row) = (&v * 2 + 1, k.div(&v, 3), k.offset_at(&layout!(2000:4), &v));
        k.assign(&v, &(&v + 30));
        for (slot, i) in [late, quotient, row].iter().enumerate() {
            show(k, out, slot as i64, i);
        }
        let quotient = k.div(&v, 3);
        show(k, out, 3, &quotient);
    });
    assert_eq!(values(&module, 9, 0), [79, 3, 36, 13]);
}

#[test]
fn the_limit_of_a_loop_is_what_it_was_when_it_began() {
    let module = built(32, |k, out, _, tid| {
        let limit = k.variable(&3.into(), 0, 100);
        k.for_each(&0.into(), &limit.clone(), 1, |k, i| {
            k.assign(&limit, tid);
            show(k, out, 0, i);
        });
    });
    assert_eq!(values(&module, 31, 0), [0, 1, 2]);
}

#[test]
fn a_variable_carried_by_a_loop_keeps_what_it_adds_alive() {
    let module = built(32, |k, out, n, tid| {
        let sum = k.variable(&0.into(), 0, 1 << 40);
        k.for_each(&0.into(), n, 1, |k, i| {
            let square = k.mul(i, i);
            let more = &sum + square + tid;
            k.assign(&sum, &more);
        });
        show(k, out, 0, &sum);
    });
    assert_eq!(values(&module, 5, 4), [20 + 14]);
}

#[test]
fn under_a_guard_loops_end_and_only_guarded_threads_leave() {
    let module = built(128, |k, out, n, tid| {
        let p = k.lt(tid, &7.into());
        let even = k.rem(tid, 2);
        let even = k.eq(&even, &0.into());
        k.guarded(&p, |k| {
            k.for_each(&0.into(), n, 1, |k, i| show(k, out, 0, i));
            k.branch(&even, |k| show(k, out, 1, tid));
            k.exit_if(&even);
        });
        show(k, out, 2, &7.into());
    });
    assert_eq!(values(&module, 4, 2), [0, 1, 4]);
    assert_eq!(values(&module, 5, 2), [0, 1, 7]);
    assert_eq!(values(&module, 8, 2), [7]);
}

#[test]
fn a_promise_holds_in_its_block_only() {
    let module = built(128, |k, out, n, tid| {
        let small = k.lt(n, &8.into());
        let modulo = |k: &mut Kernel, most| {
            let n = k.promised(n, 0, most);
            k.rem(&n, 8)
        };
        k.branch_or(
            &small,
            |k| {
                let m = modulo(k, 7);
                show(k, out, 0, &m);
            },
            |k| {
                let m = modulo(k, 1000);
                show(k, out, 1, &m);
            },
        );
        let _ = tid;
    });
    assert_eq!((values(&module, 0, 5), values(&module, 0, 100)), (vec![5], vec![4]));
}

#[test]
fn a_swizzle_sees_the_carries_of_terms_that_it_does_not_touch_alone() {
    let module = built(2, |k, out, _, tid| {
        let one = k.size_at_most("m", 1);
        let tile: Composed = "S<2,3,3> o 0 o (2,2):(32,32)".parse().unwrap();
        let i = k.offset_swizzled(&tile, &[tid.clone(), one]);
        show(k, out, 0, &i);
    });
    let seen = shown(&module, &thread(1, 0, &[("n", 0), ("m", 1)]));
    assert_eq!(seen, [(0, 64 ^ 8)]);
}

#[test]
fn shared_elements_are_found_by_indices_of_64_bits_and_zeros_stand_where_nothing_is_loaded() {
    let module = built(32, |k, out, n, tid| {
        let tile = k.shared(Type::B64, 64, 16);
        let far = k.mul(n, n);
        let slot = k.min(&far, &31.into());
        let mark = k.op("mov.b64", vec![77.into()]);
        k.store(&tile.at(&(&slot + 1)), &[mark]);
        let there = k.lt(tid, &4.into());
        let v = k.load_or_zero(&there, &tile.at(&(slot + 1)), 1);
        k.store(&out.at(&0.into()), &v);
    });
    let at = |tid, n| machine::run(&module, &thread(tid, 0, &[("n", n)])).unwrap().stores;
    assert_eq!(at(3, 1 << 30), [(machine::SMEM + 32 * 8, 77), (crate::build::OUT, 77)]);
    assert_eq!(at(5, 2), [(machine::SMEM + 5 * 8, 77), (crate::build::OUT, 0)]);
}

#[test]
fn loops_count_in_64_bits_where_the_last_step_needs_them() {
    let module = built(32, |k, out, n, _| {
        k.for_each(&(n + 0), &(n + 2), 1 << 31, |k, i| show(k, out, 0, i));
    });
    assert_eq!(values(&module, 0, i32::MAX as u64), [i32::MAX as i64]);
}
