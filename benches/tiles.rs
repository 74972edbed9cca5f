//! Operations on tiles of 2^24 elements beside plain loops of `ndarray`, alternated in one run: the least of each, and the ratio.
//! `cargo bench --bench tiles`

use girih::tile::*;
use ndarray::{Array2, Axis, Zip};
use std::hint::black_box;
use std::time::{Duration, Instant};

const N: usize = 4096;
const ROUNDS: usize = 11;

type Outcome = Result<(), TileError>;

fn time<T>(f: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(f());
    start.elapsed()
}

/// One line of the table.
fn row<T, U>(name: &str, ours: impl Fn() -> T, peer: impl Fn() -> U) {
    let mut least = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        least = [least[0].min(time(&ours)), least[1].min(time(&peer))];
    }
    let [ours, theirs] = least.map(|time| time.as_secs_f64() * 1e3);
    println!("| {name} | {ours:.1} | {theirs:.1} | {:.2} |", ours / theirs);
}

/// A permuted tile in row-major order.
fn permuted(tile: &AnyTile, map: &[u8]) -> Result<Vec<f32>, TileError> {
    Ok(Op::Permute(Map::new(map)).eval(&[tile])?.to_vec::<f32>().unwrap_or_default())
}

fn main() -> Outcome {
    let values = |seed: u32| -> Vec<f32> {
        (0..N * N).map(|i| (i as u32).wrapping_mul(2654435761).wrapping_add(seed) as f32 / u32::MAX as f32).collect()
    };
    let square = Shape::new(&[N as u32, N as u32])?;
    let data = [values(1), values(2), values(3)];
    let [a, b, c] = [0, 1, 2].map(|i| AnyTile::new(square, data[i].clone()));
    let (a, b, c) = (&a?, &b?, &c?);
    let array = |i: usize| Array2::from_shape_vec((N, N), data[i].clone()).unwrap_or_default();
    let (x, y, z) = (&array(0), &array(1), &array(2));
    let line = &Op::Reshape(Shape::new(&[(N * N) as u32])?).eval(&[a])?;
    let near = Mode::default();
    let full = Mode { precision: Precision::Full, flush: false };
    let sum = Fold::Sum(near);

    let eval = |op: Op, operands: &[&AnyTile]| op.eval(operands);
    println!("| 2^24 f32 | tile ms | ndarray ms | ratio |\n|---|---|---|---|");
    row("a + b", || eval(Op::Binary(Binary::Add(near)), &[a, b]), || x + y);
    row(
        "a * b + c, fused here, not there",
        || eval(Op::Fma(near), &[a, b, c]),
        || Zip::from(x).and(y).and(z).map_collect(|x, y, z| x * y + z),
    );
    row(
        "a * b + c, fused in both",
        || eval(Op::Fma(near), &[a, b, c]),
        || Zip::from(x).and(y).and(z).map_collect(|x, y, z| x.mul_add(*y, *z)),
    );
    row(
        "max",
        || eval(Op::Binary(Binary::Max(Extremum::SUPPRESS)), &[a, b]),
        || Zip::from(x).and(y).map_collect(|x, y| x.max(*y)),
    );
    row("sqrt", || eval(Op::Unary(Unary::Sqrt(near)), &[a]), || x.mapv(f32::sqrt));
    row("exp", || eval(Op::Unary(Unary::Exp(full)), &[a]), || x.mapv(f32::exp));
    row("sum over all", || eval(Op::Reduce(sum, 0), &[line]), || x.sum());
    row("sum over rows", || eval(Op::Reduce(sum, 1), &[a]), || x.sum_axis(Axis(1)));
    row("sum over columns", || eval(Op::Reduce(sum, 0), &[a]), || x.sum_axis(Axis(0)));
    row(
        "max over all",
        || eval(Op::Reduce(Fold::Max(Nan::Suppress), 0), &[line]),
        || x.fold(f32::MIN, |a, b| a.max(*b)),
    );
    row(
        "scan along rows",
        || eval(Op::Scan(sum, 1, Direction::Forward), &[a]),
        || {
            let mut x = x.clone();
            x.accumulate_axis_inplace(Axis(1), |last, x| *x += last);
            x
        },
    );
    let cube = &Op::Reshape(Shape::new(&[256, 256, 256])?).eval(&[a])?;
    let solid = x.view().into_shape_with_order((256, 256, 256)).unwrap();
    for map in [[1, 0, 2], [2, 1, 0], [0, 2, 1], [2, 0, 1]] {
        let peer = || solid.permuted_axes(map.map(usize::from)).as_standard_layout().into_owned();
        row(&format!("permute {map:?}"), || permuted(cube, &map), peer);
    }
    let shape = Shape::new(&[256, 256])?;
    let small = |i: usize| AnyTile::new(shape, data[i][..1 << 16].to_vec());
    let (a, b, c) = (small(0)?, small(1)?, small(2)?);
    let matrix = |i: usize| Array2::from_shape_vec((256, 256), data[i][..1 << 16].to_vec()).unwrap_or_default();
    let (x, y) = (matrix(0), matrix(1));
    row("mma of 256 x 256 x 256, its `dot`", || eval(Op::Mma, &[&a, &b, &c]), || x.dot(&y));
    Ok(())
}
