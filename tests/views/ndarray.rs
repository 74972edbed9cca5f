//! Arrays of ndarray as memory.

use girih::Shape;
use girih::tile::{Tile, TileError};
use girih::view::{Runtime, TensorSpan, ViewError};
use ndarray::{Array2, Array3, ArrayD, Axis, s};

#[test]
fn arrays_are_spans_with_their_strides() {
    let a = Array2::from_shape_fn((4, 6), |(i, j)| (10 * i + j) as i32);
    let span: TensorSpan<_, Runtime<2>, _> = a.view().try_into().unwrap();
    assert_eq!(span.layout().to_string(), "(4,6):(6,1)");
    assert_eq!(span.partition::<Shape![2, 2]>().load((1, 2)).unwrap().to_vec(), [24, 25, 34, 35]);
    let span: TensorSpan<_, Runtime<2>, _> = a.t().try_into().unwrap();
    assert_eq!(span.layout().to_string(), "(6,4):(1,6)");
    assert_eq!(span.partition::<Shape![2, 2]>().load((2, 1)).unwrap().to_vec(), [24, 34, 25, 35]);
    let cube = Array3::<u8>::zeros((2, 3, 4));
    let span: Result<TensorSpan<_, Runtime<2>, _>, _> = cube.view().try_into();
    assert_eq!(span.unwrap_err(), ViewError::Rank { got: 2, span: 3 });
}

#[test]
fn arrays_are_stored_to() {
    let mut a = Array2::<f32>::zeros((2, 4));
    let span: TensorSpan<_, Runtime<2>, _> = a.view_mut().reversed_axes().try_into().unwrap();
    span.partition::<Shape![2, 2]>()
        .store(&Tile::<f32, Shape![2, 2]>::new(vec![1., 2., 3., 4.]).unwrap(), (1, 0))
        .unwrap();
    assert_eq!(a, ndarray::arr2(&[[0., 0., 1., 3.], [0., 0., 2., 4.]]));
}

#[test]
fn arrays_with_gaps_or_backwards_are_refused() {
    let mut a = Array2::<i32>::zeros((4, 6));
    let span: Result<TensorSpan<_, Runtime<2>, _>, _> = a.slice(s![.., ..2]).try_into();
    assert_eq!(span.unwrap_err(), ViewError::Gaps);
    let span: Result<TensorSpan<_, Runtime<2>, _>, _> = a.slice_mut(s![..;2, ..]).try_into();
    assert_eq!(span.unwrap_err(), ViewError::Gaps);
    let mut reversed = a.view();
    reversed.invert_axis(Axis(1));
    let span: Result<TensorSpan<_, Runtime<2>, _>, _> = reversed.try_into();
    assert_eq!(span.unwrap_err(), ViewError::Backwards { least: -5 });
    let none = Array2::<i32>::zeros((0, 6));
    let span: Result<TensorSpan<_, Runtime<2>, _>, _> = none.view().try_into();
    assert!(span.is_err());
}

#[test]
fn tiles_are_arrays_and_back() {
    let tile = Tile::<i32, Shape![2, 4]>::new((0..8).collect()).unwrap();
    let array = ArrayD::from(&tile);
    assert_eq!((array.shape(), array[[1, 2]]), (&[2, 4][..], 6));
    let back = Tile::<i32, Shape![2, 4]>::try_from(&array).unwrap();
    assert_eq!(back.to_vec(), tile.to_vec());
    let turned = Tile::<i32, Shape![4, 2]>::try_from(&array.t()).unwrap();
    assert_eq!(turned.to_vec(), [0, 4, 1, 5, 2, 6, 3, 7]);
    assert!(matches!(Tile::<i32, Shape![4, 2]>::try_from(&array), Err(TileError::Type { .. })));
    assert!(matches!(
        Tile::<i32, Shape![2]>::try_from(&ArrayD::<i32>::zeros(vec![3])),
        Err(TileError::NotPowerOfTwo { extent: 3, .. })
    ));
}
