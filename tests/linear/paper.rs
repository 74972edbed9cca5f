//! Examples of the Linear Layouts paper (arXiv 2505.23819) and of Triton, by hand.

use crate::brute::table;
use girih::prelude::*;

fn map(text: &str) -> LinearLayout {
    text.parse().unwrap()
}

/// The table in Triton's own documentation: four bases give `L(t,w) = (t, t ^ w)`.
#[test]
fn four_bases_fill_the_table_of_4_by_4() {
    let l = map("t:[(1,1),(2,2)] w:[(0,1),(0,2)] -> x:4 y:4");
    for t in 0..4 {
        for w in 0..4 {
            assert_eq!(l.outputs().coord(l.at_coord([t, w]).unwrap()), Ok([t, t ^ w]));
        }
    }
    assert!(l.is_invertible());
}

/// A 16 x 16 tensor, 2 x 2 registers a thread, 4 x 8 threads a warp, 2 warps down, rows first: the product of identities.
#[test]
fn a_blocked_layout_is_a_product_of_identities() {
    let [dim0, dim1] = [Axis::dim(0).unwrap(), Axis::dim(1).unwrap()];
    let id = |n, from, to| LinearLayout::identity(n, from, to).unwrap();
    let grid = |axis, rows, columns| id(columns, axis, dim1).product(&id(rows, axis, dim0)).unwrap();
    let blocked = [(Axis::LANE, 4, 8), (Axis::WARP, 2, 1)]
        .iter()
        .fold(grid(Axis::REGISTER, 2, 2), |l, &(axis, rows, columns)| l.product(&grid(axis, rows, columns)).unwrap());
    assert_eq!(
        blocked.to_string(),
        "register:[(1,0),(0,1)] lane:[(2,0),(4,0),(8,0),(0,2),(0,4)] warp:[(0,8)] -> dim1:16 dim0:16"
    );
    for warp in 0..2 {
        for lane in 0..32 {
            for register in 0..4 {
                let at = blocked.at_coord([register, lane, warp]).unwrap();
                let row = 8 * warp + 2 * (lane / 8) + register / 2;
                assert_eq!(blocked.outputs().coord(at), Ok([2 * (lane % 8) + register % 2, row]));
            }
        }
    }
    // the inverse says who has an element
    let who = blocked.inverse().unwrap().at_coord([5, 9]).unwrap(); // column 5 of row 9
    assert_eq!(blocked.inputs().coord(who), Ok([3, 2, 1]));
    // vectors of two along a row
    assert_eq!(blocked.num_consecutive(Axis::REGISTER), Ok(2));
}

/// Slicing a dimension off leaves replicas: the kernel.
#[test]
fn a_sliced_layout_has_the_replicas_in_its_kernel() {
    let tile = map("register:[(1,0)] lane:[(2,0),(0,1),(0,2)] -> dim0:4 dim1:4");
    let row = tile.project(&[Axis::dim(0).unwrap()]).unwrap();
    assert_eq!(row.to_string(), "register:[1] lane:[2,0,0] -> dim0:4");
    assert_eq!(row.kernel().to_string(), "kernel:[(0,2),(0,4)] -> register:2 lane:8");
}

/// A transposed 8 x 8 tile through shared memory: `M` chosen so that both sides write and read without conflicts is
/// x ^ y, which is a single swizzle; the offsets of a row and of a column are each 0..8 permuted.
#[test]
fn a_conflict_free_tile_is_found_as_a_swizzle() {
    let tile = map("x:[1,2,4] y:[9,18,36] -> offset:64");
    assert_eq!(tile.to_composed().unwrap().to_string(), "S<3,0,3> o 0 o (8,8):(1,8)");
    for y in 0..8 {
        let mut banks: Vec<i64> = (0..8).map(|x| tile.at_coord([x, y]).unwrap() % 8).collect();
        banks.sort();
        assert!(banks.into_iter().eq(0..8));
        let mut banks: Vec<i64> = (0..8).map(|x| tile.at_coord([y, x]).unwrap() % 8).collect();
        banks.sort();
        assert!(banks.into_iter().eq(0..8));
    }
}

/// `ldmatrix` has four lanes hold a row of eight 2-byte elements, two each: it divides a layout of that form, and no other.
#[test]
fn division_finds_whether_an_instruction_fits() {
    let instruction = map("register:[1] lane:[2,4] -> offset:8");
    let fits = map("register:[1,64] lane:[2,4,8,16,32] -> offset:128");
    assert_eq!(fits.divide(&instruction).unwrap().to_string(), "register:[8] lane:[1,2,4] -> offset:16");
    let not = map("register:[64,1] lane:[2,4,8,16,32] -> offset:128");
    assert_eq!(not.divide(&instruction), Err(LayoutError::NoFactor { bit: Some(0), got: 64, expected: 1 }));
    assert_eq!(table(&fits).len(), 128);
}
