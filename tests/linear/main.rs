//! Linear layouts: every operation against its definition on all points, agreement with CuTe and PTX layouts.

mod brute;
mod convert;
mod exchange;
mod map;
mod mixed;
mod oracle;
mod paper;
mod product;
mod refuse;
mod swizzle;
