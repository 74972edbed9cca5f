//! From global to shared memory: who copies what of an operand's tile, and where it lands.

use super::claims::Claims;
use super::{GemmError, Matrix, Order, memory_type};
use crate::algebra::prove;
use crate::gpu::kernel::{Index, Kernel, Pointer, Shared, Spot};
use crate::gpu::ptx::Type;
use crate::layout::{Composed, IntTuple, Layout, Swizzle};

/// The coordinates (row, k) in a tile of what threads hold.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    row: Layout,
    k: Layout,
}

impl Placed {
    /// Of a layout from (thread, value) to `row + rows * k`.
    pub fn new(tv: &Layout, rows: i64, depth: i64) -> Result<Placed, GemmError> {
        let project = |r, k| Layout::flat(&[rows, depth], &[r, k])?.compose(tv);
        Ok(Placed { row: project(1, 0)?, k: project(0, 1)? })
    }

    pub fn at(&self, k: &mut Kernel, thread: &Index, value: i64) -> [Index; 2] {
        let coordinate = [thread.clone(), value.into()];
        [k.offset(&self.row, &coordinate), k.offset(&self.k, &coordinate)]
    }
}

/// How one operand's tiles get into shared memory.
pub(super) struct Copies {
    /// (rows, depth) to the element in memory, from the matrix' first
    global: Layout,
    /// (rows, depth) to the element in the tile's part of a stage
    pub shared: Composed,
    /// (thread, value) to `row + rows * k`
    pub tv: Layout,
    placed: Placed,
    along_k: bool,
    /// elements of a copy, and copies of a thread
    vector: i64,
    passes: i64,
    /// bytes of an element
    bytes: i64,
}

impl Copies {
    /// Of a tile of `rows` times `depth` elements, whose neighbours in memory are neighbours in `shared` too if `whole`.
    pub fn new(
        claims: &mut Claims,
        (name, matrix): (&str, &Matrix),
        [rows, depth]: [i64; 2],
        threads: i64,
        shared: Composed,
        whole: bool,
    ) -> Result<Copies, GemmError> {
        let bytes = matrix.bytes();
        // less than 4 bytes cannot be copied asynchronously
        let vector = if whole { i64::from(matrix.align).min(16) / bytes } else { 1 };
        let vector = if vector * bytes < 4 { 1 } else { vector };
        let along_k = matrix.order == Order::Row;
        let (near, far) = if along_k { (depth, rows) } else { (rows, depth) };
        // along the memory first: (threads of a line, lines at once), (vector, passes)
        let line = near / vector;
        let lines = threads / line;
        if near % vector != 0 || threads % line != 0 || lines == 0 || far % lines != 0 {
            let claim = format!("{threads} threads copy {rows} x {depth} elements of {name} in vectors of {vector}");
            return Err(GemmError::Claim { claim, verdict: "they do not divide it".into() });
        }
        let (step, next) = if along_k { (rows, 1) } else { (1, rows) };
        let passes = far / lines;
        let tv = Layout::tuple(&[
            Layout::flat(&[line, lines], &[step * vector, next])?,
            Layout::flat(&[vector, passes], &[step, next * lines])?,
        ])?;
        let ld = format!("ld{name}");
        let text = if along_k { format!("({rows},{depth}):(?{ld},1)") } else { format!("({rows},{depth}):(1,?{ld})") };
        let global: Layout = text.parse()?;

        claims.proved(prove::bijective(&tv, rows * depth))?;
        claims.proved(prove::injective(shared.inner()))?;
        // where a vector begins, in memory (if the leading dimension is promised) and in shared memory
        let first = Layout::tuple(&[tv.mode(0)?, Layout::flat(&[passes], &[next * lines])?])?;
        claims.proved_if(prove::aligned(global.compose(&first)?, vector), &[format!("?{ld} % {vector} == 0")])?;
        claims.proved(prove::aligned(shared.inner().compose(&first)?, vector))?;
        if vector > 1 {
            let shape = IntTuple::flat(&[rows, depth])?;
            let memory = if along_k { Layout::row_major(&shape)? } else { Layout::column_major(&shape)? };
            let width = prove::vector_width(memory.compose(&tv)?, shared.inner().compose(&tv)?)?;
            claims.holds(width.0 % vector == 0, || format!("{name} is copied in vectors of {vector}"), width.1)?;
        }
        Ok(Copies { global, shared, tv, placed: Placed::new(&tv, rows, depth)?, along_k, vector, passes, bytes })
    }

    /// Bytes of the tile's part of a stage.
    pub fn part(&self) -> Result<i64, GemmError> {
        Ok((self.shared.cosize()? * self.bytes + 127) / 128 * 128)
    }

    /// What each thread computes once.
    pub fn begin(
        &self,
        k: &mut Kernel,
        pointer: Pointer,
        tile: Index,
        rows: Index,
        (ring, part): (&Shared, i64),
    ) -> Begun<'_> {
        let thread = k.tid();
        let passes = (0..self.passes)
            .map(|pass| {
                let [row, depth] = self.placed.at(k, &thread, pass * self.vector);
                let to = k.offset_swizzled(&self.shared, &[row.clone(), depth.clone()]) * self.bytes;
                let to = ring.at(&0.into()).plus(&(to + part));
                let (row, last) = (row + &tile, &rows - 1);
                // beyond the last row: that one again, or nothing of it
                match self.along_k || self.vector == 1 {
                    true => Pass { row: k.min(&row, &last), depth, to, inside: self.vector.into() },
                    false => {
                        let inside = k.min(&(&rows - &row), &self.vector.into());
                        Pass { inside: k.max(&inside, &0.into()), row, depth, to }
                    }
                }
            })
            .collect();
        Begun { copies: self, pointer, element: memory_type(self.bytes), passes }
    }
}

struct Pass {
    row: Index,
    depth: Index,
    /// in the first stage
    to: Spot,
    /// elements of the vector that are rows of the matrix
    inside: Index,
}

/// [`Copies`] of a thread.
pub(super) struct Begun<'a> {
    copies: &'a Copies,
    pointer: Pointer,
    element: Type,
    passes: Vec<Pass>,
}

impl Begun<'_> {
    /// Copies the tile that begins at `first` of `depth` along k.
    pub fn issue(&self, k: &mut Kernel, stage: &Index, first: &Index, depth: &Index) {
        let Copies { global, vector, bytes, along_k, .. } = self.copies;
        for Pass { row, depth: own, to, inside } in &self.passes {
            let at = own + first;
            let element = k.offset(global, &[row.clone(), at.clone()]);
            let (from, to) = (self.pointer.at(&element), to.clone().plus(stage));
            let size = (vector * bytes) as u32;
            let real = k.lt(&at, depth);
            if size < 4 {
                let value = k.load_or_zero(&real, &from.of(self.element), 1);
                k.store(&to.of(self.element), &value);
            } else if *vector == 1 {
                k.copy_async(&to, &from, size, &real);
            } else {
                let part = if *along_k {
                    let left = k.min(&(depth - &at), &(*vector).into());
                    k.max(&left, &0.into())
                } else {
                    k.select(real, inside, &0.into())
                };
                k.copy_async_of(&to, &from, size, &(part * *bytes));
            }
        }
    }
}

/// A tile without a swizzle.
pub(super) fn plain(tile: Layout) -> Result<Composed, GemmError> {
    Ok(Composed::new(&Swizzle::IDENTITY, 0, &tile)?)
}
