//! Public bug reports on swizzles, by the id in `public_reports.jsonl`.

use girih::layout::Unit;
use girih::prelude::*;
use serde_json::Value;

fn is_reported(id: &str) {
    let file = include_str!("../data/public_reports.jsonl");
    assert!(file.lines().any(|l| serde_json::from_str::<Value>(l).unwrap()["id"] == id), "{id}");
}

/// The most lanes that meet in one of the 32 four-byte banks.
fn conflicts(words: impl Iterator<Item = i64>) -> usize {
    let mut bank = [0; 32];
    words.for_each(|w| bank[w as usize % 32] += 1);
    *bank.iter().max().unwrap()
}

#[test]
fn swz_bank_table_column_conflicts() {
    is_reported("swz-bank-table");
    for (stride, ways) in [(32, 32), (64, 32), (16, 16), (33, 1)] {
        let column = Layout::flat(&[32], &[stride]).unwrap();
        assert_eq!(conflicts((0..32).map(|i| column.at(i).unwrap())), ways);
    }
    for (s, ways) in [("S<5,0,5>", 1), ("S<3,0,5>", 4), ("S<2,0,5>", 8)] {
        let column = layout!(32:32).swizzled(&s.parse().unwrap()).unwrap();
        assert_eq!(conflicts((0..32).map(|i| column.at(i).unwrap())), ways, "{s}");
    }
}

/// Rows of 8 halves (16 bytes) that one ldmatrix phase reads must lie in different groups of four banks.
#[test]
fn swz_bank_phases_are_computed_from_the_layout() {
    is_reported("swz-bank");
    let phase = |s: &str| {
        let tile = layout!((128,8):(1,128)).swizzled(&s.parse().unwrap()).unwrap();
        conflicts((0..8).flat_map(|k| (0..4).map(move |w| (k, w))).map(|(k, w)| tile.at_coord([2 * w, k]).unwrap() / 2))
    };
    assert_eq!(phase("S<0,0,0>"), 8);
    assert_eq!(phase("S<3,3,4>"), 1);
}

#[test]
fn swz_print_shows_what_evaluation_gives() {
    is_reported("swz-print");
    let l = layout!((64,16):(16,1)).swizzled(&"S<1,3,3>".parse().unwrap()).unwrap();
    assert_eq!((l.at_coord([4, 0]), l.at_coord([61, 0])), (Ok(72), Ok(984)));
    let printed = l.table().unwrap().to_string();
    assert!(printed.starts_with("S<1,3,3> o 0 o (64,16):(16,1)\n"), "{printed}");
    assert!(printed.lines().any(|row| row.starts_with(" 4 |   72 |")), "{printed}");
}

#[test]
fn swz_recast_keeps_the_byte_addresses() {
    is_reported("swz-recast");
    is_reported("swz-units");
    is_reported("tl-view");
    // as bits: S<3,7,3>; as f16 and as f32
    let bits = Swizzle::new(3, 7, 3).unwrap().on(Unit::BITS);
    assert_eq!(bits.recast(Unit::BYTES).unwrap().to_string(), "S<3,4,3>[8b]");
    assert_eq!(bits.recast(Unit::elements(16).unwrap()).unwrap().to_string(), "S<3,3,3>[16b]");
    assert_eq!(bits.recast(Unit::elements(32).unwrap()).unwrap().to_string(), "S<3,2,3>[32b]");
    let tf32: Composed = "Sw<3,4,3> o smem_ptr[32b](unset) o (32,8):(1,32)".parse().unwrap();
    assert_eq!(tf32.at_coord([0, 1]), Ok(36));
}

#[test]
fn swz_slice_flag_decays_only_when_the_offset_is_known_to_keep_the_source_bits() {
    is_reported("swz-slice-flag");
    let tile: Composed = "S<3,4,3> o 0 o (8,128):(128,1)".parse().unwrap();
    // the row is known: plain; it is not: refused, for its bits decide the signs
    assert!(tile.slice(&ints!((5, _))).unwrap().is_plain());
    assert_eq!(tile.slice(&ints!((?row, _))).unwrap_err().reason, LayoutError::Undecided);
    // rows and columns both move: source and target bits stay active
    assert!(!tile.slice(&ints!((_, _))).unwrap().is_plain());
    // the offset moves the row, and with it the addresses
    let moved: Composed = "S<3,4,3> o 128 o 128:1".parse().unwrap();
    assert_eq!(moved.decay(), Some((layout!((16,2,4):(1,-16,32)), 144)));
}

#[test]
fn tl_int4_alignment_counts_the_offset() {
    is_reported("tl-int4");
    let view = |o| Composed::new(&Swizzle::new(3, 2, 3).unwrap(), o, &layout!((8,32):(32,1))).unwrap();
    assert_eq!((0..5).map(|o| view(o).max_alignment().unwrap()).collect::<Vec<_>>(), [4, 1, 2, 1, 4]);
}

#[test]
fn tl_swz_scan_runs_over_logical_coordinates() {
    is_reported("tl-swz-scan");
    let l = layout!((16,64):(64,1)).swizzled(&Swizzle::new(3, 3, 3).unwrap()).unwrap();
    let mut memory = [false; 1024];
    (0..64).for_each(|j| memory[l.at_coord([5, j]).unwrap() as usize] = true);
    let all = |row| (0..64).all(|j| memory[l.at_coord([row, j]).unwrap() as usize]);
    assert_eq!((0..16).filter(|&r| all(r)).collect::<Vec<_>>(), [5]);
}
