//! What a refused access to a view says. The texts are those of the toolchain that the CI pins.

#[test]
fn forbidden_accesses_do_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/view_fail/*.rs");
}
