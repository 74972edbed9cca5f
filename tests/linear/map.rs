//! Evaluation, composition, inverses, rank.

use crate::brute::*;
use girih::prelude::*;
use std::collections::{BTreeSet, HashMap};

#[test]
fn evaluation_is_the_xor_of_the_bases() {
    let mut r = Rng::new(1);
    for _ in 0..cases(300) {
        let l = any(&mut r, 9);
        for (i, &v) in table(&l).iter().enumerate() {
            assert_eq!(l.at(i as i64), Ok(v), "{l} at {i}");
        }
        let size = l.inputs().size();
        assert_eq!(l.at(size), Err(LayoutError::OutOfRange { index: size, extent: size }));
        assert!(l.at(-1).is_err());
    }
}

#[test]
fn coordinates_and_indices_agree() {
    let axes = Axes::new(&[(Axis::REGISTER, 4), (Axis::LANE, 8), (Axis::WARP, 1), (Axis::BLOCK, 2)]).unwrap();
    let mut r = Rng::new(2);
    let l = any_map(&mut r, &axes, &any_axes(&mut Rng::new(3), &dims(), 7));
    let mut i = 0;
    for block in 0..2 {
        for lane in 0..8 {
            for register in 0..4 {
                let c = [register, lane, 0, block];
                assert_eq!((axes.index(c), axes.coord(i)), (Ok(i), Ok(c)));
                assert_eq!(l.at_coord(c), l.at(i));
                i += 1;
            }
        }
    }
    assert!(l.at_coord([0, 0, 1, 0]).is_err() && l.at_coord([0, 0]).is_err() && l.at_coord([-1, 0, 0, 0]).is_err());
}

#[test]
fn composition_is_one_after_the_other() {
    let mut r = Rng::new(4);
    let mut refused = 0;
    for _ in 0..cases(400) {
        let (a, b) = (any(&mut r, 7), any(&mut r, 7));
        let (ta, tb) = (table(&a), table(&b));
        let inside = tb.iter().all(|&v| (v as usize) < ta.len());
        match a.compose(&b) {
            Ok(c) => {
                assert!(inside);
                assert_eq!(table(&c), tb.iter().map(|&v| ta[v as usize]).collect::<Vec<_>>(), "{a} o {b}");
                assert_eq!((c.inputs(), c.outputs()), (b.inputs(), a.outputs()));
            }
            Err(e) => {
                refused += 1;
                let reach = *tb.iter().max().unwrap();
                assert_eq!(e, LayoutError::OutOfDomain { reach, size: ta.len() as i64 }, "{a} o {b}");
                assert!(!inside);
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn composition_is_associative() {
    let mut r = Rng::new(5);
    for _ in 0..cases(200) {
        let [a, b, c] = [(); 3].map(|_| any_bijection(&mut r, 6));
        assert_eq!(a.compose(&b).unwrap().compose(&c), a.compose(&b.compose(&c).unwrap()));
    }
}

#[test]
fn rank_kernel_and_image_are_those_of_the_table() {
    let mut r = Rng::new(6);
    for _ in 0..cases(400) {
        let l = any(&mut r, 8);
        let t = table(&l);
        let values: BTreeSet<i64> = t.iter().copied().collect();
        assert_eq!(1 << l.rank(), values.len(), "{l}");
        assert_eq!(l.is_injective(), values.len() == t.len());
        assert_eq!(l.is_surjective(), values.len() as i64 == l.outputs().size());
        // ascending, each once
        assert_eq!(table(&l.image()), values.iter().copied().collect::<Vec<_>>(), "{l}");
        assert_eq!(l.image_range(), (*values.first().unwrap(), *values.last().unwrap()));
        let kernel: BTreeSet<i64> = table(&l.kernel()).into_iter().collect();
        let zeros: BTreeSet<i64> = (0..t.len() as i64).filter(|&i| t[i as usize] == t[0]).collect();
        assert_eq!(kernel, zeros, "{l}");
        assert!(l.kernel().is_injective());
        assert_eq!(l.kernel().rank() + l.rank(), l.inputs().bits());
    }
}

/// The least index of each value.
fn least(l: &LinearLayout) -> HashMap<i64, i64> {
    let mut least = HashMap::new();
    for (i, v) in table(l).into_iter().enumerate() {
        least.entry(v).or_insert(i as i64);
    }
    least
}

#[test]
fn index_of_is_the_least_index() {
    let mut r = Rng::new(7);
    for _ in 0..cases(300) {
        let l = any(&mut r, 7);
        let least = least(&l);
        for v in 0..l.outputs().size() {
            assert_eq!(l.index_of(v).ok(), least.get(&v).copied(), "{l} at {v}");
        }
    }
}

#[test]
fn inverses_exist_exactly_where_they_must_and_hold() {
    let mut r = Rng::new(8);
    let (mut right, mut left) = (0, 0);
    for k in 0..cases(600) {
        let l = if k % 3 == 0 { any_bijection(&mut r, 6) } else { any(&mut r, 6) };
        let (t, least) = (table(&l), least(&l));
        let p = l.pseudo_inverse();
        for (&v, &i) in &least {
            assert_eq!(p.at(v), Ok(i), "{l}");
        }
        match l.right_inverse() {
            Ok(x) => {
                right += 1;
                assert_eq!(x, p);
                assert!((0..l.outputs().size()).all(|v| t[x.at(v).unwrap() as usize] == v), "{l}");
            }
            Err(e) => {
                let missing = (0..l.outputs().size()).find(|v| !least.contains_key(v));
                assert_eq!(Some(e), missing.map(|value| LayoutError::NotAValue { value }), "{l}");
            }
        }
        match l.left_inverse() {
            Ok(x) => {
                left += 1;
                assert_eq!(x, p);
                assert!(t.iter().enumerate().all(|(i, &v)| x.at(v) == Ok(i as i64)), "{l}");
            }
            Err(e) => {
                let second = (0..t.len()).find(|&i| least[&t[i]] < i as i64).unwrap();
                let first = least[&t[second]];
                assert_eq!(e, LayoutError::NotInjective { first, second: second as i64 }, "{l}");
            }
        }
        assert_eq!(l.inverse().is_ok(), l.is_invertible());
        if let Ok(x) = l.inverse() {
            assert_eq!(x.inverse(), Ok(l));
        }
    }
    assert!(right > 200 && left > 200, "{right} {left}");
}

#[test]
fn the_inverse_of_a_product_turns_around() {
    let mut r = Rng::new(9);
    for _ in 0..cases(200) {
        let (a, b) = (any_bijection(&mut r, 6), any_bijection(&mut r, 6));
        let ab = a.compose(&b).unwrap().inverse().unwrap();
        assert_eq!(ab.bases(), b.inverse().unwrap().compose(&a.inverse().unwrap()).unwrap().bases());
    }
}

#[test]
fn sublayout_project_and_reorder_pick_coordinates() {
    let mut r = Rng::new(10);
    for _ in 0..cases(300) {
        let l = any(&mut r, 7);
        let axes: Vec<Axis> = l.inputs().axes().to_vec();
        let mut kept = axes.clone();
        kept.swap(0, r.below(axes.len() as i64) as usize);
        assert_eq!(l.reorder(&kept).unwrap().reorder(&axes), Ok(l));
        kept.truncate(1 + r.below(axes.len() as i64) as usize);
        let sub = l.sublayout(&kept).unwrap();
        let weight = |axes: &Axes, of: Axis| -> i64 {
            axes.axes().iter().take_while(|&&a| a != of).map(|&a| axes.extent(a)).product()
        };
        for (i, v) in table(&sub).into_iter().enumerate() {
            let part = |a: Axis| i as i64 / weight(sub.inputs(), a) % sub.inputs().extent(a);
            let index: i64 = kept.iter().map(|&a| part(a) * weight(l.inputs(), a)).sum();
            assert_eq!(l.at(index), Ok(v), "{l}");
        }
        let outs: Vec<Axis> = l.outputs().axes().iter().rev().copied().collect();
        let turned = l.project(&outs).unwrap();
        for (v, w) in table(&l).into_iter().zip(table(&turned)) {
            let part = |axes: &Axes, v: i64, a: Axis| v / weight(axes, a) % axes.extent(a);
            assert!(outs.iter().all(|&a| part(l.outputs(), v, a) == part(turned.outputs(), w, a)), "{l}");
        }
    }
}

#[test]
fn num_consecutive_is_the_longest_aligned_vector() {
    let mut r = Rng::new(11);
    let mut seen = BTreeSet::new();
    for k in 0..cases(600) {
        // few bits, so that there are vectors
        let (n, m) = (r.below(5) as u32 + 1, r.below(5) as u32 + 1);
        let ins = any_axes(&mut r, &HARDWARE, n);
        let bases: Vec<i64> = (0..n)
            .map(|i| if k % 2 == 0 { (1i64 << i) % (1 << m) } else { (r.below(1 << m) >> 1) << 1 | (i == 0) as i64 })
            .collect();
        let l = LinearLayout::new(&ins, &Axes::one(Axis::OFFSET, 1 << m).unwrap(), &bases).unwrap();
        let l = l.with_offset(if r.below(2) == 0 { 0 } else { (r.below(1 << m) >> 1) << 1 }).unwrap();
        let t = table(&l);
        let mut weight = 1;
        for &axis in ins.axes() {
            let extent = ins.extent(axis);
            let vector = |n: i64| {
                (0..t.len() as i64).filter(|i| i / weight % n == 0).all(|i| {
                    let v = t[i as usize];
                    v % n == 0 && (0..n).all(|k| t[(i + k * weight) as usize] == v + k)
                })
            };
            let longest = (0..=extent.trailing_zeros()).map(|k| 1 << k).filter(|&n| vector(n)).max();
            assert_eq!(l.num_consecutive(axis).ok(), longest, "{l} along {axis}");
            seen.insert(longest);
            weight *= extent;
        }
        assert!(l.num_consecutive(Axis::named("none").unwrap()).is_err());
    }
    assert!(seen.len() > 3, "{seen:?}");
}

#[test]
fn text_is_read_back() {
    let mut r = Rng::new(12);
    for _ in 0..cases(500) {
        let l = any(&mut r, 12);
        assert_eq!(l.to_string().parse(), Ok(l), "{l}");
    }
    // as many bits and axes as there can be
    let one = LinearLayout::identity(1 << 62, Axis::LANE, Axis::OFFSET).unwrap();
    assert_eq!(one.to_string().parse(), Ok(one));
    assert_eq!(one.inverse().unwrap().at((1 << 62) - 1), Ok((1 << 62) - 1));
}
