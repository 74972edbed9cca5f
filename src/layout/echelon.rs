//! Elimination over F2: vectors of bits in echelon form.

/// The span of the vectors given to [`Echelon::insert`], non-negative and at most 63 of them.
pub(crate) struct Echelon {
    /// `row[t]` has highest bit t, or is 0
    row: [i64; 63],
    /// which of the vectors, by number, XOR to the row
    from: [i64; 63],
    /// the bits t of the rows
    pivots: i64,
    count: u32,
}

impl Echelon {
    pub const NEW: Echelon = Echelon { row: [0; 63], from: [0; 63], pivots: 0, count: 0 };

    /// Adds a vector; if it depends on those before it, the vectors, itself among them, that XOR to 0.
    pub const fn insert(&mut self, v: i64) -> Option<i64> {
        let this = 1i64 << self.count;
        self.count += 1;
        let (rest, from) = self.reduce(v);
        if rest == 0 {
            return Some(from | this);
        }
        let top = 63 - rest.leading_zeros() as usize;
        self.row[top] = rest;
        self.from[top] = from | this;
        self.pivots |= 1 << top;
        None
    }

    /// The least vector of `v + span`, which is 0 exactly for a vector of the span, and the vectors that XOR to their
    /// difference; linear in `v`. Only vectors are used that do not depend on those before them.
    #[inline]
    pub const fn reduce(&self, v: i64) -> (i64, i64) {
        let (mut rest, mut from) = (v, 0);
        while rest & self.pivots != 0 {
            let t = 63 - (rest & self.pivots).leading_zeros() as usize;
            rest ^= self.row[t];
            from ^= self.from[t];
        }
        (rest, from)
    }

    /// Least and largest vector of `v + span`.
    pub const fn range(&self, v: i64) -> (i64, i64) {
        (self.reduce(v).0, !self.reduce(!v).0)
    }

    /// The vector of the span that has bit `t`, no higher one, and no other that is highest in the span.
    pub const fn pivot(&self, t: usize) -> Option<i64> {
        if self.row[t] == 0 { None } else { Some(1 << t | self.reduce(self.row[t] ^ 1 << t).0) }
    }

    pub const fn rank(&self) -> u32 {
        self.pivots.count_ones()
    }
}
