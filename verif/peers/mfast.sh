#!/usr/bin/env bash
# mFAST (objectcomputing/mFAST, C++, LGPL) and saker's benchmarks by turns: the MOEX capture decoded, and
# messages with operators decoded and encoded (crates/fast/benches/{moex,entries}.rs).
#
#   verif/peers/mfast.sh                       with the network: fetches mFAST into target/peers/mfast
#   MFAST_DIR=~/mFAST verif/peers/mfast.sh     with a checkout of it
#
# MFAST_CXXFLAGS sets how mFAST and the drivers are optimised. Measured are templates loaded at run time
# and the code that mFAST's fast_type_gen makes of the same templates; the drivers' sums over all fields
# must be the ones that the benchmarks come to, so that all have read the same. mFAST's code is not part
# of this repository and stays out of it. Where something is missing the script says what and goes on
# without it, and succeeds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export SAKER_DATA=${SAKER_DATA:-$here/../../../shared/data}
mfast=$(realpath -m "${MFAST_DIR:-$here/../../target/peers/mfast}")
cd "$here/../.."
url=https://github.com/objectcomputing/mFAST
commit=d8d5a6588b46eaa65836f15416b2bd684316a7dc
cxx=${CXX:-g++}
read -ra optimise <<<"${MFAST_CXXFLAGS:--O3 -DNDEBUG}"
# What every field comes to (`Sum` in benches/moex.rs), of the capture and of the messages.
declare -A expected=([moex]=15044621950889452765 [entries]=7257504624825283830)

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

# The standard and the definition are those of its CMakeLists.txt. value_storage.h names std::istream
# without including it, which a compiler of today does not forgive, and Boost has no
# boost/detail/endian.hpp any more.
build=$PWD/target/peers/build
rm -rf "$build"
mkdir -p "$build/boost/detail"
has_header boost/detail/endian.hpp ||
    echo '#include <boost/predef/other/endian.h>' >"$build/boost/detail/endian.hpp"
compile=("$cxx" -std=c++11 -DSIZEOF_VOID_P=8 -include istream -w "${optimise[@]}"
    -I"$mfast/src" -I"$build" -I"$here")
cp "$moex/test.xml" crates/fast/benches/entries.xml "$build"

# The library: its decoder, its encoder, its parser of templates; no JSON.
shopt -s nullglob
source=$mfast/src/mfast
for file in "$source"/*.cpp "$source"/instructions/*.cpp "$source"/xml_parser/*.cpp \
    "$source"/coder/{common,decoder,encoder,encoder_v2}/*.cpp; do
    object=${file#"$source/"}
    "${compile[@]}" -c "$file" -o "$build/${object//\//_}.o" || fail "mFAST in $mfast does not compile"
done
library=("$build"/*.o -ltinyxml2)

# The generator and what it makes of the templates: test.{h,inl,cpp} and entries.{h,inl,cpp}.
generated=()
type_gen=$mfast/src/fast_type_gen
if [[ -e $type_gen/fast_type_gen.cpp && -e $source/coder/fast_decoder_v2.h ]]; then
    "${compile[@]}" -O0 "$type_gen"/{fast_type_gen,codegen_base,hpp_gen,inl_gen,cpp_gen}.cpp \
        "${library[@]}" -o "$build/fast_type_gen" || fail "mFAST's generator in $mfast does not compile"
    (cd "$build" && ./fast_type_gen test.xml entries.xml) || fail "mFAST's generator does not run"
    generated=(-DGENERATED)
else
    echo "skipped: mFAST's generated code; fast_type_gen or fast_decoder_v2.h is not in $mfast"
fi

benches=(moex)
"${compile[@]}" "${generated[@]}" "$here/mfast.cpp" ${generated:+"$build/test.cpp"} "${library[@]}" \
    -o "$build/moex" || fail "the driver of the capture does not compile"
cargo bench --quiet --locked -p saker-fast --bench moex --bench entries --no-run
if [[ -e $source/coder/fast_encoder.h ]]; then
    benches+=(entries)
    "${compile[@]}" "${generated[@]}" "$here/mfast_entries.cpp" ${generated:+"$build/entries.cpp"} \
        "${library[@]}" -o "$build/entries" || fail "the driver of the messages does not compile"
    cargo bench --quiet --locked -p saker-fast --bench entries -- --write "$build/entries.bin"
else
    echo "skipped: messages with operators; fast_encoder.h is not in $mfast"
fi
declare -A input=([moex]="$moex/data.dat" [entries]="$build/entries.bin")
declare -A templates=([moex]="$build/test.xml" [entries]="$build/entries.xml")

# They take turns, since the machine's speed drifts: each turn is a few rounds of all.
turns=${MFAST_TURNS:-21}
rounds=3
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
for ((turn = 0; turn < turns; turn++)); do
    for bench in "${benches[@]}"; do
        theirs=$("$build/$bench" "${templates[$bench]}" "${input[$bench]}" "$rounds")
        while read -r sum; do
            [[ $sum == "${expected[$bench]}" ]] ||
                fail "mFAST's sum is $sum, the benchmark's is ${expected[$bench]}"
        done < <(sed -n 's/^sum //p' <<<"$theirs")
        ours=$(cargo bench --quiet --locked -p saker-fast --bench "$bench" -- --rounds "$rounds")
        # The rows of both tables as bench|name|median|least.
        printf '%s\n%s\n' "$theirs" "$ours" |
            sed -nE "s/^([a-zA-Z].*[a-z]) +([0-9.]+) +([0-9.]+)( +[0-9.]+)?\$/$bench|\1|\2|\3/p" >>"$rows"
        ((turn > 0)) || sed -n 's/^different /encoded to other bytes: /p' <<<"$theirs"
    done
done
printf '%d turns of %d rounds each, ns/message; mFAST in %s, %s, %s\n' "$turns" "$rounds" "$mfast" \
    "$("$cxx" --version | head -n 1)" "${optimise[*]}"
python3 "$here/table.py" "$rows"
