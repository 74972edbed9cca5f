//! The mapping `p(I, J) = I * strides + J`, by brute force: what is loaded, stored and padded, and the layout of it.

use girih::prelude::*;
use girih::tile::{AnyTile, ElementType, Shape};
use girih::view::{Access, At, Chunks, Padding, View, ViewError, host};
use proptest::prelude::*;
use std::cell::Cell;

/// A span of up to three dimensions that takes no value twice, and tiles and strides for it.
fn views() -> impl Strategy<Value = View> {
    (1usize..=3)
        .prop_flat_map(|rank| {
            let extents = prop::collection::vec(1i64..=9, rank);
            let order = Just((0..rank).collect::<Vec<_>>()).prop_shuffle();
            let gaps = prop::collection::vec((0i64..=2, 1i64..=2), rank);
            let tile = prop::collection::vec(0u32..=2, rank);
            let strides = prop::collection::vec(1i64..=5, rank);
            (extents, order, gaps, tile, strides, any::<bool>())
        })
        .prop_map(|(extents, order, gaps, tile, mut strides, partition)| {
            let tile = Shape::new(&tile.iter().map(|log| 1 << log).collect::<Vec<_>>()).unwrap();
            let (mut steps, mut next) = (vec![0; extents.len()], 1);
            for dim in order {
                steps[dim] = next * gaps[dim].1;
                next = steps[dim] * extents[dim] + gaps[dim].0;
            }
            if partition {
                strides = tile.extents().map(i64::from).collect();
            }
            let chunks = Chunks::strided(tile, &strides).unwrap();
            View::new(ElementType::I64, Layout::flat(&extents, &steps).unwrap(), ElementType::I64, chunks).unwrap()
        })
}

/// A span with a nested mode.
fn nested() -> impl Strategy<Value = View> {
    let spans =
        ["((2,3),4):((1,12),3)", "(5,(2,2,2)):(8,(4,1,2))", "((4,2),(3,2)):((2,24),(8,1))", "((2,2,3)):((6,1,2))"];
    (prop::sample::select(spans.to_vec()), prop::collection::vec((0u32..=2, 1i64..=5), 2)).prop_map(|(span, chunks)| {
        let span: Layout = span.parse().unwrap();
        let (logs, strides): (Vec<u32>, Vec<i64>) = chunks.into_iter().take(span.rank()).unzip();
        let tile = Shape::new(&logs.iter().map(|log| 1 << log).collect::<Vec<_>>()).unwrap();
        View::new(ElementType::I64, span, ElementType::I64, Chunks::strided(tile, &strides).unwrap()).unwrap()
    })
}

/// All coordinates below these extents, the last one the fastest.
fn coordinates(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![vec![]], |all, &extent| {
        all.iter().flat_map(|c| (0..extent).map(|i| [&c[..], &[i]].concat())).collect()
    })
}

fn extents(view: &View) -> Vec<i64> {
    (0..view.rank()).map(|dim| view.span().mode(dim).unwrap().size().unwrap()).collect()
}

fn strides(view: &View) -> Vec<i64> {
    match view.chunks() {
        Chunks::Strided { strides, .. } => strides[..view.rank()].to_vec(),
        Chunks::Gather { .. } => unreachable!(),
    }
}

/// The offsets of a chunk's elements by the formula, None for those outside.
fn formula(view: &View, index: &[i64]) -> Vec<Option<i64>> {
    let (extents, strides) = (extents(view), strides(view));
    let tile: Vec<i64> = view.chunks().tile().extents().map(i64::from).collect();
    let place = |j: &Vec<i64>| {
        let p: Vec<i64> = (0..j.len()).map(|k| index[k] * strides[k] + j[k]).collect();
        p.iter().zip(&extents).all(|(p, e)| p < e).then(|| view.span().at_crd(&IntTuple::flat(&p).unwrap()).unwrap())
    };
    coordinates(&tile).iter().map(place).collect()
}

fn check(view: &View) {
    let (extents, strides) = (extents(view), strides(view));
    let counts: Vec<i64> =
        (0..extents.len()).map(|k| (0..).take_while(|i| i * strides[k] < extents[k]).count() as i64).collect();
    assert_eq!(view.index_space().unwrap().known().unwrap(), counts);

    let len = view.span().cosize().unwrap() as usize;
    let memory: Vec<i64> = (1..=len as i64).collect();
    // one more on each side: they must be refused
    let wider: Vec<i64> = counts.iter().map(|n| n + 2).collect();
    for index in coordinates(&wider) {
        let index: Vec<i64> = index.iter().map(|i| i - 1).collect();
        let at: Vec<At<AnyTile>> = index.iter().map(|&i| At::Number(i.into())).collect();
        let load = |access| host::load::<i64, _>(view, access, &at, &memory[..]);
        let (plain, masked) = (load(&Access::LOAD), load(&Access::LOAD.masked(Padding::Zero)));
        if !index.iter().zip(&counts).all(|(i, n)| (0..*n).contains(i)) {
            assert!(matches!(plain, Err(ViewError::Outside { .. } | ViewError::Partial { .. })));
            assert!(matches!(masked, Err(ViewError::Outside { .. })));
            continue;
        }
        let offsets = formula(view, &index);
        let values: Vec<i64> = offsets.iter().map(|o| o.map_or(0, |o| o + 1)).collect();
        assert_eq!(masked.unwrap().to_vec::<i64>().unwrap(), values);
        match plain {
            Ok(tile) => assert!(offsets.iter().all(Option::is_some) && tile.to_vec::<i64>().unwrap() == values),
            Err(e) => assert!(matches!(e, ViewError::Partial { .. }) && offsets.contains(&None), "{e}"),
        }

        let tile = AnyTile::new(view.chunks().tile(), (1..=offsets.len() as i64).collect()).unwrap();
        let cells: Vec<Cell<i64>> = vec![Cell::new(0); len];
        host::store::<i64, _>(view, &Access::STORE.masked(Padding::Zero), &tile, &at, &cells[..]).unwrap();
        let mut expected = vec![0; len];
        for (offset, value) in offsets.iter().zip(1..) {
            if let Some(offset) = offset {
                expected[*offset as usize] = value;
            }
        }
        assert_eq!(cells.iter().map(Cell::get).collect::<Vec<_>>(), expected);
    }
}

/// The mapping as a layout has the values of the formula, where that is in the span.
fn check_mapping(view: &View) {
    let Ok(mapping) = view.mapping() else { return };
    let counts = view.index_space().unwrap();
    for index in coordinates(counts.known().unwrap()) {
        let tile: Vec<i64> = view.chunks().tile().extents().map(i64::from).collect();
        for (j, offset) in coordinates(&tile).iter().zip(formula(view, &index)) {
            let pair = |v: &[i64]| IntTuple::tuple(&v.iter().map(|&i| IntTuple::int(i)).collect::<Vec<_>>()).unwrap();
            let value = mapping.at_crd(&IntTuple::tuple(&[pair(j), pair(&index)]).unwrap()).unwrap();
            assert!(offset.is_none_or(|offset| offset == value), "{mapping} of {view:?} at {j:?} in {index:?}");
        }
    }
}

proptest! {
    #[test]
    fn chunks_are_where_the_formula_says(view in views()) {
        check(&view);
    }

    #[test]
    fn the_mapping_is_a_composition(view in views()) {
        prop_assert!(view.mapping().is_ok());
        check_mapping(&view);
    }

    #[test]
    fn spans_of_nested_modes_are_divided_alike(view in nested()) {
        check(&view);
        check_mapping(&view);
    }
}

#[test]
fn chunks_of_a_broadcast_are_loaded() {
    let view = |span: Layout| {
        let chunks = Chunks::partition(Shape::new(&[2, 4]).unwrap());
        View::new(ElementType::I64, span, ElementType::I64, chunks).unwrap()
    };
    let load = |span: Layout| {
        let memory: Vec<i64> = (0..8).collect();
        let at = [At::Number(1), At::Number(0)];
        host::load::<i64, _>(&view(span), &Access::LOAD, &at, &memory[..]).unwrap().to_vec::<i64>().unwrap()
    };
    assert_eq!(load(layout!((4,4):(0,1))), [0, 1, 2, 3, 0, 1, 2, 3]);
    assert_eq!(load(layout!((4,4):(1,0))), [2, 2, 2, 2, 3, 3, 3, 3]);
    assert_eq!(load(layout!((4,4):(0,0))), [0; 8]);
}
