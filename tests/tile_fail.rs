//! What a forbidden use of tiles says. The texts are those of the toolchain that the CI pins.

#[test]
fn what_does_not_fit_does_not_compile_and_says_why() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/tile_fail/*.rs");
}
