#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make.sh FOLDER: a package for Node with the addon, the portable library and the model in prebuilds/linux-x64.
set -euo pipefail
scripts/packaging/portable.sh
prefix=$WORK/portable/prefix stage=$WORK/node-stage build=$WORK/node-build
export PREFIX=$prefix ZIG_TARGET=x86_64-linux-gnu.2.28 ZIG_TOOLS=$WORK/portable/tools
rm -rf "$stage" "$build"
mkdir "$stage"
cp -r bindings/node/. LICENSE "$stage/"
rm -rf "$stage"/{native,build,node_modules,prebuilds}
(cd "$stage" && npm install --silent --no-save --ignore-scripts node-api-headers)
cmake -S bindings/node -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/cross/zig.cmake" \
    -DCMAKE_BUILD_TYPE=Release -DDRAGOMAN_FROM="$prefix" -DDRAGOMAN_CARRY=ON \
    -DNODE_API_INCLUDE_DIR="$stage/node_modules/node-api-headers/include" > "$WORK/node.log"
cmake --build "$build" >> "$WORK/node.log" || { tail -20 "$WORK/node.log" >&2; exit 1; }
cmake --install "$build" --prefix "$stage/prebuilds/linux-x64" --component node --strip >> "$WORK/node.log"
rm -rf "$stage/node_modules"
npm pack --silent --pack-destination "$1" "$stage"
