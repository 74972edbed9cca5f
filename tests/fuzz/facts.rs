//! What the hardware does with anything.

use crate::watch::run;
use girih::gpu::facts::{Access, Request, banks, choose_swizzle, difference, sectors, vectors};
use girih::layout::Drawable;

#[test]
fn facts_of_anything() {
    run("facts", 300, |g, w| {
        let (l, other) = (if g.one_in(3) { g.any() } else { g.small() }, g.small());
        // evaluation takes its time for each value
        if [l, other].iter().any(|l| l.size().is_ok_and(|n| n > 4096)) {
            return;
        }
        let n = if g.one_in(4) { g.num() as usize } else { 1 << g.below(6) };
        let access = g.of(&[Access::Load(n), Access::Store(n), Access::Ldmatrix(n), Access::Stmatrix(n)]);
        let bits = if g.one_in(4) { g.num() as usize } else { 1 << g.below(8) };
        if let Some(found) = w.ok("banks", || banks(&l, bits, access)) {
            assert!(found.ways() >= 1 && found.wavefronts() >= found.ideal() && !found.to_string().is_empty());
            let patterns: [(&dyn Drawable, Access); 1] = [(&l, access)];
            if let Some(s) = w.ok("choose_swizzle", || choose_swizzle(&patterns, bits)) {
                let free = l.swizzled(&s).map(|c| banks(&c, bits, access).map(|b| b.conflicts()));
                assert_eq!(free.map_err(|e| e.to_string()), Ok(Ok(0)), "{l} {bits} {access} {s}");
            }
        }
        if let Some(found) = w.ok("sectors", || sectors(&l, bits, n)) {
            assert!(found.efficiency() > 0.0 && found.efficiency() <= 1.0 && found.lines() <= found.sectors());
        }
        if let Some(found) = w.ok("vectors", || vectors(&l, bits))
            && found.width > 0
        {
            let works = |bytes| Request::all(&l, bits, Access::Load(bytes)).is_ok();
            let negative = l.image_range().is_ok_and(|(min, _)| min < 0);
            assert!(works(found.width) || negative || !bits.is_power_of_two(), "{l} {bits} {found:?}");
        }
        if let Some(None) = w.ok("difference", || difference(&l, &other)) {
            assert!(l.same_function(&other));
        }
        let lanes: Vec<_> = (0..g.below(40)).map(|_| (!g.one_in(4)).then(|| g.num())).collect();
        if let Some(request) = w.ok("Request::new", || Request::new(access, &lanes)) {
            let (by, served) = (g.num(), request.banks());
            assert_eq!(served.wavefronts(), served.phases.iter().map(|p| p.ways).sum::<usize>());
            let _ = w.ok("moved", || request.moved(by));
            let _ = w.ok("Request::sectors", || request.sectors());
        }
    });
}
