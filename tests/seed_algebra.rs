//! Every example of the specification of the layout algebra, with the printed results as expected values. (One slip there:
//! the strides of `(3,6,2,8):(w,x,y,z) / 72` are `(72w,24x,4y,2z)`.)

use girih::algebra::laws;
use girih::prelude::*;

fn p(s: &str) -> Layout {
    s.parse().unwrap_or_else(|e| panic!("{s}: {e}"))
}

#[test]
fn coalesce() {
    assert_eq!(p("(2,(1,6)):(1,(6,2))").coalesce(), p("12:1"));
    assert_eq!(p("(2,4):(1,2)").coalesce(), p("8:1"));
    // the four cases of two modes
    assert_eq!(p("(5,1):(3,7)").coalesce(), p("5:3"));
    assert_eq!(p("(1,5):(7,3)").coalesce(), p("5:3"));
    assert_eq!(p("(4,5):(3,12)").coalesce(), p("20:3"));
    assert_eq!(p("(4,5):(3,7)").coalesce(), p("(4,5):(3,7)"));
    let a = p("(2,(1,6)):(1,(6,2))");
    let by_mode = a.coalesce_by_mode(&ints!((1, 1))).unwrap();
    assert_eq!(by_mode, p("(2,6):(1,2)"));
    let same = Layout::tuple(&[a.mode(0).unwrap().coalesce(), a.mode(1).unwrap().coalesce()]).unwrap();
    assert_eq!(by_mode, same);
}

#[test]
fn composition() {
    let (a, b) = (p("(6,2):(8,2)"), p("(4,3):(3,1)"));
    let r = a.compose(&b).unwrap();
    assert_eq!(r, p("((2,2),3):((24,2),8)"));
    assert!(b.compatible(&r));
    let values: Vec<i64> = r.offsets().unwrap().collect();
    assert_eq!(values, [0, 24, 2, 26, 8, 32, 10, 34, 16, 40, 18, 42]);
    assert_eq!(a.compose(&p("4:3")).unwrap(), p("(2,2):(24,2)"));
    assert_eq!(a.compose(&p("3:1")).unwrap(), p("3:8"));
    assert_eq!(p("20:2").compose(&p("(5,4):(4,1)")).unwrap(), p("(5,4):(8,2)"));
    let matrix = p("(10,2):(16,4)").compose(&p("(5,4):(1,5)")).unwrap();
    assert_eq!(matrix, p("(5,(2,2)):(16,(80,4))"));
    // the other spelling, with extents of 1, is the same function
    laws::same_function(&matrix, &p("((5,1),(2,2)):((16,4),(80,4))")).unwrap();
}

#[test]
fn strided_shapes() {
    for (shape, by, quotient) in [
        ("(6,2)", 2, "(3,2)"),
        ("(6,2)", 3, "(2,2)"),
        ("(6,2)", 6, "(1,2)"),
        ("(6,2)", 12, "(1,1)"),
        ("(3,6,2,8)", 3, "(1,6,2,8)"),
        ("(3,6,2,8)", 6, "(1,3,2,8)"),
        ("(3,6,2,8)", 9, "(1,2,2,8)"),
        ("(3,6,2,8)", 72, "(1,1,1,4)"),
    ] {
        let shape = IntTuple::parse(shape).unwrap();
        assert_eq!(shape.shape_div(&IntTuple::int(by)).unwrap().to_string(), quotient, "{shape} / {by}");
    }
    // "/ n" then "% m" is the composition with m:n; extents of 1 fall away
    let symbolic = p("(3,6,2,8):(?w,?x,?y,?z)");
    assert_eq!(symbolic.compose(&p("4:72")).unwrap().to_string(), "4:2*?z");
    assert_eq!(symbolic.compose(&p("16:9")).unwrap().to_string(), "(2,2,4):(3*?x,?y,?z)");
    for (shape, keep, kept) in [
        ("(6,2)", 2, "2:?a"),
        ("(6,2)", 3, "3:?a"),
        ("(6,2)", 6, "6:?a"),
        ("(6,2)", 12, "(6,2):(?a,?b)"),
        ("(3,6,2,8)", 6, "(3,2):(?a,?b)"),
        ("(3,6,2,8)", 9, "(3,3):(?a,?b)"),
        ("(1,2,2,8)", 2, "2:?b"),
        ("(1,2,2,8)", 16, "(2,2,4):(?b,?c,?d)"),
    ] {
        let strides = if shape.len() > 5 { "(?a,?b,?c,?d)" } else { "(?a,?b)" };
        let l = p(&format!("{shape}:{strides}"));
        let head = l.compose(&Layout::flat(&[keep], &[1]).unwrap().coalesce()).unwrap();
        assert_eq!(head.to_string(), kept, "{shape} % {keep}");
    }
}

#[test]
fn composition_by_mode() {
    let a = p("(12,(4,8)):(59,(13,1))");
    let r = a.compose_by_mode(&tiler![3:4, 8:2]).unwrap();
    assert_eq!(r, p("(3,(2,4)):(236,(26,1))"));
    let same = [a.mode(0).unwrap().compose(&p("3:4")).unwrap(), a.mode(1).unwrap().compose(&p("8:2")).unwrap()];
    assert_eq!(r, Layout::tuple(&same).unwrap());
    let shape = Tiler::shape(&ints!((3, 8))).unwrap();
    assert_eq!(a.compose_by_mode(&shape).unwrap(), p("(3,(4,2)):(59,(13,1))"));
    assert_eq!(shape, tiler![3:1, 8:1]);
}

#[test]
fn complement() {
    for (a, r) in [
        ("4:1", "6:4"),
        ("6:4", "4:1"),
        ("(4,6):(1,4)", "1:0"),
        ("4:2", "(2,3):(1,8)"),
        ("(2,4):(1,6)", "3:2"),
        ("(2,2):(1,6)", "(3,2):(2,12)"),
    ] {
        let (a, r) = (p(a), p(r));
        assert_eq!(a.complement(24).unwrap(), r, "{a}");
        assert_eq!(a.complement_exact(24).unwrap(), r, "{a}");
        laws::complement(&a, 24, &r).unwrap();
        laws::complement_exact(&a, 24, &r).unwrap();
        // together they reach all of 24
        assert_eq!(Layout::tuple(&[a, r]).unwrap().cosize().unwrap(), 24, "{a}");
    }
    assert_eq!(p("4:1").complement_in(&ints!((4, 7))).unwrap(), p("4:1").complement(28).unwrap());
}

#[test]
fn divide() {
    let (a, b) = (p("(4,2,3):(2,1,8)"), p("4:2"));
    assert_eq!(b.complement(24).unwrap(), p("(2,3):(1,8)"));
    let whole = p("(4,(2,3)):(2,(1,8))");
    let r = a.logical_divide(&b).unwrap();
    assert_eq!(r, a.compose(&whole).unwrap());
    assert_eq!(r, p("((2,2),(2,3)):((4,1),(2,8))"));
    laws::logical_divide(&a, &b, &r).unwrap();

    let a = p("(9,(4,8)):(59,(13,1))");
    let t = tiler![3:3, (2,4):(1,8)];
    let logical = a.logical_divide_by_mode(&t).unwrap();
    assert_eq!(logical.shape().product_like(&ints!(((0, 0), (0, 0)))).unwrap(), ints!(((3, 3), (8, 4))));
    let zipped = a.zipped_divide(&t).unwrap();
    assert_eq!(zipped.shape().product_like(&ints!(((0, 0), (0, 0)))).unwrap(), ints!(((3, 8), (3, 4))));
    let tile = p("(3,(2,4)):(177,(13,2))");
    assert_eq!(zipped.mode(0).unwrap(), tile);
    assert_eq!(a.compose_by_mode(&t).unwrap(), tile);
    let of_tiles = [logical.mode(0).unwrap().mode(0).unwrap(), logical.mode(1).unwrap().mode(0).unwrap()];
    assert_eq!(Layout::tuple(&of_tiles).unwrap(), tile);
    // tile 3, tile 7 and tile (1,2) by their coordinates
    let rest = zipped.mode(1).unwrap();
    for (c, one) in [(ints!((0, 3)), 3), (ints!((0, 7)), 7), (ints!((0, (1, 2))), 7)] {
        assert_eq!(zipped.at_crd(&c).unwrap(), rest.at(one).unwrap());
    }
    assert_eq!(a.tiled_divide(&t).unwrap(), p("((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"));
    assert_eq!(a.flat_divide(&t).unwrap(), p("(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"));
}

#[test]
fn product() {
    let a = p("(2,2):(4,1)");
    assert_eq!(a.complement(24).unwrap(), p("(2,3):(2,8)"));
    let r = a.logical_product(&p("6:1")).unwrap();
    assert_eq!(r, p("((2,2),(2,3)):((4,1),(2,8))"));
    assert_eq!(r, p("(4,2,3):(2,1,8)").logical_divide(&p("4:2")).unwrap());
    // another order and number of copies
    let b = p("(4,2):(2,1)");
    let eight = a.logical_product(&b).unwrap();
    laws::logical_product(&a, &b, &eight).unwrap();
    assert_eq!(eight.mode(1).unwrap().size().unwrap(), 8);

    // a 2x5 row-major tile in a 3x4 column-major arrangement, four ways
    let tile = p("(2,5):(5,1)");
    assert_eq!(tile.logical_product_by_mode(&tiler![3:5, 4:6]).unwrap(), p("((2,3),(5,4)):((5,10),(1,30))"));
    let blocked = tile.blocked_product(&p("(3,4):(1,3)")).unwrap();
    assert_eq!(blocked, p("(6,(5,4)):(5,(1,30))"), "mode 0 is coalesced");
    laws::same_function(&blocked, &p("((2,3),(5,4)):((5,10),(1,30))")).unwrap();
    let raked = tile.raked_product(&p("(3,4):(1,3)")).unwrap();
    assert_eq!(raked, p("((3,2),(4,5)):((10,5),(30,1))"));
    let t = tiler![3:5, 4:6];
    assert_eq!(tile.zipped_product(&t).unwrap(), p("((2,5),(3,4)):((5,1),(10,30))"));
    assert_eq!(tile.tiled_product(&t).unwrap(), p("((2,5),3,4):((5,1),10,30)"));
    assert_eq!(tile.flat_product(&t).unwrap(), p("(2,5,3,4):(5,1,10,30)"));
}
