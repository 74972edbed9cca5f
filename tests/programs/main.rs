//! Tile programs: what is recorded, what is refused, what the host makes of it.

mod control;
mod launching;
mod listing;
mod memory;
mod origins;
mod racing;
mod random;
mod running;
mod tracing;
