//! Chunks of a span, as a value: what they are, and where their elements lie.

use super::ViewError;
use crate::layout::{Error, Int, IntTuple, Layout, LayoutError, Tiler};
use crate::tile::{ElementType, RANK, Shape, TileType};

/// How a span is divided into chunks of the shape of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Chunks {
    /// chunk `I` begins at element `I * strides`
    Strided {
        /// the shape of a chunk
        tile: Shape,
        /// how far apart chunks are along each dimension; 1 beyond the rank
        strides: [i64; RANK],
    },
    /// along `dim` the rows are listed, along the others chunks lie side by side
    Gather {
        /// the shape of a chunk
        tile: Shape,
        /// the dimension of the list
        dim: u8,
    },
}

impl Chunks {
    /// Chunks side by side: their strides are their lengths.
    /// ```
    /// # use girih::{tile::Shape, view::Chunks};
    /// let tile = Shape::new(&[2, 4])?;
    /// assert_eq!(Chunks::partition(tile), Chunks::strided(tile, &[2, 4])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn partition(tile: Shape) -> Chunks {
        Chunks::Strided { tile, strides: core::array::from_fn(|dim| tile.extent(dim).into()) }
    }

    /// Chunks that overlap, where a stride is less than the length, or leave gaps, where it is more.
    ///
    /// # Errors
    /// Another number of strides than the tile has dimensions. [`View::new`] refuses strides below 1.
    /// ```
    /// # use girih::{tile::Shape, view::Chunks};
    /// let e = Chunks::strided(Shape::new(&[2, 4])?, &[1]).unwrap_err();
    /// assert_eq!(e.to_string(), "rank 1 does not fit a span of rank 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn strided(tile: Shape, strides: &[i64]) -> Result<Chunks, ViewError> {
        if strides.len() != tile.rank() {
            return Err(ViewError::Rank { got: strides.len() as u8, span: tile.rank() as u8 });
        }
        Ok(Chunks::fitting(tile, strides))
    }

    /// As [`Chunks::strided`], of as many strides as dimensions.
    pub(super) fn fitting(tile: Shape, steps: &[i64]) -> Chunks {
        let mut strides = [1; RANK];
        strides.iter_mut().zip(steps).for_each(|(stride, &step)| *stride = step);
        Chunks::Strided { tile, strides }
    }

    /// The shape of a chunk.
    pub const fn tile(&self) -> Shape {
        match *self {
            Chunks::Strided { tile, .. } | Chunks::Gather { tile, .. } => tile,
        }
    }

    /// The dimension along which rows are listed.
    /// ```
    /// # use girih::{tile::Shape, view::Chunks};
    /// let tile = Shape::new(&[2, 4])?;
    /// assert_eq!(Chunks::Gather { tile, dim: 1 }.gathered(), Some(1));
    /// assert_eq!(Chunks::partition(tile).gathered(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn gathered(&self) -> Option<usize> {
        match *self {
            Chunks::Strided { .. } => None,
            Chunks::Gather { dim, .. } => Some(dim as usize),
        }
    }

    /// The length of a chunk along a dimension, and the distance of two. A listed row is a chunk of length 1 of its own.
    pub(super) const fn step(&self, at: usize) -> (u32, i64) {
        match *self {
            Chunks::Strided { tile, strides } => (tile.extent(at), strides[at]),
            Chunks::Gather { dim, .. } if dim as usize == at => (1, 1),
            Chunks::Gather { tile, .. } => (tile.extent(at), tile.extent(at) as i64),
        }
    }
}

/// A span divided into chunks, as a value: the typed views make one of these for each access, and programs record it.
///
/// The mapping of the span is a layout, which may have symbols until a program is launched.
/// ```
/// use girih::prelude::*;
/// use girih::tile::{ElementType, Shape};
/// use girih::view::{Chunks, View};
/// let chunks = Chunks::strided(Shape::new(&[2, 2])?, &[3, 4])?;
/// let view = View::new(ElementType::I32, layout!((5,10):(10,1)), ElementType::I64, chunks)?;
/// assert_eq!(view.index_space()?, ints!((2, 3)));
/// // elements of a chunk, then chunks
/// assert_eq!(view.mapping()?, layout!(((2,2),(2,3)):((10,1),(30,4))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    pub(super) element: ElementType,
    pub(super) span: Layout,
    pub(super) index: ElementType,
    pub(super) chunks: Chunks,
}

impl View {
    /// A span of elements with indices of a type, divided into chunks.
    ///
    /// # Errors
    /// The rank of the span is not that of the tile, values of the layout are coordinates, a stride is below 1, there is no
    /// dimension to gather along, the type of indices is no integer, or an extent or the offset of the last element is not of it.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::tile::{ElementType, Shape};
    /// # use girih::view::{Chunks, View};
    /// let chunks = Chunks::partition(Shape::new(&[4])?);
    /// let e = View::new(ElementType::F32, layout!(300:1), ElementType::U8, chunks).unwrap_err();
    /// assert_eq!(e.to_string(), "300 is no u8: index the span by a wider type");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(element: ElementType, span: Layout, index: ElementType, chunks: Chunks) -> Result<View, ViewError> {
        let rank = span.rank();
        if chunks.tile().rank() != rank {
            return Err(ViewError::Rank { got: chunks.tile().rank() as u8, span: rank as u8 });
        }
        if let Chunks::Gather { dim, .. } = chunks
            && dim as usize >= rank
        {
            return Err(ViewError::Dim { dim, rank: rank as u8 });
        }
        if let Some(dim) = (0..rank).find(|&dim| chunks.step(dim).1 < 1) {
            return Err(ViewError::Stride { dim: dim as u8, stride: chunks.step(dim).1 });
        }
        if span.has_basis() {
            return Err(LayoutError::Codomain.into());
        }
        check_index(&span, index)?;
        Ok(View { element, span, index, chunks })
    }

    /// The type of the elements.
    pub const fn element(&self) -> ElementType {
        self.element
    }

    /// The mapping of the span: from coordinates of elements to offsets.
    pub const fn span(&self) -> &Layout {
        &self.span
    }

    /// The type of indices.
    pub const fn index(&self) -> ElementType {
        self.index
    }

    /// How the span is divided.
    pub const fn chunks(&self) -> Chunks {
        self.chunks
    }

    /// The type of the tile of a chunk.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::tile::{ElementType, Shape};
    /// # use girih::view::{Chunks, View};
    /// let chunks = Chunks::partition(Shape::new(&[2, 4])?);
    /// let view = View::new(ElementType::F32, layout!((5,10):(10,1)), ElementType::I64, chunks)?;
    /// assert_eq!(view.tile().to_string(), "f32(2,4)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn tile(&self) -> TileType {
        TileType::new(self.element, self.chunks.tile())
    }

    /// The number of dimensions.
    pub const fn rank(&self) -> usize {
        self.chunks.tile().rank()
    }

    /// How many chunks there are along each dimension, those that are partly within the span included: indices `i` with
    /// `i * stride < extent`. Along a gathered dimension it is the number of rows.
    ///
    /// # Errors
    /// An extent with symbols that no symbolic number divided by the stride is.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::tile::{ElementType, Shape};
    /// # use girih::view::{Chunks, View};
    /// let (tile, span) = (Shape::new(&[2, 4])?, layout!((5,10):(10,1)));
    /// let view = |chunks| View::new(ElementType::F32, span, ElementType::I64, chunks);
    /// assert_eq!(view(Chunks::partition(tile))?.index_space()?, ints!((3, 3))); // the last are partial
    /// assert_eq!(view(Chunks::Gather { tile, dim: 0 })?.index_space()?, ints!((5, 3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn index_space(&self) -> Result<IntTuple, ViewError> {
        let one = |dim| IntTuple::leaf(&self.count(dim)?);
        Ok(IntTuple::tuple(&(0..self.rank()).map(one).collect::<Result<Vec<_>, _>>()?)?)
    }

    fn count(&self, dim: usize) -> Result<Int, LayoutError> {
        self.span.mode(dim)?.size_int()?.ceil_div(self.chunks.step(dim).1)
    }

    /// Where the elements of chunks lie: a layout of two modes, a coordinate `J` in the tile and the index `I` of a chunk, whose
    /// value is the span's at `I * strides + J`. It is a composition: the span with `(tile, chunks):(1, stride)` in each
    /// dimension. A gathered row is a chunk of length 1.
    ///
    /// Coordinates beyond the span continue its modes; what they lead to is no element of it.
    ///
    /// # Errors
    /// A span of nested modes for which no layout is the composition; the host needs none.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::tile::{ElementType, Shape};
    /// # use girih::view::{Chunks, View};
    /// let windows = Chunks::strided(Shape::new(&[2, 4])?, &[1, 1])?;
    /// let view = View::new(ElementType::F32, layout!((5,10):(10,1)), ElementType::I64, windows)?;
    /// assert_eq!(view.mapping()?, layout!(((2,4),(5,10)):((10,1),(10,1)))); // from window to window as from element to element
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mapping(&self) -> Result<Layout, Error> {
        let refuse = |e| Error::bare(e);
        let tiler = |dim| {
            let (length, stride) = self.chunks.step(dim);
            let shape = IntTuple::tuple(&[IntTuple::int(length.into()), IntTuple::leaf(&self.count(dim)?)?])?;
            Tiler::leaf(&Layout::new(&shape, &IntTuple::flat(&[1, stride])?)?)
        };
        let tilers = (0..self.rank()).map(tiler).collect::<Result<Vec<_>, _>>().map_err(refuse)?;
        let composed = self.span.compose_extended_by_mode(&Tiler::tuple(&tilers).map_err(refuse)?)?;
        let part = |of: usize| {
            let modes = (0..self.rank()).map(|dim| composed.mode(dim)?.mode(of));
            Layout::tuple(&modes.collect::<Result<Vec<_>, _>>()?)
        };
        Layout::tuple(&[part(0).map_err(refuse)?, part(1).map_err(refuse)?]).map_err(refuse)
    }

    /// The view with the symbols of its span replaced by numbers.
    ///
    /// # Errors
    /// A value breaks a promise of the layout, or is not for the index type.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::tile::{ElementType, Shape};
    /// # use girih::view::{Chunks, View};
    /// let span = Layout::parse("?N{4}:1")?;
    /// let view = View::new(ElementType::F32, span, ElementType::I16, Chunks::partition(Shape::new(&[8])?))?;
    /// assert_eq!(view.bind(&[("N", 12)])?.index_space()?, ints!((2,)));
    /// assert!(view.bind(&[("N", 13)]).is_err() && view.bind(&[("N", 40_000)]).is_err()); // no multiple of 4; no i16
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bind(&self, values: &[(&str, i64)]) -> Result<View, ViewError> {
        View::new(self.element, self.span.bind(values)?, self.index, self.chunks)
    }
}

/// Are the extents of a span and the offset of its last element of the type of its indices, as far as they are known?
pub(super) fn check_index(span: &Layout, index: ElementType) -> Result<(), ViewError> {
    if !index.is_integer() {
        return Err(ViewError::IndexType(index));
    }
    let mut lengths = Vec::new();
    for dim in 0..span.rank() {
        lengths.extend(span.mode(dim)?.size_int()?.value());
    }
    lengths.extend(span.image_range().ok().map(|range| range.1));
    match lengths.into_iter().find(|&length| !holds(index, length.into())) {
        Some(length) => Err(ViewError::TooLong { length, index }),
        None => Ok(()),
    }
}

/// Is the number one of this integer type?
pub(super) const fn holds(ty: ElementType, n: i128) -> bool {
    let bits = ty.bits() - ty.is_signed() as u32;
    n < 1 << bits && n >= if ty.is_signed() { -(1 << bits) } else { 0 }
}
