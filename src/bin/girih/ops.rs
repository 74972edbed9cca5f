//! The table of operations, for `eval` and `batch` alike.

use girih::algebra::Guarded;
use girih::layout::{Bound, Error, IntTuple, Layout, LayoutError, Tiler};
use std::fmt;

/// What an expression can be.
#[derive(Clone)]
pub enum Value {
    Layout(Layout),
    Guarded(Box<Guarded>),
    Tuple(IntTuple),
    Tiler(Tiler),
    Bound(Bound),
    Bool(bool),
    /// a type, a name, `M=256`; also texts that only leave: a guard
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Layout(l) => l.fmt(f),
            Value::Guarded(g) => g.layout.fmt(f),
            Value::Tuple(t) => t.fmt(f),
            Value::Tiler(t) => t.fmt(f),
            Value::Bound(b) => b.fmt(f),
            Value::Bool(b) => b.fmt(f),
            Value::Word(w) => w.fmt(f),
        }
    }
}

macro_rules! into_value {
    ($($from:ty, $v:ident => $value:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($v: $from) -> Value {
                $value
            }
        }
    )*};
}
into_value! {
    Layout, l => Value::Layout(l);
    Guarded, g => Value::Guarded(Box::new(g));
    IntTuple, t => Value::Tuple(t);
    Bound, b => Value::Bound(b);
    bool, b => Value::Bool(b);
    i64, n => Value::Tuple(IntTuple::int(n));
    usize, n => Value::Tuple(IntTuple::int(n as i64));
    String, w => Value::Word(w);
}

/// Why there is no value.
pub enum Failure {
    /// the library's refusal, with its operands
    Whole(Box<Error>),
    /// the library's reason
    Bare(LayoutError),
    /// the command line's own: kind and message
    Own(&'static str, String),
}

impl Failure {
    pub fn own(kind: &'static str, message: impl Into<String>) -> Failure {
        Failure::Own(kind, message.into())
    }
    pub fn kind(&self) -> &'static str {
        match self {
            Failure::Whole(e) => e.kind(),
            Failure::Bare(e) => e.kind(),
            Failure::Own(kind, _) => kind,
        }
    }
}
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Whole(e) => e.fmt(f),
            Failure::Bare(e) => e.fmt(f),
            Failure::Own(_, message) => f.write_str(message),
        }
    }
}
impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        Failure::Whole(Box::new(e))
    }
}
impl From<LayoutError> for Failure {
    fn from(e: LayoutError) -> Failure {
        Failure::Bare(e)
    }
}

pub type Answer = Result<Value, Failure>;

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

/// The arguments of one call.
pub struct Args(Vec<Value>);

/// How a layout is cut or repeated: as one dimension, or mode by mode.
enum Tile {
    One(Layout),
    ByMode(Tiler),
}

impl Args {
    fn wrong<T>(&self, i: usize, must_be: &str) -> Result<T, Failure> {
        Err(Failure::own("args", format!("argument {}, {}, must be {must_be}", i + 1, self.0[i])))
    }
    fn has(&self, i: usize) -> bool {
        i < self.0.len()
    }
    fn layout(&self, i: usize) -> Result<Layout, Failure> {
        match &self.0[i] {
            Value::Layout(l) => Ok(*l),
            Value::Guarded(g) => Ok(g.layout),
            _ => self.wrong(i, "a layout: shape:stride"),
        }
    }
    fn tuple(&self, i: usize) -> Result<IntTuple, Failure> {
        match &self.0[i] {
            Value::Tuple(t) => Ok(*t),
            _ => self.wrong(i, "an integer or a tuple of integers"),
        }
    }
    fn int(&self, i: usize) -> Result<i64, Failure> {
        match &self.0[i] {
            Value::Tuple(t) => t.as_int().map_or_else(|| self.wrong(i, "an integer"), Ok),
            _ => self.wrong(i, "an integer"),
        }
    }
    fn index(&self, i: usize) -> Result<usize, Failure> {
        usize::try_from(self.int(i)?).or_else(|_| self.wrong(i, "the number of a mode"))
    }
    fn word(&self, i: usize) -> Result<&str, Failure> {
        match &self.0[i] {
            Value::Word(w) => Ok(w),
            _ => self.wrong(i, "a word"),
        }
    }
    /// A layout is one dimension, and so is an integer `t` (`t:1`); a shape and `<..>` go mode by mode.
    fn tile(&self, i: usize) -> Result<Tile, Failure> {
        match &self.0[i] {
            Value::Layout(l) => Ok(Tile::One(*l)),
            Value::Guarded(g) => Ok(Tile::One(g.layout)),
            Value::Tuple(t) if t.is_int() => Ok(Tile::One(Layout::new(t, &IntTuple::int(1))?)),
            Value::Tuple(t) => Ok(Tile::ByMode(Tiler::shape(t)?)),
            Value::Tiler(t) => Ok(Tile::ByMode(*t)),
            _ => self.wrong(i, "a layout, a shape or a tiler <..>"),
        }
    }
    fn tiler(&self, i: usize) -> Result<Tiler, Failure> {
        Ok(match self.tile(i)? {
            Tile::One(l) => Tiler::leaf(&l)?,
            Tile::ByMode(t) => t,
        })
    }
    /// The shape of a layout, or a shape itself.
    fn shape(&self, i: usize) -> Result<IntTuple, Failure> {
        match &self.0[i] {
            Value::Tuple(t) => Ok(*t),
            _ => Ok(self.layout(i)?.shape()),
        }
    }
    /// All arguments from `i` on, of one sort.
    fn from<T>(&self, i: usize, get: fn(&Args, usize) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
        (i..self.0.len()).map(|k| get(self, k)).collect()
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
    // CuTe writes some operations group<0,2>(layout), others layout first: the only layout finds its place
    let is_layout = |v: &Value| matches!(v, Value::Layout(_) | Value::Guarded(_));
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

/// Every operation; the names and the order of arguments are those of CuTe.
pub const OPS: &[Op] = &[
    // making layouts
    op("make_layout", "shape_or_layout stride_or_layout*", make_layout),
    op("make_ordered_layout", "shape order", |a| Ok(Layout::ordered(&a.tuple(0)?, &a.tuple(1)?)?.into())),
    op("make_identity_layout", "shape", |a| Ok(Layout::identity(&a.tuple(0)?)?.into())),
    op("column_major", "shape", |a| Ok(Layout::column_major(&a.tuple(0)?)?.into())),
    op("row_major", "shape", |a| Ok(Layout::row_major(&a.tuple(0)?)?.into())),
    op("compact_col_major", "shape", |a| Ok(Layout::column_major(&a.tuple(0)?)?.stride().into())),
    op("compact_row_major", "shape", |a| Ok(Layout::row_major(&a.tuple(0)?)?.stride().into())),
    op("bind", "layout word word*", bind),
    // queries
    op("size", "layout_or_shape", |a| Ok(IntTuple::leaf(&a.shape(0)?.product()?)?.into())),
    op("cosize", "layout", |a| {
        let l = a.layout(0)?;
        Ok(if l.is_known() { l.cosize()?.into() } else { l.cosize_bound()?.into() })
    }),
    op("coshape", "layout", |a| Ok(a.layout(0)?.coshape()?.into())),
    op("image_range", "layout", |a| {
        let (min, max) = a.layout(0)?.image_range()?;
        Ok(IntTuple::flat(&[min, max])?.into())
    }),
    op("rank", "layout_or_shape", |a| Ok(a.shape(0)?.rank().into())),
    op("depth", "layout_or_shape", |a| Ok(a.shape(0)?.depth().into())),
    op("shape", "layout", |a| Ok(a.layout(0)?.shape().into())),
    op("stride", "layout", |a| Ok(a.layout(0)?.stride().into())),
    op("profile", "layout", |a| Ok(a.layout(0)?.profile().into())),
    op("congruent", "layout_or_shape layout_or_shape", |a| Ok(a.shape(0)?.congruent(&a.shape(1)?).into())),
    op("weakly_congruent", "layout_or_shape layout_or_shape", |a| {
        Ok(a.shape(0)?.weakly_congruent(&a.shape(1)?).into())
    }),
    op("compatible", "layout_or_shape layout_or_shape", |a| Ok(a.shape(0)?.compatible(&a.shape(1)?).into())),
    op("same_function", "layout layout", |a| Ok(a.layout(0)?.same_function(&a.layout(1)?).into())),
    op("guard", "ceil_result", |a| match &a.0[0] {
        Value::Guarded(g) => Ok(g.guard.to_string().into()),
        _ => a.wrong(0, "the result of a _ceil operation"),
    }),
    // coordinates
    op("at", "layout coord", |a| at(&a.layout(0)?, &a.tuple(1)?, false)),
    op("at_extended", "layout coord", |a| at(&a.layout(0)?, &a.tuple(1)?, true)),
    op("crd2idx", "coord layout_or_shape", |a| match &a.0[1] {
        Value::Tuple(shape) => Ok(shape.crd2idx(&a.tuple(0)?)?.into()),
        _ => at(&a.layout(1)?, &a.tuple(0)?, false),
    }),
    op("idx2crd", "index shape", |a| Ok(a.shape(1)?.idx2crd(a.int(0)?)?.into())),
    op("crd2crd", "coord shape from_shape?", |a| {
        let (coord, shape) = (a.tuple(0)?, a.tuple(1)?);
        Ok(if a.has(2) { shape.idx2crd(a.tuple(2)?.crd2idx(&coord)?)? } else { shape.crd2crd(&coord)? }.into())
    }),
    op("slice", "coord layout", |a| Ok(a.layout(1)?.slice(&a.tuple(0)?)?.0.into())),
    op("slice_offset", "coord layout", |a| Ok(a.layout(1)?.slice(&a.tuple(0)?)?.1.into())),
    op("dice", "coord layout", |a| Ok(a.layout(1)?.dice(&a.tuple(0)?)?.into())),
    // structure
    op("mode", "mode layout", |a| Ok(a.layout(1)?.mode(a.index(0)?)?.into())),
    op("take", "from to layout", |a| Ok(a.layout(2)?.take(a.index(0)?, a.index(1)?)?.into())),
    op("select", "layout mode mode*", |a| Ok(a.layout(0)?.select(&a.from(1, Args::index)?)?.into())),
    op("group", "from to layout", |a| Ok(a.layout(2)?.group(a.index(0)?, a.index(1)?)?.into())),
    op("flatten", "layout", |a| Ok(a.layout(0)?.flatten().into())),
    op("unflatten", "layout profile", |a| Ok(a.layout(0)?.unflatten(&a.tuple(1)?)?.into())),
    op("append", "layout mode_or_rank", |a| match &a.0[1] {
        Value::Tuple(_) => Ok(a.layout(0)?.pad_rank(a.index(1)?)?.into()),
        _ => Ok(a.layout(0)?.append(&a.layout(1)?)?.into()),
    }),
    op("prepend", "layout mode", |a| Ok(a.layout(0)?.prepend(&a.layout(1)?)?.into())),
    op("insert", "layout at mode", |a| Ok(a.layout(0)?.insert(a.index(1)?, &a.layout(2)?)?.into())),
    op("replace", "layout at mode", |a| Ok(a.layout(0)?.replace(a.index(1)?, &a.layout(2)?)?.into())),
    op("reverse", "layout", |a| Ok(a.layout(0)?.reverse()?.into())),
    op("zip", "layout layout?", |a| {
        Ok(if a.has(1) { a.layout(0)?.zip(&a.layout(1)?)? } else { a.layout(0)?.transpose()? }.into())
    }),
    op("with_shape", "layout shape", |a| Ok(a.layout(0)?.with_shape(&a.tuple(1)?)?.into())),
    // simplification
    op("coalesce", "layout profile?", |a| match a.has(1) {
        true => Ok(a.layout(0)?.coalesce_by_mode(&a.tuple(1)?)?.into()),
        false => Ok(a.layout(0)?.coalesce().into()),
    }),
    op("coalesce_profile", "layout profile", |a| Ok(a.layout(0)?.coalesce_by_mode(&a.tuple(1)?)?.into())),
    op("coalesce_extended", "layout", |a| Ok(a.layout(0)?.coalesce_extended().into())),
    op("filter", "layout profile?", |a| match a.has(1) {
        true => Ok(a.layout(0)?.filter_by_mode(&a.tuple(1)?)?.into()),
        false => Ok(a.layout(0)?.filter().into()),
    }),
    op("filter_zeros", "layout", |a| Ok(a.layout(0)?.filter_zeros().into())),
    // composition and complement
    op("composition", "layout tile", |a| match a.tile(1)? {
        Tile::One(b) => Ok(a.layout(0)?.compose(&b)?.into()),
        Tile::ByMode(t) => Ok(a.layout(0)?.compose_by_mode(&t)?.into()),
    }),
    op("composition_extended", "layout tile", |a| match a.tile(1)? {
        Tile::One(b) => Ok(a.layout(0)?.compose_extended(&b)?.into()),
        Tile::ByMode(t) => Ok(a.layout(0)?.compose_extended_by_mode(&t)?.into()),
    }),
    op("complement", "layout cotarget?", |a| match a.has(1) {
        true => Ok(a.layout(0)?.complement_in(&a.tuple(1)?)?.into()),
        false => Ok(a.layout(0)?.complement(a.layout(0)?.cosize()?)?.into()),
    }),
    op("complement_exact", "layout cotarget?", |a| match a.has(1) {
        true => Ok(a.layout(0)?.complement_exact(a.int(1)?)?.into()),
        false => Ok(a.layout(0)?.complement_exact(a.layout(0)?.cosize()?)?.into()),
    }),
    // division
    op("logical_divide", "layout tile", |a| match a.tile(1)? {
        Tile::One(t) => Ok(a.layout(0)?.logical_divide(&t)?.into()),
        Tile::ByMode(t) => Ok(a.layout(0)?.logical_divide_by_mode(&t)?.into()),
    }),
    op("logical_divide_ceil", "layout tile", |a| match a.tile(1)? {
        Tile::One(t) => Ok(a.layout(0)?.logical_divide_ceil(&t)?.into()),
        Tile::ByMode(t) => Ok(a.layout(0)?.logical_divide_by_mode_ceil(&t)?.into()),
    }),
    op("zipped_divide", "layout tile", |a| Ok(a.layout(0)?.zipped_divide(&a.tiler(1)?)?.into())),
    op("zipped_divide_ceil", "layout tile", |a| Ok(a.layout(0)?.zipped_divide_ceil(&a.tiler(1)?)?.into())),
    op("tiled_divide", "layout tile", |a| Ok(a.layout(0)?.tiled_divide(&a.tiler(1)?)?.into())),
    op("tiled_divide_ceil", "layout tile", |a| Ok(a.layout(0)?.tiled_divide_ceil(&a.tiler(1)?)?.into())),
    op("flat_divide", "layout tile", |a| Ok(a.layout(0)?.flat_divide(&a.tiler(1)?)?.into())),
    op("flat_divide_ceil", "layout tile", |a| Ok(a.layout(0)?.flat_divide_ceil(&a.tiler(1)?)?.into())),
    // products
    op("logical_product", "layout tile", |a| match a.tile(1)? {
        Tile::One(t) => Ok(a.layout(0)?.logical_product(&t)?.into()),
        Tile::ByMode(t) => Ok(a.layout(0)?.logical_product_by_mode(&t)?.into()),
    }),
    op("zipped_product", "layout tile", |a| Ok(a.layout(0)?.zipped_product(&a.tiler(1)?)?.into())),
    op("tiled_product", "layout tile", |a| Ok(a.layout(0)?.tiled_product(&a.tiler(1)?)?.into())),
    op("flat_product", "layout tile", |a| Ok(a.layout(0)?.flat_product(&a.tiler(1)?)?.into())),
    op("blocked_product", "layout layout", |a| Ok(a.layout(0)?.blocked_product(&a.layout(1)?)?.into())),
    op("raked_product", "layout layout", |a| Ok(a.layout(0)?.raked_product(&a.layout(1)?)?.into())),
    op("hier_unzip", "logical_divide_or_logical_product layout tile", |a| match a.word(0)? {
        "logical_divide" => Ok(a.layout(1)?.zipped_divide(&a.tiler(2)?)?.into()),
        "logical_product" => Ok(a.layout(1)?.zipped_product(&a.tiler(2)?)?.into()),
        _ => a.wrong(0, "logical_divide or logical_product"),
    }),
    op("tile_to_shape", "layout shape order?", |a| match a.has(2) {
        true => Ok(a.layout(0)?.tile_to_shape_ordered(&a.tuple(1)?, &a.tuple(2)?)?.into()),
        false => Ok(a.layout(0)?.tile_to_shape(&a.tuple(1)?)?.into()),
    }),
    op("tile_to_shape_ceil", "layout shape", |a| Ok(a.layout(0)?.tile_to_shape_ceil(&a.tuple(1)?)?.into())),
];

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
    Ok(a.layout(0)?.bind(&values)?.into())
}

/// The value at a coordinate, itself a coordinate where strides are basis vectors.
fn at(l: &Layout, coord: &IntTuple, extended: bool) -> Answer {
    Ok(match (l.has_basis(), extended) {
        (true, _) => l.coord_at(l.shape().crd2idx(coord)?)?.into(),
        (false, true) => l.at_crd_extended(coord)?.into(),
        (false, false) => l.at_crd(coord)?.into(),
    })
}
