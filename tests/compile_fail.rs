//! What a refused static operation says. The texts are those of the toolchain that the CI pins.

#[test]
fn refused_static_operations_stop_compilation_with_their_numbers() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile_fail/*.rs");
}
