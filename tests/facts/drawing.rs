//! The picture of banks.

use girih::gpu::facts::{Access, FactError, banks};
use girih::layout::Drawable;
use girih::prelude::*;
use roxmltree::Document;

/// The tooltips of the cells.
fn tips(d: &Drawing) -> Vec<String> {
    let svg = d.svg();
    let doc = Document::parse(&svg).unwrap();
    let cells = doc.descendants().filter(|n| n.attribute("class").is_some_and(|c| c.split(' ').any(|c| c == "cell")));
    cells.filter_map(|n| n.first_element_child().and_then(|t| t.text().map(str::to_string))).collect()
}

#[test]
fn the_cells_in_conflict_are_marked() {
    let marked = |l: &Layout| {
        let all = tips(&Drawing::banks(l, 4, 4).unwrap());
        all.into_iter().filter(|t| t.ends_with("conflict")).collect::<Vec<_>>()
    };
    // threads 0 and 2 meet in bank 0, threads 1 and 3 in bank 1
    assert_eq!(marked(&layout!(((2,2),1):((1,32),0))).len(), 4);
    let three = marked(&layout!((3,1):(16,0))); // 0, 16, 32
    assert_eq!(three, ["(0,0) \u{2192} 0, bank 0, conflict", "(2,0) \u{2192} 32, bank 0, conflict"]);
}

#[test]
fn the_verdict_is_that_of_the_facts() {
    let swizzled: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse().unwrap();
    let (column, two) = (layout!((32,32):(32,1)), layout!((48,8):(8,1)));
    let cases: [(&dyn Drawable, usize, usize); 5] =
        [(&column, 4, 4), (&two, 4, 8), (&two, 4, 4), (&swizzled, 2, 16), (swizzled.inner(), 2, 16)];
    for (l, unit, access) in cases {
        let svg = Drawing::banks(l, unit, access).unwrap().svg();
        let doc = Document::parse(&svg).unwrap();
        // its lines are wrapped
        let texts = doc.descendants().filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", "text")));
        let all = texts.filter_map(|n| n.text()).collect::<Vec<_>>().join(" ").replace("  ", " ");
        let found = banks(l, 8 * unit, Access::Store(access)).unwrap();
        let verdict = match found.ways() {
            1 => "no bank conflict".to_string(),
            n => format!("at most {n}-way: {} wavefronts where {} would do", found.wavefronts(), found.ideal()),
        };
        assert!(all.contains(&verdict), "{verdict}");
    }
}

#[test]
fn what_has_no_banks_is_refused() {
    let of = |l: &Layout, unit, access| Drawing::banks(l, unit, access).unwrap_err();
    let l = layout!((32,8):(8,1));
    assert_eq!(of(&l, 4, 3), FactError::Width { bytes: 3 });
    assert_eq!(of(&l, 4, 32), FactError::Width { bytes: 32 });
    for (unit, access) in [(3, 4), (8, 4), (0, 4)] {
        assert_eq!(of(&l, unit, access), FactError::Element { bits: 8 * unit, bytes: access });
    }
    assert!(Drawing::banks(&l, usize::MAX, 16).is_err());
    assert_eq!(of(&layout!((32,3):(4,1)), 4, 8), FactError::Ragged { values: 3, access: 2 });
    assert_eq!(of(&layout!((4,4):(1@0,1@1)), 4, 4), LayoutError::Codomain.into());
}
