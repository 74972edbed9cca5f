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
            Ok(r) => {
                laws::max_common_layout(&a, &b, &r).unwrap_or_else(|v| panic!("{a}, {b} -> {r}: {v}"));
                assert_eq!(a.max_common_vector(&b).unwrap().value(), r.size().ok());
            }
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
fn nothing_panics_at_the_edges_of_64_bits() {
    cases(7, |rng| {
        let mut edge = |most: u32| {
            let v = match rng.below(4) {
                0 => rng.below(9),
                1 => (1i64 << rng.below(most as i64)) + rng.below(3) - 1,
                2 => i64::MAX >> (62 - rng.below(most as i64)),
                _ => 1 << rng.below(most as i64),
            };
            if rng.below(5) == 0 { -v } else { v }
        };
        let rank = 1 + edge(2).unsigned_abs() as usize % 5;
        let shape: Vec<_> = (0..rank).map(|_| edge(40).abs().max(1)).collect();
        let stride: Vec<_> = (0..rank).map(|_| edge(62)).collect();
        let n = edge(62);
        let Ok(a) = Layout::flat(&shape, &stride) else { return };
        if let Ok(r) = a.right_inverse() {
            assert!((0..r.size().unwrap().min(9)).all(|i| a.at(r.at(i).unwrap()) == Ok(i)), "{a}");
        }
        if let Ok(r) = a.left_inverse() {
            laws::left_inverse(&a, &r).unwrap_or_else(|v| panic!("{a} -> {r}: {v}"));
        }
        let _ = (a.max_common_layout(&a), a.nullspace(), a.max_alignment());
        let _ = (a.upcast(n), a.upcast_ceil(n), a.downcast(n), a.recast(n, 48), a.recast(7, n), a.recast_offset(n, 9));
        let _ = (a.make_layout_like(), a.make_fragment_like());
        let (s, d) = (a.shape(), a.stride());
        let _ = (s.ceil_div(&d), d.shape_div(&s), s.round_up(&d), s.elem_scale(&d), d.gcd(), s.domain_distribute(n));
        let _ = (s.ceil_div_by(&a), s.ceil_div(&n.into()), s.shape_div(&n.into()));
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
        ("(?M,?N):(1,-1*?lda)", "?M:1"),
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
        ("(4,2):(1,16)", "(16,2):(1,4)"),
        ("(2,8,2):(1,2,16)", "32:1"),
        ("(4,8,1,2):(0,4,1,32)", "(4,16):(0,4)"),
        ("(128,160):(65536,1)", "(65536,128):(128,1)"),
        ("(2,2):(2,5)", "(2,4):(0,1)"),
        // not injective, but all of 0..18
        ("(4,8):(1,2)", "(3,2,3):(1,5,12)"),
        ("(?M,?N):(?N,1)", "(?N,?M):(?M,1)"),
        ("(8,?N):(1,?lda{8})", "(?lda{8},?N):(1,8)"),
    ] {
        assert_eq!(l(a).left_inverse().unwrap(), l(r), "{a}");
    }
    let reason = |a: &str| l(a).left_inverse().unwrap_err().reason;
    assert_eq!(reason("4:-1"), LayoutError::NegativeStride { leaf: 0, stride: -1 });
    assert_eq!(reason("(4,4):(2,4)"), LayoutError::NotInjective { first: 2, second: 4 });
    assert_eq!(reason("(3,3):(4,6)"), LayoutError::NoChain { stride: 6, below: 4, span: 12 });
    assert_eq!(reason("(?M,?N):(1,?lda)"), LayoutError::Undecided);
    assert_eq!(reason("(4,8):(1@0,1@1)"), LayoutError::Codomain);
}

#[test]
fn table_of_recasts() {
    for (a, n, up) in [
        ("(8,(4,16)):(1,(0,8))", 4, "(2,(4,16)):(1,(0,2))"),
        ("(2,3):(3,1)", 3, "(2,1):(1,1)"),
        ("(4,8,3):(50,1,16)", 2, "(4,4,3):(25,1,8)"),
        // an extent-1 mode may have any stride
        ("(2,4,1):(4,1,15)", 2, "(2,2,1):(2,1,8)"),
        // a mode inside the word, below the mode that leaves it
        ("(8,8):(1,8)", 16, "(1,4):(1,1)"),
        // a symbol is never taken for something else than stride 1 is
        ("(?M{8},?N):(1,?lda{4})", 4, "(2*⌈?M{8}/8⌉,?N):(1,⌈?lda{4}/4⌉)"),
        ("16:1", 4, "4:1"),
        ("8:-1", 4, "2:-1"),
    ] {
        let Ok(up) = up.parse::<Layout>() else { panic!("{up}") };
        assert_eq!(l(a).upcast(n).unwrap(), up, "{a}");
    }
    let reason = |a: &str, n| l(a).upcast(n).unwrap_err().reason;
    assert_eq!(reason("21:1", 4), LayoutError::NotDivisible { extent: 21, by: 4 });
    assert_eq!(reason("2:1", 4), LayoutError::NotDivisible { extent: 2, by: 4 });
    assert_eq!(reason("(2,1,4):(1,0,2)", 3), LayoutError::NotDivisible { extent: 2, by: 3 });
    assert_eq!(reason("4:5", 3), LayoutError::NotDivisible { extent: 5, by: 3 });
    assert_eq!(reason("(4,4):(1,1)", 2), LayoutError::Interleaved { stride: 1, span: 2 });
    assert_eq!(reason("(8,?N):(1,?lda)", 4), LayoutError::Undecided);
    assert_eq!(reason("?M:1", 4), LayoutError::Undecided);
    assert_eq!(reason("(4,4):(1@0,1@1)", 2), LayoutError::Codomain);
    assert_eq!(reason("4:1", 0), LayoutError::BadExtent { leaf: 0, extent: 0 });
    assert_eq!(l("?M:1").upcast_ceil(4).unwrap(), l("⌈?M/4⌉:1"));

    for (a, n, down) in [
        ("(2,21,1):(21,1,21)", 4, "(2,84,1):(84,1,84)"),
        ("((1,16)):((0,1))", 3, "((1,48)):((0,1))"),
        // one mode holds the parts, also when several have stride 1
        ("(11,1,13):(13,1,1)", 3, "(11,1,39):(39,3,1)"),
        ("1:0", 4, "4:1"),
        ("(?M,?N):(1,?lda)", 2, "(2*?M,?N):(1,2*?lda)"),
    ] {
        assert_eq!(l(a).downcast(n).unwrap(), l(down), "{a}");
    }
    let reason = |a: &str| l(a).downcast(2).unwrap_err().reason;
    assert_eq!(reason("4:2"), LayoutError::NoUnitStride);
    assert_eq!(reason("4:?s"), LayoutError::Undecided);
    assert_eq!(reason("4:?s{2}"), LayoutError::NoUnitStride);
    assert_eq!(reason("(4,4):(1@0,1@1)"), LayoutError::Codomain);

    assert_eq!(l("(8,4):(1,8)").recast(8, 0).unwrap_err().reason, LayoutError::BadExtent { leaf: 0, extent: 0 });
    // a descending byte array as words: the first word begins 3 bytes below
    assert_eq!(l("8:-1").recast_offset(8, 32), Ok(-24));
    assert_eq!(l("(8,2):(-1,-8)").recast_offset(8, 32), Ok(-24));
}

#[test]
fn table_of_alignments() {
    for (a, n) in [
        ("((16,16,1)):((16,1,1))", 256),
        ("(1,8,8,8):(37,2048,32,4)", 1),
        ("(15,21,1):(1,15,1575)", 315),
        ("(6,7,3):(21,0,0)", 1),
        ("(12,8):(1,16)", 4),
        ("(8,4):(1,-8)", 8),
        ("(?M{8},?N):(1,?lda{4})", 4),
        ("(?M,?N):(1,?lda)", 1),
    ] {
        assert_eq!(l(a).max_alignment().unwrap(), n, "{a}");
    }
    assert_eq!(l("4:1@0").max_alignment().unwrap_err().reason, LayoutError::Codomain);
}

#[test]
fn table_of_likenesses() {
    for (a, r) in [
        ("(1,10,8):(8,8,1)", "(1,10,8):(0,8,1)"),
        ("(8,(4,16)):(8,(1,64))", "(8,(4,16)):(4,(1,32))"),
        ("(16,5):(5,0)", "(16,5):(1,0)"),
        ("(4,4):(7,7)", "(4,4):(1,4)"),
        ("(4,8):(-100,1)", "(4,8):(8,1)"),
        ("(?M,?N):(?lda,1)", "(?M,?N):(?N,1)"),
        ("(?M,?N):(1,0)", "(?M,?N):(1,0)"),
    ] {
        assert_eq!(l(a).make_layout_like().unwrap(), l(r), "{a}");
    }
    assert_eq!(l("(2,3):(?a,?b)").make_layout_like().unwrap_err().reason, LayoutError::Undecided);
    assert_eq!(l("(2,3):(1@0,1@1)").make_layout_like().unwrap_err().reason, LayoutError::Codomain);
    for (a, r) in [
        ("(4,8,8,2):(24,32,12,1)", "(4,8,8,2):(1,64,8,4)"),
        ("((13,1,1),13):((1,0,1),13)", "((13,1,1),13):((1,0,0),13)"),
        ("(2,24):(0,1)", "(2,24):(0,1)"),
        ("(2,4,3):(1,0,0)", "(2,4,3):(1,2,8)"),
        ("8:3", "8:1"),
    ] {
        assert_eq!(l(a).make_fragment_like().unwrap(), l(r), "{a}");
    }
    assert_eq!(l("(2,3,4):(1,?a,?b)").make_fragment_like().unwrap_err().reason, LayoutError::Undecided);
}

#[test]
fn table_of_common_layouts() {
    for (a, b, r) in [
        ("(5,8,((2,1))):(16,1,((8,18)))", "(5,8,((2,1))):(16,1,((8,18)))", "(16,5):(5,1)"),
        ("(1,(2,2)):(0,(1,6))", "(1,2,2):(0,1,2)", "2:1"),
        ("(4,4):(1,4)", "(4,4):(4,1)", "1:0"),
        ("(8,4):(1,8)", "(4,8):(1,4)", "32:1"),
        // 12 of the 32 contiguous elements of one are so in the other
        ("32:1", "(12,3):(1,16)", "12:1"),
        ("(?M{8},?N):(1,?lda)", "8:1", "8:1"),
        ("(?M,?N):(1,?M)", "(?M,?N):(1,?M)", "?M*?N:1"),
    ] {
        assert_eq!(l(a).max_common_layout(&l(b)).unwrap(), l(r), "{a}, {b}");
        assert_eq!(l(a).max_common_vector(&l(b)).unwrap(), l(r).size_int().unwrap(), "{a}, {b}");
    }
    let reason = |a: &str, b: &str| l(a).max_common_layout(&l(b)).unwrap_err().reason;
    assert_eq!(reason("(?M,?N):(1,?lda)", "(?M,?N):(1,?ldb)"), LayoutError::Undecided);
    assert_eq!(reason("4:1", "4:1@0"), LayoutError::Codomain);
}

#[test]
fn table_of_distributions() {
    let distribute = |shape: &str, n| shape.parse::<IntTuple>().unwrap().domain_distribute(n).map_err(|e| e.reason);
    for (shape, n, r) in [
        ("(((15,8)))", 6, "(3,2):(1,15)"),
        ("((64,3),(8,8))", 1024, "(64,16):(1,192)"),
        ("(4,2)", 12, "4:1"),
        ("(13)", 128, "1:0"),
        ("(?M{128},4)", 64, "64:1"),
    ] {
        assert_eq!(distribute(shape, n).unwrap(), l(r), "{shape}, {n}");
    }
    assert_eq!(distribute("(?M{8},4)", 64), Err(LayoutError::Undecided));
    assert_eq!(distribute("(4,4)", 0), Err(LayoutError::BadExtent { leaf: 0, extent: 0 }));
}

#[test]
fn table_of_tile_counts() {
    for (shape, tile, count) in
        [("143", "((11,1)):((1,0))", 13), ("20", "(2,4):(1,2)", 3), ("2", "12:1", 1), ("17", "4:1", 5)]
    {
        assert_eq!(
            shape.parse::<IntTuple>().unwrap().ceil_div_by(&l(tile)).unwrap(),
            IntTuple::int(count),
            "{shape}, {tile}"
        );
    }
}

#[test]
fn shape_arithmetic_refuses_what_it_must() {
    let t = |s: &str| s.parse::<IntTuple>().unwrap();
    assert_eq!(t("4").ceil_div(&t("0")), Err(LayoutError::BadExtent { leaf: 0, extent: 0 }));
    assert_eq!(t("(4,4)").ceil_div(&t("(2,2,2)")), Err(LayoutError::RankTooHigh { rank: 3, of: 2 }));
    assert_eq!(t("7").ceil_div(&t("?n")), Err(LayoutError::Undecided));
    assert_eq!(t("(4,_)").ceil_div(&t("(2,2)")), Err(LayoutError::Underscore));
    assert_eq!(t("(1,4,18,8,3)").shape_div(&t("16")), Err(LayoutError::NotDivisible { extent: 18, by: 4 }));
    assert_eq!(t("(4,4)").round_up(&t("8")), Err(LayoutError::Incongruent { leaf: 0 }));
    assert_eq!(t("(4,(2,3))").elem_scale(&t("(2,2)")), Err(LayoutError::Incongruent { leaf: 0 }));
    assert_eq!(t("(4,?n)").min(), Err(LayoutError::Undecided));
    assert_eq!(t("(4,_)").max(), Err(LayoutError::Underscore));
    assert_eq!(t("(4,4)").evenly_divides(&tiler![2, 2, 2]), Some(false));
    assert_eq!(t("12").evenly_divides(&"<(2,2):(1,3)>".parse().unwrap()), Some(false));
    assert!(t("20").ceil_div_by(&layout!((2,2):(2,3))).is_err());
}

#[test]
fn colex_order_is_that_of_indices() {
    let shape = ints!((3, (2, 4)));
    for i in 0..24 {
        for j in 0..24 {
            let (a, b) = (shape.idx2crd(i).unwrap(), shape.idx2crd(j).unwrap());
            assert_eq!(a.colex_cmp(&b), Some(i.cmp(&j)));
        }
    }
}

#[test]
fn searches_end_within_what_a_constant_can_afford() {
    // compiles only below the limit of the lint on long constants
    const HARD: Result<Layout, Error> = layout!((1000003,999983,77):(1,1,3)).right_inverse();
    const MIXED: Result<Layout, Error> =
        layout!((2,2,2,2,2,2,2,2,2,2,2,2):(3,-5,7,-11,13,-17,19,-23,29,-31,37,-41)).right_inverse();
    const NONE: Result<Layout, Error> = layout!((2,2,2,2,2,2):(1001,2003,3007,5011,7013,11017)).left_inverse();
    const WIDE: Result<Layout, Error> = layout!((3,3,3,3,3,3,3,3):(5,7,11,13,17,19,23,29)).left_inverse();
    for r in [HARD, MIXED, NONE, WIDE] {
        match r {
            Ok(r) => println!("{r}"),
            Err(e) => println!("{e}"),
        }
    }
}
