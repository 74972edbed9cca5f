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
    fn filter_obeys_its_law(l in strategy::any_layout(4096)) {
        laws::filter(&l, &l.filter())?;
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
        laws::zipped_divide(&a, &t, &z)?;
        prop_assert_eq!(a.compose_by_mode(&t).unwrap(), z.mode(0).unwrap());
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
    fn blocked_and_raked_products_obey_their_laws(a in strategy::padded(64), b in strategy::any_layout(64)) {
        match (a.blocked_product(&b), a.raked_product(&b)) {
            (Ok(x), Ok(y)) => {
                laws::blocked_product(&a, &b, &x)?;
                laws::raked_product(&a, &b, &y)?;
                laws::same_values(&x, &y)?;
            }
            (x, y) => {
                let negative = b.known_leaves().unwrap().1.iter().any(|&d| d < 0);
                let refused = |r: Result<Layout, Error>| r.is_err_and(|e| negative || e.kind() == "no_layout");
                prop_assert!(refused(x) && refused(y), "{} {}", a, b);
            }
        }
    }

    #[test]
    fn tiles_fill_shapes(a in strategy::permuted(64), n in prop::array::uniform6(1i64..5), keys in any::<[u8; 6]>()) {
        let sizes: Vec<i64> = (0..a.rank()).map(|i| a.mode(i).unwrap().size().unwrap() * n[i]).collect();
        let shape = IntTuple::flat(&sizes).unwrap();
        laws::tile_to_shape(&a, &shape, &a.tile_to_shape(&shape).unwrap())?;
        let mut order: Vec<i64> = (0..a.rank() as i64).collect();
        order.sort_by_key(|&i| keys[i as usize]);
        let order = IntTuple::flat(&order).unwrap();
        laws::tile_to_shape(&a, &shape, &a.tile_to_shape_ordered(&shape, &order).unwrap())?;
        // one more in every mode: the same tiles and the guard of the shape
        let ragged: Vec<i64> = sizes.iter().map(|s| (s - 1).max(1)).collect();
        let ragged = IntTuple::flat(&ragged).unwrap();
        let g = a.tile_to_shape_ceil(&ragged).unwrap();
        let real = (0..g.layout.size().unwrap()).filter(|&i| g.guard.holds(i).unwrap()).count() as i64;
        prop_assert_eq!(Some(real), ragged.product().unwrap().value());
    }

    #[test]
    fn text_reads_back(l in strategy::any_layout(1 << 20)) {
        prop_assert_eq!(l.to_string().parse::<Layout>().unwrap(), l);
    }
}

/// Integer tiles of single-leaf modes take a short way; a mode wrapped as `(s):(d)` under a nested tiler takes the long one.
#[test]
fn the_short_way_of_plain_divides_is_the_long_one() {
    let mut cases = 0;
    for s in 1..13 {
        for (n, e) in [(1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (2, 3), (3, 2), (4, 3)] {
            for d in [-3, 0, 1, 5] {
                let a = Layout::flat(&[s, 6], &[d, 40]).unwrap();
                let tile = Layout::flat(&[n], &[e]).unwrap();
                // the tile as a tuple (n):(e) is not an integer tile
                let plain =
                    Tiler::flat(&[tile.coalesce_extended(), Layout::flat(&[2], &[1]).unwrap().coalesce()]).unwrap();
                let long = Tiler::flat(&[tile, Layout::flat(&[2], &[1]).unwrap()]).unwrap();
                match (a.zipped_divide_ceil(&plain), a.zipped_divide_ceil(&long)) {
                    (Ok(x), Ok(y)) => {
                        laws::same_function(&x.layout, &y.layout).unwrap();
                        assert_eq!(x.layout.mode(1), y.layout.mode(1), "{a} by {plain}");
                    }
                    (x, y) => assert_eq!(x.map(|g| g.layout), y.map(|g| g.layout), "{a} by {plain}"),
                }
                let (x, y) = (a.logical_divide_by_mode(&plain), a.logical_divide_by_mode(&long));
                assert_eq!(x.is_ok(), y.is_ok(), "{a} by {plain}");
                if let (Ok(x), Ok(y)) = (x, y) {
                    laws::same_function(&x, &y).unwrap();
                    cases += 1;
                }
            }
        }
    }
    assert!(cases > 100);
}

#[test]
fn guards_have_the_nesting_of_their_layout() {
    let a = layout!((9,2):(16,32));
    let one = Tiler::leaf(&layout!(3:1)).unwrap();
    let g = a.tiled_divide_ceil(&one).unwrap();
    assert_eq!((g.layout, g.guard.coord), (layout!((3,3,2):(16,48,32)), layout!((3,3,2):(1,3,9))));
    let g = layout!((4,6):(6,1)).logical_divide_ceil(&layout!(8:1)).unwrap();
    assert!(g.guard.coord.congruent(&g.layout), "{g}");
    laws::divide_ceil(&layout!((4,6):(6,1)), &g).unwrap();
}
