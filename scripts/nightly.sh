#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# nightly.sh [CTEST ARGUMENT...]: everything that test.sh runs, and the full sweeps of shapes, types and drivers, which
# take a CPU's shader compiler an hour or so.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
exec scripts/test.sh --nightly "$@"
