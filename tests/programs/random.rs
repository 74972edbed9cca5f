//! Random programs: the host evaluates them as the same operations done at once.

use girih::program::*;
use girih::tile::Tile;
use girih::{Shape, view::Zero};
use proptest::prelude::*;

type Eight<V> = Tile<i32, Shape![8], V>;

/// One step on two tiles, the same for tiles at hand and for those of a program.
fn step<V: girih::tile::Value>(choice: u8, a: &Eight<V>, b: &Eight<V>) -> Eight<V> {
    match choice {
        0 => a + b,
        1 => a - b,
        2 => a * b,
        3 => a.max(b),
        4 => a & b,
        5 => -a,
        6 => a.lt(b).select(a, b),
        7 => a.reshape::<Shape![2, 4]>().transpose().reshape(),
        8 => a.sum::<typenum::U0>() + b,
        9 => a.reshape::<Shape![8, 1]>().broadcast::<Shape![8, 2]>().sum::<typenum::U1>().reshape(),
        _ => a ^ 5,
    }
}

/// What happens to two tiles: a step, a loop of steps, or one of two lists of steps.
#[derive(Clone, Debug)]
enum Part {
    Step(u8),
    Loop(u8, Vec<Part>),
    Choice(bool, Vec<Part>, Vec<Part>),
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let leaf = (0u8..11).prop_map(Part::Step);
    let part = leaf.prop_recursive(3, 24, 4, |part| {
        let parts = || prop::collection::vec(part.clone(), 0..4);
        prop_oneof![
            (0u8..4, parts()).prop_map(|(n, body)| Part::Loop(n, body)),
            (any::<bool>(), parts(), parts()).prop_map(|(c, then, otherwise)| Part::Choice(c, then, otherwise)),
        ]
    });
    prop::collection::vec(part, 1..6)
}

type Pair<V> = (Eight<V>, Eight<V>);

fn at_once(parts: &[Part], mut pair: Pair<girih::tile::AnyTile>) -> Pair<girih::tile::AnyTile> {
    for part in parts {
        pair = match part {
            Part::Step(choice) => (pair.1.clone(), step(*choice, &pair.0, &pair.1)),
            Part::Loop(n, body) => (0..*n).fold(pair, |(a, b), i| at_once(body, (a + i32::from(i), b))),
            Part::Choice(condition, then, otherwise) => at_once(if *condition { then } else { otherwise }, pair),
        };
    }
    pair
}

fn traced<'t>(p: &'t Builder, yes: Var<'t, bool, ()>, parts: &[Part], mut pair: Pair<Node<'t>>) -> Pair<Node<'t>> {
    for part in parts {
        pair = match part {
            Part::Step(choice) => (pair.1, step(*choice, &pair.0, &pair.1)),
            Part::Loop(n, body) => p.fold(i32::from(*n), pair, |i, (a, b)| traced(p, yes, body, (a + i, b))),
            Part::Choice(condition, then, otherwise) => {
                let condition = if *condition { yes } else { !yes };
                p.choose(condition, || traced(p, yes, then, pair), || traced(p, yes, otherwise, pair))
            }
        };
    }
    pair
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_program_gives_what_its_operations_give_at_once(parts in parts(), x in prop::array::uniform32(-100i32..100)) {
        let program = program("random", |p| {
            let n = p.symbol("n");
            let x = p.input::<i32, 1>("x", [n]).partition::<Shape![8]>();
            let y = p.output::<i32, 1>("y", [n]).partition::<Shape![8]>();
            let [i] = p.grid([n.ceil_div(16)]);
            let (a, b) = traced(p, p.scalar::<bool>("yes"), &parts, (x.load(i * 2), x.load_masked(i * 2 + 1, Zero)));
            y.store(&a, i * 2);
            y.store(&b, i * 2 + 1);
        })
        .unwrap();
        let mut y = [0; 32];
        program.host().arg("x", &x).arg("y", &mut y).arg("yes", true).threads(2).run().unwrap();
        for (x, y) in x.chunks(16).zip(y.chunks(16)) {
            let (x0, x1) = x.split_at(8);
            let (a, b) = at_once(&parts, (Tile::new(x0.to_vec()).unwrap(), Tile::new(x1.to_vec()).unwrap()));
            prop_assert_eq!([a.to_vec(), b.to_vec()].concat(), y);
        }
    }
}
