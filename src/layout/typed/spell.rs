//! The Rust type of a run-time layout's static twin.

use crate::layout::{Int, Layout};

impl Layout {
    /// The Rust type with this layout as its constant: `L<(U4, U8), (U8, U1)>`. None for what a type has no words for
    /// (rounded-up quotients of symbols). Symbols become `Sym<Name>`, to be declared with [`symbols!`](crate::symbols).
    /// ```
    /// # use girih::prelude::*;
    /// let r = layout!((6,2):(8,2)).compose(&layout!((4,3):(3,1)))?;
    /// assert_eq!(r.static_type().as_deref(), Some("L<((U2, U2), U3), ((U24, U2), U8)>"));
    /// assert_eq!(L::<((U2, U2), U3), ((U24, U2), U8)>::LAYOUT, r);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn static_type(&self) -> Option<String> {
        Some(format!("L<{}, {}>", self.spelled(Layout::extent_int)?, self.spelled(Layout::stride_int)?))
    }

    fn spelled(&self, leaf: impl Fn(&Layout, usize) -> Int) -> Option<String> {
        let (mut text, mut nest) = (String::new(), self.nest);
        // modes so far of each tuple that is open
        let mut modes = vec![0];
        for i in 0..self.leaves() {
            let (open, close) = nest.next();
            if i > 0 {
                text += ", ";
            }
            for _ in 0..open {
                text.push('(');
                *modes.last_mut()? += 1;
                modes.push(0);
            }
            *modes.last_mut()? += 1;
            text += &integer(&leaf(self, i))?;
            for _ in 0..close {
                // `(T)` is no tuple in Rust
                text += if modes.pop()? == 1 { ",)" } else { ")" };
            }
        }
        Some(text)
    }
}

fn integer(v: &Int) -> Option<String> {
    let mut symbols: Vec<String> = Vec::new();
    let mut coef = v.coef;
    for f in v.factors.iter().take(v.symbols()) {
        if f.div > 1 && !(f.exact && coef % f.div as i64 == 0) {
            return None;
        }
        coef /= f.div as i64;
        symbols.push(if f.div > 1 { format!("Sym<{}, {}>", f.name, f.div) } else { format!("Sym<{}>", f.name) });
    }
    let mut text = if (0..=1024).contains(&coef) { format!("U{coef}") } else { format!("C<{coef}>") };
    if !symbols.is_empty() && coef == 1 {
        text = symbols.remove(0);
    }
    for s in symbols {
        text = format!("Times<{text}, {s}>");
    }
    let path = &v.basis.step[..v.basis.len as usize];
    for (k, step) in path.iter().rev().enumerate() {
        text = if k == 0 && text == "U1" { format!("E<{step}>") } else { format!("E<{step}, {text}>") };
    }
    Some(text)
}
