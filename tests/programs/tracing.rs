//! What a builder records and refuses.

use girih::Shape;
use girih::program::*;
use girih::view::*;
use typenum::*;

/// The line after this call's.
#[track_caller]
fn next_line() -> u32 {
    core::panic::Location::caller().line() + 1
}

#[test]
fn every_statement_is_listed() {
    let mut lines = vec![];
    let p = program("all", |p| {
        let (n, lda) = (p.symbol("n"), p.symbol_multiple_of("lda", 8));
        p.require((n * 3 - 1).le(4096));
        let [i] = p.grid([n.ceil_div(64)]);
        let a = p.scalar::<i32>("a");
        let x = p.input_with::<i32, 2>("x", "(?n,64):(?lda,1)".parse().unwrap());
        let y = p.inout::<i32, 2>("y", (n, 64));
        let z = p.output::<i32, 1>("z", [lda]);
        lines.push(next_line());
        let t = x.strided::<Shape![2, 4], (U1, U3)>().load_masked((i, 0), Zero);
        let (sum, _) = p.fold(n, (t, i), |k, (sum, j)| (sum + (j + k), j + 1));
        let u = p.choose(i.lt(a), || sum.reshape::<Shape![4, 2]>(), || p.zeros());
        p.when(a.gt(3), || {
            p.each(steps(0, n, 2), |k| {
                y.partition::<Shape![4, 2]>().store_masked(&(u * k), (k, i));
            });
        });
        y.gather::<Shape![4, 2], U0>().atomic_add(&u, (p.iota::<i32, Shape![4]>(), 0), Relaxed, Device);
        z.partition::<Shape![8]>().atomic_store(&sum.reshape(), i, Release, System);
    })
    .unwrap();
    assert_eq!(
        format!("{p:#}"),
        "\
program all(a: i32, x: i32(?n,64):(?lda,1) in, y: i32(?n,64) inout, z: i32(?lda{8}) out)
  symbols ?n, ?lda{8}
  require 3*?n-1 <= 4096
  grid (⌈?n/64⌉)
    %0: i32 = block_id 0
    %2: i32(2,4) = load x[%0, 0] by (2,4) every (1,3) masked 0
    %14: i32(2,4), %15: i32 = for %6: i32 in 0..?n carrying %7: i32(2,4) = %2, %8: i32 = %0
      %9: i32 = add %8, %6
      %10: i32(2,4) = broadcast %9 to (2,4)
      %11: i32(2,4) = add %7, %10
      %13: i32 = add %8, 1
      yield %11, %13
    %16: bool = lt %0, a
    %19: i32(4,2) = if %16
      %17: i32(4,2) = reshape %14 to (4,2)
      yield %17
    else
      %18: i32(4,2) = full 0
      yield %18
    %21: bool = gt a, 3
    if %21
      for %25: i32 in 0..?n by 2
        %26: i32(4,2) = broadcast %25 to (4,2)
        %27: i32(4,2) = mul %19, %26
        store %27 to y[%25, %0] by (4,2) masked
    %28: i32(4) = iota
    atomic_add %19 to y[%28, 0] by (4,2) gathered along 0 relaxed device
    %29: i32(8) = reshape %14 to (8)
    store %29 to z[%0] by (8) release system
"
    );
    let listing = p.to_string();
    let load = listing.lines().find(|line| line.contains("= load")).unwrap();
    assert_eq!(load.find(&format!("{}:{}", file!(), lines[0])), Some(90), "{load}");
}

#[test]
fn a_tile_is_refused_outside_the_block_that_made_it() {
    let mut line = 0;
    let e = program("p", |p| {
        let escaped = core::cell::Cell::new(p.full::<i32, Shape![]>(0));
        p.each(4, |i| escaped.set(i + 1));
        line = next_line();
        let _ = escaped.get() * 2;
    })
    .unwrap_err();
    assert_eq!(e.line.place(), (file!(), line));
    assert!(e.to_string().contains(": this i32 scalar was made at "), "{e}");
    let Fault::OutOfScope { made, ty } = e.fault else { panic!("{e}") };
    assert_eq!((made.place(), ty.to_string()), ((file!(), line - 2), "i32()".into()));
}

#[test]
fn a_function_that_builds_may_return_what_is_wrong() {
    let built = program("p", |p| {
        p.symbol("n");
        p.input_with::<f32, 2>("x", "(?n,8):(1,?n)".parse()?);
        Ok(())
    });
    assert_eq!(format!("{:#}", built.unwrap()), "program p(x: f32(?n,8):(1,?n) in)\n  symbols ?n\n");
    let line = next_line();
    let e = program("p", |p| {
        p.input_with::<f32, 2>("x", "(?n,8".parse()?);
        Ok(())
    });
    assert_eq!(e.unwrap_err().line.place(), (file!(), line));
}

#[test]
fn tiles_are_taken_by_value_and_by_reference() {
    let p = program("p", |p| {
        let y = p.inout::<f32, 2>("y", [2, 2]).partition::<Shape![2, 2]>();
        let x = y.load((0, 0));
        y.store(x.lt(0).select(x, x.mma(x, x)), (0, 0));
        y.store(&x, (0, 0));
    });
    assert_eq!(p.unwrap().values(), 5);
}

#[test]
fn strides_are_extents_too() {
    let p = program("p", |p| {
        let (n, k) = (p.symbol("n"), p.symbol("k"));
        p.input_with::<f32, 2>("x", p.layout([k, n], (1, k)));
        p.input_with::<f32, 2>("y", p.layout((n, 4), [0, 1]));
    });
    assert_eq!(
        format!("{:#}", p.unwrap()),
        "program p(x: f32(?k,?n):(1,?k) in, y: f32(?n,4):(0,1) in)\n  symbols ?n, ?k\n"
    );
}

#[test]
fn a_sum_or_a_quotient_is_no_extent_of_a_span() {
    let refused = |extent: fn(Extent) -> Extent, text: &str| {
        let e = program("p", |p| {
            p.input::<f32, 1>("x", [extent(p.symbol("n"))]);
        });
        let e = e.unwrap_err().to_string();
        assert!(e.contains(&format!("`x`: {text} is no extent of a span")), "{e}");
    };
    refused(|n| n + 1, "?n+1");
    refused(|n| (n + 2).ceil_div(4), "⌈(?n+2)/4⌉");
    refused(|n| (n * n).ceil_div(4), "⌈?n*?n/4⌉");
}

#[test]
fn products_and_sums_are_divided_in_grids_loops_and_conditions() {
    let p = program("p", |p| {
        let (m, n) = (p.symbol("m"), p.symbol("n"));
        let y = p.output::<i32, 1>("y", [4]).partition::<Shape![4]>();
        p.require((m * 3).ceil_div(2).eq(8));
        p.grid([(m * n + 1).ceil_div(4).ceil_div(8)]);
        y.store(&p.fold((n * n).ceil_div(4), p.zeros::<i32, Shape![4]>(), |_, count| count + 1), 0);
    })
    .unwrap();
    let mut y = [0; 4];
    // ⌈15/2⌉ = 8, ⌈(5*6+1)/32⌉ = 1, ⌈36/4⌉ = 9
    let report = p.host().arg("y", &mut y).bind("m", 5).bind("n", 6).run().unwrap();
    assert_eq!((report.grid, y), (vec![1], [9; 4]));
    assert!(p.host().arg("y", &mut y).bind("m", 4).bind("n", 6).run().is_err());
    assert!(format!("{p:#}").contains("require ⌈3*?m/2⌉ = 8\n  grid (⌈(?m*?n+1)/32⌉)\n"), "{p:#}");
}

#[test]
fn arithmetic_on_a_quotient_that_is_no_monomial_is_refused() {
    let fault = mistake(|p| {
        let n = p.symbol("n");
        let half = (n * n).ceil_div(2);
        let at = next_line();
        let _ = half + 1;
        at
    });
    assert!(fault.to_string().starts_with("⌈?n*?n/2⌉ is no sum of products"), "{fault}");
}

#[test]
fn a_divisor_is_at_least_1() {
    for by in [0, -1, i64::MIN] {
        for extent in [(|n| n) as fn(Extent) -> Extent, |n| n - n, |n| n * n] {
            let fault = mistake(|p| {
                let n = extent(p.symbol("n"));
                let at = next_line();
                let _ = n.ceil_div(by);
                at
            });
            assert_eq!(fault, Fault::Divisor { by });
        }
    }
}

#[test]
fn loops_run_to_extents() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        p.each(n.ceil_div(4), |_| ());
        p.each(..n.ceil_div(4), |_| ());
        p.each(steps(0, n, 4), |_| ());
    });
    assert_eq!(
        format!("{:#}", p.unwrap()),
        "\
program p()
  symbols ?n
    for %3: i32 in 0..⌈?n/4⌉
    for %7: i32 in 0..⌈?n/4⌉
    for %11: i32 in 0..?n by 4
"
    );
}

/// The mistake, which is at the line.
fn mistake(line: impl FnOnce(&Builder) -> u32) -> Fault {
    let mut at = 0;
    let e = program("p", |p| at = line(p)).unwrap_err();
    assert_eq!(e.line.place(), (file!(), at));
    e.fault
}

#[test]
fn symbols_of_layouts_are_those_of_the_program() {
    let fault = mistake(|p| {
        let at = next_line();
        p.input_with::<i32, 2>("x", "(8,?n):(?lda,1)".parse().unwrap());
        p.symbol("n");
        at
    });
    assert_eq!(fault.to_string(), "?lda is no symbol of the program: make it with `symbol`");
}

#[test]
fn an_output_takes_no_atomic_operation() {
    let fault = mistake(|p| {
        let y = p.output::<i32, 1>("y", [4]).partition::<Shape![4]>();
        let at = next_line();
        y.atomic_add(p.full::<i32, Shape![4]>(1), 0, Relaxed, Device);
        at
    });
    assert_eq!(fault, Fault::AtomicOnOutput);
}

#[test]
fn what_no_launch_admits_is_refused_where_it_is_written() {
    let twice = mistake(|p| {
        let y = p.output_with::<i32, 1>("y", "4:0".parse().unwrap()).partition::<Shape![4]>();
        let at = next_line();
        y.store(p.full::<i32, Shape![4]>(1), 0);
        at
    });
    assert!(matches!(twice, Fault::View(ref e) if matches!(**e, ViewError::NotInjective { .. })), "{twice}");
    let outside = mistake(|p| {
        let x = p.input::<i32, 2>("x", (p.symbol("n"), 8)).partition::<Shape![4, 4]>();
        let at = next_line();
        x.load((7, 2));
        at
    });
    assert!(
        matches!(outside, Fault::View(ref e) if matches!(**e, ViewError::Outside { dim: 1, index: 2, .. })),
        "{outside}"
    );
    let coordinates = mistake(|p| {
        let x = p.input_with::<i32, 2>("x", "(4,4):(1@0,1@1)".parse().unwrap()).partition::<Shape![4, 4]>();
        let at = next_line();
        x.load((0, 0));
        at
    });
    assert!(matches!(coordinates, Fault::View(ref e) if matches!(**e, ViewError::Layout(_))), "{coordinates}");
}
