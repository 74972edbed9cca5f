use super::color::{bank, qualitative, ramp};
use super::*;
use crate::{ints, layout};
use roxmltree::{Document, Node};
use std::collections::{HashMap, HashSet};

/// One of each kind, small and large.
fn gallery() -> Vec<(&'static str, Drawing)> {
    let c_fragment = layout!(((4,8),(2,2)):((32,1),(16,8)));
    let swizzled = (ints!((8, 64)), |i: i64| {
        let offset = i % 8 * 64 + i / 8;
        offset ^ (offset >> 3 & 0b111000)
    });
    // of another module, which has its own errors
    let banks = |l: &dyn Drawable, unit, access| Drawing::banks(l, unit, access).map_err(|_| LayoutError::Empty);
    let drawings = [
        ("plain", Drawing::of(&layout!((6,2):(8,2)))),
        ("integer", Drawing::of(&layout!(1:0))),
        ("rank 1", Drawing::of(&layout!(((2,4)):((4,1))))),
        ("nested", Drawing::of(&layout!(((2,2),(2,(2,2))):((1,4),(2,(8,16)))))),
        ("rank 3", Drawing::of(&layout!((4,4,(2,3)):(4,1,(16,32))))),
        ("64 columns", Drawing::of(&layout!((16,64):(64,1)))),
        ("256 columns", Drawing::of(&layout!((2,256):(256,1)))),
        ("identity", Drawing::of(&layout!((8,(2,32)):(1@0,(1@0@1,1@1@1))))),
        ("negative", Drawing::of(&layout!((4,5):(-1000000,3)))),
        ("long title", Drawing::of(&layout!((2,2):(1,2))).map(|d| d.title("a title that needs more, ".repeat(9)))),
        ("m16n8", Drawing::tv(&c_fragment, &ints!((16, 8)))),
        ("uneven split", Drawing::tv(&layout!(((3,9),2):((2,6),1)), &ints!((2, 27)))),
        ("broadcast", Drawing::tv(&layout!((4,(2,2)):(1,(8,0))), &ints!((8, 4)))),
        ("f32 column", banks(&layout!((32,32):(32,1)), 4, 4)),
        ("two phases", banks(&layout!((48,8):(8,1)), 4, 8)),
        ("swizzled", banks(&swizzled, 2, 16)),
        ("wide values", banks(&layout!((32,2):(2,1)), 16, 16)),
    ];
    drawings.into_iter().map(|(name, d)| (name, d.unwrap_or_else(|e| panic!("{name}: {e}")))).collect()
}

fn of_class<'a>(doc: &'a Document, tag: &'static str, class: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    let has = move |n: &Node| n.attribute("class").is_some_and(|c| c.split(' ').any(|c| c == class));
    doc.descendants().filter(move |n| n.has_tag_name(("http://www.w3.org/2000/svg", tag)) && has(n))
}

fn texts(doc: &Document, class: &'static str) -> Vec<String> {
    of_class(doc, "text", class).map(|n| n.text().unwrap_or_default().to_string()).collect()
}

/// `(i,j) -> value` of each cell, from the tooltips.
fn tips(doc: &Document) -> Vec<String> {
    let tip = |n: Node| n.first_element_child().and_then(|t| t.text().map(str::to_string));
    of_class(doc, "rect", "cell").filter_map(tip).collect()
}

#[test]
fn every_drawing_is_well_formed_xml() {
    for (name, drawing) in gallery() {
        for background in [Background::Auto, Background::Light, Background::Dark, Background::Transparent] {
            let svg = drawing.clone().background(background).svg();
            assert!(Document::parse(&svg).is_ok(), "{name}");
        }
    }
}

#[test]
fn texts_neither_overlap_nor_leave_the_picture() {
    for (name, drawing) in gallery() {
        let svg = drawing.svg();
        let doc = Document::parse(&svg).unwrap();
        let number = |n: &Node, a: &str| n.attribute(a).unwrap().parse::<f64>().unwrap();
        let (width, height) = (number(&doc.root_element(), "width"), number(&doc.root_element(), "height"));
        let mut boxes = Vec::new();
        for n in doc.descendants().filter(|n| n.tag_name().name() == "text") {
            let (x, y, font) = (number(&n, "x"), number(&n, "y"), number(&n, "font-size"));
            let text = n.text().unwrap_or_default();
            // 0.602: the advance of DejaVu Sans Mono, the widest of the usual fonts; capitals and digits reach 0.73 high
            let w = text.chars().count() as f64 * 0.602 * font;
            let left = match n.attribute("text-anchor").unwrap_or("middle") {
                "start" => x,
                "end" => x - w,
                _ => x - w / 2.0,
            };
            let b = (left, y - 0.73 * font, left + w, y);
            assert!(b.0 >= 0.0 && b.1 >= 0.0 && b.2 <= width && b.3 <= height, "{name}: {text} leaves the picture");
            boxes.push((b, text));
        }
        for (k, (a, s)) in boxes.iter().enumerate() {
            for (b, t) in &boxes[k + 1..] {
                let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                assert!(apart, "{name}: {s} meets {t}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn labels_and_tooltips_are_the_values() {
    for l in [
        layout!((6,2):(8,2)),
        layout!((8,8):(8,1)),
        layout!((4,(2,4)):(2,(1,8))),
        layout!((3,4,(2,2)):(-4,1,(12,100))),
        layout!(((2,4)):((4,1))),
        layout!((16,64):(64,1)),
        Layout::identity(&ints!((4, (2, 3)))).unwrap(),
    ] {
        let svg = Drawing::of(&l).unwrap().svg();
        let doc = Document::parse(&svg).unwrap();
        let values: Vec<_> = (0..l.size().unwrap()).map(|i| l.value(i).unwrap().to_string()).collect();
        assert_eq!(texts(&doc, "label"), values, "{l}");
        let coordinate = |i| {
            let c = l.shape().idx2crd(i).unwrap();
            if c.rank() == 1 { c.mode(0).unwrap() } else { c }
        };
        let expected: Vec<_> = (0..).zip(&values).map(|(i, v)| format!("{} \u{2192} {v}", coordinate(i))).collect();
        assert_eq!(tips(&doc), expected, "{l}");
    }
}

#[test]
fn labels_that_would_be_too_small_are_left_out() {
    let svg = Drawing::of(&layout!((2,256):(1000,1))).unwrap().svg();
    let doc = Document::parse(&svg).unwrap();
    assert_eq!(texts(&doc, "label").len(), 0);
    assert_eq!(tips(&doc).len(), 512);
}

#[test]
fn nested_boundaries_are_ruled() {
    let rules = |l: &Layout| {
        let svg = Drawing::of(l).unwrap().svg();
        let doc = Document::parse(&svg).unwrap();
        (of_class(&doc, "path", "rule").count(), of_class(&doc, "path", "rule2").count())
    };
    assert_eq!(rules(&layout!((4,8):(8,1))), (0, 0));
    assert_eq!(rules(&layout!((4,(2,4)):(8,(1,2)))), (3, 0));
    assert_eq!(rules(&layout!(((2,2),(2,2,2)):((1,2),(4,8,16)))), (3, 1));
    // extents of 1 bound nothing
    assert_eq!(rules(&layout!((4,(1,8,1)):(8,(0,1,0)))), (0, 0));
}

#[test]
fn a_tv_drawing_and_its_inverse_agree_with_the_layout() {
    let (tv, tile) = (layout!(((4,8),(2,2)):((32,1),(16,8))), ints!((16, 8)));
    let svg = Drawing::tv(&tv, &tile).unwrap().svg();
    let doc = Document::parse(&svg).unwrap();
    let labels = texts(&doc, "label");
    // cells of two lines; then the swatches of the legend
    let pairs: Vec<_> = labels.chunks(2).take(256).map(|p| (p[0].as_str(), p[1].as_str())).collect();
    for (at, (t, v)) in pairs[..128].iter().enumerate() {
        let (t, v): (i64, i64) = (t[1..].parse().unwrap(), v[1..].parse().unwrap());
        assert_eq!(tv.at(t + 32 * v), Ok(at as i64));
    }
    // threads 0..16, then 16..32, each value after value
    let inverse = (0..2).flat_map(|half| (0..4).flat_map(move |v| (0..16).map(move |t| (t + 16 * half, v))));
    for ((t, v), (index, coordinate)) in inverse.zip(&pairs[128..]) {
        let at = tv.at(t + 32 * v).unwrap();
        assert_eq!((*index, *coordinate), (&*at.to_string(), &*tile.idx2crd(at).unwrap().to_string()));
    }
}

#[test]
fn a_coordinate_valued_tv_layout_is_drawn_as_the_integer_one() {
    let tile = ints!((16, 8));
    let integers = Drawing::tv(&layout!(((4,8),(2,2)):((32,1),(16,8))), &tile).unwrap();
    let coordinates = Drawing::tv(&layout!(((4,8),(2,2)):((2@1,1@0),(1@1,8@0))), &tile).unwrap();
    assert_eq!(integers.title("").svg(), coordinates.title("").svg());
}

#[test]
fn shared_and_missing_elements_are_shown() {
    let svg = Drawing::tv(&layout!((4,(2,2)):(1,(8,0))), &ints!((8, 4))).unwrap().svg();
    let doc = Document::parse(&svg).unwrap();
    assert_eq!(of_class(&doc, "rect", "hole").count(), 32 - 8);
    assert!(tips(&doc).contains(&"(1,1) \u{2190} T1 V1, T1 V3".to_string()));
    assert!(texts(&doc, "label").contains(&"V1+1".to_string()));
}

#[test]
fn colours_differ_by_thread() {
    let (threads, values) = (128, 4);
    let svg = Drawing::tv(&layout!((128,4):(4,1)), &ints!((512, 1))).unwrap().svg();
    let doc = Document::parse(&svg).unwrap();
    let mut fills: HashMap<&str, HashSet<&str>> = HashMap::new();
    for n in of_class(&doc, "rect", "cell") {
        let tip = n.first_element_child().and_then(|t| t.text()).unwrap_or_default();
        if let Some((who, _)) = tip.split_once(" \u{2192}") {
            fills.entry(who.split(' ').next().unwrap()).or_default().insert(n.attribute("fill").unwrap());
        }
    }
    assert_eq!(fills.len(), threads);
    assert!(fills.values().all(|f| f.len() == 1));
    assert_eq!(fills.values().flatten().collect::<HashSet<_>>().len(), threads);
    assert_eq!(tips(&doc).len(), 2 * threads * values);
}

#[test]
fn colours_by_tile_follow_the_inner_modes() {
    let fills = |l: &Layout| {
        let svg = Drawing::of(l).unwrap().color(Color::Tile).svg();
        let doc = Document::parse(&svg).unwrap();
        let cells = of_class(&doc, "rect", "cell").filter(|n| n.has_children());
        cells.map(|n| n.attribute("fill").unwrap().to_string()).collect::<Vec<_>>()
    };
    // logical_divide of 24 by 4: a column is a tile
    let columns = fills(&layout!((4,6):(1,4)));
    assert!((0..24).all(|i| columns[i] == qualitative(i / 4).to_string()));
    // by mode: blocks of 2 x 3
    let blocks = fills(&layout!(((2,2),(3,2)):((1,2),(4,12))));
    assert!((0..24).all(|i| blocks[i] == qualitative(i % 4 / 2 + 2 * (i / 12)).to_string()));
}

#[test]
fn text_is_readable_on_every_colour() {
    let colors =
        (0..256).map(qualitative).chain((0..=100).map(|t| ramp(f64::from(t) / 100.0))).chain((0..32).map(bank));
    for c in colors {
        assert!(c.contrast(c.ink()) > 4.2, "{c}: {}", c.contrast(c.ink()));
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let symbolic: Layout = "(?M,8):(1,?lda)".parse().unwrap();
    let stride: Layout = "(4,8):(1,?lda)".parse().unwrap();
    assert!(matches!(Drawing::of(&symbolic).unwrap_err(), LayoutError::Unbound { .. }));
    assert!(matches!(stride.table().unwrap_err(), LayoutError::Unbound { .. }));
    let large = layout!((256,257):(1,256));
    assert_eq!(large.latex().unwrap_err(), LayoutError::TooLarge { cells: 65792, most: CELLS });
    assert!(Drawing::of(&layout!((256,256):(1,256))).is_ok());
    let empty = (ints!((4, 0)), |i: i64| i);
    assert_eq!(Drawing::of(&empty).unwrap_err(), LayoutError::BadExtent { leaf: 1, extent: 0 });
    let open = (ints!((4, _)), |i: i64| i);
    assert_eq!(Drawing::of(&open).unwrap_err(), LayoutError::Underscore);

    let tile = ints!((4, 4));
    let rank = Drawing::tv(&layout!(16:1), &tile).unwrap_err();
    assert_eq!(rank, LayoutError::RankMismatch { rank: 1, other: 2 });
    let outside = Drawing::tv(&layout!((4,4):(1,5)), &tile).unwrap_err();
    assert_eq!(outside, LayoutError::OutOfRange { index: 16, extent: 16 });
    assert!(Drawing::of(&(ints!((2, 1)), |i: i64| if i == 0 { i64::MIN } else { i64::MAX })).unwrap().svg().len() > 9);
}

#[test]
fn titles_are_escaped() {
    let svg = Drawing::of(&layout!(2:1)).unwrap().title("a<b> & \"c\" \u{1}\n]]>").svg();
    let doc = Document::parse(&svg).unwrap();
    let title = doc.root_element().first_element_child().and_then(|t| t.text());
    assert_eq!(title, Some("a<b> & \"c\" \u{fffd}\u{fffd}]]>"));
}

#[test]
fn backgrounds_are_automatic_or_fixed() {
    let svg = |b| Drawing::of(&layout!(2:1)).unwrap().background(b).svg();
    assert!(svg(Background::Auto).contains("prefers-color-scheme:dark"));
    for fixed in [Background::Light, Background::Dark, Background::Transparent] {
        assert!(!svg(fixed).contains("@media"));
    }
    assert!(svg(Background::Light).contains("fill:#ffffff}") && !svg(Background::Dark).contains(".page{fill:#ffffff}"));
    assert!(!svg(Background::Transparent).contains("class=\"page\""));
}

#[test]
fn latex_has_a_node_for_each_cell() {
    let l = layout!(((2,2),(2,2),2):((1,4),(2,8),16));
    let tex = l.latex().unwrap();
    let labels = tex.lines().filter(|l| l.contains("align=center"));
    let values: Vec<_> = labels.filter_map(|l| l.rsplit_once('{')?.1.strip_suffix("};")).collect();
    let expected: Vec<_> = (0..32).map(|i| l.at(i).unwrap().to_string()).collect();
    assert_eq!(values, expected);
    for (name, drawing) in gallery() {
        let tex = drawing.latex();
        assert_eq!(tex.matches('{').count(), tex.matches('}').count(), "{name}");
        let body = tex.lines().filter(|l| !l.starts_with('%'));
        assert!(body.into_iter().all(str::is_ascii), "{name}");
    }
}

#[test]
fn a_table_has_panels_and_coordinates() {
    let table = layout!((1,2,2):(0,1,5)).table().unwrap().to_string();
    let expected = "\
(1,2,2):(0,1,5)
(_,_,0)
     0   1
   +---+---+
 0 | 0 | 1 |
   +---+---+
(_,_,1)
     0   1
   +---+---+
 0 | 5 | 6 |
   +---+---+
";
    assert_eq!(table, expected);
    let identity = Layout::identity(&ints!((1, 2))).unwrap().table().unwrap().to_string();
    assert!(identity.contains("\n 0 | (0,0) | (0,1) |\n"));
    let tall = layout!(((2,2),1):((1,2),0)).table().unwrap().to_string();
    assert_eq!(tall.matches("+===+").count(), 1);
}
