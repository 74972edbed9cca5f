//! Panels as SVG.

use super::color::{ALARM, INK, PAPER, Rgb, ramp};
use super::grid::Axis;
use super::panel::{Cell, Footer, Legend, Panel};
use super::{Background, Drawing};
use std::fmt::{self, Write};

/// Width of a character over the font size, of the widest of the usual monospaced fonts.
const ADVANCE: f64 = 0.62;
/// Height of a line over the font size.
const LEADING: f64 = 1.2;
/// Of cell labels at most; of everything else.
const FONT: f64 = 13.0;
const SMALL: f64 = 11.0;
const TITLE: f64 = 15.0;
/// Font of the second line of a label over that of the first.
const SECOND: f64 = 0.84;
/// Smallest font of a cell label: smaller ones are left out. Two lines need more.
const LEAST: f64 = 6.0;
const LEAST_TWO: f64 = 7.0;
/// The columns share this width, as far as their labels stay readable.
const WIDTH: f64 = 1600.0;
const MOST_WIDTH: f64 = 2800.0;
const MARGIN: f64 = 24.0;
const GAP: f64 = 40.0;
const SWATCH: f64 = 18.0;

pub(super) fn render(drawing: &Drawing) -> String {
    let (panels, legend) = drawing.panels();
    let scale = Scale::of(&panels);
    let boxes: Vec<Frame> = panels.iter().map(|p| Frame::of(p, &scale)).collect();
    let (places, body) = flow(&boxes);
    // narrow pictures get room for title and legend; what is still too long for a line is broken, not shrunk
    let letters = |text: &str, font: f64| text.chars().count() as f64 * ADVANCE * font;
    let swatches = legend.swatches.len() as f64 * SWATCH * 1.5;
    let heading = letters(&drawing.title, TITLE).max(letters(&legend.subtitle, SMALL)).max(swatches);
    let width = body.0.max(heading.clamp(260.0, 560.0));
    let title = wrap(&drawing.title, width / (ADVANCE * TITLE));
    let subtitle = wrap(&legend.subtitle, width / (ADVANCE * SMALL));
    let mut out = Svg::default();
    let mut y = MARGIN;
    for line in &title {
        out.text(MARGIN, y + 13.0, "ink", "start", TITLE, line);
        y += 20.0;
    }
    for line in &subtitle {
        out.text(MARGIN, y + 10.0, "muted", "start", SMALL, line);
        y += 16.0;
    }
    if y > MARGIN {
        y += 10.0;
    }
    for ((panel, frame), place) in panels.iter().zip(&boxes).zip(&places) {
        out.panel(panel, frame, &scale, MARGIN + place.0, y + place.1);
    }
    y = out.legend(&legend, scale.lines, width, y + body.1 + 20.0);
    out.finish(drawing, width + 2.0 * MARGIN, y + MARGIN)
}

/// Size of a cell and of its label, the same in all panels.
struct Scale {
    w: f64,
    h: f64,
    font: f64,
    lines: usize,
}

impl Scale {
    fn of(panels: &[Panel]) -> Scale {
        let most = |n: fn(&Panel) -> usize| panels.iter().map(n).max().unwrap_or(1);
        let count = most(|p| p.cols.extent()).max(most(|p| p.window.len()) / 2) as f64;
        let cells = || panels.iter().flat_map(|p| &p.cells);
        // width of the widest label of `n` lines at font size 1
        let longest = |n: usize| {
            let lines = cells().flat_map(|c| c.lines.iter().zip([1.0, SECOND]).take(n));
            ADVANCE * lines.map(|(l, font)| l.chars().count() as f64 * font).fold(1.0, f64::max)
        };
        let two = cells().any(|c| c.lines.len() > 1);
        let ideal = (longest(2) * FONT + 8.0).max(30.0);
        let readable = (longest(1) * LEAST_TWO + 3.0).min(MOST_WIDTH / count);
        let w = ideal.min((WIDTH / count).max(readable).max(8.0)).floor();
        let font = |n| ((w - 3.0) / longest(n)).min(if n == 2 { FONT - 1.0 } else { FONT });
        let lines = match () {
            _ if two && font(2) >= LEAST_TWO => 2,
            _ if font(1) >= LEAST => 1,
            _ => 0,
        };
        let font = (font(lines.max(1)) * 10.0).floor() / 10.0;
        let h = (lines as f64 * font * LEADING + 4.0).max(w.min(30.0)).ceil();
        Scale { w, h, font, lines }
    }
}

/// Outer size of a panel, and where its cells begin.
struct Frame {
    size: (f64, f64),
    left: f64,
    top: f64,
    /// widths of the tiers of row headers, and height of each tier of column headers, from the cells outwards
    row_tiers: Vec<f64>,
}

const TIER: f64 = 16.0;

impl Frame {
    fn of(p: &Panel, scale: &Scale) -> Frame {
        let width = |text: usize| (text as f64 * ADVANCE * SMALL + 8.0).ceil();
        let digits = |n: usize| (n - 1).to_string().len();
        let mut row_tiers = vec![width(p.row_name.len() + digits(p.rows.extent()))];
        row_tiers.extend(p.rows.tiers().iter().map(|t| width(digits(t.1)) + 4.0));
        let footer = p.footer.as_ref().map_or(&[][..], |f| &f.lines);
        let names = footer.iter().map(|l| width(l.0.chars().count()));
        let left = names.fold(row_tiers.iter().sum(), f64::max);
        let caption = if p.caption.is_empty() { 0.0 } else { 18.0 };
        let top = caption + TIER * (1 + p.cols.tiers().len()) as f64;
        let below = if footer.is_empty() { 0.0 } else { 8.0 + TIER * footer.len() as f64 };
        let cells = (p.cols.extent() as f64 * scale.w, p.window.len() as f64 * scale.h);
        let wide = (left + cells.0).max(p.caption.chars().count() as f64 * ADVANCE * SMALL + left);
        Frame { size: (wide, top + cells.1 + below), left, top, row_tiers }
    }
}

/// Places of the panels in lines, cells beside cells, and the size of the whole.
fn flow(boxes: &[Frame]) -> (Vec<(f64, f64)>, (f64, f64)) {
    let widest = boxes.iter().map(|b| b.size.0).fold(0.0, f64::max);
    let area: f64 = boxes.iter().map(|b| (b.size.0 + GAP) * (b.size.1 + GAP)).sum();
    // equal panels make a block; a tile and its threads stand side by side
    let equal = boxes.windows(2).all(|b| b[0].size == b[1].size);
    let limit = if equal { widest.max((area * 1.6).sqrt()) } else { widest.max(MOST_WIDTH) };
    let (mut places, mut size) = (Vec::new(), (0f64, 0f64));
    let (mut x, mut y) = (0.0, 0.0);
    let top = boxes.iter().map(|b| b.top).fold(0.0, f64::max);
    for b in boxes {
        let drop = top - b.top;
        if x > 0.0 && x + b.size.0 > limit {
            (x, y) = (0.0, size.1 + GAP * 0.6);
        }
        places.push((x, y + drop));
        size = (size.0.max(x + b.size.0), size.1.max(y + drop + b.size.1));
        x += b.size.0 + GAP;
    }
    (places, size)
}

/// Lines of at most `most` characters, broken after a space or a comma where there is one in the second half.
fn wrap(text: &str, most: f64) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (most, mut rest, mut lines) = ((most as usize).max(1), &chars[..], Vec::new());
    while !rest.is_empty() {
        let full = rest.len().min(most);
        let gap = rest[..full].iter().rposition(|c| matches!(c, ' ' | ',')).map(|at| at + 1);
        let end = gap.filter(|&at| full < rest.len() && at > full / 2).unwrap_or(full);
        lines.push(rest[..end].iter().collect());
        rest = &rest[end..];
    }
    lines
}

/// Text in XML: what has a meaning there is escaped, control characters (which XML cannot hold) are replaced.
pub(super) struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A length, in tenths.
struct Px(f64);

impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0 * 10.0).round() / 10.0)
    }
}

#[derive(Default)]
struct Svg {
    out: String,
}

/// Writing to a string does not fail.
macro_rules! put {
    ($svg:expr, $($text:tt)+) => {{ let _ = writeln!($svg.out, $($text)+); }};
}

impl Svg {
    fn text(&mut self, x: f64, y: f64, class: &str, anchor: &str, size: f64, text: &str) {
        put!(
            self,
            r#"<text class="{class}" x="{}" y="{}" text-anchor="{anchor}" font-size="{}">{}</text>"#,
            Px(x),
            Px(y),
            Px(size),
            Escaped(text)
        );
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (a, b, c, d) = (Px(from.0), Px(from.1), Px(to.0), Px(to.1));
        put!(self, r#"<path class="{class}" d="M{a} {b}L{c} {d}"/>"#);
    }

    /// The panel with its upper left corner at `(x, y)`.
    fn panel(&mut self, p: &Panel, frame: &Frame, scale: &Scale, x: f64, y: f64) {
        if !p.caption.is_empty() {
            self.text(x + frame.left, y + 11.0, "ink", "start", SMALL, &p.caption);
        }
        let (left, top) = (x + frame.left, y + frame.top);
        let (w, h, m) = (scale.w, scale.h, p.window.len());
        for (c, cell) in p.cells.iter().enumerate() {
            self.cell(cell, scale, left + (c / m) as f64 * w, top + (c % m) as f64 * h);
        }
        self.rules(p, scale, left, top);
        self.column_headers(p, scale, left, top);
        self.row_headers(p, frame, scale, left, top);
        if let Some(footer) = &p.footer {
            self.footer(footer, p, scale, left, top + m as f64 * h + 8.0);
        }
    }

    fn cell(&mut self, cell: &Cell, scale: &Scale, x: f64, y: f64) {
        let (w, h) = (scale.w, scale.h);
        let (px, py, pw, ph) = (Px(x), Px(y), Px(w), Px(h));
        let fill = cell.fill.map_or("none".to_string(), |f| f.to_string());
        let class = if cell.fill.is_some() { "cell" } else { "hole" };
        put!(
            self,
            r#"<rect class="{class}" x="{px}" y="{py}" width="{pw}" height="{ph}" fill="{fill}"><title>{}</title></rect>"#,
            Escaped(&cell.tip)
        );
        if cell.mark {
            let s = Px((w.min(h) * 0.3).min(9.0));
            put!(self, r#"<path class="mark" d="M{} {py}h-{s}l{s} {s}z"/>"#, Px(x + w));
        }
        let lines = cell.lines.len().min(scale.lines);
        let mut base = y + h / 2.0 - (lines as f64 - 1.0) * scale.font * LEADING / 2.0 + scale.font * 0.35;
        for (k, line) in cell.lines.iter().take(lines).enumerate() {
            let (tx, ty, text) = (Px(x + w / 2.0), Px(base), Escaped(line));
            let font = Px(if k == 0 { scale.font } else { scale.font * SECOND });
            let class = ["label", "label second"][k.min(1)];
            match cell.fill {
                Some(f) => put!(
                    self,
                    r#"<text class="{class}" x="{tx}" y="{ty}" font-size="{font}" fill="{}">{text}</text>"#,
                    f.ink()
                ),
                None => put!(self, r#"<text class="{class} muted" x="{tx}" y="{ty}" font-size="{font}">{text}</text>"#),
            }
            base += scale.font * LEADING;
        }
    }

    /// The frame, a rule at each nested boundary, and heavy rules between the groups of rows of a footer.
    fn rules(&mut self, p: &Panel, scale: &Scale, left: f64, top: f64) {
        let (w, h) = (p.cols.extent() as f64 * scale.w, p.window.len() as f64 * scale.h);
        let class = |level| ["", "rule", "rule2"][usize::min(level, 2)];
        for j in 1..p.cols.extent() {
            let x = left + j as f64 * scale.w;
            let request = p.footer.as_ref().is_some_and(|f| f.cols_each > 1 && j.is_multiple_of(f.cols_each));
            let level = p.cols.level(j) + usize::from(request);
            if level > 0 {
                self.line(class(level), (x, top), (x, top + h));
            }
        }
        for i in p.window.clone().skip(1) {
            let y = top + (i - p.window.start) as f64 * scale.h;
            let phase = p.footer.as_ref().is_some_and(|f| i.is_multiple_of(f.rows_each));
            let level = p.rows.level(i) + 2 * usize::from(phase);
            if level > 0 {
                self.line(class(level), (left, y), (left + w, y));
            }
        }
        put!(self, r#"<rect class="frame" x="{}" y="{}" width="{}" height="{}"/>"#, Px(left), Px(top), Px(w), Px(h));
    }

    fn column_headers(&mut self, p: &Panel, scale: &Scale, left: f64, top: f64) {
        let every = thin(p.cols, p.col_name, |text| (text * ADVANCE * SMALL + 5.0) / scale.w);
        for j in (0..p.cols.extent()).step_by(every) {
            let x = left + (j as f64 + 0.5) * scale.w;
            self.text(x, top - 5.0, "muted", "middle", SMALL, &format!("{}{j}", p.col_name));
        }
        let mut y = top;
        for (span, extent) in p.cols.tiers() {
            y -= TIER;
            let step = span as f64 * scale.w;
            let fits = (extent - 1).to_string().len() as f64 * ADVANCE * SMALL + 4.0 < step;
            for k in 0..p.cols.extent() / span {
                let x = left + k as f64 * step;
                if span > 1 {
                    self.line("brace", (x + 2.5, y - 1.5), (x + step - 2.5, y - 1.5));
                }
                if fits {
                    self.text(x + step / 2.0, y - 5.0, "ink", "middle", SMALL, &(k % extent).to_string());
                }
            }
        }
    }

    fn row_headers(&mut self, p: &Panel, frame: &Frame, scale: &Scale, left: f64, top: f64) {
        let every = thin(p.rows, p.row_name, |_| SMALL / scale.h);
        let height = |i: usize| (i.clamp(p.window.start, p.window.end) - p.window.start) as f64 * scale.h;
        for i in p.window.clone().step_by(every) {
            let y = top + height(i) + scale.h / 2.0 + SMALL * 0.35;
            self.text(left - 5.0, y, "muted", "end", SMALL, &format!("{}{i}", p.row_name));
        }
        let mut x = left;
        for ((span, extent), widths) in p.rows.tiers().into_iter().zip(frame.row_tiers.windows(2)) {
            x -= widths[0];
            for k in p.window.start / span..p.window.end.div_ceil(span) {
                let (from, to) = (top + height(k * span), top + height((k + 1) * span));
                if span > 1 {
                    self.line("brace", (x - 1.5, from + 2.5), (x - 1.5, to - 2.5));
                }
                if to - from >= SMALL {
                    let text = (k % extent).to_string();
                    self.text(x - 7.0, (from + to) / 2.0 + SMALL * 0.35, "ink", "end", SMALL, &text);
                }
            }
        }
    }

    fn footer(&mut self, footer: &Footer, p: &Panel, scale: &Scale, left: f64, top: f64) {
        let step = footer.cols_each as f64 * scale.w;
        for (k, (name, ways)) in footer.lines.iter().enumerate() {
            let y = top + k as f64 * TIER;
            self.text(left - 5.0, y + 11.5, "muted", "end", SMALL, name);
            for (g, &n) in ways.iter().enumerate().take(p.cols.extent() / footer.cols_each) {
                let x = left + g as f64 * step;
                let text = format!("\u{d7}{n}");
                let font = ((step - 3.0) / (text.chars().count() as f64 * ADVANCE)).min(SMALL);
                if n > 1 {
                    put!(
                        self,
                        r#"<rect class="alarm" x="{}" y="{}" width="{}" height="{}"/>"#,
                        Px(x + 0.5),
                        Px(y + 0.5),
                        Px(step - 1.0),
                        Px(TIER - 1.0)
                    );
                }
                if font >= LEAST {
                    let class = if n > 1 { "label over" } else { "label muted" };
                    self.text(x + step / 2.0, y + TIER / 2.0 + font * 0.35, class, "middle", font, &text);
                }
            }
        }
    }

    /// The legend from height `y` on; returns where it ends.
    fn legend(&mut self, legend: &Legend, lines: usize, width: f64, mut y: f64) -> f64 {
        let letters = |n: usize| n as f64 * ADVANCE * SMALL;
        let start = MARGIN + letters(legend.name.chars().count()) + 10.0;
        self.text(MARGIN, y + 13.0, "muted", "start", SMALL, legend.name);
        let mut x = start;
        if let Some((min, max)) = &legend.ramp {
            self.text(x, y + 13.0, "ink", "start", SMALL, min);
            x += letters(min.chars().count()) + 8.0;
            for k in 0..32 {
                let fill = ramp(f64::from(k) / 31.0);
                let (rx, ry) = (Px(x + f64::from(k) * 5.0), Px(y));
                put!(self, r#"<rect x="{rx}" y="{ry}" width="5.5" height="{}" fill="{fill}"/>"#, Px(SWATCH));
            }
            self.text(x + 168.0, y + 13.0, "ink", "start", SMALL, max);
        }
        let longest = legend.swatches.iter().map(|s| s.1.chars().count()).max().unwrap_or(0);
        let step = (letters(longest) + 8.0).max(22.0).ceil();
        for (fill, text) in &legend.swatches {
            if x + step > MARGIN + width {
                (x, y) = (start, y + SWATCH);
            }
            self.swatch(*fill, x, y, step, text);
            x += step;
        }
        if legend.more {
            self.text(x + 4.0, y + 13.0, "muted", "start", SMALL, "\u{2026}");
        }
        y += SWATCH;
        if let Some(note) = legend.mark {
            y += 8.0;
            put!(self, r#"<path class="mark" d="M{} {}h-9l9 9z"/>"#, Px(MARGIN + 10.0), Px(y + 2.0));
            self.text(MARGIN + 18.0, y + 11.0, "muted", "start", SMALL, note);
            y += SWATCH;
        }
        if lines == 2 && !legend.cell.is_empty() {
            y += 8.0;
            self.text(MARGIN, y + 11.0, "muted", "start", SMALL, legend.cell);
            y += SWATCH;
        }
        y
    }

    fn swatch(&mut self, fill: Rgb, x: f64, y: f64, w: f64, text: &str) {
        let (px, py, ink) = (Px(x), Px(y), fill.ink());
        put!(self, r#"<rect class="cell" x="{px}" y="{py}" width="{w}" height="{}" fill="{fill}"/>"#, Px(SWATCH));
        put!(
            self,
            r#"<text class="label" x="{}" y="{}" font-size="{}" fill="{ink}">{}</text>"#,
            Px(x + w / 2.0),
            Px(y + 13.0),
            Px(SMALL),
            Escaped(text)
        );
    }

    fn finish(self, drawing: &Drawing, w: f64, h: f64) -> String {
        let (scope, paper) = match drawing.background {
            Background::Auto => ("girih-auto", true),
            Background::Light => ("girih-light", true),
            Background::Dark => ("girih-dark", true),
            Background::Transparent => ("girih-clear", false),
        };
        let light = theme(scope, PAPER, INK, Rgb(0x5f, 0x67, 0x70));
        let dark = theme(scope, Rgb(0x12, 0x15, 0x1a), Rgb(0xe8, 0xea, 0xed), Rgb(0x9a, 0xa2, 0xad));
        let colors = match drawing.background {
            Background::Auto => format!("{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n"),
            Background::Dark => dark,
            _ => light,
        };
        let page = if paper { "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n" } else { "" };
        let (w, h, title, body) = (Px(w.ceil()), Px(h.ceil()), Escaped(&drawing.title), self.out);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="{scope}" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img">
<title>{title}</title>
<style>
.{scope} text{{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace}}
.{scope} .label{{text-anchor:middle}}
.{scope} .second{{fill-opacity:.75}}
.{scope} .cell{{stroke-width:1}}
.{scope} .hole{{stroke-width:1;stroke-opacity:.35}}
.{scope} .rule{{stroke-width:1.5}}
.{scope} .rule2{{stroke-width:2.5}}
.{scope} .brace{{stroke-width:1}}
.{scope} .frame{{stroke-width:1.5;fill:none}}
.{scope} .mark,.{scope} .alarm{{fill:{ALARM}}}
.{scope} .over{{fill:{PAPER}}}
{colors}</style>
{page}{body}</svg>
"#
        )
    }
}

/// What depends on the background.
fn theme(scope: &str, paper: Rgb, ink: Rgb, muted: Rgb) -> String {
    format!(
        ".{scope} .page{{fill:{paper}}}\n.{scope} .ink{{fill:{ink}}}\n.{scope} .muted{{fill:{muted}}}\n\
         .{scope} .cell{{stroke:{paper}}}\n.{scope} .hole,.{scope} .brace{{stroke:{muted}}}\n\
         .{scope} .rule,.{scope} .rule2,.{scope} .frame{{stroke:{ink}}}\n"
    )
}

/// Every how many positions a header fits, a power of two; `room` is the part of a position that a text of that many
/// characters takes.
fn thin(axis: &Axis, name: &str, room: impl Fn(f64) -> f64) -> usize {
    let text = name.len() + (axis.extent() - 1).to_string().len();
    (room(text as f64).ceil().max(1.0) as usize).next_power_of_two()
}
