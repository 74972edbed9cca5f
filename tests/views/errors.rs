//! What the seed leaves undefined is an error that says what is wrong, and leaves memory as it was.

use girih::Shape;
use girih::prelude::*;
use girih::tile::{AnyTile, ElementType, Shape, Tile};
use girih::view::{Access, At, Chunks, Hints, Runtime, TensorSpan, View, ViewError, Zero, host};

#[test]
fn a_chunk_without_elements_in_the_span() {
    let x = [0; 50];
    let view = TensorSpan::right(&x, [5, 10]).unwrap().strided::<Shape![2, 2], (U3, U4)>();
    let expected = "dimension 1: chunk 3 begins at 3*4, the span has 10 elements: there is no such chunk";
    assert_eq!(view.load((0, 3)).unwrap_err().to_string(), expected);
    assert_eq!(view.load_masked((0, 3), Zero).unwrap_err().to_string(), expected);
    assert!(view.load((1, 2)).is_ok());
    assert!(matches!(view.load((2, 0)), Err(ViewError::Outside { dim: 0, index: 2, stride: 3, extent: 5 })));
}

#[test]
fn a_negative_index() {
    let x = [0; 4];
    let view = TensorSpan::right(&x, [4]).unwrap().partition::<Shape![2]>();
    assert!(matches!(view.load_masked(-1, Zero), Err(ViewError::Outside { index: -1, .. })));
}

#[test]
fn a_partial_chunk_without_a_mask() {
    let mut x = [0; 15];
    let view = TensorSpan::right(&mut x, [3, 5]).unwrap().partition::<Shape![2, 4]>();
    let expected = "dimension 0: chunk 1 has elements 1*2+(0..2), the span has 3: use the masked form";
    assert_eq!(view.load((1, 0)).unwrap_err().to_string(), expected);
    let ones = Tile::<i32, Shape![2, 4]>::full(1);
    assert_eq!(view.store(&ones, (1, 0)).unwrap_err().to_string(), expected);
    view.store_masked(&ones, (1, 1)).unwrap();
    assert_eq!(x, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
}

#[test]
fn an_index_that_the_index_type_cannot_hold() {
    let x = [0; 4];
    let view = TensorSpan::right(&x, [4]).unwrap().indexed::<u8>().unwrap().partition::<Shape![2]>();
    let e = view.load(256).unwrap_err();
    assert_eq!(e.to_string(), "dimension 0: index 256 is no u8, the index type of the span");
    assert!(matches!(view.load(-1), Err(ViewError::Unrepresentable { index: -1, ty: ElementType::U8, .. })));
    assert!(matches!(view.load(255), Err(ViewError::Outside { index: 255, .. })));
    let view = TensorSpan::right(&x, [4]).unwrap().partition::<Shape![2]>();
    assert!(matches!(view.load(u64::MAX), Err(ViewError::Unrepresentable { index, .. }) if index == u64::MAX.into()));
    assert!(matches!(view.load(i64::MAX), Err(ViewError::Outside { index: 0x7fff_ffff_ffff_ffff, .. })));
}

#[test]
fn a_span_that_the_index_type_cannot_reach() {
    let x = [0; 200];
    assert!(TensorSpan::right(&x, [127]).unwrap().indexed::<i8>().is_ok());
    assert_eq!(
        TensorSpan::right(&x, [128]).unwrap().indexed::<i8>().unwrap_err(),
        ViewError::TooLong { length: 128, index: ElementType::I8 }
    );
    // no extent, but the last offset
    assert_eq!(
        TensorSpan::strided_by(&x, [2], [128]).unwrap().indexed::<i8>().unwrap_err(),
        ViewError::TooLong { length: 128, index: ElementType::I8 }
    );
}

#[test]
fn two_elements_at_one_place_are_loaded_but_not_stored() {
    let mut x = [1, 2, 3, 4];
    let view = TensorSpan::strided_by(&mut x, [2, 3], [1, 1]).unwrap().partition::<Shape![2, 1]>();
    assert_eq!(view.load((0, 2)).unwrap().to_vec(), [3, 4]);
    let ones = Tile::<i32, Shape![2, 1]>::full(1);
    let expected = ViewError::NotInjective { first: 1, second: 2, offset: 1 };
    assert_eq!(view.store(&ones, (0, 0)), Err(expected));
    assert_eq!(expected.to_string(), "elements 1 and 2 of the span are both at offset 1: it can only be loaded from");
    use girih::view::{Device, Relaxed};
    assert_eq!(view.atomic_add(&ones, (0, 0), Relaxed, Device), Err(expected));
    assert_eq!(x, [1, 2, 3, 4]);
}

#[test]
fn interleaved_spans_are_stored_to_if_no_two_elements_meet() {
    // 3:2 and 2:3 reach 0, 2, 4 and 3, 5, 7
    let mut x = [0; 8];
    let view = TensorSpan::strided_by(&mut x, [3, 2], [2, 3]).unwrap().partition::<Shape![1, 2]>();
    view.store(&Tile::<i32, Shape![1, 2]>::full(1), (2, 0)).unwrap();
    assert_eq!(x, [0, 0, 0, 0, 1, 0, 0, 1]);
}

#[test]
fn memory_that_is_too_short() {
    let x = [0; 5];
    let e = TensorSpan::right(&x, [2, 3]).unwrap_err();
    assert_eq!(e.to_string(), "the layout reaches offset 5, the memory has 5 elements");
    assert!(TensorSpan::right_padded(&x, [2, 2], 3).is_ok());
}

#[test]
fn memory_that_begins_too_late() {
    let x = [0; 4];
    let span: Result<TensorSpan<_, Runtime<1>, _>, _> = TensorSpan::over(&x, layout!(4:-1));
    assert_eq!(span.unwrap_err(), ViewError::Backwards { least: -3 });
}

#[test]
fn rows_that_overlap_by_their_pitch() {
    let x = [0; 12];
    let e = TensorSpan::right_padded(&x, [3, 4], 3).unwrap_err();
    assert_eq!(e.to_string(), "lines of 4 elements are no 3 apart");
    assert_eq!(TensorSpan::left_padded(&x, [3, 4], 2).unwrap_err(), ViewError::Pitch { padded: 2, length: 3 });
}

#[test]
fn an_extent_below_one() {
    let x = [0; 4];
    assert!(matches!(TensorSpan::right(&x, [2, 0]), Err(ViewError::Layout(LayoutError::BadExtent { .. }))));
}

#[test]
fn a_mapping_of_another_rank() {
    let x = [0; 4];
    let span: Result<TensorSpan<_, Runtime<1>, _>, _> = TensorSpan::over(&x, layout!((2,2):(2,1)));
    assert_eq!(span.unwrap_err(), ViewError::Rank { got: 1, span: 2 });
}

#[test]
fn hints_out_of_range() {
    for latency in [0, 11, 255] {
        assert_eq!(Hints::default().latency(latency), Err(ViewError::Latency(latency)));
    }
    assert!((1..=10).all(|latency| Hints::default().latency(latency).is_ok()));
}

#[test]
fn divisions_that_cannot_be() {
    let tile = Shape::new(&[2, 2]).unwrap();
    assert_eq!(Chunks::strided(tile, &[1]), Err(ViewError::Rank { got: 1, span: 2 }));
    let view = |span, index, chunks| View::new(ElementType::F32, span, index, chunks).unwrap_err();
    let (flat, square) = (layout!(4:1), layout!((4,4):(4,1)));
    let partition = Chunks::partition(tile);
    assert_eq!(view(flat, ElementType::I32, partition), ViewError::Rank { got: 2, span: 1 });
    assert_eq!(view(square, ElementType::F32, partition), ViewError::IndexType(ElementType::F32));
    assert_eq!(view(square, ElementType::Bool, partition), ViewError::IndexType(ElementType::Bool));
    let still = Chunks::strided(tile, &[1, 0]).unwrap();
    assert_eq!(view(square, ElementType::I32, still), ViewError::Stride { dim: 1, stride: 0 });
    let gather = Chunks::Gather { tile, dim: 2 };
    assert_eq!(view(square, ElementType::I32, gather), ViewError::Dim { dim: 2, rank: 2 });
    let coordinates = Layout::identity(&ints!((4, 4))).unwrap();
    assert_eq!(view(coordinates, ElementType::I32, partition), ViewError::Layout(LayoutError::Codomain));
}

#[test]
fn dynamic_accesses_that_the_types_would_refuse() {
    let chunks = Chunks::partition(Shape::new(&[2]).unwrap());
    let view = View::new(ElementType::I32, layout!(4:1), ElementType::I64, chunks).unwrap();
    let at = [At::Number(0)];
    let (ints, floats) = ([0i32; 4], [0f32; 4]);
    let load = |access, index: &[At<AnyTile>]| host::load::<i32, _>(&view, access, index, &ints[..]).map(|_| ());
    assert_eq!(load(&Access::STORE, &at), Err(ViewError::Kind(girih::view::AccessKind::Store)));
    assert_eq!(load(&Access::LOAD, &[]), Err(ViewError::Rank { got: 0, span: 1 }));
    assert!(matches!(load(&Access::LOAD, &[At::Tile(AnyTile::scalar(1.0f32))]), Err(ViewError::Tile { .. })));
    let row = AnyTile::new(Shape::new(&[1]).unwrap(), vec![0]).unwrap();
    assert!(matches!(load(&Access::LOAD, &[At::Tile(row)]), Err(ViewError::Tile { .. })));
    let other = host::load::<f32, _>(&view, &Access::LOAD, &at, &floats[..]).map(|_| ());
    assert_eq!(other, Err(ViewError::Element { got: ElementType::F32, expected: ElementType::I32 }));
    let short = host::load::<i32, _>(&view, &Access::LOAD, &at, &ints[..3]).map(|_| ());
    assert_eq!(short, Err(ViewError::Memory { last: 3, len: 3 }));

    let mut memory = [0i32; 4];
    let cells = core::cell::Cell::from_mut(&mut memory[..]).as_slice_of_cells();
    let store = |access, tile: &AnyTile| host::store::<i32, _>(&view, access, tile, &at, cells);
    assert!(matches!(store(&Access::STORE, &AnyTile::scalar(1)), Err(ViewError::Tile { .. })));
    let tile = AnyTile::new(Shape::new(&[2]).unwrap(), vec![1, 2]).unwrap();
    assert_eq!(store(&Access::LOAD, &tile), Err(ViewError::Kind(girih::view::AccessKind::Load)));
    assert_eq!(memory, [0; 4]);
}

#[test]
fn symbols_are_bound_before_memory_is_touched() {
    let chunks = Chunks::strided(Shape::new(&[2, 2]).unwrap(), &[3, 2]).unwrap();
    let span: Layout = "(?M,?N):(?N,1)".parse().unwrap();
    let view = View::new(ElementType::I32, span, ElementType::I32, chunks).unwrap();
    assert_eq!(view.index_space().unwrap().to_string(), "(⌈?M/3⌉,⌈?N/2⌉)");
    assert_eq!(view.mapping().unwrap().to_string(), "((2,2),(⌈?M/3⌉,⌈?N/2⌉)):((?N,1),(3*?N,2))");
    let memory: Vec<i32> = (0..20).collect();
    let at = [At::Number(1), At::Number(1)];
    assert!(matches!(
        host::load::<i32, _>(&view, &Access::LOAD, &at, &memory[..]),
        Err(ViewError::Layout(LayoutError::Unbound { .. }))
    ));
    let bound = view.bind(&[("M", 5), ("N", 4)]).unwrap();
    let tile = host::load::<i32, _>(&bound, &Access::LOAD, &at, &memory[..]).unwrap();
    assert_eq!(tile.to_vec::<i32>().unwrap(), [14, 15, 18, 19]);
    let long = view.bind(&[("M", 1), ("N", 1 << 31)]);
    assert_eq!(long, Err(ViewError::TooLong { length: 1 << 31, index: ElementType::I32 }));
}
