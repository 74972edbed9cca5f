//! The meanings of instructions against an H200.

mod sweep;
