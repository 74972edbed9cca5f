//! Inverses, common parts, recasts and likenesses against their laws, on random layouts and on tables.
//! `N=100000 cargo test --release --test inverse` for more cases.

use girih::algebra::laws;
use girih::prelude::*;

/// xorshift64*.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n as u64) as i64
    }

    /// A flat layout of at most `size` elements. Strides: a permuted compact one, some of them spoilt.
    fn layout(&mut self, size: i64, negative: bool) -> Layout {
        let mut shape = Vec::new();
        let mut left = size;
        for _ in 0..1 + self.below(4) {
            let s = 1 + self.below(left.min(6));
            left /= s;
            shape.push(s);
        }
        let mut stride = vec![0; shape.len()];
        let mut open: Vec<usize> = (0..shape.len()).collect();
        let mut span = 1;
        while !open.is_empty() {
            let k = open.swap_remove(self.below(open.len() as i64) as usize);
            stride[k] = match self.below(10) {
                0 => 0,
                1 => 1 + self.below(9),
                2 => span + self.below(3),
                3 => (span - 1).max(1),
                _ => span,
            };
            span = stride[k].max(1) * shape[k];
            if self.below(12) == 0 {
                span *= 1 + self.below(3);
            }
            if negative && self.below(4) == 0 {
                stride[k] = -stride[k];
            }
        }
        Layout::flat(&shape, &stride).unwrap()
    }
}

/// Runs `check` on random cases: as many as the environment's N, by default a few.
fn cases(seed: u64, mut check: impl FnMut(&mut Rng)) {
    let n = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let mut rng = Rng(seed);
    for _ in 0..n {
        check(&mut rng);
    }
}

fn l(text: &str) -> Layout {
    text.parse().unwrap()
}

#[test]
fn right_inverses_are_lawful_and_none_is_longer() {
    let (mut gave_up, mut n) = (0, 0);
    cases(1, |rng| {
        let negative = rng.below(2) == 0;
        let a = rng.layout(32, negative);
        n += 1;
        match a.right_inverse() {
            Ok(r) => laws::right_inverse(&a, &r).unwrap_or_else(|v| panic!("{a} -> {r}: {v}")),
            Err(e) => {
                assert!(matches!(e.reason, LayoutError::TooHard { .. }), "{e}");
                gave_up += 1;
            }
        }
    });
    println!("too hard: {gave_up} of {n}");
    assert!(gave_up * 1000 <= n, "{gave_up} of {n} were too hard");
}

#[test]
fn left_inverses_are_lawful() {
    cases(2, |rng| {
        let a = rng.layout(64, false);
        match a.left_inverse() {
            Ok(r) => laws::left_inverse(&a, &r).unwrap_or_else(|v| panic!("{a} -> {r}: {v}")),
            Err(e) => match e.reason {
                LayoutError::NotInjective { first, second } => {
                    assert!(first < second && a.at(first) == a.at(second), "{e}")
                }
                LayoutError::NoChain { .. } => {}
                _ => panic!("{e}"),
            },
        }
    });
}

#[test]
fn common_layouts_are_lawful_and_none_is_longer() {
    let (mut gave_up, mut n) = (0, 0);
    cases(3, |rng| {
        let negative = rng.below(4) == 0;
        let a = rng.layout(32, negative);
        // often the same shape with other strides, or the same layout with a mode changed
        let b = match rng.below(3) {
            0 => rng.layout(32, negative),
            1 => a,
            _ => {
                let (s, d) = a.known_leaves().unwrap();
                let mut d = d.to_vec();
                let k = rng.below(d.len() as i64) as usize;
                d[k] += rng.below(4);
                Layout::flat(s, &d).unwrap()
            }
        };
        n += 1;
        match a.max_common_layout(&b) {
            Ok(r) => laws::max_common_layout(&a, &b, &r).unwrap_or_else(|v| panic!("{a}, {b} -> {r}: {v}")),
            Err(e) => {
                assert!(matches!(e.reason, LayoutError::TooHard { .. }), "{e}");
                gave_up += 1;
            }
        }
        let v = a.max_common_vector(&b).unwrap().value().unwrap();
        laws::max_common_vector(&a, &b, v).unwrap_or_else(|e| panic!("{a}, {b} -> {v}: {e}"));
    });
    println!("too hard: {gave_up} of {n}");
    assert!(gave_up * 1000 <= n, "{gave_up} of {n} were too hard");
}

#[test]
fn nullspaces_and_distributions_are_lawful() {
    cases(4, |rng| {
        let a = rng.layout(256, true);
        let r = a.nullspace().unwrap();
        laws::nullspace(&a, &r).unwrap_or_else(|v| panic!("{a} -> {r}: {v}"));
        let n = 1 + rng.below(200);
        let r = a.shape().domain_distribute(n).unwrap();
        laws::domain_distribute(&a.shape(), n, &r).unwrap_or_else(|v| panic!("{a}, {n} -> {r}: {v}"));
    });
}

#[test]
fn recasts_are_lawful() {
    let (mut accepted, mut n) = (0, 0);
    cases(5, |rng| {
        let a = rng.layout(256, true);
        let by = 1 + rng.below(8);
        n += 1;
        if let Ok(u) = a.upcast(by) {
            accepted += 1;
            laws::upcast(&a, by, &u, a.recast_offset(1, by).unwrap())
                .unwrap_or_else(|v| panic!("{a} by {by} -> {u}: {v}"));
            assert_eq!(a.upcast_ceil(by).unwrap(), u);
        } else if let Ok(u) = a.upcast_ceil(by)
            && a.known_leaves().unwrap().1.iter().all(|&d| d >= 0)
        {
            laws::upcast(&a, by, &u, 0).unwrap_or_else(|v| panic!("{a} by {by} -> {u}: {v}"));
        }
        if let Ok(d) = a.downcast(by) {
            let offset = a.recast_offset(by, 1).unwrap();
            laws::downcast(&a, by, &d, offset).unwrap_or_else(|v| panic!("{a} by {by} -> {d}: {v}"));
            // the words of the parts are the elements
            let back = d.upcast(by).unwrap_or_else(|e| panic!("{a} by {by} -> {d}: {e}"));
            assert!(back.same_function(&a), "{a} -> {d} -> {back}");
            assert_eq!(d.recast_offset(1, by).unwrap(), -offset);
        }
        let v = a.max_alignment().unwrap();
        laws::max_alignment(&a, v).unwrap_or_else(|e| panic!("{a} -> {v}: {e}"));
    });
    assert!(accepted * 5 > n, "{accepted} of {n}");
}

#[test]
fn likenesses_are_lawful() {
    cases(6, |rng| {
        let a = rng.layout(256, true);
        let a = if a.leaves() > 2 && rng.below(2) == 0 { a.group(0, 2).unwrap() } else { a };
        let r = a.make_layout_like().unwrap();
        laws::make_layout_like(&a, &r).unwrap_or_else(|v| panic!("{a} -> {r}: {v}"));
        let r = a.make_fragment_like().unwrap();
        laws::make_fragment_like(&a, &r).unwrap_or_else(|v| panic!("{a} -> {r}: {v}"));
    });
}

#[test]
fn table_of_right_inverses() {
    for (a, r) in [
        ("4:1", "4:1"),
        ("4:0", "1:0"),
        ("4:2", "1:0"),
        ("(2,4):(0,1)", "4:2"),
        ("(2,4,6):(4,1,8)", "(4,2,6):(2,1,8)"),
        ("(24,1,1,8):(8,1,19,1)", "(8,24):(24,1)"),
        ("((2,512),(3,341)):((1,6),(2,3072))", "(2,3,512,341):(1,1024,2,3072)"),
        // overlapping modes: 18 values, the chain has 4
        ("(4,8):(1,2)", "(3,2,3):(1,5,12)"),
        // a diagonal of both modes
        ("(1024,3):(1,1)", "(513,2):(1,2559)"),
        ("(2,3):(3,-2)", "2:3"),
        // 3 and 6 carry through the broadcast mode
        ("(2,2,2):(0,1,1)", "3:3"),
        ("(4,2,3):(1,-4,8)", "(4,2,2):(1,12,8)"),
        ("(8,4):(1,-8)", "8:1"),
        ("(?M,?N):(?N,1)", "(?N,?M):(?M,1)"),
        ("(?M,?N):(1,-?lda)", "?M:1"),
        ("(8,?N):(1,16*?lda)", "8:1"),
    ] {
        assert_eq!(l(a).right_inverse().unwrap(), l(r), "{a}");
    }
    assert_eq!(l("(?M,?N):(1,?lda)").right_inverse().unwrap_err().reason, LayoutError::Undecided);
    assert_eq!(l("(4,8):(1@0,1@1)").right_inverse().unwrap_err().reason, LayoutError::Codomain);
}

#[test]
fn table_of_left_inverses() {
    for (a, r) in [
        ("1:2", "1:0"),
        ("4:2", "(2,4):(0,1)"),
        ("(4,2):(1,16)", "(4,4,2):(1,0,4)"),
        ("(2,8,2):(1,2,16)", "32:1"),
        ("(4,8,1,2):(0,4,1,32)", "(4,16):(0,4)"),
        ("(2,2):(2,5)", "(2,4):(0,1)"),
        ("(?M,?N):(?N,1)", "(?N,?M):(?M,1)"),
        ("(8,?N):(1,?lda{8})", "(8,⌈?lda{8}/8⌉,?N):(1,0,8)"),
    ] {
        assert_eq!(l(a).left_inverse().unwrap(), l(r), "{a}");
    }
    // 65536 is no multiple of the span 160
    let a = l("(128,160):(65536,1)");
    laws::left_inverse(&a, &a.left_inverse().unwrap()).unwrap();
    let reason = |a: &str| l(a).left_inverse().unwrap_err().reason;
    assert_eq!(reason("4:-1"), LayoutError::NegativeStride { leaf: 0, stride: -1 });
    assert_eq!(reason("(4,4):(1,2)"), LayoutError::NotInjective { first: 2, second: 4 });
    assert_eq!(reason("(?M,?N):(1,?lda)"), LayoutError::Undecided);
    assert_eq!(reason("(4,8):(1@0,1@1)"), LayoutError::Codomain);
}
