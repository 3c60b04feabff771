#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh [--seconds S] [--table] [READER...]: fuzzes readers (all: those of tests/fuzz/*_fuzz.cpp) by libFuzzer for S
# seconds each (60), one after the other, and writes tests/fuzz/results.md. Inputs that brought something new are kept in
# build/fuzz/corpus, so that the next run goes on from there; what crashes is left in build/fuzz/crashes, and named.
# --table only writes the table of what ran. --list names the readers.
# Needs clang with libFuzzer: apt-get install clang libclang-rt-dev (or clang-16 libclang-rt-16-dev). CXX names another.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
seconds=60 table= readers=()
list_readers() { ls tests/fuzz/*_fuzz.cpp | sed 's,.*/\(.*\)_fuzz.cpp,\1,'; }
while [ $# -gt 0 ]; do
    case $1 in
    -h|--help) sed -n '3,/^set/s/^# \{0,1\}//p' "$0"; exit ;;
    --seconds) seconds=$2; shift ;;
    --table) table=only ;;
    --list) list_readers; exit ;;
    *) [ -e "tests/fuzz/$1_fuzz.cpp" ] || { echo "fuzz.sh: there is no tests/fuzz/$1_fuzz.cpp" >&2; exit 2; }
       readers+=("$1") ;;
    esac
    shift
done
[ ${#readers[@]} -gt 0 ] || mapfile -t readers < <(list_readers)
folder=build/fuzz

# A row for each reader: executions of all runs, what the corpus reaches now.
write_table() {
    {
        echo "# Fuzzing"
        echo
        echo "Made by \`scripts/fuzz.sh\`: libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer. Executions and seconds are"
        echo "the sums of all runs up to the last one; a second: executions in one of the processor, in the last run, and what 10^8"
        echo "take of it; edges: of the reader's program, reached by its corpus (the program has all readers' common code in it, so"
        echo "that no reader can reach them all). Mutator: one that knows the format. Crashes: with leaks, hangs (20 s) and what took"
        echo "more than 2 GiB; what was found is an input of \`corpus\` since."
        echo
        echo "| reader | executions | seconds | a second | hours to 10^8 | edges reached | edges | inputs kept | mutator | crashes | last run |"
        echo "|---|---|---|---|---|---|---|---|---|---|---|"
        cat "$folder"/rows/* | sort | awk -F '\t' '
            { executions[$1] += $3; seconds[$1] += $4; crashes[$1] += $8; if ($2 >= last[$1]) { last[$1] = $2; row[$1] = $0 } }
            END { for (name in row) { split(row[name], r, "\t")
                      rate = r[3] / (r[10] > 0 ? r[10] : 1)
                      printf "| %s | %d | %d | %d | %.0f | %s | %s | %s | %s | %d | %s |\n", name, executions[name], seconds[name],
                             rate, 1e8 / (rate > 0 ? rate : 1) / 3600, r[5], r[6], r[7], r[9], crashes[name], substr(r[2], 1, 16) } }' | sort
        cat "$folder"/rows/* | awk -F '\t' '{ e += $3; s += $4 } END { printf "| all | %d | %d | | | | | | | | |\n", e, s }'
        echo
        echo "Not run: $(comm -13 <(cut -f 1 "$folder"/rows/* | sort -u) <(list_readers | sort) | paste -sd ' ' | sed 's/ /, /g; s/^$/none/')."
    } > tests/fuzz/results.md
}
if [ -n "$table" ]; then write_table; exit; fi

compiler=${CXX:-}
for name in clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15; do
    [ -n "$compiler" ] || ! command -v "$name" > /dev/null || compiler=$name
done
[ -n "$compiler" ] || { echo "fuzz.sh: expected clang++, found none: apt-get install clang libclang-rt-dev" >&2; exit 3; }
printf '#include <cstddef>\n#include <cstdint>\nextern "C" int LLVMFuzzerTestOneInput(const uint8_t*, std::size_t) { return 0; }\n' |
    "$compiler" -x c++ -fsanitize=fuzzer,address -o /dev/null - 2> /dev/null ||
    { echo "fuzz.sh: $compiler links no libFuzzer: apt-get install libclang-rt-dev, of its version" >&2; exit 3; }

mkdir -p "$folder/rows"
echo "== configuring $folder for $compiler"
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_C_COMPILER="${compiler/clang++/clang}" -DDRAGOMAN_FUZZ=ON > "$folder/configure.log" 2>&1 ||
    { tail -20 "$folder/configure.log" >&2; exit 1; }
echo "== building ${#readers[@]} readers"
ninja -C "$folder" "${readers[@]/#/fuzz_}" > "$folder/build.log" 2>&1 || { grep -A8 -E "error|FAILED" "$folder/build.log" | head -60 >&2; exit 1; }

failed=()
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1
for name in "${readers[@]}"; do
    corpus=$folder/corpus/$name crashes=$folder/crashes/$name log=$folder/$name.log
    mkdir -p "$corpus" "$crashes"
    before=$(find "$crashes" -type f | wc -l)
    # Entropic schedules take half the time where a corpus is large.
    options=(-entropic=0 -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 -verbosity=1 -artifact_prefix="$crashes/")
    [ ! -e "tests/fuzz/dictionaries/$name.dict" ] || options+=(-dict="tests/fuzz/dictionaries/$name.dict")
    TIMEFORMAT='%U %S'
    { time "$folder/tests/fuzz/fuzz_$name" "${options[@]}" -max_total_time="$seconds" "$corpus" "tests/fuzz/corpus/$name" \
        > "$log" 2>&1 || failed+=("$name"); } 2> "$log.time"
    # Only inputs that reach something of their own stay.
    rm -rf "$corpus.least"
    mkdir "$corpus.least"
    if "$folder/tests/fuzz/fuzz_$name" -merge=1 "${options[@]}" "$corpus.least" "tests/fuzz/corpus/$name" "$corpus" \
        > "$log.merge" 2>&1; then
        rm -rf "$corpus"
        mv "$corpus.least" "$corpus"
    else
        rm -rf "$corpus.least"
    fi
    executions=$(awk '/^stat::number_of_executed_units/ { print $2 }' "$log")
    [ -n "$executions" ] || executions=$(grep -o '^#[0-9]*' "$log" | tail -1 | tr -d '#' || true)
    edges=$(grep -o 'cov: [0-9]*' "$log" | tail -1 | cut -d ' ' -f 2 || true)  # none: the first input crashed
    all=$(sed -n 's/^INFO: Loaded .*(\([0-9]*\) inline 8-bit counters).*/\1/p' "$log" | head -1)
    took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log")
    mutator=
    [ ! -e "tests/fuzz/${name}_mutator.cpp" ] || mutator=yes
    after=$(find "$crashes" -type f | wc -l)
    now=$(date -u '+%F %H:%M:%S') processor=$(awk '{ print $1 + $2 }' "$log.time")
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$now" "${executions:-0}" "${took:-$seconds}" "${edges:-0}" \
        "${all:-0}" "$(find "$corpus" -type f | wc -l)" "$((after - before))" "${mutator:-no}" "$processor" > "$folder/rows/$name-${now//[: ]/}"
    echo "== $name: ${executions:-0} executions, ${edges:-0} of ${all:-0} edges, $((after - before)) crashes"
done
write_table
if [ ${#failed[@]} -gt 0 ]; then
    echo "fuzz.sh: failed: ${failed[*]}; see $folder/NAME.log and $folder/crashes" >&2
    exit 1
fi
