//! Sources with too many values for all.

use crate::exhaustive::check;
use crate::inputs::{cases, some};
use crate::types::conversions;
use girih::tile::element::Conversion;
use rayon::prelude::*;

#[test]
fn random_inputs_and_those_around_midpoints_convert_as_defined_in_every_mode() {
    let wide: Vec<Conversion> = conversions().filter(|c| c.from().bits() > 16).collect();
    let checked: usize = wide.par_iter().map(|how| check(*how, &some(how.from(), how.to(), cases()))).sum();
    println!("{} conversions, {checked} inputs", wide.len());
}
