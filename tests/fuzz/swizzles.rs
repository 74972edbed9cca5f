//! Swizzles and swizzled layouts.

use crate::watch::run;
use girih::algebra::smem_atom;
use girih::layout::Unit;
use girih::prelude::*;

fn small(c: &Composed) -> bool {
    c.inner().is_known() && c.size().is_ok_and(|n| n <= 1024)
}

#[test]
fn swizzles_take_any_number() {
    run("swizzles", 3000, |g, w| {
        let (s, t, x, n) = (g.swizzle(), g.swizzle(), g.num(), g.num());
        if let Some(y) = w.ok("Swizzle::at", || s.at(x)) {
            assert!(y >= 0);
            assert_eq!(s.inverse().at(y), Ok(x), "{s}");
        }
        if let Some(st) = w.ok("Swizzle::compose", || s.compose(&t))
            && x >= 0
        {
            assert_eq!(st.at(x), s.at(t.at(x).unwrap()), "{s} o {t} = {st}");
        }
        let k = 1 << g.below(8);
        for n in [n, k] {
            if let Some(u) = w.ok("Swizzle::upcast", || s.upcast(n))
                && let (0..0x4000_0000, 1..0x1000_0000) = (x, n)
            {
                assert_eq!(u.at(x).unwrap() * n, s.at(x * n).unwrap(), "{s} in words of {n} is {u}");
            }
            if let Some(d) = w.ok("Swizzle::downcast", || s.downcast(n))
                && let (0..0x4000_0000, 1..0x1000_0000) = (x, n)
            {
                assert_eq!(d.at(x * n).unwrap(), s.at(x).unwrap() * n, "{s} in parts of {n} is {d}");
            }
        }
        let unit = w.ok("Unit::elements", || Unit::elements(n as u16)).unwrap_or(Unit::BYTES);
        let on = g.of(&[Unit::ANY, Unit::BITS, Unit::BYTES, unit]);
        let _ = w.ok("Swizzle::recast", || s.on(on).recast(unit));
        let masks = (g.num() as u64, g.num() as u64);
        let _ = w.ok("from_masks", || Swizzle::from_masks(masks.0, masks.1));
        assert_eq!(
            w.ok("from_masks", || Swizzle::from_masks(s.source_mask(), s.target_mask())).map(|t| t.at(x.max(0))),
            Some(s.at(x.max(0)))
        );
        let _ = w.op("swizzle queries", || {
            (s.bits(), s.base(), s.shift(), s.unit().width(), s.is_identity(), s.max_alignment())
        });
        let s = s.on(on);
        let text = w.op("Swizzle::to_string", || s.to_string());
        assert_eq!(w.ok("Swizzle::parse", || Swizzle::parse(&text)), Some(s));
        let (major, kind) = (
            g.of(&[Major::K, Major::MN]),
            g.of(&[SmemSwizzle::Interleave, SmemSwizzle::B32, SmemSwizzle::B64, SmemSwizzle::B128]),
        );
        let _ = w.ok("smem_atom", || smem_atom(major, kind, g_bits(n)));
    });
}

fn g_bits(n: i64) -> u16 {
    n as u16
}

/// The values of `r` are those of `c` at the same coordinates.
fn same(c: &Composed, r: &Composed, what: &str) {
    for i in 0..c.size().unwrap() {
        assert_eq!(r.at(i), c.at(i), "{what} of {c} is {r}: at {i}");
    }
}

#[test]
fn swizzled_layouts_keep_their_values() {
    run("swizzled", 2000, |g, w| {
        let c = g.composed();
        let o = g.composed();
        let (n, i, j) = (g.num(), g.place(c.rank()), g.place(c.rank() + 1));
        let l = c.inner();
        let _ = w.op("queries", || {
            (
                c.rank(),
                c.depth(),
                c.leaves(),
                c.shape(),
                c.profile(),
                c.is_plain(),
                c.unit(),
                c.swizzle(),
                c.swizzles().len(),
                c.offset(),
            )
        });
        let _ = w.ok("size", || c.size());
        let _ = w.ok("size_int", || c.size_int());
        let _ = w.ok("at", || c.at(n));
        let _ = w.ok("at_extended", || c.at_extended(n));
        let _ = w.ok("at_coord", || c.at_coord([n, 1]));
        let crd = g.coord(l);
        let _ = w.ok("at_crd", || c.at_crd(&crd));
        let _ = w.ok("at_crd_extended", || c.at_crd_extended(&crd));
        let range = w.ok("image_range", || c.image_range());
        let cosize = w.ok("cosize", || c.cosize());
        if let (Some((a, b)), Some(n)) = (range, cosize) {
            assert_eq!(b - a + 1, n);
        }
        if let (true, Some((a, b))) = (small(&c), range) {
            assert!((0..c.size().unwrap()).all(|i| (a..=b).contains(&c.at(i).unwrap())), "{c}: {a}..={b}");
        }
        let text = w.op("Composed::to_string", || c.to_string());
        assert_eq!(w.ok("Composed::parse", || Composed::parse(&text)), Some(c), "{text}");
        let decay = w.op("decay", || c.decay());
        if let (true, Some((plain, at))) = (small(&c), decay) {
            assert!(c.shape().compatible(&plain.shape()), "{c} is {plain}");
            for i in 0..c.size().unwrap() {
                assert_eq!(c.at(i), Ok(at + plain.at(i).unwrap()), "{c} is {at} o {plain}: at {i}");
            }
        }
        let d = w.op("decayed", || c.decayed());
        let f = w.op("coalesce", || c.coalesce());
        let flat = w.op("flatten", || c.flatten());
        if small(&c) {
            for (r, what) in [(d, "decayed"), (f, "coalesce"), (flat, "flatten")] {
                same(&c, &r, what);
            }
        }
        let s = g.swizzle();
        if let Some(r) = w.ok("swizzled", || c.swizzled(&s))
            && small(&c)
        {
            for i in 0..c.size().unwrap() {
                assert_eq!(r.at(i), s.at(c.at(i).unwrap()), "{s} o {c} = {r}");
            }
        }
        let _ = w.ok("slice_and_offset", || c.slice_and_offset(&crd));
        if let Some(r) = w.ok("slice", || c.slice(&crd))
            && small(&c)
            && let Ok((kept, fixed)) = l.slice(&crd)
            && let Some(fixed) = fixed.value()
        {
            for i in 0..kept.size().unwrap() {
                let x = c.offset() + fixed + kept.at(i).unwrap();
                let v = c.swizzles().iter().rev().fold(x, |v, s| s.at(v).unwrap());
                assert_eq!(r.at(i), Ok(v), "{c} at {crd} is {r}");
            }
        }
        let _ = w.ok("domain_offset", || c.domain_offset(&crd));
        let values = g.values();
        let _ = w.ok("bind", || c.bind(&values));
        let _ = w.ok("mode", || c.mode(i));
        let _ = w.ok("take", || c.take(i, j));
        let _ = w.ok("select", || c.select(&[i, j, 0]));
        let _ = w.ok("reverse", || c.reverse());
        let _ = w.ok("unflatten", || c.unflatten(&o.profile()));
        let _ = w.ok("group", || c.group(i, j));
        let _ = w.ok("append", || c.append(o.inner()));
        let _ = w.ok("prepend", || c.prepend(o.inner()));
        let _ = w.ok("insert", || c.insert(i, o.inner()));
        let _ = w.ok("replace", || c.replace(i, o.inner()));
        let _ = w.ok("pad_rank", || c.pad_rank(j));
        let _ = w.ok("zip", || c.zip(o.inner()));
        let _ = w.ok("transpose", || c.transpose());
        let _ = w.ok("dice", || c.dice(&crd));
        let _ = w.op("filters", || (c.filter(), c.filter_zeros()));
        let _ = w.ok("coalesce_by_mode", || c.coalesce_by_mode(&crd));
        let _ = w.ok("filter_by_mode", || c.filter_by_mode(&crd));
    });
}

#[test]
fn the_algebra_of_swizzled_layouts_holds() {
    run("swizzled algebra", 700, |g, w| {
        let c = g.composed();
        let l = c.inner();
        let (b, t, s, n) = (g.right(l), g.tiler(l), g.tuple(), g.num());
        for (extended, r) in
            [(false, w.ok("compose", || c.compose(&b))), (true, w.ok("compose_extended", || c.compose_extended(&b)))]
        {
            if let Some(r) = r
                && small(&r)
                && l.is_known()
                && b.is_known()
            {
                for i in 0..b.size().unwrap() {
                    let x = b.at(i).unwrap();
                    assert_eq!(r.at(i), if extended { c.at_extended(x) } else { c.at(x) }, "{c} o {b} = {r}");
                }
            }
        }
        let _ = w.ok("compose_by_mode", || c.compose_by_mode(&t));
        let _ = w.ok("with_shape", || c.with_shape(&s));
        let _ = w.ok("logical_divide", || c.logical_divide(&b));
        let _ = w.ok("logical_divide_by_mode", || c.logical_divide_by_mode(&t));
        let _ = w.ok("zipped_divide", || c.zipped_divide(&t));
        let _ = w.ok("tiled_divide", || c.tiled_divide(&t));
        let _ = w.ok("flat_divide", || c.flat_divide(&t));
        let _ = w.ok("logical_divide_ceil", || c.logical_divide_ceil(&b));
        let _ = w.ok("logical_divide_by_mode_ceil", || c.logical_divide_by_mode_ceil(&t));
        let _ = w.ok("zipped_divide_ceil", || c.zipped_divide_ceil(&t));
        let _ = w.ok("tiled_divide_ceil", || c.tiled_divide_ceil(&t));
        let _ = w.ok("flat_divide_ceil", || c.flat_divide_ceil(&t));
        let _ = w.ok("logical_product", || c.logical_product(&b));
        let _ = w.ok("logical_product_by_mode", || c.logical_product_by_mode(&t));
        let _ = w.ok("zipped_product", || c.zipped_product(&t));
        let _ = w.ok("tiled_product", || c.tiled_product(&t));
        let _ = w.ok("flat_product", || c.flat_product(&t));
        let _ = w.ok("blocked_product", || c.blocked_product(&b));
        let _ = w.ok("raked_product", || c.raked_product(&b));
        let _ = w.ok("tile_to_shape", || c.tile_to_shape(&s));
        let _ = w.ok("tile_to_shape_ordered", || c.tile_to_shape_ordered(&s, &s));
        let _ = w.ok("tile_to_shape_ceil", || c.tile_to_shape_ceil(&s));
        let _ = w.ok("complement", || c.complement(n));
        let _ = w.ok("nullspace", || c.nullspace());

        let k = 1 << g.below(5);
        for n in [n, k] {
            let _ = w.ok("upcast", || c.upcast(n));
            if let Some(r) = w.ok("downcast", || c.downcast(n))
                && small(&r)
                && small(&c)
                && n <= 64
                && l.recast_offset(n, 1) == Ok(0)
            {
                let parts = |c: &Composed| {
                    let mut v: Vec<i64> = (0..c.size().unwrap()).map(|i| c.at(i).unwrap()).collect();
                    v.sort_unstable();
                    v
                };
                let mut expected: Vec<i64> = parts(&c).iter().flat_map(|v| (0..n).map(move |p| v * n + p)).collect();
                expected.sort_unstable();
                assert_eq!(parts(&r), expected, "downcast({c}, {n}) = {r}");
            }
            let _ = w.ok("recast", || c.recast(n, k));
            let _ = w.ok("recast", || c.recast(k, n));
        }
        if let Some(a) = w.ok("max_alignment", || c.max_alignment())
            && small(&c)
        {
            let values: std::collections::BTreeSet<i64> = (0..c.size().unwrap()).map(|i| c.at(i).unwrap()).collect();
            let whole = values.iter().all(|v| v.rem_euclid(a) == a - 1 || values.contains(&(v + 1)))
                && values.iter().all(|v| v.rem_euclid(a) == 0 || values.contains(&(v - 1)));
            assert!(whole, "max_alignment({c}) = {a}");
        }
        let o = g.composed();
        let r = w.ok("max_common_layout", || c.max_common_layout(&o));
        let v = w.ok("max_common_vector", || c.max_common_vector(&o));
        if let (Some(r), Some(v)) = (r, v) {
            assert_eq!(r.size(), Ok(v));
            if small(&c) && small(&o) && v <= 1024 {
                let first = (c.at(r.at(0).unwrap()).unwrap(), o.at(r.at(0).unwrap()).unwrap());
                for i in 0..v {
                    let at = r.at(i).unwrap();
                    assert_eq!((c.at(at).unwrap(), o.at(at).unwrap()), (first.0 + i, first.1 + i), "{c} and {o}: {r}");
                }
            }
        }
        if let Some(r) = w.ok("right_inverse", || c.right_inverse())
            && small(&c)
            && small(&r)
        {
            for i in 0..r.size().unwrap() {
                assert_eq!(c.at(r.at(i).unwrap()), Ok(i), "right_inverse({c}) = {r}");
            }
        }
        if let Some(r) = w.ok("left_inverse", || c.left_inverse())
            && small(&c)
        {
            for i in 0..c.size().unwrap() {
                let v = c.at(i).unwrap();
                let back = r.at(v).unwrap_or_else(|e| panic!("left_inverse({c}) = {r} at {v}: {e}"));
                assert_eq!(c.at(back), Ok(v), "left_inverse({c}) = {r} at {v}");
            }
        }
        let s = g.swizzle();
        let a = if g.one_in(3) { g.any() } else { g.small() };
        if let Some(r) = w.ok("compose_swizzle", || a.compose_swizzle(&s))
            && a.is_known()
            && small(&r)
        {
            for i in 0..a.size().unwrap() {
                assert_eq!(r.at(i), a.at(s.at(i).unwrap()), "{a} o {s} = {r} at {i}");
            }
        }
        if let Some(r) = w.ok("compose_swizzled", || a.compose_swizzled(&c))
            && a.is_known()
            && small(&r)
            && small(&c)
        {
            for i in 0..c.size().unwrap() {
                assert_eq!(r.at(i), a.at(c.at(i).unwrap()), "{a} o {c} = {r} at {i}");
            }
        }
        if let Some(r) = w.ok("logical_product_swizzled", || a.logical_product_swizzled(&c))
            && small(&r)
            && small(&c)
        {
            let (size, mut seen) = (a.size().unwrap(), std::collections::BTreeMap::new());
            for j in 0..c.size().unwrap() {
                let owner = c.at(j).unwrap();
                for i in 0..size {
                    let v = r.at(i + size * j).unwrap();
                    let first = *seen.entry(v).or_insert(owner);
                    assert_eq!(first, owner, "{a} x {c} = {r}: copies share {v}");
                }
            }
        }
        let _ = w.ok("Layout::swizzled", || a.swizzled(&s));
    });
}
