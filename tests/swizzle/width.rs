//! Elements of other widths, alignment, vectors.

use crate::brute::*;
use girih::prelude::*;

const EXTENTS: [i64; 5] = [1, 2, 4, 8, 3];
const STRIDES: [i64; 9] = [0, 1, 2, 4, 8, 16, 32, -1, -4];

#[test]
fn upcast_gives_the_word_of_every_element() {
    let mut rng = Rng::new(10);
    let (mut yes, mut active) = (0, 0);
    for _ in 0..40_000 {
        let l = rng.layout(&EXTENTS, &STRIDES, 128);
        let c = rng.composed(&l);
        let n = rng.of(&[1, 2, 4, 8]);
        let Ok(u) = c.upcast(n) else { continue };
        yes += 1;
        active += (n > 1 && !u.is_plain()) as u32;
        // a swizzle that went away has split the modes
        let c = if c.inner().congruent(u.inner()) { c } else { c.decayed() };
        let (shape, words) = (c.inner().known_leaves().unwrap().0, u.inner().known_leaves().unwrap().0);
        for (mut i, v) in table(&c).into_iter().enumerate() {
            let at: Vec<i64> = shape
                .iter()
                .zip(words)
                .map(|(&s, &w)| {
                    let digit = i as i64 % s;
                    i /= s as usize;
                    digit / (s / w)
                })
                .collect();
            assert_eq!(
                u.flatten().at_crd(&IntTuple::flat(&at).unwrap()),
                Ok(v.div_euclid(n)),
                "{c} by {n}: {u} at {at:?}"
            );
        }
    }
    assert!(yes > 5000 && active > 1000, "{yes} {active}");
}

#[test]
fn downcast_gives_the_parts_of_every_element_and_upcast_takes_them_back() {
    let mut rng = Rng::new(11);
    let mut yes = 0;
    for _ in 0..20_000 {
        let l = rng.layout(&EXTENTS, &STRIDES, 64);
        let c = rng.composed(&l);
        let n = rng.of(&[1, 2, 4, 8]);
        let Ok(d) = c.downcast(n) else { continue };
        yes += 1;
        let mut parts: Vec<i64> = table(&c).into_iter().flat_map(|v| n * v..n * (v + 1)).collect();
        let mut got = table(&d);
        parts.sort();
        got.sort();
        assert_eq!(got, parts, "{c} by {n}: {d}");
        let back = d.upcast(n).unwrap();
        assert_eq!(table(&back), table(&c), "{c} by {n}: {d}, {back}");
    }
    assert!(yes > 5000, "{yes}");
}

#[test]
fn recast_checks_the_unit_and_keeps_byte_addresses() {
    let halves: Composed = "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)".parse().unwrap();
    for (bits, text) in [
        (8, "S<3,4,3>[8b] o 0 o (8,128):(128,1)"),
        (32, "S<3,2,3>[32b] o 0 o (8,32):(32,1)"),
        (128, "S<3,0,3>[128b] o 0 o (8,8):(8,1)"),
        (4, "S<3,5,3>[4b] o 0 o (8,256):(256,1)"),
    ] {
        assert_eq!(halves.recast(16, bits).unwrap().to_string(), text);
        assert_eq!(halves.recast(16, bits).unwrap().recast(bits, 16).unwrap(), halves);
    }
    let e = halves.recast(16, 256).unwrap_err();
    assert_eq!(e.kind(), "swizzle", "{e}");
    assert!(halves.recast(32, 16).is_err() && halves.recast(0, 16).is_err());
    // one row has no swizzle: any width that divides it
    let row = halves.slice(&ints!((0, _))).unwrap();
    assert_eq!(row.recast(16, 1024).unwrap().to_string(), "S<0,0,0>[1024b] o 0 o (1):(1)");
    // and a swizzle that is not needed does not hinder
    let row: Composed = "S<3,4,3> o 0 o 128:1".parse().unwrap();
    assert_eq!(row.upcast(128).unwrap().to_string(), "S<0,0,0> o 0 o 1:1");
}

#[test]
fn values_are_whole_aligned_vectors_in_order() {
    let mut rng = Rng::new(12);
    let mut more = 0;
    for _ in 0..20_000 {
        let l = rng.layout(&EXTENTS, &STRIDES, 128);
        let c = rng.composed(&l);
        let n = c.max_alignment().unwrap();
        more += (n > 1 && !c.is_plain()) as u32;
        let set: std::collections::HashSet<i64> = table(&c).into_iter().collect();
        assert!(set.iter().all(|v| (v - v % n..v - v % n + n).all(|w| set.contains(&w))), "{c}: {n}");
    }
    assert!(more > 500, "{more}");
}

#[test]
fn common_vectors_are_contiguous_in_both_from_every_start() {
    let mut rng = Rng::new(13);
    let mut long = 0;
    for i in 0..20_000 {
        let l = rng.layout(&[2, 4, 8, 3], &[1, 2, 4, 8, 16, 32], 128);
        let k = rng.layout(&[2, 4, 8, 3], &[1, 2, 4, 8, 16, 32], 128);
        let (a, mut b) = (rng.composed(&l), rng.composed(&k));
        if i % 2 == 0 {
            b = Composed::new(&a.swizzles()[0], b.offset(), &l).unwrap();
        }
        let Ok(r) = a.max_common_layout(&b) else { continue };
        assert_eq!(a.max_common_vector(&b), Ok(r.size().unwrap()));
        long += (r.size().unwrap() > 1) as u32;
        let (x, y) = (table(&a), table(&b));
        let starts = values(&r.complement(x.len().min(y.len()) as i64).unwrap());
        for (s, e) in
            starts.iter().flat_map(|&s| values(&r).into_iter().enumerate().map(move |(i, e)| (s, (i as i64, e))))
        {
            let at = (s + e.1) as usize;
            if at < x.len().min(y.len()) {
                assert_eq!((x[at], y[at]), (x[s as usize] + e.0, y[s as usize] + e.0), "{a}, {b}: {r} from {s}");
            }
        }
    }
    assert!(long > 1000, "{long}");
}

#[test]
fn common_vectors_do_not_cross_a_mode() {
    // a row of three is no row of pairs
    let c: Composed = "S<1,1,-2> o 0 o (2,3):(3,1)".parse().unwrap();
    assert_eq!(c.max_alignment(), Ok(2));
    assert_eq!(c.max_common_layout(&c), Ok(layout!(1:0)));
    let c: Composed = "S<1,2,-2> o 0 o (3,4):(4,1)".parse().unwrap();
    assert_eq!(c.max_common_layout(&c), Ok(layout!(4:3)));

    let mut rng = Rng::new(14);
    let mut long = 0;
    for _ in 0..20_000 {
        // compact, the modes in any order
        let (n, m, k) = (rng.of(&[2, 3, 4, 5, 6, 10, 12]), rng.of(&[2, 3, 4, 5, 8]), rng.of(&[1, 2, 3, 4]));
        let order = rng.of(&[(1, n, n * m), (m, 1, n * m), (m * k, k, 1), (k, n * k, 1), (1, n * k, n), (m * k, 1, m)]);
        let l =
            Layout::new(&IntTuple::flat(&[n, m, k]).unwrap(), &IntTuple::flat(&[order.0, order.1, order.2]).unwrap())
                .unwrap();
        let c = rng.composed(&l);
        let r = c.max_common_layout(&c).unwrap();
        long += (r.size().unwrap() > 1) as u32;
        // R is a part of each mode, so with it the whole falls into vectors
        let starts = r.complement_exact(n * m * k).unwrap_or_else(|e| panic!("{c}: {r}: {e}"));
        let x = table(&c);
        for s in values(&starts) {
            for (i, e) in values(&r).into_iter().enumerate() {
                assert_eq!(x[(s + e) as usize], x[s as usize] + i as i64, "{c}: {r} from {s}");
            }
        }
    }
    assert!(long > 2000, "{long}");
}
