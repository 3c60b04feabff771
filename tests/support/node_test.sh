#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the Node package from its sources on the addon that DRAGOMAN_ADDON names.
cd "$(dirname "$0")/../../bindings/node" || exit 1
if [ ! -e "${DRAGOMAN_ADDON:-}" ]; then
    echo "skipped: no addon; the build makes it where it finds Node and node_api.h (Debian: nodejs, libnode-dev)"
    exit 77
fi
exec "${NODE:-node}" --test
