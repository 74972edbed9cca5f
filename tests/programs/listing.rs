//! A listing shows what decides the meaning.

use girih::Shape;
use girih::program::*;

fn listing(build: impl FnOnce(&Builder)) -> String {
    format!("{:#}", program("p", build).unwrap())
}

#[test]
fn symbols_that_nothing_uses_are_listed_with_their_multiples() {
    let text = listing(|p| {
        p.symbol("m");
        let n = p.symbol_multiple_of("n", 8);
        p.grid([n.ceil_div(128)]);
    });
    assert_eq!(text, "program p()\n  symbols ?m, ?n{8}\n  grid (⌈?n/128⌉)\n    %0: i32 = block_id 0\n");
}

#[test]
fn loops_on_i32_and_i64_differ() {
    let of_i32 = listing(|p| p.each(5, |_| ()));
    let of_i64 = listing(|p| p.each(p.full::<i64, Shape![]>(0)..p.full::<i64, Shape![]>(5), |_| ()));
    assert_eq!(of_i32, "program p()\n    for %3: i32 in 0..5\n");
    assert_eq!(of_i64, "program p()\n    for %3: i64 in 0: i64..5: i64\n");
}

#[test]
fn carried_tiles_have_types() {
    let text = listing(|p| _ = p.fold(5, p.full::<i32, Shape![]>(0), |_, x| x + 1));
    assert!(text.contains("%8: i32 = for %4: i32 in 0..5 carrying %5: i32 = 0\n"), "{text}");
}

#[test]
fn numbers_that_are_written_in_place_have_types() {
    let cast = |text: String| text.lines().nth(1).unwrap().trim().to_string();
    let of_f64 = listing(|p| _ = p.full::<f64, Shape![]>(0.5).cast::<f32>());
    let of_f32 = listing(|p| _ = p.full::<f32, Shape![]>(0.5).cast::<f64>());
    assert_eq!(cast(of_f64), "%1: f32 = cast 0.5: f64 to f32");
    assert_eq!(cast(of_f32), "%1: f64 = cast 0.5: f32 to f64");
}

#[test]
fn the_bits_of_a_nan_are_shown() {
    let of = |bits| listing(|p| _ = p.full::<f32, Shape![2]>(f32::from_bits(bits)));
    assert_eq!(of(0x7fc0_0000), "program p()\n    %0: f32(2) = full NaN(0x7fc00000)\n");
    assert_eq!(of(0xffc0_0001), "program p()\n    %0: f32(2) = full NaN(0xffc00001)\n");
}

#[test]
fn names_are_identifiers() {
    for name in ["", "%0", "1", "a b", "a-b", "é", "x\n", "NaN", "true", "inf"] {
        let expected = Fault::Name { name: name.into() };
        let fault = |build: fn(&Builder, &str)| program("p", |p| build(p, name)).unwrap_err().fault;
        assert_eq!(fault(|p, name| _ = p.scalar::<i32>(name)), expected);
        assert_eq!(fault(|p, name| _ = p.input::<i32, 1>(name, [4])), expected);
        assert_eq!(fault(|p, name| _ = p.symbol(name)), expected);
        assert_eq!(program(name, |_| ()).unwrap_err().fault, expected);
    }
    for name in ["x", "_", "x1_", "B"] {
        assert!(program(name, |p| _ = (p.symbol(name), p.scalar::<i32>(name))).is_ok());
    }
}
