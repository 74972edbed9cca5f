//! Layouts to linear layouts and back.

use crate::brute::*;
use girih::algebra::laws;
use girih::prelude::*;

/// Power-of-two extents, strides of all kinds.
fn any_layout(r: &mut Rng, bits: i64) -> Layout {
    let (mut shape, mut stride, mut left, mut run) = (vec![], vec![], r.below(bits + 1), 1i64);
    while left > 0 || shape.is_empty() {
        let k = r.below(left.min(3) + 1);
        left -= k;
        shape.push(1 << k);
        stride.push(match r.below(7) {
            0 => 0,
            1 => r.below(12),
            2 => 1 << r.below(8),
            3 => 3 * run,
            _ => run,
        });
        run <<= k + (r.below(6) == 0) as i64;
    }
    let mut l = Layout::flat(&shape, &stride).unwrap();
    for _ in 0..r.below(3) {
        let from = r.below(l.rank() as i64) as usize;
        let to = from + 1 + r.below((l.rank() - from) as i64) as usize;
        l = l.group(from, to).unwrap();
    }
    l
}

/// Is the table affine over F2, and if not, the least index where it is not what the values at 0 and the bits say?
fn least_break(t: &[i64]) -> Option<usize> {
    (0..t.len()).find(|&i| {
        let v = (0..t.len().trailing_zeros()).filter(|k| i >> k & 1 == 1).fold(t[0], |v, k| v ^ t[1 << k] ^ t[0]);
        v != t[i]
    })
}

#[test]
fn a_layout_is_linear_exactly_if_its_table_is() {
    let mut r = Rng::new(50);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..cases(2000) {
        let l = any_layout(&mut r, 9);
        let t: Vec<i64> = (0..l.size().unwrap()).map(|i| l.at(i).unwrap()).collect();
        match (LinearLayout::from_layout(&l), least_break(&t)) {
            (Ok(x), None) => {
                yes += 1;
                assert_eq!(table(&x), t, "{l}");
                laws::linear(&l.swizzled(&Swizzle::IDENTITY).unwrap(), &x).unwrap();
                assert_eq!(x.inputs().rank(), l.rank());
                // and back: the same function with the same modes
                let back = x.to_layout().unwrap();
                assert_eq!((back.rank(), back.size()), (l.rank(), l.size()));
                laws::same_function(&back, &l).unwrap();
                assert_eq!(LinearLayout::from_layout(&back), Ok(x));
                // two modes of one extent that continue each other are one
                if l.depth() < 2 {
                    let same = (0..l.rank()).all(|m| back.mode(m).unwrap().coalesce() == l.mode(m).unwrap().coalesce());
                    assert!(same, "{l} and {back}");
                }
            }
            (Err(LayoutError::Carries { index, sum, xor }), Some(i)) => {
                no += 1;
                assert_eq!((index, sum), (i as i64, t[i]), "{l}");
                let bits = (0..12).filter(|k| i >> k & 1 == 1);
                assert_eq!(xor, bits.fold(t[0], |v, k| v ^ t[1 << k] ^ t[0]));
            }
            (got, truth) => panic!("{l}: {got:?}, it breaks at {truth:?}"),
        }
    }
    assert!(yes > 300 && no > 300, "{yes} {no}");
}

fn any_composed(r: &mut Rng, chain: i64) -> Composed {
    loop {
        let mut l = any_layout(r, 8);
        let offset = if r.below(2) == 0 { 0 } else { r.below(64) };
        if r.below(3) == 0 {
            // mirror a leaf
            let (shape, stride) = l.known_leaves().unwrap();
            let mut stride = stride.to_vec();
            let k = r.below(stride.len() as i64) as usize;
            stride[k] = -stride[k];
            l = Layout::flat(shape, &stride).unwrap();
        }
        let Ok(mut c) = Composed::new(&Swizzle::IDENTITY, offset, &l) else { continue };
        for _ in 0..chain {
            let shift = r.below(9) - 4;
            if let Ok(s) = Swizzle::new(1 + r.below(3), r.below(4), shift)
                && let Ok(d) = c.swizzled(&s)
            {
                c = d;
            }
        }
        return c;
    }
}

#[test]
fn a_swizzled_layout_is_linear_exactly_if_its_table_is() {
    let mut r = Rng::new(51);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..cases(3000) {
        let chain = r.below(4);
        let c = any_composed(&mut r, chain);
        let t: Vec<i64> = (0..c.size().unwrap()).map(|i| c.at(i).unwrap()).collect();
        match (LinearLayout::from_composed(&c), least_break(&t)) {
            (Ok(x), None) => {
                yes += 1;
                assert_eq!(table(&x), t, "{c}");
                assert_eq!(x.image_range(), c.image_range().unwrap(), "{c}");
            }
            (Err(LayoutError::Carries { index, .. }), Some(i)) => {
                no += 1;
                assert_eq!(index, i as i64, "{c}");
            }
            (got, truth) => panic!("{c}: {got:?}, it breaks at {truth:?}"),
        }
    }
    assert!(yes > 500 && no > 300, "{yes} {no}");
}

#[test]
fn a_swizzled_layout_comes_back_with_no_more_swizzle_than_it_had() {
    let mut r = Rng::new(52);
    let mut seen = 0;
    for _ in 0..cases(2000) {
        let c = any_composed(&mut r, 1);
        let Ok(x) = LinearLayout::from_composed(&c) else { continue };
        let back = x.to_composed().unwrap();
        let at = |c: &Composed| (0..c.size().unwrap()).map(|i| c.at(i).unwrap()).collect::<Vec<_>>();
        assert_eq!(at(&back), at(&c), "{c} and {back}");
        assert!(back.swizzle().unwrap().bits() <= c.swizzle().unwrap().bits(), "{c} and {back}");
        assert_eq!(back.rank(), c.rank());
        // bits that the layout uses, and no freedom in them: the text comes back
        seen += (back.swizzle().unwrap().bits() > 0) as i32;
        assert_eq!(back.is_plain(), c.decay().is_some(), "{c} and {back}");
    }
    assert!(seen > 50, "{seen}");
}

/// Every map on 3 bits: a single swizzle of a layout is found if and only if one of all swizzles leaves a layout below it.
#[test]
fn to_composed_is_exact_on_all_small_maps() {
    let mut swizzles = vec![Swizzle::IDENTITY];
    for base in 0..6 {
        for shift in -6..=6i64 {
            for bits in 1..=3 {
                swizzles.extend(Swizzle::new(bits, base, shift).ok());
            }
        }
    }
    let (ins, outs) = (Axes::one(Axis::LANE, 8).unwrap(), Axes::one(Axis::OFFSET, 16).unwrap());
    let (mut yes, mut no) = (0, 0);
    for code in 0..1 << 12 {
        let bases = [code & 15, code >> 4 & 15, code >> 8 & 15];
        let l = LinearLayout::new(&ins, &outs, &bases).unwrap().with_offset(code % 13).unwrap();
        let t = table(&l);
        let exists = swizzles.iter().any(|s| {
            let below: Vec<i64> = t.iter().map(|&v| s.at(v).unwrap()).collect();
            (0..8).all(|i| {
                let sum = (0..3).filter(|k| i >> k & 1 == 1).map(|k| below[1 << k] - below[0]).sum::<i64>();
                below[i] == below[0] + sum
            })
        });
        match l.to_composed() {
            Ok(c) => {
                yes += 1;
                assert!((0..8).all(|i| c.at(i) == Ok(t[i as usize])), "{l}: {c}");
            }
            Err(LayoutError::Swizzled { .. }) => {
                no += 1;
                assert!(!exists, "{l}");
            }
            Err(e) => panic!("{l}: {e}"),
        }
    }
    assert!(yes >= 1000 && no > 300, "{yes} {no}");
}

#[test]
fn to_layout_is_exact_on_all_small_maps() {
    let (ins, outs) = (Axes::one(Axis::LANE, 8).unwrap(), Axes::one(Axis::OFFSET, 8).unwrap());
    for code in 0..1 << 12 {
        let bases = [code & 7, code >> 3 & 7, code >> 6 & 7];
        let l = LinearLayout::new(&ins, &outs, &bases).unwrap().with_offset(code >> 9).unwrap();
        let t = table(&l);
        let sum = |i: usize| (0..3).filter(|k| i >> k & 1 == 1).map(|k| t[1 << k]).sum::<i64>();
        let witness = (0..8).find(|&i| t[i] != sum(i));
        match l.to_layout() {
            Ok(a) => assert!((0..8).all(|i| a.at(i) == Ok(t[i as usize])), "{l}: {a}"),
            Err(e) => {
                let i = witness.unwrap();
                assert_eq!(e, LayoutError::Carries { index: i as i64, sum: sum(i), xor: t[i] }, "{l}");
            }
        }
        assert_eq!(l.to_layout().is_ok(), witness.is_none());
    }
}

#[test]
fn single_modes_and_extents_of_one_keep_their_place() {
    let back = |l: Layout| LinearLayout::from_layout(&l).unwrap().to_layout().unwrap();
    assert_eq!(back(layout!(8:2)), layout!(8:2));
    assert_eq!(back(layout!(1:0)), layout!(1:0));
    assert_eq!(back(layout!((1,(2,1),4):(5,(8,9),1))), layout!((1,2,4):(0,8,1)));
    assert_eq!(back(layout!((4,4):(0,1))), layout!((4,4):(0,1)));
    // one mode of two runs stays one mode
    assert_eq!(back(layout!(((2,2)):((8,1)))).rank(), 1);
}
