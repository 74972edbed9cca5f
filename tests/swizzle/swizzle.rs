use crate::brute::*;
use girih::layout::Unit;
use girih::prelude::*;

/// Every swizzle of bits below 7.
fn all() -> Vec<Swizzle> {
    let mut v = vec![];
    for bits in 0..4 {
        for base in 0..7 {
            for shift in -6..=6 {
                if let Ok(s) = Swizzle::new(bits, base, shift)
                    && (s.source_mask() | s.target_mask()) < 128
                {
                    v.push(s);
                }
            }
        }
    }
    v
}

fn table(s: &Swizzle) -> Vec<i64> {
    (0..128).map(|x| s.at(x).unwrap()).collect()
}

#[test]
fn swizzles_are_the_bit_by_bit_definition_and_their_own_inverse() {
    for s in all() {
        for x in 0..300 {
            assert_eq!(s.at(x), Ok(swizzled(&s, x)), "{s} at {x}");
            assert_eq!(s.inverse().at(s.at(x).unwrap()), Ok(x), "{s} at {x}");
        }
        assert_eq!(Swizzle::from_masks(s.source_mask(), s.target_mask()).map(|t| table(&t)), Ok(table(&s)), "{s}");
        assert_eq!(s.to_string().parse(), Ok(s));
        assert!(s.at(-1).is_err());
    }
}

#[test]
fn a_product_of_two_swizzles_is_one_exactly_when_some_swizzle_has_its_values() {
    let all = all();
    let tables: std::collections::HashSet<_> = all.iter().map(table).collect();
    let mut single = 0;
    for a in &all {
        for b in &all {
            let product: Vec<i64> = (0..128).map(|x| swizzled(a, swizzled(b, x))).collect();
            match a.compose(b) {
                Ok(c) => assert_eq!(table(&c), product, "{a} o {b} = {c}"),
                Err(_) => assert!(!tables.contains(&product), "{a} o {b}"),
            }
            single += a.compose(b).is_ok() as u32;
        }
    }
    assert!(single > 1000, "{single}");
}

#[test]
fn upcast_and_downcast_keep_words_whole_or_are_refused() {
    for s in all() {
        for n in [1, 2, 3, 4, 8, 16] {
            let words: Option<Vec<i64>> = (0..64)
                .map(|x| {
                    (0..n).all(|r| swizzled(&s, n * x + r) == swizzled(&s, n * x) + r).then(|| swizzled(&s, n * x) / n)
                })
                .collect();
            match s.upcast(n) {
                Ok(u) => assert_eq!(Some((0..64).map(|x| swizzled(&u, x)).collect()), words, "{s} by {n}"),
                Err(_) => assert!(words.is_none(), "{s} by {n}"),
            }
            match s.downcast(n) {
                Ok(d) => {
                    (0..256).for_each(|x| assert_eq!(swizzled(&d, x), n * swizzled(&s, x / n) + x % n, "{s} by {n}"))
                }
                Err(_) => assert!(n == 3 && !s.is_identity(), "{s} by {n}"),
            }
        }
    }
}

#[test]
fn swizzles_of_different_units_do_not_meet() {
    let bytes = Swizzle::new(3, 4, 3).unwrap().on(Unit::BYTES);
    let words = bytes.recast(Unit::elements(32).unwrap()).unwrap();
    assert_eq!(words.to_string(), "S<3,2,3>[32b]");
    assert!(bytes.compose(&words).is_err());
    assert_eq!(bytes.compose(&bytes), Ok(Swizzle::IDENTITY.on(Unit::BYTES)));
    assert!(bytes.recast(Unit::elements(24).unwrap()).is_err());
    assert!(bytes.recast(Unit::elements(256).unwrap()).is_err());
    assert!(bytes.recast(Unit::ANY).is_err());
    let c = layout!((8,32):(32,1)).swizzled(&words).unwrap();
    assert!(c.swizzled(&bytes).is_err());
    assert_eq!(c.swizzled(&Swizzle::new(1, 0, 1).unwrap()).unwrap().unit(), words.unit());
}

#[test]
fn what_is_no_swizzle_is_refused_by_constructor_and_parser() {
    for (b, m, s) in [(3, 4, 2), (-1, 0, 3), (1, -1, 3), (2, 0, -1), (1, 61, 1), (i64::MAX, 0, 0), (1, 0, i64::MIN)] {
        let e = LayoutError::BadSwizzle { bits: b, base: m, shift: s };
        assert_eq!(Swizzle::new(b, m, s), Err(e));
        assert_eq!(format!("S<{b},{m},{s}>").parse::<Swizzle>(), Err(e));
    }
    for text in [
        "",
        "S",
        "S<",
        "S<1",
        "S<1,2>",
        "S<1,2,3",
        "S<1,2,3>[",
        "S<1,2,3>[0b]",
        "S<1,2,3>[8]",
        "S<1,2,3> o",
        "s<1,2,3>",
    ] {
        assert!(matches!(text.parse::<Swizzle>(), Err(LayoutError::Text { .. })), "{text}");
        assert!(text.parse::<Composed>().is_err(), "{text}");
    }
    for text in
        ["S<1,0,1> o 4:1 o 3:1", "S<1,0,1> o 0 o", "S<1,0,1> o -1 o 4:1", "S<1,0,1> o 4:1@0", "S<1,0,1> o -?N o 4:1"]
    {
        assert!(text.parse::<Composed>().is_err(), "{text}");
    }
    let many = "S<1,0,1> o S<1,0,2> o S<1,0,3> o S<1,0,4> o S<1,0,5> o 0 o 4:1";
    assert!(many.parse::<Composed>().is_err());
}

#[test]
fn text_of_composed_layouts_is_read_back() {
    let mut rng = Rng::new(7);
    for _ in 0..2000 {
        let l = rng.layout(&[1, 2, 3, 8], &[-8, -1, 0, 1, 2, 64], 64);
        let c = rng.composed(&l);
        assert_eq!(c.to_string().parse(), Ok(c));
    }
    let read = |t: &str| t.parse::<Composed>().unwrap().to_string();
    assert_eq!(read("Sw<3,4,3> o (8,64):(64,1)"), "S<3,4,3> o 0 o (8,64):(64,1)");
    assert_eq!(read("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)"), "S<3,4,3> o 0 o (8,64):(64,1)");
    assert_eq!(read("S<3,4,3> o 8:1"), "S<3,4,3> o 0 o 8:1");
    assert_eq!(read("S<3,3,3>[16b] o 64 o (?M,64):(64,1)"), "S<3,3,3>[16b] o 64 o (?M,64):(64,1)");
    assert_eq!(read("S<1,1,3> o S<1,0,3> o 0 o 64:1"), "S<2,0,3> o 0 o 64:1");
    assert_eq!(read("S<1,1,2> o S<1,1,2> o S<1,0,3> o 0 o 64:1"), "S<1,0,3> o 0 o 64:1");
}

const ATOM: Composed = girih::literal(Composed::parse("S<3,3,3> o 0 o (8,64):(64,1)"));
const ROW: Composed = girih::must(ATOM.slice(&ints!((3, _))));

#[test]
fn composed_layouts_work_in_constants() {
    assert_eq!(ROW.decay(), Some((layout!(((8,4,2)):((1,-8,32))), 3 * 64 + 24)));
}
