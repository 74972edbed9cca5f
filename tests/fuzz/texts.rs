//! Readers of arbitrary text.

use crate::source::Gen;
use crate::watch::run;
use girih::layout::Name;
use girih::prelude::*;

const PIECES: [&str; 48] = [
    "(",
    ")",
    ",",
    ":",
    "<",
    ">",
    "_",
    "?",
    "?M",
    "?lda{8}",
    "{",
    "}",
    "{4294967295}",
    "{4294967296}",
    "@",
    "@0",
    "@23",
    "@24",
    "*",
    "-",
    "⌈",
    "⌉",
    "ceil(",
    "/",
    "S<",
    "Sw<",
    "S<3,4,3>",
    "[16b]",
    " o ",
    "smem_ptr",
    "(unset)",
    "0",
    "1",
    "8",
    "-1",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "é",
    "\u{10ffff}",
    "\0",
    "\n",
    " ",
    "()",
    "<>",
    "(4,)",
    "_8",
];

fn valid(g: &mut Gen) -> String {
    match g.below(6) {
        0 => g.any().to_string(),
        1 => g.tuple().to_string(),
        2 => {
            let l = g.layout();
            g.tiler(&l).to_string()
        }
        3 => g.composed().to_string(),
        4 => g.int().to_string(),
        _ => g.swizzle().to_string(),
    }
}

fn mutated(g: &mut Gen) -> String {
    let mut chars: Vec<char> = valid(g).chars().collect();
    for _ in 0..1 + g.below(4) {
        let at = g.below(chars.len() as u64 + 1) as usize;
        let to = (at + 1 + g.below(6) as usize).min(chars.len());
        match g.below(4) {
            0 => drop(chars.drain(at..to)),
            1 => {
                let piece: Vec<char> = chars[at..to].to_vec();
                chars.splice(at..at, piece);
            }
            _ => {
                let piece: Vec<char> = g.of(&PIECES).chars().collect();
                chars.splice(at..if g.one_in(2) { to } else { at }, piece);
            }
        }
    }
    chars.into_iter().collect()
}

fn text(g: &mut Gen) -> String {
    match g.below(10) {
        0 => {
            let bytes: Vec<u8> = (0..g.below(60)).map(|_| g.next() as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        }
        1 => (0..g.below(20)).map(|_| g.of(&PIECES)).collect(),
        2 if g.one_in(8) => g.of(&PIECES).repeat(1 + g.below(5000) as usize),
        2 | 3 => valid(g),
        _ => mutated(g),
    }
}

#[test]
fn any_text_is_read_or_refused() {
    run("texts", 5000, |g, w| {
        let t = text(g);
        macro_rules! read {
            ($($type:ty)*) => {$(
                if let Some(x) = w.ok(concat!("read ", stringify!($type)), || <$type>::parse(&t)) {
                    let written = w.op(concat!("write ", stringify!($type)), || x.to_string());
                    assert_eq!(w.ok(concat!("read ", stringify!($type)), || written.parse::<$type>()), Some(x), "{t:?}: {written:?}");
                }
            )*};
        }
        read!(Layout IntTuple Swizzle Composed Int);
        if let Some(x) = w.ok("read Tiler", || Tiler::parse(&t)) {
            let written = x.to_string();
            assert!(written.parse() == Ok(x), "{t:?}: {written:?}");
        }
        let _ = w.ok("Name::new", || Name::new(&t));
        // `{:8}`, `{:?}`, `{:<40}`
        if let Ok(l) = Layout::parse(&t) {
            let _ = w.op("format", || format!("{l:8} {l:?} {l:<40.3}"));
        }
    });
}
