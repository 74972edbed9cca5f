//! What the other tests of this folder found once, with the right answers.

use girih::algebra::laws;
use girih::layout::Bound;
use girih::prelude::*;

#[test]
fn the_least_number_divides_like_any_other() {
    let (least, minus) = (Int::known(i64::MIN), Int::known(-1));
    assert_eq!(least.div_exact(&minus), None);
    assert_eq!(least.div_exact(&Int::known(2)), Some(Int::known(i64::MIN / 2)));
    assert_eq!(Int::known(0).div_exact(&minus), Some(Int::known(0)));
}

#[test]
fn unit_vectors_do_not_replace_each_other() {
    let v = Int::known(3).at(&[0, 1]).unwrap();
    assert_eq!(v.at(&[]), Ok(v));
    assert_eq!(v.at(&[2]), Err(LayoutError::MixedBasis));
    assert_eq!(Int::UNDERSCORE.at(&[2]), Err(LayoutError::Underscore));
    assert_eq!(Int::known(0).at(&[1]), Ok(Int::known(0)));
    assert_eq!(Layout::parse("4:0@1").unwrap().filter(), layout!(1:0));
    assert_eq!(Int::known(1).le(&v), None);
}

#[test]
fn there_is_no_mode_at_the_end_of_the_integers() {
    let l = layout!((2,3):(1,2));
    let none = LayoutError::NoSuchMode { mode: usize::MAX, rank: 2 };
    assert_eq!(l.mode(usize::MAX), Err(none));
    assert_eq!(l.select(&[0, usize::MAX]), Err(none));
    assert_eq!(l.shape().mode(usize::MAX), Err(none));
    assert_eq!(tiler![2, 3].get(usize::MAX), Err(none));
}

#[test]
fn sums_of_two_products_beyond_128_bits_overflow() {
    let least = IntTuple::flat(&[i64::MIN, i64::MIN]).unwrap();
    assert_eq!(least.inner_product(&least), Err(LayoutError::Overflow));
    let l = Layout::flat(&[1, 1], &[i64::MIN, i64::MIN]).unwrap();
    assert_eq!(l.at_crd_extended(&least), Err(LayoutError::Overflow));
    assert_eq!(l.at_crd(&ints!((0, 0))), Ok(0));
}

#[test]
fn the_numbers_of_a_guide_do_not_matter() {
    let guide: IntTuple = "(?a,?b,?c,?d,?e,?f,?g,?h)".parse().unwrap();
    let shape: IntTuple = "(?i,?j,1,1,1,1,1,(2,3))".parse().unwrap();
    assert_eq!(shape.product_like(&guide).unwrap().to_string(), "(?i,?j,1,1,1,1,1,6)");
}

#[test]
fn a_promise_holds_however_often_others_are_made() {
    let t: IntTuple = "(?N,?M{8},?M{8},?M{8},?M{8},?M{8},?M{8},?M{8},?M{8},?N{4})".parse().unwrap();
    assert_eq!(t.get(0).unwrap().to_string(), "?N{4}");
}

#[test]
fn a_tiler_of_one_layout_reads_back() {
    for text in ["4:2", "(2,4):(1,8)", "_", "?M:1"] {
        assert_eq!(Tiler::parse(text).unwrap().to_string(), text);
    }
    assert_eq!(Tiler::parse("4:2"), Tiler::leaf(&layout!(4:2)));
    assert_eq!(Tiler::parse("4"), Tiler::parse("4:1"));
}

#[test]
fn coordinates_are_no_places_for_copies() {
    let e = layout!(4:1).logical_product(&layout!(3:2@0)).unwrap_err();
    assert_eq!(e.kind(), "codomain");
}

#[test]
fn a_guard_meets_each_coordinate_with_its_own_limit() {
    // the coordinates of modes of extent 1 are missing in the middle of ((i),j)
    let a = layout!(((2,1),7):((7,1),1));
    let g = a.logical_divide_by_mode_ceil(&Tiler::parse("<<2:1>>").unwrap()).unwrap();
    laws::divide_ceil(&a, &g).unwrap();
    assert_eq!((0..14).filter(|&i| g.guard.holds(i).unwrap()).count(), 14);
}

#[test]
fn guarded_tensors_are_known_through_and_through() {
    let memory: Vec<i64> = (0..100).collect();
    let x = Tensor::new(memory.as_slice(), layout!((10,10):(1,10))).unwrap();
    let somewhere: IntTuple = "(?i,0)".parse().unwrap();
    assert!(x.local_tile_ceil(&tiler![4, 4], somewhere).is_err_and(|e| e.kind() == "undecided"));
    let g = x.local_tile_ceil(&tiler![4, 4], [2, 0]).unwrap();
    let symbolic = |_: &Layout| Ok((Layout::parse("?M:1")?, Bound::ZERO));
    assert!(g.narrow(symbolic).is_err_and(|e| e.kind() == "symbol"));
}

#[test]
fn swizzles_are_joined_as_far_as_they_can_be() {
    let s = |text: &str| text.parse::<Swizzle>().unwrap();
    let c = [s("S<3,2,3>"), s("S<1,0,2>"), s("S<1,0,2>")]
        .iter()
        .fold(layout!(64:1).swizzled(&s("S<1,2,3>")), |c, s| c.unwrap().swizzled(s));
    assert_eq!(c.unwrap().to_string(), "S<2,3,3> o 0 o 64:1");
    // the join of the outer two is one with the inner
    let c = layout!(64:1).swizzled(&s("S<3,2,3>")).unwrap().swizzled(&s("S<1,2,4>")).unwrap();
    let c = c.swizzled(&s("S<1,2,4>")).unwrap().swizzled(&s("S<1,2,3>")).unwrap();
    assert_eq!(c.to_string().parse(), Ok(c));
    assert_eq!(c.swizzles().len(), 1);
}

#[test]
fn past_the_domain_a_stride_overflows_and_does_not_wrap() {
    let e = layout!(5:7).compose_extended(&Layout::flat(&[2], &[1 << 61]).unwrap()).unwrap_err();
    assert_eq!(e.kind(), "overflow");
}

#[test]
fn an_extended_value_that_fits_is_no_overflow() {
    // 4 * -4 + 2 * 2^62 on the way to which 2 * 2^62 does not fit
    let a = Layout::flat(&[8, 1], &[-4, 1 << 62]).unwrap();
    assert_eq!(a.at_extended(20), Ok(i64::MAX - 15));
    assert_eq!(a.at_extended(16), Err(LayoutError::Overflow));
}

#[test]
fn a_left_inverse_of_no_size_is_refused_beside_symbols_too() {
    for text in ["2:4611686018427387904", "(2,1):(4611686018427387904,?lda)"] {
        assert_eq!(Layout::parse(text).unwrap().left_inverse().unwrap_err().kind(), "overflow", "{text}");
    }
}

#[test]
fn a_domain_without_strides_is_still_a_domain() {
    let a: Layout = "(1,4):(?lda,0)".parse().unwrap();
    let e = a.compose(&layout!(8:1)).unwrap_err();
    assert_eq!(e.reason, LayoutError::OutOfDomain { reach: 7, size: 4 });
    assert_eq!(a.compose(&layout!(2:2)), Ok(layout!(2:0)));
}

#[test]
fn an_integer_right_side_is_refined_as_a_whole() {
    let a: Layout = "(4,4,?K{2}):(1024,4,?lda)".parse().unwrap();
    assert_eq!(a.compose(&layout!(32:1)).unwrap().to_string(), "(4,4,2):(1024,4,?lda)");
    assert_eq!(a.compose_extended(&layout!(64:1)).unwrap().to_string(), "(4,4,4):(1024,4,?lda)");
}

#[test]
fn the_search_for_an_inverse_looks_at_its_budget_everywhere() {
    // its candidates for the first extent alone are 2^31
    let a = Layout::flat(&[16, 1 << 56], &[1, 3]).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(a.right_inverse().unwrap_err().kind(), "too_hard");
    assert!(start.elapsed().as_millis() < 500, "{:?}", start.elapsed());
}

#[test]
fn a_last_extent_beyond_64_bits_is_not_made_up() {
    let a: Layout = "(4611686018427387904,?M):(1,?lda)".parse().unwrap();
    let b = Layout::flat(&[2], &[1 << 62]).unwrap();
    assert!(a.compose(&b).is_err());
    assert_eq!(a.compose_extended(&b).unwrap().to_string(), "(2):(?lda)");
}

#[test]
fn the_longest_text_reads_back() {
    let factor = |c: char| format!("⌈?{}{{4294967295}}/4294967295⌉", c.to_string().repeat(8));
    let leaf = format!("-549755813887*{}", ['a', 'b', 'c', 'd'].map(factor).join("*"));
    let tuple = IntTuple::parse(&leaf).unwrap();
    let mut stride = IntTuple::tuple(&[tuple; 24]).unwrap();
    for _ in 0..39 {
        stride = IntTuple::tuple(&[stride]).unwrap();
    }
    let shape = leaf.replace('-', "");
    let shape: IntTuple = stride.to_string().replace(&leaf, &shape).parse().unwrap();
    for t in [shape, stride] {
        assert_eq!(t.to_string().parse(), Ok(t));
    }
    let ones: IntTuple = stride.to_string().replace(&leaf, "1").parse().unwrap();
    let l = Layout::new(&ones, &stride).unwrap();
    assert_eq!(l.to_string().parse(), Ok(l));
}

#[test]
fn errors_name_the_numbers_that_are_wrong() {
    let no = |e: Error| e.reason;
    let divide = |extent, by| LayoutError::NotDivisible { extent, by };
    // 10 does not divide a word of 13, and two elements at 0 and 10 are one group of it
    assert_eq!(layout!((2,9):(10,1)).upcast(13).map_err(no), Err(divide(13, 10)));
    assert_eq!(layout!((2,3):(1,6)).upcast_ceil(13).map_err(no), Err(divide(13, 6)));
    assert_eq!(Layout::parse("(4,2@0):(1,4)"), Err(LayoutError::Codomain));
}

#[test]
fn what_no_values_make_fit_is_refused_at_once() {
    let huge = [
        "(?M{2147483648},?N{4294967295},?K{8}):(1,1,1)",
        "(4611686018427387904):(4*?lda)",
        "(?M{4294967295}):(4611686018427387904)",
    ];
    for text in huge {
        assert_eq!(Layout::parse(text), Err(LayoutError::Overflow), "{text}");
    }
    assert!(Layout::parse("(?M{2147483648},?N):(1,?M)").is_ok());
}

#[test]
fn symbolic_periods_of_a_swizzle_do_not_overflow() {
    let l = Layout::parse("?M{4}:3074457345618258601").unwrap();
    let c = l.swizzled(&Swizzle::new(1, 0, 1).unwrap()).unwrap();
    assert_eq!(c.decay(), None);
}

#[test]
fn divides_use_the_whole_capacity_of_the_nesting() {
    let mut t = layout!(2:1);
    for _ in 0..61 {
        t = Layout::tuple(&[t]).unwrap();
    }
    // 64 leaves and parentheses: 61 and one leaf, one leaf for the rest, one pair around both
    assert!(layout!(4:1).logical_divide(&t).is_ok());
    t = Layout::tuple(&[t]).unwrap();
    assert_eq!(layout!(4:1).logical_divide(&t).unwrap_err().reason, LayoutError::TooDeep);
}
