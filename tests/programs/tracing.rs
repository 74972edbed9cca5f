//! What a builder records and refuses.

use girih::Shape;
use girih::program::*;
use typenum::*;

#[test]
fn scalars_loops_and_branches_are_listed() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        p.require((n * 3 - 1).le(4096));
        let [i] = p.grid([n.ceil_div(64)]);
        let a = p.scalar::<i32>("a");
        let x = p.iota::<i32, Shape![2, 4]>();
        let (sum, _) = p.fold(n, (x, i), |k, (sum, j)| (&sum + (&j + k), &j + 1));
        let y = p.choose(p.full::<bool, Shape![]>(true), || sum.reshape::<Shape![4, 2]>(), || p.zeros());
        p.when(p.full::<bool, Shape![]>(false), || {
            p.each(steps(0, n, 2), |k| {
                let _ = &y + (&k + a);
            });
        });
    })
    .unwrap();
    assert_eq!(
        format!("{p:#}"),
        "\
program p(a: i32)
  require 3*?n+-1 <= 4096
  grid (⌈?n/64⌉)
"
    );
}
