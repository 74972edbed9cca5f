//! From one distributed layout to another.

use crate::brute::*;
use girih::algebra::linear::Scope;
use girih::prelude::*;

#[test]
fn invert_and_compose_finds_each_value_at_its_least_place() {
    let mut r = Rng::new(30);
    let mut found = 0;
    for _ in 0..cases(500) {
        let (n, m) = (r.below(6) as u32, r.below(5) as u32);
        let outs = any_axes(&mut r, &dims(), m);
        let (a_axes, b_axes) = (any_axes(&mut r, &HARDWARE, n), any_axes(&mut r, &HARDWARE, m + 1));
        let (a, b) = (any_map(&mut r, &a_axes, &outs), any_map(&mut r, &b_axes, &outs));
        let (ta, tb) = (table(&a), table(&b));
        let place = |v: &i64| tb.iter().position(|w| w == v);
        match a.invert_and_compose(&b) {
            Ok(c) => {
                found += 1;
                assert_eq!((c.inputs(), c.outputs()), (a.inputs(), b.inputs()));
                for (x, v) in ta.iter().enumerate() {
                    assert_eq!(c.at(x as i64).ok(), place(v).map(|p| p as i64), "{a} and {b} at {x}");
                }
            }
            Err(LayoutError::NotAValue { value }) => {
                assert!(ta.contains(&value) && place(&value).is_none(), "{a} and {b}")
            }
            Err(e) => panic!("{e}"),
        }
    }
    assert!(found > 100, "{found}");
}

/// The part of an index on an axis.
fn part(axes: &Axes, axis: Axis, index: i64) -> i64 {
    let weight: i64 = axes.axes().iter().take_while(|&&a| a != axis).map(|&a| axes.extent(a)).product();
    index / weight % axes.extent(axis)
}

fn kept(scope: Scope) -> &'static [Axis] {
    match scope {
        Scope::Thread => &[Axis::LANE, Axis::WARP, Axis::BLOCK],
        Scope::Warp => &[Axis::WARP, Axis::BLOCK],
        Scope::Block => &[Axis::BLOCK],
        Scope::Cluster => &[],
    }
}

/// Against every place of every value: the scope is the least in which each wanted value has a place at all.
#[test]
fn a_conversion_travels_as_little_as_possible() {
    let mut r = Rng::new(31);
    let mut seen = [0; 4];
    for _ in 0..cases(1500) {
        let m = 1 + r.below(4) as u32;
        let outs = any_axes(&mut r, &dims(), m);
        let n = m + r.below(3) as u32;
        let have_axes = any_axes(&mut r, &HARDWARE, n);
        let have = any_map(&mut r, &have_axes, &outs);
        let want = match r.below(3) {
            0 => any_map(&mut r, &have_axes, &outs),
            1 => {
                let n = r.below(5) as u32;
                let axes = any_axes(&mut r, &HARDWARE, n);
                any_map(&mut r, &axes, &outs)
            }
            // one basis changed
            _ => {
                let mut bases = have.bases().to_vec();
                let at = r.below(n as i64) as usize;
                bases[at] ^= have.bases()[r.below(n as i64) as usize];
                LinearLayout::new(&have_axes, &outs, &bases).unwrap().with_offset(have.offset()).unwrap()
            }
        };
        let (th, tw) = (table(&have), table(&want));
        let possible = |scope: Scope| {
            tw.iter().enumerate().all(|(y, v)| {
                let same = |x: usize, a: Axis| part(have.inputs(), a, x as i64) == part(want.inputs(), a, y as i64);
                (0..th.len()).any(|x| th[x] == *v && kept(scope).iter().all(|&a| same(x, a)))
            })
        };
        let least = [Scope::Thread, Scope::Warp, Scope::Block, Scope::Cluster].into_iter().find(|&s| possible(s));
        match have.conversion(&want) {
            Ok(c) => {
                assert_eq!(Some(c.scope()), least, "{have} to {want}");
                seen[c.scope() as usize] += 1;
                for (y, &v) in tw.iter().enumerate() {
                    let x = c.source().at(y as i64).unwrap();
                    assert_eq!(th[x as usize], v, "{have} to {want} at {y}");
                    for &a in kept(c.scope()) {
                        assert_eq!(part(have.inputs(), a, x), part(want.inputs(), a, y as i64), "{have} to {want}");
                    }
                }
            }
            Err(LayoutError::NotAValue { value }) => {
                assert_eq!(least, None);
                assert!(tw.contains(&value) && !th.contains(&value));
            }
            Err(e) => panic!("{e}"),
        }
    }
    assert!(seen.iter().all(|&n| n > 30), "{seen:?}");
}

#[test]
fn replicas_are_read_where_they_are() {
    // both lanes have both values: nothing moves, though the least place is in lane 0
    let have: LinearLayout = "register:[1] lane:[0] -> offset:2".parse().unwrap();
    let want: LinearLayout = "lane:[1] -> offset:2".parse().unwrap();
    let c = have.conversion(&want).unwrap();
    assert_eq!((c.scope(), c.source().to_string().as_str()), (Scope::Thread, "lane:[(1,1)] -> register:2 lane:2"));
}
