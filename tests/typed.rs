//! The static layer says what the run-time layer says.
#![allow(clippy::result_large_err)]

use girih::prelude::*;

girih::symbols!(M, N, Lda);

type A = L<(U4, (U2, U6)), (U12, (C<48>, U2))>;
type B = L<(U6, U2), (U8, U2)>;
type Smem = Swizzled<S<3, 3, 3>, Row<(U16, U64)>>;

/// The type's constant is the method's result, an error included.
#[track_caller]
fn same<T: PartialEq + Copy + std::fmt::Debug, E: std::fmt::Display>(fixed: Result<T, &Error>, dynamic: Result<T, E>) {
    match (fixed, dynamic) {
        (Ok(a), Ok(b)) => assert_eq!(a, b),
        (Err(a), Err(b)) => assert!(a.to_string().ends_with(&b.to_string()), "{a} is not {b}"),
        (a, b) => panic!("{a:?} is not {:?}", b.map_err(|e| e.to_string())),
    }
}

macro_rules! agree {
    ($($type:ty, $dynamic:expr;)+) => {$( same(<$type as StaticLayout>::RESULT, $dynamic); )+};
    (as $trait:ident; $($type:ty, $dynamic:expr;)+) => {$( same(<$type as $trait>::RESULT, $dynamic); )+};
}
fn ok<T>(v: T) -> Result<T, Error> {
    Ok(v)
}

#[test]
fn leaves_are_integers_symbols_products_and_basis_strides() {
    agree! {
        L<(U4, C<3>), (C<-1>, U4)>, "(4,3):(-1,4)".parse::<Layout>();
        L<typenum::P4, typenum::N2>, "4:-2".parse::<Layout>();
        L<(U4, U4), (typenum::Z0, U0)>, "(4,4):(0,0)".parse::<Layout>();
        L<(Sym<M, 8>, Sym<N>), (U1, Sym<Lda>)>, "(?M{8},?N):(1,?Lda)".parse::<Layout>();
        L<(U2, U2), (Times<U3, Sym<M>>, Times<Sym<M>, Sym<N>>)>, "(2,2):(3*?M,?M*?N)".parse::<Layout>();
        L<(U8, U4, U2), (E<0>, E<1, E<0>>, E<1, E<1, U3>>)>, "(8,4,2):(1@0,1@0@1,3@1@1)".parse::<Layout>();
        L<(U0, U4), (U1, U1)>, Layout::new(&ints!((0, 4)), &ints!((1, 1)));
        L<(Keep, U4), (U1, U1)>, Layout::new(&ints!((_, 4)), &ints!((1, 1)));
        L<(U4, U8), (U8, (U1, U2))>, Layout::new(&ints!((4, 8)), &ints!((8, (1, 2))));
    }
}

#[test]
fn tuples_have_up_to_twelve_modes() {
    type T = (U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, (U12, U13));
    assert_eq!(T::TUPLE, ints!((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, (12, 13))));
    assert_eq!(<(U1,)>::TUPLE, ints!((1)).product_each().unwrap());
}

#[test]
fn tilers_are_integers_layouts_keep_and_tuples_of_them() {
    let t = |s: &str| s.parse::<Tiler>();
    agree! { as StaticTiler;
        (U16, U8), t("<16:1,8:1>");
        (U16, Keep, L<(U2, U4), (U1, U8)>), t("<16:1,_,(2,4):(1,8)>");
        ((U2, L<U4, U2>), U8), t("<<2,4:2>,8>");
        ShapeOf<Col<U4>>, Tiler::shape(&ints!(4));
        U0, Tiler::shape(&ints!(0));
    }
}

#[test]
fn constructions_agree() {
    let s = ints!((2, (3, 4)));
    agree! {
        Col<(U2, (U3, U4))>, Layout::column_major(&s);
        Row<(U2, (U3, U4))>, Layout::row_major(&s);
        Ordered<(U2, U3, U4), (U2, U0, U1)>, Layout::ordered(&ints!((2, 3, 4)), &ints!((2, 0, 1)));
        Ordered<(U2, U3), (U1, U1)>, Layout::ordered(&ints!((2, 3)), &ints!((1, 1)));
        Identity<(U2, (U3, U4))>, Layout::identity(&s);
        Modes<(A, B)>, Layout::tuple(&[A::LAYOUT, B::LAYOUT]);
    }
}

#[test]
fn structural_operators_agree() {
    let (a, b) = (A::LAYOUT, B::LAYOUT);
    agree! {
        Mode<A, 1>, a.mode(1);
        Mode<A, 2>, a.mode(2);
        Take<A, 0, 1>, a.take(0, 1);
        Select<A, (U1, U0, U1)>, a.select(&[1, 0, 1]);
        Flatten<A>, ok(a.flatten());
        Unflatten<A, (U0, U0, U0)>, a.unflatten(&ints!((0, 0, 0)));
        Unflatten<A, (U0, U0)>, a.unflatten(&ints!((0, 0)));
        Group<Flatten<A>, 1, 3>, a.flatten().group(1, 3);
        Append<A, B>, a.append(&b);
        Prepend<A, B>, a.prepend(&b);
        Insert<A, B, 1>, a.insert(1, &b);
        Replace<A, B, 1>, a.replace(1, &b);
        PadRank<A, 4>, a.pad_rank(4);
        PadRank<A, 1>, a.pad_rank(1);
        Reverse<A>, a.reverse();
        Zip<A, B>, a.zip(&b);
        Zip<A, L<U4, U1>>, a.zip(&layout!(4:1));
        Transpose<Zip<A, B>>, a.zip(&b).unwrap().transpose();
        Slice<A, (Keep, (U1, Keep))>, a.slice(&ints!((_, (1, _)))).map(|p| p.0);
        Slice<A, (U4, Keep)>, a.slice(&ints!((4, _))).map(|p| p.0);
        Dice<A, (U1, Keep)>, a.dice(&ints!((1, _)));
    }
    agree! { as StaticTuple;
        ShapeOf<A>, ok(a.shape());
        StrideOf<A>, ok(a.stride());
        SizeOf<A>, ok(IntTuple::int(48));
        CosizeOf<A>, ok(IntTuple::int(a.cosize().unwrap()));
        ProductEach<ShapeOf<A>>, a.shape().product_each();
        OffsetOf<Slice<A, (U3, (U1, Keep))>>, ok(IntTuple::int(3 * 12 + 48));
    }
}

#[test]
fn algebra_operators_agree() {
    let (a, b) = (A::LAYOUT, B::LAYOUT);
    let p = ints!((0, 0));
    agree! {
        Coalesce<A>, ok(a.coalesce());
        CoalesceExtended<Append<A, L<U1, U7>>>, ok(a.append(&layout!(1:7)).unwrap().coalesce_extended());
        CoalesceByMode<A, (U0, U0)>, a.coalesce_by_mode(&p);
        CoalesceByMode<A, (U0, U0, U0)>, a.coalesce_by_mode(&ints!((0, 0, 0)));
        FilterZeros<L<(U2, U4), (U1, U0)>>, ok(layout!((2,4):(1,0)).filter_zeros());
        Filter<L<(U2, U4), (U1, U0)>>, ok(layout!((2,4):(1,0)).filter());
        FilterByMode<A, (U0, U0)>, a.filter_by_mode(&p);
        Compose<B, L<(U4, U3), (U3, U1)>>, b.compose(&layout!((4,3):(3,1)));
        Compose<A, L<U6, U5>>, a.compose(&layout!(6:5));
        ComposeExtended<B, Col<U24>>, b.compose_extended(&layout!(24:1));
        ComposeByMode<B, (U3, U2)>, b.compose_by_mode(&tiler![3, 2]);
        ComposeByMode<B, (U3, U2, U1)>, b.compose_by_mode(&tiler![3, 2, 1]);
        ComposeExtendedByMode<B, (U12, U2)>, b.compose_extended_by_mode(&tiler![12, 2]);
        WithShape<A, (U8, U6)>, a.with_shape(&ints!((8, 6)));
        WithShape<A, (U5, U6)>, a.with_shape(&ints!((5, 6)));
        Complement<L<U4, U2>, (U4, U6)>, layout!(4:2).complement(24);
        Complement<L<(U2, U2), (U2, U3)>, U19>, layout!((2,2):(2,3)).complement(19);
        Complement<L<U4, U2>, Sym<M>>, layout!(4:2).complement_in(&"?M".parse().unwrap());
        ComplementExact<L<U4, U2>, U24>, layout!(4:2).complement_exact(24);
        ComplementExact<L<U4, U2>, U20>, layout!(4:2).complement_exact(20);
        RightInverse<A>, a.right_inverse();
        LeftInverse<Row<(U4, U8)>>, layout!((4,8):(8,1)).left_inverse();
        LeftInverse<L<(U2, U2), (U2, U3)>>, layout!((2,2):(2,3)).left_inverse();
        MaxCommonLayout<Col<(U4, U8)>, Col<(U4, U2)>>, layout!((4,8):(1,4)).max_common_layout(&layout!((4,2):(1,4)));
        Nullspace<L<(U2, U4), (U1, U0)>>, layout!((2,4):(1,0)).nullspace();
        DomainDistribute<(U4, U8), 8>, ints!((4, 8)).domain_distribute(8);
        LayoutLike<A>, a.make_layout_like();
        FragmentLike<A>, a.make_fragment_like();
        Upcast<Col<(U8, U4)>, 4>, layout!((8,4):(1,8)).upcast(4);
        Upcast<Col<(U6, U4)>, 4>, layout!((6,4):(1,6)).upcast(4);
        UpcastCeil<Col<U6>, 4>, layout!(6:1).upcast_ceil(4);
        Downcast<Col<(U8, U4)>, 4>, layout!((8,4):(1,8)).downcast(4);
        Recast<Col<(U8, U4)>, 16, 32>, layout!((8,4):(1,8)).recast(16, 32);
        RecastCeil<Col<U6>, 8, 32>, layout!(6:1).recast_ceil(8, 32);
    }
    agree! { as StaticTuple;
        MaxCommonVector<Col<(U4, U8)>, Col<(U4, U2)>>, ok(IntTuple::int(8));
        MaxAlignment<A>, a.max_alignment().map(IntTuple::int);
        CeilDiv<(U10, U6), (U4, U4)>, ints!((10, 6)).ceil_div(&ints!((4, 4)));
        ShapeDiv<(U10, U6), (U4, U4)>, ints!((10, 6)).shape_div(&ints!((4, 4)));
        RoundUp<(U10, U6), (U4, U4)>, ints!((10, 6)).round_up(&ints!((4, 4)));
        ElemScale<(U10, U6), (U4, (U2, U2))>, ints!((10, 6)).elem_scale(&ints!((4, (2, 2))));
    }
}

#[test]
fn divides_and_products_agree() {
    type G = Col<(U8, U6)>;
    type Bad = Col<(U10, U6)>;
    type T = (U4, L<U2, U3>);
    let (g, bad) = (G::LAYOUT, Bad::LAYOUT);
    let t = tiler![4, 2:3];
    agree! {
        LogicalDivide<A, L<U4, U3>>, A::LAYOUT.logical_divide(&layout!(4:3));
        LogicalDivide<A, L<U4, U5>>, A::LAYOUT.logical_divide(&layout!(4:5));
        LogicalDivideByMode<G, T>, g.logical_divide_by_mode(&t);
        ZippedDivide<G, T>, g.zipped_divide(&t);
        ZippedDivide<Bad, T>, bad.zipped_divide(&t);
        TiledDivide<G, T>, g.tiled_divide(&t);
        FlatDivide<G, T>, g.flat_divide(&t);
        LogicalDivideCeil<A, L<U5, U1>>, A::LAYOUT.logical_divide_ceil(&layout!(5:1)).map(|g| g.layout);
        LogicalDivideByModeCeil<Bad, T>, bad.logical_divide_by_mode_ceil(&t).map(|g| g.layout);
        ZippedDivideCeil<Bad, T>, bad.zipped_divide_ceil(&t).map(|g| g.layout);
        TiledDivideCeil<Bad, T>, bad.tiled_divide_ceil(&t).map(|g| g.layout);
        FlatDivideCeil<Bad, T>, bad.flat_divide_ceil(&t).map(|g| g.layout);
        GuardCoord<ZippedDivideCeil<Bad, T>>, bad.zipped_divide_ceil(&t).map(|g| g.guard.coord);
        LogicalProduct<B, L<U6, U1>>, B::LAYOUT.logical_product(&layout!(6:1));
        LogicalProduct<B, L<U6, C<-1>>>, B::LAYOUT.logical_product(&layout!(6:-1));
        LogicalProductByMode<G, T>, g.logical_product_by_mode(&t);
        ZippedProduct<G, T>, g.zipped_product(&t);
        TiledProduct<G, T>, g.tiled_product(&t);
        FlatProduct<G, T>, g.flat_product(&t);
        BlockedProduct<B, G>, B::LAYOUT.blocked_product(&g);
        RakedProduct<B, G>, B::LAYOUT.raked_product(&g);
        TileToShape<G, (U16, U18)>, g.tile_to_shape(&ints!((16, 18)));
        TileToShape<G, (U16, U20)>, g.tile_to_shape(&ints!((16, 20)));
        TileToShapeOrdered<G, (U16, U18), (U1, U0)>, g.tile_to_shape_ordered(&ints!((16, 18)), &ints!((1, 0)));
        TileToShapeCeil<G, (U16, U20)>, g.tile_to_shape_ceil(&ints!((16, 20))).map(|g| g.layout);
    }
    agree! { as StaticTuple;
        GuardLimit<ZippedDivideCeil<Bad, T>>, bad.zipped_divide_ceil(&t).map(|g| g.guard.limit);
    }
}

#[test]
fn partitions_agree() {
    type G = Col<(U8, U6)>;
    let (g, t, c) = (G::LAYOUT, tiler![4, 2], ints!((1, 1)));
    let threads = layout!((4,2):(1,4));
    macro_rules! part {
        ($($type:ty, $dynamic:expr;)+) => {$(
            let (l, offset) = $dynamic.unwrap();
            same(<$type as StaticLayout>::RESULT, ok(l));
            assert_eq!(OffsetOf::<$type>::INT.value(), offset.value());
        )+};
    }
    part! {
        InnerPartition<G, (U4, U2), (U1, U1)>, g.inner_partition(&t, &c);
        OuterPartition<G, (U4, U2), (U1, U1)>, g.outer_partition(&t, &c);
        LocalTile<G, (U4, U2), (U1, U1)>, g.local_tile(&t, &c);
        LocalTileProjected<G, (U4, U3, U2), (U1, U7, U1), (U1, Keep, U1)>,
            g.local_tile_projected(&tiler![4, 3, 2], &ints!((1, 7, 1)), &ints!((1, _, 1)));
        LocalPartition<G, Col<(U4, U2)>, 6>, g.local_partition(&threads, 6);
        LocalPartitionProjected<G, Col<(U4, U5, U2)>, (U1, Keep, U1), 39>,
            g.local_partition_projected(&layout!((4,5,2):(1,4,20)), 39, &ints!((1, _, 1)));
    }
    agree! {
        LocalTile<G, (U4, U2), (U2, U0)>, g.local_tile(&t, &ints!((2, 0))).map(|p| p.0);
        LocalPartition<G, Col<(U4, U2)>, 8>, g.local_partition(&threads, 8).map(|p| p.0);
    }
}

#[test]
fn swizzled_operators_agree() {
    let s = Smem::COMPOSED;
    assert_eq!(s, "S<3,3,3> o 0 o (16,64):(64,1)".parse().unwrap());
    type OnBytes = Swizzled<S<3, 4, 3, 8>, Col<U64>, 5>;
    assert_eq!(OnBytes::COMPOSED.to_string(), "S<3,4,3>[8b] o 5 o 64:1");
    agree! { as StaticComposed;
        Swizzled<S<3, 0, 1>, Col<U4>>, Swizzle::new(3, 0, 1).map(|_| s);
        Mode<Smem, 1>, s.mode(1);
        Take<Smem, 0, 1>, s.take(0, 1);
        Flatten<Smem>, ok(s.flatten());
        Group<Smem, 0, 2>, s.group(0, 2);
        Append<Smem, L<U2, C<1024>>>, s.append(&layout!(2:1024));
        Coalesce<Smem>, ok(s.coalesce());
        Slice<Smem, (U3, Keep)>, s.slice(&ints!((3, _)));
        Compose<Smem, L<U4, U2>>, s.compose(&layout!(4:2));
        Compose<Smem, L<U4, C<512>>>, s.compose(&layout!(4:512));
        ComposeByMode<Smem, (U4, U4)>, s.compose_by_mode(&tiler![4, 4]);
        WithShape<Smem, (U4, C<256>)>, s.with_shape(&ints!((4, 256)));
        ZippedDivide<Smem, (U8, U8)>, s.zipped_divide(&tiler![8, 8]);
        ZippedDivide<Smem, (U5, U8)>, s.zipped_divide(&tiler![5, 8]);
        TileToShape<Smem, (U32, U64)>, s.tile_to_shape(&ints!((32, 64)));
        Upcast<Smem, 2>, s.upcast(2);
        Recast<Smem, 16, 8>, s.recast(16, 8);
        RightInverse<Smem>, s.right_inverse();
        LeftInverse<Smem>, s.left_inverse();
        ComposeSwizzled<L<C<1024>, U2>, Smem>, layout!(1024:2).compose_swizzled(&s);
        LogicalProductSwizzled<Col<U8>, Smem>, layout!(8:1).logical_product_swizzled(&s);
    }
    agree! { Decay<Mode<Smem, 1>>, ok(s.mode(1).unwrap().decay().unwrap().0); }
    assert!(<Decay<Smem> as StaticLayout>::RESULT.is_err());
}

#[test]
fn the_innermost_refusal_is_the_one_that_is_reported() {
    type Inner = LogicalDivide<Col<U10>, Col<U3>>;
    type Outer = Complement<Compose<Modes<(Inner, Col<U2>)>, L<C<999>, U1>>, U7>;
    let e = <Outer as StaticLayout>::RESULT.unwrap_err().to_string();
    assert_eq!(e, "logical_divide(10:1, 3:1): 3 does not divide 10; the _ceil form rounds up and returns the guard");
}

/// Every flat layout with two leaves of these extents and strides, against each of some right sides.
#[test]
fn small_layouts_agree_exhaustively() {
    fn one<const S0: i64, const S1: i64, const D0: i64, const D1: i64>() {
        type X<const S0: i64, const S1: i64, const D0: i64, const D1: i64> = L<(C<S0>, C<S1>), (C<D0>, C<D1>)>;
        let a = Layout::flat(&[S0, S1], &[D0, D1]).unwrap();
        agree! {
            X<S0, S1, D0, D1>, ok(a);
            Coalesce<X<S0, S1, D0, D1>>, ok(a.coalesce());
            Compose<X<S0, S1, D0, D1>, L<U2, U2>>, a.compose(&layout!(2:2));
            Compose<Col<(U4, U4)>, X<S0, S1, D0, D1>>, layout!((4,4):(1,4)).compose(&a);
            Complement<X<S0, S1, D0, D1>, U12>, a.complement(12);
            LogicalDivide<Col<U12>, X<S0, S1, D0, D1>>, layout!(12:1).logical_divide(&a);
            LogicalProduct<X<S0, S1, D0, D1>, L<U3, U2>>, a.logical_product(&layout!(3:2));
        }
        for i in 0..S0 * S1 {
            assert_eq!(at::<X<S0, S1, D0, D1>>(i), a.at(i).unwrap());
        }
    }
    macro_rules! all {
        ($($s0:literal)*) => { $( all!(@ $s0 1); all!(@ $s0 2); all!(@ $s0 3); )* };
        (@ $s0:literal $s1:literal) => { all!(# $s0 $s1 0); all!(# $s0 $s1 1); all!(# $s0 $s1 2); all!(# $s0 $s1 3); };
        (# $s0:literal $s1:literal $d0:literal) => {
            one::<$s0, $s1, $d0, 0>(); one::<$s0, $s1, $d0, 1>(); one::<$s0, $s1, $d0, 2>(); one::<$s0, $s1, $d0, 3>();
        };
    }
    all!(1 2 3);
}

#[test]
fn index_functions_agree_with_checked_evaluation() {
    type Negative = L<(U3, U4), (C<-1>, U5)>;
    fn check<A: StaticLayout>() {
        for i in 0..A::SIZE as i64 {
            assert_eq!(at::<A>(i), A::LAYOUT.at(i).unwrap());
            let c = A::LAYOUT.flatten().shape().idx2crd(i).unwrap();
            if let &[x, y, z] = c.known().unwrap()
                && A::LAYOUT.leaves() == 3
            {
                assert_eq!(at_coord::<A, 3>([x, y, z]), at::<A>(i));
            }
        }
    }
    check::<A>();
    for i in 0..12 {
        assert_eq!(at::<Negative>(i), Negative::LAYOUT.at(i).unwrap());
    }
    // the last mode takes the rest, as in `at_extended`
    assert_eq!(at::<B>(100), B::LAYOUT.at_extended(100).unwrap());
    for i in 0..1024 {
        assert_eq!(at_swizzled::<Smem>(i), Smem::COMPOSED.at(i).unwrap());
        assert_eq!(at_coord_swizzled::<Smem, 2>([i % 16, i / 16]), Smem::COMPOSED.at(i).unwrap());
    }
}

#[test]
fn bound_layouts_read_their_symbols_and_keep_the_promises() {
    type G = ZippedDivide<L<(Sym<M, 8>, Sym<N, 4>), (U1, Sym<Lda>)>, (U8, U4)>;
    let values = [(M::NAME, 24), (N::NAME, 8), (Lda::NAME, 100)];
    let g = bind::<G>(&values).unwrap();
    assert_eq!(*g.layout(), G::LAYOUT.bind(&values).unwrap());
    for i in 0..24 * 8 {
        assert_eq!(g.at(i), g.layout().at(i).unwrap());
    }
    assert_eq!(g.at_coord([7, 3, 2, 1]), 7 + 300 + 16 + 400);
    assert!(bind::<G>(&[(M::NAME, 25), (N::NAME, 8), (Lda::NAME, 100)]).is_err());
    assert!(bind::<G>(&values[..2]).is_err());
}

/// Generic code that composes needs no bound besides its operands'.
fn kernel<A: StaticLayout, T: StaticTiler, V: StaticLayout>(block: i64, thread: i64) -> i64 {
    const { assert_ok::<ComposeByMode<ZippedDivide<A, T>, (V, Keep)>>() };
    at::<Mode<ZippedDivide<A, T>, 1>>(block) + at::<Compose<Mode<ZippedDivide<A, T>, 0>, V>>(thread)
}

#[test]
fn generic_kernels_need_no_projection_bounds() {
    type G = Col<(U128, U64)>;
    type T = (U32, U16);
    type V = L<(U4, U8), (U1, U4)>;
    let tile = G::LAYOUT.zipped_divide(&tiler![32, 16]).unwrap();
    for (block, thread) in [(0, 0), (5, 31), (15, 17)] {
        let v = V::LAYOUT.at(thread).unwrap();
        let expected = tile.mode(1).unwrap().at(block).unwrap() + tile.mode(0).unwrap().at(v).unwrap();
        assert_eq!(kernel::<G, T, V>(block, thread), expected);
    }
}

#[test]
fn sizes_are_constants_for_array_lengths() {
    const _: () = assert_ok::<A>();
    const _: () = assert_same::<Col<(U4, U8)>, L<(U4, U8), (U1, U4)>>();
    let buffer = [0u8; <A as StaticLayout>::COSIZE];
    assert_eq!((buffer.len() as i64, A::SIZE), (A::LAYOUT.cosize().unwrap(), 48));
}

#[test]
fn layouts_spell_their_static_type() {
    macro_rules! spelled {
        ($($type:ty),+ $(,)?) => {$(
            assert_eq!(<$type as StaticLayout>::LAYOUT.static_type().unwrap(), stringify!($type));
        )+};
    }
    spelled! {
        L<U4, U1>,
        L<(U4, (U2, (U3, C<4096>))), (C<-1>, (U0, (U4, U12)))>,
        L<((U4,), U2), ((U1,), U4)>,
        L<(((U4,),),), (((U1,),),)>,
        L<((U4, U2),), ((U1, U4),)>,
        L<(((U4, U2),), U3), (((U1, U4),), U8)>,
        L<(Sym<M, 8>, Sym<N>), (U1, Times<U64, Sym<Lda>>)>,
        L<(U2, U2), (U0, Times<Times<U3, Sym<M>>, Sym<N>>)>,
        L<(U8, U4, U2), (E<0>, E<1, E<0>>, E<1, E<1, U3>>)>,
    }
    let ceil = Layout::parse("?M:1").unwrap().logical_divide_ceil(&layout!(8:1)).unwrap();
    assert_eq!(ceil.layout.static_type(), None);
}
