//! Runs cases, counts and times operations, and reports every panic and violated law once.

use crate::source::Gen;
use girih::gpu::facts::FactError;
use girih::prelude::{Error, LayoutError};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, Instant};

/// Longest time of one operation; two of three runs must pass it, as a machine may be busy.
const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 50 });
/// Different failures that end an area.
const ENOUGH: usize = 12;

thread_local! {
    /// The panic of the case at hand, None outside of cases.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Counts and times.
#[derive(Default)]
pub struct Watch {
    pub count: u64,
    pub oks: u64,
    slow: BTreeMap<&'static str, (Duration, u64)>,
}

impl Watch {
    /// Calls `f`; its time is checked, its value handed on.
    pub fn op<T>(&mut self, name: &'static str, f: impl Fn() -> T) -> T {
        self.count += 1;
        let start = Instant::now();
        let value = black_box(f());
        let mut took = start.elapsed();
        if took > LIMIT {
            for _ in 0..2 {
                let start = Instant::now();
                black_box(f());
                took = took.min(start.elapsed());
            }
        }
        let slow = self.slow.entry(name).or_default();
        slow.0 = slow.0.max(took);
        slow.1 += 1;
        assert!(took <= LIMIT, "{name} took {took:?}");
        value
    }

    /// [`Watch::op`] of a fallible operation: an error has a text, and its numbers are a reason.
    pub fn ok<T, E: Refusal>(&mut self, name: &'static str, f: impl Fn() -> Result<T, E>) -> Option<T> {
        match self.op(name, f) {
            Ok(v) => {
                self.oks += 1;
                Some(v)
            }
            Err(e) => {
                assert!(is_reason(&e.reason()), "{name}: {e}");
                if self.count.is_multiple_of(8) {
                    assert!(!e.to_string().is_empty(), "{name}: an error without a text");
                }
                None
            }
        }
    }
}

/// Why an operation has no result.
pub trait Refusal: Display {
    fn reason(&self) -> LayoutError;
}
impl Refusal for Error {
    fn reason(&self) -> LayoutError {
        self.reason
    }
}
impl Refusal for LayoutError {
    fn reason(&self) -> LayoutError {
        *self
    }
}

impl Refusal for FactError {
    fn reason(&self) -> LayoutError {
        match self {
            FactError::Layout(e) => *e,
            // its numbers say what is wrong, too
            FactError::NotConsecutive { got, expected, .. } if got == expected => panic!("{self}"),
            FactError::Misaligned { address, bytes, .. } if address % *bytes as i64 == 0 => {
                panic!("{self}")
            }
            FactError::Negative { address, .. } if *address >= 0 => panic!("{self}"),
            _ => LayoutError::Empty,
        }
    }
}

/// The numbers of an error say what is wrong.
fn is_reason(e: &LayoutError) -> bool {
    use LayoutError::*;
    match *e {
        OutOfRange { index, extent } => index < 0 || index >= extent,
        NoSuchMode { mode, rank } => mode >= rank,
        RankTooHigh { rank, of } => rank > of,
        RankMismatch { rank, other } => rank != other,
        OutOfDomain { reach, size } => reach >= size,
        NegativeStride { stride, .. } => stride < 0,
        NoLayout { index, got, forced } => index > 0 && got as i128 != forced,
        NotDivisible { extent, by } => extent.checked_rem(by) != Some(0),
        NotInjective { first, second } => first < second,
        BrokenPromise { value, multiple, .. } => value < 1 || value % multiple != 0,
        SizeMismatch { left, right } => left != right,
        TooLarge { cells, most } => cells > most,
        Storage { min, max, len } => min < 0 || max as u64 >= len as u64,
        Interleaved { stride, span } => stride < span || stride % span != 0,
        BadExtent { extent, .. } => extent < 1,
        _ => true,
    }
}

/// A law that must hold, with its operands in the message.
pub fn law<E: Display>(r: Result<(), E>, about: impl FnOnce() -> String) {
    if let Err(e) = r {
        panic!("{}: {e}", about());
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

static HOOK: Once = Once::new();

/// Keeps the message of a panic inside a case, instead of printing it.
fn catch_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |p| {
        let place = p.location().map(|l| format!("{}:{}", l.file(), l.line())).unwrap_or_default();
        let text = p.payload_as_str().unwrap_or("");
        PANIC.with_borrow_mut(|m| match m {
            Some(m) => *m = format!("{place}: {text}"),
            None => print(p),
        });
    }));
}

/// Runs `body` on `modest` cases, or as many as `PROPTEST_CASES` says.
pub fn run(area: &str, modest: u64, body: impl Fn(&mut Gen, &mut Watch)) {
    let seed = number("FUZZ_SEED").unwrap_or(1);
    let cases = match number("FUZZ_CASE") {
        Some(case) => case..case + 1,
        None => 0..number("PROPTEST_CASES").unwrap_or(modest),
    };
    HOOK.call_once(catch_panics);
    let (mut watch, mut failures) = (Watch::default(), BTreeMap::new());
    let start = Instant::now();
    for case in cases {
        let mut g = Gen::new(seed, case);
        PANIC.set(Some(String::new()));
        let failed = catch_unwind(AssertUnwindSafe(|| body(&mut g, &mut watch))).is_err();
        let text = PANIC.take().unwrap_or_default();
        if failed {
            // one for each place
            let place = text.split(": ").take(1).collect::<String>();
            failures.entry(place).or_insert(format!("case {case}: {text}"));
            if failures.len() == ENOUGH {
                break;
            }
        }
    }
    let mut slowest: Vec<_> = watch.slow.iter().collect();
    slowest.sort_by_key(|s| std::cmp::Reverse(s.1.0));
    println!(
        "{area}: {} operations ({} with a result) in {:.1?}, seed {seed}",
        watch.count,
        watch.oks,
        start.elapsed()
    );
    for (name, (took, count)) in slowest.iter().take(5) {
        println!("  {name}: at most {took:.1?}, {count} times");
    }
    let failures: Vec<_> = failures.into_values().collect();
    assert!(failures.is_empty(), "{area}, seed {seed}:\n{}", failures.join("\n"));
}
