//! Refusals: typed, and readable.

use crate::brute::{Rng, any};
use girih::prelude::*;

fn says(e: LayoutError, text: &str) {
    assert_eq!(e.to_string(), text);
}

#[test]
fn layouts_that_are_not_linear() {
    let from = |l: &str| LinearLayout::from_layout(&l.parse().unwrap()).unwrap_err();
    says(from("(2,6):(1,2)"), "extent 6 at leaf 1 is no power of two");
    says(from("(4,4):(1,2)"), "the bits do not add without carries: at 6 their sum is 4, their XOR 0");
    assert!(matches!(from("4:-1"), LayoutError::Swizzled { .. }));
    assert!(matches!(from("(?M,4):(4,1)"), LayoutError::Unbound { .. }));
    assert_eq!(from("(2,2):(1@0,1@1)"), LayoutError::Codomain);
    assert_eq!(from("2:4611686018427387904"), LayoutError::Overflow);
}

#[test]
fn axes_that_are_none() {
    says(Axes::new(&[(Axis::LANE, 24)]).unwrap_err(), "extent 24 at leaf 0 is no power of two");
    says(Axes::new(&[(Axis::LANE, 2), (Axis::LANE, 2)]).unwrap_err(), "two axes are called lane");
    assert!(Axes::new(&[(Axis::LANE, 0)]).is_err() && Axes::new(&[(Axis::LANE, -4)]).is_err());
    assert!(Axes::new(&[(Axis::LANE, i64::MIN)]).is_err());
    let l: LinearLayout = "lane:[1,2] -> offset:4".parse().unwrap();
    says(l.sublayout(&[Axis::WARP]).unwrap_err(), "there is no axis warp");
    assert!(l.rename(Axis::WARP, Axis::BLOCK).is_err());
    assert_eq!(l.rename(Axis::LANE, Axis::WARP).unwrap().to_string(), "warp:[1,2] -> offset:4");
    assert_eq!(l.with_inputs(&Axes::one(Axis::LANE, 8).unwrap()), Err(LayoutError::SizeMismatch { left: 4, right: 8 }));
    assert_eq!(
        l.with_outputs(&Axes::one(Axis::OFFSET, 2).unwrap()),
        Err(LayoutError::OutOfRange { index: 3, extent: 2 })
    );
    assert!(l.with_offset(4).is_err() && l.with_offset(-1).is_err());
    assert!(LinearLayout::identity(3, Axis::LANE, Axis::OFFSET).is_err());
    assert!(LinearLayout::from_swizzle(&Swizzle::IDENTITY, 63).is_err());
}

#[test]
fn texts_that_are_none() {
    for text in [
        "",
        "lane",
        "lane:[1",
        "lane:[1,] -> offset:2",
        "lane:[4] -> offset:4",
        "lane:[1] -> offset:3",
        "lane:[-1] -> offset:4",
        "lane:[1] -> offset:2 ^ 2",
        "lane:[1] lane:[1] -> offset:2",
        "lane:[(1,2)] -> dim0:2 dim1:2",
        "lane:[_] -> offset:2",
        "lane:[1] -> offset:2 offset:2",
        "lane:[1] -> offset:2 more",
        "lane:[1 2] -> offset:4",
        "lane:[(1)] -> dim0:2 dim1:2",
        "lane:[?M] -> offset:2",
        "-> offset:9223372036854775807",
    ] {
        assert!(text.parse::<LinearLayout>().is_err(), "{text}");
    }
}

/// Cuts and changes of texts: an error or a value that is written as it is read, never a panic.
#[test]
fn no_text_panics() {
    let mut r = Rng::new(70);
    for _ in 0..crate::brute::cases(3000) {
        let mut text = any(&mut r, 5).to_string().into_bytes();
        for _ in 0..=r.below(3) {
            let at = r.below(text.len() as i64) as usize;
            match r.below(3) {
                0 => text[at] = r.of(b"0123456789()[],:->^ abl_?{@"),
                1 => text.truncate(at.max(1)),
                _ => text.insert(at, r.of(b"09,()[]")),
            }
        }
        if let Ok(l) = String::from_utf8(text).unwrap().parse::<LinearLayout>() {
            assert_eq!(l.to_string().parse(), Ok(l));
        }
    }
}

/// The whole algebra at compile time.
#[test]
fn it_is_const() {
    const fn ok<T: Copy>(r: Result<T, LayoutError>) -> T {
        match r {
            Ok(v) => v,
            Err(_) => panic!(),
        }
    }
    const TILE: LinearLayout = ok(LinearLayout::from_composed(&ok(Composed::parse("S<3,3,3> o 0 o (64,64):(64,1)"))));
    const BACK: LinearLayout = ok(TILE.inverse());
    const ONE: LinearLayout = ok(TILE.compose(&BACK));
    const SWIZZLED: Composed = ok(TILE.to_composed());
    // all 62 bits, and nothing found: well within what a compiler evaluates
    const WIDE: LinearLayout = ok(LinearLayout::identity(1 << 62, Axis::LANE, Axis::OFFSET));
    const NONE: Result<Composed, LayoutError> =
        ok(WIDE.compose(&ok(LinearLayout::parse("x:[1,3,7] -> y:8")))).to_composed();
    assert!(matches!(NONE, Err(LayoutError::Swizzled { .. })) && WIDE.to_composed().unwrap().is_plain());
    assert!(ONE.to_swizzle().unwrap().is_identity());
    assert_eq!(SWIZZLED.to_string(), "S<3,3,3> o 0 o (64,64):(64,1)");
}
