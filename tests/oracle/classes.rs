//! Why an answer of ours differs from the witness's: the classes, each with its check.

use crate::brute;
use crate::law;
use crate::line::{self, Answer, Line, Reply, Tile};
use girih::algebra::laws;
use girih::layout::{Composed, Layout, Swizzle};

/// The class that settles the line.
pub fn settle(line: &Line) -> Result<String, String> {
    match (&line.witness, &line.ours) {
        (Some(w), Ok(ours)) => both(line, w, ours),
        (Some(w), Err(e)) => refused(line, w, &e.kind),
        (None, Ok(ours)) => {
            match (line::layout(&ours.text), line::composed(&ours.text)) {
                (Some(l), _) => law::holds(line, &l)?,
                (_, Some(c)) => law::swizzled(line, &c)?,
                _ => return Err("the witness refuses".into()),
            }
            Ok("the witness refuses what is lawful".into())
        }
        (None, Err(e)) if e.kind == "op" => Err("not answered".into()),
        (None, Err(_)) => right_to_refuse(line).map(|()| "refused by both".into()),
    }
}

fn both(line: &Line, w: &Answer, ours: &Answer) -> Result<String, String> {
    if w.text == ours.text {
        return same_table(w, ours).map(|()| "the same text".into());
    }
    let (Some(theirs), Some(mine)) = (line::layout(&w.text), line::layout(&ours.text)) else {
        return other(line, w, ours);
    };
    if let Some(class) = spelling(line, &theirs, &mine) {
        return same_table(w, ours).map(|()| class.into());
    }
    if let Some(class) = drops(line, &theirs, &mine) {
        return Ok(class.into());
    }
    if line.op == "filter" && line.run_time && laws::same_function(&line.layout(0)?, &theirs).is_ok() {
        return law::holds(line, &mine).map(|()| "C++ does not filter run-time strides".into());
    }
    if takes_apart(line, &theirs, &mine) {
        return Ok("C++ takes a kept mode of rank 2 apart into tile and rest".into());
    }
    if line.op == "right_inverse" && law::holds(line, &mine).is_ok() && shorter(&line.layout(0)?, &theirs, &mine) {
        return Ok("the witness's right inverse is shorter".into());
    }
    match law::holds(line, &theirs) {
        Ok(()) if line.op == "left_inverse" => law::holds(line, &mine).map(|()| "another left inverse".into()),
        Ok(()) => Err("differs, and the witness's answer is lawful".into()),
        Err(broken) => law::holds(line, &mine).map(|()| format!("the witness breaks the law: {}", name(&broken))),
    }
}

/// A right inverse of `a` too, but not the longest.
fn shorter(a: &Layout, theirs: &Layout, mine: &Layout) -> bool {
    let (Ok(n), Ok(longest)) = (theirs.size(), mine.size()) else { return false };
    n < longest && (0..n).all(|i| theirs.at(i).and_then(|x| a.at(x)) == Ok(i))
}

/// The modes of the tiler alone, where ours has those of the left side beyond it too.
fn drops(line: &Line, theirs: &Layout, mine: &Layout) -> Option<&'static str> {
    let (Ok(Tile::ByMode(t)), Ok(a)) = (line.tile(1), line.layout(0)) else { return None };
    let first = mine.take(0, t.rank()).ok()?;
    let beyond = |l: &Layout| l.take(t.rank(), a.rank());
    let dropped = line.op == "composition"
        && law::alike(&beyond(mine).ok()?, &beyond(&a).ok()?)
        && spelling(line, theirs, &first).is_some();
    dropped.then_some("composition by mode: C++ drops the modes beyond the tiler")
}

/// A mode kept by `_` is, in the witness's answer, itself as (tile, rest); all others are as ours.
fn takes_apart(line: &Line, theirs: &Layout, mine: &Layout) -> bool {
    let (Ok(theirs), Ok(mine)) = (law::parts(line, theirs), law::parts(line, mine)) else { return false };
    theirs.iter().zip(&mine).all(|(w, o)| {
        let apart = w.tile.is_none() && w.of.rank() == 2 && law::alike(&w.piece, &w.of) && law::kept(o).is_ok();
        law::alike(&w.piece, &o.piece) || apart
    })
}

/// The same function in another spelling.
fn spelling(line: &Line, theirs: &Layout, mine: &Layout) -> Option<&'static str> {
    if law::alike(theirs, mine) {
        return Some("the same but for strides of extent-1 modes");
    }
    laws::same_function(theirs, mine).ok()?;
    if law::alike(&without_one_tuples(theirs)?, &without_one_tuples(mine)?) {
        return Some("one mode in parentheses or not");
    }
    let each = |l: &Layout| l.shape().product_each().ok();
    if line.op == "nullspace" && law::alike(&theirs.coalesce(), mine) {
        return Some("C++ does not coalesce a nullspace");
    }
    let flat = ["coalesce", "complement"].contains(&line.op.as_str());
    if line.run_time && (flat || mine.shape().compatible(&theirs.shape()) || each(mine) == each(theirs)) {
        return Some("C++ does not coalesce run-time integers: its answer refines ours");
    }
    let coalesced = theirs.coalesce_by_mode(&mine.shape().product_each().ok()?).ok()?;
    if ["blocked_product", "raked_product"].contains(&line.op.as_str()) && law::alike(&coalesced, mine) {
        return Some("blocked and raked products are coalesced by mode");
    }
    None
}

/// The layout with `(4)` read as `4` at every depth.
fn without_one_tuples(l: &Layout) -> Option<Layout> {
    if l.depth() == 0 {
        return Some(*l);
    }
    if l.rank() == 1 {
        return without_one_tuples(&l.mode(0).ok()?);
    }
    let modes = (0..l.rank()).map(|i| without_one_tuples(&l.mode(i).ok()?)).collect::<Option<Vec<_>>>()?;
    Layout::tuple(&modes).ok()
}

/// Answers that are not both layouts.
fn other(line: &Line, w: &Answer, ours: &Answer) -> Result<String, String> {
    if line.op == "slice" && w.text == "():()" {
        let none_kept = !line.args[0].contains('_') && ours.text == "1:0";
        return if none_kept {
            Ok("a coordinate without _ keeps one element".into())
        } else {
            Err("an empty layout".into())
        };
    }
    let swizzle = |a: &Answer| a.text.parse::<Swizzle>().ok();
    if swizzle(w).is_some() && swizzle(w) == swizzle(ours) {
        return same_table(w, ours).map(|()| "the same swizzle".into());
    }
    if let (Some(theirs), Some(mine)) = (line::composed(&w.text), line::composed(&ours.text))
        && swizzled_alike(&theirs, &mine)
    {
        if line.op == "gmma_atom" && same_table(w, ours).is_err() {
            return on_bytes(line, w, ours, &theirs);
        }
        return same_table(w, ours).map(|()| "the same swizzled layout".into());
    }
    Err("different".into())
}

/// A shared-memory atom's swizzle acts on byte addresses: our element numbers are those of the swizzled bytes. C++ evaluates
/// the swizzle of bytes on the numbers of the elements.
fn on_bytes(line: &Line, w: &Answer, ours: &Answer, atom: &Composed) -> Result<String, String> {
    let bytes = if line.args[1] == "half_t" { 2 } else { 4 };
    let swizzle = w.text.split(' ').next().and_then(|s| s.parse::<Swizzle>().ok()).ok_or("a swizzle comes first")?;
    let (Some(theirs), Some(mine)) = (&w.table, &ours.table) else { return Err("no tables".into()) };
    let plain = |i: usize| atom.inner().at(i as i64).map_err(|e| e.to_string());
    for i in 0..mine.len() {
        if Ok(theirs[i]) != swizzle.at(plain(i)?) || Ok(mine[i] * bytes) != swizzle.at(plain(i)? * bytes) {
            return Err(format!("the tables differ at {i}, and not by the unit"));
        }
    }
    Ok("C++ evaluates a swizzle of byte addresses on element numbers".into())
}

/// The same swizzles, offset and layout, but for strides of extent-1 modes. (Units are ours alone.)
fn swizzled_alike(a: &Composed, b: &Composed) -> bool {
    let bits = |c: &Composed| c.swizzles().iter().map(|s| (s.bits(), s.base(), s.shift())).collect::<Vec<_>>();
    bits(a) == bits(b) && a.offset() == b.offset() && law::alike(a.inner(), b.inner())
}

/// Where both print their values, these are equal.
fn same_table(w: &Answer, ours: &Answer) -> Result<(), String> {
    match (&w.table, &ours.table) {
        (Some(w), Some(o)) if w != o => Err("the tables differ".into()),
        _ => Ok(()),
    }
}

/// The witness answers and we refuse.
fn refused(line: &Line, w: &Answer, kind: &str) -> Result<String, String> {
    if line.op == "crd2idx" && kind == "domain" {
        return match &line.ragged {
            Some(Ok(r)) if r.text == w.text => Ok("the coordinate is outside: at_extended agrees".into()),
            _ => Err("at_extended differs".into()),
        };
    }
    if line.op != "left_inverse" {
        right_to_refuse(line)?;
    }
    if let (Some(theirs), Some(Ok(ragged))) = (line::composed(&w.text), &line.ragged)
        && line::composed(&ragged.text).is_some_and(|mine| swizzled_alike(&theirs, &mine))
    {
        return same_table(w, ragged).map(|()| "leaves the domain: composition_extended agrees".into());
    }
    if let Ok(theirs) = w.text.parse::<Swizzle>() {
        return words_move(line, &theirs);
    }
    let Some(theirs) = line::layout(&w.text) else {
        return Ok("the witness's answer is no layout: an extent of 0".into());
    };
    let agree = |r: &Reply| {
        let r = line::layout(&r.as_ref().ok()?.text)?;
        spelling(line, &theirs, &r).or_else(|| drops(line, &theirs, &r))
    };
    if let Some(spelled) = line.ragged.as_ref().and_then(agree) {
        let refined = spelled.starts_with("C++ does not coalesce");
        return Ok(match line.op.as_str() {
            "composition" if spelled.contains("drops") => {
                "leaves the domain: composition_extended agrees, C++ drops modes"
            }
            "composition" if refined => "leaves the domain: composition_extended agrees, coalesced",
            "composition" => "leaves the domain: composition_extended agrees",
            _ if refined => "does not divide: the _ceil form agrees, coalesced",
            _ => "does not divide: the _ceil form agrees",
        }
        .into());
    }
    if kind == "domain" && law::below(line) {
        return Ok("the right side has values below 0".into());
    }
    if kind == "interleaved" && law::parts(line, &theirs)?.iter().any(|p| p.tile.as_ref().is_some_and(brute::repeats)) {
        return Ok("a division by a tile that meets an element twice".into());
    }
    if kind == "interleaved" && law::holes(line, &theirs) {
        return Ok("a division by a tile with holes".into());
    }
    match law::holds(line, &theirs) {
        Ok(()) => Err("refused, and the witness's answer is lawful".into()),
        Err(broken) => Ok(format!("refused, the witness breaks the law: {}", name(&broken))),
    }
}

/// The witness's upcast swizzle does not move whole words as the swizzle moves their elements.
fn words_move(line: &Line, theirs: &Swizzle) -> Result<String, String> {
    let (s, n) = (line.swizzle(1)?, line.int(0)?);
    let moved = (0..1 << 12).any(|x| s.at(x) != theirs.at(x / n).map(|w| w * n + x % n));
    if moved { Ok("refused, the witness's swizzle loses moves inside a word".into()) } else { Err("lawful".into()) }
}

fn right_to_refuse(line: &Line) -> Result<(), String> {
    match law::refusable(line) {
        Some(true) => Ok(()),
        Some(false) => Err("refused, and brute force finds an answer".into()),
        None => Err("refused, and too large to try".into()),
    }
}

/// The law without the place where it breaks.
fn name(broken: &str) -> &str {
    broken.split(": at ").next().unwrap_or(broken)
}
