//! Whether a view is a fragment.

use crate::{Rng, cases};
use girih::gpu::facts::{Difference, difference};
use girih::prelude::*;

#[test]
fn every_operand_is_itself_in_any_nesting() {
    for atom in MmaAtom::all().step_by(53) {
        for operand in [atom.a(), atom.b(), atom.c()] {
            assert_eq!(difference(&operand, &operand), Ok(None), "{atom}");
            let coalesced = Layout::tuple(&[operand.mode(0).unwrap().coalesce(), operand.mode(1).unwrap().coalesce()]);
            assert_eq!(difference(&coalesced.unwrap(), &operand), Ok(None), "{atom}");
        }
    }
}

#[test]
fn the_first_difference_is_found() {
    let mut rng = Rng::new(7);
    let c = layout!(((4,8),(2,2)):((32,1),(16,8)));
    for _ in 0..cases(300) {
        let (t, v) = (rng.below(32), rng.below(4));
        // other values from there on: the first difference must be this one
        let from = t + 32 * v;
        let changed = (c.shape(), move |i: i64| c.at(i).unwrap() + if i >= from { 1 + i % 3 } else { 0 });
        let expected = c.at(from).unwrap();
        let at = Difference::At { thread: t as usize, value: v as usize, got: expected + 1 + from % 3, expected };
        assert_eq!(difference(&changed, &c), Ok(Some(at)));
    }
}

#[test]
fn fragments_of_other_instructions_differ() {
    let of = |name: &str| MmaAtom::named(name).unwrap();
    let f16 = of("SM80_16x8x16_F32F16F16F32_TN");
    let s8 = of("SM80_16x8x32_S32S8S8S32_TN");
    let tf32 = of("SM80_16x8x8_F32TF32TF32F32_TN");
    // the accumulators of all of them agree: one's result is the other's, if the tile is
    assert_eq!(difference(&f16.c(), &s8.c()), Ok(None));
    let shown = |view: &Layout, want: &Layout| difference(view, want).unwrap().map(|d| d.to_string());
    assert_eq!(shown(&s8.a(), &f16.a()).as_deref(), Some("16 values to a thread, not 8"));
    assert_eq!(shown(&tf32.a(), &f16.c()).as_deref(), Some("(T1,V0) is 16, not 32"));
    let quad_pair = of("SM70_8x8x4_F32F16F16F32_TN").a();
    assert_eq!(shown(&quad_pair, &f16.a()).as_deref(), Some("8 threads, not 32"));
    // C of one product as A of the next, 16 x 16: the chained product of attention
    let two = layout!(((4,8),((2,2),2)):((32,1),((16,8),128)));
    assert_eq!(difference(&two, &f16.a()), Ok(None));
}

#[test]
fn a_view_of_memory_can_be_the_fragment_of_what_ldmatrix_brings() {
    // ldmatrix.x4 from a 16 x 16 tile leaves in the registers of each lane what the copy atom says, in bits
    let copy = CopyAtom::Ldmatrix { matrices: 4, transposed: false };
    // bits to elements of the tile: 8 halves of a row, 8 rows, matrices down, then to the right
    let tile = layout!(((16,8),(8,2,2)):((0,16),(1,8,128)));
    let halves = copy.dst().compose(&layout!((32,8):(1,512))).unwrap();
    let view = tile.compose(&halves).unwrap();
    let a = MmaAtom::named("SM80_16x8x16_F32F16F16F32_TN").unwrap().a();
    assert_eq!(difference(&view, &a), Ok(None));
}
