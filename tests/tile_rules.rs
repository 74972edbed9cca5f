//! What the typed layer compiles is what the run-time rules allow: each trait against [`Op::result`] or the rule that it states.
#![allow(dead_code)]

use girih::Shape;
use girih::tile::rounding::*;
use girih::tile::typed::*;
use girih::tile::*;
use std::marker::PhantomData;
use typenum::*;

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
const fn ty<E: Element>(_: PhantomData<E>) -> ElementType {
    E::TYPE
}

probe!(Bitcast<A, B> -> () = (), A: Bitcasts<B>);
probe!(CommonOf<A, B> -> ElementType = <A::Output as Element>::TYPE, A: Common<B>, B: Arithmetic);
probe!(Widening<A, B> -> () = (), A: Widens<B>, B: Element);
probe!(Rounding_<A, B, M> -> () = (), A: RoundsTo<B, M>, B: Element, M: RoundingMode);
probe!(Saturating<A, B> -> () = (), A: SaturatesTo<B>, B: Element);

#[test]
fn conversions_that_compile_are_those_that_exist() {
    let mut allowed = 0;
    macro_rules! check {
        ($a:tt $b:tt) => {
            let (a, b) = (<$a as Element>::TYPE, <$b as Element>::TYPE);
            let ok = |op: Op| op.result(&[of(a, &[4])]).is_ok();
            assert_eq!(Bitcast::<$a, $b>::GIVES.is_some(), ok(Op::Bitcast(b)), "bits of {a} as {b}");
            assert_eq!(CommonOf::<$a, $b>::GIVES, common(a, b).ok(), "{a} beside {b}");
            assert_eq!(Widening::<$a, $b>::GIVES.is_some(), non_narrowing(a, b), "{a} stored as {b}");
            let cast = Conversion::new(a, b);
            assert_eq!(Saturating::<$a, $b>::GIVES.is_some(), cast.saturating().is_ok(), "{a} saturated to {b}");
            for (mode, compiles) in [
                (Rounding::TiesToEven, Rounding_::<$a, $b, TiesToEven>::GIVES),
                (Rounding::TowardZero, Rounding_::<$a, $b, TowardZero>::GIVES),
                (Rounding::TowardNegative, Rounding_::<$a, $b, TowardNegative>::GIVES),
                (Rounding::TowardPositive, Rounding_::<$a, $b, TowardPositive>::GIVES),
                (Rounding::TiesAway, Rounding_::<$a, $b, TiesAway>::GIVES),
            ] {
                let exists = cast.rounded(mode).is_ok_and(|cast| ok(Op::Cast(cast)));
                assert_eq!(compiles.is_some(), exists, "{a} to {b} {mode}");
                allowed += u32::from(exists);
            }
        };
    }
    each_pair!(check);
    assert!(allowed > 100, "{allowed}");
}

probe!(RegroupsTo<L, A, B> -> u32 = <L::Output as Unsigned>::U32, L: Regroups<A, B>);

#[test]
fn repacks_that_compile_are_those_whose_bits_regroup() {
    macro_rules! check {
        ($a:tt $b:tt) => {
            let (a, b) = (<$a as Element>::TYPE, <$b as Element>::TYPE);
            for (length, compiles) in [
                (1, RegroupsTo::<N<1>, $a, $b>::GIVES),
                (2, RegroupsTo::<N<2>, $a, $b>::GIVES),
                (4, RegroupsTo::<N<4>, $a, $b>::GIVES),
                (8, RegroupsTo::<N<8>, $a, $b>::GIVES),
                (64, RegroupsTo::<N<64>, $a, $b>::GIVES),
            ] {
                let result = Op::Repack(b, 0).result(&[of(a, &[length])]).ok();
                assert_eq!(compiles, result.map(|t| t.shape.extent(0)), "{length} {a} as {b}");
            }
        };
    }
    each_pair!(check);
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
    macro_rules! check {
        ($e:tt $m:tt) => {
            checked!($e $m);
            checked!($e (Flush<$m>));
        };
    }
    macro_rules! checked {
        ($e:tt $m:tt) => {
            let (e, m) = (<$e as Element>::TYPE, <unwrap!($m) as TypedMode>::MODE);
            let ok = |op: Op, n: usize| op.result(&vec![of(e, &[4]); n]).is_ok();
            let sum = Sum::<$e, unwrap!($m)>::GIVES.is_some();
            for f in [Binary::Add(m), Binary::Sub(m), Binary::Mul(m)] {
                assert_eq!(sum, ok(Op::Binary(f), 2), "{e} {f:?}");
            }
            for f in [Fold::Sum(m), Fold::Prod(m)] {
                assert_eq!(sum, ok(Op::Reduce(f, 0), 1), "{e} {f:?}");
                assert_eq!(sum, ok(Op::Scan(f, 0, Direction::Forward), 1), "{e} {f:?}");
            }
            assert_eq!(sum && e.is_basic_float(), ok(Op::Fma(m), 3), "{e} fma {m:?}");
            let div = Quotient::<$e, unwrap!($m)>::GIVES.is_some();
            assert_eq!(div, ok(Op::Binary(Binary::Div(m)), 2), "{e} / {m:?}");
            for (compiles, f) in [
                (Root::<$e, unwrap!($m)>::GIVES, Unary::Sqrt(m)),
                (Exponential::<$e, unwrap!($m)>::GIVES, Unary::Exp(m)),
                (Exponential::<$e, unwrap!($m)>::GIVES, Unary::Tanh(m)),
                (Flushing::<$e, unwrap!($m)>::GIVES, Unary::Exp2(m)),
                (Flushing::<$e, unwrap!($m)>::GIVES, Unary::Rsqrt(m)),
            ] {
                assert_eq!(compiles.is_some(), ok(Op::Unary(f), 1), "{e} {f:?}");
            }
        };
    }
    macro_rules! unwrap {
        (($($t:tt)*)) => { $($t)* };
        ($t:tt) => { $t };
    }
    each_element!(check [TiesToEven TowardZero TowardNegative TowardPositive TiesAway Full Approximate]);
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
    Counts2: Counts<N<2>>;
    Counts4: Counts<N<4>>;
    Counts128: Counts<N<128>>;
    Counts256: Counts<N<256>>;
    Counts512: Counts<N<512>>;
    Counts32768: Counts<N<32768>>;
    Counts65536: Counts<N<65536>>;
    Counts131072: Counts<N<131072>>;
}

#[test]
fn classes_of_elements_are_those_that_the_operations_take() {
    macro_rules! check {
        ($e:tt _) => {
            let e = <$e as Element>::TYPE;
            let ok = |op: Op, n: usize| op.result(&vec![of(e, &[4]); n]).is_ok();
            let (number, arithmetic) = (IsNumber::<$e>::GIVES.is_some(), IsArithmetic::<$e>::GIVES.is_some());
            let (integral, integer) = (IsIntegral::<$e>::GIVES.is_some(), IsInteger::<$e>::GIVES.is_some());
            let (float, basic) = (IsFloat::<$e>::GIVES.is_some(), IsBasic::<$e>::GIVES.is_some());
            let default = Mode::default();
            for f in [Binary::Add(default), Binary::Sub(default), Binary::Mul(default), Binary::Div(default), Binary::Rem] {
                assert_eq!(number, ok(Op::Binary(f), 2), "{e} {f:?}");
            }
            for f in [Binary::Min(Nan::Suppress), Binary::Max(Nan::Propagate)] {
                assert_eq!(arithmetic, ok(Op::Binary(f), 2), "{e} {f:?}");
            }
            for f in [Binary::And, Binary::Or, Binary::Xor] {
                assert_eq!(integral, ok(Op::Binary(f), 2), "{e} {f:?}");
            }
            for f in [Binary::Shl, Binary::Shr] {
                assert_eq!(integer, ok(Op::Binary(f), 2), "{e} {f:?}");
            }
            assert_eq!(basic, ok(Op::Binary(Binary::Pow), 2), "{e} pow");
            for f in [Fold::Min(Nan::Suppress), Fold::Max(Nan::Suppress)] {
                assert_eq!(arithmetic, ok(Op::Reduce(f, 0), 1), "{e} {f:?}");
            }
            for f in [Fold::And, Fold::Or, Fold::Xor] {
                assert_eq!(integral, ok(Op::Scan(f, 0, Direction::Backward), 1), "{e} {f:?}");
            }
            assert_eq!(arithmetic, ok(Op::Arg(Extreme::Max, 0), 1), "{e} argmax");
            assert_eq!(arithmetic, ok(Op::Compare(Compare::Lt), 2), "{e} <");
            assert_eq!(number, ok(Op::Unary(Unary::Neg), 1), "-{e}");
            assert_eq!(number, ok(Op::Unary(Unary::Abs), 1), "{e} abs");
            assert_eq!(integral, ok(Op::Unary(Unary::Not), 1), "!{e}");
            assert_eq!(float, ok(Op::Unary(Unary::IsNan), 1), "{e} isnan");
            for f in [Unary::Log, Unary::Log2, Unary::Sin, Unary::Cos, Unary::Floor, Unary::Ceil] {
                assert_eq!(basic, ok(Op::Unary(f), 1), "{e} {f:?}");
            }
            for (size, compiles) in [
                (2, Counts2::<$e>::GIVES),
                (4, Counts4::<$e>::GIVES),
                (128, Counts128::<$e>::GIVES),
                (256, Counts256::<$e>::GIVES),
                (512, Counts512::<$e>::GIVES),
                (32768, Counts32768::<$e>::GIVES),
                (65536, Counts65536::<$e>::GIVES),
                (131072, Counts131072::<$e>::GIVES),
            ] {
                assert_eq!(compiles.is_some(), Op::Iota(of(e, &[size])).result(&[]).is_ok(), "{e} to {size}");
            }
        };
    }
    each_element!(check[_]);
}

probe!(Accumulating<A, B, C> -> () = (), A: Accumulates<B, C>);
probe!(Product_<A, B> -> ElementType = <A::Output as Element>::TYPE, A: Accumulator<B>);
probe!(Scaling<E, F, R> -> () = (), E: Scales<F, R>);

#[test]
fn products_that_compile_are_those_of_the_table() {
    let mut allowed = 0;
    macro_rules! check {
        ($a:tt $b:tt) => {
            let (a, b) = (<$a as Element>::TYPE, <$b as Element>::TYPE);
            let ok = |c| Op::Mma.result(&[of(a, &[16, 8]), of(b, &[8, 4]), of(c, &[16, 4])]).is_ok();
            let accumulators = [
                (ElementType::I8, Accumulating::<$a, $b, i8>::GIVES),
                (ElementType::I32, Accumulating::<$a, $b, i32>::GIVES),
                (ElementType::U32, Accumulating::<$a, $b, u32>::GIVES),
                (ElementType::F16, Accumulating::<$a, $b, f16>::GIVES),
                (ElementType::Bf16, Accumulating::<$a, $b, bf16>::GIVES),
                (ElementType::F32, Accumulating::<$a, $b, f32>::GIVES),
                (ElementType::F64, Accumulating::<$a, $b, f64>::GIVES),
            ];
            for (c, compiles) in accumulators {
                assert_eq!(compiles.is_some(), ok(c), "{a} * {b} + {c}");
                allowed += u32::from(ok(c));
            }
            let default = Product_::<$a, $b>::GIVES;
            assert_eq!(default.is_some(), accumulators.iter().any(|(_, compiles)| compiles.is_some()), "{a} * {b}");
            assert!(default.is_none_or(ok), "{a} * {b}");
            // scales of type b
            let (c, k) = (ElementType::F32, 128);
            for (run, compiles) in [
                (8, Scaling::<$a, $b, N<8>>::GIVES),
                (16, Scaling::<$a, $b, N<16>>::GIVES),
                (32, Scaling::<$a, $b, N<32>>::GIVES),
                (64, Scaling::<$a, $b, N<64>>::GIVES),
            ] {
                let scaled = Op::ScaledMma.result(&[
                    of(a, &[16, k]),
                    of(a, &[k, 4]),
                    of(c, &[16, 4]),
                    of(b, &[16, k / run]),
                    of(b, &[k / run, 4]),
                ]);
                assert_eq!(compiles.is_some(), scaled.is_ok(), "{a} scaled by {b} for {run}");
            }
        };
    }
    each_pair!(check);
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

#[test]
fn shapes_that_compile_are_those_that_fit() {
    let mut broadcast = 0;
    macro_rules! check {
        ($a:tt $b:tt) => {
            type A = Shape! $a;
            type B = Shape! $b;
            let (a, b) = (A::SHAPE, B::SHAPE);
            let (x, y) = (TileType::new(ElementType::F32, a), TileType::new(ElementType::F32, b));
            assert_eq!(BroadcastOf::<A, B>::GIVES, a.broadcast(&b).ok(), "{a} beside {b}");
            let to = Op::Broadcast(b).result(&[x]).is_ok();
            assert_eq!(Broadcasting::<A, B>::GIVES.is_some(), to, "{a} to {b}");
            broadcast += u32::from(to);
            assert_eq!(Extracting::<A, B>::GIVES.is_some(), a.divides(&b), "{a} of {b}");
            assert_eq!(Reshaping::<A, B>::GIVES.is_some(), Op::Reshape(b).result(&[x]).is_ok(), "{a} as {b}");
            for (dim, compiles) in [
                (0, CatOf::<A, B, U0>::GIVES),
                (1, CatOf::<A, B, U1>::GIVES),
                (2, CatOf::<A, B, U2>::GIVES),
                (3, CatOf::<A, B, U3>::GIVES),
            ] {
                assert_eq!(compiles, Op::Cat(dim).result(&[x, y]).ok().map(|t| t.shape), "{a} and {b} along {dim}");
            }
            // the product, if there is one, and the same for an accumulator of that shape or another
            let product = MatmulOf::<A, B>::GIVES;
            let multiplies = |c: Shape| Op::Mma.result(&[x, y, TileType::new(ElementType::F32, c)]).is_ok();
            match product {
                Some(c) => assert!(multiplies(c), "{a} * {b}"),
                None => assert!(!multiplies(a) && !multiplies(b), "{a} * {b}"),
            }
            assert_eq!(Multiplying::<A, B, A>::GIVES.is_some(), multiplies(a), "{a} * {b} + {a}");
            assert_eq!(Multiplying::<A, B, B>::GIVES.is_some(), multiplies(b), "{a} * {b} + {b}");
        };
    }
    macro_rules! scoped {
        ($a:tt $b:tt) => {{ check!($a $b); }};
    }
    macro_rules! all {
        ($($list:tt)*) => { each!(scoped [$($list)*] [$($list)*]) };
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
        ($map:tt $dims:tt) => {
            let compiles = Permuting::<Shape![4, 2, 16], unparenthesised!($map)>::GIVES;
            let result = Op::Permute(Map::new(&$dims)).result(&[of(ElementType::I32, &[4, 2, 16])]);
            assert_eq!(compiles, result.ok().map(|t| t.shape), "{:?}", $dims);
            permutations += u32::from(compiles.is_some());
        };
    }
    macro_rules! unparenthesised {
        ($map:tt) => {
            $map
        };
    }
    macro_rules! thirds {
        ($a:ident $i:literal $b:ident $j:literal) => {
            check!(($a, $b, U0) [$i, $j, 0]);
            check!(($a, $b, U1) [$i, $j, 1]);
            check!(($a, $b, U2) [$i, $j, 2]);
            check!(($a, $b, U3) [$i, $j, 3]);
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
    check!((U0, U1) [0, 1]);
    check!((U0, U1, U2, U3) [0, 1, 2, 3]);
    assert_eq!(permutations, 6);
}
