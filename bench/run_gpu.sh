#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run_gpu.sh [MODEL]: everything to measure on a machine with a GPU, from a fresh clone: builds, runs the whole test
# suite, then `dragoman bench` (with ceilings and picture), compare.py and matmul_peer.py at base shape, and adds the
# tables to bench/results/DATE-DEVICE.md, last of all whether each goal for a GPU is met (reach.py). MODEL: a directory
# to bench as well. What is missing is skipped and said at the end.
#   DEVICE=...       of Dragoman: index, UUID or part of the name
#   PEER_DEVICE=cuda, cpu or none; default: cuda where nvidia-smi works
#   PYTHON, TORCH_PYTHON  with ctranslate2 and with PyTorch; default: virtual environments made here
#   PEERS="..."      of compare.py; default: ctranslate2 transformers transformers-compiled, where Python has them
#   QUICK=1          small shapes and few runs, to try the script itself; SKIP_TESTS=1, SKIP_BUILD=1
#   RESULTS, WORK    folders for the tables and for everything else; default: bench/results, build/gpu
set -uo pipefail

root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
work=${WORK:-$root/build/gpu}
folder=${RESULTS:-bench/results}
mkdir -p "$work" "$folder"
skipped=()
skip() { skipped+=("$1"); echo "== skipped: $1"; }
say() { echo "== $*"; }
last_line() { grep . "$1" | tail -n 1; }

# ---------------------------------------------------------------------------------------- build and tests
if [ -z "${SKIP_BUILD:-}" ]; then
    scripts/setup.sh --tests || exit 1
    CMAKE_ARGS="-DDRAGOMAN_BUILD_BENCH=ON" scripts/build.sh all || exit 1
fi
dragoman=build/release/bin/dragoman
bench=build/release/bench
device=(${DEVICE:+--device "$DEVICE"})
tests="not run"
if [ -n "${SKIP_TESTS:-}" ]; then
    skip "tests (SKIP_TESTS)"
else
    say "tests"
    DRAGOMAN_DEVICE=${DEVICE:-} ctest --test-dir build/release --output-on-failure -j "$(nproc)" > "$work/tests.log" 2>&1 ||
        skip "nothing, but tests failed: see $work/tests.log"
    tests=$(grep -E "tests passed|tests failed" "$work/tests.log" | tail -n 1)
    say "$tests"
fi

# ---------------------------------------------------------------------------------------- what there is
if "$dragoman" devices | grep -q . ; then "$dragoman" devices; else skip "everything: no Vulkan device"; exit 1; fi
peer_device=${PEER_DEVICE:-$(nvidia-smi > /dev/null 2>&1 && echo cuda || echo none)}
[ "$peer_device" != none ] || skip "peers (no CUDA device; PEER_DEVICE=cpu compares with CPUs)"
environment() {  # NAME PACKAGE...: a virtual environment with them, or nothing
    local folder=$work/$1
    shift
    if [ ! -x "$folder/bin/python" ] || ! "$folder/bin/python" -c "import numpy, ${1%%[=<>]*}" 2> /dev/null; then
        python3 -m venv "$folder" && "$folder/bin/pip" install -q numpy "$@" > "$work/pip.log" 2>&1 || return
    fi
    echo "$folder/bin/python"
}
peers=()
python=${PYTHON:-$(environment ct2 ctranslate2)}
if [ -z "$python" ]; then
    skip "CTranslate2 and the base model (no Python with ctranslate2 and numpy: set PYTHON)"
elif [ "$peer_device" != none ]; then
    peers+=(ctranslate2)
fi
torch_python=${TORCH_PYTHON:-$([ "$peer_device" = none ] || environment torch torch transformers)}
if [ -z "$torch_python" ]; then
    [ "$peer_device" = none ] || skip "transformers (no Python with torch: set TORCH_PYTHON)"
else
    peers+=(transformers transformers-compiled)
fi
[ -z "${PEERS:-}" ] || read -ra peers <<< "$PEERS"
skip "pymarian (the base model is not written in Marian's format)"

# ---------------------------------------------------------------------------------------- shapes
repeat=5 many=3000 few=64 length=25 shape=() products=(800x1536x512 800x2048x512 800x512x2048 8192x2048x512)
type=$("$dragoman" devices --json | python3 -c '
import json, sys
devices = json.load(sys.stdin)
wanted = sys.argv[1].lower()
chosen = [d for d in devices if wanted in (str(d["index"]), d["uuid"]) or wanted and wanted in d["name"].lower()]
best = min(chosen or devices, key=lambda d: ["discrete", "integrated", "virtual", "cpu", "other"].index(d["kind"]))
print("float16" if best["f16"] and best["kind"] != "cpu" else "float32", best["name"].replace(" ", "-"))
' "${DEVICE:-}") || exit 1
name=$(echo "${type#* }" | tr -cd 'A-Za-z0-9.-' | cut -c1-40)
type=${type%% *}
if [ -n "${QUICK:-}" ]; then
    repeat=2 many=40 few=8 length=6 shape=(--layers 2 --d-model 64 --heads 2 --ffn 128 --vocabulary 500)
    products=(48x128x64)
fi
results=$folder/$(date +%F)-$name.md
rm -f "$work"/bench-*.json "$work"/compare-*.json "$work"/matmul.json
{
    [ ! -s "$results" ] || echo
    echo "# ${name}, $(date +%F)"
    echo
    echo "Commit $(git rev-parse --short HEAD 2> /dev/null || echo unknown). Tests: $tests. Load at the beginning: $(cut -d' ' -f1 /proc/loadavg)."
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv,noheader 2> /dev/null
    lscpu | sed -n 's/^Model name: */Host: /p' | head -n 1
} >> "$results"

# ---------------------------------------------------------------------------------------- our own numbers
stem=$(date +%F)-$name
one_bench() {  # TITLE STEM ARGUMENT...
    local title=$1 json=$work/bench-$2.json picture=$stem-$2.png
    shift 2
    say "bench: $title"
    { echo; echo "## $title"; echo; } >> "$results"
    if "$dragoman" bench "${device[@]}" --repeat "$repeat" --json --plot "$folder/$picture" "$@" > "$json" \
        2> "$work/error.txt"
    then python3 bench/reach.py report "$json" >> "$results"
    else cat "$work/error.txt" >> "$results"; skip "$title failed: $(last_line "$work/error.txt")"; rm -f "$json"
    fi
    [ ! -s "$folder/$picture" ] || { echo; echo "![$title]($picture)"; } >> "$results"
}
one_bench "aren-transliteration" aren --model tests/data/aren-transliteration --beam 4
[ -z "${1:-}" ] || one_bench "$(basename "$1")" "$(basename "$1")" --model "$1" --beam 4
if [ -n "$python" ]; then
    base=$work/base${QUICK:+-quick}
    if [ ! -s "$base/model.bin" ]; then
        "$python" bench/make_base_model.py "$base" --sentences "$many" --length "$length" --spread $((length - 3)) \
            "${shape[@]}" || exit 1
        head -n "$few" "$base/sentences.txt" > "$base/few.txt"
    fi
    for beam in 1 4; do
        one_bench "base shape, batch 1, beam $beam" base-1-$beam --model "$base" --input "$base/few.txt" \
            --tokens --beam $beam --batch-size 1 --max-length "$length"
        one_bench "base shape, chosen batches, beam $beam" base-$beam --model "$base" \
            --input "$base/sentences.txt" --tokens --beam $beam --max-length "$length"
    done

    # ------------------------------------------------------------------------------------ beside the peers
    compared() {  # TITLE STEM ARGUMENT...
        local title=$1 json=$work/compare-$2.json
        shift 2
        say "compare: $title"
        "$python" bench/compare.py --model "$base" --max-length "$length" --repeat "$repeat" --compute-type "$type" \
            --python "$python" --torch-python "${torch_python:-python3}" --peers "${peers[@]}" \
            --peer-device "$peer_device" "${device[@]}" --title "$title" --append "$results" --json "$json" "$@" \
            > "$work/compare.log" 2>&1 ||
            skip "$title failed: $(last_line "$work/compare.log")"
    }
    if [ ${#peers[@]} -gt 0 ]; then
        compared "base shape, $few sentences" few --tokens "$base/few.txt" --batch 1 32 --beam 1 4
        compared "base shape, $many sentences" many --tokens "$base/sentences.txt" --batch 0 --beam 1 4 \
            --order sorted shuffled
    fi
fi
if [ "$peer_device" != none ] && [ -n "$torch_python" ]; then
    say "matrix products"
    "$torch_python" bench/matmul_peer.py --shapes "${products[@]}" --device "$peer_device" --type "$type" \
        --bench-device "${DEVICE:-}" --json "$work/matmul.json" > "$work/matmul.log" 2>&1 ||
        skip "matrix products failed: $(last_line "$work/matmul.log")"
fi
{ echo; echo "## Goals"; echo; python3 bench/reach.py goals "$work"; } | tee -a "$results"
{ echo; for reason in "${skipped[@]}"; do echo "Skipped: $reason"; done; } >> "$results"
say "results are in $results"
printf '== skipped: %s\n' "${skipped[@]}"
