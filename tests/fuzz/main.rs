//! Every public operation on arbitrary operands: an error at most, never a panic, an overflow or a long wait; and where the
//! answer is `Ok` on small sizes, the law of the operation.
//!
//! `PROPTEST_CASES` is the number of cases of every area (a modest number by default), `FUZZ_SEED` the seed. A failure names
//! its seed and case; `FUZZ_SEED=.. FUZZ_CASE=..` runs that one alone.
// closures return the errors of the operations as they are
#![allow(clippy::result_large_err)]

mod divide;
mod drawing;
mod facts;
mod found;
mod integers;
mod inverses;
mod modes;
mod partitions;
mod source;
mod swizzles;
mod symbols;
mod tensors;
mod texts;
mod two;
mod watch;
