//! Operations on the layout below the swizzle: the law of each, on values.

use crate::brute::*;
use girih::prelude::*;

const EXTENTS: [i64; 6] = [1, 2, 3, 4, 6, 8];
const STRIDES: [i64; 9] = [0, 1, 2, 3, 4, 8, 16, 24, 64];

#[test]
fn every_coordinate_form_evaluates_alike() {
    let c: Composed = "S<2,1,3> o 5 o (4,(3,8)):(24,(8,1))".parse().unwrap();
    for (i, v) in table(&c).into_iter().enumerate() {
        let i = i as i64;
        let (a, b, d) = (i % 4, i / 4 % 3, i / 12);
        assert_eq!(c.at(i), Ok(v));
        assert_eq!(c.at_extended(i), Ok(v));
        assert_eq!(c.at_coord([a, b, d]), Ok(v));
        let nested: IntTuple = format!("({a},({b},{d}))").parse().unwrap();
        assert_eq!(c.at_crd(&nested), Ok(v));
        assert_eq!(c.at_crd(&IntTuple::flat(&[a, i / 4]).unwrap()), Ok(v));
        assert_eq!(c.at_crd_extended(&nested), Ok(v));
    }
    assert_eq!(c.at(96).unwrap_err(), LayoutError::OutOfRange { index: 96, extent: 96 });
    assert_eq!(c.at_extended(96), c.at_crd_extended(&ints!((0, (0, 8)))));
    assert!(c.at_coord([4, 0, 0]).is_err() && c.at_coord([0, 0]).is_err());
    assert!("S<1,0,1> o 3 o 4:-1".parse::<Composed>().unwrap().at_extended(4).is_err());
    assert!("S<1,0,1> o 0 o ?N:1".parse::<Composed>().unwrap().at(0).is_err());
}

#[test]
fn image_range_is_sound_and_exact_on_intervals_and_binary_layouts() {
    let mut rng = Rng::new(3);
    let mut exact = 0;
    for i in 0..20_000 {
        let l = match i % 3 {
            0 => Layout::flat(&[1 + rng.below(40)], &[1]).unwrap(),
            1 => rng.layout(&[2, 2, 4], &[1, 2, 4, 8, 16, 32, 64, 128, -8, -64, 3, 12, 48], 64),
            _ => rng.layout(&EXTENTS, &[-8, -3, 0, 1, 2, 4, 8, 24], 64),
        };
        let c = rng.composed(&l);
        let mut t = table(&c);
        t.sort();
        let (lo, hi) = c.image_range().unwrap();
        let tight = (t[0], t[t.len() - 1]);
        assert!(lo <= tight.0 && tight.1 <= hi && lo >= 0, "{c}: {tight:?} in {lo}..={hi}");
        assert_eq!(c.cosize(), Ok(hi - lo + 1));
        let mut inner = values(&l);
        inner.sort();
        inner.dedup();
        let interval = inner.len() as i64 == inner[inner.len() - 1] - inner[0] + 1;
        let carries = {
            // binary digits add without carries if the bits of all values are as many as digits allow
            let all = values(&l).iter().map(|v| v + c.offset()).collect::<Vec<_>>();
            let least = *all.iter().min().unwrap();
            let (shape, stride) = l.known_leaves().unwrap();
            let mut used = least;
            let mut ok = shape.iter().all(|s| s.count_ones() == 1);
            for (&s, &d) in shape.iter().zip(stride) {
                let mut b = 1;
                while b < s {
                    ok &= used & (d.abs() * b) == 0;
                    used |= d.abs() * b;
                    b *= 2;
                }
            }
            !ok
        };
        if interval || !carries {
            exact += 1;
            assert_eq!((lo, hi), tight, "{c}");
        }
    }
    assert!(exact > 8000, "{exact}");
    let huge: Composed = "S<1,0,61> o 0 o 9223372036854775806:1".parse().unwrap();
    assert_eq!(huge.image_range(), Ok((0, i64::MAX - 2)));
}

/// The values of `r` are `s` of those that the operation gives on the layout below.
fn same_swizzle(c: &Composed, r: &Composed, inner: &Layout) {
    assert_eq!((r.swizzles(), r.offset(), r.inner()), (c.swizzles(), c.offset(), inner));
    assert_eq!(evaluated(r), table(r));
}

#[test]
fn composition_is_the_composition_of_functions_and_exists_when_the_plain_one_does() {
    let mut rng = Rng::new(4);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..10_000 {
        let l = rng.layout(&EXTENTS, &STRIDES, 96);
        let b = rng.layout(&EXTENTS, &[0, 1, 2, 3, 4, 6, 8, 12], 48);
        let c = rng.composed(&l);
        match (c.compose(&b), l.compose(&b)) {
            (Ok(r), Ok(_)) => {
                yes += 1;
                let f = table(&c);
                assert!(b.compatible(r.inner()));
                assert_eq!(table(&r), values(&b).iter().map(|&i| f[i as usize]).collect::<Vec<_>>(), "{c} o {b} = {r}");
            }
            (Err(e), Err(p)) => {
                no += 1;
                assert_eq!(e.reason, p.reason);
                assert!(e.to_string().starts_with(&format!("{c} o {b}: ")), "{e}");
            }
            (r, p) => panic!("{c} o {b}: {r:?}, below {p:?}"),
        }
    }
    assert!(yes > 2000 && no > 1000, "{yes} {no}");
}

#[test]
fn divides_products_and_changes_of_modes_act_below_the_swizzle() {
    let c: Composed = "S<2,1,4> o 64 o (8,(2,6)):(12,(6,1))".parse().unwrap();
    let l = *c.inner();
    let (t, b) = (tiler![4, (2, 3)], layout!((2,4):(4,1)));
    macro_rules! act {
        ($($name:ident($($arg:expr),*);)*) => {$(
            same_swizzle(&c, &c.$name($($arg),*).unwrap(), &l.$name($($arg),*).unwrap());
        )*};
    }
    act! {
        mode(1); take(0, 1); select(&[1, 0, 1]); reverse(); unflatten(&ints!(((0, 0), 0))); group(0, 2); pad_rank(4);
        append(&b); prepend(&b); insert(1, &b); replace(0, &b); zip(&b); dice(&ints!((3, _)));
        coalesce_by_mode(&ints!((0, 0))); filter_by_mode(&ints!((0, 0)));
        compose(&layout!((4,12):(2,8))); compose_extended(&layout!((4,12):(2,16))); compose_by_mode(&t);
        with_shape(&ints!((4, 24)));
        logical_divide(&layout!(4:2)); logical_divide_by_mode(&t); zipped_divide(&t); tiled_divide(&t); flat_divide(&t);
        logical_product(&b); logical_product_by_mode(&tiler![2, 3:2]); zipped_product(&tiler![2, 3:2]);
        tiled_product(&tiler![2, 3:2]); flat_product(&tiler![2, 3:2]); blocked_product(&b); raked_product(&b);
        tile_to_shape(&ints!((16, 36))); tile_to_shape_ordered(&ints!((16, 36)), &ints!((1, 0)));
    }
    same_swizzle(&c, &c.flatten(), &l.flatten());
    same_swizzle(&c, &c.coalesce(), &l.coalesce());
    same_swizzle(&c, &c.filter(), &l.filter());
    same_swizzle(&c, &c.filter_zeros(), &l.filter_zeros());
    let zipped = c.zip(&b).unwrap();
    same_swizzle(&zipped, &zipped.transpose().unwrap(), &zipped.inner().transpose().unwrap());
    for (ours, plain) in [
        (c.logical_divide_ceil(&layout!(64:1)), l.logical_divide_ceil(&layout!(64:1))),
        (c.logical_divide_by_mode_ceil(&tiler![3, 8]), l.logical_divide_by_mode_ceil(&tiler![3, 8])),
        (c.zipped_divide_ceil(&tiler![3, 8]), l.zipped_divide_ceil(&tiler![3, 8])),
        (c.tiled_divide_ceil(&tiler![3, 8]), l.tiled_divide_ceil(&tiler![3, 8])),
        (c.flat_divide_ceil(&tiler![3, 8]), l.flat_divide_ceil(&tiler![3, 8])),
        (c.tile_to_shape_ceil(&ints!((20, 30))), l.tile_to_shape_ceil(&ints!((20, 30)))),
    ] {
        let ((r, guard), plain) = (ours.unwrap(), plain.unwrap());
        same_swizzle(&c, &r, &plain.layout);
        assert_eq!(guard, plain.guard);
    }
}

#[test]
fn products_are_disjoint_copies() {
    let mut rng = Rng::new(5);
    let mut n = 0;
    for _ in 0..3000 {
        let l = rng.layout(&[2, 3, 4, 8], &[1, 2, 4, 8, 16, 64], 64);
        let b = rng.layout(&[2, 3, 4], &[1, 2, 3, 4, 8], 16);
        let c = rng.composed(&l);
        if let Ok(r) = c.logical_product(&b) {
            n += 1;
            let (size, t) = (c.size().unwrap() as usize, table(&r));
            assert_eq!(t[..size], table(&c)[..], "{r}");
            let copies = values(&b);
            for (x, cx) in t.chunks(size).zip(&copies) {
                for (y, cy) in t.chunks(size).zip(&copies) {
                    assert!(cx == cy || x.iter().all(|v| !y.contains(v)), "{r}");
                }
            }
        }
    }
    assert!(n > 500, "{n}");
}
