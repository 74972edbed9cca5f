//! All inputs of the sources of 16 bits and fewer.

use crate::definition::expected;
use crate::inputs::all;
use crate::types::{conversions, converted};
use girih::tile::element::Conversion;
use rayon::prelude::*;

/// Converts and compares; the number of inputs.
pub fn check(how: Conversion, codes: &[u64]) -> usize {
    let got = converted(how, codes);
    assert_eq!(got.len(), codes.len());
    for (code, got) in codes.iter().zip(got) {
        let want = expected(how, *code);
        assert_eq!(got, want, "{how:?}: {code:#x} gave {got:#x}, not {want:#x}");
    }
    codes.len()
}

#[test]
fn every_input_of_a_small_type_converts_as_defined_in_every_mode() {
    let small: Vec<Conversion> = conversions().filter(|c| c.from().bits() <= 16).collect();
    let checked: usize = small.par_iter().map(|how| check(*how, &all(how.from()))).sum();
    println!("{} conversions, {checked} inputs", small.len());
}
