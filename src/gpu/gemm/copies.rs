//! From global to shared memory: who copies what of an operand's tile, and where it lands.

use super::claims::Claims;
use super::{GemmError, Matrix, Order, memory_type};
use crate::algebra::prove;
use crate::gpu::facts::Access;
use crate::gpu::kernel::{Index, Kernel, Pointer, Shared, Spot};
use crate::gpu::ptx::Reg;
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

/// The instructions of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// `cp.async` of 4 to 16 bytes
    Asynchronous,
    /// a load and a store of each element, for those of less than 4 bytes
    Plain,
    /// a load of a vector along k, held while a tile is multiplied, then stored into one line of k after the other
    Held,
}

/// How one operand's tiles get into shared memory.
pub(super) struct Copies {
    pub how: How,
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
    /// elements of the tile along k
    depth: i64,
}

impl Copies {
    /// Of a tile of `rows` times `depth` elements; `lines_of_k` if those of one k are neighbours in shared memory.
    pub fn new(
        claims: &mut Claims,
        (name, matrix): (&str, &Matrix),
        [rows, depth]: [i64; 2],
        threads: i64,
        shared: Composed,
        lines_of_k: bool,
    ) -> Result<Copies, GemmError> {
        let (bytes, along_k) = (matrix.bytes(), matrix.order == Order::Row);
        let widest = i64::from(matrix.align).min(16);
        let (how, vector) = match along_k == lines_of_k {
            true if widest == 16 => (How::Held, 16 / bytes),
            true => (How::Asynchronous, 1),
            false if widest < 4 => (How::Plain, 1),
            false => (How::Asynchronous, widest / bytes),
        };
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
        if how == How::Held {
            // the lanes of a warp, one element of each
            let lanes = tv.mode(0)?.compose(&Layout::flat(&[32], &[1])?)?;
            let stores = shared.inner().compose(&Layout::tuple(&[lanes, Layout::UNIT])?)?;
            claims.free("stores of the tile", &stores, 8 * bytes, Access::Store(bytes as usize))?;
        } else if vector > 1 {
            claims.proved(prove::aligned(shared.inner().compose(&first)?, vector))?;
            let shape = IntTuple::flat(&[rows, depth])?;
            let memory = if along_k { Layout::row_major(&shape)? } else { Layout::column_major(&shape)? };
            let width = prove::vector_width(memory.compose(&tv)?, shared.inner().compose(&tv)?)?;
            claims.holds(width.0 % vector == 0, || format!("{name} is copied in vectors of {vector}"), width.1)?;
        }
        Ok(Copies {
            how,
            global,
            shared,
            tv,
            placed: Placed::new(&tv, rows, depth)?,
            along_k,
            vector,
            passes,
            bytes,
            depth,
        })
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
                let stored = if self.how == How::Held { self.vector } else { 1 };
                let to = (0..stored)
                    .map(|i| {
                        let to = k.offset_swizzled(&self.shared, &[row.clone(), &depth + i]) * self.bytes;
                        ring.at(&0.into()).plus(&(to + part)).of(memory_type(self.bytes))
                    })
                    .collect();
                let held = (0..if self.how == How::Held { self.vector } else { 0 })
                    .map(|_| k.op("mov.b32", vec![0.into()]))
                    .collect();
                let (row, last) = (row + &tile, &rows - 1);
                // beyond the last row: that one again, or nothing of it
                match self.along_k || self.vector == 1 {
                    true => Pass { row: k.min(&row, &last), depth, to, held, inside: self.vector.into() },
                    false => {
                        let inside = k.min(&(&rows - &row), &self.vector.into());
                        Pass { inside: k.max(&inside, &0.into()), row, depth, to, held }
                    }
                }
            })
            .collect();
        Begun { copies: self, pointer, passes }
    }
}

struct Pass {
    row: Index,
    depth: Index,
    /// in the first stage: the vector, or each element
    to: Vec<Spot>,
    held: Vec<Reg>,
    /// elements of the vector that are rows of the matrix
    inside: Index,
}

/// [`Copies`] of a thread.
pub(super) struct Begun<'a> {
    copies: &'a Copies,
    pointer: Pointer,
    passes: Vec<Pass>,
}

impl Begun<'_> {
    /// Copies the tile that begins at `first` of `depth` along k.
    pub fn issue(&self, k: &mut Kernel, stage: &Index, first: &Index, depth: &Index) {
        if self.copies.how == How::Held {
            return self.hold(k, first, depth);
        }
        let Copies { how, global, vector, bytes, along_k, .. } = self.copies;
        for Pass { row, depth: own, to, inside, .. } in &self.passes {
            let at = own + first;
            let element = k.offset(global, &[row.clone(), at.clone()]);
            let (from, to) = (self.pointer.at(&element), to[0].clone().plus(stage));
            let size = (vector * bytes) as u32;
            let real = k.lt(&at, depth);
            if *how == How::Plain {
                let value = k.load_or_zero(&real, &from, 1);
                k.store(&to, &value);
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

    /// Loads vectors of a whole tile, element after element of the last one. The branch also keeps the assembler from moving the
    /// loads to where they are stored, a tile's multiplications later.
    fn hold(&self, k: &mut Kernel, first: &Index, depth: &Index) {
        let spot = |k: &mut Kernel, pass: &Pass, i: i64| {
            let at = [pass.row.clone(), &pass.depth + first + i];
            self.pointer.at(&k.offset(&self.copies.global, &at))
        };
        let ragged = k.lt(depth, &(first + self.copies.depth));
        k.branch_or(
            &!ragged,
            |k| {
                for pass in &self.passes {
                    let spot = spot(k, pass, 0);
                    let address = k.address(&spot).into();
                    k.emit("ld.global.nc.v4.b32", vec![pass.held[..].into(), address]);
                }
            },
            |k| {
                for pass in &self.passes {
                    for (i, element) in (0..).zip(&pass.held) {
                        let real = k.lt(&(&pass.depth + first + i), depth);
                        let spot = spot(k, pass, i);
                        k.emit("mov.b32", vec![element.into(), 0.into()]);
                        k.guarded_or_kept(&real, |k| {
                            let address = k.address(&spot).into();
                            k.emit("ld.global.nc.b32", vec![element.into(), address]);
                        });
                    }
                }
            },
        );
    }

    /// Are copies under way that have to be waited for?
    pub fn is_asynchronous(&self) -> bool {
        self.copies.how == How::Asynchronous
    }

    /// Stores what is held.
    pub fn settle(&self, k: &mut Kernel, stage: &Index) {
        for Pass { to, held, .. } in &self.passes {
            for (to, element) in to.iter().zip(held) {
                k.store(&to.clone().plus(stage), &[*element]);
            }
        }
    }
}

/// A tile without a swizzle.
pub(super) fn plain(tile: Layout) -> Result<Composed, GemmError> {
    Ok(Composed::new(&Swizzle::IDENTITY, 0, &tile)?)
}
