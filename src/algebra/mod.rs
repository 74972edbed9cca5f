//! Functions from layouts to layouts.

pub mod swizzled;
