//! The laws of the algebra, one file for each, against definitions that share no logic with the library.
//! `PROPTEST_CASES` sets the number of cases of every test (a modest number by default).

mod brute;
mod composition;
mod exhaustive;
mod kinds;
mod symbolic;
