//! Tensors and iteration: agreement with evaluation on random layouts, and what is refused.

use girih::layout::Int;
use girih::prelude::*;

/// A small generator, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n) as i64
    }

    /// Up to `leaves` leaves, nested at random, with zero, negative and continuing strides.
    fn layout(&mut self, leaves: u64) -> Layout {
        let n = 1 + self.below(leaves) as usize;
        let mut modes = Vec::new();
        let mut span = 1;
        for _ in 0..n {
            let s = 1 + self.below(5);
            let d = if self.below(2) == 0 { span } else { self.below(30) - 10 };
            span = s * d;
            modes.push(Layout::new(&s.into(), &d.into()).unwrap());
        }
        while modes.len() > 1 {
            let at = self.below(modes.len() as u64 - 1) as usize;
            let pair = [modes.remove(at), modes.remove(at)];
            modes.insert(at, Layout::tuple(&pair).unwrap());
        }
        modes[0]
    }
}

fn values(l: &Layout) -> Vec<i64> {
    (0..l.size().unwrap()).map(|i| l.at(i).unwrap()).collect()
}

/// What `fold` visits, which is not what `next` runs through.
fn folded<T>(i: impl Iterator<Item = T>) -> Vec<T> {
    i.fold(Vec::new(), |mut v, x| {
        v.push(x);
        v
    })
}

#[test]
fn offsets_are_the_values_in_order() {
    let mut random = Random(1);
    for _ in 0..2000 {
        let l = random.layout(6);
        let want = values(&l);
        assert!(l.offsets().unwrap().eq(want.iter().copied()), "{l}: next");
        assert_eq!(folded(l.offsets().unwrap()), want, "{l}: fold");
        assert!(l.offsets().unwrap().rev().eq(want.iter().rev().copied()), "{l}: next_back");
    }
}

#[test]
fn an_iterator_that_was_begun_from_both_ends_folds_the_middle() {
    let mut random = Random(2);
    for _ in 0..3000 {
        let l = random.layout(5);
        let want = values(&l);
        let front = random.below(want.len() as u64 + 1) as usize;
        let back = random.below((want.len() - front) as u64 + 1) as usize;
        let (mut offsets, mut coords) = (l.offsets().unwrap(), l.hier_coords().unwrap());
        for &value in &want[..front] {
            assert_eq!(offsets.next(), Some(value), "{l}");
            coords.next();
        }
        for _ in 0..back {
            offsets.next_back();
        }
        let middle = &want[front..want.len() - back];
        assert_eq!(offsets.len(), middle.len());
        assert_eq!(folded(offsets.clone()), middle, "{l} from {front}");
        let skip = random.below(want.len() as u64 + 2) as usize;
        assert_eq!(offsets.nth(skip), middle.get(skip).copied(), "{l} from {front} nth {skip}");
        assert_eq!(offsets.next(), middle.get(skip + 1).copied(), "{l} from {front} after nth {skip}");
        assert_eq!(coords.next().map(|c| l.at_crd(&c).unwrap()), want.get(front).copied());
    }
}

#[test]
fn coordinates_have_the_values_that_come_with_them() {
    fn check<const R: usize>(l: &Layout) {
        let want = values(l);
        let pairs: Vec<_> = l.coords_and_offsets::<R>().unwrap().collect();
        assert!(pairs.iter().map(|x| x.1).eq(want), "{l}");
        for (c, o) in &pairs {
            assert_eq!(l.at_coord(*c).unwrap(), *o, "{l} at {c:?}");
        }
        assert_eq!(folded(l.coords_and_offsets().unwrap()), pairs, "{l}: fold");
        assert!(l.coords::<R>().unwrap().eq(pairs.iter().map(|x| x.0)), "{l}");
        assert!(l.coords::<R>().unwrap().rev().eq(pairs.iter().rev().map(|x| x.0)), "{l}");
        for begun in [1, 3] {
            let mut rest = l.coords::<R>().unwrap();
            for _ in 0..begun {
                rest.next();
            }
            assert!(folded(rest).into_iter().eq(pairs.iter().skip(begun).map(|x| x.0)), "{l} from {begun}");
        }
    }
    let mut random = Random(3);
    for _ in 0..1500 {
        let l = random.layout(4);
        match l.leaves() {
            1 => check::<1>(&l),
            2 => check::<2>(&l),
            3 => check::<3>(&l),
            _ => check::<4>(&l),
        }
        let hierarchical: Vec<_> = l.hier_coords().unwrap().collect();
        assert_eq!(hierarchical.len() as i64, l.size().unwrap());
        for (i, c) in hierarchical.iter().enumerate() {
            assert_eq!(l.shape().idx2crd(i as i64).unwrap(), *c, "{l}");
        }
    }
}

#[test]
fn iteration_at_the_edge_of_64_bits_does_not_overflow() {
    for l in [
        Layout::flat(&[2, 2], &[i64::MAX / 2, 1]).unwrap(),
        Layout::flat(&[3, 2], &[i64::MAX / 4, -(i64::MAX / 4)]).unwrap(),
        Layout::flat(&[2, 1, 2], &[-1, i64::MAX, i64::MAX / 2]).unwrap(),
    ] {
        assert_eq!(folded(l.offsets().unwrap()), values(&l));
        assert!(l.offsets().unwrap().eq(values(&l)));
    }
}

#[test]
fn what_cannot_be_iterated_is_refused() {
    let symbolic: Layout = "(?M,8):(1,?lda)".parse().unwrap();
    assert!(matches!(symbolic.offsets(), Err(LayoutError::Unbound { .. })));
    assert!(matches!(symbolic.coords::<2>(), Err(LayoutError::Unbound { .. })));
    assert!(matches!(symbolic.hier_coords(), Err(LayoutError::Unbound { .. })));
    let identity = Layout::identity(&ints!((4, 8))).unwrap();
    assert!(matches!(identity.offsets(), Err(LayoutError::Unbound { .. })));
    assert!(identity.coords_and_offsets::<2>().is_err());
    assert_eq!(identity.coords().unwrap().nth(5), Some([1, 1]));
    assert_eq!(layout!((2,3):(1,2)).coords::<3>().unwrap_err(), LayoutError::RankMismatch { rank: 3, other: 2 });
}

#[test]
fn elements_are_those_of_the_memory_at_the_values() {
    let mut random = Random(4);
    for _ in 0..1000 {
        let l = random.layout(5);
        let (min, max) = l.image_range().unwrap();
        let memory: Vec<i64> = (min..=max).collect();
        let t = Tensor::with_base(memory, -min, l).unwrap();
        let want = values(&l);
        assert!(t.iter().eq(&want), "{l}");
        assert!(folded(t.iter()).into_iter().eq(&want), "{l}");
        for (i, c) in l.hier_coords().unwrap().enumerate() {
            assert_eq!((t[i], t[&c]), (want[i], want[i]), "{l} at {c}");
        }
        assert_eq!(t.to_compact().unwrap().memory(), want);
    }
}

#[test]
fn every_way_of_writing_a_coordinate_reaches_the_same_element() {
    let t = Tensor::from_fn(layout!((8,(16,4)):(64,(4,1))), |i| i).unwrap();
    let want = 3 + 8 * (7 + 16 * 2);
    assert_eq!(t[want as usize], want);
    assert_eq!(t[[3, 7, 2]], want);
    assert_eq!(t[[3usize, 39]], want);
    assert_eq!(t[(3, 39)], want);
    assert_eq!(t[(3, (7u32, 2))], want);
    assert_eq!(t[(3, [7, 2])], want);
    assert_eq!(t[ints!((3, (7, 2)))], want);
    assert_eq!(t[&ints!((3, 39))], want);
}

#[test]
fn a_coordinate_outside_or_of_another_nesting_is_refused() {
    let mut t = Tensor::from_fn(layout!((4,(2,3)):(6,(3,1))), |i| i).unwrap();
    assert_eq!(t.get(24), Err(LayoutError::OutOfRange { index: 24, extent: 24 }));
    assert_eq!(t.get(-1), Err(LayoutError::OutOfRange { index: -1, extent: 24 }));
    assert_eq!(t.get((4, 0)), Err(LayoutError::OutOfRange { index: 4, extent: 4 }));
    assert_eq!(t.get([0, 2, 0]), Err(LayoutError::OutOfRange { index: 2, extent: 2 }));
    assert_eq!(t.get_mut((0, (0, 3))), Err(LayoutError::OutOfRange { index: 3, extent: 3 }));
    assert!(t.get(usize::MAX).is_err());
    assert!(t.get((0, 0, 0, 0)).is_err());
    assert!(t.get(((0, 0), 0)).is_err());
    assert_eq!(t.get((0, ..)), Err(LayoutError::Underscore));
    assert_eq!(t.get(..), Err(LayoutError::Underscore));
}

#[test]
#[should_panic(expected = "no element there in a tensor of shape (2,2): coordinate 2 is not in 0..2")]
fn indexing_outside_panics_with_the_reason() {
    let t = Tensor::new([1, 2, 3, 4], layout!((2,2):(1,2))).unwrap();
    let _ = t[(2, 0)];
}

#[test]
fn memory_that_the_layout_leaves_is_refused() {
    let l = layout!((4,3):(1,5));
    assert!(Tensor::new([0; 14], l).is_ok());
    assert_eq!(Tensor::new([0; 13], l).unwrap_err(), LayoutError::Storage { min: 0, max: 13, len: 13 });
    assert_eq!(Tensor::with_base([0; 14], 1, l).unwrap_err(), LayoutError::Storage { min: 1, max: 14, len: 14 });
    let backwards = layout!((4,3):(-1,4));
    assert_eq!(Tensor::new([0; 99], backwards).unwrap_err(), LayoutError::Storage { min: -3, max: 8, len: 99 });
    assert!(Tensor::with_base([0; 12], 3, backwards).is_ok());
    assert!(Tensor::with_base([0; 12], 4, backwards).is_err());
    assert!(Tensor::with_base([0; 12], i64::MAX, backwards).is_err());
    assert!(Tensor::with_base([0u8; 0], 0, layout!(1:0)).is_err());
    assert!(Tensor::new([0; 64], "(?M,8):(1,8)".parse().unwrap()).is_err());
    assert!(Tensor::new([0; 64], Layout::identity(&ints!((2, 2))).unwrap()).is_err());
}

#[test]
fn another_layout_must_stay_inside_the_memory() {
    let t = Tensor::from_fn(layout!((4,4):(1,4)), |i| i).unwrap();
    let diagonal = t.view().with_layout(layout!(4:5)).unwrap();
    assert!(diagonal.iter().eq(&[0, 5, 10, 15]));
    assert!(t.view().with_layout(layout!(4:6)).is_err());
    assert!(t.view().with_layout(layout!(2:-1)).is_err());
    assert!(t.view().domain_offset((1, 0)).is_err());
    assert_eq!(t.view().take(0, 1).unwrap().domain_offset(5).unwrap()[0], 5);
}

#[test]
fn slices_hold_the_elements_at_the_fixed_coordinates() {
    let mut random = Random(5);
    let mut sliced = 0;
    for _ in 0..500 {
        let l = random.layout(5);
        let t = Tensor::counting(l).unwrap();
        let mut leaves = Vec::new();
        for i in 0..l.leaves() {
            let extent = l.leaf_extent(i).unwrap().value().unwrap();
            let keep = random.below(2) == 0;
            leaves.push(if keep { Int::UNDERSCORE } else { Int::known(random.below(extent as u64)) });
        }
        if l.is_integer() || leaves.iter().all(|c| *c != Int::UNDERSCORE) {
            continue;
        }
        let c: Vec<_> = leaves.iter().map(|c| IntTuple::leaf(c).unwrap()).collect();
        let slice = t.flatten().slice(IntTuple::tuple(&c).unwrap()).unwrap();
        let inside = |h: &IntTuple| (0..l.leaves()).all(|i| leaves[i] == Int::UNDERSCORE || h.get(i) == Ok(leaves[i]));
        let want = l.hier_coords().unwrap().filter(inside).map(|h| t.get(h).unwrap());
        assert!(slice.iter().eq(want), "{l} at {leaves:?}");
        sliced += 1;
    }
    assert!(sliced > 200);
}

#[test]
fn a_slice_that_does_not_fit_is_refused() {
    let t = Tensor::from_fn(layout!((4,(2,3)):(6,(3,1))), |i| i).unwrap();
    let v = t.view();
    assert_eq!(v.slice((4, ..)).unwrap_err(), LayoutError::OutOfRange { index: 4, extent: 4 });
    assert!(v.slice((.., (.., .., 0))).is_err());
    assert!(v.slice((.., .., 0)).is_err());
    assert!(v.slice(((.., 0), 0)).is_err());
    assert_eq!(v.slice((1, 2)).unwrap().layout(), &layout!(1:0));
    assert_eq!(v.slice((1, 2)).unwrap()[0], 9);
    assert!(v.slice(..).unwrap().iter().eq(v.iter()));
}

#[test]
fn a_mutable_view_writes_through() {
    let mut t = Tensor::filled(layout!((3,(2,2)):(4,(-1,2))), 0).unwrap();
    t.view_mut().slice((1, (.., 0))).unwrap().fill(7);
    t[(2, 3)] = 9;
    *t.get_mut([0, 1, 1]).unwrap() = 5;
    assert_eq!(t.to_compact().unwrap().memory(), [0, 7, 0, 0, 7, 0, 0, 0, 0, 5, 0, 9]);
    let mut memory = [1, 2, 3, 4];
    let mut borrowed = Tensor::new(&mut memory[..], layout!(2:2)).unwrap();
    borrowed.transform(|x| x * 10);
    assert_eq!(memory, [10, 2, 30, 4]);
}

#[test]
fn elementwise_operations_pair_equal_one_dimensional_coordinates() {
    let mut random = Random(6);
    let (mut pairs, mut different) = (0, 0);
    while pairs < 400 {
        let (a, b) = (random.layout(4), random.layout(4));
        if a.size() != b.size() {
            continue;
        }
        pairs += 1;
        different += (a.flatten().shape() != b.flatten().shape()) as u32;
        let src = Tensor::from_fn(b, |i| i).unwrap();
        let mut dst = Tensor::filled(a, -1).unwrap();
        dst.copy_from(&src).unwrap();
        // several coordinates of one place: the last one stays
        let mut want = Tensor::filled(a, -1).unwrap();
        for i in 0..a.size().unwrap() {
            want[i] = src[i];
        }
        assert_eq!(dst.memory(), want.memory(), "{a} = {b}");
    }
    assert!(different > 100);
}

#[test]
fn shapes_that_do_not_refine_each_other_are_paired_too() {
    let src = Tensor::from_fn(layout!((3,2):(2,1)), |i| i).unwrap();
    let mut dst = Tensor::filled(layout!((2,3):(3,1)), 0).unwrap();
    dst.copy_from(&src).unwrap();
    assert!(dst.iter().copied().eq(0..6));
}

#[test]
fn tensors_of_different_sizes_are_not_paired() {
    let (x, mut y) = (Tensor::filled(layout!(6:1), 1).unwrap(), Tensor::filled(layout!(4:1), 0).unwrap());
    let refused = Err(LayoutError::SizeMismatch { left: 4, right: 6 });
    assert_eq!(y.copy_from(&x), refused);
    assert_eq!(y.axpby(1, &x, 1), refused);
    assert_eq!(y.copy_if(&Tensor::filled(layout!(4:1), true).unwrap(), &x), refused);
    assert_eq!(y.memory(), [0; 4]);
}

#[test]
fn transform_reduce_and_clear() {
    let x = Tensor::new([1, 2, 3, 4], layout!((2,2):(2,1))).unwrap();
    let mut y = Tensor::filled(layout!(4:1), 0.0).unwrap();
    y.transform_from(&x, |&x| x as f64 / 2.0).unwrap();
    assert_eq!(y.memory(), [0.5, 1.5, 1.0, 2.0]);
    assert_eq!(y.reduce(0.0, |sum, x| sum + x), 5.0);
    let mut seen = vec![];
    y.for_each(|x| seen.push(*x));
    assert_eq!(seen, y.memory());
    y.clear();
    assert_eq!(y.memory(), [0.0; 4]);
}

#[test]
fn a_counting_tensor_holds_its_offsets() {
    let l = layout!((4,(2,3)):(6,(3,-1)));
    let t = Tensor::counting(l).unwrap();
    assert!(t.iter().eq(values(&l)));
    let s = t.slice((3, (.., 2))).unwrap();
    assert!(s.iter().eq([16, 19]));
    assert_eq!(s.get(1).unwrap(), 19);
    assert!(s.get(2).is_err());
    assert!(Tensor::counting(Layout::identity(&ints!((2, 2))).unwrap()).is_err());
}

#[test]
fn an_identity_tensor_holds_its_coordinates_also_in_slices() {
    let shape = ints!((4, (2, 3)));
    let t = Tensor::identity(&shape).unwrap();
    for (i, c) in Layout::column_major(&shape).unwrap().hier_coords().unwrap().enumerate() {
        assert_eq!((t.get(i).unwrap(), t.get(c).unwrap()), (c, c));
    }
    let s = t.slice((.., (1, ..))).unwrap();
    assert_eq!(s.shape(), ints!((4, 3)));
    assert_eq!(s.get((3, 2)).unwrap(), ints!((3, (1, 2))));
    assert_eq!(s.slice((0, ..)).unwrap().get(1).unwrap(), ints!((0, (1, 1))));
    assert!(s.iter().map(Result::unwrap).eq(s.layout().hier_coords().unwrap().map(|c| s.get(c).unwrap())));
    assert!(t.with_layout(layout!(4:1)).is_err());
}

#[test]
fn tensors_print_as_tables() {
    let t = Tensor::from_fn(layout!((2,3,2):(3,1,6)), |i| i).unwrap();
    assert_eq!(
        t.to_string(),
        "(2,3,2):(3,1,6)\n   0   2   4\n   1   3   5\n------------\n   6   8  10\n   7   9  11\n"
    );
    let t = Tensor::from_fn(layout!((1,2,2,2):(0,1,2,4)), |i| i).unwrap();
    let text = t.to_string();
    let lines: Vec<_> = text.lines().skip(1).collect();
    assert_eq!(lines, ["  0  1", "------", "  2  3", "======", "  4  5", "------", "  6  7"]);
    assert_eq!(Tensor::new(["a", "bc"], layout!(2:1)).unwrap().to_string(), "2:1\n   a\n  bc\n");
    assert_eq!(t.view().slice((.., .., 1, 1)).unwrap().to_string(), "6 o (1,2):(0,1)\n  6  7\n");
    assert_eq!(
        Tensor::identity(&ints!((2, 2))).unwrap().to_string(),
        "(0,0) o (2,2):(1@0,1@1)\n  (0,0)  (0,1)\n  (1,0)  (1,1)\n"
    );
}

#[test]
fn what_memory_cannot_hold_is_refused() {
    let huge = layout!((1073741824,1073741824):(0,0));
    assert!(Tensor::new([1u64], huge).unwrap().to_compact().is_err());
    assert!(Tensor::filled(layout!((1073741824,1073741824):(1,1073741824)), 1u64).is_err());
}

#[test]
fn recast_sees_the_same_bytes() {
    let t = Tensor::from_fn(layout!((8,(2,3)):(1,(8,16))), |i| i as u8).unwrap();
    let words = t.recast::<u32>().unwrap();
    assert_eq!(words.layout(), &layout!((2,(2,3)):(1,(2,4))));
    for (c, x) in words.layout().hier_coords().unwrap().zip(&words) {
        let at: Vec<_> = (0..3).map(|i| c.get(i).unwrap().value().unwrap()).collect();
        let bytes = [0, 1, 2, 3].map(|b| t[[4 * at[0] + b, at[1], at[2]]]);
        assert_eq!(*x, u32::from_le_bytes(bytes), "{c}");
    }
    assert_eq!(words.recast::<u8>().unwrap().memory(), t.memory());
    let floats = Tensor::new([1.0f32, -2.5], layout!(2:1)).unwrap();
    assert_eq!(floats.recast::<u32>().unwrap().memory(), [0x3f80_0000, 0xc020_0000]);
}

#[test]
fn recast_moves_the_base_of_a_descending_mode() {
    let t = Tensor::with_base([0u8, 1, 2, 3, 4, 5, 6, 7], 7, layout!(8:-1)).unwrap();
    let words = t.recast::<u32>().unwrap();
    assert_eq!((words.base(), words.layout()), (1, &layout!(2:-1)));
    assert_eq!(words[0], 0x0706_0504);
    let back = words.recast::<u8>().unwrap();
    assert!(back.iter().eq(t.iter()));
}

#[test]
fn recast_refuses_what_does_not_align() {
    let bytes = [0u8; 16];
    assert!(Tensor::with_base(bytes, 1, layout!(8:1)).unwrap().recast::<u16>().is_err());
    assert!(Tensor::with_base(bytes, 2, layout!(8:1)).unwrap().recast::<u16>().is_ok());
    assert!(Tensor::new(bytes, layout!(7:1)).unwrap().recast::<u16>().is_err());
    assert!(Tensor::new(bytes, layout!(4:3)).unwrap().recast::<u16>().is_err());
    assert!(Tensor::new([0u16; 8], layout!(4:2)).unwrap().recast::<u8>().is_err());
}
