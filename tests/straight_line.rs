//! Index functions of static layouts compile to straight-line code: seen in the assembly of a small optimized crate.
#![cfg(target_arch = "x86_64")]

use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = r#"
    #![crate_type = "lib"]
    use girih::prelude::*;
    girih::symbols!(M, N, Lda = "lda");
    type A = L<((U4, U8), (U4, U8)), ((U32, U1), (U8, U128))>;
    type R = Compose<A, L<((U2, U4), (U4, U8)), ((U1, U8), (U2, U32))>>;
    type Bits = (U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2);
    type D = (U1, U7, U50, U100, U1000, U3, C<7000>, C<-9>, U30, U11, U13, U17);
    type Odd = (U2, U3, U2, U5);
    type G = ZippedDivide<L<(Sym<M, 128>, Sym<N, 64>), (U1, Sym<Lda>)>, (U128, U64)>;
    #[unsafe(no_mangle)] pub fn powers_of_two(i: i64) -> i64 { at::<R>(i) }
    #[unsafe(no_mangle)] pub fn twenty_four_modes(i: i64) -> i64 { at::<L<(Bits, Bits), (D, D)>>(i) }
    #[unsafe(no_mangle)] pub fn other_extents(i: i64) -> i64 { at::<L<(Odd, Odd), ((U1, U7, U50, U9), Odd)>>(i) }
    #[unsafe(no_mangle)] pub fn coordinate(c: &[i64; 6]) -> i64 { at_coord::<R, 6>(*c) }
    #[unsafe(no_mangle)] pub fn swizzled(i: i64) -> i64 { at_swizzled::<Swizzled<S<3, 3, 3>, R>>(i) }
    #[unsafe(no_mangle)] pub fn bound(g: &BoundLayout<G>, c: &[i64; 4]) -> i64 { g.at_coord(*c) }
    #[unsafe(no_mangle)] pub fn dynamic(l: &Layout, i: i64) -> i64 { l.at_extended(i).unwrap_or(0) }
"#;

fn assembly() -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("straight_line");
    std::fs::create_dir_all(dir.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"straight_line\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\ngirih = {{ path = {:?}, default-features = false }}\n[profile.release]\ncodegen-units = 1\n[workspace]\n",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::write(dir.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(dir.join("src/lib.rs"), SOURCE).unwrap();
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--release", "--target-dir", "target", "--", "--emit", "asm"])
        .current_dir(&dir)
        .env_remove("RUSTFLAGS")
        .status()
        .unwrap();
    assert!(status.success());
    let newest = |p: &PathBuf| p.metadata().and_then(|m| m.modified()).unwrap();
    let listing = std::fs::read_dir(dir.join("target/release/deps")).unwrap().map(|e| e.unwrap().path());
    let file = listing.filter(|p| p.extension().is_some_and(|e| e == "s")).max_by_key(newest).unwrap();
    std::fs::read_to_string(file).unwrap()
}

/// Mnemonics of a function, directives left out.
fn instructions<'a>(assembly: &'a str, function: &str) -> Vec<&'a str> {
    let body = assembly.split_once(&format!("\n{function}:")).expect(function).1;
    let body = body.split_once(".Lfunc_end").unwrap().0;
    body.lines()
        .filter(|l| l.starts_with('\t') && !l.trim().starts_with('.'))
        .map(|l| l.split_whitespace().next().unwrap())
        .collect()
}

fn branches(i: &&&str) -> bool {
    i.starts_with('j') || i.contains("call") || i.contains("div")
}

#[test]
fn index_functions_have_no_jump_no_call_and_no_division() {
    let text = assembly();
    for f in ["powers_of_two", "twenty_four_modes", "other_extents", "coordinate", "swizzled", "bound"] {
        let code = instructions(&text, f);
        assert_eq!(code.last(), Some(&"retq"));
        assert_eq!(code.iter().filter(branches).count(), 0, "{f}: {code:?}");
    }
    // what a run-time layout needs
    assert!(instructions(&text, "dynamic").iter().filter(branches).count() > 0);
    // extents that are powers of two need no multiplication either
    assert!(instructions(&text, "powers_of_two").iter().all(|i| !i.contains("mul")));
    assert!(instructions(&text, "powers_of_two").len() < 30);
}
