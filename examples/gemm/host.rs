//! The tiling executed on the host, CTA by CTA, by walking its layouts: what a GPU will do with the same layouts.

use crate::tiling::{Operand, Tiling, blocks};
use girih::prelude::*;
use rayon::prelude::*;

/// Offsets that a thread uses in every CTA alike, evaluated once.
struct Thread {
    /// in the shared tile of A, per row and k
    a: Vec<i64>,
    b: Vec<i64>,
    /// one-dimensional coordinates in the C tile
    c: Vec<i64>,
}

/// `C = A * B^T`, the k blocks in order. `step` is called after each CTA.
pub fn run(
    tiling: &Tiling,
    a: &TensorView<'_, f32>,
    b: &TensorView<'_, f32>,
    c: Layout,
    step: impl Fn() + Sync,
) -> girih::Result<Tensor<f32>> {
    let (bm, bn, bk) = blocks();
    let ctas = c.zipped_divide_ceil(&tiling.mn)?.layout.mode(1)?.shape();
    let k_blocks = a.layout().zipped_divide_ceil(&tiling.mk)?.layout.mode(1)?.mode(1)?.size()?;
    let threads = (0..tiling.threads.size()?).map(|t| thread(tiling, t)).collect::<girih::Result<Vec<_>>>()?;
    let copy: Vec<(i64, i64)> = tiling.copy.offsets()?.zip(tiling.stores()?.offsets()?).collect();

    let mut out = Tensor::filled(c, 0.0f32)?;
    let tiles: Vec<Vec<(i64, f32)>> = (0..ctas.product()?.value().unwrap_or(0))
        .into_par_iter()
        .map(|cta| {
            let at = ctas.idx2crd(cta)?;
            let (i, j) = (at.get(0)?.coefficient(), at.get(1)?.coefficient());
            let smem = vec![0.0; tiling.smem.cosize()? as usize];
            let (mut smem_a, mut smem_b) = (smem.clone(), smem);
            let mut acc = vec![0.0; (bm * bn) as usize];
            for k in 0..k_blocks {
                stage(a, &tiling.mk, [i, k], &copy, &mut smem_a)?;
                stage(b, &tiling.nk, [j, k], &copy, &mut smem_b)?;
                for (thread, acc) in threads.iter().zip(acc.chunks_mut(threads[0].c.len())) {
                    thread.multiply(&smem_a, &smem_b, bk as usize, acc);
                }
            }
            let tile = c.local_tile_ceil(&tiling.mn, &at)?;
            let offset = tile.offset.value().unwrap_or(0);
            let real: Vec<bool> = tile.mask()?.collect();
            let mut written = Vec::with_capacity(acc.len());
            for (thread, acc) in threads.iter().zip(acc.chunks(threads[0].c.len())) {
                for (&place, &v) in thread.c.iter().zip(acc) {
                    if real[place as usize] {
                        written.push((offset + tile.layout.at(place)?, v));
                    }
                }
            }
            step();
            Ok(written)
        })
        .collect::<girih::Result<_>>()?;
    let mut writes = vec![0u8; out.memory().len()];
    for (offset, v) in tiles.into_iter().flatten() {
        out.memory_mut()[offset as usize] = v;
        writes[offset as usize] += 1;
    }
    // the certificate said so; here it is seen
    assert!(writes.iter().all(|&n| n == 1), "every output is written once");
    Ok(out)
}

/// A tile of global memory into shared memory, 0 where it hangs over. `copy`: from which place of the tile to which offset.
fn stage(
    src: &TensorView<'_, f32>,
    tiler: &Tiler,
    at: [i64; 2],
    copy: &[(i64, i64)],
    smem: &mut [f32],
) -> girih::Result<()> {
    let tile = src.layout().local_tile_ceil(tiler, &IntTuple::flat(&at)?)?;
    let offset = tile.offset.value().unwrap_or(0);
    let real: Vec<bool> = tile.mask()?.collect();
    for &(place, to) in copy {
        let real = real[place as usize];
        smem[to as usize] = if real { src.memory()[(offset + tile.layout.at(place)?) as usize] } else { 0.0 };
    }
    Ok(())
}

/// The elements of thread `t`: its rows of A and of B in shared memory, its places in the C tile.
fn thread(tiling: &Tiling, t: i64) -> girih::Result<Thread> {
    // all that is not the thread
    let mine = |layout: &Layout| -> girih::Result<Vec<i64>> {
        let rest = layout.take(1, layout.rank())?;
        let start = layout.mode(0)?.at(t)?;
        Ok(rest.offsets()?.map(|o| start + o).collect())
    };
    Ok(Thread {
        a: mine(&tiling.loads(Operand::A)?)?,
        b: mine(&tiling.loads(Operand::B)?)?,
        c: mine(&tiling.thread_value()?)?,
    })
}

impl Thread {
    /// One k block: the outer products of the thread's rows, k in order.
    fn multiply(&self, a: &[f32], b: &[f32], bk: usize, acc: &mut [f32]) {
        let (rows, cols) = (self.a.len() / bk, self.b.len() / bk);
        let mut x = vec![0.0; rows];
        for (at_a, at_b) in self.a.chunks(rows).zip(self.b.chunks(cols)) {
            for (x, &at) in x.iter_mut().zip(at_a) {
                *x = a[at as usize];
            }
            for (acc, &at) in acc.chunks_mut(rows).zip(at_b) {
                let y = b[at as usize];
                for (acc, x) in acc.iter_mut().zip(&x) {
                    *acc += x * y;
                }
            }
        }
    }
}

/// The definition, k in the same order, so that the results are equal bit for bit.
pub fn plain(a: &TensorView<'_, f32>, b: &TensorView<'_, f32>, c: Layout) -> girih::Result<Tensor<f32>> {
    let extent = |l: &Layout, i: usize| l.mode(i).and_then(|m| m.size());
    let (m, n, k) = (extent(a.layout(), 0)?, extent(b.layout(), 0)?, extent(a.layout(), 1)?);
    // k fastest, so that the inner loop is one over slices
    let a = a.view().select(&[1, 0])?.to_compact()?;
    let b = b.view().select(&[1, 0])?.to_compact()?;
    let k = k as usize;
    let rows: Vec<f32> = (0..(m * n) as usize)
        .into_par_iter()
        .map(|e| {
            let (i, j) = (e % m as usize, e / m as usize);
            let dot = a.memory()[i * k..][..k].iter().zip(&b.memory()[j * k..][..k]);
            dot.fold(0.0, |s, (x, y)| s + x * y)
        })
        .collect();
    Ok(Tensor::from_fn(c, |e| rows[e as usize])?)
}
