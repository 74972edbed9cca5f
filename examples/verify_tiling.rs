//! How to know that a tiling scheme of your own is right: proofs for one scheme, property tests for all, and the guard of the
//! ragged edge.
//!
//! The scheme: a matrix is cut into CTA tiles, a tile among the threads of a layout, and each thread's part into vectors. The
//! questions: is every element met exactly once, by which thread, do vectors and indices fit, and are shared-memory banks free?

use girih::algebra::prove::{BUDGET, Claim};
use girih::algebra::{laws, strategy};
use girih::gpu::facts::vectors;
use girih::prelude::*;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// `(thread, vector, repeat)` over a tile. `threads` lie on the tile divided by `vector`.
fn partition(tile: &Layout, vector: &Tiler, threads: &Tiler) -> girih::Result<Layout> {
    let vectors = tile.zipped_divide(vector)?; // (vector, vectors of the tile)
    let mine = vectors.mode(1)?.zipped_divide(threads)?; // (thread, my vectors)
    Ok(Layout::tuple(&[mine.mode(0)?, vectors.mode(0)?, mine.mode(1)?])?)
}

/// `((thread, vector, repeat), tile)` over a matrix: what a copy kernel would walk.
fn scheme(matrix: &Layout, tile: &Tiler, vector: &Tiler, threads: &Tiler) -> girih::Result<Layout> {
    let tiles = matrix.zipped_divide(tile)?;
    Ok(Layout::tuple(&[partition(&tiles.mode(0)?, vector, threads)?, tiles.mode(1)?])?)
}

/// Decides without walking, and checks the certificate; what is not proved ends the program.
fn proved(claim: Claim) -> Result<(), Box<dyn std::error::Error>> {
    let verdict = claim.decide(BUDGET);
    println!("  {claim}: {verdict}");
    Ok(verdict.proved().ok_or("that was to be proved")?.check()?)
}

/// Each of `0..` the size once.
fn bijective(layout: &Layout) -> girih::Result<Claim> {
    Ok(Claim::Bijective { image: layout.into(), lo: 0, size: layout.size()?.into() })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // one matrix, looked at closely
    let (matrix, tile, vector, threads) = (layout!((128,64):(64,1)), tiler![32, 32], tiler![1, 4], tiler![8, 4]);
    let s = scheme(&matrix, &tile, &vector, &threads)?;
    println!("((thread, vector, repeat), tile): {s}");
    proved(bijective(&s)?)?;
    proved(Claim::Aligned { image: s.mode(1)?.into(), to: 4 })?;
    println!("  so accesses may have {} bytes", vectors(&s.mode(0)?, 32)?.width);
    proved(Claim::Fits { image: s.into(), bits: 32, signed: true })?;

    // the same threads over the tile alone, and over the tile in shared memory: rows of 36 words
    let tv = partition(&layout!((32,32):(1,32)), &vector, &threads)?;
    println!("\n(thread, vector, repeat) to the place in the tile: {tv}");
    proved(bijective(&tv)?)?;
    let smem = layout!((32,32):(36,1));
    proved(Claim::Injective(smem))?;
    println!("  {}", banks(&smem.compose(&tv)?, 32, Access::Store(16))?);

    // what wrong ones look like: rows that overlap, rows that meet in the banks
    println!("\nwrong:");
    let overlap = Claim::Injective(layout!((32,32):(31,1)));
    println!("  {overlap}: {}", overlap.decide(BUDGET));
    println!("  {}", banks(&layout!((32,32):(32,1)).compose(&tv)?, 32, Access::Store(16))?);

    // a tile that does not divide is refused, with the numbers ...
    let ragged = layout!((100,60):(60,1));
    println!("\n{}", scheme(&ragged, &tile, &vector, &threads).unwrap_err());
    // ... or rounded up, and the law is the guard's
    let tiles = ragged.zipped_divide_ceil(&tile)?;
    laws::divide_ceil(&ragged, &tiles)?;
    println!("rounded up: {}\nreal where  {}", tiles.layout, tiles.guard);

    // any tensor, any tiler that divides it: a property
    let config =
        ProptestConfig { max_shrink_iters: 1 << 20, failure_persistence: None, ..ProptestConfig::with_cases(2000) };
    let runner = || TestRunner::new(config.clone());
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
