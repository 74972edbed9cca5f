//! What enters a program is that program's.

use girih::Shape;
use girih::program::*;
use girih::view::*;

/// What an inner program makes of the extent `?m` and the tile of an outer one.
fn foreign(inner: impl for<'t> FnOnce(&'t Builder, Extent<'t>)) -> Result<Program, ProgramError> {
    let mut result = None;
    program("outer", |outer| {
        let m = outer.symbol("m");
        result = Some(program("inner", |p| {
            // of the same name
            p.symbol("m");
            inner(p, m);
        }));
    })
    .unwrap();
    result.unwrap()
}

#[test]
fn an_extent_of_another_program_is_refused_wherever_extents_are_taken() {
    let refused = |inner: for<'t> fn(&'t Builder, Extent<'t>)| {
        assert_eq!(foreign(inner).unwrap_err().fault, Fault::Foreign);
    };
    refused(|p, m| p.grid([m]).map(drop)[0]);
    refused(|p, m| p.each(m, |_| ()));
    refused(|p, m| p.each(..m, |_| ()));
    refused(|p, m| p.each(m..m, |_| ()));
    refused(|p, m| p.each(steps(0, 8, m), |_| ()));
    refused(|p, m| _ = p.value::<i32>(m));
    refused(|p, m| _ = p.input::<i32, 1>("x", [m]));
    refused(|p, m| _ = p.output::<i32, 2>("x", (4, m)));
    refused(|p, m| _ = p.layout([4], [m]));
    refused(|p, m| _ = p.symbol("n") + m);
    refused(|p, m| _ = p.symbol("n") - m);
    refused(|p, m| _ = p.symbol("n") * m);
    refused(|p, m| _ = p.symbol("n").le(m));
    refused(|p, m| _ = p.symbol("n").multiple_of(m));
    refused(|p, m| p.require(m.le(8)));
}

#[test]
fn a_layout_with_the_symbol_of_another_program_is_refused() {
    let mut layout = None;
    program("a", |p| layout = Some(p.layout([p.symbol("m")], [1]))).unwrap();
    let e = program("b", |p| _ = p.input_with::<i32, 1>("x", layout.unwrap())).unwrap_err();
    assert!(matches!(e.fault, Fault::Undeclared { symbol } if symbol.to_string() == "m"), "{e}");
}

/// The fault of a program that sees the memory of `x`, `i32` of four, in another way.
fn reviewed<E: girih::tile::Element>(layout: &str) -> Result<(), Fault> {
    let p = program("p", |p| {
        let x = p.inout::<i32, 1>("x", [4]);
        let again: TensorSpan<E, Runtime<1>, _> =
            TensorSpan::new(x.memory(), Runtime::new(layout.parse().unwrap()).unwrap()).unwrap();
        again.partition::<Shape![2]>().load(1);
    });
    p.map(drop).map_err(|e| e.fault)
}

#[test]
fn the_memory_of_a_parameter_is_seen_as_it_was_declared() {
    assert_eq!(reviewed::<i32>("(4):(1)"), Ok(()));
    let element = reviewed::<u32>("(4):(1)").unwrap_err();
    assert_eq!(element.to_string(), "`x`: elements u32 where i32 is needed");
    for layout in ["(8):(1)", "(2):(2)", "(4):(2)", "(2):(1)"] {
        let fault = reviewed::<i32>(layout).unwrap_err();
        let expected = format!("`x`: a span of layout {layout} over memory of layout (4):(1)");
        assert!(fault.to_string().starts_with(&expected), "{fault}");
    }
}

#[test]
fn a_store_through_another_layout_is_refused() {
    let e = program("p", |p| {
        let y = p.output::<i32, 1>("y", [4]);
        let long = TensorSpan::<i32, Runtime<1>, _>::new(y.memory(), Runtime::new("(8):(1)".parse()?)?)?;
        long.partition::<Shape![8]>().store(p.full::<i32, Shape![8]>(-12), 0);
        Ok(())
    });
    let Fault::Parameter { name, fault } = e.unwrap_err().fault else { panic!() };
    assert!(name == "y" && matches!(*fault, Fault::SpanLayout { .. }));
}
