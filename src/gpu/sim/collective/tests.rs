use super::*;
use crate::gpu::ptx::{Reg, Type};
use proptest::prelude::*;

/// An instruction of this spelling with these operands.
fn made(spelling: &str, operands: Vec<Operand>) -> Collective {
    collective(&Instruction::spelled(spelling, operands).unwrap()).unwrap()
}

fn r(ty: Type) -> Operand {
    Reg { id: 0, ty }.into()
}

fn pair(a: Type) -> Operand {
    Operand::Pair(Box::new([r(a), r(Type::Pred)]))
}

/// The results, and who read from threads that do not take part.
fn run(c: &Collective, sources: &[&Lanes], active: u32) -> (Vec<Lanes>, u32) {
    let mut results = vec![[0x5555; 32]; c.results()];
    let missing = c.run(sources, active, &mut results);
    (results, missing)
}

fn shfl_of(mode: &str) -> Collective {
    let word = || r(Type::B32);
    made(&format!("shfl.sync.{mode}.b32"), vec![pair(Type::B32), word(), word(), word(), word()])
}

/// Of one source of this type.
fn one(spelling: &str, result: Operand, source: Type) -> Collective {
    made(spelling, vec![result, r(source), r(Type::B32)])
}

#[test]
fn every_instruction_of_the_table_that_asks_a_warp_has_a_meaning() {
    let mut found = 0;
    for op in
        Opcode::all().filter(|op| ["shfl", "vote", "match", "redux", "elect", "activemask"].contains(&op.mnemonic()))
    {
        let word = |name: &str| match name {
            "f32" => Type::F32,
            "b64" => Type::B64,
            _ => Type::B32,
        };
        let ty = word(op.qualifiers().last().unwrap());
        let operands = match op.mnemonic() {
            "shfl" => vec![r(ty); 5],
            "vote" if op.has("ballot") => vec![r(Type::B32), r(Type::Pred), r(Type::B32)],
            "vote" => vec![r(Type::Pred), r(Type::Pred), r(Type::B32)],
            "match" => vec![r(Type::B32), r(ty), r(Type::B32)],
            "redux" => vec![r(ty), r(ty), r(Type::B32)],
            "elect" => vec![pair(Type::B32), r(Type::B32)],
            _ => vec![r(ty)],
        };
        let i = Instruction::new(op, operands).unwrap();
        let c = collective(&i).unwrap_or_else(|| panic!("{op}"));
        assert_eq!(c.masked(), op.mnemonic() != "activemask");
        assert_eq!(c.results(), if op.mnemonic() == "elect" { 2 } else { 1 });
        found += 1;
    }
    assert_eq!(found, 4 + 3 + 1 + 4 + 1 + 6 + 3 + 8 + 1);
    let add = Instruction::spelled("add.u32", vec![r(Type::B32), r(Type::B32), r(Type::B32)]).unwrap();
    assert!(collective(&add).is_none());
}

#[test]
fn shuffles_as_cuda_prints_them() {
    // __shfl_down_sync(m, x, 1), __shfl_up_sync(m, x, 1, 8), __shfl_xor_sync(m, x, 16), __shfl_sync(m, x, 3, 8)
    let x: Lanes = core::array::from_fn(|lane| 100 + lane as u64);
    let read = |mode: &str, b: u64, c: u64| run(&shfl_of(mode), &[&x, &[b; 32], &[c; 32]], u32::MAX).0;
    let down = read("down", 1, 0x1f);
    assert_eq!((down[0][0], down[0][30], down[0][31]), (101, 131, 131));
    assert_eq!((down[1][30], down[1][31]), (1, 0));
    let up = read("up", 1, 0x1800);
    assert_eq!((up[0][0], up[0][7], up[0][8], up[0][9]), (100, 106, 108, 108));
    assert_eq!((up[1][7], up[1][8]), (1, 0));
    assert_eq!(read("bfly", 16, 0x1f)[0], core::array::from_fn(|lane| 100 + (lane as u64 ^ 16)));
    assert_eq!(read("idx", 3, 0x181f)[0], core::array::from_fn(|lane| 100 + (lane as u64 / 8 * 8 + 3)));
}

#[test]
fn reading_from_a_thread_that_takes_no_part_is_reported() {
    let x: Lanes = core::array::from_fn(|lane| lane as u64);
    let missing = |mode: &str, b: u64, active| run(&shfl_of(mode), &[&x, &[b; 32], &[0x1f; 32]], active).1;
    // thread 15 reads from 16
    assert_eq!(missing("down", 1, 0xffff), 1 << 15);
    assert_eq!(missing("bfly", 8, 0xffff), 0);
    assert_eq!(missing("idx", 20, 0b101), 0b101);
    assert_eq!(missing("down", 1, u32::MAX), 0);
}

#[test]
fn extremes_of_floats_take_zeros_and_nans_as_the_isa_says() {
    let redux = |op: &str, values: [f32; 3]| {
        let mut a: Lanes = [u64::from((-1e30f32).to_bits()); 32];
        a.iter_mut().zip(values).for_each(|(a, x)| *a = x.to_bits().into());
        run(&one(&format!("redux.sync.{op}.f32"), r(Type::F32), Type::F32), &[&a], 0b111).0[0][31] as u32
    };
    let nan = f32::NAN;
    assert_eq!(redux("min", [0.0, -0.0, 1.0]), (-0.0f32).to_bits());
    assert_eq!(redux("max", [-0.0, 0.0, -1.0]), 0);
    assert_eq!(redux("max", [nan, -3.0, -2.0]), (-2.0f32).to_bits());
    assert_eq!(redux("min", [nan, -nan, nan]), 0x7fff_ffff);
    assert_eq!(redux("min.NaN", [1.0, -nan, 2.0]), 0x7fff_ffff);
    assert_eq!(redux("max.NaN", [1.0, 3.0, 2.0]), 3f32.to_bits());
    assert_eq!(redux("max.abs", [-4.0, 3.0, 2.0]), 4f32.to_bits());
    assert_eq!(redux("min.abs.NaN", [-4.0, -3.0, 3.5]), 3f32.to_bits());
    assert_eq!(redux("min.abs", [-4.0, nan, -0.0]), 0);
}

/// Values of which many are equal, and some not.
fn lanes() -> impl Strategy<Value = Lanes> {
    prop_oneof![
        proptest::array::uniform32(0u64..3),
        proptest::array::uniform32(any::<u64>()),
        any::<u64>().prop_map(|x| [x; 32]),
        proptest::array::uniform32((0u64..2).prop_map(|x| x << 32 | 7)),
    ]
}

fn masks() -> impl Strategy<Value = u32> {
    prop_oneof![Just(u32::MAX), any::<u32>(), (0u32..32).prop_map(|i| 1 << i), (0u32..32).prop_map(|i| u32::MAX >> i)]
}

proptest! {
    /// PTX ISA, "shfl.sync", its pseudocode thread by thread.
    #[test]
    fn shuffles_are_those_of_the_isa(a in lanes(), b in lanes(), c in lanes(), active in masks(), own: bool) {
        // one segment for the warp, or for each thread its own
        let c = if own { c } else { [c[0]; 32] };
        for mode in ["up", "down", "bfly", "idx"] {
            let (got, missing) = run(&shfl_of(mode), &[&a, &b, &c], active);
            for lane in (0..32i64).filter(|lane| active >> lane & 1 == 1) {
                let at = lane as usize;
                let bval = (b[at] & 0x1f) as i64;
                let cval = (c[at] & 0x1f) as i64;
                let segmask = (c[at] >> 8 & 0x1f) as i64;
                let max_lane = (lane & segmask) | (cval & !segmask & 0x1f);
                let min_lane = lane & segmask;
                let (mut j, pval);
                if mode == "up" {
                    j = lane - bval;
                    pval = j >= max_lane;
                } else if mode == "down" {
                    j = lane + bval;
                    pval = j <= max_lane;
                } else if mode == "bfly" {
                    j = lane ^ bval;
                    pval = j <= max_lane;
                } else {
                    j = min_lane | (bval & !segmask & 0x1f);
                    pval = j <= max_lane;
                }
                if !pval {
                    j = lane;
                }
                prop_assert_eq!((got[0][at], got[1][at]), (a[j as usize], pval as u64), "{} {}", mode, lane);
                prop_assert_eq!(missing >> lane & 1 == 1, active >> j & 1 == 0, "{} {}", mode, lane);
            }
            prop_assert_eq!(missing & !active, 0);
        }
    }

    #[test]
    fn votes_and_matches_are_those_of_the_isa(a in lanes(), p in proptest::array::uniform32(0u64..2), same: Option<bool>, active in masks()) {
        let p = same.map_or(p, |p| [p.into(); 32]);
        let set: Vec<usize> = (0..32).filter(|lane| active >> lane & 1 == 1).collect();
        let vote = |mode: &str| {
            let ty = if mode == "ballot.b32" { Type::B32 } else { Type::Pred };
            run(&one(&format!("vote.sync.{mode}"), r(ty), Type::Pred), &[&p], active).0[0]
        };
        let all = set.iter().all(|&l| p[l] == 1);
        let any = set.iter().any(|&l| p[l] == 1);
        let ballot: u64 = set.iter().map(|&l| p[l] << l).sum();
        prop_assert_eq!(vote("all.pred"), [u64::from(all); 32]);
        prop_assert_eq!(vote("any.pred"), [u64::from(any); 32]);
        prop_assert_eq!(vote("uni.pred"), [u64::from(all || !any); 32]);
        prop_assert_eq!(vote("ballot.b32"), [ballot; 32]);
        for (name, ty, width) in [("b32", Type::B32, 0xffff_ffff), ("b64", Type::B64, u64::MAX)] {
            let (got, _) = run(&one(&format!("match.any.sync.{name}"), r(Type::B32), ty), &[&a], active);
            let like = |l: usize| set.iter().filter(|&&m| a[m] & width == a[l] & width).map(|&m| 1u64 << m).sum::<u64>();
            for &l in &set {
                prop_assert_eq!(got[0][l], like(l));
            }
            let (got, _) = run(&one(&format!("match.all.sync.{name}"), pair(Type::B32), ty), &[&a], active);
            let equal = set.iter().all(|&l| like(l) == u64::from(active));
            for &l in &set {
                prop_assert_eq!((got[0][l], got[1][l]), (if equal { u64::from(active) } else { 0 }, u64::from(equal)));
            }
        }
    }

    #[test]
    fn reductions_are_those_of_the_isa(a in lanes(), active in masks()) {
        prop_assume!(active != 0);
        let set: Vec<u32> = (0..32).filter(|lane| active >> lane & 1 == 1).map(|lane| a[lane] as u32).collect();
        let signed = || set.iter().map(|&x| x as i32);
        let sum = set.iter().map(|&x| u64::from(x)).sum::<u64>() as u32;
        let cases = [
            ("add.u32", sum),
            ("add.s32", sum),
            ("min.u32", *set.iter().min().unwrap()),
            ("max.u32", *set.iter().max().unwrap()),
            ("min.s32", signed().min().unwrap() as u32),
            ("max.s32", signed().max().unwrap() as u32),
            ("and.b32", set.iter().fold(u32::MAX, |x, y| x & y)),
            ("or.b32", set.iter().fold(0, |x, y| x | y)),
            ("xor.b32", set.iter().fold(0, |x, y| x ^ y)),
        ];
        for (op, want) in cases {
            let (got, _) = run(&one(&format!("redux.sync.{op}"), r(Type::B32), Type::B32), &[&a], active);
            prop_assert_eq!(got[0], [u64::from(want); 32], "{}", op);
        }
        let (got, _) = run(&made("elect.sync", vec![pair(Type::B32), r(Type::B32)]), &[], active);
        let first = (0..32).find(|lane| active >> lane & 1 == 1).unwrap();
        prop_assert_eq!(got[0], [first as u64; 32]);
        prop_assert_eq!(got[1], core::array::from_fn::<u64, 32, _>(|lane| (lane == first).into()));
        let (got, _) = run(&made("activemask.b32", vec![r(Type::B32)]), &[], active);
        prop_assert_eq!(got[0], [u64::from(active); 32]);
    }
}
