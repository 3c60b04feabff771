#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# arm64.sh FOLDER: builds Dragoman for 64-bit Arm in FOLDER, against Debian 12's packages unpacked there, runs a file of
# tests of each folder and one translation under emulation, on lavapipe for Arm, and writes bench/results/arm64.tsv.
#   apt-get install g++-aarch64-linux-gnu qemu-user-static
# JOBS: compilers at once. LIMIT: seconds for each file of tests (600). NATIVE: a build of this machine, whose
# translation is compared (default: build/release). Ends with 1 where something fails or differs.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
. scripts/cross/own_apt.sh
work=$(readlink -m "${1:?a folder to work in}")
native=$(readlink -f "${NATIVE:-build/release}")
table=bench/results/arm64.tsv
packages=(libc6-dev libstdc++-12-dev libfmt-dev libicu-dev libyaml-cpp-dev zlib1g-dev libzstd-dev libexpat1-dev libzip-dev
          libsentencepiece-dev libcld2-dev libmd4c-dev libsqlite3-dev nlohmann-json3-dev libcli11-dev libstb-dev
          doctest-dev libvulkan1 mesa-vulkan-drivers)
# A small file of tests in each folder but check, whose tests compile every kernel.
tests=(base/half base/os files/file_map spec/block_quantization formats/safetensors families/gguf vulkan/buffer
       ops/elementwise nn/positions decode/search text/sentencepiece tm/tmx markup/entities
       documents/subtitles engine/search pipeline/options capi/arguments)

export SYSROOT=$work/sysroot
if [ ! -e "$SYSROOT/complete" ]; then
    own_apt arm64 "$work/apt"
    "${apt[@]}" -y --download-only install "${packages[@]}" > /dev/null
    unpack_packages "$work/apt" "$SYSROOT"
    touch "$SYSROOT/complete"
fi

programs=()
for test in "${tests[@]}"; do programs+=("test_${test%/*}"); done
started=$SECONDS
cmake -S . -B "$work/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/cross/arm64.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DDRAGOMAN_BUILD_TESTS=ON -DDRAGOMAN_BUILD_BENCH=OFF > "$work/configure.log"
cmake --build "$work/build" -j "${JOBS:-$(nproc)}" --target dragoman_cli $(printf '%s\n' "${programs[@]}" | sort -u)
built=$((SECONDS - started))

emulated() {
    env VK_DRIVER_FILES="$SYSROOT/usr/share/vulkan/icd.d/lvp_icd.aarch64.json" VK_LOADER_LAYERS_DISABLE='~all~' \
        VK_ICD_FILENAMES="$SYSROOT/usr/share/vulkan/icd.d/lvp_icd.aarch64.json" DRAGOMAN_CACHE_DIR="$work/cache" \
        nice -n 10 qemu-aarch64-static -L "$SYSROOT" -E LD_LIBRARY_PATH="$SYSROOT/usr/lib/aarch64-linux-gnu" "$@"
}
bad=0
row() { printf '%s\t%s\t%s\n' "$@" | tee -a "$table"; }
printf 'what\tresult\tseconds\n' > "$table"
row build built $built
for test in "${tests[@]}"; do
    start=$SECONDS result=passed
    timeout "${LIMIT:-600}" bash -c "$(declare -f emulated); SYSROOT=$SYSROOT work=$work; emulated \"\$@\"" - \
        "$work/build/tests/test_${test%/*}" --source-file="*/$test""_test.cpp" > "$work/log" 2>&1 ||
        result=$([ $? = 124 ] && echo stopped || echo failed)
    if [ $result = passed ]; then
        result=$(sed -nE 's/.*test cases: *([0-9]+) \| *([0-9]+) passed.*/\2 of \1 passed/p' "$work/log")
        [ "${result% of*}" -gt 0 ] || result="nothing ran"
    else
        tail -5 "$work/log" | cut -c1-200
    fi
    case $result in *passed) ;; *) bad=1 ;; esac
    row "tests of $test" "$result" $((SECONDS - start))
done
start=$SECONDS
text="I have a dog, and the weather is fine today."
here=$("$native/bin/dragoman" translate --model models/en-de --to de "$text")
there=$(emulated "$work/build/bin/dragoman" translate --model models/en-de --to de "$text" 2> "$work/log") || cat "$work/log"
if [ "$here" = "$there" ]; then result="as here: $there"; else result="differs: $there; here: $here" bad=1; fi
row "a translation" "$result" $((SECONDS - start))
exit $bad
