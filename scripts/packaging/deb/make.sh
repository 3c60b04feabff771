#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make.sh FOLDER: Debian packages, from the files that git knows and scripts/packaging/debian; lintian has to be silent.
set -euo pipefail
tree=$WORK/source/dragoman-$VERSION
rm -rf "$WORK/source"
mkdir -p "$tree"
git ls-files -z -- . ':!tests' ':!bench/results' | tar -c --null -T - | tar -x -C "$tree"
cp -r scripts/packaging/debian "$tree/debian"
# Debian 12's Vulkan headers are too old: -d leaves the check of Build-Depends out.
if [ -d vulkan-sdk ]; then ln -s "$PWD/vulkan-sdk" "$tree/vulkan-sdk"; fi
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}  # what `cmake --preset package` compiled here is taken
(cd "$tree" && dpkg-buildpackage -b -d -us -uc) > "$WORK/deb.log" 2>&1 || { tail -30 "$WORK/deb.log" >&2; exit 1; }
lintian --fail-on error,warning --tag-display-limit 0 "$WORK"/source/*.changes | tee "$WORK/lintian.txt"
cp "$WORK"/source/*.deb "$1/"
