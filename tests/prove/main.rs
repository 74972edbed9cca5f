//! Decisions about layouts against brute force.

#[path = "../properties/brute.rs"]
#[allow(dead_code)]
mod brute;

mod forged;
mod found;
mod isl;
mod kinds;
mod large;
mod symbolic;
mod wild;
