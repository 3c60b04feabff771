#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh [--nightly] [CTEST ARGUMENT...]: installs what is missing, builds everything and runs the tests; those with
# the label "nightly" only where asked for (scripts/nightly.sh).
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
choice=(--label-exclude '^nightly$')
fast=ON
if [ "${1:-}" = --nightly ]; then
    shift
    choice=()
    fast=OFF  # each file alone, which shows whether it includes what it uses
fi
scripts/setup.sh --tests
CMAKE_ARGS="-DDRAGOMAN_BUILD_TESTS=ON -DDRAGOMAN_FAST_BUILD=$fast" scripts/build.sh all
echo "== testing"
# One job more than there are cores: tests of services and downloads wait for most of their time.
exec ctest --test-dir build/release --output-on-failure -j $(($(nproc) + 1)) ${choice[@]+"${choice[@]}"} "$@"
