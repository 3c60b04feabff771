#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sources.sh FOLDER: the sources of Dragoman's dependencies, as Debian 12 has them, from the mirror that apt uses here.
# A mirror that lacks Debian's patches of a package is said, not an error: deps.sh builds it without.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/own_apt.sh"
folder=$(readlink -m "${1:?a folder for the sources}")
packages=(zlib libzip fmtlib yaml-cpp sentencepiece icu cld2 expat md4c libzstd sqlite3)
own_apt "$(dpkg --print-architecture)" "$folder/apt"
cd "$folder"
"${apt[@]}" source --download-only "${packages[@]}" || true
for package in "${packages[@]}"; do
    compgen -G "${package}_*.orig.tar.*[z2]" > /dev/null ||
        { echo "sources.sh: expected the sources of $package, got none from the mirror" >&2; exit 1; }
    compgen -G "${package}_*.debian.tar.*z" > /dev/null ||
        echo "sources.sh: no patches of Debian for $package from the mirror" >&2
done
