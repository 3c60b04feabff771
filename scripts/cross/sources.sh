#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sources.sh FOLDER: the sources of Dragoman's dependencies, as Debian 12 has them, from the mirror that apt uses here.
set -euo pipefail
folder=$(readlink -m "${1:?a folder for the sources}")
packages=(zlib libzip fmtlib yaml-cpp sentencepiece icu cld2 expat md4c libzstd sqlite3)
state=$folder/apt
mkdir -p "$state"/{lists/partial,cache/archives/partial,sources,preferences}
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | head -n 1)}
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm main" > "$state/sources.list"
: > "$state/status"
apt=(apt-get -qq -o Dir::State="$state" -o Dir::State::Lists="$state/lists" -o Dir::State::Status="$state/status"
     -o Dir::Cache="$state/cache" -o Dir::Etc::SourceList="$state/sources.list"
     -o Dir::Etc::SourceParts="$state/sources" -o APT::Sandbox::User=root -o Acquire::Languages=none
     -o Acquire::Retries=3)
"${apt[@]}" update
cd "$folder"
"${apt[@]}" source --download-only "${packages[@]}"
