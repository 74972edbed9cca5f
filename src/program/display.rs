//! The listing of a program.

use super::ir::{Body, ChunkAccess, Id, Kind, ParameterKind, Program, Statement, Symbol, Use};
use super::operation::operation;
use crate::layout::Layout;
use crate::tile::{ElementType, Op, TileType};
use crate::view::{Access, AccessKind, At, Chunks, Padding};
use core::convert::Infallible;
use core::fmt;
use std::collections::BTreeMap;

/// The column where the places in the source text stand.
const MARGIN: usize = 88;

/// Signature, symbols, conditions and grid, then a statement a line, with its place in the source text; `{:#}` leaves the places
/// out. Numbers, extents and scalar parameters are written where they are used: of `i32` and `bool` as they are, of other types
/// with the type.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let parameters = self.parameters.iter().map(|p| match &p.kind {
            ParameterKind::Span(layout, direction) => format!("{}: {}{} {direction}", p.name, p.element, span(layout)),
            ParameterKind::Scalar => format!("{}: {}", p.name, p.element),
        });
        let mut page = Page { program: self, lines: !f.alternate(), text: String::new(), inline: BTreeMap::new() };
        page.find(&self.body);
        page.line(0, &format!("program {}({})", self.name, list(parameters)), None);
        if !self.symbols.is_empty() {
            page.line(1, &format!("symbols {}", list(&self.symbols)), None);
        }
        for (condition, line) in &self.requirements {
            page.line(1, &format!("require {condition}"), Some(line.to_string()));
        }
        if !self.grid.is_empty() {
            page.line(1, &format!("grid {}", tuple(&self.grid)), None);
        }
        page.block(2, &self.body);
        f.write_str(&page.text)
    }
}

/// Extents, and strides where they are not those of row-major order.
fn span(layout: &Layout) -> String {
    let shape = layout.shape();
    match Layout::row_major(&shape) {
        Ok(plain) if plain == *layout => shape.to_string(),
        _ => layout.to_string(),
    }
}

fn list<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// As layouts have it.
pub(super) fn tuple<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    format!("({})", items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(","))
}

struct Page<'p> {
    program: &'p Program,
    lines: bool,
    text: String,
    /// what is written in place of a value
    inline: BTreeMap<Id, &'p Kind>,
}

impl<'p> Page<'p> {
    /// The values that are written where they are used.
    fn find(&mut self, body: &'p Body) {
        let Ok(()) = body.each(&mut |Statement { kind, .. }| {
            match kind {
                Kind::Let { result, op: Op::Full(ty, _), .. } if ty.shape.rank() == 0 => {
                    self.inline.insert(*result, kind);
                }
                Kind::Extent { result, .. } | Kind::Scalar { result, .. } => {
                    self.inline.insert(*result, kind);
                }
                _ => {}
            }
            Ok::<(), Infallible>(())
        });
    }

    fn line(&mut self, depth: usize, text: &str, place: Option<String>) {
        let text = format!("{:1$}{text}", "", 2 * depth);
        match place.filter(|_| self.lines) {
            Some(place) => self.text.push_str(&format!("{text:MARGIN$}  {place}\n")),
            None => self.text.push_str(&format!("{text}\n")),
        }
    }

    fn block(&mut self, depth: usize, block: &Body) {
        for statement in &block.statements {
            self.statement(depth, statement);
        }
        if !block.results.is_empty() {
            let results = self.values(&block.results);
            self.line(depth, &format!("yield {results}"), None);
        }
    }

    fn statement(&mut self, depth: usize, statement: &Statement) {
        let results = statement.kind.results();
        if let [one] = results[..]
            && self.inline.contains_key(&one)
        {
            return;
        }
        let made: Vec<String> = results.iter().map(|&id| self.typed(id)).collect();
        let made = if made.is_empty() { String::new() } else { format!("{} = ", made.join(", ")) };
        let place = Some(statement.line.to_string());
        match &statement.kind {
            Kind::For { range: [start, end, step], index, carried, body } => {
                let (index, start, end) = (self.typed(*index), self.value(*start), self.value(*end));
                let mut text = format!("{made}for {index} in {start}..{end}");
                if !self.is_one(*step) {
                    text += &format!(" by {}", self.value(*step));
                }
                let carried =
                    list(carried.iter().map(|c| format!("{} = {}", self.typed(c.inside), self.value(c.initial))));
                if !carried.is_empty() {
                    text += &format!(" carrying {carried}");
                }
                self.line(depth, &text, place);
                self.block(depth + 1, body);
            }
            Kind::If { condition, then, otherwise, .. } => {
                self.line(depth, &format!("{made}if {}", self.value(*condition)), place);
                self.block(depth + 1, then);
                if !otherwise.statements.is_empty() || !otherwise.results.is_empty() {
                    self.line(depth, "else", None);
                    self.block(depth + 1, otherwise);
                }
            }
            simple => {
                let text = format!("{made}{}", self.simple(simple));
                self.line(depth, &text, place);
            }
        }
    }

    fn simple(&self, kind: &Kind) -> String {
        match kind {
            Kind::Let { op, operands, .. } => {
                operation(*op, &operands.iter().map(|&id| self.value(id)).collect::<Vec<_>>())
            }
            Kind::BlockId { dim, .. } => format!("block_id {dim}"),
            Kind::Extent { value, .. } => value.to_string(),
            Kind::Scalar { parameter, .. } => self.program.parameters[*parameter].name.clone(),
            Kind::Load { chunk, .. } => format!("load {}", self.chunk(chunk)),
            Kind::Store { tile, chunk } => {
                let verb = match chunk.access.kind {
                    AccessKind::Atomic(op) => format!("atomic_{op:?}").to_lowercase(),
                    _ => "store".into(),
                };
                format!("{verb} {} to {}", self.value(*tile), self.chunk(chunk))
            }
            Kind::For { .. } | Kind::If { .. } => String::new(),
        }
    }

    fn chunk(&self, chunk: &ChunkAccess) -> String {
        let at = list(chunk.index.iter().map(|at| match at {
            At::Number(n) => n.to_string(),
            At::Tile(id) => self.value(*id),
        }));
        let mut text =
            format!("{}[{at}] by {}", self.program.parameters[chunk.parameter].name, chunk.view.tile().shape);
        match chunk.view.chunks() {
            Chunks::Gather { dim, .. } => text += &format!(" gathered along {dim}"),
            Chunks::Strided { tile, strides } => {
                let strides = &strides[..tile.rank()];
                if !tile.extents().map(i64::from).eq(strides.iter().copied()) {
                    text += &format!(" every {}", tuple(strides));
                }
            }
        }
        let Access { kind, masked, padding, strong, hints } = chunk.access;
        if masked {
            text += " masked";
        }
        if masked && kind == AccessKind::Load {
            text += match padding {
                Padding::Zero => " 0",
                Padding::NegativeZero => " -0",
                Padding::PositiveInfinity => " inf",
                Padding::NegativeInfinity => " -inf",
                Padding::Nan => " nan",
            };
        }
        if let Some((order, scope)) = strong {
            text += &format!(" {order:?} {scope:?}").to_lowercase();
        }
        if chunk.view.index() != ElementType::I64 {
            text += &format!(" indexed by {}", chunk.view.index());
        }
        if let Some(latency) = hints.latency {
            text += &format!(" latency {latency}");
        }
        if let Some(allowed) = hints.allow_tma {
            text += if allowed { " tma" } else { " no tma" };
        }
        text
    }

    fn values(&self, ids: &[Id]) -> String {
        list(ids.iter().map(|&id| self.value(id)))
    }

    /// A value where it is used.
    fn value(&self, id: Id) -> String {
        let Some(kind) = self.inline.get(&id) else { return id.to_string() };
        let text = self.simple(kind);
        match (kind, self.program.ty(id)) {
            (Kind::Scalar { .. }, _) | (_, Some(TileType { element: ElementType::I32 | ElementType::Bool, .. })) => {
                text
            }
            (_, ty) => text + &ty.map_or(String::new(), |ty| format!(": {}", ty.element)),
        }
    }

    fn is_one(&self, id: Id) -> bool {
        matches!(self.inline.get(&id), Some(Kind::Let { op: Op::Full(_, 1), .. }))
    }

    fn typed(&self, id: Id) -> String {
        match self.program.ty(id) {
            Some(TileType { element, shape }) if shape.rank() == 0 => format!("{id}: {element}"),
            Some(ty) => format!("{id}: {ty}"),
            None => id.to_string(),
        }
    }
}

/// `?n`, or `?n{8}` for a multiple of 8.
impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.multiple {
            1 => write!(f, "?{}", self.name),
            multiple => write!(f, "?{}{{{multiple}}}", self.name),
        }
    }
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Use::In => "in",
            Use::Out => "out",
            Use::InOut => "inout",
        })
    }
}
