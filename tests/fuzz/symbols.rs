//! Operations on symbolic layouts agree with the same operations after binding.

use crate::watch::{law, run};
use girih::algebra::laws;
use girih::prelude::*;

const SMALL: i64 = 4096;

/// Sizes on which laws are checked in full.
fn small(l: &Layout) -> bool {
    l.is_known() && l.size().is_ok_and(|n| n <= SMALL)
}

#[test]
fn symbolic_results_hold_for_values() {
    run("symbols", 1000, |g, w| {
        let a = g.symbolic();
        let b = if g.one_in(2) { g.symbolic() } else { g.right(&a) };
        let t = g.tiler(&a);
        let extended = w.ok("compose_extended", || a.compose_extended(&b));
        let composed = w.ok("compose", || a.compose(&b));
        let divided = [
            w.ok("zipped_divide", || a.zipped_divide(&t)),
            w.ok("logical_divide", || a.logical_divide(&b)),
            w.ok("flat_divide", || a.flat_divide(&t)),
        ];
        let ceil = [
            w.ok("zipped_divide_ceil", || a.zipped_divide_ceil(&t)),
            w.ok("logical_divide_ceil", || a.logical_divide_ceil(&b)),
        ];
        let right = w.ok("right_inverse", || a.right_inverse());
        let left = w.ok("left_inverse", || a.left_inverse());
        let null = w.ok("nullspace", || a.nullspace());
        let aligned = w.ok("max_alignment", || a.max_alignment());
        let like = w.ok("make_layout_like", || a.make_layout_like());
        let fragment = w.ok("make_fragment_like", || a.make_fragment_like());
        let n = 1 << g.below(5);
        let words = [w.ok("upcast", || a.upcast(n)), w.ok("upcast_ceil", || a.upcast_ceil(n))];
        let parts = w.ok("downcast", || a.downcast(n));
        let product = w.ok("logical_product", || b.logical_product(&a));
        let cosize = w.ok("cosize_bound", || a.cosize_bound());
        let c = g.coord(&a);
        let slice = w.ok("slice", || a.slice(&c));

        for _ in 0..3 {
            let values = g.values();
            let (Some(x), y) = (w.ok("Layout::bind", || a.bind(&values)), b.bind(&values)) else { continue };
            if !small(&x) {
                continue;
            }
            let about = |what: &str, r: &Layout| format!("{what} of {a} and {b} or {t} = {r} with {values:?}");
            if let (Some(r), Ok(y)) = (composed, &y)
                && small(y)
            {
                let bound = r.bind(&values).unwrap_or_else(|e| panic!("{}: {e}", about("compose", &r)));
                law(laws::composition(&x, y, &bound), || about("compose", &r));
            }
            if let (Some(r), Ok(y)) = (extended, &y)
                && small(y)
                && let Ok(bound) = r.bind(&values)
            {
                law(laws::composition_extended(&x, y, &bound), || about("compose_extended", &r));
            }
            for r in divided.iter().flatten() {
                let bound = r.bind(&values).unwrap_or_else(|e| panic!("{}: {e}", about("divide", r)));
                if small(&bound) {
                    law(laws::same_values(&x, &bound), || about("divide", r));
                }
            }
            for r in ceil.iter().flatten() {
                let Some(bound) = w.ok("Guarded::bind", || r.bind(&values)) else { continue };
                if small(&bound.layout) {
                    law(laws::divide_ceil(&x, &bound), || format!("{} if {}", about("divide", &r.layout), r.guard));
                    if r.guard.always() {
                        assert!(bound.guard.always(), "{}", about("always", &r.layout));
                    }
                }
            }
            let bind = |r: &Layout| r.bind(&values).ok().filter(small);
            if let Some((r, bound)) = right.and_then(|r| Some((r, bind(&r)?))) {
                law(laws::right_inverse(&x, &bound.coalesce()), || about("right_inverse", &r));
            }
            if let Some((r, bound)) = left.and_then(|r| Some((r, bind(&r)?))) {
                law(laws::left_inverse(&x, &bound), || about("left_inverse", &r));
            }
            if let Some((r, bound)) = null.and_then(|r| Some((r, bind(&r)?))) {
                law(laws::nullspace(&x, &bound.coalesce()), || about("nullspace", &r));
            }
            if let Some(n) = aligned {
                // the largest for all values is one for these
                let own = x.max_alignment().unwrap();
                assert_eq!(own % n, 0, "max_alignment of {a} = {n} with {values:?}");
            }
            if let Some((r, bound)) = like.and_then(|r| Some((r, bind(&r)?)))
                && x.filter_zeros().shape() == a.filter_zeros().bind(&values).unwrap().shape()
                && x.known_leaves().unwrap().0.iter().zip(x.known_leaves().unwrap().1).all(|(&s, _)| s > 1)
            {
                law(laws::make_layout_like(&x, &bound), || about("make_layout_like", &r));
            }
            if let Some((_, bound)) = fragment.and_then(|r| Some((r, bind(&r)?))) {
                assert_eq!(bound.shape(), x.shape());
            }
            for r in words.iter().flatten() {
                if let (Some(bound), Ok(offset)) = (bind(r), a.recast_offset(1, n)) {
                    law(laws::upcast(&x, n, &bound, offset), || about("upcast", r));
                }
            }
            if let Some((r, bound)) = parts.and_then(|r| Some((r, bind(&r)?)))
                && let Ok(offset) = a.recast_offset(n, 1)
            {
                law(laws::downcast(&x, n, &bound, offset), || about("downcast", &r));
            }
            if let (Some(r), Ok(y)) = (product, &y)
                && let Some(bound) = bind(&r)
            {
                law(laws::logical_product(y, &x, &bound), || about("product", &r));
            }
            if let Some(c) = cosize
                && let Ok(c) = c.bind(&values)
            {
                assert_eq!(c.value(), x.cosize().ok(), "cosize of {a}");
            }
            if let Some((kept, offset)) = slice
                && let (Ok(c), Ok(kept), Ok(offset)) = (c.bind(&values), kept.bind(&values), offset.bind(&values))
                && let Ok((k, o)) = x.slice(&c)
            {
                assert_eq!((kept, offset.value()), (k, o.value()), "{a} at {c} with {values:?}");
            }
        }
    });
}
