//! Products and quotients.

use crate::brute::*;
use girih::prelude::*;

/// `y` above `x`, axis by axis, and the reverse.
fn split(whole: &Axes, a: &Axes, b: &Axes, index: i64) -> (i64, i64) {
    let (mut x, mut y, mut rest) = (0, 0, index);
    let weight = |axes: &Axes, of: Axis| -> i64 {
        axes.axes().iter().take_while(|&&k| k != of).map(|&k| axes.extent(k)).product()
    };
    for &k in whole.axes() {
        let c = rest % whole.extent(k);
        rest /= whole.extent(k);
        if a.extent(k) > 1 {
            x += c % a.extent(k) * weight(a, k);
        }
        if b.extent(k) > 1 {
            y += c / a.extent(k) * weight(b, k);
        }
    }
    (x, y)
}

#[test]
fn a_product_is_both_factors_side_by_side() {
    let mut r = Rng::new(20);
    for _ in 0..cases(400) {
        let (a, b) = (any(&mut r, 5), any(&mut r, 5));
        let (ta, tb) = (table(&a), table(&b));
        let c = a.product(&b).unwrap();
        assert_eq!(c.rank(), a.rank() + b.rank());
        for (i, v) in table(&c).into_iter().enumerate() {
            let (x, y) = split(c.inputs(), a.inputs(), b.inputs(), i as i64);
            assert_eq!(
                split(c.outputs(), a.outputs(), b.outputs(), v),
                (ta[x as usize], tb[y as usize]),
                "{a} times {b} at {i}"
            );
        }
        for axis in HARDWARE {
            assert_eq!(c.inputs().extent(axis), a.inputs().extent(axis) * b.inputs().extent(axis));
        }
    }
}

#[test]
fn products_are_associative() {
    let mut r = Rng::new(21);
    for _ in 0..cases(300) {
        let [a, b, c] = [(); 3].map(|_| any(&mut r, 4));
        assert_eq!(a.product(&b).unwrap().product(&c), a.product(&b.product(&c).unwrap()));
    }
}

#[test]
fn a_quotient_times_the_factor_is_the_whole() {
    let mut r = Rng::new(22);
    for _ in 0..cases(400) {
        let (b, c) = (any(&mut r, 5), any(&mut r, 5));
        let a = b.product(&c).unwrap();
        let q = a.divide(&b).unwrap();
        assert_eq!(b.product(&q), Ok(a), "{a} by {b}");
        assert_eq!(
            (q.rank(), q.inputs().size(), q.outputs().size()),
            (c.rank(), c.inputs().size(), c.outputs().size())
        );
    }
}

/// Is there a quotient at all? For one output axis and one input axis: low bits as the factor, the rest without them.
#[test]
fn division_is_refused_exactly_where_there_is_no_quotient() {
    let mut r = Rng::new(23);
    let (lanes, offsets) =
        (|n: u32| Axes::one(Axis::LANE, 1 << n).unwrap(), |m: u32| Axes::one(Axis::OFFSET, 1 << m).unwrap());
    let (mut yes, mut no) = (0, 0);
    for k in 0..cases(600) {
        let (n, m) = (r.below(3) as u32 + 1, r.below(3) as u32 + 1);
        let b = any_map(&mut r, &lanes(n), &offsets(m));
        let mut a = b.product(&any_map(&mut r, &lanes(2), &offsets(3))).unwrap();
        if k % 2 == 0 {
            let mut bases = a.bases().to_vec();
            let at = r.below(bases.len() as i64) as usize;
            bases[at] ^= 1 << r.below(m as i64 + 3);
            a = LinearLayout::new(a.inputs(), a.outputs(), &bases).unwrap().with_offset(a.offset()).unwrap();
        }
        let (ta, tb) = (table(&a), table(&b));
        let exists = (0..ta.len()).all(|i| {
            let (x, y) = (i % tb.len(), i - i % tb.len());
            ta[i] % (1 << m) == tb[x] && ta[i] >> m == ta[y] >> m
        });
        match a.divide(&b) {
            Ok(q) => {
                yes += 1;
                assert!(exists, "{a} by {b} is {q}");
                assert_eq!(b.product(&q), Ok(a));
            }
            Err(LayoutError::NoFactor { bit: Some(bit), got, expected }) => {
                no += 1;
                assert!(!exists, "{a} by {b}");
                assert!(a.bases()[bit] == got && got != expected);
            }
            Err(e) => panic!("{a} by {b}: {e}"),
        }
    }
    assert!(yes > 100 && no > 100, "{yes} {no}");
}

#[test]
fn the_offset_and_the_axes_take_part_in_a_division() {
    let a: LinearLayout = "lane:[1,2,4] -> offset:8 ^ 5".parse().unwrap();
    let by = |b: &str| a.divide(&b.parse().unwrap());
    assert_eq!(by("lane:[1,2] -> offset:4 ^ 1").unwrap().to_string(), "lane:[1] -> offset:2 ^ 1");
    assert_eq!(by("lane:[1,2] -> offset:4"), Err(LayoutError::NoFactor { bit: None, got: 5, expected: 4 }));
    assert!(matches!(by("warp:[1] -> offset:2"), Err(LayoutError::NoSuchAxis { .. })));
    assert_eq!(by("lane:[1,2,4,8] -> offset:16"), Err(LayoutError::NotDivisible { extent: 8, by: 16 }));
}
