//! Drawings of layouts: SVG, LaTeX (TikZ), and the ASCII [`Table`].
//!
//! A [`Drawing`] has one of three contents: the values of a layout ([`Drawing::of`]), a thread-value layout over a tile
//! ([`Drawing::tv`]), or the shared-memory banks that threads meet ([`Drawing::banks`], of [`gpu::facts`](crate::gpu::facts)). Mode 0 runs down, mode 1 runs to
//! the right, further modes are panels; a layout of rank 1 is one row. Boundaries of nested modes are ruled, and the
//! coordinates of each part stand in the headers.
//!
//! ```
//! use girih::prelude::*;
//! // the accumulator fragment of an m16n8 tensor-core instruction
//! let c = layout!(((4,8),(2,2)):((32,1),(16,8)));
//! let svg = Drawing::tv(&c, &ints!((16, 8)))?.title("m16n8 C fragment").svg();
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), girih::LayoutError>(())
//! ```

pub(crate) mod color;
mod grid;
pub(crate) mod panel;
mod svg;
mod tikz;

use super::{IntTuple, Layout, LayoutError, Table};
pub(crate) use grid::Grid;
use panel::{Picture, ThreadValue};
use std::sync::Arc;

/// Most cells that a picture or table shows.
/// ```
/// # use girih::prelude::*;
/// assert!(Drawing::of(&layout!((256,256):(256,1))).is_ok());
/// assert!(Drawing::of(&layout!((256,257):(257,1))).is_err());
/// ```
pub const CELLS: i64 = 1 << 16;

/// What can be drawn: a function on the coordinates of a shape. A [`Layout`] is one, and a swizzled layout; so is a shape
/// with a closure on one-dimensional coordinates, which serves anything else that gives offsets.
/// ```
/// use girih::prelude::*;
/// let swizzled = (ints!((8, 8)), |i: i64| i ^ (i >> 3 & 7));
/// assert!(Drawing::of(&swizzled)?.svg().contains("(1,1)"));
/// # Ok::<(), girih::LayoutError>(())
/// ```
pub trait Drawable {
    /// The shape of the domain.
    /// ```
    /// # use girih::prelude::*;
    /// let c: Composed = "S<3,3,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(Drawable::shape(&c), ints!((8, 64)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    fn shape(&self) -> IntTuple;

    /// The value, an integer or a coordinate, at a one-dimensional coordinate.
    ///
    /// # Errors
    /// It is not known, or `index` is outside the domain.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,4):(4,1)).value(9)?, ints!(5)); // the coordinate (1,1)
    /// assert_eq!(Layout::identity(&ints!((8, 4)))?.value(9)?, ints!((1, 1)));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    fn value(&self, index: i64) -> Result<IntTuple, LayoutError>;

    /// What is drawn, for the title. May be empty.
    /// ```
    /// # use girih::prelude::*;
    /// assert_eq!(layout!((8,4):(4,1)).notation(), "(8,4):(4,1)");
    /// assert_eq!((ints!((8, 4)), |i: i64| i).notation(), "");
    /// ```
    fn notation(&self) -> String;

    /// The values as text: CuTe's `print_layout`.
    ///
    /// # Errors
    /// A symbol is unbound, or there are more than [`CELLS`] values.
    /// ```
    /// use girih::prelude::*;
    /// assert_eq!(
    ///     layout!((2,3):(3,1)).table()?.to_string(),
    ///     "\
    /// (2,3):(3,1)
    ///      0   1   2
    ///    +---+---+---+
    ///  0 | 0 | 1 | 2 |
    ///    +---+---+---+
    ///  1 | 3 | 4 | 5 |
    ///    +---+---+---+
    /// "
    /// );
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    fn table(&self) -> Result<Table, LayoutError> {
        Table::of(self)
    }

    /// The values as a LaTeX document with TikZ: CuTe's `print_latex`. [`Drawing::latex`] has the other pictures.
    ///
    /// # Errors
    /// As [`Drawable::table`].
    /// ```
    /// use girih::prelude::*;
    /// assert!(layout!((2,3):(3,1)).latex()?.contains("tikzpicture"));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    fn latex(&self) -> Result<String, LayoutError> {
        Ok(Drawing::of(self)?.latex())
    }
}

impl Drawable for Layout {
    fn shape(&self) -> IntTuple {
        self.shape()
    }
    fn value(&self, index: i64) -> Result<IntTuple, LayoutError> {
        if self.has_basis() { self.coord_at(index) } else { Ok(IntTuple::int(self.at(index)?)) }
    }
    fn notation(&self) -> String {
        self.to_string()
    }
}

impl<F: Fn(i64) -> i64> Drawable for (IntTuple, F) {
    fn shape(&self) -> IntTuple {
        self.0
    }
    fn value(&self, index: i64) -> Result<IntTuple, LayoutError> {
        Ok(IntTuple::int(self.1(index)))
    }
    fn notation(&self) -> String {
        String::new()
    }
}

/// What the colours of a drawing mean.
/// ```
/// # use girih::prelude::*;
/// # use girih::layout::draw::Color;
/// let tiles = layout!(((4,2),(4,2)):((1,4),(8,32)));
/// assert_ne!(Drawing::of(&tiles)?.color(Color::Tile).svg(), Drawing::of(&tiles)?.svg());
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// The value, on a scale from light to dark. In a thread-value drawing, the number of the value within its thread.
    Value,
    /// The coordinate in mode 0, which is the thread of a thread-value layout.
    Thread,
    /// The tile, as divides leave it: mode 0 of each nested mode, or mode 0 of the layout if no mode is nested.
    /// In a thread-value drawing, the group of threads that differ only in mode 0 of the thread mode.
    Tile,
}

/// Background of an SVG.
/// ```
/// # use girih::prelude::*;
/// # use girih::layout::draw::Background;
/// let a = Drawing::of(&layout!((4,4):(4,1)))?;
/// assert_ne!(a.clone().background(Background::Dark).svg(), a.background(Background::Light).svg());
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Background {
    /// What the reader's screen prefers.
    Auto,
    /// White.
    Light,
    /// Near black.
    Dark,
    /// None: ink for a light page.
    Transparent,
}

/// A picture of a layout; see the [module](self).
/// ```
/// use girih::layout::draw::{Background, Color};
/// use girih::prelude::*;
/// let tiles = layout!(((4,2),(4,2)):((1,4),(8,32)));
/// let drawing = Drawing::of(&tiles)?.title("4 tiles of 4 x 4").color(Color::Tile).background(Background::Dark);
/// assert!(drawing.svg().contains("<title>4 tiles of 4 x 4</title>"));
/// # Ok::<(), girih::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drawing {
    title: String,
    color: Color,
    background: Background,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Values(Box<Grid>),
    ThreadValue(Box<ThreadValue>),
    /// of another module
    Other(Arc<dyn Picture>),
}

impl Drawing {
    /// The values of a layout, one cell for each coordinate. Coordinate values (basis strides) are written as such.
    ///
    /// # Errors
    /// A symbol is unbound, an extent is below 1, or there are more than [`CELLS`] cells.
    /// ```
    /// use girih::prelude::*;
    /// assert!(Drawing::of(&layout!((6,2):(8,2)))?.svg().contains(">42<"));
    /// let e = Drawing::of(&layout!((1024,1024):(1,1024))).unwrap_err();
    /// assert_eq!(e.to_string(), "1048576 cells are too many to draw: at most 65536");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn of(layout: &(impl Drawable + ?Sized)) -> Result<Drawing, LayoutError> {
        let grid = Grid::new(&layout.shape(), |i| layout.value(i))?;
        Ok(Drawing::new(layout.notation(), Color::Value, Content::Values(Box::new(grid))))
    }

    /// A thread-value layout `(T, V) -> tile` in two panels: the tile, each element with the thread and the value that
    /// hold it (`V0+3`: three more hold it too); and the inverse, for each thread and value the index and the coordinate
    /// of the element. Values are one-dimensional coordinates of `tile`, or (basis strides) coordinates of it.
    ///
    /// # Errors
    /// The rank is not 2, a value is outside the tile, and as [`Drawing::of`].
    /// ```
    /// use girih::prelude::*;
    /// let tv = layout!((4,2):(2,1));
    /// assert!(Drawing::tv(&tv, &ints!((2, 4)))?.svg().contains("T3"));
    /// let e = Drawing::tv(&tv, &ints!((2, 3))).unwrap_err();
    /// assert_eq!(e.to_string(), "coordinate 6 is not in 0..6");
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn tv(layout: &(impl Drawable + ?Sized), tile: &IntTuple) -> Result<Drawing, LayoutError> {
        let content = Content::ThreadValue(Box::new(ThreadValue::new(layout, tile)?));
        Ok(Drawing::new(layout.notation(), Color::Thread, content))
    }

    /// A picture that another module makes.
    pub(crate) fn other(title: String, picture: impl Picture + 'static) -> Drawing {
        Drawing::new(title, Color::Value, Content::Other(Arc::new(picture)))
    }

    fn new(title: String, color: Color, content: Content) -> Drawing {
        Drawing { title, color, background: Background::Auto, content }
    }

    /// A title in place of the layout's notation.
    /// ```
    /// # use girih::prelude::*;
    /// assert!(Drawing::of(&layout!((4,4):(4,1)))?.title("matrix A").svg().contains("<title>matrix A</title>"));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn title(mut self, title: impl Into<String>) -> Drawing {
        self.title = title.into();
        self
    }

    /// What the colours mean: by default the thread in a thread-value drawing, else the value. Bank drawings are coloured
    /// by bank.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::draw::Color;
    /// let c = layout!(((4,8),(2,2)):((32,1),(16,8)));
    /// let by_value = Drawing::tv(&c, &ints!((16, 8)))?.color(Color::Value);
    /// assert_ne!(by_value.svg(), Drawing::tv(&c, &ints!((16, 8)))?.svg());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn color(mut self, color: Color) -> Drawing {
        self.color = color;
        self
    }

    /// The background of the SVG: by default what the reader's screen prefers.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::draw::Background;
    /// let a = Drawing::of(&layout!((4,4):(4,1)))?;
    /// assert_ne!(a.clone().background(Background::Transparent).svg(), a.svg());
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn background(mut self, background: Background) -> Drawing {
        self.background = background;
        self
    }

    /// The picture as a standalone SVG. Each cell carries its coordinate and value as a tooltip, also where labels would
    /// be too small to read and are left out.
    /// ```
    /// # use girih::prelude::*;
    /// let svg = Drawing::of(&layout!((4,4):(4,1)))?.svg(); // for std::fs::write
    /// assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn svg(&self) -> String {
        svg::render(self)
    }

    /// The picture as a standalone LaTeX document (TikZ).
    /// ```
    /// use girih::prelude::*;
    /// let tex = Drawing::tv(&layout!((4,2):(2,1)), &ints!((2, 4)))?.latex();
    /// assert!(tex.contains("T3"));
    /// # Ok::<(), girih::LayoutError>(())
    /// ```
    pub fn latex(&self) -> String {
        tikz::render(self)
    }
}

#[cfg(test)]
mod tests;
