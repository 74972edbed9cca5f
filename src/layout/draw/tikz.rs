//! Panels as LaTeX (TikZ).

use super::Drawing;
use super::color::Rgb;
use super::panel::Panel;
use std::fmt::Write;

pub(super) fn render(drawing: &Drawing) -> String {
    let (panels, legend) = drawing.panels();
    let mut out = String::from("\\documentclass[border=4pt]{standalone}\n\\usepackage{tikz}\n\\begin{document}\n");
    // a comment ends with its line
    for text in [&drawing.title, &legend.subtitle] {
        if let Some(line) = text.lines().next() {
            let _ = writeln!(out, "% {line}");
        }
    }
    for (k, p) in panels.iter().enumerate() {
        if k > 0 {
            out += "\\qquad\n";
        }
        panel(&mut out, p);
    }
    out += "\\end{document}\n";
    out
}

/// One centimetre to a cell, rows downwards.
fn panel(out: &mut String, p: &Panel) {
    let (first, m, n) = (p.window.start, p.window.len(), p.cols.extent());
    *out += "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},font=\\ttfamily\\footnotesize,baseline=(current bounding box.north)]\n";
    let labels = font(p.cells.iter().flat_map(|c| &c.lines));
    for (c, cell) in p.cells.iter().enumerate() {
        let (i, j) = (c % m, c / m);
        if let Some(fill) = cell.fill {
            let _ = writeln!(out, "\\fill[fill={}] ({i},{j}) rectangle +(1,1);", rgb(fill));
        }
        let ink = rgb(cell.fill.map_or(super::color::INK, Rgb::ink));
        let text = tex(&cell.lines.join("\\\\"));
        let _ = writeln!(out, "\\node[align=center,inner sep=0pt,text={ink},{labels}] at ({i}.5,{j}.5) {{{text}}};");
        if cell.mark {
            let color = rgb(super::color::ALARM);
            let _ =
                writeln!(out, "\\fill[fill={color}] ({i},{j}.75) -- ({i},{}) -- ({i}.25,{}) -- cycle;", j + 1, j + 1);
        }
    }
    let _ = writeln!(out, "\\draw[gray!60] (0,0) grid ({m},{n});\n\\draw[thick] (0,0) rectangle ({m},{n});");
    for i in (1..m).filter(|&i| p.rows.level(first + i) > 0) {
        let _ = writeln!(out, "\\draw[thick] ({i},0) -- ({i},{n});");
    }
    for j in (1..n).filter(|&j| p.cols.level(j) > 0) {
        let _ = writeln!(out, "\\draw[thick] (0,{j}) -- ({m},{j});");
    }
    for i in 0..m {
        let name = header(p.row_name, first + i, &p.rows.coords);
        let _ = writeln!(out, "\\node[left] at ({i}.5,0) {{{name}}};");
    }
    let headers = font(p.cols.coords.iter());
    for j in 0..n {
        let name = header(p.col_name, j, &p.cols.coords);
        let _ = writeln!(out, "\\node[{headers}] at (-0.35,{j}.5) {{{name}}};");
    }
    if !p.caption.is_empty() {
        let caption = tex(&p.caption);
        let _ = writeln!(out, "\\node[right,inner sep=0pt] at (-0.9,0) {{{caption}}};");
    }
    for (k, (name, ways)) in p.footer.iter().flat_map(|f| f.lines.iter()).enumerate() {
        let each = p.footer.as_ref().map_or(1, |f| f.cols_each);
        let y = m as f64 + 0.4 + 0.5 * k as f64;
        let _ = writeln!(out, "\\node[left] at ({y},0) {{{}}};", tex(name));
        for (g, n) in ways.iter().enumerate() {
            let _ = writeln!(out, "\\node at ({y},{}) {{$\\times{n}$}};", (g as f64 + 0.5) * each as f64);
        }
    }
    *out += "\\end{tikzpicture}\n";
}

/// The few characters of labels and captions that LaTeX reads otherwise.
fn tex(text: &str) -> String {
    let text = text.replace('_', "\\_").replace('\u{d7}', "$\\times$");
    text.replace('\u{b7}', "$\\cdot$").replace('\u{2013}', "-")
}

/// The font in which the longest of the texts is no wider than a cell.
fn font<'a>(texts: impl Iterator<Item = &'a String>) -> &'static str {
    match texts.map(|t| t.chars().count()).max().unwrap_or(0) {
        0..=6 => "font=\\ttfamily\\footnotesize",
        7 => "font=\\ttfamily\\scriptsize",
        _ => "font=\\ttfamily\\tiny",
    }
}

/// `T3` of a named axis, else the hierarchical coordinate.
fn header(name: &str, at: usize, coords: &[String]) -> String {
    if name.is_empty() { coords[at].clone() } else { format!("{name}{at}") }
}

fn rgb(c: Rgb) -> String {
    format!("{{rgb,255:red,{};green,{};blue,{}}}", c.0, c.1, c.2)
}
