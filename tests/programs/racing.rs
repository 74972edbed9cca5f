//! Races between blocks are found, and only those.

use girih::Shape;
use girih::program::*;
use girih::view::*;
use typenum::*;

/// A program of `blocks` blocks on 16 elements `y` and a list `x`, and the line after `body` where its text begins.
fn on_16(blocks: i64, body: impl FnOnce(&Builder, Span<'_, i32, 1, Output<'_>>, Var<'_, i32, ()>)) -> Program {
    program("p", |p| {
        let y = p.inout::<i32, 1>("y", [16]);
        let n = p.symbol("blocks");
        p.require(n.eq(blocks));
        let [i] = p.grid([n]);
        body(p, y, i);
    })
    .unwrap()
}

fn run(program: &Program, y: &mut [i32], blocks: i64, threads: usize) -> Result<Report, RunError> {
    program.host().arg("y", y).bind("blocks", blocks).threads(threads).run()
}

/// The race, the same on one thread and several, with the memory as before.
fn race(program: &Program, blocks: i64) -> Race {
    let races: Vec<Race> = [1, 2, 4]
        .into_iter()
        .map(|threads| {
            let mut y: Vec<i32> = (0..16).collect();
            let RunError::Race(race) = run(program, &mut y, blocks, threads).unwrap_err() else { panic!("no race") };
            assert_eq!(y, (0..16).collect::<Vec<i32>>());
            *race
        })
        .collect();
    assert!(races.windows(2).all(|pair| pair[0] == pair[1]));
    races[0].clone()
}

#[track_caller]
fn line() -> u32 {
    core::panic::Location::caller().line()
}

#[test]
fn two_stores_to_one_element_race() {
    let mut at = 0;
    let p = on_16(5, |_, y, i| {
        // blocks 0 and 4 meet in chunk 0
        at = line() + 1;
        y.partition::<Shape![4]>().store(&i.broadcast::<Shape![4]>(), i % 4);
    });
    let race = race(&p, 5);
    assert_eq!((race.first.block, race.second.block), (vec![0], vec![4]));
    assert_eq!((race.first.does, race.second.does), (Touch::Store, Touch::Store));
    assert_eq!((race.first.line.place(), race.second.line.place()), ((file!(), at), (file!(), at)));
    assert_eq!(race.element.to_string(), "0");
    assert!(run(&p, &mut [0; 16], 4, 2).is_err()); // the requirement
}

#[test]
fn a_load_and_a_store_of_another_block_race() {
    let p = on_16(4, |p, y, i| {
        let y = y.partition::<Shape![4]>();
        p.when(i.eq(3), || y.store(&p.full(7), 1));
        p.when(i.eq(1), || y.store(&(y.load(1) + 1), 2));
    });
    let race = race(&p, 4);
    assert_eq!((&race.first.block[..], race.first.does), (&[1][..], Touch::Load));
    assert_eq!((&race.second.block[..], race.second.does), (&[3][..], Touch::Store));
    assert_eq!((race.element.to_string().as_str(), race.name.as_str()), ("4", "y"));
    let text = race.to_string();
    assert!(text.starts_with("a race for element 4 of `y`: block (1) loads it at tests/programs/racing.rs:"), "{text}");
}

#[test]
fn overlapping_chunks_race_in_their_first_common_element() {
    let p = on_16(3, |p, y, i| y.strided::<Shape![4], (U2,)>().store(&p.full(1), i));
    let race = race(&p, 3);
    assert_eq!((race.first.block, race.second.block, race.element.to_string().as_str()), (vec![0], vec![1], "2"));
}

#[test]
fn plain_and_atomic_accesses_race() {
    let store_and_add = on_16(2, |p, y, i| {
        let y = y.partition::<Shape![4]>();
        p.when(i.eq(0), || y.store(&p.full(1), 0));
        p.when(i.eq(1), || y.atomic_add(&p.full::<i32, Shape![4]>(1), 0, Relaxed, Device));
    });
    assert_eq!(race(&store_and_add, 2).second.does, Touch::StrongStore);
    let add_and_load = on_16(2, |p, y, i| {
        let y = y.partition::<Shape![4]>();
        p.when(i.eq(0), || y.atomic_add(&p.full::<i32, Shape![4]>(1), 0, Relaxed, Device));
        p.when(i.eq(1), || y.store(&y.load(0), 1));
    });
    assert_eq!(race(&add_and_load, 2).second.does, Touch::Load);
}

#[test]
fn atomic_accesses_do_not_race_with_each_other() {
    let p = on_16(100, |p, y, i| {
        let y = y.partition::<Shape![16]>();
        y.atomic_add(&(p.iota::<i32, Shape![16]>() * i), 0, Relaxed, Device);
    });
    let mut y = [1; 16];
    run(&p, &mut y, 100, 2).unwrap();
    assert!((0..16).all(|j| y[j as usize] == 1 + 4950 * j));
}

#[test]
fn loads_do_not_race_and_a_block_does_not_race_with_itself() {
    let p = on_16(3, |p, y, i| {
        let y = y.partition::<Shape![4]>();
        // all load chunk 0; each stores its own chunk twice and loads it
        let first = y.load(0);
        y.store(&first, i + 1);
        y.store(&(y.load(i + 1) + i), i + 1);
        let _ = p.block_id(0);
    });
    let mut y: [i32; 16] = core::array::from_fn(|j| j as i32);
    run(&p, &mut y, 3, 2).unwrap();
    assert_eq!(y, [0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5]);
}

#[test]
fn interleaved_columns_of_one_matrix_do_not_race() {
    let p = program("p", |p| {
        let y = p.output_with::<i32, 2>("y", "(8,?n):(1,8)".parse().unwrap());
        let n = p.symbol("n");
        let [i, j] = p.grid([n, p.symbol("two")]);
        y.partition::<Shape![4, 1]>().store(&(i * 10 + j).broadcast(), (j, i));
    })
    .unwrap();
    let mut y = [0; 24];
    p.host().arg("y", (&mut y, [8, 3])).bind("two", 2).run().unwrap();
    assert!((0..24).all(|at| y[at] as usize == at / 8 * 10 + at % 8 / 4));
}

#[test]
fn the_race_of_the_earliest_block_is_reported() {
    let p = program("p", |p| {
        let (a, b) = (p.output::<i32, 1>("a", [4]), p.output::<i32, 1>("b", [4]));
        let [i] = p.grid([p.symbol("n")]);
        let (a, b) = (a.partition::<Shape![1]>(), b.partition::<Shape![1]>());
        p.when(i.ge(5), || a.store(&i.reshape(), 0));
        p.when(i.ge(2), || b.store(&i.reshape(), 0));
    })
    .unwrap();
    let e = p.host().arg("a", &mut [0; 4]).arg("b", &mut [0; 4]).bind("n", 9).run().unwrap_err();
    let RunError::Race(race) = e else { panic!("{e}") };
    assert_eq!((race.name.as_str(), race.second.block), ("b", vec![3]));
}

#[test]
fn atomic_accesses_in_the_scope_of_the_block_race_with_those_of_another() {
    let p = on_16(2, |p, y, _| {
        y.partition::<Shape![4]>().atomic_add(p.full::<i32, Shape![4]>(1), 0, Relaxed, Block);
    });
    let race = race(&p, 2);
    assert_eq!((race.first.does, race.second.does), (Touch::BlockStore, Touch::BlockStore));
    // one block alone
    let mut y = [0; 16];
    let p = on_16(1, |p, y, _| {
        y.partition::<Shape![4]>().atomic_add(p.full::<i32, Shape![4]>(1), 0, Relaxed, Block);
    });
    run(&p, &mut y, 1, 1).unwrap();
    assert_eq!(y[..5], [1, 1, 1, 1, 0]);
}

#[test]
fn the_least_element_of_a_race_is_reported() {
    // stored back to front: 12..16, then 8..12, by both
    let p = on_16(2, |p, y, _| {
        let y = y.partition::<Shape![4]>();
        p.each(2, |k| y.store(&p.full(1), k * -1 + 3));
    });
    assert_eq!(race(&p, 2).element.to_string(), "8");
}

#[test]
fn a_race_comes_before_an_error_in_every_mode() {
    // block 1 stores what block 0 stored, and then what does not exist
    let errors = [false, true].map(|strong| {
        let p = on_16(2, |p, y, i| {
            let y = y.partition::<Shape![4]>();
            if strong {
                // so that blocks are evaluated in order
                p.when(i.gt(7), || y.atomic_store(y.atomic_load(3, Relaxed, Device), 3, Relaxed, Device));
            }
            y.store(&p.full(1), 0);
            y.store(&p.full(1), i * 4);
        });
        race(&p, 2).second.block
    });
    assert_eq!(errors, [vec![1], vec![1]]);
}

#[test]
fn overlapping_loads_are_no_race_beside_stores_elsewhere() {
    let p = on_16(3, |_, y, i| {
        let four = y.strided::<Shape![4], (U2,)>().load(i);
        y.partition::<Shape![1]>().store(&four.sum::<U0>(), i + 8);
    });
    let mut y = core::array::from_fn::<i32, 16, _>(|i| i as i32);
    run(&p, &mut y, 3, 2).unwrap();
    assert_eq!(y[8..12], [6, 14, 22, 11]);
}

#[test]
fn a_race_names_the_coordinate_of_the_element() {
    for (layout, at) in [("(4,6):(1,8)", (3, 5)), ("(4,6):(6,1)", (3, 5)), ("((2,2),6):((1,12),2)", (2, 3))] {
        let p = program("p", |p| {
            let y = p.output_with::<i32, 2>("y", layout.parse().unwrap()).partition::<Shape![1, 1]>();
            let [i] = p.grid([p.symbol("n")]);
            y.store(i.reshape::<Shape![1, 1]>(), at);
        });
        let e = p.unwrap().host().arg("y", &mut [0; 64]).bind("n", 3).run().unwrap_err();
        let RunError::Race(race) = e else { panic!("{e}") };
        assert_eq!(race.element.to_string(), format!("({},{})", at.0, at.1), "{layout}");
    }
}

#[test]
fn what_both_blocks_do_is_told_in_words() {
    let p = on_16(2, |p, y, i| {
        let y = y.partition::<Shape![4]>();
        p.when(i.eq(0), || y.atomic_add(p.full::<i32, Shape![4]>(1), 0, Relaxed, Device));
        p.when(i.eq(1), || y.atomic_add(p.full::<i32, Shape![4]>(1), 0, Relaxed, Block));
    });
    let text = race(&p, 2).to_string();
    assert!(text.contains("block (0) stores it atomically at "), "{text}");
    assert!(text.contains("block (1) stores it atomically within the block at "), "{text}");
}
