//! Loops and conditionals: what they carry, and how deep they nest.

use girih::Shape;
use girih::program::*;
use std::cell::Cell;

type Scalar<'t, E> = Var<'t, E, ()>;

/// Carries two tiles, and lists them wrongly in a way.
#[derive(Clone, Copy)]
struct Pair<'t, 'c>(Scalar<'t, i32>, Scalar<'t, f32>, &'c Cell<Wrong>);

#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    Swapped,
    OneLess,
}

thread_local!(static WRONG: Cell<Wrong> = const { Cell::new(Wrong::Nothing) });

impl<'t, 'c> Carried<'t> for Pair<'t, 'c> {
    fn nodes(&self) -> Vec<Node<'t>> {
        let (a, b) = (self.0.nodes(), self.1.nodes());
        match self.2.get() {
            Wrong::Nothing => [a, b].concat(),
            Wrong::Swapped => [b, a].concat(),
            Wrong::OneLess => a,
        }
    }
    fn from_nodes(nodes: &mut impl Iterator<Item = Node<'t>>) -> Option<Self> {
        let wrong: &'static Cell<Wrong> = Box::leak(Box::new(Cell::new(WRONG.get())));
        Some(Pair(Carried::from_nodes(nodes)?, Carried::from_nodes(nodes)?, wrong))
    }
}

fn pair<'t>(p: &'t Builder, wrong: Wrong) -> Pair<'t, 'static> {
    Pair(p.full(1), p.full(2.0f32), Box::leak(Box::new(Cell::new(wrong))))
}

#[test]
fn what_lists_its_tiles_in_order_is_carried() {
    WRONG.set(Wrong::Nothing);
    let p = program("p", |p| {
        let Pair(i, x, _) = p.fold(3, pair(p, Wrong::Nothing), |_, Pair(i, x, w)| Pair(i + 1, x * 2.0f32, w));
        p.output::<f32, 1>("y", [1]).partition::<Shape![1]>().store((x + i.cast::<f32>()).reshape::<Shape![1]>(), 0);
    });
    let mut y = [0.0f32];
    p.unwrap().host().arg("y", &mut y).run().unwrap();
    assert_eq!(y, [20.0]);
}

#[test]
fn nodes_that_are_taken_in_another_order_are_refused() {
    WRONG.set(Wrong::Swapped);
    let e = program("p", |p| _ = p.fold(3, pair(p, Wrong::Swapped), |_, all| all));
    assert_eq!(e.unwrap_err().fault, Fault::FromNodes);
    WRONG.set(Wrong::Nothing);
}

#[test]
fn a_pass_that_lists_other_tiles_than_the_loop_began_with_is_refused() {
    for wrong in [Wrong::OneLess, Wrong::Swapped] {
        let e = program("p", |p| _ = p.fold(3, pair(p, Wrong::Nothing), |_, _| pair(p, wrong))).unwrap_err();
        assert!(matches!(e.fault, Fault::Carried { .. }), "{e}");
    }
}

#[test]
fn branches_that_list_different_tiles_are_refused() {
    for (first, second) in
        [(Wrong::OneLess, Wrong::Nothing), (Wrong::Nothing, Wrong::OneLess), (Wrong::Nothing, Wrong::Swapped)]
    {
        let e = program("p", |p| {
            let yes = p.full::<bool, Shape![]>(true);
            p.choose(yes, || pair(p, first), || pair(p, second));
        });
        let e = e.unwrap_err();
        assert!(matches!(e.fault, Fault::Carried { .. }), "{e}");
    }
    let e = program("p", |p| {
        let yes = p.full::<bool, Shape![]>(true);
        p.choose(yes, || pair(p, Wrong::Nothing), || pair(p, Wrong::OneLess));
    });
    assert!(e.unwrap_err().to_string().ends_with("tiles of types (i32()) go on as (i32(),f32()): give the same types"));
}

/// `depth` loops in each other, the innermost of which counts.
fn nested<'t>(p: &'t Builder, depth: usize, x: Scalar<'t, i32>) -> Scalar<'t, i32> {
    match depth {
        0 => x + 1,
        _ => p.choose(x.ge(0), || p.fold(1, x, |_, x| nested(p, depth - 2, x)), || x),
    }
}

fn deep(depth: usize) -> Result<Program, ProgramError> {
    program("deep", |p| {
        let y = p.output::<i32, 1>("y", [8]).partition::<Shape![1]>();
        let [i] = p.grid([p.symbol("n")]);
        y.store(nested(p, depth, i).reshape::<Shape![1]>(), i);
    })
}

#[test]
fn sixty_four_levels_are_listed_and_run_on_any_thread() {
    let p = deep(64).unwrap();
    assert_eq!(p.clone().to_string().matches("for %").count(), 32);
    for threads in [1, 2, 8] {
        let mut y = [0; 8];
        p.host().arg("y", &mut y).bind("n", 8).threads(threads).run().unwrap();
        assert_eq!(y, [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}

#[test]
fn deeper_nesting_is_refused() {
    let e = deep(66).unwrap_err();
    assert_eq!(e.fault, Fault::Nested);
    assert!(
        e.to_string().ends_with("more than 64 loops and branches in each other: write one loop for several"),
        "{e}"
    );
}
