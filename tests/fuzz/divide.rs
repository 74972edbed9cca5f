//! Divides, strict and rounded up.

use crate::watch::{law, run};
use girih::algebra::laws;
use girih::prelude::*;

fn small(l: &Layout) -> bool {
    l.is_known() && l.size().is_ok_and(|n| n <= 4096)
}

#[test]
fn divides_hold_or_are_refused() {
    run("divides", 1000, |g, w| {
        let a = match g.below(4) {
            0 => g.any(),
            1 => g.layout(),
            _ => g.small(),
        };
        let (t, b) = (g.tiler(&a), g.right(&a));
        if let Some(r) = w.ok("logical_divide", || a.logical_divide(&b))
            && small(&a)
        {
            law(laws::logical_divide(&a, &b, &r), || format!("{a} / {b} = {r}"));
        }
        let strict = [
            w.ok("logical_divide_by_mode", || a.logical_divide_by_mode(&t)),
            w.ok("zipped_divide", || a.zipped_divide(&t)),
            w.ok("tiled_divide", || a.tiled_divide(&t)),
            w.ok("flat_divide", || a.flat_divide(&t)),
        ];
        for r in strict.iter().flatten().filter(|_| small(&a)) {
            law(laws::same_values(&a, r), || format!("{a} / {t} = {r}"));
        }
        let ceil = [
            w.ok("logical_divide_ceil", || a.logical_divide_ceil(&b)),
            w.ok("logical_divide_by_mode_ceil", || a.logical_divide_by_mode_ceil(&t)),
            w.ok("zipped_divide_ceil", || a.zipped_divide_ceil(&t)),
            w.ok("tiled_divide_ceil", || a.tiled_divide_ceil(&t)),
            w.ok("flat_divide_ceil", || a.flat_divide_ceil(&t)),
        ];
        let i = g.num();
        for r in ceil.iter().flatten() {
            let _ = w.ok("Guard::holds", || r.guard.holds(i));
            let always = w.op("Guard::always", || r.guard.always());
            let _ = w.op("Guard::to_string", || r.guard.to_string());
            if small(&r.layout) && small(&a) && r.layout.size().unwrap() <= 1024 {
                law(laws::divide_ceil(&a, r), || format!("{a} / {b} or {t} = {} if {}", r.layout, r.guard));
                let real = (0..r.layout.size().unwrap()).all(|i| r.guard.holds(i).unwrap());
                assert_eq!(always, real, "{a} / {b} or {t} = {} if {}", r.layout, r.guard);
            }
        }
        let layouts = [a, b];
        let made = w.ok("Tiler::flat", || Tiler::flat(&layouts));
        let tuple = w.ok("Tiler::tuple", || Tiler::tuple(&[t, Tiler::KEEP, t]));
        let _ = w.ok("Tiler::leaf", || Tiler::leaf(&a));
        let _ = w.ok("Tiler::tuple", || Tiler::tuple(&[]));
        let i = g.place(t.rank());
        for t in [Some(t), made, tuple].into_iter().flatten() {
            let _ = w.op("tiler queries", || (t.leaves(), t.rank(), t.is_leaf(), t.profile()));
            let _ = w.ok("Tiler::get", || t.get(i));
            let _ = w.ok("Tiler::mode", || t.mode(i));
            let text = w.op("Tiler::to_string", || t.to_string());
            assert_eq!(w.ok("Tiler::parse", || Tiler::parse(&text)), Some(t), "{text}");
        }
    });
}
