//! Sectors and lines of global memory; vectors.

use crate::{Rng, cases};
use girih::gpu::facts::{Access, FactError, Request, Vectors, sectors, vectors};
use girih::prelude::*;
use std::collections::HashSet;

#[test]
fn random_requests_touch_what_their_bytes_touch() {
    let mut rng = Rng::new(5);
    for _ in 0..cases(2000) {
        let bytes = rng.of(&[1, 2, 4, 8, 16]);
        let range = rng.of(&[2, 40, 4096]);
        let lanes: Vec<_> = (0..32).map(|_| (rng.below(4) < 3).then(|| bytes * rng.below(range))).collect();
        let all: HashSet<i64> = lanes.iter().flatten().flat_map(|&a| a..a + bytes).collect();
        let touched = |of: i64| all.iter().map(|b| b / of).collect::<HashSet<_>>().len();
        for access in [Access::Load(bytes as usize), Access::Store(bytes as usize)] {
            let s = Request::new(access, &lanes).unwrap().sectors().unwrap();
            assert_eq!((s.sectors, s.lines, s.bytes), (touched(32), touched(128), all.len()));
        }
    }
}

#[test]
fn efficiency_is_the_used_part_of_the_sectors() {
    for (l, bits, bytes, found) in [
        (layout!((32,1):(1,0)), 32, 4, (4, 1, 1.0)),
        (layout!((32,1):(2,0)), 32, 4, (8, 2, 0.5)),
        (layout!((32,1):(8,0)), 32, 4, (32, 8, 0.125)),
        (layout!((32,4):(4,1)), 32, 16, (16, 4, 1.0)),
        (layout!((32,1):(0,0)), 16, 2, (1, 1, 0.0625)),
        // rows of 64 halves, 8 lanes to a row
        (layout!(((8,4),8):((8,1024),1)), 16, 16, (16, 4, 1.0)),
    ] {
        let s = sectors(&l, bits, bytes).unwrap();
        assert_eq!((s.sectors(), s.lines(), s.efficiency()), found, "{l}");
    }
}

#[test]
fn a_misaligned_base_costs_a_sector() {
    let row = Request::all(&layout!(32:1), 32, Access::Store(4)).unwrap()[0];
    let at = |base| row.moved(base).unwrap().sectors().unwrap();
    assert_eq!([0, 4, 32, 60].map(|base| (at(base).sectors, at(base).lines)), [(4, 1), (5, 2), (4, 2), (5, 2)]);
    assert_eq!(row.moved(2).unwrap_err(), FactError::Misaligned { lane: 0, address: 2, bytes: 4 });
}

#[test]
fn matrix_instructions_have_no_sectors() {
    let rows = Request::all(&layout!((32,8):(64,1)), 16, Access::Ldmatrix(4)).unwrap()[0];
    assert_eq!(rows.sectors().unwrap_err(), FactError::NotGlobal { access: Access::Ldmatrix(4) });
}

#[test]
fn the_widest_vector_is_an_access_and_the_next_is_none() {
    let mut rng = Rng::new(6);
    for _ in 0..cases(2000) {
        let bits = rng.of(&[4, 8, 16, 32, 64, 128]) as usize;
        let (values, run) = (rng.of(&[1, 2, 4, 8, 12, 32]), rng.of(&[1, 2, 4, 8]));
        let inner = if values % run == 0 { run } else { 1 };
        let strides = [rng.below(40), 1, rng.of(&[8, 16, 24, 5])];
        let l = Layout::flat(&[8, inner, values / inner], &strides).unwrap();
        let found = vectors(&l, bits).unwrap();
        let works = |bytes: usize| Request::all(&l, bits, Access::Load(bytes)).is_ok();
        let widest = [16, 8, 4, 2, 1].into_iter().find(|&b| works(b)).unwrap_or(0);
        assert_eq!(found.width, widest, "{l} {bits} {found:?}");
    }
}

#[test]
fn vectors_say_what_limits_them() {
    let of = |l: &Layout, bits| vectors(l, bits).unwrap();
    assert_eq!(of(&layout!((32,8):(8,1)), 16), Vectors { contiguous: 16, alignment: 16, width: 16 });
    assert_eq!(of(&layout!((32,8):(12,1)), 16), Vectors { contiguous: 16, alignment: 8, width: 8 });
    assert_eq!(of(&layout!((32,8):(8,2)), 16), Vectors { contiguous: 2, alignment: 4, width: 2 });
    assert_eq!(of(&layout!((32,2):(2,1)), 4), Vectors { contiguous: 1, alignment: 1, width: 1 });
    assert_eq!(of(&layout!((32,1):(1,0)), 4), Vectors { contiguous: 0, alignment: 0, width: 0 });
    assert_eq!(vectors(&layout!(4:1), 0).unwrap_err(), FactError::Element { bits: 0, bytes: 16 });
    assert_eq!(vectors(&layout!(4:1), 256).unwrap_err(), FactError::Element { bits: 256, bytes: 16 });
}
