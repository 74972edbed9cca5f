//! Inverses, common layouts, recasts, likenesses.

use crate::watch::{law, run};
use girih::algebra::laws;
use girih::prelude::*;

fn small(l: &Layout) -> bool {
    l.is_known() && l.size().is_ok_and(|n| n <= 1024)
}

#[test]
fn inverses_hold_or_are_refused() {
    run("inverses", 1500, |g, w| {
        let mut some = |n: u64| if g.one_in(n) { g.any() } else { g.small() };
        let (a, b) = (some(3), some(6));
        let budget = g.below(20_000);
        if let Some(r) = w.ok("right_inverse", || a.right_inverse())
            && small(&a)
        {
            law(laws::right_inverse(&a, &r), || format!("right_inverse({a}) = {r}"));
        }
        let _ = w.ok("right_inverse_within", || a.right_inverse_within(budget));
        if let Some(r) = w.ok("left_inverse", || a.left_inverse())
            && small(&a)
        {
            law(laws::left_inverse(&a, &r), || format!("left_inverse({a}) = {r}"));
        }
        let common = w.ok("max_common_layout", || a.max_common_layout(&b));
        let vector = w.ok("max_common_vector", || a.max_common_vector(&b));
        if let (Some(r), Some(v)) = (common, vector) {
            assert_eq!(r.size_int(), Ok(v), "{a}, {b}");
        }
        if let Some(r) = common
            && small(&a)
            && small(&b)
        {
            law(laws::max_common_layout(&a, &b, &r), || format!("max_common_layout({a}, {b}) = {r}"));
        }
        if let Some(n) = w.ok("nullspace", || a.nullspace())
            && small(&a)
        {
            law(laws::nullspace(&a, &n), || format!("nullspace({a}) = {n}"));
        }
        if let Some(n) = w.ok("max_alignment", || a.max_alignment())
            && small(&a)
        {
            law(laws::max_alignment(&a, n), || format!("max_alignment({a}) = {n}"));
        }
        if let Some(r) = w.ok("make_layout_like", || a.make_layout_like())
            && a.is_known()
        {
            law(laws::make_layout_like(&a, &r), || format!("make_layout_like({a}) = {r}"));
        }
        if let Some(r) = w.ok("make_fragment_like", || a.make_fragment_like())
            && a.is_known()
        {
            law(laws::make_fragment_like(&a, &r), || format!("make_fragment_like({a}) = {r}"));
        }
    });
}

#[test]
fn recasts_hold_or_are_refused() {
    run("recasts", 3000, |g, w| {
        let a = if g.one_in(3) { g.any() } else { g.small() };
        let width = |g: &mut crate::source::Gen| if g.one_in(4) { g.num() } else { 1 + g.below(16) as i64 };
        let (m, n) = (width(g), width(g));
        for (name, r) in
            [("upcast", w.ok("upcast", || a.upcast(n))), ("upcast_ceil", w.ok("upcast_ceil", || a.upcast_ceil(n)))]
        {
            if let Some(u) = r
                && small(&a)
                && let Ok(offset) = a.recast_offset(1, n)
            {
                law(laws::upcast(&a, n, &u, offset), || format!("{name}({a}, {n}) = {u} from {offset}"));
            }
        }
        if let Some(r) = w.ok("downcast", || a.downcast(n))
            && small(&a)
            && small(&r)
            && let Ok(offset) = a.recast_offset(n, 1)
        {
            law(laws::downcast(&a, n, &r, offset), || format!("downcast({a}, {n}) = {r} from {offset}"));
        }
        let _ = w.ok("recast", || a.recast(m, n));
        let _ = w.ok("recast_ceil", || a.recast_ceil(m, n));
        let _ = w.ok("recast_offset", || a.recast_offset(m, n));
    });
}
