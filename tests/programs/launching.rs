//! What is checked before a program runs.

use girih::Shape;
use girih::prelude::*;
use girih::program::*;
use girih::tile::ElementType;

fn scaled() -> Program {
    program("scaled", |p| {
        let (m, n) = (p.symbol("m"), p.symbol_multiple_of("n", 4));
        p.require(n.le(64));
        let s = p.scalar::<f32>("s");
        let x = p.input::<f32, 2>("x", [m, n]).partition::<Shape![1, 4]>();
        let y = p.output::<f32, 2>("y", [m, n]).partition::<Shape![1, 4]>();
        let [i, j] = p.grid([m, n.ceil_div(4)]);
        y.store(&(x.load((i, j)) * s), (i, j));
    })
    .unwrap()
}

/// Runs on 24 elements, all 2, with the argument `s = 3`, and what else `with` says.
fn run(with: impl for<'p> FnOnce(Host<'p, 'p>) -> Host<'p, 'p>) -> Result<Vec<(String, i64)>, String> {
    let (scaled, x, mut y) = (scaled(), [2.0f32; 24], [0.0f32; 24]);
    let report = with(scaled.host()).arg("s", 3.0f32).arg("x", &x).arg("y", &mut y).run().map_err(|e| e.to_string())?;
    assert_eq!(y, [6.0; 24]);
    Ok(report.symbols.iter().map(|(name, value)| (name.to_string(), *value)).collect())
}

/// The message, behind the line of a declaration in this file.
fn refused<T: core::fmt::Debug>(result: Result<T, String>, message: &str) {
    let e = result.unwrap_err();
    assert!(e.starts_with(file!()) && e.ends_with(&format!(": {message}")), "{e}");
}

fn values(m: i64, n: i64) -> Result<Vec<(String, i64)>, String> {
    Ok(vec![("m".into(), m), ("n".into(), n)])
}

#[test]
fn values_of_symbols_are_given_or_follow_from_the_length() {
    assert_eq!(run(|host| host.bind("m", 6).bind("n", 4)), values(6, 4));
    assert_eq!(run(|host| host.bind("m", 3)), values(3, 8));
    assert_eq!(run(|host| host.bind("n", 12)), values(2, 12));
}

#[test]
fn values_of_symbols_follow_from_extents() {
    let (scaled, x, mut y) = (scaled(), [2.0f32; 24], [0.0f32; 24]);
    let report = scaled.host().arg("s", 3.0f32).arg("x", (&x, [2, 12])).arg("y", &mut y).run().unwrap();
    assert_eq!((report.grid, y), (vec![2, 3], [6.0; 24]));
}

#[test]
fn wrong_values_of_symbols_are_refused() {
    refused(run(|host| host), "?m has no value: `bind` it, or pass extents that tell it");
    assert_eq!(run(|host| host.bind("k", 1)).unwrap_err(), "the program has no symbol `k`");
    refused(run(|host| host.bind("m", 8)), "`x` has 24 elements, which is no multiple of 32");
    refused(run(|host| host.bind("m", 4).bind("n", 6)), "?n = 6: a symbol is at least 1 and this one a multiple of 4");
    refused(run(|host| host.bind("m", 0)), "?m = 0: a symbol is at least 1");
    refused(run(|host| host.bind("m", 6).bind("m", 3)), "?m is bound to 6 and to 3");
    refused(
        run(|host| host.bind("m", 5).bind("n", 8)),
        "`x`: the layout reaches offset 39, the memory has 24 elements",
    );
}

#[test]
fn a_requirement_is_checked_with_its_line() {
    let scaled = scaled();
    let e = scaled.host().arg("s", 3.0f32).arg("x", &[0.0f32; 68]).arg("y", &mut [0.0f32; 68]).bind("m", 1).run();
    let e = e.unwrap_err();
    let RunError::Requirement { line, left, right, .. } = &e else { panic!("{e}") };
    assert_eq!((line.place().0, *left, *right), (file!(), 68, 64));
    assert!(e.to_string().ends_with("the program requires ?n{4} <= 64; here it is 68 and 64"), "{e}");
}

#[test]
fn wrong_arguments_are_refused() {
    let scaled = scaled();
    let refuse = |host: Host, part: &str| {
        let e = host.bind("m", 1).bind("n", 4).run().unwrap_err().to_string();
        assert!(e.contains(part), "{e}");
    };
    let (x, y) = ([0.0f32; 4], || [0.0f32; 4]);
    let host = || scaled.host();
    refuse(host().arg("s", 3.0f32).arg("x", &x), "`y` has no argument");
    refuse(host().arg("s", 3.0f32).arg("x", &x).arg("x", &x).arg("y", &mut y()), "`x` has 2 arguments");
    refuse(host().arg("z", 3.0f32), "no parameter `z`");
    refuse(host().arg("s", &x).arg("x", &x).arg("y", &mut y()), "`s` is a scalar, memory is passed");
    refuse(host().arg("s", 3.0f32).arg("x", 1.0f32).arg("y", &mut y()), "`x` is memory, a scalar is passed");
    refuse(host().arg("s", 3.0f32).arg("x", &x).arg("y", &x), "`y` is stored to: pass `&mut`");
    refuse(host().arg("s", 3.0f64).arg("x", &x).arg("y", &mut y()), "`s` has elements f32, f64 are passed");
    refuse(host().arg("s", 3.0f32).arg("x", &[1i32; 4]).arg("y", &mut y()), "`x` has elements f32, i32 are passed");
    refuse(host().arg("s", 3.0f32).arg("x", (&x, [2, 2])).arg("y", &mut y()), "`x` is (1,4), (2,2) is passed");
    refuse(
        host().arg("s", (3.0f32, [1])).arg("x", &x).arg("y", &mut y()),
        "`s` is a scalar, it is passed with extents (1)",
    );
}

#[test]
fn a_grid_without_blocks_does_nothing() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        let y = p.output::<i32, 1>("y", [4]).partition::<Shape![4]>();
        p.grid([n - 1]);
        y.store(&p.full(1), 0);
    })
    .unwrap();
    let mut y = [7; 4];
    let report = p.host().arg("y", &mut y).bind("n", 1).run().unwrap();
    assert_eq!((report.grid, report.unwritten, y), (vec![0], vec![("y".into(), 4)], [7; 4]));
    assert!(p.host().arg("y", &mut y).bind("n", 2).run().unwrap().unwritten == [("y".into(), 0)]);
    assert_eq!(y, [1; 4]);
}

#[test]
fn a_grid_that_no_run_ends_is_refused() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        p.grid([n - 2, n]);
    })
    .unwrap();
    for (n, grid) in
        [(1, "(-1,1)"), ((1 << 31) - 1, "(2147483645,2147483647)"), (1 << 40, "(1099511627774,1099511627776)")]
    {
        let e = p.host().bind("n", n).run().unwrap_err();
        assert!(matches!(e, RunError::Grid { .. }));
        assert!(e.to_string().contains(&format!("the grid is {grid}: ")) && e.to_string().starts_with(file!()), "{e}");
    }
}

#[test]
fn memory_is_as_before_when_a_symbol_that_nothing_uses_is_refused() {
    let p = program("p", |p| {
        p.symbol_multiple_of("n", 4);
        p.output::<i32, 1>("y", [4]).partition::<Shape![4]>().store(&p.full(1), 0);
    })
    .unwrap();
    let mut y = [7; 4];
    for n in [0, -4, 6] {
        let e = p.host().arg("y", &mut y).bind("n", n).run().unwrap_err();
        assert!(matches!(e, RunError::Symbol { value, multiple: 4, .. } if value == n), "{e}");
    }
    assert_eq!(y, [7; 4]);
}

#[test]
fn a_length_that_tells_extents_is_that_of_all_spans_of_them() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        let x = p.input::<i32, 1>("x", [n]).partition::<Shape![4]>();
        let y = p.output::<i32, 1>("y", [n]).partition::<Shape![4]>();
        let [i] = p.grid([n.ceil_div(4)]);
        y.store(&x.load(i), i);
    })
    .unwrap();
    let (x, mut y) = ([1; 4], [0; 8]);
    let e = p.host().arg("x", &x).arg("y", &mut y).run().unwrap_err();
    assert!(matches!(e, RunError::Lengths { len: 8, size: 4, .. }), "{e}");
    // who gives the extents, by any means, may pass more
    assert!(p.host().arg("x", &x).arg("y", &mut y).bind("n", 4).run().is_ok());
    assert!(p.host().arg("x", (&x, [4])).arg("y", &mut y).run().is_ok());
    assert_eq!(y, [1, 1, 1, 1, 0, 0, 0, 0]);
}

#[test]
fn what_tells_no_value_says_why() {
    let p = program("p", |p| {
        p.input::<i32, 2>("x", (p.symbol("n"), 64));
    })
    .unwrap();
    let run = |host: Host| host.run().map_err(|e| e.to_string());
    refused(run(p.host().arg("x", &[0; 100])), "`x` has 100 elements, which is no multiple of 64");
    refused(run(p.host().arg("x", (&[0; 64], [0, 64]))), "?n = 0 by what is passed for `x`: a symbol is at least 1");
    refused(run(p.host().arg("x", &[0i32; 0])), "?n = 0 by what is passed for `x`: a symbol is at least 1");
    refused(run(p.host().arg("x", (&[0; 64], [2, 32]))), "`x` is (2,64), (2,32) is passed");
}

#[test]
fn outputs_that_are_not_wholly_written_are_reported() {
    let p = program("p", |p| {
        let y = p.output::<i32, 1>("y", [10]).partition::<Shape![4]>();
        let [i] = p.grid([p.symbol("n")]);
        y.store_masked(&i.broadcast(), i);
    })
    .unwrap();
    for (n, left) in [(1, 6), (2, 2), (3, 0)] {
        let report = p.host().arg("y", &mut [0; 10]).bind("n", n).run().unwrap();
        assert_eq!(report.unwritten, [("y".to_string(), left)]);
    }
}

#[test]
fn parameters_are_data() {
    let p = scaled();
    let parameters: Vec<_> = p.parameters().iter().map(|p| (p.name.as_str(), p.element)).collect();
    assert_eq!(parameters, [("s", ElementType::F32), ("x", ElementType::F32), ("y", ElementType::F32)]);
    assert_eq!((p.name(), p.symbols().len(), p.requirements().len()), ("scaled", 2, 1));
}

#[test]
fn extents_that_tell_no_symbol_of_64_bits_are_refused() {
    let p = program("p", |p| {
        let n = p.symbol_multiple_of("n", 8);
        p.input::<i32, 1>("x", [n.ceil_div(8)]);
    })
    .unwrap();
    let x = [1; 4];
    for extent in [1 << 60, usize::MAX, usize::MAX / 2, (1 << 60) + 1] {
        let e = p.host().arg("x", (&x, [extent])).run().unwrap_err();
        assert!(matches!(e, RunError::Extents(_)), "{e}");
        assert!(e.to_string().ends_with(&format!("`x` is (⌈?n{{8}}/8⌉), ({extent}) is passed")), "{e}");
    }
    let report = p.host().arg("x", (&x, [4])).run().unwrap();
    assert_eq!(report.symbols[0].1, 32);
}

#[test]
fn extents_that_are_passed_are_compared_as_they_are() {
    let p = program("p", |p| {
        p.input::<i32, 2>("x", [4, 1]);
    })
    .unwrap();
    for extents in [[4, usize::MAX], [usize::MAX - 3, 1], [1 << 63, 1]] {
        assert!(matches!(p.host().arg("x", (&[1; 4], extents)).run(), Err(RunError::Extents(_))));
    }
}

#[test]
fn numbers_at_the_ends_of_their_types_are_refused_or_right() {
    let p = program("p", |p| {
        let (m, n) = (p.symbol("m"), p.symbol_multiple_of("n", 4));
        p.require((m * n + n - m).ceil_div(3).ge(m - n));
        p.require(n.multiple_of(m - n));
        p.input_with::<i32, 2>("x", p.layout((m, 2), [n, m]));
        p.grid([m * m, n.ceil_div(7)]);
        p.each(m * n, |_| ());
    });
    let p = p.unwrap();
    let numbers = [i64::MIN, i64::MIN + 4, -1, 0, 1, 4, 1 << 31, 1 << 32, 1 << 62, i64::MAX - 3, i64::MAX];
    for (m, n) in numbers.iter().flat_map(|m| numbers.map(|n| (*m, n))) {
        assert!(p.host().arg("x", &[1; 16]).bind("m", m).bind("n", n).run().is_err() || m < 3 && n == 4, "{m} {n}");
    }
    for (m, n) in [1, 2, 1 << 32, 1 << 62, usize::MAX].into_iter().flat_map(|m| [0, 2, usize::MAX].map(|n| (m, n))) {
        assert!(p.host().arg("x", (&[1; 16], [m, n])).run().is_err());
    }
}

#[test]
fn the_least_number_is_a_multiple_of_each_divisor() {
    assert!(Relation::MultipleOf.holds(i64::MIN, -1) && Relation::MultipleOf.holds(0, 0));
    assert!(!Relation::MultipleOf.holds(i64::MIN, 3) && !Relation::MultipleOf.holds(3, 0));
}

#[test]
fn extents_of_another_rank_are_refused() {
    let p = program("p", |p| _ = p.input::<i32, 2>("x", [p.symbol("n"), p.symbol("m")])).unwrap();
    let e = p.host().arg("x", (&[1; 6], [6])).run().map_err(|e| e.to_string());
    refused(e, "`x` is (?n,?m), (6) is passed");
}

#[test]
fn a_tensor_passes_its_extents_and_must_have_the_layout() {
    let p = program("p", |p| {
        let (m, n) = (p.symbol("m"), p.symbol("n"));
        let x = p.inout::<i32, 2>("x", [m, n]).partition::<Shape![1, 1]>();
        let [i, j] = p.grid([m, n]);
        x.store(x.load((i, j)) + 1, (i, j));
    });
    let p = p.unwrap();
    // a part of a larger memory, from its base on
    let mut x = Tensor::with_base(vec![0; 9], 3, layout!((2,3):(3,1))).unwrap();
    let report = p.host().arg("x", &mut x).run().unwrap();
    assert_eq!((x.memory(), report.grid), (&[0, 0, 0, 1, 1, 1, 1, 1, 1][..], vec![2, 3]));
    let mut x = Tensor::filled(layout!((2,3):(1,2)), 0).unwrap();
    refused(
        p.host().arg("x", &mut x).run().map_err(|e| e.to_string()),
        "`x` is (2,3):(3,1), a tensor (2,3):(1,2) is passed",
    );
    let backwards = p.host().arg("x", &mut Tensor::filled(layout!((2,3):(-3,1)), 0).unwrap()).run();
    assert!(matches!(backwards, Err(RunError::Tensor { .. })));
    // one that is only borrowed
    assert!(matches!(p.host().arg("x", &x).run(), Err(RunError::ReadOnly { .. })));
    let flat = Tensor::filled(layout!(6:1), 0).unwrap();
    assert!(matches!(p.host().arg("x", &flat).run(), Err(RunError::ReadOnly { .. } | RunError::Extents(_))));
}
