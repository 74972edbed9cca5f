//! Arbitrary numbers: an error at most, never a panic (overflow checks are on in tests).

use crate::brute::Rng;
use girih::prelude::*;

const EDGES: [i64; 16] =
    [0, 1, -1, 2, 3, 7, 8, -8, 64, 1 << 31, 1 << 61, 1 << 62, (1 << 62) - 1, i64::MAX, i64::MIN, i64::MIN + 1];

fn number(rng: &mut Rng) -> i64 {
    if rng.below(2) == 0 { rng.of(&EDGES) } else { rng.below(20) - 4 }
}

#[test]
fn no_operation_panics_on_any_numbers() {
    let mut rng = Rng::new(15);
    let mut made = 0;
    for _ in 0..20_000 {
        let n: Vec<i64> = (0..16).map(|_| number(&mut rng)).collect();
        let modes = 1 + rng.below(3) as usize;
        let small: Vec<i64> = n[..modes].iter().map(|v| if v % 2 == 0 { (v % 9).abs() } else { *v }).collect();
        let Ok(l) = Layout::flat(&small, &n[3..3 + modes]) else { continue };
        let Ok(s) = Swizzle::new((n[6] % 5).abs(), (n[7] % 62).abs(), n[8] % 62) else { continue };
        let Ok(c) = Composed::new(&s, n[9], &l) else { continue };
        let c = c.swizzled(&Swizzle::new(1, 3, n[10] % 30).unwrap_or(Swizzle::IDENTITY)).unwrap();
        made += 1;
        let Ok(b) = Layout::flat(&[n[10].rem_euclid(5) + 1, 2], &n[11..13]) else { continue };
        let crd = IntTuple::flat(&n[..modes]).unwrap();
        let _ = (
            s.at(n[0]),
            s.upcast(n[0]),
            s.downcast(n[0]),
            s.max_alignment(),
            Swizzle::from_masks(n[0] as u64, n[1] as u64),
        );
        let _ =
            (c.at(n[13]), c.at_extended(n[13]), c.at_crd(&crd), c.at_crd_extended(&crd), c.image_range(), c.cosize());
        let _ = (c.decay(), c.slice(&crd), c.slice(&ints!(_)), c.domain_offset(&crd), c.coalesce(), c.filter());
        let _ = (c.compose(&b), c.compose_extended(&b), c.logical_divide(&b), c.logical_divide_ceil(&b));
        let _ =
            (c.logical_product(&b), c.blocked_product(&b), c.tile_to_shape(&crd), c.append(&b), c.complement(n[14]));
        let _ = (c.upcast(n[15]), c.downcast(n[15]), c.recast(n[14], n[15]), c.max_alignment());
        let _ = c.nullspace();
        // the search for a longest inverse may take its whole budget
        if made % 10 == 0 {
            let _ = (c.right_inverse(), c.left_inverse(), c.max_common_layout(&c));
        }
        let _ = (b.compose_swizzle(&s), b.compose_swizzled(&c), b.logical_product_swizzled(&c));
        assert_eq!(c.to_string().parse(), Ok(c));
    }
    assert!(made > 500, "{made}");
}
