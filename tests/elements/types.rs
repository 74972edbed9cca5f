//! Conversions of codes, the types given as values.

use girih::tile::element::*;

/// `$body` with `$T` the type that a value of [`ElementType`] stands for.
macro_rules! with_type {
    ($ty:expr, $T:ident => $body:expr) => {
        with_type!(@ $ty, $T => $body; Bool bool, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64, F16 f16, Bf16 bf16,
            F32 f32, F64 f64, Tf32 Tf32, F8E4M3 F8E4M3, F8E5M2 F8E5M2, F8UE5M3 F8UE5M3, F8E8M0 F8E8M0, F4E2M1 F4E2M1)
    };
    (@ $ty:expr, $T:ident => $body:expr; $($variant:ident $element:ty),*) => {
        match $ty {
            $(ElementType::$variant => { type $T = $element; $body })*
        }
    };
}

/// The codes that these become.
pub fn converted(how: Conversion, codes: &[u64]) -> Vec<u64> {
    fn go<A: Element, B: Element>(how: Conversion, codes: &[u64]) -> Vec<u64> {
        let from: Vec<A> = codes.iter().map(|c| A::from_bits(*c)).collect();
        how.convert::<A, B>(&from).unwrap().into_iter().map(B::to_bits).collect()
    }
    with_type!(how.from(), A => with_type!(how.to(), B => go::<A, B>(how, codes)))
}

/// Every conversion there is: pairs of types, their rounding modes, saturation.
pub fn conversions() -> impl Iterator<Item = Conversion> {
    let pairs = ElementType::ALL.into_iter().flat_map(|a| ElementType::ALL.map(|b| Conversion::new(a, b)));
    pairs.flat_map(|c| {
        let rounded = Rounding::ALL
            .into_iter()
            .filter_map(move |r| c.rounded(r).ok())
            .filter(move |r| r.rounding() != c.rounding());
        [c].into_iter().chain(c.saturating().ok()).chain(rounded)
    })
}
