//! Tiles and partitions: every element in exactly one, and what is refused.
// errors carry their operands inline
#![allow(clippy::result_large_err)]

use girih::prelude::*;

/// A small generator, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n) as i64
    }

    /// A layout of two or three modes in a random compact order, and tile extents that divide them.
    fn tiled(&mut self) -> (Layout, Vec<i64>, Vec<i64>) {
        let rank = 2 + self.below(2) as usize;
        let tile: Vec<_> = (0..rank).map(|_| 1 + self.below(4)).collect();
        let rest: Vec<_> = (0..rank).map(|_| 1 + self.below(3)).collect();
        let shape: Vec<_> = tile.iter().zip(&rest).map(|(t, r)| t * r).collect();
        let order: Vec<_> = (0..rank as i64).map(|i| 8 * self.below(9) + i).collect();
        let l = Layout::ordered(&IntTuple::flat(&shape).unwrap(), &IntTuple::flat(&order).unwrap()).unwrap();
        (l, tile, rest)
    }
}

fn tiler(shape: &[i64]) -> Tiler {
    Tiler::shape(&IntTuple::flat(shape).unwrap()).unwrap()
}

/// All coordinates of a flat shape.
fn coordinates(shape: &[i64]) -> Vec<IntTuple> {
    let shape = IntTuple::flat(shape).unwrap();
    Layout::column_major(&shape).unwrap().hier_coords().unwrap().collect()
}

fn sorted(mut v: Vec<i64>) -> Vec<i64> {
    v.sort_unstable();
    v
}

#[test]
fn tiles_hold_each_element_once_and_are_slices_of_the_divide() {
    let mut random = Random(1);
    for _ in 0..200 {
        let (l, tile, rest) = random.tiled();
        let (t, zipped) = (tiler(&tile), l.zipped_divide(&tiler(&tile)).unwrap());
        let mut seen = Vec::new();
        for c in coordinates(&rest) {
            let (part, offset) = l.local_tile(&t, &c).unwrap();
            assert_eq!((part, offset.value()), l.inner_partition(&t, &c).map(|(l, o)| (l, o.value())).unwrap());
            let offset = offset.value().unwrap();
            for x in 0..part.size().unwrap() {
                let both = IntTuple::tuple(&[x.into(), c]).unwrap();
                assert_eq!(offset + part.at(x).unwrap(), zipped.at_crd(&both).unwrap(), "{l} by {tile:?} at {c}");
            }
            seen.extend(part.offsets().unwrap().map(|o| offset + o));
        }
        assert_eq!(sorted(seen), sorted(l.offsets().unwrap().collect()), "{l} by {tile:?}");
    }
}

#[test]
fn partitions_hold_each_element_once_and_are_slices_of_the_divide() {
    let mut random = Random(2);
    for _ in 0..200 {
        let (l, tile, _) = random.tiled();
        let order: Vec<_> = (0..tile.len() as i64).map(|i| 8 * random.below(9) + i).collect();
        let shape = IntTuple::flat(&tile).unwrap();
        let threads = Layout::ordered(&shape, &IntTuple::flat(&order).unwrap()).unwrap();
        let mut seen = Vec::new();
        for c in coordinates(&tile) {
            let index = threads.at_crd(&c).unwrap();
            let (part, offset) = l.local_partition(&threads, index).unwrap();
            let (same, at) = l.outer_partition(&tiler(&tile), &c).unwrap();
            assert_eq!((part, offset.value()), (same, at.value()), "{l} by {threads} at {index}");
            seen.extend(part.offsets().unwrap().map(|o| offset.value().unwrap() + o));
        }
        assert_eq!(sorted(seen), sorted(l.offsets().unwrap().collect()), "{l} by {threads}");
    }
}

#[test]
fn ragged_tiles_and_partitions_hold_each_element_once_where_their_guards_hold() {
    let mut random = Random(3);
    let mut ragged = 0;
    for _ in 0..200 {
        let (l, ..) = random.tiled();
        let extents: Vec<_> = l.known_leaves().unwrap().0.to_vec();
        let tile: Vec<_> = extents.iter().map(|_| 1 + random.below(5)).collect();
        let rest: Vec<_> = extents.iter().zip(&tile).map(|(s, t)| (s + t - 1) / t).collect();
        let t = tiler(&tile);
        ragged += l.zipped_divide(&t).is_err() as u32;
        let check = |parts: Vec<Part>| {
            let mut seen = Vec::new();
            for part in parts {
                let (size, offset) = (part.layout.size().unwrap(), part.offset.value().unwrap());
                let holds: Vec<_> = (0..size).map(|i| part.holds(i).unwrap()).collect();
                assert!(part.mask().unwrap().eq(holds.iter().copied()), "{part}");
                assert_eq!(part.always().unwrap(), holds.iter().all(|h| *h), "{part}");
                let real = part.layout.offsets().unwrap().zip(holds).filter(|x| x.1);
                seen.extend(real.map(|(o, _)| offset + o));
            }
            assert_eq!(sorted(seen), sorted(l.offsets().unwrap().collect()), "{l} by {tile:?}");
        };
        check(coordinates(&rest).iter().map(|c| l.local_tile_ceil(&t, c).unwrap()).collect());
        check(coordinates(&tile).iter().map(|c| l.outer_partition_ceil(&t, c).unwrap()).collect());
        let threads = Layout::row_major(&IntTuple::flat(&tile).unwrap()).unwrap();
        check((0..threads.size().unwrap()).map(|i| l.local_partition_ceil(&threads, i).unwrap()).collect());
        // tiles, then the elements of each thread in them
        let ones = Layout::column_major(&IntTuple::flat(&vec![1; tile.len()]).unwrap()).unwrap();
        let narrowed = coordinates(&rest).into_iter().flat_map(|c| {
            let part = l.local_tile_ceil(&t, &c).unwrap();
            let whole = part.narrow(|l| l.local_partition(&ones, 0)).unwrap();
            assert_eq!(whole.layout.size(), part.layout.size());
            (0..threads.size().unwrap()).map(move |i| part.narrow(|l| l.local_partition(&threads, i)).unwrap())
        });
        check(narrowed.collect());
    }
    assert!(ragged > 100);
}

#[test]
fn a_tile_that_does_not_divide_is_refused_with_its_numbers() {
    let a = layout!((100,64):(64,1));
    let e = a.local_tile(&tiler![32, 32], &ints!((0, 0))).unwrap_err();
    assert_eq!(e.reason, LayoutError::NotDivisible { extent: 100, by: 32 });
    assert!(e.to_string().starts_with("local_tile((100,64):(64,1), <32:1,32:1>): 32 does not divide 100"), "{e}");
    let t = Tensor::filled(a, 0).unwrap();
    assert!(t.view().local_tile(&tiler![32, 32], (0, 0)).is_err());
    assert!(t.view().local_partition(&layout!((3,2):(1,3)), 0).is_err());
    assert!(t.view().local_tile_ceil(&tiler![32, 32], (3, 1)).is_ok());
    assert!(t.view().local_tile_ceil(&tiler![32, 32], (4, 0)).is_err());
}

#[test]
fn coordinates_of_tiles_and_threads_outside_are_refused() {
    let a = layout!((16,8):(1,16));
    let t = tiler![4, 4];
    let reason = |c: IntTuple| a.local_tile(&t, &c).unwrap_err().reason;
    assert_eq!(reason(ints!((4, 0))), LayoutError::OutOfRange { index: 4, extent: 4 });
    assert_eq!(reason(ints!((0, -1))), LayoutError::OutOfRange { index: -1, extent: 2 });
    assert_eq!(reason(ints!(8)), LayoutError::OutOfRange { index: 8, extent: 8 });
    assert_eq!(reason(ints!((0, 0, 0))), LayoutError::Incongruent { leaf: 0 });
    assert_eq!(reason(ints!(((0, 0), 0))), LayoutError::Incongruent { leaf: 0 });
    assert!(a.outer_partition(&t, &ints!((4, 0))).is_err());

    let threads = layout!((4,2):(1,8));
    let e = a.local_partition(&threads, 5).unwrap_err();
    assert_eq!(e.to_string(), "local_partition((16,8):(1,16), (4,2):(1,8)): no coordinate has the value 5");
    assert!(a.local_partition(&threads, 9).is_ok());
    assert_eq!(a.local_partition(&threads, 12).unwrap_err().reason, LayoutError::NotAValue { value: 12 });
    assert_eq!(a.local_partition(&threads, -1).unwrap_err().reason, LayoutError::NotAValue { value: -1 });
    let broadcast = a.local_partition(&layout!((4,2):(1,0)), 1).unwrap_err();
    assert_eq!(broadcast.reason, LayoutError::NotInjective { first: 0, second: 4 });
}

#[test]
fn what_a_coordinate_leaves_open_is_kept() {
    let a = layout!((16,8,3):(1,16,128));
    let t = tiler![4, 4];
    let whole = layout!((4,4,4,2,3):(1,16,4,64,128));
    assert_eq!(a.local_tile(&t, &ints!((_, _, _))).unwrap().0, whole);
    assert_eq!(a.local_tile(&t, &ints!((_,))).unwrap().0, whole);
    assert_eq!(a.local_tile(&t, &ints!((1, _, 2))).unwrap().0, layout!((4,4,2):(1,16,64)));
    assert_eq!(a.local_tile(&t, &ints!(_)).unwrap().0, layout!((4,4,(4,2,3)):(1,16,(4,64,128))));
    assert_eq!(a.outer_partition(&t, &ints!((1, _))).unwrap().0, layout!((4,4,2,3):(16,4,64,128)));
    // the tile of a one-dimensional domain
    let line = Tiler::leaf(&layout!(4:2)).unwrap();
    let (part, offset) = layout!(16:3).local_tile(&line, &ints!(1)).unwrap();
    assert_eq!((part, offset.value()), (layout!((4):(6)), Some(3)));
}

#[test]
fn a_projection_leaves_out_modes_of_tiler_and_coordinate() {
    let (cta, block) = (tiler![8, 4, 2], ints!((1, 2, _)));
    let (a, b, c) = (layout!((16,6):(6,1)), layout!((12,6):(1,12)), layout!((16,12):(12,1)));
    for (l, projection, t, at) in [
        (a, ints!((1, _, 1)), tiler![8, 2], ints!((1, _))),
        (b, ints!((_, 1, 1)), tiler![4, 2], ints!((2, _))),
        (c, ints!((1, 1, _)), tiler![8, 4], ints!((1, 2))),
    ] {
        let (got, offset) = l.local_tile_projected(&cta, &block, &projection).unwrap();
        let (want, from) = l.local_tile(&t, &at).unwrap();
        assert_eq!((got, offset.value()), (want, from.value()));
        let part = l.local_tile_projected_ceil(&cta, &block, &projection).unwrap();
        assert_eq!((part.layout, part.offset.value()), (want, from.value()));
    }
    let refused = |p| a.local_tile_projected(&cta, &block, &p).unwrap_err().reason;
    assert_eq!(refused(ints!((1, 1))), LayoutError::RankMismatch { rank: 2, other: 3 });
    assert_eq!(refused(ints!((_, _, _))), LayoutError::Empty);
    assert_eq!(refused(ints!((1, 1, 1))), LayoutError::RankTooHigh { rank: 3, of: 2 });
    // threads over (M,N) share what they read of an (M,K) operand
    let threads = layout!((4,2):(2,1));
    let first = a.local_partition_projected(&threads, 2, &ints!((1, _))).unwrap();
    let second = a.local_partition_projected(&threads, 3, &ints!((1, _))).unwrap();
    assert_eq!((first.0, first.1.value()), (second.0, second.1.value()));
    assert_eq!((first.0, first.1.value()), (layout!((4,6):(24,1)), Some(6)));
}

#[test]
fn an_unknown_size_is_guarded_and_binds_to_what_a_known_one_gives() {
    let a: Layout = "(?M,?N):(1,?lda)".parse().unwrap();
    let t = tiler![128, 64];
    assert_eq!(a.local_tile(&t, &ints!((1, 2))).unwrap_err().reason, LayoutError::Undecided);
    let part = a.local_tile_ceil(&t, &ints!((1, _))).unwrap();
    assert_eq!(
        part.to_string(),
        "128 o (128,64,⌈?N/64⌉):(1,?lda,64*?lda) if 128@0 + (128,64,⌈?N/64⌉):(1@0,1@1,64@1) < (?M,?N)"
    );
    assert!(part.holds(0).is_err());
    let values = [("M", 200), ("N", 100), ("lda", 256)];
    let bound = part.bind(&values).unwrap();
    let known = a.bind(&values).unwrap().local_tile_ceil(&t, &ints!((1, _))).unwrap();
    assert_eq!(bound.to_string(), known.to_string());
    assert!(bound.mask().unwrap().eq(known.mask().unwrap()));
}

#[test]
fn a_symbolic_block_coordinate_gives_a_symbolic_origin() {
    let a: Layout = "(?M,?N):(1,?lda)".parse().unwrap();
    let block: IntTuple = "(?bx,?by)".parse().unwrap();
    let part = a.local_tile_ceil(&tiler![128, 64], &block).unwrap();
    assert_eq!(
        part.to_string(),
        "128*?bx+64*?by*?lda o (128,64):(1,?lda) if 128*?bx@0+64*?by@1 + (128,64):(1@0,1@1) < (?M,?N)"
    );
}

#[test]
fn partitions_are_made_at_compile_time() {
    const MINE: (Layout, Bound) = girih::must(layout!((128,64):(1,128)).local_partition(&layout!((16,8):(8,1)), 17));
    assert_eq!((MINE.0, MINE.1.value()), (layout!((8,8):(16,1024)), Some(130)));
}

#[test]
fn tiles_of_an_identity_tensor_are_the_coordinates_of_the_tiles() {
    let l = layout!((6,8):(8,1));
    let values = Tensor::counting(l).unwrap();
    let places = Tensor::identity(&l.shape()).unwrap();
    let threads = layout!((3,2):(2,1));
    for c in coordinates(&[2, 2]) {
        for i in 0..6 {
            let take = |t: &Tiler| -> Result<_, Error> {
                let x = values.local_tile(t, c)?.local_partition(&threads, i)?;
                Ok((x, places.local_tile(t, c)?.local_partition(&threads, i)?))
            };
            let (x, at) = take(&tiler![3, 4]).unwrap();
            assert_eq!(x.shape(), at.shape());
            for (x, at) in x.iter().zip(at.iter()) {
                assert_eq!(l.at_crd(&at.unwrap()).unwrap(), x, "tile {c} thread {i}");
            }
        }
    }
}

#[test]
fn views_go_through_the_algebra() {
    let a = Tensor::from_fn(layout!((4,(2,3)):(6,(3,1))), |i| i).unwrap();
    let v = a.view();
    assert!(v.coalesce().iter().eq(a.iter()));
    assert_eq!(v.with_shape(&ints!((8, 3))).unwrap()[(5, 1)], 13);
    assert_eq!(v.compose_by_mode(&tiler![2:2, 2]).unwrap()[(1, 1)], a[(2, 1)]);
    assert_eq!(v.zipped_divide(&tiler![2, 2]).unwrap()[((1, 1), (1, 2))], a[(3, 5)]);
    assert_eq!(v.flat_divide(&tiler![2, 2]).unwrap()[(1, 1, 1, 2)], a[(3, 5)]);
    assert_eq!(v.tiled_divide(&tiler![2, 2]).unwrap()[((1, 1), 1, 2)], a[(3, 5)]);
    assert_eq!(v.logical_divide_by_mode(&tiler![2, 2]).unwrap()[((1, 1), (1, 2))], a[(3, 5)]);
    assert_eq!(v.logical_divide(&layout!(4:1)).unwrap()[(3, 5)], 23);
    assert!(v.compose(&layout!(2:24)).is_err());
    let repeated = Tensor::new([1, 2, 3], layout!((3,5):(1,0))).unwrap();
    assert_eq!(repeated.view().filter().layout(), &layout!(3:1));
    assert_eq!(repeated.filter_zeros().size(), 3);
}

/// Each output through tiles with overhang in all three directions.
#[test]
fn a_product_by_guarded_tiles_is_the_plain_product() {
    let (m, n, k) = (7, 10, 5);
    let a = Tensor::from_fn(layout!((7,5):(5,1)), |i| i * i % 11).unwrap();
    let b = Tensor::from_fn(layout!((10,5):(1,10)), |i| i % 7 - 3).unwrap();
    let mut c = Tensor::filled(layout!((7,10):(1,8)), 0).unwrap();
    let cta = tiler![4, 4, 2];
    for (bm, bn) in (0..2).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let mut tile = Tensor::filled(layout!((4,4):(1,4)), 0).unwrap();
        for bk in 0..3 {
            let at = (bm, bn, bk);
            let x = a.view().local_tile_projected_ceil(&cta, at, &ints!((1, _, 1))).unwrap().load(0).unwrap();
            let y = b.view().local_tile_projected_ceil(&cta, at, &ints!((_, 1, 1))).unwrap().load(0).unwrap();
            for [i, j, l] in layout!((4,4,2):(1,4,16)).coords().unwrap() {
                tile[(i, j)] += x[(i, l)] * y[(j, l)];
            }
        }
        let mut out = c.view_mut().local_tile_projected_ceil(&cta, (bm, bn, 0), &ints!((1, 1, _))).unwrap();
        out.store(&tile).unwrap();
        assert_eq!(out.whole().unwrap().is_some(), bm == 0 && bn < 2);
    }
    for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let want: i64 = (0..k).map(|l| a[(i, l)] * b[(j, l)]).sum();
        assert_eq!(c[(i, j)], want, "at ({i},{j})");
    }
    // the padding of the leading dimension is untouched
    assert!((0..9).all(|j| c.memory()[8 * j + 7] == 0));
}

#[test]
fn elements_of_a_guarded_tensor_are_real_or_none() {
    let mut a = Tensor::with_base((0..15).collect::<Vec<_>>(), 14, layout!((5,3):(-3,-1))).unwrap();
    let tile = a.view().local_tile_ceil(&tiler![4, 2], (1, 1)).unwrap();
    assert_eq!((tile.get((0, 0)).unwrap(), tile.get((1, 0)).unwrap()), (Some(&0), None));
    assert!(tile.get((4, 0)).is_err());
    assert_eq!(tile.iter().unwrap().flatten().count(), 1);
    let thread = tile.local_partition(&layout!((2,2):(1,2)), 0).unwrap();
    assert!(thread.iter().unwrap().eq([Some(&0), None]));
    let mut tile = a.view_mut().local_tile_ceil(&tiler![4, 2], (0, 1)).unwrap();
    *tile.get_mut((3, 0)).unwrap().unwrap() = 99;
    assert!(tile.get_mut((3, 1)).unwrap().is_none());
    assert!(tile.store(&Tensor::filled(layout!(3:1), 0).unwrap()).is_err());
    assert_eq!(a[(3, 2)], 99);
}
