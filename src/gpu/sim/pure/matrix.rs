//! Instructions of a whole warp on matrices: which element lies where, and what becomes of it.

use super::tensor_core::Arithmetic;
use super::{Lanes, Pure};
use crate::algebra::Major;
use crate::gpu::atom::{MmaAtom, Modifier, NumericType};
use crate::gpu::ptx::{Instruction, Opcode};
use crate::layout::Layout;

pub(super) fn pure(i: &Instruction) -> Option<Pure> {
    match i.opcode().mnemonic() {
        "mma" => mma(&i.opcode()),
        "movmatrix" => Some(Pure::of(1, |sources, results| {
            let mut rows = [[0; 16]; 8];
            collect(&sources[..1], false, &mut rows);
            distribute(&rows, true, results);
        })),
        _ => None,
    }
}

fn mma(opcode: &Opcode) -> Option<Pure> {
    let atom = atom(opcode)?;
    let arithmetic = Arithmetic::of(&atom)?;
    let (types, [m, n, k], threads) = (atom.types(), atom.extents(), atom.thr());
    let result = atom.with_c(types.d);
    // bits are multiplied by words
    let word = |of: NumericType| if of == NumericType::U1 { 32 } else { 1 };
    let a = Fragment::new(&atom.a(), &threads, [m, k], types.a.bits(), word(types.a))?;
    let b = Fragment::new(&atom.b(), &threads, [n, k], types.b.bits(), word(types.b))?;
    let c = Fragment::new(&atom.c(), &threads, [m, n], types.c.bits(), 1)?;
    let d = Fragment::new(&result.c(), &threads, [m, n], types.d.bits(), 1)?;
    let k = k / word(types.a);
    Some(Pure::of(d.registers, move |sources, results| {
        results.fill([0; 32]);
        let (of_a, rest) = sources.split_at(a.registers);
        let (of_b, of_c) = rest.split_at(b.registers);
        // a quad pair multiplies by itself
        for matrix in 0..d.places.len() / (m * n) {
            let [at_a, at_b, at] = [m * k, n * k, m * n].map(|size| matrix * size);
            arithmetic.multiply::<8>(
                [m, n, k],
                |i| a.get(of_a, at_a + i),
                |i| b.get(of_b, at_b + i),
                |i| c.get(of_c, at + i),
                |i, x| d.put(results, at + i, x),
            );
        }
    }))
}

/// The instruction of an opcode; none if it is of generations after Hopper, or the assembler's and not of the PTX ISA: bit
/// operations on integers.
fn atom(opcode: &Opcode) -> Option<MmaAtom> {
    let all: Vec<_> = opcode.qualifiers().collect();
    let shape = all.iter().find_map(|q| shape(q))?;
    let types: Vec<_> = all.iter().filter_map(|q| NumericType::named(q)).collect();
    let &[d, a, b, c] = &types[..] else { return None };
    let orders: Vec<_> = all.iter().filter(|q| matches!(**q, "row" | "col")).collect();
    let majors = match orders[..] {
        [&a, &b] => [if a == "row" { Major::K } else { Major::MN }, if b == "col" { Major::K } else { Major::MN }],
        _ => return None,
    };
    let modifier = match all.last() {
        Some(&"popc") if a != NumericType::U1 => return None,
        Some(&"popc") if all.contains(&"xor") => Some(Modifier::XorPopc),
        Some(&"popc") => Some(Modifier::AndPopc),
        Some(&("xor" | "and" | "or")) => return None,
        _ if all.contains(&"satfinite") => Some(Modifier::Saturate),
        _ => None,
    };
    let later = all.iter().any(|q| q.starts_with("kind::"));
    (!later).then(|| MmaAtom::of_warp(shape, [d, a, b, c], majors, modifier))
}

/// `m16n8k16`
fn shape(text: &str) -> Option<[usize; 3]> {
    let (m, rest) = text.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// Where the elements of an operand lie, in row-major order; one matrix after the other.
struct Fragment {
    registers: usize,
    places: Vec<Place>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    register: u8,
    lane: u8,
    shift: u8,
}

impl Fragment {
    /// Of a thread-value layout over a column-major matrix; `word` neighbours in a row count as one element.
    fn new(
        layout: &Layout,
        threads: &Layout,
        [rows, columns]: [usize; 2],
        bits: usize,
        word: usize,
    ) -> Option<Fragment> {
        let lanes: Vec<_> = threads.offsets().ok()?.collect();
        let (bits, columns, size) = (bits * word, columns / word, rows * columns / word);
        let per_register = (32 / bits).max(1);
        let matrices = 32 / lanes.len();
        let mut places = vec![Place::default(); size * matrices];
        let mut registers = 0;
        for (i, at) in layout.offsets().ok()?.enumerate() {
            let (value, at) = (i / lanes.len(), at as usize);
            if value % word != 0 {
                continue;
            }
            let value = value / word;
            registers = registers.max(value / per_register + 1);
            for matrix in 0..matrices {
                let place = places.get_mut(matrix * size + at % rows * columns + at / rows / word)?;
                // the threads of a matrix are four neighbours, and others at a distance
                let lane = lanes[i % lanes.len()] as usize + 4 * matrix;
                let shift = value % per_register * bits;
                *place = Place { register: (value / per_register) as u8, lane: lane as u8, shift: shift as u8 };
            }
        }
        Some(Fragment { registers, places })
    }

    /// An element; bits above it are those of its neighbours.
    #[inline(always)]
    fn get(&self, registers: &[&Lanes], element: usize) -> u64 {
        let at = self.places[element];
        registers[usize::from(at.register)][usize::from(at.lane)] >> at.shift
    }

    /// An element into a register that has zeros there.
    #[inline(always)]
    fn put(&self, registers: &mut [Lanes], element: usize, bits: u64) {
        let at = self.places[element];
        registers[usize::from(at.register)][usize::from(at.lane)] |= bits << at.shift;
    }
}

/// `ldmatrix`: the registers that 8 x 8 matrices of 16-bit elements go to, from their rows.
pub(in crate::gpu::sim) fn distribute(rows: &[[u8; 16]], transposed: bool, registers: &mut [Lanes]) {
    for (rows, register) in rows.chunks_exact(8).zip(registers) {
        for (lane, register) in register.iter_mut().enumerate() {
            let half = |h: usize| {
                let [row, byte] = place(lane, h, transposed);
                u64::from(u16::from_le_bytes([rows[row][byte], rows[row][byte + 1]]))
            };
            *register = half(0) | half(1) << 16;
        }
    }
}

/// `stmatrix`: the rows of 8 x 8 matrices of 16-bit elements, from registers.
pub(in crate::gpu::sim) fn collect(registers: &[&Lanes], transposed: bool, rows: &mut [[u8; 16]]) {
    for (rows, register) in rows.chunks_exact_mut(8).zip(registers) {
        for (lane, register) in register.iter().enumerate() {
            for half in 0..2 {
                let [row, byte] = place(lane, half, transposed);
                let bits = (register >> (16 * half)) as u16;
                rows[row][byte..byte + 2].copy_from_slice(&bits.to_le_bytes());
            }
        }
    }
}

/// Row and first byte of a lane's element: two neighbours in a row to each, in a column if transposed.
fn place(lane: usize, half: usize, transposed: bool) -> [usize; 2] {
    let (outer, inner) = (lane / 4, lane % 4 * 2 + half);
    if transposed { [inner, 2 * outer] } else { [outer, 2 * inner] }
}

#[cfg(test)]
mod tests;
