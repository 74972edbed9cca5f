//! The public strategies make what they say, and the laws hold on it.

use girih::algebra::{laws, strategy};
use girih::prelude::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn distinct(l: &Layout) -> usize {
    (0..l.size().unwrap()).map(|i| l.at(i).unwrap()).collect::<BTreeSet<_>>().len()
}

proptest! {
    #[test]
    fn permuted_layouts_are_bijections(l in strategy::permuted(2048)) {
        prop_assert_eq!(distinct(&l) as i64, l.size().unwrap());
        prop_assert_eq!(l.cosize(), l.size());
    }

    #[test]
    fn injective_layouts_are_injective(l in strategy::injective(2048)) {
        prop_assert_eq!(distinct(&l) as i64, l.size().unwrap());
    }

    #[test]
    fn coalesce_obeys_its_law(l in strategy::any_layout(4096)) {
        laws::coalesce(&l, &l.coalesce())?;
        let x = l.coalesce_extended();
        for i in 0..2 * l.size().unwrap() {
            prop_assert_eq!(l.at_extended(i).unwrap(), x.at_extended(i).unwrap());
        }
    }

    #[test]
    fn filter_keeps_the_set_of_values(l in strategy::any_layout(4096)) {
        let set = |l: &Layout| (0..l.size().unwrap()).map(|i| l.at(i).unwrap()).collect::<BTreeSet<_>>();
        prop_assert_eq!(set(&l), set(&l.filter()));
        let f = l.filter();
        let (s, d) = f.known_leaves().unwrap();
        prop_assert!(f == layout!(1:0) || s.iter().zip(d).all(|(&s, &d)| s > 1 && d != 0));
    }

    #[test]
    fn composable_pairs_compose((a, b) in strategy::composable(4096)) {
        let r = a.compose(&b).map_err(|e| TestCaseError::fail(e.to_string()))?;
        laws::composition(&a, &b, &r)?;
    }

    #[test]
    fn composition_is_associative((a, b) in strategy::composable(4096), keys in any::<[u8; 3]>()) {
        let ab = a.compose(&b).unwrap();
        // a column-major right side of the same size always composes
        let n = b.size().unwrap();
        let f = (1..=n).filter(|f| n % f == 0).nth(keys[0] as usize % 3).unwrap_or(1);
        let c = Layout::flat(&[f, n / f], &[n / f, 1]).unwrap();
        if let (Ok(left), Ok(bc)) = (ab.compose(&c), b.compose(&c)) {
            let right = a.compose(&bc).unwrap();
            laws::same_function(&left, &right)?;
        }
    }

    #[test]
    fn pairs_stay_in_the_domain((a, b) in strategy::pair(4096)) {
        match a.compose(&b) {
            Ok(r) => laws::composition(&a, &b, &r)?,
            Err(e) => prop_assert_eq!(e.kind(), "no_layout"),
        }
    }

    #[test]
    fn dividing_tilers_divide((a, t) in strategy::tiling(2048)) {
        let z = a.zipped_divide(&t).map_err(|e| TestCaseError::fail(e.to_string()))?;
        laws::same_values(&a, &z)?;
        let tile = a.compose_by_mode(&t).unwrap();
        laws::same_function(&tile, &z.mode(0).unwrap())?;
        let guarded = a.zipped_divide_ceil(&t).unwrap();
        prop_assert_eq!(guarded.layout, z);
        prop_assert!(guarded.guard.always());
        laws::divide_ceil(&a, &guarded)?;
        for other in [a.logical_divide_by_mode(&t), a.tiled_divide(&t), a.flat_divide(&t)] {
            laws::same_values(&a, &other.unwrap())?;
        }
    }

    #[test]
    fn ragged_divides_meet_every_element_once(a in strategy::injective(1024), t in prop::array::uniform3(1i64..9)) {
        let sizes: Vec<Layout> = (0..a.rank().min(3)).map(|i| Layout::flat(&[t[i]], &[1]).unwrap().coalesce()).collect();
        let t = Tiler::flat(&sizes).unwrap();
        for g in [
            a.zipped_divide_ceil(&t),
            a.tiled_divide_ceil(&t),
            a.flat_divide_ceil(&t),
            a.logical_divide_by_mode_ceil(&t),
        ] {
            match g {
                Ok(g) => laws::divide_ceil(&a, &g)?,
                Err(e) => prop_assert_eq!(e.kind(), "no_layout", "{}", e),
            }
        }
    }

    #[test]
    fn products_copy((a, b) in (strategy::padded(256), strategy::any_layout(64))) {
        if let Ok(r) = a.logical_product(&b) {
            laws::logical_product(&a, &b, &r)?;
        } else {
            let negative = b.known_leaves().unwrap().1.iter().any(|&d| d < 0);
            let no = a.logical_product(&b).unwrap_err();
            prop_assert!(negative || no.kind() == "no_layout", "{}", no);
        }
    }

    #[test]
    fn blocked_and_raked_products_hold_the_same_values(a in strategy::permuted(64), b in strategy::permuted(64)) {
        let (x, y) = (a.blocked_product(&b).unwrap(), a.raked_product(&b).unwrap());
        laws::same_values(&x, &y)?;
        let rank = a.rank().max(b.rank());
        prop_assert_eq!((x.rank(), y.rank()), (rank, rank));
    }

    #[test]
    fn text_reads_back(l in strategy::any_layout(1 << 20)) {
        prop_assert_eq!(l.to_string().parse::<Layout>().unwrap(), l);
    }
}
