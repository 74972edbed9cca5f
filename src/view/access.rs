//! How memory is accessed, as a value: what a program records and a back end reads.

use super::ViewError;
use crate::tile::ElementType;

/// What happens to the elements of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessKind {
    /// they are read
    Load,
    /// they are replaced
    Store,
    /// they are replaced by a function of themselves and the tile, each in one step
    Atomic(AtomicOp),
}

/// The function of an atomic operation: of the element `k` in memory and `v` of the tile.
///
/// `And` to `Min` exist for integers of 32 and 64 bits; `Add` and `Sub` for these, `f16`, `bf16`, `f32` and `f64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    /// `k & v`
    And,
    /// `k | v`
    Or,
    /// `k ^ v`
    Xor,
    /// the greater of the two
    Max,
    /// the lesser of the two
    Min,
    /// `k + v`: integers wrap, as those of tiles do; floats are rounded to nearest, ties to even
    Add,
    /// `k + (-v)` of integers, where `-v` must exist; `k - v` of floats
    Sub,
}

impl AtomicOp {
    /// Does it exist for these elements?
    /// ```
    /// use girih::{tile::ElementType, view::AtomicOp};
    /// assert!(AtomicOp::Add.takes(ElementType::F16) && !AtomicOp::Max.takes(ElementType::F16));
    /// ```
    pub const fn takes(self, e: ElementType) -> bool {
        let bits = e.is_integer() && e.bits() >= 32;
        match self {
            AtomicOp::Add | AtomicOp::Sub => bits || e.is_basic_float(),
            _ => bits,
        }
    }
}

/// What a masked load gives for elements outside the span.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Padding {
    /// 0, of floats the positive one; `f8e8m0` has none
    #[default]
    Zero,
    /// -0
    NegativeZero,
    /// infinity
    PositiveInfinity,
    /// minus infinity
    NegativeInfinity,
    /// the canonical NaN: all bits set but the sign
    Nan,
}

impl Padding {
    /// The code of this padding among these elements: all have a zero but `f8e8m0`, basic floats have the others.
    ///
    /// The headers of CUDA 13.5 go further than the specification: there, what a restricted float can represent is allowed
    /// too (-0 for all but `f8e8m0`, `f8ue5m3`, `f4e2m1`; infinities but for these and `f8e4m3`; NaN for all but `f4e2m1`).
    /// ```
    /// use girih::{tile::ElementType, view::Padding};
    /// assert_eq!(Padding::NegativeInfinity.bits(ElementType::F16), Some(0xfc00));
    /// assert_eq!(Padding::Nan.bits(ElementType::I32), None);
    /// ```
    pub const fn bits(self, e: ElementType) -> Option<u64> {
        if matches!(self, Padding::Zero) {
            return if matches!(e, ElementType::F8E8M0) { None } else { Some(0) };
        }
        let mantissa = match e {
            ElementType::F16 => 10,
            ElementType::Bf16 => 7,
            ElementType::F32 => 23,
            ElementType::F64 => 52,
            _ => return None,
        };
        let sign = 1 << (e.bits() - 1);
        let infinity = sign - (1 << mantissa);
        Some(match self {
            Padding::Zero => 0,
            Padding::NegativeZero => sign,
            Padding::PositiveInfinity => infinity,
            Padding::NegativeInfinity => sign | infinity,
            Padding::Nan => sign - 1,
        })
    }
}

/// What a strong operation orders: an acquiring read sees all that came before the releasing write whose value it read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// nothing but the accesses to the element itself
    Relaxed,
    /// later accesses stay behind it
    Acquire,
    /// earlier accesses stay before it
    Release,
}

/// The threads among which an operation is strong: others may race with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scope {
    /// all threads of the machine, the host's too
    #[default]
    System,
    /// all threads of the device
    Device,
    /// the threads of the block
    Block,
}

/// Advice that changes no result.
/// ```
/// use girih::view::Hints;
/// let hints = Hints::default().latency(3)?.allow_tma(false);
/// assert_eq!((hints.latency, hints.allow_tma), (Some(3), Some(false)));
/// assert!(Hints::default().latency(11).is_err());
/// # Ok::<(), girih::view::ViewError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hints {
    /// how costly the access is expected to be, 1 to 10
    pub latency: Option<u8>,
    /// may it be done by the tensor memory accelerator?
    pub allow_tma: Option<bool>,
}

impl Hints {
    /// With an expected cost.
    ///
    /// # Errors
    /// It is not in 1 to 10.
    /// ```
    /// # use girih::view::Hints;
    /// let e = Hints::default().latency(0).unwrap_err();
    /// assert_eq!(e.to_string(), "latency 0: it is 1 to 10");
    /// ```
    pub fn latency(self, latency: u8) -> Result<Hints, ViewError> {
        match latency {
            1..=10 => Ok(Hints { latency: Some(latency), ..self }),
            _ => Err(ViewError::Latency(latency)),
        }
    }

    /// With or without the tensor memory accelerator.
    /// ```
    /// # use girih::view::Hints;
    /// assert_eq!((Hints::default().allow_tma, Hints::default().allow_tma(true).allow_tma), (None, Some(true)));
    /// ```
    pub const fn allow_tma(self, allow: bool) -> Hints {
        Hints { allow_tma: Some(allow), ..self }
    }
}

/// One way to access a chunk. The typed methods of views make only those that [`Access::check`] admits.
/// ```
/// use girih::tile::ElementType;
/// use girih::view::{Access, Order, Padding, Scope};
/// let load = Access::LOAD.masked(Padding::Nan).strong(Order::Acquire, Scope::Device);
/// assert!(load.check(ElementType::F32).is_ok());
/// let e = load.check(ElementType::I32).unwrap_err();
/// assert_eq!(e.to_string(), "i32 has no NaN to pad with: only floats f16, bf16, f32, f64 do");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// what happens
    pub kind: AccessKind,
    /// may the chunk reach beyond the span? Elements there are padding when loaded, and left alone otherwise.
    pub masked: bool,
    /// what a masked load gives there
    pub padding: Padding,
    /// order and scope of a strong operation; None: a weak one, which must not race
    pub strong: Option<(Order, Scope)>,
    /// advice
    pub hints: Hints,
}

impl Access {
    /// A weak load of chunks within the span.
    pub const LOAD: Access = Access::new(AccessKind::Load);
    /// A weak store to chunks within the span.
    pub const STORE: Access = Access::new(AccessKind::Store);

    /// A weak access to chunks within the span; an atomic operation needs [`Access::strong`].
    /// ```
    /// # use girih::{tile::ElementType, view::{Access, AccessKind, AtomicOp, Order, Scope}};
    /// let add = Access::new(AccessKind::Atomic(AtomicOp::Add));
    /// assert!(add.check(ElementType::F32).is_err());
    /// assert!(add.strong(Order::Relaxed, Scope::Device).check(ElementType::F32).is_ok());
    /// ```
    pub const fn new(kind: AccessKind) -> Access {
        let hints = Hints { latency: None, allow_tma: None };
        Access { kind, masked: false, padding: Padding::Zero, strong: None, hints }
    }

    /// Of chunks that may reach beyond the span; for what does not load, the padding is of no account.
    /// ```
    /// # use girih::{tile::ElementType, view::{Access, Padding}};
    /// assert!(Access::STORE.masked(Padding::Nan).check(ElementType::I32).is_ok());
    /// assert!(Access::LOAD.masked(Padding::Nan).check(ElementType::I32).is_err());
    /// ```
    pub const fn masked(self, padding: Padding) -> Access {
        Access { masked: true, padding, ..self }
    }

    /// As a strong operation of an order and in a scope: [`Access::check`] says which there are.
    /// ```
    /// # use girih::{tile::ElementType, view::{Access, Order, Scope}};
    /// assert!(Access::STORE.strong(Order::Release, Scope::System).check(ElementType::F32).is_ok());
    /// ```
    pub const fn strong(self, order: Order, scope: Scope) -> Access {
        Access { strong: Some((order, scope)), ..self }
    }

    /// Does it exist for these elements? Loads are relaxed or acquire, stores relaxed or release, atomic operations relaxed in
    /// the scope of a device or a block.
    ///
    /// # Errors
    /// It does not: the latency, the atomic operation, the padding of a masked load, or the order and scope, in this sequence.
    /// ```
    /// # use girih::{tile::ElementType, view::{Access, Order, Scope}};
    /// let e = Access::STORE.strong(Order::Acquire, Scope::Device).check(ElementType::F32).unwrap_err();
    /// assert_eq!(e.to_string(), "Acquire in scope Device: a store is relaxed or release");
    /// ```
    pub const fn check(&self, element: ElementType) -> Result<(), ViewError> {
        let kind = self.kind;
        if let Some(latency @ (0 | 11..)) = self.hints.latency {
            return Err(ViewError::Latency(latency));
        }
        if let AccessKind::Atomic(op) = kind
            && !op.takes(element)
        {
            return Err(ViewError::Atomic { op, element });
        }
        if matches!(kind, AccessKind::Load) && self.masked && self.padding.bits(element).is_none() {
            return Err(ViewError::Padding { padding: self.padding, element });
        }
        match (kind, self.strong) {
            (AccessKind::Load | AccessKind::Store, None)
            | (AccessKind::Load, Some((Order::Relaxed | Order::Acquire, _)))
            | (AccessKind::Store, Some((Order::Relaxed | Order::Release, _)))
            | (AccessKind::Atomic(_), Some((Order::Relaxed, Scope::Device | Scope::Block))) => Ok(()),
            _ => Err(ViewError::Order { kind, strong: self.strong }),
        }
    }
}
