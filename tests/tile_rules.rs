//! What the typed layer compiles is what the run-time rules allow: each trait against [`Op::result`] or the rule that it states.
#![allow(dead_code)]

use girih::Shape;
use girih::tile::rounding::*;
use girih::tile::typed::*;
use girih::tile::*;
use std::marker::PhantomData;
use typenum::{U0, U1, U2, U3, U7, U8, Unsigned};

/// What a bound gives, if it holds: an inherent constant under the bound hides the trait's.
trait Refused<T> {
    const GIVES: Option<T> = None;
}
macro_rules! probe {
    ($name:ident<$($p:ident),*> -> $gives:ty = $value:expr, $($bounds:tt)*) => {
        struct $name<$($p),*>(PhantomData<($($p,)*)>);
        impl<$($p),*> Refused<$gives> for $name<$($p),*> {}
        impl<$($p),*> $name<$($p),*> where $($bounds)* {
            const GIVES: Option<$gives> = Some($value);
        }
    };
}
/// `$f!(a b)` for each pair of two lists.
macro_rules! each {
    ($f:ident [$($a:tt)*] $b:tt) => { $( each!(@ $f $a $b); )* };
    (@ $f:ident $a:tt [$($b:tt)*]) => { $( $f!($a $b); )* };
}
macro_rules! each_element {
    ($f:ident $b:tt) => {
        each!($f [bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 Tf32 F8E4M3 F8E5M2 F8UE5M3 F8E8M0 F4E2M1] $b)
    };
}
macro_rules! each_pair {
    ($f:ident) => {
        each_element!($f [bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 Tf32 F8E4M3 F8E5M2 F8UE5M3 F8E8M0 F4E2M1])
    };
}

fn of(e: ElementType, extents: &[u32]) -> TileType {
    TileType::new(e, Shape::new(extents).unwrap())
}

probe!(Bitcast<A, B> -> () = (), A: Bitcasts<B>);
probe!(CommonOf<A, B> -> ElementType = <A::Output as Element>::TYPE, A: Common<B>, B: Arithmetic);
probe!(Widening<A, B> -> () = (), A: Widens<B>, B: Element);
probe!(Rounds<A, B, M> -> () = (), A: RoundsTo<B, M>, B: Element, M: RoundingMode);
probe!(Saturating<A, B> -> () = (), A: SaturatesTo<B>, B: Element);

/// Which conversions between two types compile; of the rounding ones, in the order of [`Rounding::ALL`].
struct Conversions {
    bitcast: Option<()>,
    common: Option<ElementType>,
    widens: Option<()>,
    saturates: Option<()>,
    rounds: [Option<()>; 5],
}

#[test]
fn conversions_that_compile_are_those_that_exist() {
    let mut allowed = 0;
    let mut check = |a, b, compiles: Conversions| {
        let bitcast = Op::Bitcast(b).result(&[of(a, &[4])]);
        assert_eq!(compiles.bitcast.is_some(), bitcast.is_ok(), "bits of {a} as {b}");
        assert_eq!(compiles.common, common(a, b).ok(), "{a} beside {b}");
        assert_eq!(compiles.widens.is_some(), non_narrowing(a, b), "{a} stored as {b}");
        let cast = Conversion::new(a, b);
        assert_eq!(compiles.saturates.is_some(), cast.saturating().is_ok(), "{a} saturated to {b}");
        for (mode, compiles) in Rounding::ALL.into_iter().zip(compiles.rounds) {
            let exists = cast.rounded(mode).is_ok_and(|cast| Op::Cast(cast).result(&[of(a, &[4])]).is_ok());
            assert_eq!(compiles.is_some(), exists, "{a} to {b} {mode}");
            allowed += u32::from(exists);
        }
    };
    macro_rules! conversions {
        ($a:tt $b:tt) => {
            let compiles = Conversions {
                bitcast: Bitcast::<$a, $b>::GIVES,
                common: CommonOf::<$a, $b>::GIVES,
                widens: Widening::<$a, $b>::GIVES,
                saturates: Saturating::<$a, $b>::GIVES,
                rounds: [
                    Rounds::<$a, $b, TiesToEven>::GIVES,
                    Rounds::<$a, $b, TowardZero>::GIVES,
                    Rounds::<$a, $b, TowardNegative>::GIVES,
                    Rounds::<$a, $b, TowardPositive>::GIVES,
                    Rounds::<$a, $b, TiesAway>::GIVES,
                ],
            };
            check(<$a as Element>::TYPE, <$b as Element>::TYPE, compiles);
        };
    }
    each_pair!(conversions);
    assert!(allowed > 100, "{allowed}");
}

probe!(RegroupsTo<L, A, B> -> u32 = <L::Output as Unsigned>::U32, L: Regroups<A, B>);

#[test]
fn repacks_that_compile_are_those_whose_bits_regroup() {
    let check = |a, b, compiles: [(u32, Option<u32>); 5]| {
        for (length, compiles) in compiles {
            let result = Op::Repack(b, 0).result(&[of(a, &[length])]).ok();
            assert_eq!(compiles, result.map(|t| t.shape.extent(0)), "{length} {a} as {b}");
        }
    };
    macro_rules! repacks {
        ($a:tt $b:tt) => {
            let compiles = [
                (1, RegroupsTo::<N<1>, $a, $b>::GIVES),
                (2, RegroupsTo::<N<2>, $a, $b>::GIVES),
                (4, RegroupsTo::<N<4>, $a, $b>::GIVES),
                (8, RegroupsTo::<N<8>, $a, $b>::GIVES),
                (64, RegroupsTo::<N<64>, $a, $b>::GIVES),
            ];
            check(<$a as Element>::TYPE, <$b as Element>::TYPE, compiles);
        };
    }
    each_pair!(repacks);
}

macro_rules! modes {
    ($($name:ident: $bound:ident;)+) => { $( probe!($name<E, M> -> () = (), E: $bound<M>); )+ };
}
modes! {
    Sum: ArithmeticMode;
    Quotient: DivMode;
    Root: SqrtMode;
    Exponential: ExpMode;
    Flushing: FlushMode;
}

#[test]
fn modes_that_compile_are_those_of_the_operation() {
    let check = |e: ElementType, m, [sum, quotient, root, exponential, flushing]: [Option<()>; 5]| {
        let same = |compiles: Option<()>, op: Op, operands| {
            let result = op.result(&vec![of(e, &[4]); operands]);
            assert_eq!(compiles.is_some(), result.is_ok(), "{e} {op:?}");
        };
        for f in [Binary::Add(m), Binary::Sub(m), Binary::Mul(m)] {
            same(sum, Op::Binary(f), 2);
        }
        for f in [Fold::Sum(m), Fold::Prod(m)] {
            same(sum, Op::Reduce(f, 0), 1);
            same(sum, Op::Scan(f, 0, Direction::Forward), 1);
        }
        same(sum.filter(|_| e.is_basic_float()), Op::Fma(m), 3);
        same(quotient, Op::Binary(Binary::Div(m)), 2);
        same(root, Op::Unary(Unary::Sqrt(m)), 1);
        same(exponential, Op::Unary(Unary::Exp(m)), 1);
        same(exponential, Op::Unary(Unary::Tanh(m)), 1);
        same(flushing, Op::Unary(Unary::Exp2(m)), 1);
        same(flushing, Op::Unary(Unary::Rsqrt(m)), 1);
    };
    macro_rules! both {
        ($e:tt $m:tt) => {
            of_mode!($e, $m);
            of_mode!($e, Flush<$m>);
        };
    }
    macro_rules! of_mode {
        ($e:tt, $m:ty) => {
            let compiles = [
                Sum::<$e, $m>::GIVES,
                Quotient::<$e, $m>::GIVES,
                Root::<$e, $m>::GIVES,
                Exponential::<$e, $m>::GIVES,
                Flushing::<$e, $m>::GIVES,
            ];
            check(<$e as Element>::TYPE, <$m as TypedMode>::MODE, compiles);
        };
    }
    each_element!(both [TiesToEven TowardZero TowardNegative TowardPositive TiesAway Full Approximate]);
}

macro_rules! classes {
    ($($name:ident: $bound:path;)+) => { $( probe!($name<E> -> () = (), E: $bound); )+ };
}
classes! {
    IsNumber: Number;
    IsArithmetic: Arithmetic;
    IsIntegral: Integral;
    IsInteger: girih::tile::Integer;
    IsFloat: Float;
    IsBasic: BasicFloat;
}
probe!(CountsTo<E, L> -> () = (), E: Counts<L>);

/// Which classes an element type is in, and to how many elements it counts.
struct Classes {
    number: bool,
    arithmetic: bool,
    integral: bool,
    integer: bool,
    float: bool,
    basic: bool,
    counts: [(u32, bool); 8],
}

#[test]
fn classes_of_elements_are_those_that_the_operations_take() {
    let check = |e: ElementType, class: Classes| {
        let same = |compiles: bool, op: Op, operands| {
            assert_eq!(compiles, op.result(&vec![of(e, &[4]); operands]).is_ok(), "{e} {op:?}");
        };
        let default = Mode::default();
        for f in [Binary::Add(default), Binary::Sub(default), Binary::Mul(default), Binary::Div(default), Binary::Rem] {
            same(class.number, Op::Binary(f), 2);
        }
        for f in [Binary::Min(Extremum::SUPPRESS), Binary::Max(Extremum::PROPAGATE)] {
            same(class.arithmetic, Op::Binary(f), 2);
        }
        for f in [Binary::And, Binary::Or, Binary::Xor] {
            same(class.integral, Op::Binary(f), 2);
        }
        for f in [Binary::Shl, Binary::Shr] {
            same(class.integer, Op::Binary(f), 2);
        }
        same(class.basic, Op::Binary(Binary::Pow), 2);
        for f in [Fold::Min(Nan::Suppress), Fold::Max(Nan::Suppress)] {
            same(class.arithmetic, Op::Reduce(f, 0), 1);
        }
        for f in [Fold::And, Fold::Or, Fold::Xor] {
            same(class.integral, Op::Scan(f, 0, Direction::Backward), 1);
        }
        same(class.arithmetic, Op::Arg(Extreme::Max, 0), 1);
        same(class.arithmetic, Op::Compare(Compare::Lt), 2);
        same(class.number, Op::Unary(Unary::Neg), 1);
        same(class.number, Op::Unary(Unary::Abs), 1);
        same(class.integral, Op::Unary(Unary::Not), 1);
        same(class.float, Op::Unary(Unary::IsNan), 1);
        for f in [Unary::Log, Unary::Log2, Unary::Sin, Unary::Cos, Unary::Floor, Unary::Ceil] {
            same(class.basic, Op::Unary(f), 1);
        }
        for (size, compiles) in class.counts {
            assert_eq!(compiles, Op::Iota(of(e, &[size])).result(&[]).is_ok(), "{e} to {size}");
        }
    };
    macro_rules! classes {
        ($e:tt _) => {
            let classes = Classes {
                number: IsNumber::<$e>::GIVES.is_some(),
                arithmetic: IsArithmetic::<$e>::GIVES.is_some(),
                integral: IsIntegral::<$e>::GIVES.is_some(),
                integer: IsInteger::<$e>::GIVES.is_some(),
                float: IsFloat::<$e>::GIVES.is_some(),
                basic: IsBasic::<$e>::GIVES.is_some(),
                counts: [
                    (2, CountsTo::<$e, N<2>>::GIVES.is_some()),
                    (4, CountsTo::<$e, N<4>>::GIVES.is_some()),
                    (128, CountsTo::<$e, N<128>>::GIVES.is_some()),
                    (256, CountsTo::<$e, N<256>>::GIVES.is_some()),
                    (512, CountsTo::<$e, N<512>>::GIVES.is_some()),
                    (32768, CountsTo::<$e, N<32768>>::GIVES.is_some()),
                    (65536, CountsTo::<$e, N<65536>>::GIVES.is_some()),
                    (131072, CountsTo::<$e, N<131072>>::GIVES.is_some()),
                ],
            };
            check(<$e as Element>::TYPE, classes);
        };
    }
    each_element!(classes[_]);
}

probe!(Accumulating<A, B, C> -> () = (), A: Accumulates<B, C>);
probe!(ProductOf<A, B> -> ElementType = <A::Output as Element>::TYPE, A: Accumulator<B>);
probe!(Scaling<E, F, R> -> () = (), E: Scales<F, R>);

#[test]
fn products_that_compile_are_those_of_the_table() {
    type Accumulators = [(ElementType, Option<()>); 7];
    let mut allowed = 0;
    let mut check = |a, b, default: Option<ElementType>, accumulators: Accumulators, scales: [(u32, Option<()>); 4]| {
        let sums = |c| Op::Mma.result(&[of(a, &[16, 8]), of(b, &[8, 4]), of(c, &[16, 4])]).is_ok();
        for (c, compiles) in accumulators {
            assert_eq!(compiles.is_some(), sums(c), "{a} * {b} + {c}");
            allowed += u32::from(sums(c));
        }
        assert_eq!(default.is_some(), accumulators.iter().any(|(_, compiles)| compiles.is_some()), "{a} * {b}");
        assert!(default.is_none_or(sums), "{a} * {b}");
        // scales of type b
        let k = 128;
        for (run, compiles) in scales {
            let scale = [of(b, &[16, k / run]), of(b, &[k / run, 4])];
            let scaled = Op::ScaledMma.result(&[
                of(a, &[16, k]),
                of(a, &[k, 4]),
                of(ElementType::F32, &[16, 4]),
                scale[0],
                scale[1],
            ]);
            assert_eq!(compiles.is_some(), scaled.is_ok(), "{a} scaled by {b} for {run}");
        }
    };
    macro_rules! products {
        ($a:tt $b:tt) => {
            let accumulators = [
                (ElementType::I8, Accumulating::<$a, $b, i8>::GIVES),
                (ElementType::I32, Accumulating::<$a, $b, i32>::GIVES),
                (ElementType::U32, Accumulating::<$a, $b, u32>::GIVES),
                (ElementType::F16, Accumulating::<$a, $b, f16>::GIVES),
                (ElementType::Bf16, Accumulating::<$a, $b, bf16>::GIVES),
                (ElementType::F32, Accumulating::<$a, $b, f32>::GIVES),
                (ElementType::F64, Accumulating::<$a, $b, f64>::GIVES),
            ];
            let scales = [
                (8, Scaling::<$a, $b, N<8>>::GIVES),
                (16, Scaling::<$a, $b, N<16>>::GIVES),
                (32, Scaling::<$a, $b, N<32>>::GIVES),
                (64, Scaling::<$a, $b, N<64>>::GIVES),
            ];
            let default = ProductOf::<$a, $b>::GIVES;
            check(<$a as Element>::TYPE, <$b as Element>::TYPE, default, accumulators, scales);
        };
    }
    each_pair!(products);
    // 4 of 8-bit integers, 2 each of f16 and two small floats, one each of bf16, tf32, f32 and f64
    assert_eq!(allowed, 14);
}

probe!(BroadcastOf<A, B> -> Shape = A::Output::SHAPE, A: Broadcast<B>, B: TileShape);
probe!(Broadcasting<A, B> -> () = (), A: BroadcastsTo<B>, B: TileShape);
probe!(Extracting<A, B> -> () = (), A: ExtractableFrom<B>, B: TileShape);
probe!(Reshaping<A, B> -> () = (), A: TileShape, B: TileShape, A::Size: SameSize<B::Size>);
probe!(CatOf<A, B, D> -> Shape = A::Output::SHAPE, A: Cat<B, D>, B: TileShape);
probe!(MatmulOf<A, B> -> Shape = A::Output::SHAPE, A: Matmul<B>, B: TileShape);
probe!(Multiplying<A, B, C> -> () = (), A: Multiplies<B, C>, B: TileShape, C: TileShape);
probe!(Folded<A, D> -> Shape = A::Output::SHAPE, A: With<D, U1>);
probe!(TransposeOf<A> -> Shape = <A as Transpose>::Output::SHAPE, A: Transpose);

/// What compiles of two shapes.
struct Pair {
    broadcast: Option<Shape>,
    broadcasts_to: Option<()>,
    part_of: Option<()>,
    reshape: Option<()>,
    cat: [Option<Shape>; 4],
    matmul: Option<Shape>,
    multiplies: [Option<()>; 2],
}

#[test]
fn shapes_that_compile_are_those_that_fit() {
    let mut broadcast = 0;
    let mut check = |a: Shape, b: Shape, compiles: Pair| {
        let of = |shape| TileType::new(ElementType::F32, shape);
        let (x, y) = (of(a), of(b));
        assert_eq!(compiles.broadcast, a.broadcast(&b).ok(), "{a} beside {b}");
        let to = Op::Broadcast(b).result(&[x]).is_ok();
        assert_eq!(compiles.broadcasts_to.is_some(), to, "{a} to {b}");
        broadcast += u32::from(to);
        let index = vec![TileType::scalar(ElementType::I32); b.rank()];
        let extract = Op::Extract(a).result(&[&[y], &index[..]].concat());
        assert_eq!(compiles.part_of.is_some(), extract.is_ok(), "{a} of {b}");
        assert_eq!(compiles.reshape.is_some(), Op::Reshape(b).result(&[x]).is_ok(), "{a} as {b}");
        for (dim, compiles) in (0..).zip(compiles.cat) {
            assert_eq!(compiles, Op::Cat(dim).result(&[x, y]).ok().map(|t| t.shape), "{a} and {b} along {dim}");
        }
        let multiplies = |c| Op::Mma.result(&[x, y, of(c)]).is_ok();
        match compiles.matmul {
            Some(c) => assert!(multiplies(c), "{a} * {b}"),
            None => assert!(!multiplies(a) && !multiplies(b), "{a} * {b}"),
        }
        for (c, compiles) in [a, b].into_iter().zip(compiles.multiplies) {
            assert_eq!(compiles.is_some(), multiplies(c), "{a} * {b} + {c}");
        }
    };
    macro_rules! pair {
        ($a:tt $b:tt) => {{
            type A = Shape! $a;
            type B = Shape! $b;
            let compiles = Pair {
                broadcast: BroadcastOf::<A, B>::GIVES,
                broadcasts_to: Broadcasting::<A, B>::GIVES,
                part_of: Extracting::<A, B>::GIVES,
                reshape: Reshaping::<A, B>::GIVES,
                cat: [
                    CatOf::<A, B, U0>::GIVES,
                    CatOf::<A, B, U1>::GIVES,
                    CatOf::<A, B, U2>::GIVES,
                    CatOf::<A, B, U3>::GIVES,
                ],
                matmul: MatmulOf::<A, B>::GIVES,
                multiplies: [Multiplying::<A, B, A>::GIVES, Multiplying::<A, B, B>::GIVES],
            };
            check(A::SHAPE, B::SHAPE, compiles);
        }};
    }
    macro_rules! all {
        ($($list:tt)*) => { each!(pair [$($list)*] [$($list)*]) };
    }
    all!([] [1] [4] [8] [4194304] [1, 1] [4, 1] [1, 4] [4, 4] [4, 8] [8, 4] [8, 8] [1, 4, 4] [2, 4, 4] [4, 4, 8] [2, 1, 4, 4]);
    assert!(broadcast > 50, "{broadcast}");
}

#[test]
fn folds_and_transpositions_have_the_shapes_that_the_rules_give() {
    macro_rules! check {
        ($a:tt _) => {{
            type A = Shape! $a;
            let x = TileType::new(ElementType::F32, A::SHAPE);
            for (dim, compiles) in [
                (0, Folded::<A, U0>::GIVES),
                (1, Folded::<A, U1>::GIVES),
                (2, Folded::<A, U2>::GIVES),
                (7, Folded::<A, U7>::GIVES),
                (8, Folded::<A, U8>::GIVES),
            ] {
                let result = Op::Reduce(Fold::Sum(Mode::default()), dim).result(&[x]);
                assert_eq!(compiles, result.ok().map(|t| t.shape), "{x} along {dim}");
            }
            let swapped: Vec<u8> = [1, 0].into_iter().chain(2..8).take(A::SHAPE.rank()).collect();
            let transposed = if A::SHAPE.rank() < 2 { Ok(A::SHAPE) } else { A::SHAPE.permute(&swapped) };
            assert_eq!(TransposeOf::<A>::GIVES, transposed.ok());
        }};
    }
    each!(check [[] [4] [4, 8] [2, 4, 8] [1, 2, 4, 8] [1, 2, 4, 8, 16] [1, 2, 1, 2, 1, 2, 4, 8]] [_]);
}

probe!(Permuting<A, M> -> Shape = A::Output::SHAPE, A: Permute<M>);

#[test]
fn maps_that_compile_are_permutations() {
    let mut permutations = 0;
    macro_rules! check {
        ($map:ty, $dims:expr) => {
            let compiles = Permuting::<Shape![4, 2, 16], $map>::GIVES;
            let result = Op::Permute(Map::new(&$dims)).result(&[of(ElementType::I32, &[4, 2, 16])]);
            assert_eq!(compiles, result.ok().map(|t| t.shape), "{:?}", $dims);
            permutations += u32::from(compiles.is_some());
        };
    }
    macro_rules! thirds {
        ($a:ident $i:literal $b:ident $j:literal) => {
            check!(($a, $b, U0), [$i, $j, 0]);
            check!(($a, $b, U1), [$i, $j, 1]);
            check!(($a, $b, U2), [$i, $j, 2]);
            check!(($a, $b, U3), [$i, $j, 3]);
        };
    }
    macro_rules! seconds {
        ($a:ident $i:literal) => {
            thirds!($a $i U0 0);
            thirds!($a $i U1 1);
            thirds!($a $i U2 2);
            thirds!($a $i U3 3);
        };
    }
    seconds!(U0 0);
    seconds!(U1 1);
    seconds!(U2 2);
    seconds!(U3 3);
    check!((U0, U1), [0, 1]);
    check!((U0, U1, U2, U3), [0, 1, 2, 3]);
    assert_eq!(permutations, 6);
}
