use crate::brute::*;
use girih::prelude::*;

/// Values, and decay exactly when some compatible plain layout has them; whether it decayed.
fn check(c: &Composed) -> bool {
    let f = table(c);
    assert_eq!(evaluated(c), f, "{c}");
    match c.decay() {
        Some((plain, offset)) => {
            assert!(c.inner().compatible(&plain), "{c}: {plain}");
            assert_eq!(values(&plain).iter().map(|v| v + offset).collect::<Vec<_>>(), f, "{c}: {plain}");
            assert_eq!(evaluated(&c.decayed()), f, "{c}");
            true
        }
        None => {
            let shape = c.inner().known_leaves().unwrap().0;
            assert!(!is_layout(&f, shape), "{c} is a layout: {f:?}");
            assert_eq!(c.decayed(), *c);
            false
        }
    }
}

#[test]
fn one_mode_decays_exactly_when_a_plain_layout_has_the_values() {
    let (mut yes, mut no) = (0, 0);
    for s in ["S<1,0,1>", "S<1,1,-1>", "S<2,0,2>", "S<2,0,-3>", "S<1,1,2>", "S<2,1,3>"] {
        let s: Swizzle = s.parse().unwrap();
        for n in 1..=16 {
            for d in -9..=16i64 {
                for o in 0..20 {
                    let offset = o - (n - 1) * d.min(0);
                    let c = Composed::new(&s, offset, &Layout::flat(&[n], &[d]).unwrap()).unwrap();
                    if check(&c) { yes += 1 } else { no += 1 }
                }
            }
        }
    }
    assert!(yes > 5000 && no > 5000, "{yes} {no}");
}

#[test]
fn random_layouts_decay_exactly_when_a_plain_layout_has_the_values() {
    let mut rng = Rng::new(1);
    let (mut yes, mut no) = (0, 0);
    for i in 0..40_000 {
        let l = match i % 4 {
            0 => rng.layout(&[1, 2, 4, 8], &[0, 1, 2, 4, 8, 16, 32, 64, 128, -1, -4, -16], 128),
            1 => rng.layout(&[1, 2, 3, 4, 6, 8], &[0, 1, 2, 3, 4, 5, 8, 12, 16, 24, 64, -1, -3, -8], 96),
            2 => rng.layout(&[2, 2, 2, 3], &[1, 2, 4, 8, 16, 3, 5, 9, 17, 33, 12, 36, 72, 128, 256, 512], 64),
            _ => rng.layout(&[4, 6, 12, 5, 24], &[16, 32, 64, 128, 256, 48, 80], 96),
        };
        let c = rng.composed(&l);
        if check(&c) { yes += 1 } else { no += 1 }
    }
    assert!(yes > 8000 && no > 8000, "{yes} {no}");
}

#[test]
fn a_slice_is_the_fixed_coordinate_filled_in_and_decays_exactly() {
    let mut rng = Rng::new(2);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..4000 {
        let l = rng.layout(&[2, 4, 8, 3], &[1, 2, 4, 8, 16, 32, 64, 24, 0], 256);
        let c = rng.composed(&l);
        let shape = l.known_leaves().unwrap().0.to_vec();
        let fixed: Vec<Option<i64>> = shape.iter().map(|&s| (rng.below(2) == 0).then(|| rng.below(s))).collect();
        let text: Vec<String> = fixed.iter().map(|f| f.map_or("_".into(), |v| v.to_string())).collect();
        let coord: IntTuple = format!("({})", text.join(",")).parse().unwrap();
        let r = c.slice(&coord).unwrap();
        let rest: Vec<i64> = shape.iter().zip(&fixed).filter(|(_, f)| f.is_none()).map(|(&s, _)| s).collect();
        let n: i64 = rest.iter().product();
        assert_eq!(r.size(), Ok(n), "{c} {coord}");
        for mut i in 0..n {
            let at = r.at(i).unwrap();
            let mut full = vec![];
            for (&s, f) in shape.iter().zip(&fixed) {
                full.push(f.unwrap_or_else(|| {
                    let digit = i % s;
                    i /= s;
                    digit
                }));
            }
            assert_eq!(Ok(at), c.at_crd(&IntTuple::flat(&full).unwrap()), "{c} {coord}: {r}");
        }
        let f = evaluated(&r);
        let plain = is_layout(&f, if rest.is_empty() { &[1] } else { &rest });
        assert_eq!(r.is_plain(), plain || c.is_plain(), "{c} {coord}: {r}");
        if plain { yes += 1 } else { no += 1 }
    }
    assert!(yes > 500 && no > 200, "{yes} {no}");
}

#[test]
fn layouts_beyond_counting_are_decided_by_their_bits() {
    let decay = |t: &str| t.parse::<Composed>().unwrap().decay().map(|(l, o)| format!("{o} o {l}"));
    // 2^40 elements; whole periods of any number; tiles placed by symbols
    assert_eq!(decay("S<3,4,3> o 0 o 1099511627776:1024").unwrap(), "0 o 1099511627776:1024");
    assert_eq!(
        decay("S<3,4,3> o 16 o (16,1099511627776):(1,128)").unwrap(),
        "16 o (16,(2,4,137438953472)):(1,(112,288,1024))"
    );
    assert_eq!(decay("S<3,4,3> o 0 o (128,1099511627776):(1,128)"), None);
    assert_eq!(decay("S<3,4,3> o 0 o (16,3000000000000):(1,128)").unwrap(), "0 o (16,(8,375000000000)):(1,(144,1024))");
    assert_eq!(
        decay("S<3,4,3> o 384 o (128,3000000000001):(1,1024)").unwrap(),
        "432 o ((16,4,2),3000000000001):((1,-16,64),1024)"
    );
    assert_eq!(decay("S<3,4,3> o 0 o (?M,16):(1024,1)").unwrap(), "0 o (?M,16):(1024,1)");
    assert_eq!(decay("S<3,4,3> o 0 o (?M,16):(64*?lda{16},1)").unwrap(), "0 o (?M,16):(64*?lda{16},1)");
    assert_eq!(decay("S<3,4,3> o 0 o (16,?M{8}):(1,128)").unwrap(), "0 o (16,(8,⌈?M{8}/8⌉)):(1,(144,1024))");
    assert_eq!(decay("S<3,4,3> o 0 o (16,?M):(1,128)"), None);
    // outermost bits
    assert_eq!(decay("S<1,0,61> o 0 o 2:2305843009213693952").unwrap(), "0 o 2:2305843009213693953");
}

#[test]
fn a_slice_at_a_symbol_is_the_slice_at_its_values() {
    let mut rng = Rng::new(14);
    let mut outside = 0;
    for _ in 0..2000 {
        let l = rng.layout(&[2, 4, 8, 3], &[1, 2, 4, 8, 16, 32, 64, 256, 512], 256);
        let c = rng.composed(&l);
        let shape = l.known_leaves().unwrap().0;
        let text = |last: &str| -> IntTuple { format!("({}{last})", "_,".repeat(shape.len() - 1)).parse().unwrap() };
        let Ok((r, offset)) = c.slice_and_offset(&text("?i")) else { continue };
        outside += !r.is_plain() as u32;
        for i in 1..shape[shape.len() - 1] {
            let at = c.slice(&text(&i.to_string())).unwrap();
            let offset = offset.bind(&[("i", i)]).unwrap().value().unwrap();
            assert_eq!(table(&at), table(&r).iter().map(|v| v + offset).collect::<Vec<_>>(), "{c} at {i}: {r}");
        }
    }
    assert!(outside > 100, "{outside}");
}

/// The most points that are compared, in the most modes: a constant must afford it.
const LONG: Composed = girih::literal(Composed::parse(
    "S<1,12,-12> o 0 o (2,2,2,2,2,2,2,2,2,2,2,2,5,5,5,5,5,5,5,5,5,5,5,5):\
     (3,3,3,3,3,3,3,3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0)",
));
const PLAIN: Option<(Layout, i64)> = LONG.decay();

#[test]
fn constants_afford_the_longest_comparison() {
    assert_eq!(PLAIN, Some((*LONG.inner(), 0)));
}
