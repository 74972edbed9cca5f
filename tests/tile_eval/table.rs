//! `docs/operations.md`: which operation exists for which elements, each cell computed and checked.

use crate::elementwise::{FULL, NEAR};
use crate::{Plain, Random, check, reference, shape, with};
use girih::tile::*;
use std::fmt::Write;

/// An operation on elements of a type, its operands, and what the table says about them.
struct Row {
    name: &'static str,
    cell: fn(ElementType) -> Vec<(Op, Vec<TileType>)>,
}

const fn row(name: &'static str, cell: fn(ElementType) -> Vec<(Op, Vec<TileType>)>) -> Row {
    Row { name, cell }
}

fn wide(e: ElementType) -> TileType {
    TileType::new(e, shape(&[4, 64]))
}

fn unary(e: ElementType, f: Unary) -> Vec<(Op, Vec<TileType>)> {
    vec![(Op::Unary(f), vec![wide(e)])]
}

fn binary(e: ElementType, f: Binary) -> Vec<(Op, Vec<TileType>)> {
    vec![(Op::Binary(f), vec![wide(e); 2])]
}

fn compare(e: ElementType, f: [Compare; 2]) -> Vec<(Op, Vec<TileType>)> {
    f.map(|f| (Op::Compare(f), vec![wide(e); 2])).to_vec()
}

/// Along both dimensions.
fn fold(e: ElementType, f: Fold) -> Vec<(Op, Vec<TileType>)> {
    [0, 1].map(|dim| (Op::Reduce(f, dim), vec![wide(e)])).to_vec()
}

fn scan(e: ElementType, f: Fold) -> Vec<(Op, Vec<TileType>)> {
    [Direction::Forward, Direction::Backward].map(|d| (Op::Scan(f, 1, d), vec![wide(e)])).to_vec()
}

fn one(op: Op, operands: &[TileType]) -> Vec<(Op, Vec<TileType>)> {
    vec![(op, operands.to_vec())]
}

/// Products of operands of this type with every accumulator.
fn products(e: ElementType, batch: &[u32]) -> Vec<(Op, Vec<TileType>)> {
    let of = |e, extents: [u32; 2]| TileType::new(e, shape(&[batch, &extents].concat()));
    let all = ElementType::ALL.map(|c| (Op::Mma, vec![of(e, [4, 16]), of(e, [16, 8]), of(c, [4, 8])]));
    all.into_iter().filter(|(op, operands)| op.result(operands).is_ok()).collect()
}

fn scaled_products(e: ElementType) -> Vec<(Op, Vec<TileType>)> {
    let of = |e, extents: [u32; 2]| TileType::new(e, shape(&extents));
    let with = |scale, n: u32| {
        let scales = [of(scale, [4, 64 / n]), of(scale, [64 / n, 8])];
        (Op::ScaledMma, [&[of(e, [4, 64]), of(e, [64, 8]), of(ElementType::F32, [4, 8])][..], &scales].concat())
    };
    let all = ElementType::ALL.into_iter().flat_map(|scale| [with(scale, 16), with(scale, 32)]);
    all.filter(|(op, operands)| op.result(operands).is_ok()).collect()
}

const INDEX: TileType = TileType::scalar(ElementType::I32);

const ROWS: [Row; 69] = [
    row("full", |e| one(Op::Full(wide(e), 1), &[])),
    row("iota", |e| one(Op::Iota(TileType::new(e, shape(&[2]))), &[])),
    row("neg", |e| unary(e, Unary::Neg)),
    row("abs", |e| unary(e, Unary::Abs)),
    row("not", |e| unary(e, Unary::Not)),
    row("is_nan", |e| unary(e, Unary::IsNan)),
    row("is_inf", |e| unary(e, Unary::IsInf)),
    row("sqrt", |e| unary(e, Unary::Sqrt(NEAR))),
    row("rsqrt", |e| unary(e, Unary::Rsqrt(FULL))),
    row("exp", |e| unary(e, Unary::Exp(FULL))),
    row("exp2", |e| unary(e, Unary::Exp2(FULL))),
    row("log", |e| unary(e, Unary::Log)),
    row("log2", |e| unary(e, Unary::Log2)),
    row("sin", |e| unary(e, Unary::Sin)),
    row("cos", |e| unary(e, Unary::Cos)),
    row("tanh", |e| unary(e, Unary::Tanh(FULL))),
    row("floor", |e| unary(e, Unary::Floor)),
    row("ceil", |e| unary(e, Unary::Ceil)),
    row("add", |e| binary(e, Binary::Add(NEAR))),
    row("sub", |e| binary(e, Binary::Sub(NEAR))),
    row("mul", |e| binary(e, Binary::Mul(NEAR))),
    row("div", |e| binary(e, Binary::Div(NEAR))),
    row("rem", |e| binary(e, Binary::Rem)),
    row("min", |e| binary(e, Binary::Min(Extremum::SUPPRESS))),
    row("min, NaN propagated", |e| binary(e, Binary::Min(Extremum::PROPAGATE))),
    row("max", |e| binary(e, Binary::Max(Extremum::SUPPRESS))),
    row("max, NaN propagated", |e| binary(e, Binary::Max(Extremum::PROPAGATE))),
    row("min, max, flushing", |e| {
        let flush = Extremum { flush: true, ..Extremum::SUPPRESS };
        [Binary::Min(flush), Binary::Max(flush)].into_iter().flat_map(|f| binary(e, f)).collect()
    }),
    row("pow", |e| binary(e, Binary::Pow)),
    row("powi", |e| one(Op::Powi, &[wide(e), wide(ElementType::I32)])),
    row("and", |e| binary(e, Binary::And)),
    row("or", |e| binary(e, Binary::Or)),
    row("xor", |e| binary(e, Binary::Xor)),
    row("shl", |e| binary(e, Binary::Shl)),
    row("shr", |e| binary(e, Binary::Shr)),
    row("fma", |e| one(Op::Fma(NEAR), &[wide(e); 3])),
    row("eq, ne", |e| compare(e, [Compare::Eq, Compare::Ne])),
    row("lt, le", |e| compare(e, [Compare::Lt, Compare::Le])),
    row("gt, ge", |e| compare(e, [Compare::Gt, Compare::Ge])),
    row("select", |e| one(Op::Select, &[wide(ElementType::Bool), wide(e), wide(e)])),
    row("cast to all types", |e| ElementType::ALL.map(|to| (Op::Cast(Conversion::new(e, to)), vec![wide(e)])).to_vec()),
    row("bitcast", |e| {
        let to = ElementType::ALL.into_iter().filter(|to| to.bitcast_bits() == e.bitcast_bits());
        to.map(|to| (Op::Bitcast(to), vec![wide(e)])).collect()
    }),
    row("reshape", |e| one(Op::Reshape(shape(&[2, 8, 16])), &[wide(e)])),
    row("permute", |e| one(Op::Permute(Map::new(&[1, 0])), &[wide(e)])),
    row("broadcast", |e| one(Op::Broadcast(shape(&[2, 4, 64])), &[wide(e)])),
    row("cat", |e| [0, 1].map(|dim| (Op::Cat(dim), vec![wide(e); 2])).to_vec()),
    row("extract", |e| one(Op::Extract(shape(&[2, 16])), &[wide(e), INDEX, INDEX])),
    row("insert", |e| one(Op::Insert, &[wide(e), TileType::new(e, shape(&[2, 16])), INDEX, INDEX])),
    row("repack", |e| {
        let all = ElementType::ALL.into_iter().flat_map(|to| [0, 1].map(|dim| (Op::Repack(to, dim), vec![wide(e)])));
        all.filter(|(op, operands)| op.result(operands).is_ok()).collect()
    }),
    row("sum", |e| fold(e, Fold::Sum(NEAR))),
    row("prod", |e| fold(e, Fold::Prod(NEAR))),
    row("reduce_min", |e| fold(e, Fold::Min(Nan::Suppress))),
    row("reduce_max", |e| fold(e, Fold::Max(Nan::Suppress))),
    row("reduce_and, all", |e| fold(e, Fold::And)),
    row("reduce_or, any", |e| fold(e, Fold::Or)),
    row("reduce_xor", |e| fold(e, Fold::Xor)),
    row("arg_min", |e| [0, 1].map(|dim| (Op::Arg(Extreme::Min, dim), vec![wide(e)])).to_vec()),
    row("arg_max", |e| [0, 1].map(|dim| (Op::Arg(Extreme::Max, dim), vec![wide(e)])).to_vec()),
    row("scan_sum", |e| scan(e, Fold::Sum(NEAR))),
    row("scan_prod", |e| scan(e, Fold::Prod(NEAR))),
    row("scan_min", |e| scan(e, Fold::Min(Nan::Suppress))),
    row("scan_max", |e| scan(e, Fold::Max(Nan::Suppress))),
    row("scan_and", |e| scan(e, Fold::And)),
    row("scan_or", |e| scan(e, Fold::Or)),
    row("scan_xor", |e| scan(e, Fold::Xor)),
    row("mma, as operands", |e| products(e, &[])),
    row("mma in batches, as operands", |e| products(e, &[2])),
    row("scaled_mma, as operands", scaled_products),
    row("mma, as accumulator", |e| {
        let of = |e, extents: [u32; 2]| TileType::new(e, shape(&extents));
        let all = ElementType::ALL.map(|a| (Op::Mma, vec![of(a, [4, 16]), of(a, [16, 8]), of(e, [4, 8])]));
        all.into_iter().filter(|(op, operands)| op.result(operands).is_ok()).collect()
    }),
];

/// Elements that any type has, so that conversions of them are exact: 1, 2 and 4; of `bool`, 1.
fn simple(ty: TileType, random: &mut Random) -> Plain {
    let pick = |_| match random.next() % 3 {
        _ if ty.element == ElementType::Bool => 1.0,
        n => f64::from(1 << n),
    };
    Plain::new(
        ty,
        (0..ty.shape.size()).map(pick).map(|x| with!(ty.element, E => Element::to_bits(reference::number::<E>(x)))),
    )
}

/// Does the operation exist, and is its result right? An operation that no case is given for does not exist.
fn works(cell: Vec<(Op, Vec<TileType>)>, random: &mut Random) -> bool {
    let exists = !cell.is_empty() && cell.iter().all(|(op, operands)| op.result(operands).is_ok());
    for (op, types) in cell.into_iter().filter(|_| exists) {
        let operand = |&ty: &TileType| match op {
            Op::Cast(_) => simple(ty, random),
            _ if ty == INDEX => Plain::scalar(ElementType::I32, 1),
            _ => random.plain(ty.element, ty.shape),
        };
        let operands: Vec<Plain> = types.iter().map(operand).collect();
        check(op, &operands);
    }
    exists
}

#[test]
fn the_table_of_operations_is_what_they_do() {
    let mut text = String::from(
        "# Operations and element types\n\n\
        Which operation exists for tiles of which elements. A test runs each cell and compares the results with a plain definition:\n\
        `tests/tile_eval/table.rs`, which writes this file when `GIRIH_BLESS` is set. What the operations mean is in the documentation\n\
        of `girih::tile::Op::eval`.\n\n|  |",
    );
    ElementType::ALL.iter().for_each(|e| write!(text, " {e} |").unwrap());
    text += "\n|---|";
    text += &"---|".repeat(ElementType::ALL.len());
    for (seed, Row { name, cell }) in ROWS.iter().enumerate() {
        write!(text, "\n| {name} |").unwrap();
        for e in ElementType::ALL {
            let yes = works(cell(e), &mut Random((seed * 100) as u64 + e as u64));
            text += if yes { " yes |" } else { " |" };
        }
    }
    text += "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operations.md");
    if std::env::var_os("GIRIH_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text, "set GIRIH_BLESS to write {path} anew");
}
