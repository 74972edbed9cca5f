//! A report as text.

use super::{Kind, Line, Report};
use core::fmt::{self, Display, Formatter};
use std::collections::{BTreeMap, HashMap};

/// Source lines that a report shows.
const SHOWN: usize = 16;

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)?;
        self.kinds(f)?;
        self.memory(f)?;
        self.costly(f)?;
        self.faults.iter().try_for_each(|fault| writeln!(f, "\n{fault}"))
    }
}

/// Sums over instructions.
#[derive(Clone, Copy, Default)]
struct Sum {
    executions: u64,
    threads: u64,
    bytes: u64,
    wavefronts: u64,
    ideal: u64,
    sectors: u64,
    used: u64,
}

impl Sum {
    fn of<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Sum {
        lines.into_iter().fold(Sum::default(), |s, l| Sum {
            executions: s.executions + l.executions,
            threads: s.threads + l.threads,
            bytes: s.bytes + l.bytes,
            wavefronts: s.wavefronts + l.wavefronts,
            ideal: s.ideal + l.ideal,
            sectors: s.sectors + l.sectors,
            used: s.used + l.used,
        })
    }

    fn cost(&self) -> u64 {
        self.executions + self.wavefronts + self.sectors
    }

    /// Threads of an instruction of a warp.
    fn active(&self) -> String {
        format!("{:.1}", self.threads as f64 / self.executions.max(1) as f64)
    }

    /// Sectors, what was used of them, wavefronts, conflicts: empty where there are none.
    fn traffic(&self) -> [String; 4] {
        let or_none = |n: u64, text: String| if n == 0 { String::new() } else { text };
        [
            or_none(self.sectors, grouped(self.sectors)),
            or_none(self.sectors, percent(self.used, 32 * self.sectors)),
            or_none(self.wavefronts, grouped(self.wavefronts)),
            or_none(self.wavefronts, grouped(self.wavefronts.saturating_sub(self.ideal))),
        ]
    }
}

impl Report {
    /// Its first lines: how much was executed, and how well memory was used.
    /// ```
    /// # use girih::gpu::sim::Report;
    /// let nothing = Report { lines: vec![], faults: vec![], ctas: 1 };
    /// assert_eq!(nothing.summary().to_string(), "1 block, 0 instructions of warps, 0 of threads\n");
    /// ```
    pub fn summary(&self) -> impl Display {
        fmt::from_fn(move |f| {
            let all = Sum::of(&self.lines);
            let (blocks, plural) = (grouped(self.ctas), if self.ctas == 1 { "" } else { "s" });
            let (warps, threads) = (grouped(all.executions), grouped(all.threads));
            writeln!(f, "{blocks} block{plural}, {warps} instructions of warps, {threads} of threads")?;
            if all.sectors > 0 {
                let (moved, used) = (size(32 * all.sectors), percent(all.used, 32 * all.sectors));
                writeln!(f, "global memory: {} sectors, {moved}, {used} used", grouped(all.sectors))?;
            }
            if all.wavefronts > 0 {
                let conflicts = grouped(all.wavefronts.saturating_sub(all.ideal));
                writeln!(f, "shared memory: {} wavefronts, {conflicts} of them conflicts", grouped(all.wavefronts))?;
            }
            Ok(())
        })
    }

    fn kinds(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let total = self.instructions();
        let mut kinds: Vec<(Kind, u64)> = self.by_kind().into_iter().collect();
        kinds.sort_by_key(|(_, executions)| core::cmp::Reverse(*executions));
        let rows = kinds.iter().map(|(kind, executions)| {
            let active = Sum::of(self.lines.iter().filter(|l| l.kind == *kind)).active();
            vec![kind.to_string(), grouped(*executions), percent(*executions, total), active]
        });
        table(f, &["instructions", "warps", "share", "threads"], rows.collect(), "")
    }

    fn memory(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut rows: BTreeMap<(Kind, &str, &str), Vec<&Line>> = BTreeMap::new();
        for line in &self.lines {
            // all threads read the same constant, as a rule: no traffic to speak of
            let Some(space) = line.space.filter(|_| line.kind != Kind::Constant) else { continue };
            let (verb, space) = match line.mnemonic {
                "st" | "stmatrix" => ("stores", space),
                "atom" | "red" => ("atomics", space),
                "cp" => ("copies", "asynchronous"),
                _ => ("loads", space),
            };
            rows.entry((line.kind, space, verb)).or_default().push(line);
        }
        let rows = rows.into_iter().map(|((_, space, verb), lines)| {
            let sum = Sum::of(lines);
            let mut row = vec![format!("{space} {verb}"), grouped(sum.executions), size(sum.bytes)];
            row.extend(sum.traffic());
            row
        });
        let head = ["memory", "requests", "bytes", "sectors", "used", "wavefronts", "conflicts"];
        table(f, &head, rows.collect(), "")
    }

    /// The source lines that cost the most.
    fn costly(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut places: HashMap<Place, Vec<&Line>> = HashMap::new();
        self.lines.iter().for_each(|line| places.entry(Place::of(line)).or_default().push(line));
        let mut places: Vec<(Sum, Vec<&Line>)> =
            places.into_values().map(|lines| (Sum::of(lines.iter().copied()), lines)).collect();
        places.sort_by_key(|(sum, lines)| (core::cmp::Reverse(sum.cost()), lines.first().map(|l| l.site.line)));
        let total = Sum::of(&self.lines).cost();
        let rows = places.iter().take(SHOWN).map(|(sum, lines)| {
            let place = match lines.first().map(|l| (&l.site.source, l.site.line)) {
                Some((Some((file, line)), _)) => format!("{}:{line}", file.rsplit(['/', '\\']).next().unwrap_or(file)),
                Some((None, line)) => format!("line {line}"),
                None => String::new(),
            };
            let mut row = vec![place, percent(sum.cost(), total), grouped(sum.executions), sum.active()];
            row.extend(sum.traffic());
            row.push(told(lines));
            row
        });
        let rest: u64 = places.iter().skip(SHOWN).map(|(sum, _)| sum.cost()).sum();
        let more = match places.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("{more} more, {} of the cost", percent(rest, total)),
        };
        let head = ["costliest lines", "cost", "warps", "threads", "sectors", "used", "wavefronts", "conflicts", ""];
        table(f, &head, rows.collect(), &more)
    }
}

/// What is shown as one line.
#[derive(PartialEq, Eq, Hash)]
enum Place<'a> {
    Source(&'a str, u32),
    /// unrolled instructions that did the same: opcode, comment, and counts
    Alike(&'a str, Option<&'a str>, [u64; 5]),
}

impl Place<'_> {
    fn of(line: &Line) -> Place<'_> {
        let site = &line.site;
        match &site.source {
            Some((file, line)) => Place::Source(file, *line),
            None => {
                let opcode = site.instruction.split(' ').find(|word| !word.starts_with('@')).unwrap_or("");
                let counts = [line.executions, line.threads, line.wavefronts, line.sectors, line.used];
                Place::Alike(opcode, site.comment.as_deref(), counts)
            }
        }
    }
}

/// The costliest instruction of a place, how many more there are, and the kernel's comment where no source is named.
fn told(lines: &[&Line]) -> String {
    // the first of them
    let Some(first) = lines.iter().rev().max_by_key(|l| Sum::of([**l]).cost()) else { return String::new() };
    let mut text = first.site.instruction.trim_end_matches(';').to_string();
    if text.chars().count() > 60 {
        text = text.chars().take(59).chain(['…']).collect();
    }
    if lines.len() > 1 {
        let what = if first.site.source.is_some() { "more" } else { "alike" };
        text += &format!(", {} {what}", lines.len() - 1);
    }
    match &first.site.comment {
        Some(comment) if first.site.source.is_none() => format!("{text} // {comment}"),
        _ => text,
    }
}

/// A heading and rows, the first and a ninth column to the left; columns without anything are left out.
fn table(f: &mut Formatter<'_>, head: &[&str], rows: Vec<Vec<String>>, more: &str) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    let used = |c: &usize| rows.iter().any(|row| !row[*c].is_empty());
    let columns: Vec<usize> = (0..head.len()).filter(used).collect();
    let chars = |text: &str| text.chars().count();
    let width = |c: usize| rows.iter().map(|row| chars(&row[c]) + if c == 0 { 2 } else { 0 }).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(|c| width(c).max(chars(head[c]))).collect();
    let write = |f: &mut Formatter<'_>, indent: &str, cell: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for &c in &columns {
            text += &match c {
                0 => format!("{:<w$}", format!("{indent}{}", cell(c)), w = widths[0]),
                8 => format!("  {}", cell(c)),
                _ => format!("  {:>w$}", cell(c), w = widths[c]),
            };
        }
        writeln!(f, "{}", text.trim_end())
    };
    writeln!(f)?;
    write(f, "", &|c| head[c].into())?;
    rows.iter().try_for_each(|row| write(f, "  ", &|c| row[c].clone()))?;
    if more.is_empty() { Ok(()) } else { writeln!(f, "  {more}") }
}

/// `1,234,567`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12.5 %`.
fn percent(part: u64, of: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64)
}

/// Bytes: `384 B`, `1.5 KiB`.
fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let (mut x, mut unit) = (bytes as f64 / 1024.0, "KiB");
    for next in ["MiB", "GiB", "TiB"] {
        if x >= 1024.0 {
            (x, unit) = (x / 1024.0, next);
        }
    }
    format!("{x:.1} {unit}")
}
