#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sources.sh FOLDER: the sources of Dragoman's dependencies, as Debian 12 has them, from the mirror that apt uses here.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/own_apt.sh"
folder=$(readlink -m "${1:?a folder for the sources}")
packages=(zlib libzip fmtlib yaml-cpp sentencepiece icu cld2 expat md4c libzstd sqlite3)
own_apt "$(dpkg --print-architecture)" "$folder/apt"
cd "$folder"
"${apt[@]}" source --download-only "${packages[@]}"
