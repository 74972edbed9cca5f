//! The law of each operation, checked on a layout that somebody answers.

use crate::brute;
use crate::line::{Line, Tile};
use girih::algebra::laws;
use girih::layout::{Composed, IntTuple, Layout, Tiler};
use std::collections::BTreeSet;

/// Does `r` answer the line lawfully? Compositions continue their left side past its end, and divisions round up.
pub fn holds(line: &Line, r: &Layout) -> Result<(), String> {
    let law = |checked: Result<(), laws::Violation>| checked.map_err(|v| v.to_string());
    match line.op.as_str() {
        "coalesce" | "coalesce_profile" => law(laws::same_function(&line.layout(0)?, r)),
        "filter" => {
            let values = |l: &Layout| (0..l.size()?).map(|i| l.at(i)).collect::<Result<BTreeSet<_>, _>>();
            match (values(&line.layout(0)?), values(r)) {
                (Ok(a), Ok(r)) if a == r => Ok(()),
                _ => Err("the set of values is not kept".into()),
            }
        }
        "complement" => law(laws::complement(&line.layout(0)?, cotarget(line)?, r)),
        "right_inverse" => law(laws::right_inverse(&line.layout(0)?, r)),
        "left_inverse" => inverts(&line.layout(0)?, r),
        "upcast" => law(laws::upcast(&line.layout(1)?, line.int(0)?, r, 0)),
        "downcast" => law(laws::downcast(&line.layout(1)?, line.int(0)?, r, 0)),
        "make_layout_like" => law(laws::make_layout_like(&line.layout(0)?, r)),
        "composition" => match line.tile(1)? {
            Tile::One(b) => law(laws::composition_extended(&line.layout(0)?, &b, r)),
            Tile::ByMode(t) => {
                pieces(Arrangement::Logical, &line.layout(0)?, &t, r)?.iter().try_for_each(|p| match &p.tile {
                    Some(t) => law(laws::composition_extended(&p.of, t, &p.piece)),
                    None => kept(p),
                })
            }
        },
        "with_shape" => law(laws::composition_extended(&line.layout(0)?, &column_major(&line.tuple(1)?)?, r)),
        "blocked_product" | "raked_product" => {
            let (a, b) = (line.layout(0)?, line.layout(1)?);
            let product = a.logical_product(&b).map_err(|e| e.to_string())?;
            law(laws::logical_product(&a, &b, &product))?;
            let rank = a.rank().max(b.rank());
            // an integer is one mode, whatever becomes of it
            let one_mode = |l: Layout, of: &Layout| if of.depth() == 0 { Layout::tuple(&[l]) } else { Ok(l) };
            let pad = |i, of| product.mode(i).and_then(|l| one_mode(l, of)?.pad_rank(rank)).map_err(|e| e.to_string());
            let (a, b) = (pad(0, &a)?, pad(1, &b)?);
            let (first, second) = if line.op == "blocked_product" { (a, b) } else { (b, a) };
            law(laws::same_function(&first.zip(&second).map_err(|e| e.to_string())?, r))
        }
        op => {
            let (_, _, product) = tiling(line).ok_or(format!("no law is known for {op}"))?;
            parts(line, r)?.iter().try_for_each(|p| match &p.tile {
                Some(t) if product => law(laws::logical_product(&p.of, t, &p.piece)),
                Some(t) => divided(&p.of, t, &p.piece),
                None => kept(p),
            })
        }
    }
}

/// `r(a(i)) = i`, or `a(r(a(i))) = a(i)` where values of `a` repeat; `r` continued past its end, as CuTe reads it.
fn inverts(a: &Layout, r: &Layout) -> Result<(), String> {
    let repeats = brute::repeats(a);
    let back = |i| {
        let v = a.at(i)?;
        let j = r.at_extended(v)?;
        Ok(if repeats { a.at_extended(j)? == v } else { j == i })
    };
    let size = a.size().map_err(|e| e.to_string())?.min(brute::LIMIT);
    match (0..size).find(|&i| back(i).map_err(|_: girih::LayoutError| ()) != Ok(true)) {
        Some(i) => Err(format!("r(a(i)) = i: at {i}")),
        None => Ok(()),
    }
}

/// Does the swizzled `r` answer the line lawfully?
pub fn swizzled(line: &Line, r: &Composed) -> Result<(), String> {
    if line.op != "swizzle_compose_rhs" {
        return Err(format!("no law is known for {}", line.op));
    }
    let (s, a, b) = (line.swizzle(0)?, line.layout(1)?, line.layout(2)?);
    let expected = |i| s.at(a.at(b.at(i)?)?);
    if !b.shape().compatible(&r.shape()) {
        return Err("the result is compatible with the right side".into());
    }
    match (0..b.size().map_err(|e| e.to_string())?).find(|&i| r.at(i) != expected(i)) {
        Some(i) => Err(format!("r(c) = s(a(b(c))): at {i}")),
        None => Ok(()),
    }
}

/// Is it true that the line has no (strict) answer? None: too large to try.
pub fn refusable(line: &Line) -> Option<bool> {
    match line.op.as_str() {
        "shape_div" => return Some(!shape_divides(line.tuple(0).ok()?.known()?, line.int(1).ok()?)),
        "upcast" => return upcast_refusable(&line.layout(1).ok()?, line.int(0).ok()?),
        "recast_layout" => {
            let bits = |i| if line.args[i] == "uint1b_t" { Some(1) } else { (line.args[i] == "half_t").then_some(16) };
            return upcast_refusable(&line.layout(2).ok()?, bits(1)? / bits(0)?);
        }
        "swizzle_upcast" => {
            // the elements of a word do not stay one word in their order
            let (s, n) = (line.swizzle(1).ok()?, line.int(0).ok()?);
            let word = |x: i64| s.at(x - x % n).ok().filter(|w| w % n == 0);
            return Some((0..1 << 12).any(|x| word(x).map(|w| w + x % n) != s.at(x).ok()));
        }
        "swizzle_compose_rhs" => return leaves(&line.layout(1).ok()?, &line.layout(2).ok()?),
        _ => {}
    }
    let a = line.layout((line.op == "hier_unzip") as usize).ok()?;
    match line.op.as_str() {
        "left_inverse" => Some(!chain(&a)),
        "complement" => Some(interleaved(&a)),
        "composition" => match line.tile(1).ok()? {
            Tile::One(b) => Some(leaves(&a, &b)? || !brute::composes(&a, &b)?),
            Tile::ByMode(t) => any(modes(&a, &t)?, |a, b| Some(leaves(a, b)? || !brute::composes(a, b)?)),
        },
        "with_shape" => {
            let b = column_major(&line.tuple(1).ok()?).ok()?;
            Some(leaves(&a, &b)? || !brute::composes(&a, &b)?)
        }
        "tile_to_shape" => {
            let shape = line.tuple(1).ok()?;
            let divides = |i: usize| {
                let tile = if i < a.rank() { a.mode(i).and_then(|m| m.size()).unwrap() } else { 1 };
                shape.mode(i).unwrap().product().unwrap().value().unwrap() % tile == 0
            };
            if a.rank() > shape.rank() || !(0..shape.rank()).all(divides) {
                return Some(true);
            }
            // the copies go where the complement says, in some order
            let copies = shape.product().ok()?.value()? / a.size().ok()?;
            let rest = a.complement(copies * a.size().ok()?).ok()?;
            let grid = (0..shape.rank()).map(|i| {
                let tile = if i < a.rank() { a.mode(i).ok()?.size().ok()? } else { 1 };
                Some(shape.mode(i).ok()?.product().ok()?.value()? / tile)
            });
            let grid = IntTuple::flat(&grid.collect::<Option<Vec<_>>>()?).ok()?;
            let order = if line.args.len() > 2 {
                Layout::ordered(&grid, &line.tuple(2).ok()?)
            } else {
                Layout::column_major(&grid)
            };
            Some(!brute::composes(&rest, &order.ok()?)?)
        }
        "blocked_product" | "raked_product" => multiplies(&a, &line.layout(1).ok()?).map(|m| !m),
        _ => {
            let (a, _, product) = tiling(line)?;
            let refusable =
                |a: &Layout, t: &Layout| if product { Some(!multiplies(a, t)?) } else { Some(!divides(a, t)?) };
            match tile_of(line).ok()? {
                Tile::One(t) => refusable(&a, &t),
                Tile::ByMode(t) => any(modes(&a, &t)?, refusable),
            }
        }
    }
}

/// Is some mode refusable? One suffices, whatever is too large to try elsewhere.
fn any(modes: Vec<(Layout, Layout)>, refusable: impl Fn(&Layout, &Layout) -> Option<bool>) -> Option<bool> {
    let all: Vec<_> = modes.iter().map(|(a, t)| refusable(a, t)).collect();
    if all.contains(&Some(true)) { Some(true) } else { all.into_iter().collect::<Option<Vec<_>>>().map(|_| false) }
}

/// Do the extents take a divisor one after another, each dividing or divided?
fn shape_divides(extents: &[i64], by: i64) -> bool {
    let mut rest = by;
    extents.iter().all(|&s| {
        let (fits, left) = if s % rest == 0 { (true, 1) } else { (rest % s == 0, rest / s) };
        rest = left;
        fits
    })
}

/// Is there a leaf whose elements do not fill whole words of `n`?
fn upcast_refusable(a: &Layout, n: i64) -> Option<bool> {
    let (extents, strides) = a.known_leaves()?;
    Some(extents.iter().zip(strides).any(|(&s, &d)| {
        let whole = d % n == 0 || n % d == 0 && s % (n / d).abs() == 0;
        s > 1 && d != 0 && !whole
    }))
}

/// Positive strides, each a multiple of the one below it and past its span: what a left inverse in one radix needs.
fn chain(a: &Layout) -> bool {
    let (extents, strides) = a.known_leaves().unwrap();
    let mut live: Vec<_> = extents.iter().zip(strides).filter(|&(&s, &d)| s > 1 && d != 0).collect();
    live.sort_by_key(|&(_, d)| d);
    live.iter().all(|(_, d)| **d > 0) && live.windows(2).all(|w| w[1].1 % w[0].1 == 0 && *w[1].1 >= w[0].0 * w[0].1)
}

/// Does `b` leave the domain of `a`?
pub fn leaves(a: &Layout, b: &Layout) -> Option<bool> {
    let (min, max) = b.image_range().ok()?;
    Some(min < 0 || max >= a.size().ok()?)
}

/// Does the right side of a composition have values below 0?
pub fn below(line: &Line) -> bool {
    let negative = |b: &Layout| b.image_range().is_ok_and(|(min, _)| min < 0);
    line.op == "composition" && matches!(line.tile(1), Ok(Tile::One(b)) if negative(&b))
}

/// Some sorted stride lies inside the span of the modes below it, or is negative.
pub fn interleaved(a: &Layout) -> bool {
    let (extents, strides) = a.known_leaves().unwrap();
    let mut live: Vec<_> = extents.iter().zip(strides).filter(|&(&s, &d)| s > 1 && d != 0).collect();
    live.sort_by_key(|&(_, d)| d);
    let mut span = 1;
    live.into_iter().any(|(s, d)| *d < std::mem::replace(&mut span, s * d))
}

/// Does `a` divide by `t` without a rest?
fn divides(a: &Layout, t: &Layout) -> Option<bool> {
    let n = a.size().ok()?;
    if !brute::tiles(t, n)? {
        return Some(false);
    }
    let both = Layout::tuple(&[*t, t.complement(n).ok()?]).ok()?;
    brute::composes(a, &both)
}

/// Is there a layout of the copies of `a` that `t` asks for, at the places of the complement?
fn multiplies(a: &Layout, t: &Layout) -> Option<bool> {
    if interleaved(a) {
        return Some(false);
    }
    let rest = a.complement(a.cosize().ok()?.checked_mul(t.cosize().ok()?)?).ok()?;
    brute::composes(&rest, t)
}

fn cotarget(line: &Line) -> Result<i64, String> {
    let product = line.tuple(1)?.product().map_err(|e| e.to_string())?;
    product.value().ok_or("a cotarget is known".into())
}

fn column_major(shape: &IntTuple) -> Result<Layout, String> {
    Layout::column_major(shape).map_err(|e| e.to_string())
}

/// `(tile, rest)` of `a` by `t`, `a` continued past its end and the number of tiles rounded up; every element of `a` is met
/// exactly once among the coordinates that are real.
fn divided(a: &Layout, t: &Layout, piece: &Layout) -> Result<(), String> {
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let mode = |i| piece.mode(i).map_err(|e| text(&e));
    laws::composition_extended(a, t, &mode(0)?).map_err(|v| text(&v))?;
    let size = a.size().map_err(|e| text(&e))?;
    let rest = t.complement(size).map_err(|e| text(&e))?;
    let whole = Layout::tuple(&[*t, rest]).map_err(|e| text(&e))?;
    let mut met = vec![0; size as usize];
    for i in 0..whole.size().map_err(|e| text(&e))? {
        if let Some(n) = met.get_mut(whole.at(i).map_err(|e| text(&e))? as usize) {
            *n += 1;
        }
    }
    if met.iter().any(|&n| n != 1) {
        return Err("an element is in no tile or in two".into());
    }
    let places: Vec<i64> = (0..rest.size().unwrap()).map(|i| a.at_extended(rest.at(i).unwrap()).unwrap()).collect();
    let r = mode(1)?;
    let theirs =
        (0..r.size().map_err(|e| text(&e))?).map(|i| r.at(i)).collect::<Result<Vec<_>, _>>().map_err(|e| text(&e))?;
    if theirs == places { Ok(()) } else { Err("the tiles do not start where the complement says".into()) }
}

/// One mode of a tiled result: `(tile, rest)` of `of` by `tile`, or `of` itself where nothing is cut.
pub struct Part {
    pub of: Layout,
    pub tile: Option<Layout>,
    pub piece: Layout,
}

/// A mode that is left alone is whole: itself, or one rest of tiles of a single element. (C++ takes a mode of rank 2 apart.)
pub fn kept(p: &Part) -> Result<(), String> {
    let alone = p.piece.rank() == 2
        && p.piece.mode(0).and_then(|m| m.size()) == Ok(1)
        && p.piece.mode(1).is_ok_and(|rest| alike(&rest, &p.of));
    if alone || alike(&p.piece, &p.of) { Ok(()) } else { Err(format!("{} is not kept: {}", p.of, p.piece)) }
}

/// Equal but for the strides of extent-1 modes.
pub fn alike(a: &Layout, b: &Layout) -> bool {
    let (Some((shape, d)), Some((_, e))) = (a.known_leaves(), b.known_leaves()) else { return a == b };
    a.shape() == b.shape() && (0..shape.len()).all(|i| shape[i] == 1 || d[i] == e[i])
}

#[derive(Clone, Copy)]
pub enum Arrangement {
    Logical,
    Zipped,
    Tiled,
    Flat,
}

/// The left side, the arrangement, and whether it is a product.
fn tiling(line: &Line) -> Option<(Layout, Arrangement, bool)> {
    if line.op == "hier_unzip" {
        return Some((line.layout(1).ok()?, Arrangement::Zipped, line.args[0] == "logical_product"));
    }
    let (arrangement, operation) = line.op.split_once('_')?;
    let product = match operation {
        "divide" => false,
        "product" => true,
        _ => return None,
    };
    let arrangement = match arrangement {
        "logical" => Arrangement::Logical,
        "zipped" => Arrangement::Zipped,
        "tiled" => Arrangement::Tiled,
        "flat" => Arrangement::Flat,
        _ => return None,
    };
    Some((line.layout(0).ok()?, arrangement, product))
}

fn tile_of(line: &Line) -> Result<Tile, String> {
    line.tile(line.args.len() - 1)
}

fn modes(a: &Layout, t: &Tiler) -> Option<Vec<(Layout, Layout)>> {
    let mut modes = Vec::new();
    for i in 0..t.rank() {
        if let Some(tile) = t.get(i).ok()? {
            modes.push((a.mode(i).ok()?, tile));
        }
    }
    Some(modes)
}

/// What became of each mode of the left side in `r`.
pub fn parts(line: &Line, r: &Layout) -> Result<Vec<Part>, String> {
    let (a, arrangement, product) = tiling(line).ok_or("no tiling")?;
    match &tile_of(line)? {
        Tile::ByMode(t) => pieces(arrangement, &a, t, r),
        Tile::One(t) => {
            // the rest from a mode on: one mode, or the modes together
            let from = |n: usize, whole: bool| if whole { r.mode(n) } else { r.take(n, r.rank()) };
            let integer = |l: &Layout| l.depth() == 0;
            let piece = match arrangement {
                Arrangement::Logical | Arrangement::Zipped => Ok(*r),
                Arrangement::Tiled => r.mode(0).and_then(|tile| Layout::tuple(&[tile, from(1, r.rank() == 2)?])),
                Arrangement::Flat => {
                    let first = if product { &a } else { t };
                    let n = first.rank();
                    let tile = if integer(first) { r.mode(0) } else { r.take(0, n) };
                    tile.and_then(|tile| Layout::tuple(&[tile, from(n, r.rank() == n + 1)?]))
                }
            };
            Ok(vec![Part { of: a, tile: Some(*t), piece: piece.map_err(|e| e.to_string())? }])
        }
    }
}

/// The modes of a result that was tiled by mode, put together as `(tile, rest)`; modes beyond the tiler are those of `a`.
fn pieces(arrangement: Arrangement, a: &Layout, t: &Tiler, r: &Layout) -> Result<Vec<Part>, String> {
    let n = t.rank();
    let mut parts = Vec::new();
    for i in 0..a.rank() {
        let read = || {
            let pair = |tile: Layout, rest: Layout| Layout::tuple(&[tile, rest]);
            Ok(match arrangement {
                Arrangement::Logical => r.mode(i)?,
                Arrangement::Zipped if i < n => pair(r.mode(0)?.mode(i)?, r.mode(1)?.mode(i)?)?,
                Arrangement::Zipped => r.mode(1)?.mode(i)?,
                Arrangement::Tiled if i < n => pair(r.mode(0)?.mode(i)?, r.mode(1 + i)?)?,
                Arrangement::Tiled => r.mode(1 + i)?,
                Arrangement::Flat if i < n => pair(r.mode(i)?, r.mode(n + i)?)?,
                Arrangement::Flat => r.mode(n + i)?,
            })
        };
        let piece = read().map_err(|e: girih::LayoutError| e.to_string())?;
        let tile = if i < n { t.get(i).map_err(|e| e.to_string())? } else { None };
        parts.push(Part { of: a.mode(i).map_err(|e| e.to_string())?, tile, piece });
    }
    Ok(parts)
}

/// Does some tile of a division leave holes: numbers below the size of the result that no copy of it meets?
pub fn holes(line: &Line, r: &Layout) -> bool {
    let misses = |p: &Part| {
        let whole = p.piece.size().ok();
        p.tile.is_some_and(|t| whole.is_some_and(|n| brute::tiles(&t, n) == Some(false)))
    };
    parts(line, r).is_ok_and(|parts| parts.iter().any(misses))
}
