//! Element types: what they are, and every conversion against an independent definition, public crates, and `cvt`.
//!
//! `PROPTEST_CASES` sets how many random inputs each pair of types gets where there are too many for all; then, from 10^6 on, also
//! the neighbourhood of every midpoint.

#[cfg(feature = "gpu")]
mod cvt;
mod definition;
mod exhaustive;
mod facts;
mod inputs;
mod oracles;
mod types;
mod wide;
