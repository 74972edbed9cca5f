//! The table of operations, for `eval` and `batch` alike.

use crate::value::{Answer, Args, Failure, Tile, Value};
use girih::algebra::exact::BUDGET;
use girih::algebra::prove::{Claim, index_bits};
use girih::algebra::{Major, SmemSwizzle, smem_atom};
use girih::gpu::atom::{CopyAtom, MmaAtom};
use girih::gpu::facts::{Access, banks, choose_swizzle, sectors, vectors};
use girih::layout::{Composed, Drawable, Int, IntTuple, Layout, LayoutError};
use std::fmt;

/// An operation: `?` after a parameter makes it optional, `*` any number of it.
pub struct Op {
    pub name: &'static str,
    params: &'static str,
    run: fn(&Args) -> Answer,
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.params.replace(' ', ", "))
    }
}

/// Applies the operation called `name`.
pub fn apply(name: &str, mut args: Vec<Value>) -> Answer {
    let op = OPS.iter().find(|op| op.name == name).ok_or_else(|| unknown(name))?;
    let params: Vec<&str> = op.params.split(' ').collect();
    let least = params.iter().filter(|p| !p.ends_with(['?', '*'])).count();
    let most = if op.params.ends_with('*') { usize::MAX } else { params.len() };
    if !(least..=most).contains(&args.len()) {
        return Err(Failure::own("args", format!("{op} has {} arguments here", args.len())));
    }
    if name != "guard" {
        args = args.into_iter().map(Value::unguarded).collect();
    }
    // CuTe writes some operations group<0,2>(layout), others layout first: the only layout finds its place
    let is_layout = |v: &Value| matches!(v, Value::Layout(_) | Value::Composed(_));
    if let [place] = *positions(&params, |p| *p == "layout")
        && let [found] = *positions(&args, is_layout)
        && !op.params.contains("tile")
        && place < args.len()
    {
        let layout = args.remove(found);
        args.insert(place, layout);
    }
    let args = Args(args);
    (op.run)(&args).map_err(|e| match e {
        Failure::Bare(reason) => {
            let args: Vec<String> = args.0.iter().map(Value::to_string).collect();
            Failure::own(reason.kind(), format!("{name}({}): {reason}", args.join(", ")))
        }
        Failure::Own("args", message) => Failure::own("args", format!("{op}: {message}")),
        e => e,
    })
}

fn positions<T>(of: &[T], is: impl Fn(&T) -> bool) -> Vec<usize> {
    of.iter().enumerate().filter(|(_, x)| is(x)).map(|(i, _)| i).collect()
}

fn unknown(name: &str) -> Failure {
    let mut near: Vec<_> = OPS.iter().map(|op| (strsim::jaro_winkler(name, op.name), op.name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<_> = near.iter().take(3).map(|(_, name)| *name).collect();
    Failure::own("op", format!("there is no operation {name:?}; near are {}", near.join(", ")))
}

const fn op(name: &'static str, params: &'static str, run: fn(&Args) -> Answer) -> Op {
    Op { name, params, run }
}

/// An operation that layouts and swizzled layouts share; argument `$i` is the layout `$l`.
macro_rules! on {
    ($i:literal: $l:ident, $a:ident => $e:expr) => {
        |$a| match &$a.0[$i] {
            Value::Composed($l) => Ok($e.into()),
            _ => {
                let $l = &$a.layout($i)?;
                Ok($e.into())
            }
        }
    };
}

/// Every operation; the names and the order of arguments are those of CuTe.
pub const OPS: &[Op] = &[
    // making layouts
    op("make_layout", "shape_or_layout stride_or_layout*", make_layout),
    op("make_ordered_layout", "shape order", |a| Ok(Layout::ordered(&a.tuple(0)?, &a.tuple(1)?)?.into())),
    op("make_identity_layout", "shape", |a| Ok(Layout::identity(&a.tuple(0)?)?.into())),
    op("make_layout_like", "layout", |a| Ok(a.layout(0)?.make_layout_like()?.into())),
    op("make_fragment_like", "layout", |a| Ok(a.layout(0)?.make_fragment_like()?.into())),
    op("column_major", "shape", |a| Ok(Layout::column_major(&a.tuple(0)?)?.into())),
    op("row_major", "shape", |a| Ok(Layout::row_major(&a.tuple(0)?)?.into())),
    op("compact_col_major", "shape", |a| Ok(Layout::column_major(&a.tuple(0)?)?.stride().into())),
    op("compact_row_major", "shape", |a| Ok(Layout::row_major(&a.tuple(0)?)?.stride().into())),
    op("bind", "layout word word*", bind),
    // queries
    op("size", "layout_or_shape", |a| Ok(IntTuple::leaf(&a.shape(0)?.product()?)?.into())),
    op("cosize", "layout", |a| match &a.0[0] {
        Value::Layout(l) if !l.is_known() => Ok(l.cosize_bound()?.into()),
        Value::Composed(c) => Ok(c.cosize()?.into()),
        _ => Ok(a.layout(0)?.cosize()?.into()),
    }),
    op("coshape", "layout", |a| Ok(a.layout(0)?.coshape()?.into())),
    op(
        "image_range",
        "layout",
        on!(0: l, a => {
            let (min, max) = l.image_range()?;
            IntTuple::flat(&[min, max])?
        }),
    ),
    op("rank", "layout_or_shape", |a| Ok(a.shape(0)?.rank().into())),
    op("depth", "layout_or_shape", |a| Ok(a.shape(0)?.depth().into())),
    op("shape", "layout", |a| Ok(a.shape(0)?.into())),
    op("stride", "layout", |a| Ok(a.layout(0)?.stride().into())),
    op("profile", "layout", on!(0: l, a => l.profile())),
    op("max_alignment", "layout_or_swizzle", |a| match &a.0[0] {
        Value::Swizzle(s) => Ok(s.max_alignment().into()),
        Value::Composed(c) => Ok(c.max_alignment()?.into()),
        _ => Ok(a.layout(0)?.max_alignment()?.into()),
    }),
    op("congruent", "layout_or_shape layout_or_shape", |a| Ok(a.shape(0)?.congruent(&a.shape(1)?).into())),
    op("weakly_congruent", "layout_or_shape layout_or_shape", |a| {
        Ok(a.shape(0)?.weakly_congruent(&a.shape(1)?).into())
    }),
    op("compatible", "layout_or_shape layout_or_shape", |a| Ok(a.shape(0)?.compatible(&a.shape(1)?).into())),
    op("same_function", "layout layout", |a| Ok(a.layout(0)?.same_function(&a.layout(1)?).into())),
    op("evenly_divides", "shape tile", |a| match a.shape(0)?.evenly_divides(&a.tiler(1)?) {
        Some(b) => Ok(b.into()),
        None => Err(LayoutError::Undecided.into()),
    }),
    op("guard", "ceil_result", |a| match &a.0[0] {
        Value::Guarded(_, guard) => Ok(guard.to_string().into()),
        _ => a.wrong(0, "the result of a _ceil operation"),
    }),
    op("print_layout", "layout", on!(0: l, a => l.table()?.to_string())),
    // coordinates
    op("at", "layout coord", |a| at(a, 0, 1, false)),
    op("at_extended", "layout coord", |a| at(a, 0, 1, true)),
    op("crd2idx", "coord layout_or_shape", |a| match &a.0[1] {
        Value::Tuple(shape) => Ok(shape.crd2idx(&a.tuple(0)?)?.into()),
        _ => at(a, 1, 0, false),
    }),
    op("idx2crd", "index shape", |a| Ok(a.shape(1)?.idx2crd(a.int(0)?)?.into())),
    op("crd2crd", "coord shape from_shape?", |a| {
        let (coord, shape) = (a.tuple(0)?, a.tuple(1)?);
        Ok(if a.has(2) { shape.idx2crd(a.tuple(2)?.crd2idx(&coord)?)? } else { shape.crd2crd(&coord)? }.into())
    }),
    op("slice", "coord layout", |a| match &a.0[1] {
        Value::Composed(c) => Ok(c.slice(&a.tuple(0)?)?.into()),
        _ => Ok(a.layout(1)?.slice(&a.tuple(0)?)?.0.into()),
    }),
    op("slice_offset", "coord layout", |a| Ok(a.layout(1)?.slice(&a.tuple(0)?)?.1.into())),
    op("dice", "coord layout", on!(1: l, a => l.dice(&a.tuple(0)?)?)),
    // arithmetic of shapes
    op("ceil_div", "shape shape_or_tile", |a| match &a.0[1] {
        Value::Layout(tile) => Ok(a.shape(0)?.ceil_div_by(tile)?.into()),
        _ => Ok(a.shape(0)?.ceil_div(&a.tuple(1)?)?.into()),
    }),
    op("shape_div", "shape shape", |a| Ok(a.shape(0)?.shape_div(&a.tuple(1)?)?.into())),
    op("round_up", "shape shape", |a| Ok(a.shape(0)?.round_up(&a.tuple(1)?)?.into())),
    op("product", "shape", |a| Ok(IntTuple::leaf(&a.shape(0)?.product()?)?.into())),
    op("product_each", "shape", |a| Ok(a.shape(0)?.product_each()?.into())),
    op("prefix_product", "shape", prefix_product),
    // structure
    op("mode", "mode layout", on!(1: l, a => l.mode(a.index(0)?)?)),
    op("take", "from to layout", on!(2: l, a => l.take(a.index(0)?, a.index(1)?)?)),
    op("select", "layout mode mode*", on!(0: l, a => l.select(&a.from(1, Args::index)?)?)),
    op("group", "from to layout", on!(2: l, a => l.group(a.index(0)?, a.index(1)?)?)),
    op("flatten", "layout", on!(0: l, a => l.flatten())),
    op("unflatten", "layout profile", on!(0: l, a => l.unflatten(&a.tuple(1)?)?)),
    op(
        "append",
        "layout mode_or_rank",
        on!(0: l, a => match &a.0[1] {
            Value::Tuple(_) => l.pad_rank(a.index(1)?)?,
            _ => l.append(&a.layout(1)?)?,
        }),
    ),
    op("prepend", "layout mode", on!(0: l, a => l.prepend(&a.layout(1)?)?)),
    op("insert", "layout at mode", on!(0: l, a => l.insert(a.index(1)?, &a.layout(2)?)?)),
    op("replace", "layout at mode", on!(0: l, a => l.replace(a.index(1)?, &a.layout(2)?)?)),
    op("reverse", "layout", on!(0: l, a => l.reverse()?)),
    op("zip", "layout layout?", on!(0: l, a => if a.has(1) { l.zip(&a.layout(1)?)? } else { l.transpose()? })),
    op("with_shape", "layout shape", on!(0: l, a => l.with_shape(&a.tuple(1)?)?)),
    // simplification
    op(
        "coalesce",
        "layout profile?",
        on!(0: l, a => {
            if a.has(1) { l.coalesce_by_mode(&a.tuple(1)?)? } else { l.coalesce() }
        }),
    ),
    op("coalesce_profile", "layout profile", on!(0: l, a => l.coalesce_by_mode(&a.tuple(1)?)?)),
    op("coalesce_extended", "layout", |a| Ok(a.layout(0)?.coalesce_extended().into())),
    op(
        "filter",
        "layout profile?",
        on!(0: l, a => {
            if a.has(1) { l.filter_by_mode(&a.tuple(1)?)? } else { l.filter() }
        }),
    ),
    op("filter_zeros", "layout", on!(0: l, a => l.filter_zeros())),
    // composition, complement, inverses
    op("composition", "layout_or_swizzle tile", composition),
    op(
        "composition_extended",
        "layout tile",
        on!(0: l, a => match a.tile(1)? {
            Tile::One(b) => l.compose_extended(&b)?,
            Tile::ByMode(t) => l.compose_extended_by_mode(&t)?,
        }),
    ),
    op("complement", "layout cotarget?", |a| match a.has(1) {
        true => Ok(a.layout(0)?.complement_in(&a.tuple(1)?)?.into()),
        false => Ok(a.layout(0)?.complement(a.layout(0)?.cosize()?)?.into()),
    }),
    op("complement_exact", "layout cotarget?", |a| match a.has(1) {
        true => Ok(a.layout(0)?.complement_exact(a.int(1)?)?.into()),
        false => Ok(a.layout(0)?.complement_exact(a.layout(0)?.cosize()?)?.into()),
    }),
    op("right_inverse", "layout", on!(0: l, a => l.right_inverse()?)),
    op("left_inverse", "layout", on!(0: l, a => l.left_inverse()?)),
    op("max_common_vector", "layout layout", |a| match a.plain() {
        true => Ok(IntTuple::leaf(&a.layout(0)?.max_common_vector(&a.layout(1)?)?)?.into()),
        false => Ok(a.composed(0)?.max_common_vector(&a.composed(1)?)?.into()),
    }),
    op("max_common_layout", "layout layout", |a| match a.plain() {
        true => Ok(a.layout(0)?.max_common_layout(&a.layout(1)?)?.into()),
        false => Ok(a.composed(0)?.max_common_layout(&a.composed(1)?)?.into()),
    }),
    op("nullspace", "layout", |a| Ok(a.layout(0)?.nullspace()?.into())),
    op("domain_distribute", "shape count", |a| Ok(a.tuple(0)?.domain_distribute(a.int(1)?)?.into())),
    // division
    op(
        "logical_divide",
        "layout tile",
        on!(0: l, a => match a.tile(1)? {
            Tile::One(t) => l.logical_divide(&t)?,
            Tile::ByMode(t) => l.logical_divide_by_mode(&t)?,
        }),
    ),
    op(
        "logical_divide_ceil",
        "layout tile",
        on!(0: l, a => match a.tile(1)? {
            Tile::One(t) => l.logical_divide_ceil(&t)?,
            Tile::ByMode(t) => l.logical_divide_by_mode_ceil(&t)?,
        }),
    ),
    op("zipped_divide", "layout tile", on!(0: l, a => l.zipped_divide(&a.tiler(1)?)?)),
    op("zipped_divide_ceil", "layout tile", on!(0: l, a => l.zipped_divide_ceil(&a.tiler(1)?)?)),
    op("tiled_divide", "layout tile", on!(0: l, a => l.tiled_divide(&a.tiler(1)?)?)),
    op("tiled_divide_ceil", "layout tile", on!(0: l, a => l.tiled_divide_ceil(&a.tiler(1)?)?)),
    op("flat_divide", "layout tile", on!(0: l, a => l.flat_divide(&a.tiler(1)?)?)),
    op("flat_divide_ceil", "layout tile", on!(0: l, a => l.flat_divide_ceil(&a.tiler(1)?)?)),
    // products
    op("logical_product", "layout tile_or_swizzled", |a| match (&a.0[0], &a.0[1]) {
        (Value::Composed(c), _) => match a.tile(1)? {
            Tile::One(t) => Ok(c.logical_product(&t)?.into()),
            Tile::ByMode(t) => Ok(c.logical_product_by_mode(&t)?.into()),
        },
        (_, Value::Composed(t)) => Ok(a.layout(0)?.logical_product_swizzled(t)?.into()),
        _ => match a.tile(1)? {
            Tile::One(t) => Ok(a.layout(0)?.logical_product(&t)?.into()),
            Tile::ByMode(t) => Ok(a.layout(0)?.logical_product_by_mode(&t)?.into()),
        },
    }),
    op("zipped_product", "layout tile", on!(0: l, a => l.zipped_product(&a.tiler(1)?)?)),
    op("tiled_product", "layout tile", on!(0: l, a => l.tiled_product(&a.tiler(1)?)?)),
    op("flat_product", "layout tile", on!(0: l, a => l.flat_product(&a.tiler(1)?)?)),
    op("blocked_product", "layout layout", on!(0: l, a => l.blocked_product(&a.layout(1)?)?)),
    op("raked_product", "layout layout", on!(0: l, a => l.raked_product(&a.layout(1)?)?)),
    op("hier_unzip", "logical_divide_or_logical_product layout tile", |a| match a.word(0)? {
        "logical_divide" => Ok(a.layout(1)?.zipped_divide(&a.tiler(2)?)?.into()),
        "logical_product" => Ok(a.layout(1)?.zipped_product(&a.tiler(2)?)?.into()),
        _ => a.wrong(0, "logical_divide or logical_product"),
    }),
    op(
        "tile_to_shape",
        "layout shape order?",
        on!(0: l, a => match a.has(2) {
            true => l.tile_to_shape_ordered(&a.tuple(1)?, &a.tuple(2)?)?,
            false => l.tile_to_shape(&a.tuple(1)?)?,
        }),
    ),
    op("tile_to_shape_ceil", "layout shape", on!(0: l, a => l.tile_to_shape_ceil(&a.tuple(1)?)?)),
    // other element widths
    op("upcast", "count layout", on!(1: l, a => l.upcast(a.int(0)?)?)),
    op("upcast_ceil", "count layout", |a| Ok(a.layout(1)?.upcast_ceil(a.int(0)?)?.into())),
    op("downcast", "count layout", on!(1: l, a => l.downcast(a.int(0)?)?)),
    op("recast_layout", "old_type new_type layout", on!(2: l, a => l.recast(a.bits(0)?, a.bits(1)?)?)),
    op("recast_layout_ceil", "old_type new_type layout", |a| {
        Ok(a.layout(2)?.recast_ceil(a.bits(0)?, a.bits(1)?)?.into())
    }),
    // claims, answered by a verdict
    op("injective", "layout", |a| Ok(Claim::Injective(a.layout(0)?).into())),
    op("bijective", "image codomain?", |a| {
        let image = a.image(0)?;
        let codomain = if a.has(1) { a.shape(1)? } else { image.layout.shape() };
        Ok(Claim::Bijective { image, lo: 0, size: codomain.product()? }.into())
    }),
    op("onto", "image from to", |a| Ok(Claim::Onto { image: a.image(0)?, lo: a.int(1)?, hi: a.int(2)? }.into())),
    op("contiguous", "layout", |a| Ok(Claim::Contiguous(a.layout(0)?).into())),
    op("disjoint", "image image*", |a| Ok(Claim::Disjoint(a.from(0, Args::image)?).into())),
    op("inside", "image image", |a| Ok(Claim::Inside(a.image(0)?, a.image(1)?).into())),
    op("covers", "whole image image*", |a| {
        Ok(Claim::Covers { whole: a.image(0)?, family: a.from(1, Args::image)? }.into())
    }),
    op("equal", "layout layout", |a| Ok(Claim::Equal(a.layout(0)?, a.layout(1)?).into())),
    op("monotone", "layout strict?", |a| {
        let strict = a.has(1) && (a.word(1)? == "strict" || a.wrong(1, "strict")?);
        Ok(Claim::Monotone { layout: a.layout(0)?, strict }.into())
    }),
    op("aligned", "image to", |a| Ok(Claim::Aligned { image: a.image(0)?, to: a.int(1)? }.into())),
    op("fits", "image type", |a| Ok(fits(a)?.into())),
    op("vectors", "image image width", |a| {
        Ok(Claim::Vectors { a: a.image(0)?, b: a.image(1)?, width: a.int(2)? }.into())
    }),
    op("index_bits", "image", |a| Ok(i64::from(index_bits(a.image(0)?)?.0).into())),
    // what the hardware does, and its instructions
    op("banks", "layout bits access", on!(0: l, a => banks(l, a.width(1)?, access(a, 2)?)?.to_string())),
    op("sectors", "layout bits bytes", on!(0: l, a => sectors(l, a.width(1)?, a.index(2)?)?.to_string())),
    op("vector_width", "layout bits", on!(0: l, a => vectors(l, a.width(1)?)?.width)),
    op("choose_swizzle", "bits access layout_of_offsets*", |a| {
        let (bits, access, layouts) = (a.width(0)?, access(a, 1)?, a.from(2, Args::composed)?);
        let patterns: Vec<_> = layouts.iter().map(|l| (l as &dyn Drawable, access)).collect();
        Ok(choose_swizzle(&patterns, bits)?.into())
    }),
    op("mma_atom", "name operand", |a| {
        let atom = MmaAtom::named(a.word(0)?).map_or_else(|| a.wrong(0, "CuTe's name of a matrix instruction"), Ok)?;
        match a.word(1)? {
            "a" => Ok(atom.a().into()),
            "b" => Ok(atom.b().into()),
            "c" => Ok(atom.c().into()),
            "thr" => Ok(atom.thr().into()),
            "shape" => Ok(atom.shape().into()),
            "ptx" => Ok(atom.ptx().unwrap_or_default().into()),
            _ => a.wrong(1, "a, b, c, thr, shape or ptx"),
        }
    }),
    op("copy_atom", "name side", |a| {
        let atom = CopyAtom::named(a.word(0)?).map_or_else(|| a.wrong(0, "CuTe's name of a copy"), Ok)?;
        match a.word(1)? {
            "src" => Ok(atom.src().into()),
            "dst" => Ok(atom.dst().into()),
            "thr" => Ok(atom.thr().into()),
            "ptx" => Ok(atom.ptx().unwrap_or_default().into()),
            _ => a.wrong(1, "src, dst, thr or ptx"),
        }
    }),
    // swizzles
    op("swizzle_eval", "swizzle", |a| Ok(a.swizzle(0)?.into())),
    op("swizzle_layout", "swizzle layout", |a| Ok(a.layout(1)?.swizzled(&a.swizzle(0)?)?.into())),
    op("swizzle_compose_rhs", "swizzle layout tile", |a| {
        let swizzled = a.layout(1)?.swizzled(&a.swizzle(0)?)?;
        match a.tile(2)? {
            Tile::One(b) => Ok(swizzled.compose(&b)?.into()),
            Tile::ByMode(t) => Ok(swizzled.compose_by_mode(&t)?.into()),
        }
    }),
    op("swizzle_upcast", "count swizzle", |a| Ok(a.swizzle(1)?.upcast(a.int(0)?)?.into())),
    op("swizzle_downcast", "count swizzle", |a| Ok(a.swizzle(1)?.downcast(a.int(0)?)?.into())),
    op("gmma_atom", "name type", |a| Ok(gmma_atom(a)?.into())),
    op("gmma_tile_to_shape", "name type shape order?", |a| match a.has(3) {
        true => Ok(gmma_atom(a)?.tile_to_shape_ordered(&a.tuple(2)?, &a.tuple(3)?)?.into()),
        false => Ok(gmma_atom(a)?.tile_to_shape(&a.tuple(2)?)?.into()),
    }),
];

/// Of swizzles, layouts below them and layouts with each other.
fn composition(a: &Args) -> Answer {
    Ok(match (&a.0[0], &a.0[1]) {
        (Value::Swizzle(s), Value::Swizzle(t)) => s.compose(t)?.into(),
        (Value::Swizzle(s), Value::Composed(c)) => c.swizzled(s)?.into(),
        (Value::Swizzle(s), _) => a.layout(1)?.swizzled(s)?.into(),
        (Value::Composed(c), Value::Composed(d)) => c.compose_swizzled(d)?.into(),
        (Value::Composed(c), _) => match a.tile(1)? {
            Tile::One(b) => c.compose(&b)?.into(),
            Tile::ByMode(t) => c.compose_by_mode(&t)?.into(),
        },
        (_, Value::Swizzle(s)) => a.layout(0)?.compose_swizzle(s)?.into(),
        (_, Value::Composed(d)) => a.layout(0)?.compose_swizzled(d)?.into(),
        _ => match a.tile(1)? {
            // nobody waits for a constant here
            Tile::One(b) => a.layout(0)?.compose_within(&b, BUDGET)?.into(),
            Tile::ByMode(t) => a.layout(0)?.compose_by_mode(&t)?.into(),
        },
    })
}

/// `K_SW128`, `MN_INTER`, ..: CuTe's `Layout_K_SW128_Atom<type>`.
fn gmma_atom(a: &Args) -> Result<Composed, Failure> {
    let (major, swizzle) = match a.word(0)?.split_once('_') {
        Some(("K", swizzle)) => (Major::K, swizzle),
        Some(("MN", swizzle)) => (Major::MN, swizzle),
        _ => return a.wrong(0, "a shared-memory atom: K_SW128, MN_INTER, .."),
    };
    let swizzle = match swizzle {
        "INTER" => SmemSwizzle::Interleave,
        "SW32" => SmemSwizzle::B32,
        "SW64" => SmemSwizzle::B64,
        "SW128" => SmemSwizzle::B128,
        _ => return a.wrong(0, "a shared-memory atom: .._INTER, .._SW32, .._SW64 or .._SW128"),
    };
    let bits = u16::try_from(a.bits(1)?).or_else(|_| a.wrong(1, "a type of at most 128 bits"))?;
    Ok(smem_atom(major, swizzle, bits)?)
}

/// The product of the leaves before each leaf.
fn prefix_product(a: &Args) -> Answer {
    let shape = a.shape(0)?;
    let mut before = Int::known(1);
    let mut strides = Vec::new();
    for i in 0..shape.leaves() {
        strides.push(IntTuple::leaf(&before)?);
        before = before.mul(&shape.get(i)?)?;
    }
    // as the strides of a layout that nests like the shape
    let flat = Layout::new(&shape.flatten(), &if shape.is_int() { strides[0] } else { IntTuple::tuple(&strides)? })?;
    Ok(flat.unflatten(&shape)?.stride().into())
}

/// Do all intermediate values fit the integers of a type: `i32`, `uint32_t`, 32?
fn fits(a: &Args) -> Result<Claim, Failure> {
    let bits = match a.bits(1)? {
        bits @ 1..=64 => bits as u32,
        _ => return a.wrong(1, "an integer type of 1 to 64 bits: i32, uint32_t, 32"),
    };
    let signed = !matches!(&a.0[1], Value::Word(w) if w.starts_with('u'));
    Ok(Claim::Fits { image: a.image(0)?, bits, signed })
}

/// From a shape, a shape and a stride, or layouts that become modes.
fn make_layout(a: &Args) -> Answer {
    Ok(match a.0.as_slice() {
        [Value::Tuple(shape)] => Layout::column_major(shape)?,
        [Value::Tuple(shape), Value::Tuple(stride)] => Layout::new(shape, stride)?,
        _ => Layout::tuple(&a.from(0, Args::layout)?)?,
    }
    .into())
}

/// `M=256,lda=512`, in one word or several.
fn bind(a: &Args) -> Answer {
    let mut values = Vec::new();
    for i in 1..a.0.len() {
        for binding in a.word(i)?.split(',') {
            let value = binding.split_once('=').and_then(|(name, v)| Some((name.trim(), v.trim().parse().ok()?)));
            match value {
                Some(v) => values.push(v),
                None => return a.wrong(i, "a value for a symbol: M=256"),
            }
        }
    }
    match &a.0[0] {
        Value::Composed(c) => Ok(c.bind(&values)?.into()),
        _ => Ok(a.layout(0)?.bind(&values)?.into()),
    }
}

/// The value of a layout at a coordinate, itself a coordinate where strides are basis vectors.
fn at(a: &Args, layout: usize, coord: usize, extended: bool) -> Answer {
    let coord = a.tuple(coord)?;
    Ok(match (&a.0[layout], extended) {
        (Value::Layout(l), _) if l.has_basis() => l.coord_at(l.shape().crd2idx(&coord)?)?.into(),
        (Value::Composed(c), true) => c.at_crd_extended(&coord)?.into(),
        (Value::Composed(c), false) => c.at_crd(&coord)?.into(),
        (_, true) => a.layout(layout)?.at_crd_extended(&coord)?.into(),
        (_, false) => a.layout(layout)?.at_crd(&coord)?.into(),
    })
}

/// Bytes of a load, or `load16`, `store8`, `ldmatrix_x4`, `stmatrix_x2`.
fn access(a: &Args, i: usize) -> Result<Access, Failure> {
    let word = a.0[i].to_string();
    let (name, n) = word.split_at(word.find(|c: char| c.is_ascii_digit()).unwrap_or(word.len()));
    let kind = match name {
        "" | "load" => Access::Load,
        "store" => Access::Store,
        "ldmatrix_x" => Access::Ldmatrix,
        "stmatrix_x" => Access::Stmatrix,
        _ => return a.wrong(i, ACCESS),
    };
    n.parse().map_or_else(|_| a.wrong(i, ACCESS), |n| Ok(kind(n)))
}
const ACCESS: &str = "the bytes of a load, or load16, store8, ldmatrix_x4, stmatrix_x2";
