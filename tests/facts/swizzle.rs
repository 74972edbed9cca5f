//! The choice of a swizzle.

use crate::{Rng, cases};
use girih::gpu::facts::{Access, FactError, banks, choose_swizzle};
use girih::layout::Drawable;
use girih::prelude::*;

/// A swizzle from its definition.
fn swizzled((b, m, s): (u32, u32, i32), x: i64) -> i64 {
    let mask = ((1i64 << b) - 1) << (m as i32 + s.max(0));
    if s >= 0 { x ^ (x & mask) >> s } else { x ^ (x & mask) << -s }
}

/// Conflicts of a pattern under a swizzle: `None` if vectors break.
fn conflicts(l: &Layout, access: Access, bits: usize, s: (u32, u32, i32)) -> Option<usize> {
    let l = *l;
    banks(&(l.shape(), move |i| swizzled(s, l.at(i).unwrap())), bits, access).ok().map(|b| b.conflicts())
}

/// Every aligned vector of the tile stays one, whoever accesses it.
fn keeps_vectors(s: (u32, u32, i32), vector: i64, tile: i64) -> bool {
    (0..tile).all(|x| swizzled(s, x) == swizzled(s, x - x % vector) + x % vector)
}

/// Every swizzle with all its bits below `n`, smallest first.
fn all(n: u32) -> Vec<(u32, u32, i32)> {
    let mut all = vec![(0, 0, 0)];
    for b in 1..=n {
        for m in 0..n {
            for s in b as i32..n as i32 {
                if m + b + s as u32 <= n {
                    all.extend([(b, m, s), (b, m, -s)]);
                }
            }
        }
    }
    all
}

#[test]
fn the_known_swizzles_are_found() {
    let find = |patterns: &[(&dyn Drawable, Access)], bits| choose_swizzle(patterns, bits).unwrap().to_string();
    for (stride, expected) in [(64, "S<3,3,3>"), (32, "S<2,3,3>"), (128, "S<3,3,4>"), (72, "S<0,0,0>")] {
        let rows = Layout::flat(&[16, 2, 8], &[stride, 8, 1]).unwrap().group(0, 2).unwrap();
        assert_eq!(find(&[(&rows, Access::Ldmatrix(4))], 16), expected);
    }
    assert_eq!(find(&[(&layout!(32:32), Access::Load(4))], 32), "S<5,0,5>");
    assert_eq!(find(&[], 32), "S<0,0,0>");
    // by rows and by columns of a K-major tile of bytes
    let (write, read) = (layout!(((8,4),16):((16,128),1)), layout!(((16,2),16):((128,16),1)));
    assert_eq!(find(&[(&write, Access::Store(16)), (&read, Access::Ldmatrix(4))], 8), "S<3,4,3>");
}

#[test]
fn columns_next_to_wide_rows_have_none_and_every_swizzle_confirms_it() {
    let (column, row) = (layout!(32:32), layout!(((8,4),4):((4,32),1)));
    let patterns: [(&dyn Drawable, Access); 2] = [(&column, Access::Load(4)), (&row, Access::Store(16))];
    let Err(FactError::NoSwizzle(proof)) = choose_swizzle(&patterns, 32) else { panic!("there is one") };
    assert_eq!((proof.offset_bits, proof.vector_bits), (10, 2));
    assert_eq!(proof.tried, all(10).iter().filter(|s| s.0 == 0 || s.1 >= 2).count());
    // 12 bits: with bits that leave the tile as well
    let sum = |s| Some(conflicts(&column, Access::Load(4), 32, s)? + conflicts(&row, Access::Store(16), 32, s)?);
    let least = all(12).into_iter().filter_map(sum).min();
    assert_eq!(least, Some(proof.wavefronts - proof.ideal));
    assert!(least > Some(0));
    // either alone is possible
    assert_eq!(proof.conflicts, [3, 0]);
    assert!(patterns.iter().all(|p| choose_swizzle(&[*p], 32).is_ok()));
}

/// Smallest means the first of all that frees the accesses; none means none.
#[test]
fn random_choices_equal_an_exhaustive_search() {
    let mut rng = Rng::new(8);
    let (mut found, mut refused) = (0, 0);
    for _ in 0..cases(60) {
        let bits = rng.of(&[8, 16, 32]);
        // lanes over a tile of at most 2^10 elements, in power-of-two strides of any order
        let pattern = |rng: &mut Rng| {
            let bytes = rng.of(&[bits / 8, 4, 8, 16]);
            let v = (8 * bytes / bits) as i64;
            let mut strides: Vec<i64> = (0..10).map(|i| 1 << i).filter(|s| *s >= v).collect();
            while strides.len() > 5 {
                strides.remove(rng.below(strides.len() as i64) as usize);
            }
            let by = rng.below(strides.len() as i64);
            strides.rotate_left(by as usize);
            let lanes = Layout::flat(&vec![2; strides.len()], &strides).unwrap();
            let l = Layout::tuple(&[lanes, Layout::flat(&[v], &[1]).unwrap()]).unwrap();
            (l, if rng.below(2) == 0 { Access::Load(bytes) } else { Access::Store(bytes) })
        };
        let patterns: Vec<_> = (0..1 + rng.below(3)).map(|_| pattern(&mut rng)).collect();
        let given: Vec<_> = patterns.iter().map(|(l, a)| (l as &dyn Drawable, *a)).collect();
        let last = patterns.iter().map(|(l, _)| l.cosize().unwrap() - 1).max().unwrap();
        let n = i64::BITS - last.leading_zeros();
        let widest = patterns.iter().map(|(_, access)| (8 * access.bytes() / bits) as i64).max().unwrap();
        let every: Vec<_> = all(n).into_iter().filter(|&s| keeps_vectors(s, widest, 1 << n)).collect();
        let sum = |s| patterns.iter().map(|(l, a)| conflicts(l, *a, bits, s)).sum::<Option<usize>>();
        match choose_swizzle(&given, bits) {
            Ok(s) => {
                let first = every.into_iter().find(|&k| sum(k) == Some(0));
                assert_eq!(first, Some((s.bits(), s.base(), s.shift())), "{patterns:?}");
                found += 1;
            }
            Err(FactError::NoSwizzle(proof)) => {
                let best = every.into_iter().filter_map(sum).min();
                assert_eq!(best, Some(proof.wavefronts - proof.ideal), "{patterns:?}");
                assert!(best > Some(0));
                refused += 1;
            }
            Err(e) => panic!("{e}"),
        }
    }
    assert!(found > 10 && refused > 5, "{found} {refused}");
}

#[test]
fn patterns_must_be_accesses_to_shared_memory() {
    let far = choose_swizzle(&[(&layout!(32:65536), Access::Load(4))], 32).unwrap_err();
    assert_eq!(far, FactError::NotShared { address: 31 << 18 });
    let e = choose_swizzle(&[(&layout!((32,2):(3,1)), Access::Load(8))], 32).unwrap_err();
    assert_eq!(e, FactError::Misaligned { lane: 1, address: 12, bytes: 8 });
}
