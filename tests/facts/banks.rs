//! Bank conflicts.

use crate::{Rng, cases};
use girih::gpu::facts::{Access, FactError, Request, banks};
use girih::prelude::*;
use std::collections::{HashMap, HashSet};

#[test]
fn the_seven_rows_of_the_bank_table() {
    for (stride, ways) in [(32, 32), (64, 32), (16, 16), (33, 1)] {
        let column = Layout::flat(&[32, 1], &[stride, 0]).unwrap();
        let found = banks(&column, 32, Access::Load(4)).unwrap();
        assert_eq!((found.ways(), found.wavefronts()), (ways, ways), "row stride {stride}");
    }
    for (swizzle, ways) in [("S<5,0,5>", 1), ("S<3,0,5>", 4), ("S<2,0,5>", 8)] {
        let column = layout!((32,1):(32,0)).swizzled(&swizzle.parse().unwrap()).unwrap();
        assert_eq!(banks(&column, 32, Access::Load(4)).unwrap().ways(), ways, "{swizzle}");
    }
}

#[test]
fn padding_and_swizzles_free_ldmatrix() {
    // 16 x 16 halves by ldmatrix.x4, in rows of so many halves
    for (stride, swizzle, ways) in [
        (64, "S<0,0,0>", 8),
        (72, "S<0,0,0>", 1),
        (32, "S<0,0,0>", 4),
        (40, "S<0,0,0>", 1),
        (128, "S<0,0,0>", 8),
        (64, "S<1,3,3>", 4),
        (64, "S<2,3,3>", 2),
        (64, "S<3,3,3>", 1),
        (32, "S<2,3,3>", 1),
        (128, "S<3,3,4>", 1),
    ] {
        let rows = Layout::flat(&[16, 2, 8], &[stride, 8, 1]).unwrap().group(0, 2).unwrap();
        let rows = rows.swizzled(&swizzle.parse().unwrap()).unwrap();
        for access in [Access::Ldmatrix(4), Access::Stmatrix(4), Access::Ldmatrix(2), Access::Stmatrix(1)] {
            assert_eq!(banks(&rows, 16, access).unwrap().ways(), ways, "{access} {stride} {swizzle}");
        }
    }
}

#[test]
fn a_matrix_instruction_needs_the_addresses_of_its_rows_only() {
    let eight = layout!((8,8):(64,1));
    assert_eq!(banks(&eight, 16, Access::Ldmatrix(1)).unwrap().ways(), 8);
    let e = banks(&eight, 16, Access::Ldmatrix(2)).unwrap_err();
    assert_eq!(e, FactError::NoAddress { lane: 8, access: Access::Ldmatrix(2) });
    assert_eq!(e.to_string(), "lane 8 has no address, ldmatrix.x2 needs one");
    // those of further lanes may be anything
    let mut rows = vec![Some(0); 8];
    rows.extend([Some(-3), Some(7)]);
    assert_eq!(Request::new(Access::Stmatrix(1), &rows).unwrap().banks().wavefronts(), 1);
}

/// Each bank has as many wavefronts in a phase as it has different words, straight from the bytes.
fn slow(addresses: &[Option<i64>], bytes: i64, lanes: usize) -> usize {
    let phase = |lanes: &[Option<i64>]| {
        let words = lanes.iter().flatten().flat_map(|a| (*a..a + bytes).map(|byte| byte / 4)).collect::<HashSet<_>>();
        (0..32).map(|bank| words.iter().filter(|&w| w % 32 == bank).count()).max().unwrap()
    };
    addresses.chunks(lanes).map(phase).sum()
}

#[test]
fn random_requests_equal_a_slow_count() {
    let mut rng = Rng::new(3);
    for _ in 0..cases(3000) {
        let bytes = rng.of(&[1, 2, 4, 8, 16]);
        let range = rng.of(&[2, 8, 64, 4096]);
        let active = rng.of(&[1, 2, 4]);
        let addresses: Vec<_> = (0..32).map(|_| (rng.below(active) < 2).then(|| bytes * rng.below(range))).collect();
        let lanes = 32.min(128 / bytes) as usize;
        let expected = slow(&addresses, bytes, lanes);
        let store = Request::new(Access::Store(bytes as usize), &addresses).unwrap().banks();
        assert_eq!(store.wavefronts(), expected);
        let load = Request::new(Access::Load(bytes as usize), &addresses).unwrap().banks();
        let joins = |d: usize| (0..32).all(|i| addresses[i].zip(addresses[i ^ d]).is_none_or(|(a, b)| a == b));
        let joined = if bytes > 4 && (joins(1) || joins(2)) { 2 } else { 1 };
        assert_eq!(load.wavefronts(), slow(&addresses, bytes, lanes * joined));
        assert!(load.wavefronts() <= expected);
        if bytes == 16 && addresses.iter().all(Option::is_some) {
            let matrix = Request::new(Access::Ldmatrix(4), &addresses).unwrap().banks();
            assert_eq!(matrix.phases, store.phases);
        }
    }
}

#[test]
fn the_worst_pair_wants_different_words_of_its_bank() {
    let mut rng = Rng::new(4);
    for _ in 0..cases(1000) {
        let bytes = rng.of(&[1, 2, 4, 8, 16]);
        let addresses: Vec<_> = (0..32).map(|_| Some(bytes * rng.below(100))).collect();
        for phase in Request::new(Access::Load(bytes as usize), &addresses).unwrap().banks().phases {
            assert_eq!(phase.worst.is_some(), phase.ways > 1);
            assert_eq!(phase.crowded != 0, phase.ways > 1);
            let Some(worst) = phase.worst else { continue };
            let word = |i: usize| {
                assert_eq!(Some(worst.addresses[i]), addresses[worst.lanes[i]]);
                assert!(phase.lanes.contains(&worst.lanes[i]));
                let first = worst.addresses[i] / 4;
                (first..=(worst.addresses[i] + bytes - 1) / 4).find(|w| *w as usize % 32 == worst.bank).unwrap()
            };
            assert_ne!(word(0), word(1));
            // and its bank is as full as any
            let mut wanted: HashMap<i64, HashSet<i64>> = HashMap::new();
            for &lane in &phase.lanes {
                let a = addresses[lane].unwrap();
                for byte in a..a + bytes {
                    wanted.entry(byte / 4 % 32).or_default().insert(byte / 4);
                }
            }
            assert_eq!(wanted[&(worst.bank as i64)].len(), phase.ways);
        }
    }
}

#[test]
fn several_warps_and_several_accesses_are_several_requests() {
    let l = layout!((48,4):(4,1));
    let found = banks(&l, 32, Access::Store(8)).unwrap();
    assert_eq!(found.requests.len(), 4); // 2 warps, 2 accesses each
    assert_eq!(found.requests[3].phases.len(), 1); // 16 lanes of the second
    assert_eq!(found.requests[3].phases[0].lanes, (0..16).collect::<Vec<_>>());
    // a rank-1 layout is threads with a value each, modes beyond the second are values too
    assert_eq!(banks(&layout!(32:32), 32, Access::Load(4)).unwrap().wavefronts(), 32);
    let flat = banks(&layout!((32,2,2):(4,1,2)), 32, Access::Store(8)).unwrap();
    assert_eq!(flat, banks(&layout!((32,4):(4,1)), 32, Access::Store(8)).unwrap());
}

#[test]
fn reports_are_readable() {
    let report = |l: &Layout, access| banks(l, 32, access).unwrap().to_string();
    assert_eq!(report(&layout!(32:1), Access::Load(4)), "a load of 4 bytes: 1 wavefront, no conflict");
    assert_eq!(
        report(&layout!((32,2):(1,64)), Access::Store(4)),
        "2 requests, each a store of 4 bytes: 2 wavefronts, no conflict"
    );
    assert_eq!(
        report(&layout!((32,(4,2)):(4,(1,128))), Access::Load(4)),
        "8 requests, each a load of 4 bytes: 32 wavefronts, 8 without conflicts\n\
         request 0, lanes 0-31: 4 ways, lane 0 (byte 0) meets lane 8 (byte 128) in bank 0"
    );
    let one = Request::new(Access::Store(16), &[Some(0), None, Some(128), None, None, None, None, None, Some(16)]);
    assert_eq!(
        one.unwrap().banks().to_string(),
        "a store of 16 bytes: 3 wavefronts, 2 without conflicts\n\
         lanes 0,2: 2 ways, lane 0 (byte 0) meets lane 2 (byte 128) in bank 0\n\
         lane 8: 1 way"
    );
}

#[test]
fn what_is_no_access_is_refused() {
    let of = |l: &Layout, bits, access| banks(l, bits, access).unwrap_err();
    let l = layout!((32,8):(8,1));
    for bytes in [0, 3, 32] {
        assert_eq!(of(&l, 32, Access::Load(bytes)), FactError::Width { bytes });
        assert_eq!(of(&l, 32, Access::Store(bytes)), FactError::Width { bytes });
    }
    for count in [0, 3, 8] {
        assert_eq!(of(&l, 16, Access::Ldmatrix(count)), FactError::Matrices { count });
    }
    for (bits, bytes) in [(0, 4), (24, 4), (64, 4), (usize::MAX, 16)] {
        assert_eq!(of(&l, bits, Access::Load(bytes)), FactError::Element { bits, bytes });
    }
    assert_eq!(of(&layout!((32,3):(4,1)), 32, Access::Load(8)), FactError::Ragged { values: 3, access: 2 });
    let apart = FactError::NotConsecutive { thread: 0, value: 1, got: 64, expected: 1 };
    assert_eq!(of(&layout!((32,2):(2,64)), 32, Access::Load(8)), apart);
    let odd = FactError::Misaligned { lane: 1, address: 12, bytes: 8 };
    assert_eq!(of(&layout!((32,2):(3,1)), 32, Access::Load(8)), odd);
    let nibble = FactError::InsideByte { lane: 1, bit: 4 };
    assert_eq!(of(&layout!((32,2):(1,1)), 4, Access::Load(1)), nibble);
    assert_eq!(of(&layout!(32:-1), 32, Access::Load(4)), FactError::Negative { lane: 1, address: -4 });
    assert_eq!(of(&layout!((4,4):(1@0,1@1)), 32, Access::Load(4)), LayoutError::Codomain.into());
    let symbolic: Layout = "(?M,4):(4,1)".parse().unwrap();
    assert_eq!(of(&symbolic, 32, Access::Load(4)).kind(), "undecided");
    let far = (ints!((1, 1)), |_: i64| i64::MAX);
    assert_eq!(banks(&far, 32, Access::Load(4)).unwrap_err(), LayoutError::Overflow.into());
    let end = Request::new(Access::Load(1), &[Some(i64::MAX)]).unwrap_err();
    assert_eq!(end, LayoutError::Overflow.into());
    let huge = layout!((1024,1048576):(0,0));
    assert_eq!(of(&huge, 32, Access::Load(4)), FactError::TooLarge { values: 1 << 30 });
    assert_eq!(Request::new(Access::Load(4), &[None; 33]).unwrap_err(), FactError::Lanes { lanes: 33 });
}

#[test]
fn a_warp_without_active_lanes_takes_nothing() {
    let nobody = Request::new(Access::Load(8), &[]).unwrap().banks();
    assert_eq!((nobody.wavefronts(), nobody.ideal(), nobody.worst()), (0, 0, None));
}
