//! The exact meaning of an index: an integer and multiples of variables, which are worth what they hold where it is used.

use std::collections::BTreeMap;

#[derive(Clone, Default, Debug, PartialEq)]
pub struct Value {
    pub known: i128,
    /// by the number of the variable
    pub variables: BTreeMap<usize, i128>,
}

impl From<i128> for Value {
    fn from(known: i128) -> Value {
        Value { known, variables: BTreeMap::new() }
    }
}

impl Value {
    pub fn plus(&self, other: &Value, times: i128) -> Value {
        let mut sum = self.clone();
        sum.known += other.known * times;
        for (v, c) in &other.variables {
            *sum.variables.entry(*v).or_default() += c * times;
        }
        sum
    }

    pub fn now(&self, variables: &[i128]) -> i128 {
        self.known + self.variables.iter().map(|(v, c)| c * variables[*v]).sum::<i128>()
    }
}
