#!/usr/bin/env bash
# Runs every fuzz target of some crates: fuzz.sh SECONDS CRATE...
# SECONDS is for all of them together; FUZZ_EACH gives seconds for each instead, FUZZ_ONLY the names
# of some. FUZZ_SANITIZER=address looks for bad memory too, which takes a nightly compiler.
#
# The targets are those of cargo-fuzz, built here with the flags that it uses: coverage needs no
# nightly compiler, only the sanitizer does, and nothing has to be installed.
set -euo pipefail

seconds=$1
shift

command -v c++ >/dev/null || { echo "fuzz: skipped: libFuzzer needs a C++ compiler"; exit 0; }
cargo=(cargo) flags=(
    --cfg fuzzing
    -Cpasses=sancov-module
    -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares
    -Cllvm-args=-simplifycfg-branch-fold-threshold=0
)
if [[ ${FUZZ_SANITIZER:-} == address ]]; then
    if rustc +nightly --version >/dev/null 2>&1; then
        cargo=(cargo +nightly) flags+=(-Zsanitizer=address)
    else
        echo "fuzz: no nightly compiler, hence without the address sanitizer"
    fi
fi
host=$(rustc -vV | sed -n 's/^host: //p')
built=$PWD/target/fuzz${FUZZ_SANITIZER:+-$FUZZ_SANITIZER}

# One line for each target: crate and name.
list=$(for crate in "$@"; do
    for target in "$crate"/fuzz/fuzz_targets/*.rs; do
        name=$(basename "$target" .rs)
        [[ " ${FUZZ_ONLY:-$name} " != *" $name "* ]] || echo "$crate $name"
    done
done)
each=${FUZZ_EACH:-$((seconds / $(wc -l <<<"$list")))}
((each > 0)) || each=1

for crate in "$@"; do
    # With a target named, the flags are not those of build scripts.
    RUSTFLAGS="${flags[*]}" "${cargo[@]}" build --quiet --release --locked --target "$host" \
        --target-dir "$built" --manifest-path "$crate/fuzz/Cargo.toml"
done

status=0
while read -r crate target; do
    # What is committed starts the search; what it finds stays out of the repository.
    corpus=$crate/fuzz/corpus/$target artifacts=$crate/fuzz/artifacts/$target log=$built/$target.log
    mkdir -p "$corpus" "$artifacts"
    if "$built/$host/release/$target" "$corpus" "$crate/fuzz/seeds/$target" \
        -artifact_prefix="$artifacts/" -max_total_time="$each" -timeout=10 -rss_limit_mb=2048 \
        -max_len=4096 -print_final_stats=1 </dev/null >"$log" 2>&1; then
        echo "fuzz: $crate $target, $each s:" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, nothing found"
    else
        grep -E -A1 "panicked|ERROR|Test unit" "$log" || tail -n 20 "$log"
        echo "fuzz: FAILED: $crate $target; input in $artifacts"
        status=1
    fi
done <<<"$list"
exit "$status"
