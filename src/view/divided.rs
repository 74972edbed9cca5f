//! Spans divided into chunks, typed.

use super::access::{Access, AccessKind, AtomicOp, Hints, Padding};
use super::chunk::{Chunks, View};
use super::index::Index;
use super::mapping::{Listed, Mapping, Numbered, Strides};
use super::memory::{Memory, MemoryMut};
use super::rule::*;
use super::span::TensorSpan;
use crate::layout::IntTuple;
use crate::tile::typed::Evaluate;
use crate::tile::{AsTile, Conversion, Element, Integer, Op, Tile, TileShape, Widens};
use core::marker::PhantomData;
use typenum::Unsigned;

/// A way to divide a span into chunks of one shape.
pub trait Division<Span> {
    /// The shape of a chunk.
    type Shape: TileShape;
    /// The kinds of its dimensions: what an index consists of.
    type Kinds;
    /// The division as a value.
    fn chunks() -> Chunks;
}

/// Chunks of shape `S` side by side.
pub struct Partition<S>(PhantomData<fn() -> S>);
/// Chunks of shape `S`, `T` apart.
pub struct Strided<S, T>(PhantomData<fn() -> (S, T)>);
/// Chunks of shape `S` whose rows along dimension `D` are listed.
pub struct Gather<S, D>(PhantomData<fn() -> (S, D)>);

macro_rules! markers {
    ($($name:ident<$($p:ident),+>)+) => {$(
        impl<$($p),+> Default for $name<$($p),+> {
            fn default() -> Self {
                $name(PhantomData)
            }
        }
    )+};
}
markers!(Partition<S> Strided<S, T> Gather<S, D>);

impl<E, X: Mapping, M, I, S: TileShape> Division<TensorSpan<E, X, M, I>> for Partition<S> {
    type Shape = S;
    type Kinds = <X::Rank as Numbered>::Kinds;
    fn chunks() -> Chunks {
        Chunks::partition(S::SHAPE)
    }
}
impl<E, X: Mapping, M, I, S: TileShape, T: Strides<X::Rank>> Division<TensorSpan<E, X, M, I>> for Strided<S, T> {
    type Shape = S;
    type Kinds = <X::Rank as Numbered>::Kinds;
    fn chunks() -> Chunks {
        Chunks::fitting(S::SHAPE, T::STRIDES)
    }
}
impl<Span, S: Listed<D>, D: Unsigned> Division<Span> for Gather<S, D> {
    type Shape = S;
    type Kinds = S::Kinds;
    fn chunks() -> Chunks {
        Chunks::Gather { tile: S::SHAPE, dim: D::U8 }
    }
}

/// A span divided into chunks of the shape of a tile, which are loaded and stored whole: [`PartitionView`], [`StridedView`] or
/// [`GatherScatterView`]. The methods are the same.
///
/// Each kind of access has two forms. The plain one wants the whole chunk within the span; the `_masked` one lets it reach
/// beyond: there, a load gives a padding, and a store or an atomic operation does nothing. A chunk without any element in the
/// span does not exist: it is an error in both forms. Only listed rows may all be outside. See [the module](super) for the
/// meaning of orders and scopes.
///
/// On the host, an access gives a `Result`, and an error leaves the memory as it was; in a program it is recorded.
pub struct Divided<Span, By> {
    span: Span,
    hints: Hints,
    by: PhantomData<fn() -> By>,
}

/// A span divided into chunks side by side: [`TensorSpan::partition`].
pub type PartitionView<Span, S> = Divided<Span, Partition<S>>;
/// A span divided into chunks at multiples of strides: [`TensorSpan::strided`].
pub type StridedView<Span, S, T> = Divided<Span, Strided<S, T>>;
/// A span of which listed rows make a chunk: [`TensorSpan::gather`].
pub type GatherScatterView<Span, S, D> = Divided<Span, Gather<S, D>>;

impl<Span, By> Divided<Span, By> {
    pub(super) fn new(span: Span, _: By) -> Self {
        Divided { span, hints: Hints::default(), by: PhantomData }
    }

    /// The span.
    pub const fn span(&self) -> &Span {
        &self.span
    }

    /// The same view with advice for its accesses, which changes no result.
    /// ```
    /// use girih::view::{Hints, TensorSpan};
    /// let x = [1, 2, 3, 4];
    /// let view = TensorSpan::right(&x, [4])?.partition::<girih::Shape![2]>();
    /// let hinted = view.with_hints(Hints::default().latency(2)?);
    /// assert_eq!(hinted.load(1)?.to_vec(), view.load(1)?.to_vec());
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn with_hints(self, hints: Hints) -> Self {
        Divided { hints, ..self }
    }
}

impl<Span: Clone, By> Clone for Divided<Span, By> {
    fn clone(&self) -> Self {
        Divided { span: self.span.clone(), ..*self }
    }
}
impl<Span: Copy, By> Copy for Divided<Span, By> {}

/// What holds the tiles of a memory.
type Held<E, M> = <M as Memory<E>>::Value;
/// What a load of a tile of shape `S` from a memory gives.
type Loaded<E, M, S> = Done<E, M, Tile<E, S, Held<E, M>>>;
/// What an access to a memory gives.
type Done<E, M, T> = <M as Memory<E>>::Done<T>;

impl<E: Element, X: Mapping, M: Memory<E>, I: Integer, By> Divided<TensorSpan<E, X, M, I>, By>
where
    By: Division<TensorSpan<E, X, M, I>>,
{
    /// The view as a value.
    /// ```
    /// # use girih::{Shape, layout, view::TensorSpan};
    /// let x = [0.0f32; 16];
    /// let view = TensorSpan::right(&x, [4, 4])?.partition::<Shape![2, 2]>().view();
    /// assert_eq!(view.mapping().ok(), Some(layout!(((2,2),(2,2)):((4,1),(8,2)))));
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn view(&self) -> View {
        View { element: E::TYPE, span: self.span.layout(), index: I::TYPE, chunks: By::chunks() }
    }

    /// How many chunks there are along each dimension, partial ones included.
    ///
    /// # Errors
    /// As [`View::index_space`].
    /// ```
    /// use girih::{prelude::*, view::TensorSpan};
    /// let x = [0u8; 50];
    /// let view = TensorSpan::right(&x, [5, 10])?.strided::<girih::Shape![2, 2], (U3, U4)>();
    /// assert_eq!(view.index_space()?, ints!((2, 3)));
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    pub fn index_space(&self) -> Result<IntTuple, super::ViewError> {
        self.view().index_space()
    }

    #[track_caller]
    fn loaded(&self, access: Access, index: impl Index<Held<E, M>, By::Kinds>) -> Loaded<E, M, By::Shape> {
        let access = Access { hints: self.hints, ..access };
        self.span.memory().load(&self.view(), &access, &index.entries(), Tile::wrap)
    }

    /// The tile of a chunk, all of whose elements are in the span.
    ///
    /// # Errors
    /// An element is not, the chunk does not exist, or the index type of the span cannot hold the index.
    /// ```
    /// # use girih::{Shape, view::TensorSpan};
    /// let x: Vec<i32> = (0..12).collect();
    /// let blocks = TensorSpan::right(&x, [3, 4])?.partition::<Shape![2, 2]>();
    /// assert_eq!(blocks.load((0, 1))?.to_string(), "(2 3)\n(6 7)");
    /// let e = blocks.load((1, 0)).unwrap_err();
    /// assert_eq!(e.to_string(), "dimension 0: chunk 1 has elements 1*2+(0..2), the span has 3: use the masked form");
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    #[track_caller]
    pub fn load(&self, index: impl Index<Held<E, M>, By::Kinds>) -> Loaded<E, M, By::Shape> {
        self.loaded(Access::LOAD, index)
    }

    /// The tile of a chunk, with a padding for elements outside the span.
    ///
    /// # Errors
    /// The chunk does not exist, or the index type of the span cannot hold the index.
    /// ```
    /// use girih::view::{Nan, TensorSpan, Zero};
    /// let x = [1.0f32, 2.0, 3.0];
    /// let pairs = TensorSpan::right(&x, [3])?.partition::<girih::Shape![2]>();
    /// assert!(pairs.load(1).is_err());
    /// assert_eq!(pairs.load_masked(1, Zero)?.to_vec(), [3.0, 0.0]);
    /// assert!(pairs.load_masked(1, Nan)?.to_vec()[1].is_nan());
    /// assert!(pairs.load_masked(2, Zero).is_err());
    /// let rows = TensorSpan::right(&x, [3])?.gather::<girih::Shape![2], typenum::U0>();
    /// assert_eq!(rows.load_masked(girih::tile::Tile::<i32, girih::Shape![2]>::full(-1), Zero)?.to_vec(), [0.0, 0.0]);
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    #[track_caller]
    pub fn load_masked<P: PaddingOf<E>>(
        &self,
        index: impl Index<Held<E, M>, By::Kinds>,
        _padding: P,
    ) -> Loaded<E, M, By::Shape> {
        self.loaded(Access::LOAD.masked(P::PADDING), index)
    }

    /// [`load`](Self::load) by strong operations of an order and in a scope.
    /// ```
    /// use girih::view::{Acquire, Device, TensorSpan};
    /// let flags = [1u32, 0];
    /// let pair = TensorSpan::right(&flags, [2])?.partition::<girih::Shape![2]>();
    /// assert_eq!(pair.atomic_load(0, Acquire, Device)?.to_vec(), [1, 0]);
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    #[track_caller]
    pub fn atomic_load<O: ReadOrder, C: ThreadScope>(
        &self,
        index: impl Index<Held<E, M>, By::Kinds>,
        _order: O,
        _scope: C,
    ) -> Loaded<E, M, By::Shape> {
        self.loaded(Access::LOAD.strong(O::ORDER, C::SCOPE), index)
    }

    /// [`load_masked`](Self::load_masked) by strong operations of an order and in a scope.
    /// ```
    /// # use girih::{Shape, view::{Acquire, Device, TensorSpan, Zero}};
    /// let flags = [1u32, 1, 1];
    /// let pairs = TensorSpan::right(&flags, [3])?.partition::<Shape![2]>();
    /// assert_eq!(pairs.atomic_load_masked(1, Zero, Acquire, Device)?.to_vec(), [1, 0]);
    /// assert!(pairs.atomic_load_masked(2, Zero, Acquire, Device).is_err()); // wholly outside
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    #[track_caller]
    pub fn atomic_load_masked<P: PaddingOf<E>, O: ReadOrder, C: ThreadScope>(
        &self,
        index: impl Index<Held<E, M>, By::Kinds>,
        _padding: P,
        _order: O,
        _scope: C,
    ) -> Loaded<E, M, By::Shape> {
        self.loaded(Access::LOAD.masked(P::PADDING).strong(O::ORDER, C::SCOPE), index)
    }
}

/// The bounds of what can be stored to are those of the methods: where one does not hold, its own message appears.
impl<E: Element, X: Mapping, M: Memory<E>, I: Integer, By> Divided<TensorSpan<E, X, M, I>, By>
where
    By: Division<TensorSpan<E, X, M, I>>,
{
    #[track_caller]
    fn stored<F: Widens<E>>(
        &self,
        access: Access,
        tile: impl AsTile<F, By::Shape, Held<E, M>>,
        index: impl Index<Held<E, M>, By::Kinds>,
    ) -> Done<E, M, ()>
    where
        M: MemoryMut<E>,
    {
        let access = Access { hints: self.hints, ..access };
        let tile = tile.as_tile().value();
        match F::TYPE == E::TYPE {
            true => self.span.memory().store(&self.view(), &access, tile, &index.entries()),
            false => {
                let cast = Evaluate::apply(Op::Cast(Conversion::new(F::TYPE, E::TYPE)), &[tile]);
                self.span.memory().store(&self.view(), &access, &cast, &index.entries())
            }
        }
    }

    /// Stores a tile to a chunk, all of whose elements are in the span. Elements are converted if none can change by that.
    ///
    /// # Errors
    /// As [`load`](Self::load), a row is listed twice, or two elements of the span are one in memory.
    /// ```
    /// # use girih::{Shape, tile::Tile, view::TensorSpan};
    /// let mut x = [0.0f64; 4];
    /// let pairs = TensorSpan::right(&mut x, [4])?.partition::<Shape![2]>();
    /// pairs.store(Tile::<f32, Shape![2]>::full(0.1), 1)?;
    /// assert_eq!(x, [0.0, 0.0, 0.1f32 as f64, 0.1f32 as f64]); // 0.1 was rounded to f32 before
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    #[track_caller]
    pub fn store<F: Widens<E>>(
        &self,
        tile: impl AsTile<F, By::Shape, Held<E, M>>,
        index: impl Index<Held<E, M>, By::Kinds>,
    ) -> Done<E, M, ()>
    where
        M: MemoryMut<E>,
    {
        self.stored(Access::STORE, tile, index)
    }

    /// Stores those elements of a tile that are in the span.
    ///
    /// # Errors
    /// As [`load_masked`](Self::load_masked), a row of the span is listed twice, or two elements of the span are one in memory.
    /// ```
    /// use girih::{Shape, tile::Tile, view::TensorSpan};
    /// let mut x = [1, 2, 3];
    /// let pairs = TensorSpan::right(&mut x, [3])?.partition::<Shape![2]>();
    /// let tile = Tile::<i32, Shape![2]>::full(9);
    /// assert!(pairs.store(&tile, 1).is_err());
    /// pairs.store_masked(&tile, 1)?;
    /// assert_eq!(x, [1, 2, 9]);
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    #[track_caller]
    pub fn store_masked<F: Widens<E>>(
        &self,
        tile: impl AsTile<F, By::Shape, Held<E, M>>,
        index: impl Index<Held<E, M>, By::Kinds>,
    ) -> Done<E, M, ()>
    where
        M: MemoryMut<E>,
    {
        self.stored(Access::STORE.masked(Padding::Zero), tile, index)
    }

    /// [`store`](Self::store) by strong operations of an order and in a scope. Of rows listed twice, one of the tile's remains:
    /// on the host the last.
    /// ```
    /// # use girih::{Shape, tile::Tile, view::{Device, Release, TensorSpan}};
    /// let mut x = [0; 4];
    /// let rows = TensorSpan::right(&mut x, [4])?.gather::<Shape![2], typenum::U0>();
    /// let (tile, twice) = (Tile::<i32, Shape![2]>::new(vec![8, 9])?, Tile::<u8, Shape![2]>::full(3));
    /// assert!(rows.store(&tile, &twice).is_err()); // weak stores to one row race
    /// rows.atomic_store(&tile, &twice, Release, Device)?;
    /// assert_eq!(x, [0, 0, 0, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn atomic_store<O: WriteOrder, C: ThreadScope, F: Widens<E>>(
        &self,
        tile: impl AsTile<F, By::Shape, Held<E, M>>,
        index: impl Index<Held<E, M>, By::Kinds>,
        _order: O,
        _scope: C,
    ) -> Done<E, M, ()>
    where
        M: MemoryMut<E>,
    {
        self.stored(Access::STORE.strong(O::ORDER, C::SCOPE), tile, index)
    }

    /// [`store_masked`](Self::store_masked) by strong operations of an order and in a scope.
    /// ```
    /// # use girih::{Shape, tile::Tile, view::{Release, System, TensorSpan}};
    /// let mut x = [1, 2, 3];
    /// let pairs = TensorSpan::right(&mut x, [3])?.partition::<Shape![2]>();
    /// pairs.atomic_store_masked(Tile::<i32, Shape![2]>::full(9), 1, Release, System)?;
    /// assert_eq!(x, [1, 2, 9]);
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    #[track_caller]
    pub fn atomic_store_masked<O: WriteOrder, C: ThreadScope, F: Widens<E>>(
        &self,
        tile: impl AsTile<F, By::Shape, Held<E, M>>,
        index: impl Index<Held<E, M>, By::Kinds>,
        _order: O,
        _scope: C,
    ) -> Done<E, M, ()>
    where
        M: MemoryMut<E>,
    {
        self.stored(Access::STORE.masked(Padding::Zero).strong(O::ORDER, C::SCOPE), tile, index)
    }
}

/// One atomic operation, and its masked form.
macro_rules! atomics {
    ($class:ident: $($(#[$doc:meta])* $name:ident $masked:ident $op:ident $of_12_and_10:literal;)+) => {
        impl<E: Element, X: Mapping, M: Memory<E>, I: Integer, By> Divided<TensorSpan<E, X, M, I>, By>
        where
            By: Division<TensorSpan<E, X, M, I>>,
        {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name<O: UpdateOrder, C: UpdateScope, F: Widens<E>>(
                &self,
                tile: impl AsTile<F, By::Shape, Held<E, M>>,
                index: impl Index<Held<E, M>, By::Kinds>,
                _order: O,
                _scope: C,
            ) -> Done<E, M, ()>
            where
                E: $class,
                M: MemoryMut<E>,
            {
                self.stored(Access::new(AccessKind::Atomic(AtomicOp::$op)).strong(O::ORDER, C::SCOPE), tile, index)
            }

            #[doc = concat!("[`", stringify!($name), "`](Self::", stringify!($name), ") of those elements that are in the span.")]
            /// ```
            /// # use girih::{Shape, tile::Tile, view::{Block, Relaxed, TensorSpan}};
            /// let mut x = [0, 0, 12];
            /// let pairs = TensorSpan::right(&mut x, [3])?.partition::<Shape![2]>();
            #[doc = concat!("pairs.", stringify!($masked), "(Tile::<i32, Shape![2]>::full(10), 1, Relaxed, Block)?;")]
            #[doc = concat!("assert_eq!(x, [0, 0, ", $of_12_and_10, "]);")]
            /// # Ok::<(), girih::view::ViewError>(())
            /// ```
            #[track_caller]
            pub fn $masked<O: UpdateOrder, C: UpdateScope, F: Widens<E>>(
                &self,
                tile: impl AsTile<F, By::Shape, Held<E, M>>,
                index: impl Index<Held<E, M>, By::Kinds>,
                _order: O,
                _scope: C,
            ) -> Done<E, M, ()>
            where
                E: $class,
                M: MemoryMut<E>,
            {
                let access = Access::new(AccessKind::Atomic(AtomicOp::$op)).masked(Padding::Zero);
                self.stored(access.strong(O::ORDER, C::SCOPE), tile, index)
            }
        )+}
    };
}
atomics! { AtomicBits:
    /// Replaces each element `k` of a chunk by `k & v`, `v` being the tile's; nothing is returned.
    /// ```
    /// # use girih::{Shape, tile::Tile, view::{Device, Relaxed, TensorSpan}};
    /// let mut x = [0b1111u32, 0b0110];
    /// let pair = TensorSpan::right(&mut x, [2])?.partition::<Shape![2]>();
    /// pair.atomic_and(Tile::<u32, Shape![2]>::full(0b1100), 0, Relaxed, Device)?;
    /// assert_eq!(x, [0b1100, 0b0100]);
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    atomic_and atomic_and_masked And 8;
    /// Replaces each element `k` of a chunk by `k | v`, `v` being the tile's; nothing is returned.
    /// ```
    /// # use girih::{Shape, tile::Tile, view::{Device, Relaxed, TensorSpan}};
    /// let mut words = [0u32; 2];
    /// let rows = TensorSpan::right(&mut words, [2])?.gather::<Shape![4], typenum::U0>();
    /// let bits = Tile::<u32, Shape![4]>::new(vec![1, 2, 4, 8])?;
    /// rows.atomic_or(bits, Tile::<u8, Shape![4]>::new(vec![0, 1, 1, 1])?, Relaxed, Device)?;
    /// assert_eq!(words, [1, 14]); // a row that is listed three times is updated three times
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    atomic_or atomic_or_masked Or 14;
    /// Replaces each element `k` of a chunk by `k ^ v`, `v` being the tile's; nothing is returned.
    /// ```
    /// # use girih::{Shape, tile::Tile, view::{Device, Relaxed, TensorSpan}};
    /// let mut x = [0b1111u32, 0b0110];
    /// let pair = TensorSpan::right(&mut x, [2])?.partition::<Shape![2]>();
    /// pair.atomic_xor(Tile::<u32, Shape![2]>::full(0b1100), 0, Relaxed, Device)?;
    /// assert_eq!(x, [0b0011, 0b1010]);
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    atomic_xor atomic_xor_masked Xor 6;
    /// Replaces each element of a chunk by the greater of it and the tile's; nothing is returned.
    /// ```
    /// # use girih::{Shape, tile::Tile, view::{Device, Relaxed, TensorSpan}};
    /// let mut x = [-5i64, 7];
    /// let pair = TensorSpan::right(&mut x, [2])?.partition::<Shape![2]>();
    /// pair.atomic_max(Tile::<i32, Shape![2]>::full(-1), 0, Relaxed, Device)?;
    /// assert_eq!(x, [-1, 7]);
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    atomic_max atomic_max_masked Max 12;
    /// Replaces each element of a chunk by the lesser of it and the tile's; nothing is returned.
    /// ```
    /// # use girih::{Shape, tile::Tile, view::{Device, Relaxed, TensorSpan}};
    /// let mut x = [u32::MAX, 7];
    /// let pair = TensorSpan::right(&mut x, [2])?.partition::<Shape![2]>();
    /// pair.atomic_min(Tile::<u32, Shape![2]>::full(9), 0, Relaxed, Device)?;
    /// assert_eq!(x, [9, 7]);
    /// # Ok::<(), girih::view::ViewError>(())
    /// ```
    atomic_min atomic_min_masked Min 10;
}
atomics! { AtomicSum:
    /// Adds a tile to a chunk, element by element; nothing is returned. Integers wrap, signed ones too, as sums of tiles do
    /// (PTX ISA, `red.add`); floats are rounded to nearest, ties to even, in an order that is not specified where several blocks
    /// add.
    /// ```
    /// use girih::{Shape, tile::Tile, view::{Device, Relaxed, TensorSpan}};
    /// let mut counts = [0u32; 4];
    /// let bins = TensorSpan::right(&mut counts, [4])?.gather::<Shape![4], typenum::U0>();
    /// let values = Tile::<u32, Shape![4]>::new(vec![2, 0, 2, 2])?;
    /// bins.atomic_add(Tile::full(1u32), values, Relaxed, Device)?;
    /// assert_eq!(counts, [1, 0, 3, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    atomic_add atomic_add_masked Add 22;
    /// Subtracts a tile from a chunk, element by element; nothing is returned. Of integers the negative is added: that of the
    /// least signed one does not exist, which is an error. Sums are those of [`atomic_add`](Self::atomic_add).
    /// ```
    /// # use girih::{Shape, tile::Tile, view::{Device, Relaxed, TensorSpan}};
    /// let mut x = [5i32, 0];
    /// let pair = TensorSpan::right(&mut x, [2])?.partition::<Shape![2]>();
    /// pair.atomic_sub(Tile::<i32, Shape![2]>::new(vec![7, 1])?, 0, Relaxed, Device)?;
    /// assert!(pair.atomic_sub(Tile::full(i32::MIN), 0, Relaxed, Device).is_err());
    /// assert_eq!(x, [-2, -1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    atomic_sub atomic_sub_masked Sub 2;
}
