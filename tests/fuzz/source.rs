//! Arbitrary operands, biased towards edges and towards what operations accept.

use girih::layout::Unit;
use girih::prelude::*;

pub struct Gen {
    state: u64,
    /// promises of the symbols, the same all over one case
    promise: [u32; 10],
}

const EDGES: [i64; 20] = [
    0,
    1,
    -1,
    2,
    -2,
    1 << 20,
    1 << 31,
    (1 << 32) - 1,
    1 << 38,
    1 << 39,
    -(1 << 39),
    1 << 61,
    1 << 62,
    (1 << 62) + 1,
    i64::MAX,
    i64::MAX - 1,
    i64::MIN,
    i64::MIN + 1,
    3 << 40,
    (1 << 40) - 1,
];

const SYMBOLS: [&str; 10] = ["M", "N", "K", "lda", "x", "y", "abcdefgh", "_1", "b", "c"];

impl Gen {
    pub fn new(seed: u64, case: u64) -> Gen {
        let state = (seed ^ case.wrapping_mul(0xD134_2543_DE82_EF95)).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut g = Gen { state, promise: [1; 10] };
        for _ in 0..4 {
            g.next();
        }
        for i in 0..10 {
            g.promise[i] = match g.below(24) {
                0 => 1 + g.below(12) as u32,
                1 => g.num().max(1) as u32 | 1,
                n => 1 << (n % 6),
            };
        }
        g
    }
    pub fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 20) % n
    }
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    pub fn of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Any number.
    pub fn num(&mut self) -> i64 {
        match self.below(8) {
            0 | 1 => self.of(&EDGES),
            2 => 1 << self.below(63),
            3 => self.next() as i64,
            4 => self.next() as i64 >> self.below(63),
            _ => self.below(24) as i64 - 4,
        }
    }
    /// A small extent, seldom an edge.
    pub fn extent(&mut self) -> i64 {
        match self.below(24) {
            0 => self.num(),
            1 => 1 << self.below(34),
            2..=9 => 1 << self.below(5),
            _ => 1 + self.below(12) as i64,
        }
    }
    /// A place: usually one that exists.
    pub fn place(&mut self, n: usize) -> usize {
        if self.one_in(16) {
            self.of(&[n, n + 1, 24, 25, usize::MAX, usize::MAX - 1])
        } else {
            self.below(n.max(1) as u64) as usize
        }
    }
    /// How many leaves.
    pub fn leaves(&mut self) -> usize {
        match self.below(16) {
            0 => 24,
            1 => 16 + self.below(9) as usize,
            2 | 3 => 5 + self.below(6) as usize,
            _ => 1 + self.below(4) as usize,
        }
    }

    /// A known layout: arbitrary, compact in some order, padded, or with broadcasts.
    pub fn flat(&mut self, n: usize) -> Layout {
        for _ in 0..4 {
            let kind = self.below(6);
            let shape: Vec<i64> = (0..n)
                .map(|_| {
                    if n > 8 {
                        1 + self.below(3) as i64
                    } else if kind == 5 {
                        self.extent()
                    } else {
                        1 + self.below(9) as i64
                    }
                })
                .collect();
            let mut order: Vec<usize> = (0..n).collect();
            if kind > 0 {
                for i in (1..n).rev() {
                    order.swap(i, self.below(i as u64 + 1) as usize);
                }
            }
            let (mut stride, mut span) = (vec![0i64; n], 1i64);
            for i in order {
                let zero = kind == 3 && self.one_in(3);
                stride[i] = match kind {
                    4 | 5 if !self.one_in(4) => self.num(),
                    _ if zero => 0,
                    _ => span,
                };
                if !zero {
                    let pad = if kind == 2 { self.below(4) as i64 } else { 0 };
                    span = span.saturating_mul(shape[i]).saturating_add(pad);
                }
                if kind == 1 && self.one_in(12) {
                    stride[i] = stride[i].saturating_neg();
                }
            }
            if let Ok(l) = Layout::flat(&shape, &stride) {
                return l;
            }
        }
        Layout::UNIT
    }

    /// `l` with groups and superfluous parentheses.
    pub fn nest(&mut self, mut l: Layout) -> Layout {
        if l.leaves() == 1 && self.one_in(2) {
            l = Layout::new(
                &IntTuple::leaf(&l.leaf_extent(0).unwrap()).unwrap(),
                &IntTuple::leaf(&l.leaf_stride(0).unwrap()).unwrap(),
            )
            .unwrap_or(l);
        }
        for _ in 0..self.below(4) {
            let from = self.below(l.rank() as u64) as usize;
            let to = from + 1 + self.below((l.rank() - from) as u64) as usize;
            l = l.group(from, to).unwrap_or(l);
        }
        if self.one_in(12) {
            for _ in 0..self.below(41) {
                l = Layout::tuple(&[l]).unwrap_or(l);
            }
        }
        l
    }

    /// Any known layout.
    pub fn layout(&mut self) -> Layout {
        let n = self.leaves();
        let l = self.flat(n);
        self.nest(l)
    }

    /// A known layout of few elements.
    pub fn small(&mut self) -> Layout {
        let n = 1 + self.below(3) as usize;
        let l = self.flat(n);
        if l.size().is_ok_and(|n| n <= 512) && l.cosize().is_ok_and(|n| n <= 1 << 14) {
            self.nest(l)
        } else {
            Layout::UNIT
        }
    }

    /// A symbol, a product of some, or a part of one.
    pub fn symbol(&mut self) -> Int {
        let i = self.below(10) as usize;
        let mut v = Int::symbol(SYMBOLS[i], self.promise[i]).unwrap();
        if self.one_in(4) {
            let n = self.num();
            v = v.mul(&Int::known(n)).unwrap_or(v);
        }
        if self.one_in(6) {
            let o = self.symbol();
            v = v.mul(&o).unwrap_or(v);
        }
        if self.one_in(4) {
            let n = self.extent();
            v = v.ceil_div(n).unwrap_or(v);
        }
        v
    }
    /// Any leaf.
    pub fn int(&mut self) -> Int {
        match self.below(8) {
            0 => Int::UNDERSCORE,
            1 | 2 => self.symbol(),
            3 => {
                let n = self.num();
                let path: Vec<u8> = (0..self.below(5)).map(|_| self.below(26) as u8).collect();
                let v = if self.one_in(3) { self.symbol() } else { Int::known(n) };
                v.at(&path).unwrap_or(v)
            }
            _ => Int::known(self.num()),
        }
    }

    /// A layout with symbols, which some values suit.
    pub fn symbolic(&mut self) -> Layout {
        let n = 1 + self.below(4) as usize;
        let (mut s, mut d) = (vec![], vec![]);
        let mut span = Int::known(1);
        for _ in 0..n {
            let e = if self.one_in(2) { self.small_symbol() } else { Int::known(1 << self.below(5)) };
            s.push(IntTuple::leaf(&e).unwrap());
            let stride = match self.below(8) {
                0 => self.small_symbol(),
                1 => Int::known(self.below(9) as i64 - 2),
                2 => self.int(),
                _ => span,
            };
            d.push(IntTuple::leaf(&stride).unwrap_or(IntTuple::int(1)));
            span = span.mul(&e).unwrap_or(Int::known(1));
        }
        let (s, d) = (IntTuple::tuple(&s).unwrap(), IntTuple::tuple(&d).unwrap());
        let l = Layout::new(&s, &d).unwrap_or(Layout::UNIT);
        self.nest(l)
    }
    pub fn small_symbol(&mut self) -> Int {
        let i = self.below(4) as usize;
        let s = Int::symbol(SYMBOLS[i], self.promise[i]).unwrap();
        if self.one_in(4) { s.ceil_div(1 << self.below(6)).unwrap_or(s) } else { s }
    }
    /// Values for the symbols of [`Gen::symbolic`], of which most keep the promises.
    pub fn values(&mut self) -> [(&'static str, i64); 4] {
        [0, 1, 2, 3].map(|i| {
            let promise = if self.one_in(32) { 1 } else { self.promise[i] as i64 };
            (SYMBOLS[i], promise * (1 + self.below(5) as i64))
        })
    }

    /// A layout with basis strides.
    pub fn coordinates(&mut self) -> Layout {
        let (s, l) = (self.layout().shape(), self.layout());
        let mut stride = vec![];
        for _ in 0..l.leaves() {
            let path: Vec<u8> = (0..1 + self.below(2)).map(|_| self.below(3) as u8).collect();
            let v = Int::known(1 + self.below(4) as i64).at(&path).unwrap();
            stride.push(IntTuple::leaf(&v).unwrap());
        }
        let stride = IntTuple::tuple(&stride).unwrap();
        if self.one_in(2) {
            return Layout::identity(&s).unwrap_or(Layout::UNIT);
        }
        Layout::new(&l.shape().flatten(), &stride).unwrap_or(Layout::UNIT)
    }

    /// Any layout at all.
    pub fn any(&mut self) -> Layout {
        match self.below(8) {
            0 => self.symbolic(),
            1 => self.coordinates(),
            2 => {
                let n = 1 + self.below(6);
                let leaves = |g: &mut Gen| {
                    let v: Vec<_> = (0..n).map(|_| IntTuple::leaf(&g.int()).unwrap_or(IntTuple::int(2))).collect();
                    IntTuple::tuple(&v).unwrap_or(IntTuple::int(3))
                };
                let (s, d) = (leaves(self), leaves(self));
                Layout::new(&s, &d).unwrap_or(Layout::UNIT)
            }
            _ => self.layout(),
        }
    }

    /// Any tuple.
    pub fn tuple(&mut self) -> IntTuple {
        let n = self.leaves();
        let flavour = self.below(3);
        let v: Vec<_> = (0..n)
            .map(|_| match flavour {
                0 => IntTuple::leaf(&self.int()).unwrap_or(IntTuple::int(0)),
                1 => IntTuple::int(self.num()),
                _ => IntTuple::int(self.extent()),
            })
            .collect();
        let t = if n == 1 && self.one_in(2) { v[0] } else { IntTuple::tuple(&v).unwrap_or(v[0]) };
        self.nest_tuple(t)
    }
    fn nest_tuple(&mut self, t: IntTuple) -> IntTuple {
        let mut modes: Vec<IntTuple> = (0..t.rank()).map(|i| t.mode(i).unwrap()).collect();
        if t.is_int() {
            return t;
        }
        for _ in 0..self.below(3) {
            let from = self.below(modes.len() as u64) as usize;
            let to = from + 1 + self.below((modes.len() - from) as u64) as usize;
            if let Ok(group) = IntTuple::tuple(&modes[from..to]) {
                modes.splice(from..to, [group]);
            }
        }
        IntTuple::tuple(&modes).unwrap_or(t)
    }

    /// A coordinate in the shape of `l`, or nearly so.
    pub fn coord(&mut self, l: &Layout) -> IntTuple {
        if self.one_in(12) {
            return self.tuple();
        }
        self.coord_of(&l.shape(), true)
    }
    fn coord_of(&mut self, s: &IntTuple, outer: bool) -> IntTuple {
        if s.is_int() || self.one_in(if outer { 8 } else { 3 }) {
            return match self.below(12) {
                0 => IntTuple::int(self.num()),
                1 | 2 => IntTuple::leaf(&Int::UNDERSCORE).unwrap(),
                3 if self.one_in(3) => IntTuple::leaf(&self.small_symbol()).unwrap(),
                _ => {
                    let size = s.product().ok().and_then(|p| p.value()).unwrap_or(4).max(1);
                    IntTuple::int((self.next() % size as u64) as i64)
                }
            };
        }
        let modes: Vec<_> = (0..s.rank()).map(|i| self.coord_of(&s.mode(i).unwrap(), false)).collect();
        IntTuple::tuple(&modes).unwrap()
    }

    /// A tiler for `l`: tiles that divide or not, `_`, nested, shorter, longer.
    pub fn tiler(&mut self, l: &Layout) -> Tiler {
        if self.one_in(10) {
            let t = self.tuple();
            return Tiler::shape(&t).unwrap_or(Tiler::KEEP);
        }
        self.tiler_of(l, 0)
    }
    fn tiler_of(&mut self, l: &Layout, depth: u32) -> Tiler {
        let size = l.size().unwrap_or(16);
        if l.is_integer() || depth > 5 || (depth > 0 && !self.one_in(3)) {
            return match self.below(8) {
                0 => Tiler::KEEP,
                1 => Tiler::leaf(&self.small()).unwrap(),
                2 => Tiler::leaf(&self.any()).unwrap_or(Tiler::KEEP),
                3 => Tiler::leaf(&Layout::flat(&[1 + self.below(6) as i64], &[1]).unwrap()).unwrap(),
                _ => {
                    let divisors: Vec<i64> = (1..=size.min(64)).filter(|d| size % d == 0).collect();
                    let t = self.of(&divisors);
                    let stride = if self.one_in(3) { size / t } else { 1 };
                    Tiler::leaf(&Layout::flat(&[t], &[stride]).unwrap_or(Layout::UNIT)).unwrap()
                }
            };
        }
        let n = if self.one_in(10) { l.rank() + 1 } else { 1 + self.below(l.rank() as u64) as usize };
        let modes: Vec<_> = (0..n).map(|i| self.tiler_of(&l.mode(i).unwrap_or(Layout::UNIT), depth + 1)).collect();
        Tiler::tuple(&modes).unwrap_or(Tiler::KEEP)
    }

    /// A right side that composes with `a` often.
    pub fn right(&mut self, a: &Layout) -> Layout {
        let size = a.size().unwrap_or(64);
        match self.below(6) {
            0 => self.any(),
            1 => self.layout(),
            _ => {
                let (mut s, mut d, mut left) = (vec![], vec![], size);
                let mut step = 1i64;
                for _ in 0..1 + self.below(4) {
                    let most = left.clamp(1, 64);
                    let t = if self.one_in(3) {
                        1 + self.below(8) as i64
                    } else {
                        let divisors: Vec<i64> = (1..=most).filter(|t| left % t == 0).collect();
                        self.of(&divisors)
                    };
                    s.push(t);
                    d.push(if self.one_in(5) { self.below(12) as i64 } else { step });
                    step = step.saturating_mul(t);
                    if left % t == 0 {
                        left /= t;
                    }
                    if self.one_in(4) {
                        let skip = 1 + self.below(4) as i64;
                        step = step.saturating_mul(skip);
                        left /= skip.min(left.max(1));
                    }
                    left = left.max(1);
                }
                let n = s.len();
                for i in 0..n {
                    let j = self.below(n as u64) as usize;
                    s.swap(i, j);
                    d.swap(i, j);
                }
                let l = Layout::flat(&s, &d).unwrap_or(Layout::UNIT);
                self.nest(l)
            }
        }
    }

    pub fn swizzle(&mut self) -> Swizzle {
        let (b, m, s) = if self.one_in(8) {
            (self.num(), self.num(), self.num())
        } else {
            let b = self.below(4) as i64;
            (b, self.below(5) as i64, (b + self.below(4) as i64) * self.of(&[1, 1, -1]))
        };
        let s = Swizzle::new(b, m, s).unwrap_or(Swizzle::IDENTITY);
        if self.one_in(4) { s.on(Unit::BYTES) } else { s }
    }
    pub fn composed(&mut self) -> Composed {
        let l = if self.one_in(3) { self.any() } else { self.layout() };
        let s = self.swizzle();
        let least = l.image_range().map_or(0, |r| r.0.saturating_neg());
        let offset = match self.below(6) {
            0 => self.num(),
            1 => least.saturating_add(self.below(64) as i64),
            _ => least,
        };
        let mut c = Composed::new(&s, offset, &l).unwrap_or(Composed::new(&s, 0, &Layout::UNIT).unwrap());
        for _ in 0..self.below(3) {
            let s = self.swizzle();
            c = c.swizzled(&s).unwrap_or(c);
        }
        c
    }
    pub fn bound(&mut self) -> Bound {
        (0..self.below(30)).fold(Bound::ZERO, |b, _| b.plus(&self.int()).unwrap_or(b))
    }
}
