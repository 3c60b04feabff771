#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# table.sh: what scripts/package.sh noted, as a page.
set -euo pipefail
cat <<END
# Packages of version $VERSION, $(date +%F)

Written by \`scripts/package.sh\` on a machine with $(nproc) cores. Each package is installed in a fresh root of debootstrap with
what it needs from there on (apt's and pip's downloads count), translates "Wo ist der Bahnhof?" with the shipped model,
on Mesa's lavapipe, and is removed again. Debian 11 has no driver with Vulkan 1.2 for CPUs: there it only finds the language. Seconds are from the
beginning of the installation to the translation; load is that of the machine at the end of it.

| package | files | root | seconds | load | translation |
|---|---|---|---|---|---|
END
for name in deb tar wheel node conan image; do cat "$WORK/rows/$name"-* 2> /dev/null || true; done
