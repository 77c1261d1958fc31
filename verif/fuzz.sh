#!/usr/bin/env bash
# Runs every target of every cargo-fuzz project: fuzz.sh SECONDS VERSION CRATE...
# SECONDS is for all of them together; FUZZ_EACH gives seconds for each instead.
set -euo pipefail

seconds=$1 version=$2
shift 2

skip() {
    echo "fuzz: skipped: $1"
    exit 0
}

command -v rustup >/dev/null || skip "rustup is not there"
rustup run nightly rustc --version >/dev/null 2>&1 || skip "no nightly compiler"
tools="$PWD/target/fuzz-tools"
PATH="$tools/bin:$PATH"
if [ "$(cargo-fuzz --version 2>/dev/null)" != "cargo-fuzz $version" ]; then
    cargo install cargo-fuzz --version "=$version" --root "$tools" --quiet ||
        skip "cargo-fuzz $version cannot be installed"
fi

# One line for each target: crate and name.
list=$(for crate in "$@"; do
    (cd "$crate" && cargo +nightly fuzz list) | sed "s|^|$crate |"
done)
count=$(wc -l <<<"$list")
each=${FUZZ_EACH:-$((seconds / count > 1 ? seconds / count : 1))}

for crate in "$@"; do
    # Without the standard library's sources or a C++ compiler there is no build.
    (cd "$crate" && cargo +nightly fuzz build) || skip "the fuzz targets do not build here"
done
while read -r crate target; do
    echo "fuzz: $crate $target, $each s"
    # What is committed starts the search; what it finds stays out of the repository.
    corpus="fuzz/corpus/$target"
    seeds="fuzz/seeds/$target"
    (
        cd "$crate"
        mkdir -p "$corpus"
        [ -d "$seeds" ] || seeds=
        cargo +nightly fuzz run "$target" "$corpus" $seeds -- \
            -max_total_time="$each" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 </dev/null 2>&1 |
            grep -E "stat::|ERROR|panicked|Test unit|SUMMARY|artifact" || true
        # grep's exit is not the fuzzer's: a finding leaves an artifact.
        found=$(find "fuzz/artifacts/$target" -type f 2>/dev/null | wc -l)
        [ "$found" -eq 0 ] || { echo "fuzz: $target found $found inputs in $crate/fuzz/artifacts"; exit 1; }
    )
done <<<"$list"
echo "fuzz: nothing found"
