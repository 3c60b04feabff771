#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# validate_on_device.sh [REGEX]: runs shaders under GPU-assisted validation, which looks at every access, and writes
# bench/results/gpu-assisted.tsv: device, what ran, result, messages of the layer, seconds. What runs: a kernel of every
# shader and types on a small odd-shaped input (tests/check), and every test case of tests/ops, tests/nn and
# tests/decode; with REGEX only those whose names match ("kernel: ", "ops: ", "nn: ", "decode: " and the name). Each is a
# process of its own with LIMIT seconds (120), and nothing more begins after TOTAL seconds (10800), so the script ends
# by itself; what did not come to its end is in the table as "stopped" or "not run".
# Results are kept in the build folder (gpu-assisted/) until tests are built anew: the script can be stopped at any time
# and goes on with what is missing. Of tests that were stopped it tries those again that get more time than before.
# On a CPU nearly all of the time goes into compiling what the layer added: seconds for each kernel with lavapipe, a
# tenth of it with SwiftShader, which has no 16-bit types. VK_ICD_FILENAMES names one driver; other devices keep their
# rows. LAYER=path/libVkLayer_khronos_validation.so takes another layer than the system's. Ends with 1 where there is a
# message or a failure, or no message where there must be one. Needs a build with tests.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
build=${BUILD:-build/release}
table=${TABLE:-bench/results/gpu-assisted.tsv}
limit=${LIMIT:-120}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DRAGOMAN_VALIDATION=1 DRAGOMAN_GPU_ASSISTED_VALIDATION=1 DRAGOMAN_CACHE_DIR=-
if [ -n "${LAYER:-}" ]; then
    cat > "$work/VkLayer_khronos_validation.json" <<JSON
{"file_format_version": "1.1.0", "layer": {"name": "VK_LAYER_KHRONOS_validation", "type": "GLOBAL",
 "library_path": "$LAYER", "api_version": "1.3.0", "implementation_version": "1", "description": "validation"}}
JSON
    export VK_LAYER_PATH="$work"
fi

# The control: without its message the others' silence would mean nothing.
"$build/tests/test_vulkan" --test-case='validation on the device sees a read beyond a buffer' > "$work/log" 2>&1 || {
    grep -q 'beyond a buffer.: 1 validation messages more' "$work/log" && grep -q 'out of bounds' "$work/log"
} || { cat "$work/log"; echo "the layer does not look at shaders on this device"; exit 1; }

device=$(env -u DRAGOMAN_VALIDATION "$build/bin/dragoman" devices | sed -n '1s/^0  *//p')
mkdir -p "$build/gpu-assisted"
kept=$build/gpu-assisted/$(tr -c 'A-Za-z0-9\n' _ <<< "$device").tsv
for program in "$build"/tests/test_{check,ops,nn,decode}; do
    if [ -e "$kept" ] && [ "$program" -nt "$kept" ]; then rm "$kept"; fi
done
touch "$kept"

kernel_test=(--test-case='validation on the device: a kernel of every shader and types')
# "folder: name" of all that may run. Tests in an order that mixes long and short ones of all folders.
list() {
    DRAGOMAN_TEST_KERNEL=list "$build/tests/test_check" "${kernel_test[@]}" > "$work/kernels" 2> /dev/null || true
    sed -n 's/^kernel\t/kernel: /p' "$work/kernels" | awk '!seen[$0]++'
    for folder in ops nn decode; do
        "$build/tests/test_$folder" --list-test-cases 2> /dev/null | sed -n '/^\[doctest\]/d; /^===/d; s/^/'$folder': /p'
    done | shuf --random-source=<(yes)
}

# A comma in a name would end it: any character stands for it.
run() {  # "folder: name"
    local folder=${1%%: *} name=${1#*: }
    # Killed in the end: what a test program does on a signal may wait for a lock that it holds itself.
    case $folder in
        kernel) DRAGOMAN_TEST_KERNEL=$name timeout -k 5 "$limit" "$build/tests/test_check" "${kernel_test[@]}" ;;
        *) timeout -k 5 "$limit" "$build/tests/test_$folder" --test-case="${name//,/?}" ;;
    esac > "$work/log" 2>&1
}

# One that asserts nothing has not run. The layer's message about what it cannot look at on a device is no finding, and
# a test that fails for a message that it did not expect has that message in the table.
judge() {  # "folder: name"
    local start=$SECONDS result=passed messages
    run "$1" || case $? in 124 | 137) result=stopped ;; *) result=failed ;; esac
    messages=$(grep 'vulkan validation:' "$work/log" | grep -vc 'UNASSIGNED-GPU-Assisted Validation Warning' || true)
    if [ "$result" = failed ] && [ "$messages" = 0 ] && grep -q '| 0 failed |' "$work/log"; then result=passed; fi
    if [ "$result" = passed ] && grep -qE 'test cases: +0 |assertions: +0 ' "$work/log"; then result="not run"; fi
    if [ "$result" = failed ] || [ "$messages" -gt 0 ]; then tail -20 "$work/log" | cut -c1-300; fi
    printf '%s\t%s\t%s\t%s\t%s\n' "$device" "$1" "$result" "$messages" $((SECONDS - start)) | tee -a "$kept"
}

list > "$work/list"
while read -r entry; do
    [ $SECONDS -lt "${TOTAL:-10800}" ] || break
    before=$(awk -F '\t' -v name="$entry" '$2 == name {last = $3 == "stopped" ? $5 : "done"} END {print last}' "$kept")
    [ "$before" != done ] || continue
    [ -z "$before" ] || [ "$before" -lt $((limit - 1)) ] || continue
    judge "$entry" < /dev/null
done < <(grep -E -- "${1:-.}" "$work/list")

# The last result of each, and what has none.
{
    printf 'device\tkernel or test\tresult\tmessages\tseconds\n'
    [ ! -e "$table" ] || awk -F '\t' -v device="$device" 'NR > 1 && $1 != device' "$table"
    awk -F '\t' 'NR == FNR {row[$2] = $0; next} {print ($0 in row) ? row[$0] : device "\t" $0 "\tnot run\t0\t0"}' \
        device="$device" "$kept" "$work/list" | sort -s -t ':' -k 1,1
    sed -n "s/^not run\t/$device\tkernel: /p" "$work/kernels" | sed 's/$/\tnot on this device\t0\t0/'
} > "$work/new"
cp "$work/new" "$table"
awk -F '\t' -v device="$device" '$1 == device {++count[$3]; bad += $3 == "failed" || $4 > 0}
    END {for (result in count) printf "%s: %d\n", result, count[result]; exit bad > 0}' "$table"
