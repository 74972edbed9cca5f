//! Composition, complement, products.

use crate::watch::{law, run};
use girih::algebra::laws;
use girih::prelude::*;

const SMALL: i64 = 4096;

fn small(l: &Layout) -> bool {
    l.is_known() && l.size().is_ok_and(|n| n <= SMALL)
}

#[test]
fn compositions_hold_or_are_refused() {
    run("composition", 3000, |g, w| {
        let a = if g.one_in(2) { g.any() } else { g.layout() };
        let b = g.right(&a);
        let budget = g.below(100_000);
        if let Some(r) = w.ok("compose", || a.compose(&b))
            && small(&b)
            && a.is_known()
        {
            law(laws::composition(&a, &b, &r), || format!("{a} o {b} = {r}"));
        }
        if let (Err(Error { reason: LayoutError::NoLayout { index, got, .. }, .. }), true) =
            (a.compose(&b), a.is_known() && b.is_known())
        {
            assert_eq!(b.at(index).and_then(|x| a.at(x)), Ok(got), "{a} o {b}");
        }
        if let Some(r) = w.ok("compose_within", || a.compose_within(&b, budget)) {
            assert!(a.compose(&b).is_ok_and(|c| c == r) || budget > girih::algebra::exact::CONST_BUDGET);
        }
        if let Some(r) = w.ok("compose_extended", || a.compose_extended(&b))
            && small(&b)
            && a.is_known()
        {
            law(laws::composition_extended(&a, &b, &r), || format!("{a} o {b} = {r}, extended"));
        }
        let (t, s) = (g.tiler(&a), if g.one_in(2) { b.shape() } else { g.tuple() });
        let _ = w.ok("compose_by_mode", || a.compose_by_mode(&t));
        if let Some(r) = w.ok("with_shape", || a.with_shape(&s))
            && small(&a)
            && small(&r)
        {
            for i in 0..r.size().unwrap() {
                assert_eq!(r.at(i), a.at(i), "{a} with shape {s}");
            }
        }
    });
}

#[test]
fn complements_complete() {
    run("complement", 3000, |g, w| {
        let a = if g.one_in(3) { g.any() } else { g.small() };
        let m = if g.one_in(3) { g.num() } else { 1 + g.below(600) as i64 };
        if let Some(r) = w.ok("complement", || a.complement(m))
            && small(&a)
            && small(&r)
        {
            law(laws::complement(&a, m, &r), || format!("complement({a}, {m}) = {r}"));
        }
        if let Some(r) = w.ok("complement_exact", || a.complement_exact(m))
            && small(&a)
            && small(&r)
        {
            law(laws::complement_exact(&a, m, &r), || format!("complement_exact({a}, {m}) = {r}"));
        }
        let t = g.tuple();
        let _ = w.ok("complement_in", || a.complement_in(&t));
    });
}

#[test]
fn products_hold_or_are_refused() {
    run("products", 800, |g, w| {
        let (a, b) = if g.one_in(4) { (g.any(), g.any()) } else { (g.small(), g.small()) };
        let (t, s) = (g.tiler(&a), g.coord(&b));
        if let Some(r) = w.ok("logical_product", || a.logical_product(&b))
            && small(&b)
            && small(&r)
        {
            law(laws::logical_product(&a, &b, &r), || format!("{a} x {b} = {r}"));
        }
        let (x, y) = (w.ok("blocked_product", || a.blocked_product(&b)), w.ok("raked_product", || a.raked_product(&b)));
        if let (Some(x), Some(y)) = (x, y)
            && small(&x)
        {
            law(laws::same_values(&x, &y), || format!("{a} x {b}: {x} and {y}"));
        }
        let products = [
            w.ok("logical_product_by_mode", || a.logical_product_by_mode(&t)),
            w.ok("zipped_product", || a.zipped_product(&t)),
            w.ok("tiled_product", || a.tiled_product(&t)),
            w.ok("flat_product", || a.flat_product(&t)),
        ];
        if let Some(first) = products.iter().flatten().find(|r| small(r)) {
            for r in products.iter().flatten() {
                law(laws::same_values(first, r), || format!("{a} x {t}: {first} and {r}"));
            }
        }
        let shape = match g.below(3) {
            0 => g.tuple(),
            1 => s,
            _ => {
                let sizes: Vec<i64> = (0..a.rank())
                    .map(|i| {
                        a.mode(i).unwrap().size().unwrap_or(2).saturating_mul(1 + (i as i64 + a.rank() as i64) % 3)
                    })
                    .collect();
                IntTuple::flat(&sizes).unwrap()
            }
        };
        let order = g.tuple();
        if let Some(r) = w.ok("tile_to_shape", || a.tile_to_shape(&shape)) {
            assert_eq!(r.shape().product_each().ok(), shape.product_each().ok(), "{a} to {shape}: {r}");
        }
        let _ = w.ok("tile_to_shape_ordered", || a.tile_to_shape_ordered(&shape, &order));
        let _ = w.ok("tile_to_shape_ordered", || a.tile_to_shape_ordered(&shape, &shape));
        if let Some(r) = w.ok("tile_to_shape_ceil", || a.tile_to_shape_ceil(&shape))
            && small(&r.layout)
        {
            let size = r.layout.size().unwrap();
            let real = (0..size).filter(|&i| w.op("Guard::holds", || r.guard.holds(i)).unwrap()).count() as i64;
            let limit = r.guard.limit.product().unwrap().value().unwrap();
            assert_eq!(real, limit, "{a} to {shape}: {} if {}", r.layout, r.guard);
        }
    });
}
