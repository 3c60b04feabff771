#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# validate_on_device.sh [REGEX]: runs the tests of operations, networks and searches (or those whose names match) under
# GPU-assisted validation, which looks at every access of every shader, and writes bench/results/gpu-assisted.tsv: test,
# result, messages of the layer, seconds. LAYER=path/libVkLayer_khronos_validation.so takes another layer than the
# system's. Ends with 1 where there is a message, or none where there must be one. Needs a build with tests; takes hours
# on a CPU.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
build=${BUILD:-build/release}
table=bench/results/gpu-assisted.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DRAGOMAN_VALIDATION=1 DRAGOMAN_GPU_ASSISTED_VALIDATION=1 DRAGOMAN_CACHE_DIR="$work/cache"
if [ -n "${LAYER:-}" ]; then
    cat > "$work/VkLayer_khronos_validation.json" <<JSON
{"file_format_version": "1.1.0", "layer": {"name": "VK_LAYER_KHRONOS_validation", "type": "GLOBAL",
 "library_path": "$LAYER", "api_version": "1.3.0", "implementation_version": "1", "description": "validation"}}
JSON
    export VK_LAYER_PATH="$work"
fi

# The control: without its message the others' silence would mean nothing.
"$build/tests/test_vulkan" --test-case='validation on the device sees a read beyond a buffer' > "$work/log" 2>&1 ||
    { cat "$work/log"; echo "the layer does not look at shaders on this device"; exit 1; }

failures=0
printf 'test\tresult\tmessages\tseconds\n' > "$work/table"
for source in tests/ops/*_test.cpp tests/nn/*_test.cpp tests/decode/*_test.cpp; do
    folder=$(basename "$(dirname "$source")")
    name=$folder.$(basename "$source" _test.cpp)
    [[ $name =~ ${1:-.} ]] || continue
    start=$SECONDS
    result=passed
    "$build/tests/test_$folder" --source-file="*/$folder/$(basename "$source")" > "$work/log" 2>&1 || result=failed
    messages=$(grep -c 'vulkan validation:' "$work/log" || true)
    if [ "$result" = failed ] || [ "$messages" -gt 0 ]; then
        failures=$((failures + 1))
        tail -20 "$work/log"
    fi
    printf '%s\t%s\t%s\t%s\n' "$name" "$result" "$messages" $((SECONDS - start)) | tee -a "$work/table"
done
[ -n "${1:-}" ] || cp "$work/table" "$table"
exit $((failures > 0))
