//! What the hardware does with a layout, and the instructions as data.
//!
//! | module | what | when |
//! |---|---|---|
//! | [`facts`] | bank conflicts, sectors, vector widths, fragment checks, the choice of a swizzle | before a kernel exists, and to see why it is slow |
//! | [`atom`] | matrix and copy instructions with their thread-value layouts, laid over threads | to build tilings, to check fragments |
//!
//! Pure computation: no device is needed, and no feature.

pub mod atom;
pub mod facts;
