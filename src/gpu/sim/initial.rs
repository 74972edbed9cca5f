//! Initial values of variables: where each goes (PTX ISA, initializers).

use crate::gpu::ptx::{Init, Variable};

/// Every value with its place in the variable, in bytes. As in C, braces begin an element of an array, which they may leave incomplete;
/// without inner braces values follow each other.
pub(super) fn each_initial<'a>(v: &'a Variable, see: &mut dyn FnMut(u64, &'a Init)) {
    let (element, strides) = strides(v);
    walk(&v.init, element, &strides, 0, see);
}

/// Bytes of an array whose first extent is that of its values.
pub(super) fn bytes(v: &Variable) -> Option<u64> {
    let (Some(None), false) = (v.dims.first(), v.init.is_empty()) else { return None };
    let (element, strides) = strides(v);
    let end = walk(&v.init, element, &strides, 0, &mut |_, _| {});
    end.checked_next_multiple_of(strides.first().copied().filter(|s| *s > 0)?)
}

/// Bytes of a value, and of an element of the array, of an element of that, and so on.
fn strides(v: &Variable) -> (u64, Vec<u64>) {
    let element = u64::from(v.ty.bits().div_ceil(8));
    let extents = v.dims.iter().map(|d| d.unwrap_or(0)).chain(v.vector.map(u64::from));
    let mut strides: Vec<u64> = extents.collect();
    let mut stride = element;
    for extent in strides.iter_mut().rev() {
        stride = stride.saturating_mul(core::mem::replace(extent, stride));
    }
    (element, strides)
}

/// Values from a place on; where they end.
fn walk<'a>(values: &'a [Init], element: u64, strides: &[u64], begin: u64, see: &mut dyn FnMut(u64, &'a Init)) -> u64 {
    let (stride, inner) = strides.split_first().map_or((element, strides), |(first, rest)| (*first, rest));
    let mut at = begin;
    for value in values {
        match value {
            Init::List(values) => {
                let done = (at - begin).checked_next_multiple_of(stride.max(1)).unwrap_or(u64::MAX);
                at = begin.saturating_add(done);
                walk(values, element, inner, at, see);
                at = at.saturating_add(stride);
            }
            value => {
                see(at, value);
                at = at.saturating_add(element);
            }
        }
    }
    at
}
