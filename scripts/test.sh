#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh [CTEST ARGUMENT...]: installs what is missing, builds everything and runs the tests.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
scripts/setup.sh --tests
CMAKE_ARGS="-DDRAGOMAN_BUILD_TESTS=ON" scripts/build.sh all
echo "== testing"
exec ctest --test-dir build/release --output-on-failure -j "$(nproc)" "$@"
