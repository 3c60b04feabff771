#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make.sh FOLDER: Conan's recipe exported, and the package created with the system's dependencies: Conan's own are on a
# server that a build may not have.
set -euo pipefail
. scripts/packaging/tools.sh
python_tools conan
export CONAN_HOME=$WORK/conan-home
if [ -z "${VULKAN_SDK:-}" ] && [ -d vulkan-sdk ]; then export VULKAN_SDK=$PWD/vulkan-sdk; fi
conan profile detect --exist-ok > "$WORK/conan.log" 2>&1
conan inspect scripts/packaging/conan >> "$WORK/conan.log" 2>&1
conan export scripts/packaging/conan >> "$WORK/conan.log" 2>&1
started=$SECONDS
conan create scripts/packaging/conan -s compiler.cppstd=20 -o '&:dependencies=system' >> "$WORK/conan.log" 2>&1 ||
    { tail -20 "$WORK/conan.log" >&2; exit 1; }
seconds=$((SECONDS - started))
folder=$(conan cache path "$(conan list "dragoman/$VERSION#latest:*#latest" --format=compact 2> /dev/null |
    grep -o 'dragoman/[^ ]*' | tail -n 1)")
said=$("$folder/bin/dragoman" translate --to en "Wo ist der Bahnhof?")
printf '| conan | created with the system'"'"'s dependencies in %s s, %s | - | - | - | %s |\n' "$seconds" \
    "$(du -sh --apparent-size "$folder" | cut -f 1)" "$said" > "$WORK/rows/conan-system"
cp scripts/packaging/conan/conanfile.py "$1/"
echo "== conan: $said"
