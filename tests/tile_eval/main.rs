//! Operations on tiles against plain definitions of them.

mod elementwise;
mod errors;
mod folds;
mod products;
mod reference;
mod rounding;
mod shapes;
mod table;

use girih::tile::{AnyTile, ElementType, Op, Shape, TileType};

/// `$body` with `$E` as the Rust type of an element type.
macro_rules! with {
    ($element:expr, $E:ident => $body:expr) => {
        with!(@ $element, $E => $body,
            Bool: bool, I8: i8, U8: u8, I16: i16, U16: u16, I32: i32, U32: u32, I64: i64, U64: u64,
            F16: half::f16, Bf16: half::bf16, F32: f32, F64: f64, Tf32: girih::tile::Tf32, F8E4M3: girih::tile::F8E4M3,
            F8E5M2: girih::tile::F8E5M2, F8UE5M3: girih::tile::F8UE5M3, F8E8M0: girih::tile::F8E8M0,
            F4E2M1: girih::tile::F4E2M1)
    };
    (@ $element:expr, $E:ident => $body:expr, $($variant:ident: $t:ty),+) => {
        match $element {
            $(girih::tile::ElementType::$variant => { type $E = $t; $body })+
        }
    };
}
use with;

/// The codes of elements in row-major order.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    ty: TileType,
    codes: Vec<u64>,
}

impl Plain {
    fn new(ty: TileType, codes: impl IntoIterator<Item = u64>) -> Plain {
        let plain = Plain { ty, codes: codes.into_iter().collect() };
        assert_eq!(plain.codes.len(), ty.shape.size());
        plain
    }

    fn scalar(element: ElementType, code: u64) -> Plain {
        Plain::new(TileType::scalar(element), [code])
    }

    fn tile(&self) -> AnyTile {
        AnyTile::from_codes(self.ty, &self.codes).unwrap()
    }

    fn of(tile: &AnyTile) -> Plain {
        Plain::new(tile.ty(), tile.codes())
    }
}

fn shape(extents: &[u32]) -> Shape {
    Shape::new(extents).unwrap()
}

/// The result of an operation on tiles in row-major order.
fn run(op: Op, operands: &[Plain]) -> Plain {
    let tiles: Vec<_> = operands.iter().map(Plain::tile).collect();
    let result = op.eval(&tiles.iter().collect::<Vec<_>>()).unwrap_or_else(|e| panic!("{op:?}: {e}"));
    assert_eq!(op.result(&operands.iter().map(|x| x.ty).collect::<Vec<_>>()), Ok(result.ty()));
    Plain::of(&result)
}

/// Is it what the plain definition gives?
#[track_caller]
fn check(op: Op, operands: &[Plain]) {
    let (got, expected) = (run(op, operands), reference::eval(&op, operands));
    assert_eq!(got.ty, expected.ty, "{op:?}");
    // the reference computes in doubles and has one NaN; which one arithmetic on them gives, `rounding` tests
    let arithmetic = matches!(op, Op::Unary(_) | Op::Binary(_) | Op::Fma(_) | Op::Reduce(..) | Op::Scan(..));
    let is_nan = |code: u64| arithmetic && got.ty.element == ElementType::F64 && f64::from_bits(code).is_nan();
    for (i, (g, e)) in got.codes.iter().zip(&expected.codes).enumerate() {
        if is_nan(*g) && is_nan(*e) {
            continue;
        }
        assert_eq!(
            g,
            e,
            "{op:?} of {:?} at {i}: {g:#x}, not {e:#x}; operands {:x?}",
            operands[0].ty,
            near(operands, i)
        );
    }
}

fn near(operands: &[Plain], i: usize) -> Vec<Option<&u64>> {
    operands.iter().map(|x| x.codes.get(i)).collect()
}

/// Numbers without end: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Codes of a type: all those at the ends of ranges, and any others.
    fn codes(&mut self, element: ElementType, count: usize) -> Vec<u64> {
        let mask = u64::MAX >> (64 - element.bits());
        let top = 1 << (element.bits() - 1);
        let special = [0, 1, 2, 3, top - 1, top, top + 1, mask, mask - 1, self.one(element), self.one(element) + 1];
        let code = |_| match self.next() {
            n if n % 4 == 0 => special[(n >> 8) as usize % special.len()] & mask,
            // halves of the exponents of floats: sums and products that are numbers
            n if n % 4 == 1 && element.is_float() => n >> 8 & mask & !(top >> 1) | ((n & 4) * (top >> 3)),
            n => n >> 8 & mask,
        };
        (0..count).map(code).map(|c| c & mask).collect()
    }

    fn one(&self, element: ElementType) -> u64 {
        with!(element, E => girih::tile::Element::to_bits(reference::number::<E>(1.0)))
    }

    fn plain(&mut self, element: ElementType, shape: Shape) -> Plain {
        Plain::new(TileType::new(element, shape), self.codes(element, shape.size()))
    }
}
