#!/usr/bin/env bash
# Instructions per message, counted exactly by callgrind, against the numbers in instructions.txt.
#
#   crates/fast/benches/instructions.sh            check; fails where one is more than 3 % above
#   crates/fast/benches/instructions.sh --record   count and write instructions.txt
#
# A count does not depend on the load of the machine, a time does. What is counted is the difference
# between eleven rounds and one of a benchmark's candidate, so that starting up does not count.
# The counts belong to one compiler and target; record them again after a change of toolchain.
# Without valgrind or without the captures (SAKER_DATA) the script says so and succeeds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
reference=$here/instructions.txt
cd "$here/../../.."
export SAKER_DATA=${SAKER_DATA:-$(pwd)/../shared/data}
tolerance_percent=3

if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 0
fi
if [[ ! -e $SAKER_DATA/moex/data.dat ]]; then
    echo "skipped: no MOEX capture in $SAKER_DATA; set SAKER_DATA"
    exit 0
fi

# The path of a benchmark's executable, built.
executable() {
    cargo bench --quiet -p saker-fast --bench "$1" --no-run --message-format json |
        sed -n 's/.*"kind":\["bench"\].*"executable":"\([^"]*\)".*/\1/p' | tail -1
}

# Instructions that one run of a candidate executes: executable, candidate, rounds.
run() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" --only "$2" "$3" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

moex=$(executable moex)
entries=$(executable entries)
counted=$(mktemp)
trap 'rm -f "$counted"' EXIT
status=0
# Benchmark, messages in a round, candidate.
while IFS='|' read -r bench messages name; do
    program=${!bench}
    once=$(run "$program" "$name" 1)
    more=$(run "$program" "$name" 11)
    if [[ -z $once || -z $more || $more -le $once ]]; then
        echo "FAILED: $bench has counted nothing for: $name" >&2
        exit 1
    fi
    count=$(((more - once) / (10 * messages)))
    echo "$bench|$name|$count" >>"$counted"
    [[ ${1:-} == --record ]] && { echo "$bench, $name: $count instructions a message"; continue; }
    expected=$(grep -F "$bench|$name|" "$reference" | cut -d'|' -f3) || expected=
    if [[ -z $expected ]]; then
        echo "FAILED: $bench, $name: no number in ${reference##*/}" >&2
        status=1
    elif ((count * 100 > expected * (100 + tolerance_percent))); then
        echo "FAILED: $bench, $name: $count instructions a message, recorded are $expected" >&2
        status=1
    else
        echo "ok: $bench, $name: $count instructions a message, recorded are $expected"
    fi
done <<'LIST'
moex|5020|decode, every field read
moex|5020|decode, nothing read
moex|5020|encode from a message tree
moex|5020|generated: decode, every field read
moex|5020|generated: decode to structures, every field read
moex|5020|generated: decode to structures, nothing read
moex|5020|generated: encode
entries|4000|decode to structures
entries|4000|encode from structures
entries|4000|decode and encode, structures
entries|4000|generated: decode
entries|4000|generated: decode and encode
LIST
if [[ ${1:-} == --record ]]; then
    { echo "# benchmark|candidate|instructions a message ($(rustc --version), $(uname -m))"
      cat "$counted"; } >"$reference"
fi
exit "$status"
