//! Element types; tiles and their operations.

pub mod element;
