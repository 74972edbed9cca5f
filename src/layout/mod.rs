//! What a layout is: integers, nesting, coordinates, evaluation, text.
//!
//! # Text
//! ```text
//! ((2,2),3):((24,2),8)     a layout        4:1      an integer layout
//! (?M{8},?N):(1,?lda)      symbols, one promised to be a multiple of 8
//! (4,(2,3)):(1@0,(1@0@1,1@1@1))            basis strides: values are coordinates
//! S<3,4,3> o 0 o (8,64):(64,1)             a swizzled layout; also Sw<3,4,3>, and S<3,3,3>[16b] with its unit
//! <4:1,8:2>  <<2,4:2>,_>   by-mode tilers  (2,(3,_))   integer tuples
//! ```

mod bind;
mod bound;
mod composed;
mod coord;
mod digits;
pub mod draw;
mod echelon;
mod edit;
mod error;
mod int;
mod iter;
mod nest;
mod parse;
mod pool;
mod print;
#[cfg(feature = "serde")]
mod serde;
mod swizzle;
mod tensor;
mod text;
mod tiler;
mod tuple;
pub mod typed;
mod value;

pub(crate) use bind::lcm;
pub use bound::Bound;
pub use composed::{Composed, SWIZZLES};
pub use draw::{Drawable, Drawing};
pub use error::{Error, LayoutError};
pub use int::{Int, Name};
pub use iter::{Coords, CoordsAndOffsets, HierCoords, Offsets};
pub use nest::MODES;
pub use pool::{FACTORS, SYMBOLS};
pub use print::Table;
pub use swizzle::{Swizzle, Unit};
pub use tensor::{Coordinate, Coordinates, Counting, Iter, Plain, Storage, Tensor, TensorView, TensorViewMut};
pub(crate) use tensor::{gather, table};
pub use tiler::Tiler;
pub use tuple::IntTuple;
pub use value::Layout;

#[cfg(feature = "serde")]
pub(crate) use self::serde::{Parse, as_text};
pub(crate) use coord::divmod;
pub(crate) use digits::{Digits, bits, reduced};
pub(crate) use echelon::Echelon;
pub(crate) use error::Operand;
pub(crate) use nest::{Nest, Pen};
pub(crate) use parse::Reader;
pub(crate) use swizzle::ratio;
pub(crate) use text::Text;
pub(crate) use value::Writer;
