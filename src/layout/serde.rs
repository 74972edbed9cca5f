//! `serde` as text: a layout is `"((2,2),3):((24,2),8)"`. Feature `serde`.

use super::{Composed, Int, IntTuple, Layout, Swizzle, Tiler};
use core::fmt;
use serde::de;

/// Reads a string without asking the format to keep it.
pub(crate) struct Parse<T>(pub core::marker::PhantomData<T>);

impl<T: core::str::FromStr<Err: fmt::Display>> de::Visitor<'_> for Parse<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text in CuTe notation")
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($type:ty)*) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                d.deserialize_str($crate::layout::Parse(core::marker::PhantomData))
            }
        }
    )*};
}
as_text!(Layout IntTuple Tiler Int Swizzle Composed);
pub(crate) use as_text;
