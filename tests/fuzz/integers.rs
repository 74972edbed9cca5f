//! Leaves, tuples, bounds, names.

use crate::watch::run;
use girih::layout::{Bound, Name};
use girih::prelude::*;

#[test]
fn integers_and_tuples_take_any_number() {
    run("integers", 3000, |g, w| {
        let (a, b, n) = (g.int(), g.int(), g.num());
        let path: Vec<u8> = (0..g.below(7)).map(|_| g.next() as u8).collect();
        let product = w.ok("mul", || a.mul(&b));
        let quotient = w.op("div_exact", || a.div_exact(&b));
        if let Some(q) = quotient {
            // a basis vector of `a` stays on the quotient
            assert_eq!(q.mul(&b), Ok(a), "{a} / {b} = {q}");
        }
        if let Some(p) = product
            && b.coefficient() != 0
            && b.value().is_some()
        {
            assert_eq!(w.op("div_exact", || p.div_exact(&b)), Some(a), "{a} * {b} = {p}");
        }
        let up = w.ok("Int::ceil_div", || a.ceil_div(n));
        if let (Some(x), Some(Some(q))) = (a.value(), up.map(|q| q.value())) {
            assert_eq!(q as i128, -(-(x as i128)).div_euclid(n as i128), "{x} / {n}");
        }
        let less = w.op("le", || a.le(&b));
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            assert_eq!(less, Some(x <= y));
        }
        let at = w.ok("Int::at", || a.at(&path));
        for v in [Some(a), product, quotient, up, at].into_iter().flatten() {
            let text = w.op("Int::to_string", || v.to_string());
            let _ = w.op("Int::queries", || (v.value(), v.is_known(), v.is_underscore(), v.coefficient()));
            if let Some(read) = w.ok("Int::parse", || Int::parse(&text)) {
                assert_eq!(read, v, "{text}");
            } else if !v.is_underscore() {
                panic!("{text} is not read");
            }
        }
        let values = g.values();
        if let (Some(p), Some(x), Some(y)) =
            (product, w.ok("Int::bind", || a.bind(&values)), w.ok("Int::bind", || b.bind(&values)))
            && let Ok(z) = x.mul(&y)
        {
            assert_eq!(p.bind(&values), Ok(z), "{a} * {b}");
        }
        if let (Some(x), Some(y)) =
            (a.bind(&values).ok().and_then(|v| v.value()), b.bind(&values).ok().and_then(|v| v.value()))
            && let Some(less) = less
        {
            assert_eq!(less, x <= y, "{a} <= {b}");
        }
        let name: String = (0..g.below(12)).map(|_| g.of(&['a', '_', '7', 'Z', 'é', '?', '\0'])).collect();
        if let Some(n) = w.ok("Name::new", || Name::new(&name)) {
            assert_eq!(n.to_string(), name);
        }
        let _ = w.ok("Int::symbol", || Int::symbol(&name, n as u32));
        let _ = w.ok("bind to a bad name", || a.bind(&[(&name, n)]));

        let (x, y) = (g.bound(), g.bound());
        let sum = w.ok("Bound::add", || x.add(&y));
        let _ = w.ok("Bound::plus", || x.plus(&a));
        let bound = w.op("Bound::of", || Bound::of(&a));
        let _ = w.op("Bound::value", || (x.value(), bound.value(), x.terms().len()));
        let text = w.op("Bound::to_string", || x.to_string());
        assert!(!text.is_empty());
        if let (Some(s), Some(p), Some(q)) =
            (sum, w.ok("Bound::bind", || x.bind(&values)), w.ok("Bound::bind", || y.bind(&values)))
            && let (Ok(s), Ok(pq)) = (s.bind(&values), p.add(&q))
            && let (Some(s), Some(pq)) = (s.value(), pq.value())
        {
            assert_eq!(s, pq, "{x} + {y}");
        }
    });
}

#[test]
fn tuples_take_any_number() {
    run("tuples", 3000, |g, w| {
        let (s, t) = (g.tuple(), g.tuple());
        let l = g.any();
        let c = if g.one_in(2) { g.coord(&l) } else { t };
        let n = g.num();
        let i = g.place(s.rank());
        let _ = w.op("tuple queries", || {
            (s.leaves(), s.rank(), s.depth(), s.known().is_some(), s.as_int(), s.is_int(), s.has_underscore())
        });
        let _ = w.ok("IntTuple::mode", || s.mode(i));
        let _ = w.ok("IntTuple::get", || s.get(i));
        let product = w.ok("product", || s.product());
        let each = w.ok("product_each", || s.product_each());
        if let (Some(p), Some(each)) = (product, each) {
            assert_eq!(each.product(), Ok(p));
        }
        for x in [&t, &l.shape(), &l.stride(), &c] {
            let _ = w.ok("product_like", || s.product_like(x));
            let _ = w.ok("product_like", || x.product_like(&s));
            let _ = w.ok("inner_product", || s.inner_product(x));
            let _ = w.op("congruent", || (s.congruent(x), s.weakly_congruent(x), x.weakly_congruent(&s)));
            let _ = w.op("compatible", || (s.compatible(x), x.compatible(&s), x.compatible(x)));
            let _ = w.op("elem_less", || s.elem_less(x));
            let _ = w.op("comparisons", || (s.lex_cmp(x), s.colex_cmp(x)));
            let _ = w.ok("elem_scale", || s.elem_scale(x));
            let up = w.ok("ceil_div", || s.ceil_div(x));
            let _ = w.ok("shape_div", || s.shape_div(x));
            let rounded = w.ok("round_up", || s.round_up(x));
            if let (Some(q), Some(r)) = (up, rounded)
                && let (Ok(p), Ok(r)) = (s.product(), r.product())
                && let (Some(p), Some(r)) = (p.value(), r.value())
                && s.known().is_some_and(|v| v.iter().all(|&v| v > 0))
            {
                assert!(r >= p, "{s} rounded up to {x}: {r} from {q}");
            }
        }
        assert!(w.ok("inner_product", || c.inner_product(&c)).is_none_or(|v| v >= 0));
        let _ = w.ok("min", || s.min());
        let _ = w.ok("max", || s.max());
        let _ = w.ok("gcd", || s.gcd());
        let _ = w.op("IntTuple::flatten", || s.flatten());
        let _ = w.ok("ceil_div_by", || s.ceil_div_by(&l));
        let tiler = g.tiler(&l);
        let _ = w.op("evenly_divides", || s.evenly_divides(&tiler));
        let even = w.op("evenly_divides", || l.shape().evenly_divides(&tiler));
        if let (Some(false), true) = (even, l.is_known()) {
            assert!(l.zipped_divide(&tiler).is_err(), "{l} / {tiler}");
        }
        if let Some(at) = w.ok("idx2crd", || l.shape().idx2crd(n)) {
            assert_eq!(w.ok("crd2idx", || l.shape().crd2idx(&at)), Some(n));
        }
        let _ = w.ok("idx2crd", || s.idx2crd(n));
        let _ = w.ok("crd2idx", || s.crd2idx(&c));
        let _ = w.ok("crd2crd", || l.shape().crd2crd(&c));
        let _ = w.ok("crd2crd", || s.crd2crd(&t));
        let values = g.values();
        let _ = w.ok("IntTuple::bind", || s.bind(&values));
        if let Some(r) = w.ok("domain_distribute", || s.domain_distribute(n))
            && s.product().is_ok_and(|p| p.value().is_some_and(|p| p <= 4096))
        {
            crate::watch::law(girih::algebra::laws::domain_distribute(&s, n, &r), || format!("{s}, {n}: {r}"));
        }
        let text = w.op("IntTuple::to_string", || s.to_string());
        assert_eq!(w.ok("IntTuple::parse", || IntTuple::parse(&text)), Some(s), "{text}");
        let shape = w.ok("Tiler::shape", || Tiler::shape(&s));
        if let Some(t) = shape {
            let text = w.op("Tiler::to_string", || t.to_string());
            assert_eq!(w.ok("Tiler::parse", || Tiler::parse(&text)), Some(t), "{text}");
        }
        for make in [Layout::column_major, Layout::row_major, Layout::identity] {
            let _ = w.ok("compact layouts", || make(&s));
        }
        let _ = w.ok("ordered", || Layout::ordered(&s, &t));
        let order = if g.one_in(2) { l.shape() } else { l.stride() };
        let _ = w.ok("ordered", || Layout::ordered(&l.shape(), &order));
        let _ = w.ok("Layout::new", || Layout::new(&s, &t));
        let _ = w.ok("Layout::new", || Layout::new(&s, &s));
    });
}
