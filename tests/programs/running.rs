//! What the host makes of programs.

use girih::Shape;
use girih::program::*;
use girih::view::*;
use typenum::*;

#[track_caller]
fn line() -> u32 {
    core::panic::Location::caller().line()
}

/// A single block on 8 elements of `i32` that are 0 to 7 before.
fn on_8(
    body: impl FnOnce(&Builder, PartitionView<Span<'_, i32, 1, Output<'_>>, Shape![8]>),
) -> Result<[i32; 8], RunError> {
    let p = program("p", |p| body(p, p.inout::<i32, 1>("y", [8]).partition())).unwrap();
    let mut y = core::array::from_fn(|i| i as i32);
    p.host().arg("y", &mut y).run()?;
    Ok(y)
}

#[test]
fn a_ragged_tail_is_neither_read_nor_written() {
    let axpy = program("axpy", |p| {
        let n = p.symbol("n");
        let a = p.scalar::<f32>("a");
        let x = p.input::<f32, 1>("x", [n]).partition::<Shape![64]>();
        let y = p.inout::<f32, 1>("y", [n]).partition::<Shape![64]>();
        let [i] = p.grid([n.ceil_div(64)]);
        y.store_masked(&(x.load_masked(i, Zero) * a + y.load_masked(i, Zero)), i);
    })
    .unwrap();
    let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    for threads in [1, 2, 4] {
        let mut y = vec![1.0; 1000];
        let report = axpy.host().arg("a", 2.0f32).arg("x", &x).arg("y", &mut y).threads(threads).run().unwrap();
        assert_eq!(report.grid, [16]);
        assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x + 1.0));
    }
}

#[test]
fn loops_carry_tiles_by_any_step() {
    // sums of 0..5, of 2..5 and of 1, 4, 7
    let y = on_8(|p, y| {
        let zero = p.zeros::<i32, Shape![]>();
        let a = p.fold(5, zero, |i, sum| sum + i);
        let b = p.fold(2..5, zero, |i, sum| sum + i);
        let (c, count) = p.fold(steps(1, 8, p.full::<i32, Shape![]>(3)), (zero, zero), |i, (sum, n)| (sum + i, n + 1));
        let list = p.iota::<i32, Shape![8]>();
        let y0 = list.eq(0).select(a.broadcast(), p.zeros());
        let y1 = list.eq(1).select(b.broadcast(), y0);
        y.store(&list.eq(2).select(c.broadcast(), list.eq(3).select(count.broadcast(), y1)), 0);
    });
    assert_eq!(y.unwrap(), [10, 9, 12, 3, 0, 0, 0, 0]);
}

#[test]
fn a_loop_without_passes_gives_what_it_began_with() {
    let y = on_8(|p, y| y.store(&p.fold(5..5, y.load(0), |_, x| x - 9), 0));
    assert_eq!(y.unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
    let y = on_8(|p, y| y.store(&p.fold(steps(5, -5, 1), y.load(0), |_, x| x - 9), 0));
    assert_eq!(y.unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_loop_that_does_not_advance_is_refused() {
    let mut at = 0;
    let e = on_8(|p, _| {
        at = line() + 1;
        p.each(steps(0, 4, 0), |_| ());
    });
    let RunError::Block { line, error, .. } = e.unwrap_err() else { panic!() };
    assert_eq!((line.place(), error), ((file!(), at), Box::new(Stop::Step(0))));
}

#[test]
fn loops_nest_and_inner_ones_see_outer_values() {
    // y[j] + sum of i * k for i in 0..3, k in 0..i
    let y = on_8(|p, y| {
        let x = y.load(0);
        let sum = p.fold(3, x, |i, sum| {
            let twice = i * 2;
            p.fold(p.zeros::<i32, Shape![]>()..i, sum, |k, sum| sum + twice * k - i * k)
        });
        y.store(&sum, 0);
    });
    assert_eq!(y.unwrap(), core::array::from_fn(|j| j as i32 + 2));
}

#[test]
fn only_the_chosen_branch_is_executed() {
    // the other branch would stop: chunk 1 does not exist
    let y = on_8(|p, y| {
        let one = p.full::<i32, Shape![]>(1);
        let yes = p.full::<i32, Shape![]>(3).lt(4);
        let (a, b) = p.choose(yes, || (y.load(0) + 1, p.full::<i32, Shape![8]>(2)), || (y.load(one), y.load(one)));
        p.when(!yes, || y.store(&a, one));
        p.when(yes, || y.store(&(a * b), 0));
    });
    assert_eq!(y.unwrap(), core::array::from_fn(|j| 2 * (j as i32 + 1)));
}

#[test]
fn a_block_sees_what_it_stored_itself() {
    let y = on_8(|p, y| {
        let pairs = y.span().partition::<Shape![2]>();
        y.store(&(y.load(0) * 10), 0);
        pairs.store(&p.full(-1), 1);
        y.atomic_add(&p.full::<i32, Shape![8]>(1), 0, Relaxed, Block);
        p.each(3, |i| pairs.store(&(pairs.load(i) + pairs.load(i + 1)), i));
    });
    // 0 10 -1 -1 40 50 60 70, then 1 more each, then pairs: 0 += 1, 1 += 2, 2 += 3
    assert_eq!(y.unwrap(), [1, 11, 41, 51, 102, 122, 61, 71]);
}

#[test]
fn an_error_names_block_and_line_and_leaves_memory_alone() {
    let mut at = 0;
    let p = program("p", |p| {
        let y = p.output::<i32, 1>("y", [10]).partition::<Shape![4]>();
        let [i, j] = p.grid([p.symbol("n"), p.symbol("m")]);
        at = line() + 1;
        y.store(&(i + j).broadcast(), i);
    })
    .unwrap();
    for threads in [1, 2, 4] {
        let mut y = [7; 10];
        let e = p.host().arg("y", &mut y).bind("n", 4).bind("m", 1).threads(threads).run().unwrap_err();
        assert_eq!(
            e.to_string(),
            format!(
                "{}:{at}: in block (2,0): dimension 0: chunk 2 has elements 2*4+(0..4), the span has 10: use the masked form",
                file!()
            )
        );
        assert_eq!(y, [7; 10]);
    }
}

#[test]
fn an_extent_must_be_a_number_of_the_type() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        let y = p.output::<i64, 1>("y", [1]).partition::<Shape![1]>();
        y.store(&p.value::<i8>(n * 2 - 1).reshape(), 0);
    })
    .unwrap();
    let mut y = [0i64];
    p.host().arg("y", &mut y).bind("n", 64).run().unwrap();
    assert_eq!(y, [127]);
    let e = p.host().arg("y", &mut y).bind("n", 65).run().unwrap_err();
    assert!(e.to_string().ends_with("129 is no i8"), "{e}");
}

#[test]
fn float_additions_are_in_the_order_of_blocks() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        let x = p.input::<f32, 1>("x", [n]).partition::<Shape![1]>();
        let sum = p.inout::<f32, 1>("sum", [1]).partition::<Shape![1]>();
        let [i] = p.grid([n]);
        sum.atomic_add(&x.load(i), 0, Relaxed, Device);
    })
    .unwrap();
    let x: Vec<f32> = (1..1000).map(|i| 1.0 / i as f32).collect();
    for threads in [1, 2, 4] {
        let mut sum = [0.0];
        p.host().arg("x", &x).arg("sum", &mut sum).threads(threads).run().unwrap();
        assert_eq!(sum[0], x.iter().sum::<f32>());
    }
}

#[test]
fn strong_loads_see_the_blocks_before() {
    // each block takes the next number and writes it to its own place
    let p = program("p", |p| {
        let n = p.symbol("n");
        let counter = p.inout::<i32, 1>("counter", [1]).partition::<Shape![1]>();
        let y = p.output::<i32, 1>("y", [n]).partition::<Shape![1]>();
        let [i] = p.grid([n]);
        y.store(&counter.atomic_load(0, Acquire, Device), i);
        counter.atomic_add(&p.full::<i32, Shape![1]>(3), 0, Relaxed, Device);
    })
    .unwrap();
    let (mut counter, mut y) = ([5], [0; 4]);
    p.host().arg("counter", &mut counter).arg("y", &mut y).run().unwrap();
    assert_eq!((counter, y), ([17], [5, 8, 11, 14]));
}

#[test]
fn rows_are_gathered_and_scattered() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        let x = p.input::<i32, 2>("x", (n, 2)).gather::<Shape![4, 2], U0>();
        let y = p.output::<i32, 2>("y", (n, 2)).gather::<Shape![4, 2], U0>();
        let list = p.iota::<i32, Shape![4]>();
        y.store(&x.load((list, 0)), ((list + 1) % 4, 0));
    })
    .unwrap();
    let (x, mut y) = ([0, 1, 2, 3, 4, 5, 6, 7], [0; 8]);
    p.host().arg("x", (&x, [4, 2])).arg("y", &mut y).run().unwrap();
    assert_eq!(y, [6, 7, 0, 1, 2, 3, 4, 5]);
}

#[test]
fn errors_are_small() {
    assert!(size_of::<RunError>() <= 64, "{}", size_of::<RunError>());
    assert!(size_of::<ProgramError>() <= 64, "{}", size_of::<ProgramError>());
}

#[test]
fn many_stores_of_a_block_leave_the_last_ones() {
    // more of them than wait for a load, plain and atomic ones to the same elements
    let y = on_8(|p, y| {
        let halves = y.span().partition::<Shape![4]>();
        p.each(1000, |k| {
            y.store(&k.broadcast(), 0);
            halves.atomic_add(p.full::<i32, Shape![4]>(5), 1, Relaxed, Device);
        });
    });
    assert_eq!(y.unwrap(), [999, 999, 999, 999, 1004, 1004, 1004, 1004]);
}

#[test]
fn many_atomic_additions_of_many_blocks_are_all_made() {
    let p = program("p", |p| {
        let y = p.inout::<i32, 1>("y", [8]).partition::<Shape![4]>();
        p.grid([p.symbol("n")]);
        p.each(100, |_| y.atomic_add(p.full::<i32, Shape![4]>(1), 1, Relaxed, Device));
    })
    .unwrap();
    let mut y = [1; 8];
    p.host().arg("y", &mut y).bind("n", 10).run().unwrap();
    assert_eq!(y, [1, 1, 1, 1, 1001, 1001, 1001, 1001]);
}

#[test]
fn any_number_of_threads_may_be_asked_for() {
    let p = program("p", |p| {
        p.grid([p.symbol("n")]);
    })
    .unwrap();
    assert!(p.host().bind("n", 10000).threads(1 << 60).run().is_ok());
    assert!(p.host().bind("n", 10000).threads(0).run().is_ok());
}

#[test]
fn a_loop_may_count_beyond_the_signed_numbers() {
    let y = on_8(|p, y| {
        let top = p.full::<u64, Shape![]>(u64::MAX);
        let count = p.fold(top - 3..top, p.zeros::<i32, Shape![]>(), |_, n| n + 1);
        y.store(&count.broadcast(), 0);
    });
    assert_eq!(y.unwrap(), [3; 8]);
}

#[test]
fn a_program_without_a_grid_stops_without_a_block() {
    let e = on_8(|p, _| p.each(steps(0, 4, 0), |_| ())).unwrap_err().to_string();
    assert!(e.ends_with(": a loop by 0 does not advance") && !e.contains("block"), "{e}");
}

#[test]
fn a_chunk_beyond_the_span_that_is_never_accessed_does_not_matter() {
    let y = on_8(|p, y| {
        let never = p.full::<i32, Shape![]>(3).lt(2);
        let x = p.choose(never, || y.load(7), || y.load(0));
        y.store(x + 1, 0);
    });
    assert_eq!(y.unwrap(), [1, 2, 3, 4, 5, 6, 7, 8]);
    let y = on_8(|p, y| p.when(p.full::<i32, Shape![]>(1).lt(2), || y.store(y.load(7), 0)));
    assert!(matches!(y.unwrap_err(), RunError::Block { .. }));
}

#[test]
fn shared_stores_of_all_kinds_keep_their_order() {
    // evenly spaced elements, repeated ones, rows and operations by turns, before and after the pages are made
    let p = program("p", |p| {
        let y = p.inout::<i32, 1>("y", [16]);
        let (ones, fours, all) =
            (y.partition::<Shape![1]>(), y.partition::<Shape![4]>(), y.gather::<Shape![4], typenum::U0>());
        let [i] = p.grid([p.symbol("n")]);
        p.each(40, |k| {
            ones.atomic_add(p.full::<i32, Shape![1]>(1), k % 16, Relaxed, Device);
            ones.atomic_add(p.full::<i32, Shape![1]>(1), 5, Relaxed, Device);
            ones.atomic_max(p.full::<i32, Shape![1]>(100), (k * 3) % 16, Relaxed, Device);
            fours.atomic_add((p.iota::<i32, Shape![4]>() + i) * k, 2, Relaxed, Device);
            all.atomic_sub(p.full::<i32, Shape![4]>(2), (p.iota::<i32, Shape![4]>() * 5 + k) % 16, Relaxed, Device);
            ones.atomic_max(p.full::<i32, Shape![1]>(7), 15, Relaxed, Device);
        });
    });
    let (p, blocks) = (p.unwrap(), 5);
    let mut expected: Vec<i32> = (0..16).collect();
    for i in 0..blocks {
        for k in 0..40usize {
            expected[k % 16] += 1;
            expected[5] += 1;
            expected[k * 3 % 16] = expected[k * 3 % 16].max(100);
            (0..4).for_each(|j| expected[8 + j] += (j as i32 + i) * k as i32);
            (0..4).for_each(|j| expected[(j * 5 + k) % 16] -= 2);
            expected[15] = expected[15].max(7);
        }
    }
    for threads in [1, 2] {
        let mut y: Vec<i32> = (0..16).collect();
        p.host().arg("y", &mut y).bind("n", blocks.into()).threads(threads).run().unwrap();
        assert_eq!(y, expected);
    }
}
