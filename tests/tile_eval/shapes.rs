//! Operations on shapes, one after the other, so that layouts nest.

use crate::{Plain, Random, check, reference, run, shape};
use girih::tile::*;
use proptest::prelude::*;

/// An operation that a tile of this shape has, as numbers decide, with its other operands.
fn any_op(x: &Plain, pick: [u64; 4]) -> (Op, Vec<Plain>) {
    let TileType { element, shape: own } = x.ty;
    let extents: Vec<u32> = own.extents().collect();
    let rank = extents.len();
    let mut random = Random(pick[3]);
    let dim = pick[1] as usize % rank.max(1);
    let index = |i: u64| Plain::scalar(ElementType::I32, i);
    match pick[0] % 8 {
        0 => {
            // the factors of two, dealt to another number of dimensions
            let mut to = vec![1; pick[1] as usize % 5];
            if to.is_empty() && own.size() > 1 {
                to.push(1);
            }
            for _ in 0..own.size().ilog2() {
                let at = random.next() as usize % to.len();
                to[at] *= 2;
            }
            (Op::Reshape(shape(&to)), vec![])
        }
        1 if rank > 0 => {
            let mut map: Vec<u8> = (0..rank as u8).collect();
            (1..rank).rev().for_each(|i| map.swap(i, random.next() as usize % (i + 1)));
            (Op::Permute(Map::new(&map)), vec![])
        }
        2 if own.size() <= 1 << 10 => {
            let ones = extents.iter().map(|&n| if n == 1 { 1 << (random.next() % 3) } else { n });
            let to: Vec<u32> = (0..pick[1] % 2).map(|_| 2).chain(ones).collect();
            (Op::Broadcast(shape(&to[..to.len().min(RANK)])), vec![])
        }
        3 if own.size() <= 1 << 10 && rank > 0 => (Op::Cat(dim as u8), vec![random.plain(element, own)]),
        4 | 5 if rank > 0 => {
            let part: Vec<u32> = extents.iter().map(|&n| 1 << (random.next() % u64::from(n.ilog2() + 1))).collect();
            let at = extents
                .iter()
                .zip(&part)
                .map(|(n, part)| index(random.next() % u64::from(n / part)))
                .collect::<Vec<_>>();
            match pick[0] % 8 {
                4 => (Op::Extract(shape(&part)), at),
                _ => (Op::Insert, [vec![random.plain(element, shape(&part))], at].concat()),
            }
        }
        6 if rank > 0 => {
            let to = ElementType::ALL[pick[2] as usize % 19];
            let op = Op::Repack(to, dim as u8);
            if op.result(&[x.ty]).is_ok_and(|ty| ty.shape.size() <= 1 << 12) {
                (op, vec![])
            } else {
                (Op::Bitcast(element), vec![])
            }
        }
        _ => (Op::Reshape(own), vec![]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    /// The tile stays what the operations made it, in whatever layout; its definition starts from row-major order each time.
    #[test]
    fn chains(
        logs in prop::collection::vec(0u32..4, 0..4),
        element in 0usize..19,
        seed: u64,
        picks in prop::collection::vec(any::<[u64; 4]>(), 1..8),
    ) {
        let extents: Vec<u32> = logs.iter().map(|log| 1 << log).collect();
        let mut plain = Random(seed).plain(ElementType::ALL[element], shape(&extents));
        let mut tile = plain.tile();
        for pick in picks {
            let (op, others) = any_op(&plain, pick);
            let tiles: Vec<_> = others.iter().map(Plain::tile).collect();
            let operands: Vec<_> = std::iter::once(&tile).chain(&tiles).collect();
            let next = op.eval(&operands).unwrap();
            plain = reference::eval(&op, &[vec![plain], others].concat());
            prop_assert_eq!(&Plain::of(&next), &plain, "{:?}", op);
            tile = next;
        }
    }
}

#[test]
fn large_permutations() {
    let x = Random(5).plain(ElementType::F32, shape(&[64, 4, 128]));
    for map in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        check(Op::Permute(Map::new(&map)), std::slice::from_ref(&x));
    }
    let bits = Random(6).plain(ElementType::F8E5M2, shape(&[2, 8, 2, 4, 2, 16, 2, 2]));
    check(Op::Permute(Map::new(&[7, 3, 1, 5, 0, 2, 6, 4])), &[bits]);
}

#[test]
fn parts_cover_the_whole() {
    let whole = Random(9).plain(ElementType::I16, shape(&[8, 16]));
    let mut copy = Plain::new(whole.ty, vec![0; 128]);
    for i in 0..4 {
        for j in 0..2 {
            let at = [Plain::scalar(ElementType::U8, i), Plain::scalar(ElementType::I64, j)];
            let part = run(Op::Extract(shape(&[2, 8])), &[core::slice::from_ref(&whole), &at[..]].concat());
            copy = run(Op::Insert, &[&[copy, part], &at[..]].concat());
        }
    }
    assert_eq!(copy, whole);
}

/// The seed's example of `repack`, bytes to their bits along both dimensions.
#[test]
fn bits_of_bytes() {
    let x = Plain::new(TileType::new(ElementType::U8, shape(&[1, 2])), [0b0011_0011, 0b1010_1111]);
    let columns = run(Op::Repack(ElementType::Bool, 0), std::slice::from_ref(&x));
    assert_eq!(columns.codes, [1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 1]);
    let rows = run(Op::Repack(ElementType::Bool, 1), &[x]);
    assert_eq!(rows.codes, [1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1]);
}

/// The seed's third example of `repack`.
#[test]
fn bytes_to_words() {
    let bytes = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef];
    let x = Plain::new(TileType::new(ElementType::U8, shape(&[4, 2])), bytes);
    assert_eq!(run(Op::Repack(ElementType::U16, 0), std::slice::from_ref(&x)).codes, [0x4501, 0x6723, 0xcd89, 0xefab]);
    assert_eq!(run(Op::Repack(ElementType::U16, 1), &[x]).codes, [0x2301, 0x6745, 0xab89, 0xefcd]);
}

#[test]
fn the_layout_of_equal_elements_is_flat() {
    let ones = Op::Full(TileType::new(ElementType::I32, shape(&[2, 4])), 1).eval(&[]).unwrap();
    assert_eq!(ones.layout().to_string(), "(2,4):(0,0)");
}

#[test]
fn long_tiles_are_shortened_in_print_unless_asked() {
    let shape = shape(&[2, 32, 32]);
    let x = AnyTile::new(shape, (0..2048).collect::<Vec<i32>>()).unwrap();
    let text = x.to_string();
    assert_eq!(text.lines().count(), 2 * 9 + 1);
    assert_eq!(text.lines().next().unwrap(), "(   0    1    2    3 ...   28   29   30   31)");
    assert_eq!(text.lines().nth(4), Some("..."));
    assert!(text.ends_with("(2016 2017 2018 2019 ... 2044 2045 2046 2047)"));
    let whole = format!("{x:#}");
    assert_eq!(
        (whole.lines().count(), whole.split(['(', ')', ' ', '\n']).filter(|s| !s.is_empty()).count()),
        (65, 2048)
    );
    let far = AnyTile::new(crate::shape(&[4]), vec![-0.0f32, 1e30, f32::INFINITY, 1e-30]).unwrap();
    assert_eq!(far.to_string(), "(   -0  1e30   inf 1e-30)");
    let near = AnyTile::new(crate::shape(&[2]), vec![1.26f64, -3.0]).unwrap();
    assert_eq!(format!("{near:6.1}"), "(   1.3   -3.0)");
    // a permuted one is read in its own order, and one of equal elements is not written out
    let turned = Op::Permute(Map::new(&[0, 2, 1])).eval(&[&x]).unwrap();
    assert!(turned.to_string().starts_with("(   0   32   64   96 ... "));
    let huge = Op::Full(TileType::new(ElementType::I8, girih::tile::Shape::new(&[1 << 12, 1 << 12]).unwrap()), 7)
        .eval(&[])
        .unwrap();
    assert_eq!(huge.to_string().lines().nth(8), Some("(7 7 7 7 ... 7 7 7 7)"));
}
