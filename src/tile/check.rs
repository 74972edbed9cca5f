//! The typing rules of operations.

use super::TileError;
use super::element::{ElementType, Rounding};
use super::op::{Binary, Fold, Mode, Op, Precision, Unary};
use super::shape::{LIMIT, Shape, TileType};

type E = ElementType;

impl Op {
    /// The type of the result for operands of these types: what the typed layer states as trait bounds.
    ///
    /// # Errors
    /// The rule that the operands break. A wrong index is no question of types: [`Op::eval`] refuses it.
    /// ```
    /// use girih::tile::{ElementType, Op, Shape, TileType};
    /// let a = TileType::new(ElementType::I32, Shape::new(&[2, 4])?);
    /// assert_eq!(Op::Reshape(Shape::new(&[4, 2])?).result(&[a])?.to_string(), "i32(4,2)");
    /// assert!(Op::Reshape(Shape::new(&[4, 4])?).result(&[a]).is_err());
    /// # Ok::<(), girih::tile::TileError>(())
    /// ```
    pub fn result(&self, operands: &[TileType]) -> Result<TileType, TileError> {
        let op = *self;
        self.count(operands)?;
        let class = |ok: bool, t: &TileType| match ok {
            true => Ok(()),
            false => Err(TileError::Element { op, got: t.element }),
        };
        let equal = |at: usize, expected: TileType| match operands[at] == expected {
            true => Ok(()),
            false => Err(TileError::Operand { op, at: at as u8, got: operands[at], expected }),
        };
        let mode = |ok: bool, element: E| if ok { Ok(()) } else { Err(TileError::Mode { op, element }) };
        match (op, operands) {
            (Op::Full(t, bits), _) => match bits >> (t.element.bits() - 1) {
                0 | 1 => Ok(t),
                _ => Err(TileError::Bits { bits, element: t.element }),
            },
            (Op::Iota(t), _) => {
                class(t.element.is_integral(), &t)?;
                let magnitude = t.element.bits() - u32::from(t.element.is_signed());
                let fits = magnitude > LIMIT.trailing_zeros() || t.shape.size() <= 1 << magnitude;
                if fits { Ok(t) } else { Err(TileError::Iota(t)) }
            }
            (Op::Unary(f), [x]) => {
                class(f.takes(x.element), x)?;
                mode(f.has_mode(x.element), x.element)?;
                Ok(if matches!(f, Unary::IsNan | Unary::IsInf) { x.of(E::Bool) } else { *x })
            }
            (Op::Binary(f), [a, _]) => {
                class(f.takes(a.element), a)?;
                mode(f.has_mode(a.element), a.element)?;
                equal(1, *a)?;
                Ok(*a)
            }
            (Op::Powi, [x, _]) => {
                class(x.element.is_basic_float(), x)?;
                equal(1, x.of(E::I32))?;
                Ok(*x)
            }
            (Op::Fma(m), [a, ..]) => {
                class(a.element.is_basic_float(), a)?;
                mode(m.is_arithmetic(a.element), a.element)?;
                equal(1, *a)?;
                equal(2, *a)?;
                Ok(*a)
            }
            (Op::Compare(_), [a, _]) => {
                class(a.element.is_arithmetic(), a)?;
                equal(1, *a)?;
                Ok(a.of(E::Bool))
            }
            (Op::Select, [_, a, _]) => {
                equal(0, a.of(E::Bool))?;
                equal(2, *a)?;
                Ok(*a)
            }
            (Op::Cast(c), [x]) => {
                equal(0, x.of(c.from()))?;
                Ok(x.of(c.to()))
            }
            (Op::Bitcast(to), [x]) => match x.element.bitcast_bits() == to.bitcast_bits() {
                true => Ok(x.of(to)),
                false => Err(TileError::Bitcast { from: x.element, to }),
            },
            (Op::Reshape(to), [x]) => match x.shape.size() == to.size() {
                true => Ok(x.shaped(to)),
                false => Err(TileError::Size { from: x.shape, to }),
            },
            (Op::Permute(map), [x]) => Ok(x.shaped(x.shape.permute(map.dims())?)),
            (Op::Broadcast(to), [x]) => match x.shape.broadcasts_to(&to) {
                true => Ok(x.shaped(to)),
                false => Err(TileError::Broadcast { from: x.shape, to }),
            },
            (Op::Cat(dim), [a, b]) => cat(*a, *b, dim),
            (Op::Extract(part), [x, index @ ..]) => {
                self.part(part, x.shape, index, 1)?;
                Ok(x.shaped(part))
            }
            (Op::Insert, [x, s, index @ ..]) => {
                if s.element != x.element {
                    return Err(TileError::Operand { op, at: 1, got: *s, expected: s.of(x.element) });
                }
                self.part(s.shape, x.shape, index, 2)?;
                Ok(*x)
            }
            (Op::Repack(to, dim), [x]) => repack(*x, to, dim),
            (Op::Reduce(fold, dim), [x]) => {
                class(fold.takes(x.element), x)?;
                mode(fold.has_mode(x.element), x.element)?;
                Ok(x.shaped(x.shape.with(dim as usize, 1)?))
            }
            (Op::Arg(_, dim), [x]) => {
                class(x.element.is_arithmetic(), x)?;
                Ok(TileType::new(E::U32, x.shape.with(dim as usize, 1)?))
            }
            (Op::Scan(fold, dim, _), [x]) => {
                class(fold.takes(x.element), x)?;
                mode(fold.has_mode(x.element), x.element)?;
                x.shape.with(dim as usize, 1)?;
                Ok(*x)
            }
            (Op::Mma, [a, b, c]) => mma(*a, *b, *c),
            (Op::ScaledMma, [a, b, c, scale_a, scale_b]) => scaled_mma(*a, *b, *c, *scale_a, *scale_b),
            // `count` has refused all else
            _ => Err(TileError::Operands { op, got: operands.len(), expected: op.operands(operands) }),
        }
    }

    /// How many operands it takes; those that there are say how many dimensions an index has.
    fn operands(&self, operands: &[TileType]) -> usize {
        match self {
            Op::Full(..) | Op::Iota(_) => 0,
            Op::Unary(_) | Op::Cast(..) | Op::Bitcast(_) | Op::Reshape(_) | Op::Permute(_) | Op::Broadcast(_) => 1,
            Op::Repack(..) | Op::Reduce(..) | Op::Arg(..) | Op::Scan(..) => 1,
            Op::Binary(_) | Op::Powi | Op::Compare(_) | Op::Cat(_) => 2,
            Op::Fma(_) | Op::Select | Op::Mma => 3,
            Op::ScaledMma => 5,
            Op::Extract(part) => 1 + part.rank(),
            Op::Insert => 2 + operands.first().map_or(0, |x| x.shape.rank()),
        }
    }

    fn count(&self, operands: &[TileType]) -> Result<(), TileError> {
        match (operands.len(), self.operands(operands)) {
            (got, expected) if got == expected => Ok(()),
            (got, expected) => Err(TileError::Operands { op: *self, got, expected }),
        }
    }

    /// The rules of parts: it divides the whole, and its coordinate is scalars of integer types.
    fn part(&self, part: Shape, whole: Shape, index: &[TileType], first: u8) -> Result<(), TileError> {
        if !part.divides(&whole) {
            return Err(TileError::Part { part, whole });
        }
        for (at, &got) in (first..).zip(index) {
            if got.shape.rank() != 0 {
                return Err(TileError::Operand { op: *self, at, got, expected: got.shaped(Shape::SCALAR) });
            }
            if !got.element.is_integer() {
                return Err(TileError::Element { op: *self, got: got.element });
            }
        }
        Ok(())
    }
}

impl Unary {
    /// Does it exist for these elements?
    pub fn takes(self, e: ElementType) -> bool {
        match self {
            Unary::Neg | Unary::Abs => e.is_number(),
            Unary::Not => e.is_integral(),
            Unary::IsNan | Unary::IsInf => e.is_float(),
            _ => e.is_basic_float(),
        }
    }

    /// Does its mode exist for these elements?
    fn has_mode(self, e: ElementType) -> bool {
        match self {
            Unary::Sqrt(m) => m.is_arithmetic(e) || e == E::F32 && m.precision == Precision::Approximate,
            Unary::Exp(m) | Unary::Tanh(m) => match m.precision {
                Precision::Full => m.may_flush(e),
                Precision::Approximate => e == E::F32,
                Precision::Rounded(_) => false,
            },
            Unary::Exp2(m) | Unary::Rsqrt(m) => m.precision == Precision::Full && m.may_flush(e),
            _ => true,
        }
    }
}

impl Binary {
    /// Does it exist for these elements?
    pub fn takes(self, e: ElementType) -> bool {
        match self {
            Binary::Add(_) | Binary::Sub(_) | Binary::Mul(_) | Binary::Div(_) | Binary::Rem => e.is_number(),
            Binary::Min(_) | Binary::Max(_) => e.is_arithmetic(),
            Binary::Pow => e.is_basic_float(),
            Binary::And | Binary::Or | Binary::Xor => e.is_integral(),
            Binary::Shl | Binary::Shr => e.is_integral() && e != E::Bool,
        }
    }

    fn has_mode(self, e: ElementType) -> bool {
        match self {
            Binary::Add(m) | Binary::Sub(m) | Binary::Mul(m) => m.is_arithmetic(e),
            Binary::Div(m) => {
                m.is_arithmetic(e) || e == E::F32 && matches!(m.precision, Precision::Approximate | Precision::Full)
            }
            Binary::Min(m) | Binary::Max(m) => !m.flush || e == E::F32,
            _ => true,
        }
    }
}

impl Fold {
    /// Does it exist for these elements?
    pub fn takes(self, e: ElementType) -> bool {
        match self {
            Fold::Sum(_) | Fold::Prod(_) => e.is_number(),
            Fold::Min(_) | Fold::Max(_) => e.is_arithmetic(),
            Fold::And | Fold::Or | Fold::Xor => e.is_integral(),
        }
    }

    fn has_mode(self, e: ElementType) -> bool {
        match self {
            Fold::Sum(m) | Fold::Prod(m) => m.is_arithmetic(e),
            _ => true,
        }
    }
}

impl Mode {
    /// Rounding of sums and products: the four directions of IEEE 754 for basic floats; integers have no other than the default.
    fn is_arithmetic(self, e: ElementType) -> bool {
        use Rounding::*;
        self == Mode::default()
            || e.is_basic_float()
                && matches!(
                    self.precision,
                    Precision::Rounded(TiesToEven | TowardZero | TowardNegative | TowardPositive)
                )
                && self.may_flush(e)
    }

    fn may_flush(self, e: ElementType) -> bool {
        !self.flush || e == E::F32
    }
}

fn cat(first: TileType, second: TileType, dim: u8) -> Result<TileType, TileError> {
    let d = dim as usize;
    if d >= first.shape.rank() {
        return Err(TileError::Dim { dim: d, shape: first.shape });
    }
    let refused = TileError::Cat { first, second, dim };
    let (a, b) = (first.shape, second.shape);
    let fits = first.element == second.element && a.rank() == b.rank() && a.with(d, 1)? == b.with(d, 1)?;
    // a sum of powers of two is one only of equal ones
    if !fits || a.extent(d) != b.extent(d) {
        return Err(refused);
    }
    Ok(first.shaped(a.with(d, 2 * a.extent(d))?))
}

fn repack(x: TileType, to: E, dim: u8) -> Result<TileType, TileError> {
    let d = dim as usize;
    if d >= x.shape.rank() {
        return Err(TileError::Dim { dim: d, shape: x.shape });
    }
    let bits = x.shape.extent(d) * x.element.bits();
    let bytes = bits.is_multiple_of(8) || to == x.element;
    if !bits.is_multiple_of(to.bits()) || !bytes || !(bits / to.bits()).is_power_of_two() {
        return Err(TileError::Repack { from: x, to, dim });
    }
    Ok(TileType::new(to, x.shape.with(d, bits / to.bits())?))
}

/// The accumulators that operands of a type allow (cuda::tiles, `mma`).
fn accumulates(a: E, b: E, c: E) -> bool {
    match a {
        E::I8 | E::U8 => matches!(b, E::I8 | E::U8) && c == E::I32,
        E::F8E4M3 | E::F8E5M2 | E::F16 => a == b && matches!(c, E::F16 | E::F32),
        E::Bf16 | E::Tf32 | E::F32 => a == b && c == E::F32,
        E::F64 => a == b && c == E::F64,
        _ => false,
    }
}

/// The extents (M, N, K) of matrices that multiply; in batches, a batch of one is repeated.
fn extents(a: TileType, b: TileType, c: TileType) -> Option<(u32, u32, u32)> {
    let rank = c.shape.rank();
    if !(2..=3).contains(&rank) || a.shape.rank() != rank || b.shape.rank() != rank {
        return None;
    }
    let at = |t: TileType, dim: usize| t.shape.extent(rank - 2 + dim);
    let (m, n, k) = (at(c, 0), at(c, 1), at(a, 1));
    let batch = |t: TileType| t.shape.extent(0) == 1 || t.shape.extent(0) == c.shape.extent(0);
    let batches = rank == 2 || batch(a) && batch(b);
    (at(a, 0) == m && at(b, 0) == k && at(b, 1) == n && batches).then_some((m, n, k))
}

fn mma(a: TileType, b: TileType, c: TileType) -> Result<TileType, TileError> {
    match extents(a, b, c) {
        Some(_) if accumulates(a.element, b.element, c.element) => Ok(c),
        _ => Err(TileError::Mma { a, b, c }),
    }
}

/// How many elements along k share a scale (cuda::tiles, `scaled_mma`).
fn scale_lengths(matrix: E, scale: E) -> &'static [u32] {
    match (matrix, scale) {
        (E::F8E4M3 | E::F8E5M2, E::F8E8M0) => &[32],
        (E::F4E2M1, E::F8E8M0 | E::F8UE5M3) => &[16, 32],
        (E::F4E2M1, E::F8E4M3) => &[16],
        _ => &[],
    }
}

fn scaled_mma(a: TileType, b: TileType, c: TileType, sa: TileType, sb: TileType) -> Result<TileType, TileError> {
    let Some((_, _, k)) = extents(a, b, c).filter(|_| a.element == b.element && c.element == E::F32) else {
        return Err(TileError::ScaledMma { a, b, c });
    };
    let rank = c.shape.rank();
    let fits = |matrix: TileType, scale: TileType, along: usize| {
        let runs = scale.shape.extent(along);
        scale_lengths(matrix.element, scale.element).iter().any(|length| length * runs == k)
            && matrix.shape.with(along, runs) == Ok(scale.shape)
    };
    if !fits(a, sa, rank - 1) {
        return Err(TileError::Scales { matrix: a, scale: sa });
    }
    if !fits(b, sb, rank - 2) {
        return Err(TileError::Scales { matrix: b, scale: sb });
    }
    if sa.element != sb.element || sa.shape.extent(rank - 1) != sb.shape.extent(rank - 2) {
        return Err(TileError::UnlikeScales { a: sa, b: sb });
    }
    Ok(c)
}
