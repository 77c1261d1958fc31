#!/usr/bin/env bash
# mFAST (objectcomputing/mFAST, C++, LGPL) and saker's benchmark on the MOEX capture, by turns.
#
#   verif/peers/mfast.sh                       with the network: fetches mFAST into target/peers/mfast
#   MFAST_DIR=~/mFAST verif/peers/mfast.sh     with a checkout of it
#
# MFAST_CXXFLAGS sets how mFAST and the driver (mfast.cpp) are optimised. Both sides load the templates
# at run time, reset before each message and read every field; the driver's sum must be the one that
# the benchmark's candidates come to, so that all have read the same. mFAST's code is not part of this
# repository and stays out of it. Where something is missing the script says what and succeeds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export SAKER_DATA=${SAKER_DATA:-$here/../../../shared/data}
mfast=$(realpath -m "${MFAST_DIR:-$here/../../target/peers/mfast}")
cd "$here/../.."
url=https://github.com/objectcomputing/mFAST
commit=d8d5a6588b46eaa65836f15416b2bd684316a7dc
cxx=${CXX:-g++}
read -ra optimise <<<"${MFAST_CXXFLAGS:--O3 -DNDEBUG}"
# The standard and the definition are those of its CMakeLists.txt. value_storage.h names std::istream
# without including it, which a compiler of today does not forgive.
flags=(-std=c++11 -DSIZEOF_VOID_P=8 -include istream -w "${optimise[@]}")
# What the candidates that read every field of the capture come to (`Sum` in benches/moex.rs).
expected=15044621950889452765

skip() {
    echo "skipped: $*"
    exit 0
}
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
has_header() { echo "#include <$1>" | "$cxx" -x c++ -E - >/dev/null 2>&1; }

moex=$SAKER_DATA/moex
[[ -e $moex/data.dat ]] || skip "no MOEX capture in $SAKER_DATA; set SAKER_DATA"
command -v "$cxx" >/dev/null || skip "no C++ compiler ($cxx); set CXX"
has_header tinyxml2.h || skip "tinyxml2 is not installed (Debian: libtinyxml2-dev)"
has_header boost/version.hpp || skip "Boost is not installed (Debian: libboost-dev)"
if [[ ! -e $mfast/src/mfast/coder/fast_decoder.h ]]; then
    [[ -z ${MFAST_DIR:-} ]] || skip "no mFAST in $mfast (MFAST_DIR)"
    command -v git >/dev/null || skip "no git to fetch mFAST with; set MFAST_DIR to a checkout"
    rm -rf "$mfast"
    mkdir -p "$mfast"
    git -C "$mfast" init --quiet
    timeout 120 git -C "$mfast" fetch --quiet --depth 1 "$url" "$commit" 2>/dev/null || {
        rm -rf "$mfast"
        skip "$url cannot be reached; set MFAST_DIR to a checkout"
    }
    git -C "$mfast" checkout --quiet FETCH_HEAD
fi

# The library, its decoder and its parser of templates; neither encoder nor JSON.
source=$mfast/src/mfast
driver=target/peers/mfast-moex
mkdir -p "${driver%/*}"
"$cxx" "${flags[@]}" -I"$mfast/src" "$here/mfast.cpp" "$source"/*.cpp "$source"/instructions/*.cpp \
    "$source"/coder/{common,decoder}/*.cpp "$source"/xml_parser/*.cpp -ltinyxml2 -o "$driver" ||
    fail "mFAST in $mfast does not compile"
cargo bench --quiet --locked -p saker-fast --bench moex --no-run

# They take turns, since the machine's speed drifts: each turn is a few rounds of both.
turns=21
rounds=3
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
for ((turn = 0; turn < turns; turn++)); do
    theirs=$("$driver" "$moex/test.xml" "$moex/data.dat" "$rounds")
    sum=$(sed -n 's/^sum //p' <<<"$theirs")
    [[ $sum == "$expected" ]] || fail "mFAST's sum is $sum, the benchmark's is $expected"
    ours=$(cargo bench --quiet --locked -p saker-fast --bench moex -- --rounds "$rounds")
    # The rows of both tables as name|median|least; encoding has nothing to stand beside.
    printf '%s\n%s\n' "$theirs" "$ours" | grep -v encode |
        sed -nE 's/^([a-zA-Z].*[a-z]) +([0-9.]+) +([0-9.]+)( +[0-9.]+)?$/\1|\2|\3/p' >>"$rows"
done
head -n 1 <<<"$theirs" | sed "s/, $rounds rounds/, $turns turns of $rounds rounds each/"
printf 'mFAST in %s, %s, %s\n' "$mfast" "$("$cxx" --version | head -n 1)" "${optimise[*]}"
python3 - "$rows" <<'TABLE'
"""Medians and leasts of the turns, and their ratios to mFAST in the same turn."""
import statistics
import sys

reading, skipping = "mFAST: decode, every field read", "mFAST: decode, nothing read"
turns: dict[str, list[tuple[float, float]]] = {}
for row in open(sys.argv[1]):
    name, median, least = row.rstrip("\n").split("|")
    turns.setdefault(name, []).append((float(median), float(least)))
print(f"{'':<40} {'median':>10} {'least':>10} {'x mFAST':>10}")
for name, times in turns.items():
    peer = turns[skipping if name.endswith("nothing read") else reading]
    median = statistics.median(median for median, _ in times)
    least = min(least for _, least in times)
    ratio = statistics.median(peer[0] / own[0] for peer, own in zip(peer, times, strict=True))
    print(f"{name:<40} {median:>10.1f} {least:>10.1f} {ratio:>10.1f}")
TABLE
echo "x mFAST: to its reading every field, or to its reading nothing where nothing is read; median of the turns."
echo "On a busy machine the longer run is interrupted more often, and only the leasts can be compared."
