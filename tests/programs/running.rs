//! What the host makes of programs.

use girih::Shape;
use girih::program::*;
use girih::view::*;
use typenum::*;

fn axpy() -> Program {
    program("axpy", |p| {
        let n = p.symbol("n");
        let a = p.scalar::<f32>("a");
        let (x, y) = (p.input::<f32, 1>("x", [n]), p.inout::<f32, 1>("y", [n]));
        let [i] = p.grid([n.ceil_div(64)]);
        let (x, y) = (x.partition::<Shape![64]>(), y.partition::<Shape![64]>());
        y.store_masked(&(x.load_masked::<Zero>(i) * a + y.load_masked::<Zero>(i)), i);
    })
    .unwrap()
}

#[test]
fn a_ragged_tail_is_neither_read_nor_written() {
    let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let mut y = vec![1.0; 1000];
    let report = axpy().host().arg("a", 2.0f32).arg("x", &x).arg("y", &mut y).run().unwrap();
    assert_eq!(report.grid, [16]);
    assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x + 1.0));
}
