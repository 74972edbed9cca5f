//! Queries and edits of layouts, evaluation, iteration.

use crate::watch::{law, run};
use girih::algebra::laws;
use girih::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

fn hash(l: &Layout) -> u64 {
    let mut h = DefaultHasher::new();
    l.hash(&mut h);
    h.finish()
}

#[test]
fn layouts_are_edited_at_any_place() {
    run("modes", 3000, |g, w| {
        let (l, o) = (g.any(), g.any());
        let (i, j, n) = (g.place(l.rank()), g.place(l.rank() + 1), g.num());
        let _ = w.op("queries", || {
            (l.rank(), l.depth(), l.leaves(), l.is_known(), l.is_integer(), l.known_leaves().is_some(), l.has_basis())
        });
        let _ = w.op("relations", || (l.congruent(&o), l.weakly_congruent(&o), l.compatible(&o), l.same(&o)));
        assert!(l.compatible(&l) && l.congruent(&l));
        let _ = w.ok("size", || l.size());
        let _ = w.ok("size_int", || l.size_int());
        let _ = w.ok("cosize", || l.cosize());
        let _ = w.ok("image_range", || l.image_range());
        let bound = w.ok("cosize_bound", || l.cosize_bound());
        if let (Some(b), Ok(n)) = (bound, l.cosize()) {
            assert_eq!(b.value(), Some(n), "{l}");
        }
        let _ = w.ok("coshape", || l.coshape());
        let _ = w.ok("leaf_extent", || l.leaf_extent(i));
        let _ = w.ok("leaf_stride", || l.leaf_stride(i));
        let mut made = vec![l, o];
        made.extend(w.ok("mode", || l.mode(i)));
        made.extend(w.ok("take", || l.take(i, j)));
        let picks: Vec<usize> = (0..g.below(5)).map(|_| g.place(l.rank())).collect();
        made.extend(w.ok("select", || l.select(&picks)));
        made.extend(w.ok("reverse", || l.reverse()));
        made.push(w.op("flatten", || l.flatten()));
        made.extend(w.ok("unflatten", || l.unflatten(&o.profile())));
        made.extend(w.ok("unflatten", || l.flatten().unflatten(&l.profile())));
        made.extend(w.ok("group", || l.group(i, j)));
        made.extend(w.ok("append", || l.append(&o)));
        made.extend(w.ok("prepend", || l.prepend(&o)));
        made.extend(w.ok("insert", || l.insert(j, &o)));
        made.extend(w.ok("replace", || l.replace(i, &o)));
        made.extend(w.ok("pad_rank", || l.pad_rank(j)));
        made.extend(w.ok("zip", || l.zip(&o)));
        made.extend(w.ok("transpose", || l.transpose()));
        made.extend(w.ok("Layout::tuple", || Layout::tuple(&[l, o, l])));
        made.extend(w.ok("Layout::tuple", || Layout::tuple(&[])));
        let c = g.coord(&l);
        made.extend(w.ok("slice", || l.slice(&c)).map(|s| s.0));
        made.extend(w.ok("dice", || l.dice(&c)));
        made.push(w.op("filter_zeros", || l.filter_zeros()));
        for x in [made[0], made[1], made[made.len() - 1], made[g.below(made.len() as u64) as usize]] {
            let text = w.op("Layout::to_string", || x.to_string());
            let read = w.ok("Layout::parse", || Layout::parse(&text));
            assert_eq!(read, Some(x), "{text}");
            assert_eq!(read.map(|r| hash(&r)), Some(hash(&x)));
            assert_eq!(w.ok("Layout::new", || Layout::new(&x.shape(), &x.stride())), Some(x), "{x}");
        }
        let _ = n;
    });
}

#[test]
fn layouts_are_evaluated_at_any_coordinate() {
    run("evaluation", 3000, |g, w| {
        let l = g.any();
        let (n, c) = (g.num(), g.coord(&l));
        let c = match g.below(3) {
            0 => l.shape().idx2crd(n.rem_euclid(l.size().unwrap_or(1).max(1))).unwrap_or(c),
            _ => c,
        };
        let (at, ext) = (w.ok("at", || l.at(n)), w.ok("at_extended", || l.at_extended(n)));
        if at.is_some() {
            assert_eq!(at, ext, "{l} at {n}");
            assert_eq!(w.ok("at_crd", || l.at_crd(&IntTuple::int(n))), at);
        }
        let (at, ext) = (w.ok("at_crd", || l.at_crd(&c)), w.ok("at_crd_extended", || l.at_crd_extended(&c)));
        if at.is_some() {
            assert_eq!(at, ext, "{l} at {c}");
            let i = l.shape().crd2idx(&c).unwrap();
            assert_eq!(l.at(i).ok(), at, "{l} at {c}");
        }
        let edges = [g.num(), g.num(), g.num()];
        let _ = w.ok("at_coord", || l.at_coord(edges));
        let _ = w.ok("at_coord", || l.at_coord([edges[0], edges[1]]));
        let _ = w.ok("at_crd_extended", || l.at_crd_extended(&IntTuple::flat(&edges)?));
        let _ = w.ok("coord_at", || l.coord_at(n));
        if let Some((kept, offset)) = w.ok("slice", || l.slice(&c))
            && let (Some(o), Ok(size)) = (offset.value(), kept.size())
            && l.is_known()
            && size <= 256
        {
            // the coordinate with `_` counted through
            for k in 0..size {
                let rest = kept.at(k).unwrap();
                assert!(l.image_range().is_ok_and(|(a, b)| (a..=b).contains(&(o + rest))), "{l} at {c}: {kept}");
            }
        }
        let _ = w.ok("dice", || l.dice(&c));
        let values = g.values();
        let _ = w.ok("Layout::bind", || l.bind(&values));

        let some = g.below(40) as usize;
        if let Some(all) = w.ok("offsets", || l.offsets()) {
            let first: Vec<i64> = all.clone().take(some).collect();
            for (i, v) in first.iter().enumerate() {
                assert_eq!(l.at(i as i64), Ok(*v), "{l}");
            }
            let k = n.unsigned_abs() as usize;
            let _ = w.op("nth", || all.clone().nth(k));
            let _ = w.op("next_back", || all.clone().rev().take(3).collect::<Vec<_>>());
            if l.size().is_ok_and(|n| n <= 4096) {
                let mut from = l.offsets().unwrap();
                let skipped = from.by_ref().take(some).count();
                let folded = w.op("fold", || {
                    from.clone().fold(Vec::new(), |mut v, x| {
                        v.push(x);
                        v
                    })
                });
                let looped: Vec<i64> = (skipped as i64..l.size().unwrap()).map(|i| l.at(i).unwrap()).collect();
                assert_eq!(folded, looped, "{l} after {skipped}");
            }
        }
        let _ = w.ok("coords", || l.coords::<2>().map(|c| c.take(9).collect::<Vec<_>>()));
        let _ = w.ok("coords_and_offsets", || l.coords_and_offsets::<3>().map(|c| c.take(9).collect::<Vec<_>>()));
        let _ = w.ok("coords_and_offsets", || l.coords_and_offsets::<1>().map(|mut c| c.nth(n as usize)));
        if let Some(hier) = w.ok("hier_coords", || l.hier_coords().map(|c| c.take(9).collect::<Vec<_>>())) {
            for (i, c) in hier.iter().enumerate() {
                assert_eq!(l.shape().idx2crd(i as i64).as_ref(), Ok(c));
            }
        }
    });
}

#[test]
fn simplified_layouts_are_the_same() {
    run("simplified", 3000, |g, w| {
        let l = if g.one_in(2) { g.any() } else { g.small() };
        let profile = g.coord(&l);
        let x = w.op("coalesce_extended", || l.coalesce_extended());
        let r = w.op("coalesce", || l.coalesce());
        let f = w.op("filter", || l.filter());
        let _ = w.op("same_function", || l.same_function(&r));
        assert!(l.same_function(&r), "{l}");
        let by_mode = w.ok("coalesce_by_mode", || l.coalesce_by_mode(&profile));
        let _ = w.ok("filter_by_mode", || l.filter_by_mode(&profile));
        let values = g.values();
        let Ok(bound) = l.bind(&values) else { return };
        if !bound.is_known() || bound.size().is_ok_and(|n| n > 4096) {
            return;
        }
        if let Ok(r) = r.bind(&values) {
            law(laws::same_function(&bound, &r), || format!("{l} coalesced is {r}"));
            if l.is_known() {
                law(laws::coalesce(&l, &r), || format!("{l} coalesced is {r}"));
            }
        }
        if let Some(Ok(r)) = by_mode.map(|r| r.bind(&values)) {
            law(laws::same_function(&bound, &r), || format!("{l} coalesced by {profile} is {r}"));
        }
        if let Ok(x) = x.bind(&values) {
            for i in 0..2 * bound.size().unwrap() {
                assert_eq!(bound.at_extended(i), x.at_extended(i), "{l}: {x} at {i}");
            }
        }
        if l.is_known() {
            let set = |l: &Layout| l.offsets().unwrap().collect::<std::collections::BTreeSet<_>>();
            assert_eq!(set(&l), set(&f), "{l} filtered is {f}");
        }
    });
}
