//! Tiles and partitions.

use crate::watch::run;
use girih::prelude::*;

#[test]
fn partitions_take_any_coordinate() {
    run("partitions", 1000, |g, w| {
        let a = if g.one_in(4) { g.any() } else { g.small() };
        let t = g.tiler(&a);
        let parts = a.zipped_divide_ceil(&t).ok().map(|z| z.layout);
        let c = match parts {
            Some(z) => g.coord(&z.mode(1).unwrap()),
            None => g.tuple(),
        };
        let d = match parts {
            Some(z) => g.coord(&z.mode(0).unwrap()),
            None => g.tuple(),
        };
        let _ = w.ok("inner_partition", || a.inner_partition(&t, &c));
        let _ = w.ok("outer_partition", || a.outer_partition(&t, &d));
        let tile = w.ok("local_tile", || a.local_tile(&t, &c));
        let n = t.rank() as u64 + g.below(2);
        let projection: Vec<_> = (0..n)
            .map(|_| IntTuple::leaf(&if g.one_in(3) { Int::UNDERSCORE } else { Int::known(1) }).unwrap())
            .collect();
        let projection = IntTuple::tuple(&projection).unwrap_or(IntTuple::int(1));
        let _ = w.ok("local_tile_projected", || a.local_tile_projected(&t, &c, &projection));
        let threads = if g.one_in(4) { g.any() } else { g.small() };
        let index = if g.one_in(4) { g.num() } else { g.below(threads.size().unwrap_or(4).max(1) as u64) as i64 };
        let _ = w.ok("local_partition", || a.local_partition(&threads, index));
        let _ = w.ok("local_partition_projected", || a.local_partition_projected(&threads, index, &projection));
        let guarded = [
            w.ok("inner_partition_ceil", || a.inner_partition_ceil(&t, &c)),
            w.ok("outer_partition_ceil", || a.outer_partition_ceil(&t, &d)),
            w.ok("local_tile_ceil", || a.local_tile_ceil(&t, &c)),
            w.ok("local_tile_projected_ceil", || a.local_tile_projected_ceil(&t, &c, &projection)),
            w.ok("local_partition_ceil", || a.local_partition_ceil(&threads, index)),
            w.ok("local_partition_projected_ceil", || a.local_partition_projected_ceil(&threads, index, &projection)),
        ];
        let (i, values) = (g.num(), g.values());
        for p in guarded.iter().flatten() {
            let _ = w.ok("Part::holds", || p.holds(i));
            let always = w.ok("Part::always", || p.always());
            let _ = w.op("Part::to_string", || p.to_string());
            let _ = w.ok("Part::bind", || p.bind(&values));
            let _ = w.ok("Part::narrow", || p.narrow(|l| l.local_partition(&threads, index)));
            if p.layout.size().is_ok_and(|n| n <= 1024)
                && let Some(mask) = w.ok("Part::mask", || p.mask().map(|m| m.collect::<Vec<_>>()))
            {
                assert_eq!(always, Some(mask.iter().all(|&m| m)), "{a} by {t} at {c} or {d}: {p}");
                for (i, m) in mask.into_iter().enumerate() {
                    assert_eq!(p.holds(i as i64), Ok(m), "{p} at {i}");
                    // a real element is a value of the whole
                    if let (true, Some(o), Ok((least, most)), Ok(v)) =
                        (m, p.offset.value(), a.image_range(), p.layout.at(i as i64))
                    {
                        assert!((least..=most).contains(&(o + v)), "{a} by {t} at {c} or {d}: {p} at {i}");
                    }
                }
            }
        }
        if let (Some((l, o)), Some(p)) = (tile, guarded[2]) {
            assert_eq!((l, o.value()), (p.layout, p.offset.value()), "{a} by {t} at {c}");
        }
    });
}
