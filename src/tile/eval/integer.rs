//! Functions of integers and `bool`.

use super::operand::map;
use super::step::{Arithmetic, Loop, Outcome};
use crate::tile::element::Element;
use crate::tile::element::word::Word;
use crate::tile::op::{Binary, Fold, Unary};
use crate::tile::value::AnyTile;

fn unary<T: Element + Word>(f: Unary, x: &AnyTile) -> Option<Outcome> {
    let neg = |x| T::of(0).sub(x);
    Some(match f {
        Unary::Neg => map(x, neg),
        Unary::Abs if T::TYPE.is_signed() => map(x, |x: T| x.max(neg(x))),
        Unary::Abs => Ok(x.clone()),
        Unary::Not => map(x, |x: T| !x),
        _ => return None,
    })
}

fn binary<T: Element + Word>(f: Binary, body: impl Loop<T>) -> Option<Outcome> {
    Some(match f {
        Binary::Sub(_) => body.with(T::sub),
        Binary::Div(_) => body.with(T::div),
        Binary::Rem => body.with(T::rem),
        Binary::Shl => body.with(|a, n| a.shl(count(n))),
        Binary::Shr => body.with(|a, n| a.shr(count(n))),
        _ => return None,
    })
}

/// How far to shift: a number without sign.
fn count<T: Word>(n: T) -> u32 {
    n.lane().min(u32::MAX.into()) as u32
}

fn fold<T: Word>(f: Fold, body: impl Loop<T>) -> Option<Outcome> {
    Some(match f {
        Fold::Sum(_) => body.in_any_order(T::add),
        Fold::Prod(_) => body.in_any_order(T::mul),
        Fold::Min(_) => body.in_any_order(T::min),
        Fold::Max(_) => body.in_any_order(T::max),
        Fold::And => body.in_any_order(|a, b| a & b),
        Fold::Or => body.in_any_order(|a, b| a | b),
        Fold::Xor => body.in_any_order(|a, b| a ^ b),
    })
}

macro_rules! integers {
    ($($t:ty)+) => {$(
        impl Arithmetic for $t {
            fn unary(f: Unary, x: &AnyTile) -> Option<Outcome> {
                unary::<$t>(f, x)
            }
            fn binary(f: Binary, body: impl Loop<$t>) -> Option<Outcome> {
                binary(f, body)
            }
            fn fold(f: Fold, body: impl Loop<$t>) -> Option<Outcome> {
                fold(f, body)
            }
        }
    )+};
}
integers!(i8 u8 i16 u16 i32 u32 i64 u64);

impl Arithmetic for bool {
    fn unary(f: Unary, x: &AnyTile) -> Option<Outcome> {
        (f == Unary::Not).then(|| map(x, |x: bool| !x))
    }

    fn binary(_: Binary, _: impl Loop<bool>) -> Option<Outcome> {
        None
    }

    fn fold(f: Fold, body: impl Loop<bool>) -> Option<Outcome> {
        Some(match f {
            Fold::Min(_) | Fold::And => body.in_any_order(|a, b| a & b),
            Fold::Max(_) | Fold::Or => body.in_any_order(|a, b| a | b),
            Fold::Xor => body.in_any_order(|a, b| a ^ b),
            Fold::Sum(_) | Fold::Prod(_) => return None,
        })
    }
}
