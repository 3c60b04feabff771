#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# nightly.sh [--list] [--page] [--part N/M] [--again] [--short N] [PART...]: what takes too long for every change: all tests
# with the full sweeps, sanitizers, fuzzing, soaks, other programs' clients, reproducible builds, vulnerabilities. Part after
# part; one that was done for this commit is not done again, so that the same command goes on where it was ended.
#   --list      names the parts, and what became of them
#   --part N/M  the N-th of M shares of them, for M machines or nights
#   --again     also what is done
#   --short N   fuzzing, hammers and soaks go on for an N-th of their time
#   --page      only writes docs/nightly.md of what is in build/nightly
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
exec python3 scripts/nightly.py "$@"
