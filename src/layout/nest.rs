//! How the leaves of a tuple are nested, as two words.

/// Leaf modes that a layout or an integer tuple holds.
/// ```
/// # use girih::prelude::*;
/// # use girih::layout::MODES;
/// assert!(Layout::flat(&[2; MODES], &[0; MODES]).is_ok());
/// assert_eq!(Layout::flat(&[2; MODES + 1], &[0; MODES + 1]), Err(LayoutError::TooManyModes));
/// ```
pub const MODES: usize = 24;

/// Nesting of a tuple in unary. For each leaf, left to right, `open` has one 1 for each parenthesis that opens just
/// before it and then a 0; `close` has a 0 and then one 1 for each parenthesis that closes just after it. Lowest bit
/// first. An integer leaf is `(0, 0)`, a flat tuple of n leaves `(1, 1 << n)`. The form is canonical (equal nesting,
/// equal words) and concatenates by shifting; leaves and parentheses together are at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Nest {
    pub open: u64,
    pub close: u64,
}

impl Nest {
    pub const LEAF: Nest = Nest { open: 0, close: 0 };

    #[inline(always)]
    pub const fn flat(n: usize) -> Nest {
        Nest { open: 1, close: 1 << n }
    }

    #[inline(always)]
    pub const fn same(&self, o: &Nest) -> bool {
        self.open == o.open && self.close == o.close
    }

    /// Parentheses before and after the next leaf; removes them.
    #[inline(always)]
    pub const fn next(&mut self) -> (u32, u32) {
        let o = self.open.trailing_ones();
        self.open = if o >= 63 { 0 } else { self.open >> (o + 1) };
        self.close >>= 1;
        let c = self.close.trailing_ones();
        self.close = if c >= 64 { 0 } else { self.close >> c };
        (o, c)
    }
}

/// Writes a [`Nest`] from left to right. A parenthesis opens before the next leaf or closes after the last one.
#[derive(Clone, Copy)]
pub(crate) struct Pen {
    pub nest: Nest,
    pending: u32,
    open_at: u32,
    close_at: u32,
}

impl Pen {
    pub const NEW: Pen = Pen { nest: Nest::LEAF, pending: 0, open_at: 0, close_at: 0 };

    #[inline(always)]
    pub const fn open(&mut self, n: u32) {
        self.pending += n;
    }

    /// False when the words are full.
    #[inline(always)]
    pub const fn leaf(&mut self) -> bool {
        let o = self.pending;
        if self.open_at + o >= 64 || self.close_at >= 64 {
            return false;
        }
        self.nest.open |= ((1u64 << o) - 1) << self.open_at;
        self.open_at += o + 1;
        self.close_at += 1;
        self.pending = 0;
        true
    }

    /// False when the words are full.
    #[inline(always)]
    pub const fn close(&mut self, n: u32) -> bool {
        if self.close_at + n > 64 {
            return false;
        }
        if n > 0 {
            self.nest.close |= (u64::MAX >> (64 - n)) << self.close_at;
            self.close_at += n;
        }
        true
    }
}
