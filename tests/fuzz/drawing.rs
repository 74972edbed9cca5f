//! Pictures and tables of anything.

use crate::watch::run;
use girih::layout::draw::{Background, CELLS, Color};
use girih::prelude::*;

#[test]
fn anything_can_be_drawn() {
    run("drawings", 120, |g, w| {
        let l = if g.one_in(3) { g.any() } else { g.small() };
        let (tile, title) = (
            if g.one_in(2) { g.tuple() } else { IntTuple::int(l.cosize().unwrap_or(8).clamp(1, 256)) },
            g.next().to_string(),
        );
        // a picture takes its time for each cell
        let long = |n: i64| n > 512 && n <= CELLS;
        if l.size().is_ok_and(long) || tile.product().is_ok_and(|p| p.value().is_some_and(long)) {
            return;
        }
        let _ = w.ok("table", || l.table().map(|t| t.to_string()));
        let _ = w.ok("latex", || l.latex());
        let (unit, access) =
            if g.one_in(3) { (g.num() as usize, g.num() as usize) } else { (1 << g.below(5), 1 << g.below(6)) };
        let drawings = [
            w.ok("Drawing::of", || Drawing::of(&l)),
            w.ok("Drawing::tv", || Drawing::tv(&l, &tile)),
            w.ok("Drawing::banks", || Drawing::banks(&l, unit, access)),
        ];
        let wild = (g.tuple(), |i: i64| i.wrapping_mul(i64::MAX / 3));
        let small = wild.0.product().is_ok_and(|p| p.value().is_some_and(|n| n <= 512));
        let more = if small { w.ok("Drawing::of", || Drawing::of(&wild)) } else { None };
        let banks = if small { w.ok("Drawing::banks", || Drawing::banks(&wild, unit, access)) } else { None };
        let color = g.of(&[Color::Value, Color::Thread, Color::Tile]);
        let back = g.of(&[Background::Auto, Background::Light, Background::Dark, Background::Transparent]);
        for d in drawings.into_iter().chain([more, banks]).flatten() {
            let d = d.color(color).background(back).title(title.as_str());
            assert!(w.op("svg", || d.svg()).ends_with("</svg>\n"));
            assert!(w.op("latex", || d.latex()).contains("tikzpicture"));
        }
    });
}
