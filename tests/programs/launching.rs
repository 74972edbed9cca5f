//! What is checked before a program runs.

use girih::Shape;
use girih::program::*;
use girih::tile::ElementType;

fn scaled() -> Program {
    program("scaled", |p| {
        let (m, n) = (p.symbol("m"), p.symbol_multiple_of("n", 4));
        p.require(n.le(64));
        let s = p.scalar::<f32>("s");
        let x = p.input::<f32, 2>("x", [m, n]).partition::<Shape![1, 4]>();
        let y = p.output::<f32, 2>("y", [m, n]).partition::<Shape![1, 4]>();
        let [i, j] = p.grid([m, n.ceil_div(4)]);
        y.store(&(x.load((i, j)) * s), (i, j));
    })
    .unwrap()
}

/// Runs on 24 elements, all 2, with the argument `s = 3`, and what else `with` says.
fn run(with: impl for<'p> FnOnce(Host<'p, 'p>) -> Host<'p, 'p>) -> Result<Vec<(String, i64)>, String> {
    let (scaled, x, mut y) = (scaled(), [2.0f32; 24], [0.0f32; 24]);
    let report = with(scaled.host()).arg("s", 3.0f32).arg("x", &x).arg("y", &mut y).run().map_err(|e| e.to_string())?;
    assert_eq!(y, [6.0; 24]);
    Ok(report.symbols.iter().map(|(name, value)| (name.to_string(), *value)).collect())
}

fn values(m: i64, n: i64) -> Result<Vec<(String, i64)>, String> {
    Ok(vec![("m".into(), m), ("n".into(), n)])
}

#[test]
fn values_of_symbols_are_given_or_follow_from_the_length() {
    assert_eq!(run(|host| host.bind("m", 6).bind("n", 4)), values(6, 4));
    assert_eq!(run(|host| host.bind("m", 3)), values(3, 8));
    assert_eq!(run(|host| host.bind("n", 12)), values(2, 12));
}

#[test]
fn values_of_symbols_follow_from_extents() {
    let (scaled, x, mut y) = (scaled(), [2.0f32; 24], [0.0f32; 24]);
    let report = scaled.host().arg("s", 3.0f32).arg("x", (&x, [2, 12])).arg("y", &mut y).run().unwrap();
    assert_eq!((report.grid, y), (vec![2, 3], [6.0; 24]));
}

#[test]
fn wrong_values_of_symbols_are_refused() {
    assert_eq!(run(|host| host).unwrap_err(), "?m has no value: `bind` it, or pass extents that tell it");
    assert_eq!(run(|host| host.bind("k", 1)).unwrap_err(), "the program has no symbol `k`");
    assert_eq!(
        run(|host| host.bind("m", 8)).unwrap_err(),
        "?n = 3: a symbol is at least 1 and this one a multiple of 4"
    );
    assert_eq!(
        run(|host| host.bind("m", 4).bind("n", 6)).unwrap_err(),
        "?n = 6: a symbol is at least 1 and this one a multiple of 4"
    );
    assert_eq!(
        run(|host| host.bind("m", 5).bind("n", 8)).unwrap_err(),
        "`x`: the layout reaches offset 39, the memory has 24 elements"
    );
}

#[test]
fn a_requirement_is_checked_with_its_line() {
    let scaled = scaled();
    let e = scaled.host().arg("s", 3.0f32).arg("x", &[0.0f32; 68]).arg("y", &mut [0.0f32; 68]).bind("m", 1).run();
    let e = e.unwrap_err();
    let RunError::Requirement { line, left, right, .. } = &e else { panic!("{e}") };
    assert_eq!((line.place().0, *left, *right), (file!(), 68, 64));
    assert!(e.to_string().ends_with("the program requires ?n{4} <= 64; here it is 68 and 64"), "{e}");
}

#[test]
fn wrong_arguments_are_refused() {
    let scaled = scaled();
    let refuse = |host: Host, part: &str| {
        let e = host.bind("m", 1).bind("n", 4).run().unwrap_err().to_string();
        assert!(e.contains(part), "{e}");
    };
    let (x, y) = ([0.0f32; 4], || [0.0f32; 4]);
    let host = || scaled.host();
    refuse(host().arg("s", 3.0f32).arg("x", &x), "`y` has no argument");
    refuse(host().arg("s", 3.0f32).arg("x", &x).arg("x", &x).arg("y", &mut y()), "`x` has 2 arguments");
    refuse(host().arg("z", 3.0f32), "no parameter `z`");
    refuse(host().arg("s", &x).arg("x", &x).arg("y", &mut y()), "`s` is a scalar, memory is passed");
    refuse(host().arg("s", 3.0f32).arg("x", 1.0f32).arg("y", &mut y()), "`x` is memory, a scalar is passed");
    refuse(host().arg("s", 3.0f32).arg("x", &x).arg("y", &x), "`y` is stored to: pass `&mut`");
    refuse(host().arg("s", 3.0f64).arg("x", &x).arg("y", &mut y()), "`s` has elements f32, f64 are passed");
    refuse(host().arg("s", 3.0f32).arg("x", &[1i32; 4]).arg("y", &mut y()), "`x` has elements f32, i32 are passed");
    refuse(host().arg("s", 3.0f32).arg("x", (&x, [2, 2])).arg("y", &mut y()), "`x` is (1,4), (2,2) is passed");
}

#[test]
fn a_grid_without_blocks_is_refused() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        p.grid([n - 1]);
    })
    .unwrap();
    assert_eq!(p.host().bind("n", 1).run(), Err(RunError::Grid { dim: 0, extent: 0 }));
    assert!(p.host().bind("n", 2).run().is_ok());
    assert_eq!(p.host().bind("n", 1 << 40).run(), Err(RunError::Grid { dim: 0, extent: (1 << 40) - 1 }));
}

#[test]
fn parameters_are_data() {
    let p = scaled();
    let parameters: Vec<_> = p.parameters().iter().map(|p| (p.name.as_str(), p.element)).collect();
    assert_eq!(parameters, [("s", ElementType::F32), ("x", ElementType::F32), ("y", ElementType::F32)]);
    assert_eq!((p.name(), p.symbols().len(), p.requirements().len()), ("scaled", 2, 1));
}
