//! Swizzles passed from the right of a layout to its left.

use crate::brute::*;
use girih::prelude::*;

#[test]
fn a_layout_after_a_swizzle_is_a_swizzle_after_the_layout() {
    let mut rng = Rng::new(6);
    let (mut yes, mut no) = (0, 0);
    for i in 0..20_000 {
        let a = if i % 2 == 0 {
            rng.layout(&[2, 4, 8], &[0, 1, 2, 4, 8, 16, 32, 64, 128], 256)
        } else {
            rng.layout(&[1, 2, 3, 4, 6, 8, 12], &[0, 1, 2, 3, 4, 8, 16, 24, 32, 48, 64], 192)
        };
        let s = rng.swizzle();
        let f = values(&a);
        match a.compose_swizzle(&s) {
            Ok(r) => {
                yes += 1;
                let expected: Option<Vec<i64>> =
                    (0..f.len()).map(|x| f.get(swizzled(&s, x as i64) as usize).copied()).collect();
                assert_eq!(Some(table(&r)), expected, "{a} o {s} = {r}");
            }
            Err(e) => {
                no += 1;
                assert!(matches!(e.kind(), "swizzle" | "domain"), "{e}");
                // refused for the domain only if the swizzle leaves it
                let leaves = (0..f.len()).any(|x| swizzled(&s, x as i64) >= f.len() as i64);
                assert!(e.kind() != "domain" || leaves, "{e}");
            }
        }
    }
    assert!(yes > 2000 && no > 2000, "{yes} {no}");
}

#[test]
fn a_layout_after_a_swizzled_layout_has_its_values() {
    let mut rng = Rng::new(7);
    let (mut yes, mut moved) = (0, 0);
    for _ in 0..40_000 {
        let a = rng.layout(&[2, 4, 8, 16], &[1, 2, 4, 8, 16, 32, 64, 128], 512);
        let b = rng.layout(&[1, 2, 4, 8, 3], &[1, 2, 4, 8, 16, 32], 64);
        let c = rng.composed(&b);
        if let Ok(r) = a.compose_swizzled(&c) {
            yes += 1;
            moved += (c.offset() > 0 && !r.is_plain()) as u32;
            let f = values(&a);
            assert_eq!(table(&r), table(&c).iter().map(|&x| f[x as usize]).collect::<Vec<_>>(), "{a} o {c} = {r}");
            assert!(b.compatible(r.inner()), "{a} o {c} = {r}");
        }
    }
    assert!(yes > 2000 && moved > 100, "{yes} {moved}");
}

#[test]
fn a_product_with_a_swizzled_arrangement_places_its_copies() {
    let mut rng = Rng::new(8);
    let (mut yes, mut active) = (0, 0);
    for _ in 0..20_000 {
        let a = rng.layout(&[1, 2, 4, 8, 3], &[0, 1, 2, 4, 8, 16, 32], 32);
        let b = rng.layout(&[1, 2, 4, 8, 3], &[1, 2, 4, 8, 16], 32);
        let c = rng.composed(&b);
        let Ok(r) = a.logical_product_swizzled(&c) else { continue };
        yes += 1;
        active += !r.is_plain() as u32;
        // the copy at value v is the second one of the plain product with 2:v
        let copy = |v: i64| {
            values(&a.logical_product(&Layout::flat(&[2], &[v]).unwrap()).unwrap())[values(&a).len()..].to_vec()
        };
        let expected: Vec<i64> = table(&c).into_iter().flat_map(copy).collect();
        assert_eq!(table(&r), expected, "{a} x {c} = {r}");
    }
    assert!(yes > 2000 && active > 500, "{yes} {active}");
}

#[test]
fn inverses_undo_the_swizzle_too() {
    let mut rng = Rng::new(9);
    let (mut right, mut left) = (0, 0);
    for i in 0..20_000 {
        let mut l = rng.layout(&[1, 2, 4, 8, 3], &[1, 2, 4, 8, 16, 32, 0], 128);
        if i % 2 == 0 {
            // compact in some order
            let order: Vec<i64> = (0..l.rank() as i64).map(|m| (m * 3 + i / 2) % l.rank() as i64 * 8 + m).collect();
            l = Layout::ordered(&l.shape(), &IntTuple::flat(&order).unwrap()).unwrap();
        }
        let s = rng.swizzle();
        let c = Composed::new(&s, 0, &l).unwrap();
        let c = if rng.below(3) == 0 { c.swizzled(&rng.swizzle()).unwrap() } else { c };
        let f = table(&c);
        if let Ok(r) = c.right_inverse() {
            right += !r.is_plain() as u32;
            for (i, x) in table(&r).into_iter().enumerate() {
                assert_eq!(f[x as usize], i as i64, "{c}: {r}");
            }
        }
        if let Ok(r) = c.left_inverse() {
            left += !r.is_plain() as u32;
            let back = table(&r);
            for &v in &f {
                assert_eq!(f[back[v as usize] as usize], v, "{c}: {r}");
            }
        }
    }
    assert!(right > 1000 && left > 1000, "{right} {left}");
    let moved: Composed = "S<1,0,1> o 4 o (2,2):(2,1)".parse().unwrap();
    assert_eq!(moved.right_inverse().unwrap_err().kind(), "swizzle");
}
