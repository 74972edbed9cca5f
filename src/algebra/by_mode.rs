//! Divides and products mode by mode, and how tiles and rests are arranged.

use super::compose::compose_into;
use super::divide::{Guard, Guarded, divide_into};
use super::exact::CONST_BUDGET;
use super::product::product;
use super::symbolic::at_path;
use crate::layout::{Int, IntTuple, Layout, LayoutError, MODES, Nest, Tiler, Writer, divmod};

/// What is done to each mode.
#[derive(Clone, Copy)]
pub(crate) enum Split {
    Divide,
    /// the number of tiles rounded up
    DivideCeil,
    Product,
}

/// The arrangement of tiles and rests.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Logical,
    Zipped,
    Tiled,
    Flat,
}

pub(crate) const fn by_mode(a: &Layout, t: &Tiler, how: Split, order: Order) -> Result<Layout, LayoutError> {
    match order {
        Order::Logical => split(a, t, how, true),
        Order::Zipped => split(a, t, how, false),
        Order::Tiled => unpack(&tri!(split(a, t, how, false)), false),
        Order::Flat => unpack(&tri!(split(a, t, how, false)), true),
    }
}

/// The division rounded up: what happens to the values happens to the coordinates.
pub(crate) const fn guarded(a: &Layout, t: &Tiler, order: Order) -> Result<Guarded, LayoutError> {
    let (coords, limit) = tri!(coordinates(a, t, &mut [0; 4], 0));
    let layout = tri!(by_mode(a, t, Split::DivideCeil, order));
    let coord = refined(&tri!(by_mode(&coords, t, Split::DivideCeil, order)), &layout);
    Ok(Guarded { layout, guard: Guard { coord, limit } })
}

/// The coordinates with the nesting of the values, whose leaves a composition may have refined. (Of symbolic shapes only where
/// that is seen; the one-dimensional coordinates agree in any case.)
pub(crate) const fn refined(coord: &Layout, values: &Layout) -> Layout {
    if coord.congruent(values) {
        return *coord;
    }
    let mut l = Layout::BLANK;
    match Layout::column_major(&values.shape()) {
        Ok(shape) => match compose_into(coord, &shape, false, CONST_BUDGET, &mut l) {
            Ok(()) => l,
            Err(_) => *coord,
        },
        Err(_) => *coord,
    }
}

/// Where each leaf of the tiler has its mode of `a`: the identity on its one-dimensional coordinate at that place, and its size.
/// Modes that are left alone keep their nesting.
const fn coordinates(
    a: &Layout,
    t: &Tiler,
    path: &mut [u8; 4],
    depth: usize,
) -> Result<(Layout, IntTuple), LayoutError> {
    if t.is_leaf() {
        let size = tri!(a.size_int());
        let path = path.split_at(depth).0;
        let coord = if tri!(t.get(0)).is_some() {
            let mut w = Writer::NEW;
            // continued past its size, so a stride even where that is 1
            tri!(w.leaf(&size, &tri!(Int::known(1).at(path))));
            w.finish()
        } else {
            tri!(at_path(&tri!(Layout::column_major(&a.shape())), path))
        };
        return Ok((coord, tri!(IntTuple::leaf(&size))));
    }
    if depth == path.len() {
        // a basis vector has at most four steps
        return Err(LayoutError::TooManyFactors);
    }
    let (mut coords, mut limits) = (Writer::NEW, Writer::NEW);
    coords.open();
    limits.open();
    let (rank, of) = (t.rank(), a.rank());
    let mut i = 0;
    while i < of {
        path[depth] = i as u8;
        let sub = if i < rank { tri!(t.mode(i)) } else { Tiler::KEEP };
        let (coord, limit) = tri!(coordinates(&tri!(a.mode(i)), &sub, path, depth + 1));
        tri!(coords.mode(&coord));
        tri!(limits.mode(&limit.0));
        i += 1;
    }
    tri!(coords.close());
    tri!(limits.close());
    Ok((coords.finish(), IntTuple(limits.finish())))
}

/// `logical` keeps (tile, rest) together mode by mode, else they are gathered to ((tiles),(rests)).
const fn split(a: &Layout, t: &Tiler, how: Split, logical: bool) -> Result<Layout, LayoutError> {
    if t.is_leaf() {
        return one(a, &tri!(t.get(0)), how, logical);
    }
    let (rank, of) = (t.rank(), a.rank());
    if rank > of {
        return Err(LayoutError::RankTooHigh { rank, of });
    }
    let flat = t.nest.same(&Nest::flat(rank));
    if flat && !matches!(how, Split::Product) && is_plain(a, t, rank) {
        return split_plain(a, t, rank, matches!(how, Split::DivideCeil), logical);
    }
    let (mut tiles, mut rests) = (Writer::NEW, Writer::NEW);
    tiles.open();
    if !logical {
        tiles.open();
        rests.open();
    }
    let mut i = 0;
    while i < of {
        let mode = tri!(a.mode(i));
        let piece = if i >= rank {
            tri!(one(&mode, &None, how, logical))
        } else if flat {
            tri!(one(&mode, &tri!(t.get(i)), how, logical))
        } else {
            tri!(split(&mode, &tri!(t.mode(i)), how, logical))
        };
        if logical {
            tri!(tiles.mode(&piece));
        } else {
            if i < rank {
                tri!(piece.write_modes(&mut tiles, 0, 1));
            }
            tri!(piece.write_modes(&mut rests, 1, 2));
        }
        i += 1;
    }
    tri!(tiles.close());
    if !logical {
        tri!(rests.close());
        tri!(tiles.mode(&rests.finish()));
        tri!(tiles.close());
    }
    let l = tiles.finish();
    tri!(l.check());
    Ok(l)
}

/// Known modes of one leaf each by integer tiles `n:e` of more than one element: what nearly all tilers meet.
const fn is_plain(a: &Layout, t: &Tiler, rank: usize) -> bool {
    if a.packed || t.entries.packed || !t.entries.nest.same(&Nest::flat(rank)) {
        return false;
    }
    let mut start = [0; MODES + 1];
    a.mode_starts(&mut start);
    let mut i = 0;
    while i < rank {
        let kept = t.keep >> i & 1 == 1;
        if start[i + 1] != i + 1 || !kept && (t.entries.shape[i] == 1 || t.entries.stride[i] < 1) {
            return false;
        }
        i += 1;
    }
    true
}

/// [`split`] where it is linear: mode `s:d` by tile `n:e` is `n:de`, then the gap `e:d` inside a span of `n e`, then the spans.
const fn split_plain(a: &Layout, t: &Tiler, rank: usize, ceil: bool, logical: bool) -> Result<Layout, LayoutError> {
    let (mut tiles, mut rests) = (Writer::NEW, Writer::NEW);
    tiles.open();
    if !logical {
        tiles.open();
        rests.open();
    }
    let mut i = 0;
    while i < rank {
        let (s, d) = (a.shape[i], a.stride[i]);
        let (n, e) = (t.entries.shape[i], t.entries.stride[i]);
        if t.keep >> i & 1 == 1 {
            if logical {
                tri!(a.write_modes(&mut tiles, i, i + 1));
            } else {
                tri!(tiles.known(1, 0));
                tri!(a.write_modes(&mut rests, i, i + 1));
            }
            i += 1;
            continue;
        }
        let Some(span) = n.checked_mul(e) else { return Err(LayoutError::Overflow) };
        let (mut spans, rest) = divmod(s, span);
        if rest != 0 {
            if !ceil {
                return Err(LayoutError::NotDivisible { extent: s, by: span });
            }
            spans += 1;
        }
        let (Some(place), Some(next)) = (d.checked_mul(e), d.checked_mul(span)) else {
            return Err(LayoutError::Overflow);
        };
        if logical {
            tiles.open();
        }
        tri!(tiles.known(n, place));
        let out = if logical { &mut tiles } else { &mut rests };
        if e > 1 && spans > 1 {
            out.open();
            tri!(out.known(e, d));
            tri!(out.known(spans, next));
            tri!(out.close());
        } else if e > 1 {
            tri!(out.known(e, d));
        } else if spans > 1 {
            tri!(out.known(spans, next));
        } else {
            tri!(out.known(1, 0));
        }
        if logical {
            tri!(tiles.close());
        }
        i += 1;
    }
    let of = a.rank();
    tri!(a.write_modes(if logical { &mut tiles } else { &mut rests }, rank, of));
    tri!(tiles.close());
    if !logical {
        tri!(rests.close());
        tri!(tiles.mode(&rests.finish()));
        tri!(tiles.close());
    }
    let l = tiles.finish();
    tri!(l.check());
    Ok(l)
}

/// One mode by one leaf of the tiler; without one it is all rest (or, kept together, itself).
const fn one(a: &Layout, t: &Option<Layout>, how: Split, logical: bool) -> Result<Layout, LayoutError> {
    match (t, how) {
        (None, _) if logical => Ok(*a),
        (None, _) => Layout::tuple(&[Layout::UNIT, *a]),
        (Some(t), Split::Product) => product(a, t),
        (Some(t), _) => {
            let (mut pair, mut l) = (Layout::BLANK, Layout::BLANK);
            tri!(divide_into(a, t, matches!(how, Split::DivideCeil), &mut pair, &mut l));
            Ok(l)
        }
    }
}

/// `((tile),(rest))` with the rests (and, if `both`, the tiles) as modes of the whole.
const fn unpack(l: &Layout, both: bool) -> Result<Layout, LayoutError> {
    let (tile, rest) = (tri!(l.mode(0)), tri!(l.mode(1)));
    let mut w = Writer::NEW;
    w.open();
    if both {
        tri!(tile.write_modes(&mut w, 0, tile.rank()));
    } else {
        tri!(w.mode(&tile));
    }
    tri!(rest.write_modes(&mut w, 0, rest.rank()));
    tri!(w.close());
    Ok(w.finish())
}
