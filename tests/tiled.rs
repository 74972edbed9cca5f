//! Tiled atoms: CuTe's layouts, element by element what their definition says, and what is refused.
// errors carry their operands inline
#![allow(clippy::result_large_err)]

#[path = "common/random.rs"]
mod random;

use girih::gpu::atom::{NumericType, SM80_16x8x16_F32F16F16F32_TN as MMA, Source, TiledCopy, TiledError, TiledMma};
use girih::prelude::*;
use random::{Rng, cases};
use serde_json::Value;
use std::collections::HashMap;

// ---- the oracle ----

fn text<'a>(line: &'a Value, key: &str) -> &'a str {
    line[key].as_str().unwrap_or_else(|| panic!("{key} of {line}"))
}

/// `(2,2,1)` is compact; else `shape:stride`.
fn layout_of(s: &str) -> Layout {
    match s.contains(':') {
        true => s.parse().unwrap(),
        false => Layout::column_major(&s.parse().unwrap()).unwrap(),
    }
}

/// The spelling is CuTe's, for all are results of the same operations.
fn assert_spelled(ours: Layout, theirs: &str, what: &str) {
    assert_eq!(ours.to_string(), theirs, "{what}");
}

fn mma_of(atom: &str, threads: &str, permutation: &str) -> TiledMma {
    let atom = match atom {
        "FMA" => MmaAtom::fma(NumericType::F32).unwrap(),
        _ => MmaAtom::named(atom).unwrap(),
    };
    let mma = TiledMma::new(atom, &layout_of(threads)).unwrap();
    match permutation {
        "" => mma,
        p => mma.permuted(&p.parse().unwrap()).unwrap(),
    }
}

fn check_mma(line: &Value) {
    let mma = mma_of(text(line, "atom"), text(line, "thr_layout"), text(line, "perm"));
    let tile = ["tile_m", "tile_n", "tile_k"].map(|key| text(line, key));
    assert_eq!(mma.tile_shape().to_string(), format!("({})", tile.join(",")));
    let of = |l: Result<Layout, Error>, key| assert_spelled(l.unwrap(), text(line, key), &format!("{key} of {line}"));
    // one thread along K has stride 0 here; CuTe's quad pair keeps 4 from an intermediate result
    assert_eq!(mma.thr_layout_vmnk().to_string(), text(line, "thr_vmnk").replace("8,4,4)", "8,4,0)"));
    of(mma.layout_a_tv(), "A_TV");
    of(mma.layout_b_tv(), "B_TV");
    of(mma.layout_c_tv(), "C_TV");
    of(mma.thrfrg_c(&layout!((128,128):(128,1))), "thrfrg_C_128x128_rowmajor");
    of(mma.thrfrg_a(&layout!((128,64):(64,1))), "thrfrg_A_128x64_rowmajor");
}

fn check_copy(line: &Value) {
    let atom = match text(line, "atom") {
        "CA16" => CopyAtom::CpAsync { bits: 128, cached: true, zero_fill: false },
        "U128" => CopyAtom::Universal { bits: 128 },
        "U32" => CopyAtom::Universal { bits: 32 },
        a => panic!("{a}"),
    };
    let bits = HashMap::from([("half_t", 16), ("float", 32)])[text(line, "type")];
    let copy = TiledCopy::new(atom, bits, &layout_of(text(line, "thr")), &layout_of(text(line, "val"))).unwrap();
    check_sides(line, &copy);
    let c = layout!((128,128):(128,1));
    assert_spelled(copy.tidfrg_s(&c).unwrap(), text(line, "tidfrg_S_128x128_rowmajor"), "tidfrg_S");
    assert_spelled(copy.tidfrg_d(&c).unwrap(), text(line, "tidfrg_D_128x128_rowmajor"), "tidfrg_D");
}

/// `B SM75_U32x4_LDSM_N half x SM80_16x8x16 (2,2,1) <32,32,16>`; `SM90_64x64x16 RS` is alone.
fn check_copy_from_mma(line: &Value) {
    let words: Vec<&str> = text(line, "name").split(' ').collect();
    let mma = match words[4] {
        "SM80_16x8x16" => mma_of("SM80_16x8x16_F32F16F16F32_TN", words[5], words[6]),
        "SM90_64x64x16" => mma_of("SM90_64x64x16_F32F16F16_RS<K,K>", "1", ""),
        m => panic!("{m}"),
    };
    let atom = CopyAtom::named(words[1]).unwrap();
    assert_eq!((words[2], words[3]), ("half", "x"));
    let copy = match words[0] {
        "A" => TiledCopy::of_a(atom, &mma),
        "B" => TiledCopy::of_b(atom, &mma),
        "C" => TiledCopy::of_c(atom, 16, &mma),
        o => panic!("{o}"),
    };
    check_sides(line, &copy.unwrap());
}

fn check_sides(line: &Value, copy: &TiledCopy) {
    let tile: IntTuple = text(line, "tiler_mn").parse().unwrap();
    assert_eq!(copy.tiler_mn(), Tiler::shape(&tile).unwrap(), "{line}");
    assert_spelled(copy.layout_tv(), text(line, "TV"), "TV");
    assert_spelled(copy.layout_s_tv().unwrap(), text(line, "S_TV"), "S_TV");
    assert_spelled(copy.layout_d_tv().unwrap(), text(line, "D_TV"), "D_TV");
}

#[test]
fn every_line_of_the_oracle() {
    let mut counts = HashMap::new();
    for line in include_str!("data/tiled.jsonl").lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        match text(&line, "op") {
            "tiled_mma" => check_mma(&line),
            "tiled_copy" => check_copy(&line),
            "tiled_copy_from_mma" => check_copy_from_mma(&line),
            op => panic!("{op}"),
        }
        *counts.entry(text(&line, "op").to_string()).or_insert(0) += 1;
    }
    let counted = ["tiled_mma", "tiled_copy", "tiled_copy_from_mma"].map(|op| counts[op]);
    assert_eq!(counted, [10, 4, 3]);
}

// ---- random tilings ----

fn shape(extents: &[i64]) -> IntTuple {
    IntTuple::flat(extents).unwrap()
}

/// Compact, the modes in a random order.
fn in_some_order(rng: &mut Rng, extents: &[i64]) -> Layout {
    let order: Vec<i64> = (0..extents.len() as i64).map(|i| 8 * rng.below(9) + i).collect();
    Layout::ordered(&shape(extents), &shape(&order)).unwrap()
}

/// A random tiling, and the permutations that it was made with.
struct Tiling {
    mma: TiledMma,
    permutation: Vec<Layout>,
}

struct Tilings {
    rng: Rng,
    atoms: Vec<MmaAtom>,
    /// threads, and atoms of a thread, along a mode
    counts: [i64; 4],
}

impl Tilings {
    fn new(seed: u64, counts: [i64; 4]) -> Tilings {
        let mut atoms: Vec<MmaAtom> = MmaAtom::all().filter(|m| m.thr().size().unwrap() <= 32).collect();
        let groups = ["SM90_64x8x16_F32F16F16_RS<K,K>", "SM90_64x16x32_S32S8S8_RS_TN"];
        atoms.extend(groups.map(|name| MmaAtom::named(name).unwrap()));
        atoms.extend([MmaAtom::fma(NumericType::F32).unwrap(); 20]);
        Tilings { rng: Rng::new(seed), atoms, counts }
    }

    fn next(&mut self) -> Tiling {
        let rng = &mut self.rng;
        let atom = rng.of(&self.atoms);
        let threads = [0; 3].map(|_| rng.of(&self.counts));
        let mma = match TiledMma::new(atom, &in_some_order(rng, &threads)) {
            Ok(mma) => mma,
            // three quad pairs are at no common distance
            Err(TiledError::Threads { reason: LayoutError::NoLayout { .. }, .. }) if atom.thr().rank() == 2 => {
                return self.next();
            }
            Err(e) => panic!("{e}"),
        };
        let mut permutation = Vec::new();
        for (axis, &core) in mma.tile_shape().known().unwrap().iter().enumerate() {
            let several = rng.of(&self.counts);
            let whole = atom.shape().known().unwrap()[axis];
            permutation.push(match rng.below(3) {
                0 => Layout::column_major(&core.into()).unwrap(),
                1 => Layout::column_major(&(core * several).into()).unwrap(),
                // atoms stay whole
                _ => in_some_order(rng, &[whole, core / whole, several]),
            });
        }
        let mma = mma.permuted(&Tiler::flat(&permutation).unwrap()).unwrap();
        Tiling { mma, permutation }
    }
}

type View<T> = fn(&T, &Layout) -> Result<Layout, Error>;
type Partition<T> = fn(&T, &Layout, i64) -> Result<(Layout, Bound), Error>;

/// An operand of a tiling, straight from the definition: nothing but evaluation.
struct Operand<'a> {
    tiling: &'a Tiling,
    axes: [usize; 2],
    atom_tv: Layout,
    source: Source,
    thrfrg: View<TiledMma>,
    tv: fn(&TiledMma) -> Result<Layout, Error>,
    partition: Partition<TiledMma>,
    partition_ceil: fn(&TiledMma, &Layout, i64) -> Result<Part, Error>,
    fragment: View<TiledMma>,
}

impl Tiling {
    fn operands(&self) -> [Operand<'_>; 3] {
        let atom = self.mma.atom();
        [
            Operand {
                tiling: self,
                axes: [0, 2],
                atom_tv: atom.a(),
                source: atom.source_a(),
                thrfrg: TiledMma::thrfrg_a,
                tv: TiledMma::layout_a_tv,
                partition: TiledMma::partition_a,
                partition_ceil: TiledMma::partition_a_ceil,
                fragment: TiledMma::fragment_a,
            },
            Operand {
                tiling: self,
                axes: [1, 2],
                atom_tv: atom.b(),
                source: atom.source_b(),
                thrfrg: TiledMma::thrfrg_b,
                tv: TiledMma::layout_b_tv,
                partition: TiledMma::partition_b,
                partition_ceil: TiledMma::partition_b_ceil,
                fragment: TiledMma::fragment_b,
            },
            Operand {
                tiling: self,
                axes: [0, 1],
                atom_tv: atom.c(),
                source: Source::Registers,
                thrfrg: TiledMma::thrfrg_c,
                tv: TiledMma::layout_c_tv,
                partition: TiledMma::partition_c,
                partition_ceil: TiledMma::partition_c_ceil,
                fragment: TiledMma::fragment_c,
            },
        ]
    }
}

impl Operand<'_> {
    fn tile(&self) -> [i64; 2] {
        self.axes.map(|axis| self.tiling.permutation[axis].size().unwrap())
    }

    /// Row and column of a value of the thread at `vmnk`, in the atom at `rest` of those that it has.
    fn place(&self, vmnk: &[i64], value: i64, rest: [i64; 2]) -> [i64; 2] {
        let (mma, extents) = (&self.tiling.mma, self.tiling.mma.atom().shape());
        let extents = extents.known().unwrap();
        let inside = self.atom_tv.at_crd(&shape(&[vmnk[0], value])).unwrap();
        let rows = extents[self.axes[0]];
        let inside = [inside % rows, inside / rows];
        [0, 1].map(|i| {
            let axis = self.axes[i];
            let (atom, permutation) = (extents[axis], &self.tiling.permutation[axis]);
            let threads = mma.thr_layout_vmnk().mode(1 + axis).unwrap().size().unwrap();
            let each = self.tile()[i] / (atom * threads);
            let at = inside[i] + atom * (vmnk[1 + axis] + threads * (rest[i] % each));
            permutation.at(at).unwrap() + self.tile()[i] * (rest[i] / each)
        })
    }
}

/// The number of each thread, and its place.
fn threads(mma: &TiledMma) -> Vec<(i64, Vec<i64>)> {
    let l = mma.thr_layout_vmnk();
    let by_mode = l.shape().product_each().unwrap();
    let place = |i| by_mode.idx2crd(i).unwrap().known().unwrap().to_vec();
    (0..l.size().unwrap()).map(|i| (l.at(i).unwrap(), place(i))).collect()
}

/// All coordinates of a layout by its modes.
fn coordinates(l: &Layout) -> Vec<IntTuple> {
    let by_mode = l.shape().product_each().unwrap();
    (0..l.size().unwrap()).map(|i| by_mode.idx2crd(i).unwrap()).collect()
}

#[test]
fn threads_hold_every_element_of_a_tile_once() {
    let mut tilings = Tilings::new(1, [1, 1, 2, 3]);
    let mut unnumbered = 0;
    for _ in 0..cases(300) {
        let tiling = tilings.next();
        let threads = tiling.mma.thr_layout_vmnk();
        let numbered = prove::bijective(&threads, tiling.mma.threads()).proved().is_some();
        unnumbered += i64::from(!numbered);
        for operand in tiling.operands().iter().filter(|o| o.source == Source::Registers) {
            let [rows, cols] = operand.tile();
            let tile = Layout::column_major(&shape(&[rows, cols])).unwrap();
            let all = (operand.thrfrg)(&tiling.mma, &tile).unwrap();
            let once = prove::bijective(&all, rows * cols);
            assert!(once.clone().proved().is_some(), "{once}: {all} of {:?}", tiling.mma);
            match (operand.tv)(&tiling.mma) {
                Ok(tv) => {
                    assert!(numbered);
                    assert_eq!(tv.mode(0).unwrap().size(), Ok(tiling.mma.threads()));
                    assert!(prove::onto(tv, 0, rows * cols).proved().is_some(), "{tv} of {:?}", tiling.mma);
                    let alone = tiling.mma.threads() * tv.mode(1).unwrap().size().unwrap() == rows * cols;
                    assert_eq!(prove::bijective(&tv, rows * cols).proved().is_some(), alone, "{tv}");
                }
                Err(e) => assert!(!numbered && matches!(e.reason, LayoutError::NotAValue { .. }), "{e}"),
            }
        }
    }
    assert!(unnumbered > 0, "quad pairs leave holes between the numbers of their threads");
}

#[test]
fn partitions_are_what_the_definition_says() {
    let mut tilings = Tilings::new(2, [1, 1, 2, 3]);
    for _ in 0..cases(60) {
        let tiling = tilings.next();
        for operand in tiling.operands() {
            let [rows, cols] = operand.tile();
            let rng = &mut tilings.rng;
            let tiles = [1 + rng.below(3), 1 + rng.below(3)];
            let whole = in_some_order(rng, &[rows * tiles[0], cols * tiles[1], 2]);
            let all = threads(&tiling.mma);
            for (number, place) in all.iter().step_by(1 + all.len() / 7) {
                let (mine, offset) = (operand.partition)(&tiling.mma, &whole, *number).unwrap();
                assert_eq!(mine.rank(), 4);
                for c in coordinates(&mine) {
                    let k = c.known().unwrap();
                    let [row, col] = operand.place(place, k[0], [k[1], k[2]]);
                    let expected = whole.at_coord([row, col, k[3]]).unwrap();
                    let got = offset.value().unwrap() + mine.at_crd(&c).unwrap();
                    assert_eq!(got, expected, "thread {number} at {c} of {whole}: {:?}", tiling.mma);
                }
                // each value has a register, or each atom a descriptor
                let registers = (operand.fragment)(&tiling.mma, &mine).unwrap();
                let held = match operand.source {
                    Source::Registers => mine,
                    Source::Shared(_) => mine.replace(0, &layout!(1:0)).unwrap(),
                };
                assert!(registers.congruent(&held), "{registers} for {mine}");
                assert!(prove::bijective(&registers, held.size().unwrap()).proved().is_some(), "{registers}");
            }
        }
    }
}

#[test]
fn ragged_partitions_have_the_real_elements_and_no_others() {
    let mut tilings = Tilings::new(3, [1, 1, 2, 3]);
    for _ in 0..cases(40) {
        let tiling = tilings.next();
        for operand in tiling.operands().iter().filter(|o| o.source == Source::Registers) {
            let [rows, cols] = operand.tile();
            let rng = &mut tilings.rng;
            let limit = [1 + rng.below(2 * rows), 1 + rng.below(2 * cols)];
            let whole = in_some_order(rng, &limit);
            let (mut real, mut held) = (0, 0);
            let all = threads(&tiling.mma);
            let alone = |place: &[i64]| (1..4).all(|i| operand.axes.contains(&(i - 1)) || place[i] == 0);
            for (number, place) in all.iter().filter(|(_, place)| alone(place)) {
                let mine = (operand.partition_ceil)(&tiling.mma, &whole, *number).unwrap();
                for (i, c) in coordinates(&mine.layout).into_iter().enumerate() {
                    let k = c.known().unwrap();
                    let [row, col] = operand.place(place, k[0], [k[1], k[2]]);
                    let inside = row < limit[0] && col < limit[1];
                    assert_eq!(mine.holds(i as i64).unwrap(), inside, "{mine} at {c}");
                    held += 1;
                    if inside {
                        real += 1;
                        assert_eq!(mine.coord_at(i as i64).unwrap(), shape(&[row, col]));
                        let got = mine.offset.value().unwrap() + mine.layout.at(i as i64).unwrap();
                        assert_eq!(got, whole.at_coord([row, col]).unwrap(), "{mine} at {c}");
                    }
                }
            }
            assert_eq!(real, limit[0] * limit[1]);
            assert!(held % (rows * cols) == 0);
            let divides = limit[0] % rows == 0 && limit[1] % cols == 0;
            assert_eq!((operand.thrfrg)(&tiling.mma, &whole).is_ok(), divides, "{whole} by {rows} x {cols}");
        }
    }
}

// ---- copies ----

#[test]
fn a_copy_of_threads_and_values_rakes_the_values() {
    let mut rng = Rng::new(4);
    let mut made = 0;
    for _ in 0..cases(200) {
        let extents = [0; 4].map(|_| rng.of(&[1, 2, 4, 8]));
        let [tm, tn, vm, vn] = extents;
        let (thr, val) = (in_some_order(&mut rng, &[tm, tn]), in_some_order(&mut rng, &[vm, vn]));
        let bits = rng.of(&[8, 16, 32, 64]);
        let width = rng.of(&[8, 16, 32, 64, 128]);
        let copy = TiledCopy::new(CopyAtom::Universal { bits: width }, bits, &thr, &val);
        let vector = (width / bits) as i64;
        if vector == 0 {
            assert!(matches!(copy, Err(TiledError::Bits { .. })));
            continue;
        }
        if vm * vn < vector {
            assert!(matches!(copy, Err(TiledError::Copies { .. })));
            continue;
        }
        let copy = copy.unwrap();
        made += 1;
        let tile = [tm * vm, tn * vn];
        let tiles = [1 + rng.below(2), 1 + rng.below(2)];
        let whole = in_some_order(&mut rng, &[tile[0] * tiles[0], tile[1] * tiles[1]]);
        for i in 0..tm * tn {
            let thread = thr.at(i).unwrap();
            let (mine, offset) = copy.partition_s(&whole, thread).unwrap();
            assert_eq!(copy.partition_d(&whole, thread).map(|p| p.0), Ok(mine));
            assert_eq!(mine.mode(0).unwrap().mode(0).unwrap().size(), Ok(vector));
            for j in 0..vm * vn {
                let value = val.at(j).unwrap();
                for c in coordinates(&mine.replace(0, &layout!(1:0)).unwrap()) {
                    let (rm, rn) = (c.known().unwrap()[1], c.known().unwrap()[2]);
                    let (row, col) = (j % vm + vm * (i % tm), j / vm + vn * (i / tm));
                    let expected = whole.at_coord([row + tile[0] * rm, col + tile[1] * rn]).unwrap();
                    let got = offset.value().unwrap() + mine.at_crd(&shape(&[value, rm, rn])).unwrap();
                    assert_eq!(got, expected, "thread {thread}, value {value} of {copy:?}");
                }
            }
        }
        // and each element once
        let all = copy.tidfrg_s(&whole).unwrap();
        assert!(prove::bijective(&all, whole.size().unwrap()).proved().is_some(), "{all}");
    }
    assert!(made > 50);
}

/// Copies of the operands of a tiling by all atoms that fit.
fn copies(tiling: &Tiling) -> Vec<(usize, TiledCopy)> {
    let mma = &tiling.mma;
    let mut fit = Vec::new();
    for atom in CopyAtom::all() {
        let of = [TiledCopy::of_a(atom, mma), TiledCopy::of_b(atom, mma), TiledCopy::of_c(atom, 16, mma)];
        for (which, copy) in of.into_iter().enumerate() {
            match copy {
                Ok(copy) => fit.push((which, copy)),
                Err(TiledError::Bits { .. } | TiledError::Copies { .. } | TiledError::Shared { .. }) => {}
                Err(e) => panic!("{e}: operand {which} by {atom} of {mma:?}"),
            }
        }
    }
    fit
}

/// Atoms of a warp, and of a thread: so that copies of a warp fit.
fn warps(tilings: &mut Tilings) -> Tiling {
    loop {
        let tiling = tilings.next();
        if tiling.mma.layout_c_tv().is_ok() {
            return tiling;
        }
    }
}

#[test]
fn the_destination_of_a_copy_has_the_elements_of_its_source() {
    let mut tilings = Tilings::new(5, [1, 1, 2, 4]);
    let mut seen = HashMap::new();
    for _ in 0..cases(12) {
        let tiling = warps(&mut tilings);
        for (which, copy) in copies(&tiling) {
            *seen.entry(copy.atom().to_string()).or_insert(0) += 1;
            let bits = copy.bits() as i64;
            let in_values = |l: Layout| l.recast(1, bits).unwrap();
            let (src, dst) = (in_values(copy.atom().src()), in_values(copy.atom().dst()));
            let (s, d) = (copy.layout_s_tv().unwrap(), copy.layout_d_tv().unwrap());
            let lanes = copy.atom().thr().size().unwrap();
            let instructions = s.mode(1).unwrap().mode(1).unwrap().size().unwrap();
            for warp in 0..tiling.mma.threads() / lanes {
                for n in 0..instructions {
                    // from a number in the instruction to the element of the tile
                    let elements = |atom: &Layout, tv: &Layout| {
                        let mut of = HashMap::new();
                        let values = atom.mode(1).unwrap().size().unwrap();
                        for lane in 0..lanes {
                            for v in 0..values {
                                let number = atom.at_crd(&shape(&[lane, v])).unwrap();
                                let at = shape(&[warp * lanes + lane, v + values * n]);
                                let element = tv.at_crd(&at).unwrap();
                                assert_eq!(*of.entry(number).or_insert(element), element, "{copy:?}");
                            }
                        }
                        of
                    };
                    assert_eq!(elements(&src, &s), elements(&dst, &d), "operand {which} by {copy:?}");
                }
            }
        }
    }
    assert!(
        ["SM75_U32x4_LDSM_N", "SM90_U32x4_STSM_N", "UniversalCopy<uint128_t>"].iter().all(|a| seen[*a] > 1),
        "{seen:?}"
    );
}

#[test]
fn a_retiled_fragment_has_the_registers_of_the_elements_that_are_copied() {
    let mut tilings = Tilings::new(6, [1, 1, 2, 4]);
    let mut several = 0;
    for _ in 0..cases(12) {
        let tiling = warps(&mut tilings);
        for (which, copy) in copies(&tiling) {
            let operand = &tiling.operands()[which];
            let [rows, cols] = operand.tile();
            let rng = &mut tilings.rng;
            let tiles = [1 + rng.below(2), 1 + rng.below(3)];
            let whole = in_some_order(rng, &[rows * tiles[0], cols * tiles[1]]);
            let thread = rng.below(tiling.mma.threads());
            let (held, first) = (operand.partition)(&tiling.mma, &whole, thread).unwrap();
            let fragment = (operand.fragment)(&tiling.mma, &held).unwrap();
            let element: HashMap<i64, i64> = (0..held.size().unwrap())
                .map(|i| (fragment.at(i).unwrap(), first.value().unwrap() + held.at(i).unwrap()))
                .collect();
            let sides: [(Layout, View<TiledCopy>, Partition<TiledCopy>); 2] = [
                (copy.atom().src(), TiledCopy::retile_s, TiledCopy::partition_s),
                (copy.atom().dst(), TiledCopy::retile_d, TiledCopy::partition_d),
            ];
            for (side, retile, partition) in sides {
                let view = retile(&copy, &fragment);
                if side != copy.atom().reference() {
                    assert!(view.is_err());
                    continue;
                }
                let view = view.unwrap();
                let (part, offset) = partition(&copy, &whole, thread).unwrap();
                assert_eq!(view.shape().product_each(), part.shape().product_each(), "{view} for {part}");
                for c in coordinates(&part) {
                    let moved = offset.value().unwrap() + part.at_crd(&c).unwrap();
                    assert_eq!(element[&view.at_crd(&c).unwrap()], moved, "{view} at {c}: {copy:?}");
                }
                assert!(prove::bijective(&view, fragment.size().unwrap()).proved().is_some(), "{view}");
                // a fragment of the copy itself is seen as it is
                let own = copy.fragment(&part).unwrap();
                assert!(retile(&copy, &own).unwrap().same_function(&own));
                several += i64::from(view.mode(0).unwrap().size() != held.mode(0).unwrap().size());
            }
        }
    }
    assert!(several > 20, "copies of several atoms at once");
}

#[test]
fn ragged_copies_have_the_real_elements_and_no_others() {
    let copy =
        TiledCopy::new(CopyAtom::Universal { bits: 32 }, 16, &layout!((4,8):(8,1)), &layout!((1,2):(0,1))).unwrap();
    for (rows, cols) in [(4, 16), (1, 1), (7, 31), (9, 50)] {
        let whole = Layout::row_major(&shape(&[rows, cols])).unwrap();
        let mut seen = vec![0; (rows * cols) as usize];
        for thread in 0..32 {
            let (src, dst) =
                (copy.partition_s_ceil(&whole, thread).unwrap(), copy.partition_d_ceil(&whole, thread).unwrap());
            assert_eq!(src.to_string(), dst.to_string());
            for i in 0..src.layout.size().unwrap() {
                if src.holds(i).unwrap() {
                    let offset = src.offset.value().unwrap() + src.layout.at(i).unwrap();
                    assert_eq!(offset, whole.at_crd(&src.coord_at(i).unwrap()).unwrap());
                    seen[offset as usize] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&n| n == 1), "{rows} x {cols}: {seen:?}");
        assert_eq!(copy.tidfrg_s(&whole).is_ok(), rows % 4 == 0 && cols % 16 == 0);
    }
}

// ---- symbols, and what is refused ----

#[test]
fn symbolic_sizes_are_partitioned_ragged_or_by_promise() {
    let warps = TiledMma::new(MMA, &layout!((2,2):(1,2))).unwrap();
    let ragged = warps.partition_c_ceil(&"(?M,?N):(?ldc,1)".parse().unwrap(), 37).unwrap();
    let bound = ragged.bind(&[("M", 100), ("N", 60), ("ldc", 64)]).unwrap();
    let known = warps.partition_c_ceil(&layout!((100,60):(64,1)), 37).unwrap();
    assert!(bound.mask().unwrap().eq(known.mask().unwrap()));
    for i in 0..known.layout.size().unwrap() {
        let at = |p: &Part| p.offset.value().unwrap() + p.layout.at(i).unwrap();
        assert!(!known.holds(i).unwrap() || at(&bound) == at(&known), "{bound} and {known} at {i}");
    }
    let promised = "(?M{32},?N{16}):(?ldc,1)".parse().unwrap();
    let (mine, offset) = warps.partition_c(&promised, 37).unwrap();
    assert_eq!(mine.shape().to_string(), "((2,2),⌈?M{32}/32⌉,⌈?N{16}/16⌉)");
    assert_eq!(offset.to_string(), "17*?ldc+2");
    let e = warps.partition_c(&"(?M,?N):(?ldc,1)".parse().unwrap(), 37).unwrap_err();
    assert_eq!(e.reason, LayoutError::Undecided);
}

#[test]
fn threads_that_there_are_not() {
    let warps = TiledMma::new(MMA, &layout!((2,2):(1,2))).unwrap();
    for thread in [-1, 128, i64::MAX] {
        let e = warps.partition_c(&layout!((32,16):(16,1)), thread).unwrap_err();
        assert_eq!(e.reason, LayoutError::NotAValue { value: thread });
    }
    // a quad pair has lanes 0..4 and 16..20
    let quad_pair = TiledMma::new(MmaAtom::named("SM70_8x8x4_F32F16F16F32_TN").unwrap(), &layout!(1:0)).unwrap();
    let c = layout!((8,8):(1,8));
    assert!((0..32).all(|i| quad_pair.partition_c(&c, i).is_ok() == [0, 1, 2, 3, 16, 17, 18, 19].contains(&i)));
    let copy = TiledCopy::new(CopyAtom::Universal { bits: 32 }, 32, &layout!(32:1), &layout!(1:0)).unwrap();
    for index in [-1, 32] {
        let e = copy.partition_s(&layout!(64:1), index).unwrap_err();
        assert_eq!(e.reason, LayoutError::OutOfRange { index, extent: 32 });
    }
}

#[test]
fn tilings_that_there_are_not() {
    for (threads, kind) in [
        (layout!((2,2,1,1):(1,2,4,4)), "rank"),
        (layout!((2,2):(1,1)), "not_injective"),
        (layout!((2,2):(0,1)), "not_injective"),
        (layout!(2:-1), "domain"),
    ] {
        match TiledMma::new(MMA, &threads) {
            Err(TiledError::Threads { layout, reason }) => {
                assert_eq!((layout, reason.kind()), (threads, kind), "{reason}")
            }
            other => panic!("{threads}: {other:?}"),
        }
    }
    let warps = TiledMma::new(MMA, &layout!((2,2):(1,2))).unwrap();
    for tiler in [tiler![48], tiler![16], tiler![_, 8], tiler![_, _, (4,4):(1,2)], tiler![32:2], tiler![(2,32):(0,1)]] {
        let e = warps.permuted(&tiler).unwrap_err();
        assert!(matches!(e, TiledError::Permutation { .. }), "{tiler}: {e}");
    }
    assert!(warps.permuted(&tiler![32, 16, 16, 1]).is_err());
    assert!(warps.permuted(&"<<16,2>>".parse().unwrap()).is_err());
    assert_eq!(warps.permuted(&tiler![_, _, _]), Ok(warps));

    for (l, by, extent) in [(layout!((32,24):(24,1)), 16, 24), (layout!((33,16):(16,1)), 32, 33)] {
        let e = warps.thrfrg_c(&l).unwrap_err();
        assert_eq!(e.reason, LayoutError::NotDivisible { extent, by });
        assert!(e.to_string().ends_with("; the _ceil form rounds up and returns the guard"), "{e}");
    }
    assert!(warps.thrfrg_c(&layout!(512:1)).is_err());
}

#[test]
fn copies_that_there_are_not() {
    let ldmatrix = |transposed| CopyAtom::Ldmatrix { matrices: 4, transposed };
    let tf32 = MmaAtom::named("SM80_16x8x8_F32TF32TF32F32_TN").unwrap();
    let warps = TiledMma::new(tf32, &layout!((2,2):(1,2))).unwrap();
    // rows of 16 bytes hold any values; transposed they are of 16 bits
    assert!(TiledCopy::of_a(ldmatrix(false), &warps).is_ok());
    let e = TiledCopy::of_a(ldmatrix(true), &warps).unwrap_err();
    assert_eq!(e, TiledError::Bits { copy: ldmatrix(true), bits: 32 });
    assert!(e.to_string().starts_with("SM75_U16x8_LDSM_T does not move whole values of 32 bits"), "{e}");

    let of = |bits, width| {
        TiledCopy::new(CopyAtom::Universal { bits: width }, bits, &layout!((8,4):(4,1)), &layout!((1,4):(0,1)))
    };
    assert!(matches!(of(0, 32), Err(TiledError::Bits { bits: 0, .. })));
    assert!(matches!(of(64, 32), Err(TiledError::Bits { bits: 64, .. })));
    assert!(matches!(of(24, 32), Err(TiledError::Bits { bits: 24, .. })));
    assert!(matches!(of(16, 128), Err(TiledError::Copies { atom: [1, 8], tile: [32, 4], .. })));
    assert!(of(16, 64).is_ok());
    // threads that share a place, or leave numbers out
    for thr in [layout!((8,4):(1,1)), layout!((8,4):(8,1)), layout!((8,4):(0,1))] {
        let copy = TiledCopy::new(CopyAtom::Universal { bits: 32 }, 32, &thr, &layout!((1,1):(0,0)));
        assert!(matches!(copy, Err(TiledError::Layout(_))), "{thr}: {copy:?}");
    }
    // a tile that the values leave
    let tv = layout!((4,2):(2,1));
    let word = CopyAtom::Universal { bits: 32 };
    assert!(TiledCopy::of_tv(word, 32, &tv, &ints!((4, 1))).is_err());
    assert!(TiledCopy::of_tv(word, 32, &layout!((4,2,1):(2,1,0)), &ints!((4, 2))).is_err());
    let copy = TiledCopy::of_tv(word, 32, &tv, &ints!((4, 2))).unwrap();
    let e = copy.retile_s(&layout!((4,1,1):(1,0,0))).unwrap_err();
    assert_eq!(e.reason, LayoutError::SizeMismatch { left: 4, right: 2 });
    assert!(copy.tidfrg_s(&layout!((6,2):(1,6))).unwrap_err().to_string().contains("_ceil form"));
}
