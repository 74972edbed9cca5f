#!/bin/sh
# Time of `cargo check` (incremental off, girih already built) of a crate with N static compositions and N static divides, all
# different. Usage: benches/static_check.sh [N=200] [RUNS=5]; prints the least time of the runs.
set -eu
n=${1:-200} runs=${2:-5}
girih=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/src"
cat > "$dir/Cargo.toml" <<TOML
[package]
name = "static_check"
version = "0.0.0"
edition = "2024"
[dependencies]
girih = { path = "$girih", default-features = false }
[workspace]
TOML
awk -v n="$n" 'BEGIN {
    print "use girih::prelude::*;"
    for (i = 1; i <= n; i++) {
        # A = (16i,8,4):(1,16i,128i+k) composed with a permuted tile of the first modes, and divided by a tile
        a = sprintf("L<(C<%d>, U8, U4), (U1, C<%d>, C<%d>)>", 16 * i, 16 * i, 128 * i + 5)
        printf "const _: () = assert_ok::<Compose<%s, L<((U4, C<%d>), U8), ((U1, U4), C<%d>)>>>();\n", a, 4 * i, 16 * i
        printf "const _: () = assert_ok::<LogicalDivide<%s, L<(U8, U2), (U1, C<%d>)>>>();\n", a, 16 * i
    }
    print "pub fn main() {}"
}' > "$dir/src/main.rs"
cd "$dir"
export CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$dir/target"
cargo check --quiet
best=
for _ in $(seq "$runs"); do
    touch src/main.rs
    t0=$(date +%s%N)
    cargo check --quiet
    t=$((($(date +%s%N) - t0) / 1000000))
    if [ -z "$best" ] || [ "$t" -lt "$best" ]; then best=$t; fi
done
echo "$n compositions + $n divides: cargo check ${best} ms (least of $runs)"
