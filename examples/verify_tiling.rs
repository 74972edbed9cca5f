//! How to test a tiling scheme of your own: laws, strategies, and the guard of the ragged edge.
//!
//! The scheme: a matrix is cut into CTA tiles, a tile among the threads of a layout, and each thread's part into vectors. The
//! questions: is every element met exactly once, by which thread, and are the vectors contiguous in memory?

use girih::algebra::{laws, strategy};
use girih::prelude::*;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// `((vector, thread), tile)` over a matrix: what a copy kernel would walk. `threads` lie on the tile divided by `vector`.
fn scheme(matrix: &Layout, tile: &Tiler, vector: &Tiler, threads: &Tiler) -> girih::Result<Layout> {
    let tiles = matrix.zipped_divide(tile)?;
    let vectors = tiles.mode(0)?.zipped_divide(vector)?; // (vector, vectors of a tile)
    let mine = vectors.mode(1)?.zipped_divide(threads)?; // (thread, my vectors)
    Ok(Layout::tuple(&[vectors.mode(0)?, mine.mode(0)?, mine.mode(1)?, tiles.mode(1)?])?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // one matrix, looked at closely
    let matrix = layout!((128,64):(64,1));
    let s = scheme(&matrix, &tiler![32, 32], &tiler![1, 4], &tiler![8, 4])?;
    println!("(vector, thread, repeat, tile): {s}");
    laws::same_values(&matrix, &s)?;
    println!("every element once: yes");
    println!("vector: {}, contiguous: {}", s.mode(0)?.coalesce(), s.mode(0)?.same_function(&layout!(4:1)));

    // a tile that does not divide is refused, with the numbers ...
    let ragged = layout!((100,60):(60,1));
    println!("\n{}", scheme(&ragged, &tiler![32, 32], &tiler![1, 4], &tiler![8, 4]).unwrap_err());
    // ... or rounded up, and the law is the guard's
    let tiles = ragged.zipped_divide_ceil(&tiler![32, 32])?;
    laws::divide_ceil(&ragged, &tiles)?;
    println!("rounded up: {}\nreal where  {}", tiles.layout, tiles.guard);

    // any tensor, any tiler that divides it: a property
    let runner = || TestRunner::new(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() });
    runner().run(&strategy::tiling(4096), |(tensor, tiler)| {
        let tiles = tensor.zipped_divide(&tiler).map_err(|e| TestCaseError::fail(e.to_string()))?;
        laws::same_values(&tensor, &tiles)?;
        Ok(())
    })?;
    println!("\n2000 random tilings: every element once");

    // and what a wrong scheme looks like: proptest shrinks to the smallest tensor that breaks it
    let wrong = runner().run(&strategy::tiling(4096), |(tensor, tiler)| {
        let tile = tensor.compose_by_mode(&tiler).map_err(|e| TestCaseError::fail(e.to_string()))?;
        laws::same_values(&tensor, &tile)?; // forgot the other tiles
        Ok(())
    });
    println!("a scheme that forgets the other tiles:\n{}", wrong.unwrap_err());
    Ok(())
}
