#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# validate_on_device.sh [REGEX]: runs shaders under GPU-assisted validation, which looks at every access, and writes
# bench/results/gpu-assisted.tsv: device, what ran, result, messages of the layer, seconds. Without REGEX: a kernel of
# every shader and types on a small odd-shaped input (tests/check), then some tests of networks and searches. With it:
# the files of tests/ops, tests/nn and tests/decode whose names match ("." is all: hours), and no table is written.
# On a CPU nearly all of the time goes into compiling what the layer added: seconds for each kernel with lavapipe, which
# keeps them for the next run (Mesa's shader cache), a tenth of it with SwiftShader, which has no 16-bit types.
# VK_ICD_FILENAMES names one driver; other devices keep their rows. LAYER=path/libVkLayer_khronos_validation.so takes
# another layer than the system's. LIMIT: seconds for a test (900). Ends with 1 where there is a message or a failure,
# or no message where there must be one. Needs a build with tests.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
build=${BUILD:-build/release}
table=bench/results/gpu-assisted.tsv
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

failures=0
device=$(env -u DRAGOMAN_VALIDATION "$build/bin/dragoman" devices | sed -n '1s/^0  *//p')

# The layer's message about what it cannot look at on a device is no finding.
run() {  # NAME PROGRAM ARGUMENT...
    local name=$1 result=passed start=$SECONDS messages; shift
    timeout "${LIMIT:-900}" "$@" > "$work/log" 2>&1 || result=$([ $? = 124 ] && echo stopped || echo failed)
    messages=$(grep 'vulkan validation:' "$work/log" | grep -vc 'UNASSIGNED-GPU-Assisted Validation Warning' || true)
    if [ "$result" = failed ] && [ "$messages" = 0 ] && grep -q '| 0 failed |' "$work/log"; then result=passed; fi
    if [ "$result" != passed ] || [ "$messages" -gt 0 ]; then
        failures=$((failures + 1))
        grep -vE '^kernel' "$work/log" | tail -20
    fi
    sed -n 's/^kernel\t//p; s/^not run\t\(.*\)/'"$device"'\t\1\tnot run\t0\t0/p' "$work/log" | tee -a "$work/table"
    printf '%s\t%s\t%s\t%s\t%s\n' "$device" "$name" "$result" "$messages" $((SECONDS - start)) | tee -a "$work/table"
}

if [ -n "${1:-}" ]; then
    for source in tests/ops/*_test.cpp tests/nn/*_test.cpp tests/decode/*_test.cpp; do
        folder=$(basename "$(dirname "$source")")
        name=$folder.$(basename "$source" _test.cpp)
        [[ ! $name =~ $1 ]] ||
            run "$name" "$build/tests/test_$folder" --source-file="*/$folder/$(basename "$source")"
    done
    exit $((failures > 0))
fi

run "check: a kernel of every shader and types" "$build/tests/test_check" \
    --test-case='validation on the device: a kernel of every shader and types'
while read -r folder name; do
    run "$folder: $name" "$build/tests/test_$folder" --test-case="$name"
done <<'TESTS'
nn a slot without a source gets nothing from cross-attention
nn growing caches keeps the results
nn an encoder in many lists gives the bits of one in one list
decode forced tokens are scored
decode searching with the kernels for GPUs agrees with a plain search
decode a shortlist of few tokens, and one with a token that does not exist
TESTS

{
    printf 'device\tkernel or test\tresult\tmessages\tseconds\n'
    [ ! -e "$table" ] || awk -F '\t' -v device="$device" 'NR > 1 && $1 != device' "$table"
    cat "$work/table"
} > "$work/new"
cp "$work/new" "$table"
exit $((failures > 0))
