#!/usr/bin/env bash
# Every figure of docs/BENCHMARKS.md that is not a count of the virtual world, beside its peer.
# Wall-clock figures: quote the ratios, they hold when the machine's speed drifts.
set -euo pipefail
status=0
cd "$(dirname "$0")/.."

title() { printf '\n== %s\n   %s\n\n' "$1" "$2"; }
bench() { cargo bench --quiet --locked -p "$1" --bench "$2" 2>/dev/null; }

printf 'machine: %s, %s processors\n' \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)"
printf 'rustc:   %s\n' "$(rustc --version)"

title 'Demo: virtual time, exact for a seed' 'saker demo --seed 1 --seconds 10'
target/release/saker demo --seed 1 --seconds 10 2>/dev/null |
    sed -n '/^── One order/,/^── Rates/p' | sed '$d'

if [[ -n "${SAKER_DATA:-}" ]]; then
    title 'FAST: MOEX capture, run-time and generated code, beside fastlib' 'cargo bench -p saker-fast --bench moex'
    bench saker-fast moex
    title 'FAST: MOEX capture, mFAST and the same benchmark by turns' 'verif/peers/mfast.sh'
    verif/peers/mfast.sh || true
    title 'Replay: MOEX capture to prepared orders, service time on this machine' \
        'saker replay moex/data.dat … --strategy examples/strategies/moex-stops.toml'
    target/release/saker replay "$SAKER_DATA/moex/data.dat" \
        --templates "$SAKER_DATA/moex/test.xml" --preamble 4 --reset message \
        --strategy examples/strategies/moex-stops.toml 2>/dev/null |
        sed -n '/^── Latency/,/^── /p' | sed '$d'
else
    echo 'FAST and replay: skipped, SAKER_DATA names no folder of captures'
fi

title 'FAST: messages of 3 entries with operators, beside fastlib' \
    'cargo bench -p saker-fast --bench entries'
bench saker-fast entries
title 'FAST: instructions a message, counted by callgrind, against the recorded ones' \
    'crates/fast/benches/instructions.sh'
crates/fast/benches/instructions.sh || status=1

title 'FIX: parse, encode, patch, session' 'cargo bench -p saker-fix --bench codec'
bench saker-fix codec
title 'Book, beside BTreeMap<price, VecDeque>' 'cargo bench -p saker-book --bench mix'
bench saker-book mix
title 'Matcher, beside BTreeMap<price, VecDeque>' 'cargo bench -p saker-matching --bench mix'
bench saker-matching mix
title 'Trader: a tick, and firing beside building the frame anew' \
    'cargo bench -p saker-trader --bench tick'
bench saker-trader tick

exit "$status"
