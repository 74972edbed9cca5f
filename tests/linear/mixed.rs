//! Mixed radix beside bits.

use crate::brute::*;
use girih::algebra::linear::MixedRadix;
use girih::prelude::*;

fn any_composed(r: &mut Rng) -> Composed {
    loop {
        let n = 1 + r.below(4);
        let (mut shape, mut stride, mut run) = (vec![], vec![], 1i64);
        for _ in 0..n {
            let s = r.of(&[1, 2, 3, 4, 5, 6, 8, 12, 16, 24]);
            stride.push(match r.below(8) {
                0 => 0,
                1 => -run,
                2 => r.below(20),
                3 => 1 << r.below(9),
                4 => (run as u64).next_power_of_two() as i64,
                _ => run,
            });
            run *= s;
            shape.push(s);
        }
        if run > 2000 {
            continue;
        }
        let mut l = Layout::flat(&shape, &stride).unwrap();
        if n > 1 && r.below(2) == 0 {
            l = l.group(0, 2).unwrap();
        }
        let offset = if r.below(2) == 0 { 0 } else { r.below(100) };
        let Ok(mut c) = Composed::new(&Swizzle::IDENTITY, offset, &l) else { continue };
        for _ in 0..r.below(3) {
            let shift = r.below(9) - 4;
            if let Ok(s) = Swizzle::new(r.below(4), r.below(4), shift)
                && let Ok(d) = c.swizzled(&s)
            {
                c = d;
            }
        }
        return c;
    }
}

#[test]
fn both_parts_are_the_whole_and_come_back() {
    let mut r = Rng::new(60);
    let mut bits = 0;
    for _ in 0..cases(2000) {
        let c = any_composed(&mut r);
        let m = MixedRadix::from_composed(&c).unwrap();
        bits += m.bits().inputs().bits();
        let (shape, _) = c.inner().known_leaves().unwrap();
        let low = table(m.bits());
        let flat = m.digits().flatten();
        for i in 0..c.size().unwrap() {
            let (mut rest, mut x, mut high, mut wx, mut wh) = (i, 0, 0, 1, 1);
            for (k, &s) in shape.iter().enumerate() {
                let (digit, cut) = (rest % s, m.bits().inputs().extent(Axis::dim(k).unwrap()));
                rest /= s;
                x += digit % cut * wx;
                high += digit / cut * wh;
                wx *= cut;
                wh *= s / cut;
            }
            assert_eq!(c.at(i), Ok(low[x as usize] ^ flat.at(high).unwrap()), "{c} at {i}");
        }
        let back = m.to_composed().unwrap();
        assert_eq!(back.swizzles(), c.swizzles());
        assert!((0..c.size().unwrap()).all(|i| back.at(i) == c.at(i)), "{c} and {back}");
        if shape.iter().all(|&s| s > 1) {
            assert_eq!(back, c);
        }
        assert_eq!(MixedRadix::from_composed(&back), Ok(m));
    }
    assert!(bits > 2000, "{bits}");
}

#[test]
fn powers_of_two_are_all_bits() {
    let c: Composed = "S<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192))".parse().unwrap();
    let m = MixedRadix::from_composed(&c).unwrap();
    assert_eq!(m.digits().to_string(), "S<3,3,3> o 0 o ((1,1),(1,1)):((0,0),(0,0))");
    assert_eq!(m.bits().bases(), LinearLayout::from_composed(&c).unwrap().bases());
}

#[test]
fn a_tile_of_96_rows_is_bits_and_a_digit_of_3() {
    let c: Composed = "S<3,3,3> o 0 o (96,64):(64,1)".parse().unwrap();
    let m = MixedRadix::from_composed(&c).unwrap();
    assert_eq!(m.bits().inputs().to_string(), "dim0 32, dim1 64");
    assert_eq!(m.digits().to_string(), "S<3,3,3> o 0 o (3,1):(2048,0)");
    assert_eq!(m.bits().num_consecutive(Axis::dim(1).unwrap()), Ok(8));
}
