//! Tensors of every storage.

use crate::watch::run;
use girih::prelude::*;

#[test]
fn tensors_take_any_coordinate() {
    run("tensors", 600, |g, w| {
        let l = g.small();
        let any = g.any();
        let (c, t, n, i) = (g.coord(&l), g.tiler(&l), g.num(), g.place(l.rank()));
        let memory: Vec<i64> = (0..g.below(700) as i64).collect();
        let _ = w.ok("Tensor::new", || Tensor::new(memory.as_slice(), any).map(|_| ()));
        let base = l.image_range().unwrap().0.saturating_neg();
        let _ = w.ok("with_base", || Tensor::with_base(memory.as_slice(), n, l).map(|_| ()));
        let x = Tensor::from_fn(l, |i| i).unwrap();
        assert_eq!(x.base(), base);
        let v = x.view();
        let threads = g.small();
        let index = g.below(threads.size().unwrap() as u64) as i64;
        let b = g.right(&l);
        let _ = w.ok("get", || v.get(c).map(|_| ()));
        let _ = w.ok("get", || v.get(n).map(|_| ()));
        let _ = w.ok("get", || v.get([n, n]).map(|_| ()));
        let _ = w.ok("get", || v.get(((n, 0u64), u64::MAX)).map(|_| ()));
        let mut made = vec![v];
        made.extend(w.ok("slice", || v.slice(c)));
        made.extend(w.ok("domain_offset", || v.domain_offset(c)));
        made.extend(w.ok("mode", || v.mode(i)));
        made.extend(w.ok("take", || v.take(i, l.rank())));
        made.extend(w.ok("select", || v.select(&[i, 0])));
        made.extend(w.ok("group", || v.group(0, i)));
        made.push(w.op("flatten", || v.flatten()));
        made.extend(w.ok("compose", || v.compose(&b)));
        made.extend(w.ok("compose_by_mode", || v.compose_by_mode(&t)));
        made.extend(w.ok("with_shape", || v.with_shape(&b.shape())));
        made.push(w.op("coalesce", || v.coalesce()));
        made.push(w.op("filter", || v.filter()));
        made.push(w.op("filter_zeros", || v.filter_zeros()));
        made.extend(w.ok("logical_divide", || v.logical_divide(&b)));
        made.extend(w.ok("logical_divide_by_mode", || v.logical_divide_by_mode(&t)));
        made.extend(w.ok("zipped_divide", || v.zipped_divide(&t)));
        made.extend(w.ok("tiled_divide", || v.tiled_divide(&t)));
        made.extend(w.ok("flat_divide", || v.flat_divide(&t)));
        made.extend(w.ok("inner_partition", || v.inner_partition(&t, c)));
        made.extend(w.ok("outer_partition", || v.outer_partition(&t, c)));
        made.extend(w.ok("local_tile", || v.local_tile(&t, c)));
        made.extend(w.ok("local_tile_projected", || v.local_tile_projected(&t, c, &c)));
        made.extend(w.ok("local_partition", || v.local_partition(&threads, index)));
        made.extend(w.ok("local_partition_projected", || v.local_partition_projected(&threads, index, &c)));
        made.extend(w.ok("with_layout", || v.with_layout(b)));
        let pick = made[g.below(made.len() as u64) as usize];
        if pick.size() <= 2048 {
            let text = w.op("Tensor::to_string", || pick.to_string());
            assert!(!text.is_empty());
            let compact = w.ok("to_compact", || pick.to_compact()).unwrap();
            assert_eq!(compact.iter().collect::<Vec<_>>(), pick.iter().collect::<Vec<_>>());
            assert_eq!(w.op("reduce", || pick.reduce(0i64, |a, &x| a ^ x)), compact.iter().fold(0, |a, x| a ^ x));
        }
        let mut y = x.clone();
        let mut z = y.view_mut();
        let _ = z.get_mut(c).map(|x| *x = 1);
        let _ = z.copy_from(&pick);
        let _ = z.axpby(1, &pick, 0);
        z.fill(3);
        z.transform(|x| x - 3);
        z.clear();
        for bytes in [
            w.ok("recast", || x.recast::<u8>().map(|r| r.size())),
            w.ok("recast", || x.recast::<u128>().map(|r| r.size())),
        ] {
            assert!(bytes.is_none_or(|n| n >= 1));
        }
        let narrow = Tensor::from_fn(l, |i| i as u8).unwrap();
        let _ = w.ok("recast", || narrow.recast::<u32>().map(|r| r.to_string()));

        let guarded = [
            w.ok("zipped_divide_ceil", || v.zipped_divide_ceil(&t)),
            w.ok("local_tile_ceil", || v.local_tile_ceil(&t, c)),
            w.ok("local_tile_projected_ceil", || v.local_tile_projected_ceil(&t, c, &c)),
            w.ok("local_partition_ceil", || v.local_partition_ceil(&threads, index)),
            w.ok("local_partition_projected_ceil", || v.local_partition_projected_ceil(&threads, index, &c)),
        ];
        for p in guarded.into_iter().flatten().filter(|p| p.part().layout.size().is_ok_and(|n| n <= 2048)) {
            let _ = w.ok("GuardedTensor::get", || p.get(c).map(|_| ()));
            let _ = w.ok("GuardedTensor::get", || p.get(n).map(|_| ()));
            let _ = w.ok("GuardedTensor::slice", || p.slice(c).map(|_| ()));
            let _ = w.ok("GuardedTensor::local_partition", || p.local_partition(&threads, index).map(|_| ()));
            let _ = w.ok("whole", || p.whole().map(|_| ()));
            let _ = w.op("GuardedTensor::to_string", || p.to_string());
            let loaded = w.ok("load", || p.load(-7)).unwrap();
            let listed: Vec<i64> = p.iter().unwrap().map(|x| x.copied().unwrap_or(-7)).collect();
            assert_eq!(loaded.iter().copied().collect::<Vec<_>>(), listed, "{}", p.part());
        }

        if let Some(x) = w.ok("counting", || Tensor::counting(any)) {
            let _ = w.ok("Counting::get", || x.get(n));
            let _ = w.ok("Counting::get", || x.get(c));
            let _ =
                w.ok("Counting::domain_offset", || Ok::<_, LayoutError>(x.domain_offset(c)?.iter().take(5).count()));
            let _ = w.op("Counting::iter", || x.iter().take(5).collect::<Vec<_>>());
        }
        let shape = g.tuple();
        let axes = g.coordinates();
        for x in [
            w.ok("identity", || Tensor::identity(&shape)),
            w.ok("coordinates", || Tensor::coordinates(axes)),
            w.ok("coordinates", || Tensor::coordinates(any)),
        ] {
            let Some(x) = x else { continue };
            let _ = w.ok("Coordinates::get", || x.get(n));
            let _ = w.ok("Coordinates::get", || x.get(c));
            let _ = w.ok("Coordinates::slice", || x.slice(c).map(|_| ()));
            if x.size() <= 512 {
                let _ = w.op("Coordinates::to_string", || x.to_string());
            }
            for (i, at) in x.iter().take(5).enumerate() {
                let Ok(at) = at else { continue };
                assert_eq!(
                    x.layout().coord_at(i as i64).map(|c| c.product().ok()),
                    Ok(at.product().ok()),
                    "{}",
                    x.layout()
                );
            }
        }
    });
}
