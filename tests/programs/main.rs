//! Tile programs: what is recorded, what is refused, what the host makes of it.

mod launching;
mod racing;
mod random;
mod running;
mod tracing;
