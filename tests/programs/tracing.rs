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
        let t = x.strided::<Shape![2, 4], (U1, U3)>().load_masked::<Zero>((i, 0));
        let (sum, _) = p.fold(n, (t, i), |k, (sum, j)| (sum + (j + k), j + 1));
        let u = p.choose(i.lt(a), || sum.reshape::<Shape![4, 2]>(), || p.zeros());
        p.when(a.gt(3), || {
            p.each(steps(0, n, 2), |k| {
                y.partition::<Shape![4, 2]>().store_masked(&(u * k), (k, i));
            });
        });
        y.gather::<Shape![4, 2], U0>().atomic_add::<Relaxed, Device>(&u, (p.iota::<i32, Shape![4]>(), 0));
        z.partition::<Shape![8]>().atomic_store::<Release, System, _>(&sum.reshape(), i);
    })
    .unwrap();
    assert_eq!(
        format!("{p:#}"),
        "\
program all(a: i32, x: i32(?n,64):(?lda,1) in, y: i32(?n,64) inout, z: i32(?lda{8}) out)
  require 3*?n-1 <= 4096
  grid (⌈?n/64⌉)
"
    );
    assert!(p.to_string().contains(&format!("masked 0{:43}tests/programs/tracing.rs:{}", "", lines[0])), "{p}");
}

#[test]
fn a_tile_is_refused_outside_the_block_that_made_it() {
    let mut escaped = None;
    let line = next_line() + 4;
    let e = program("p", |p| {
        p.each(4, |i| escaped = Some(i + 1));
        if let Some(i) = escaped {
            let _ = i * 2;
        }
    });
}
