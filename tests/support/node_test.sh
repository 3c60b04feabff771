#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the Node package from its sources on the addon that DRAGOMAN_ADDON names.
cd "$(dirname "$0")/../../bindings/node" || exit 1
export DRAGOMAN_CHECK_ONLY=softmax,layer_norm  # check.check tries all kernels, which takes seconds
if [ ! -e "${DRAGOMAN_ADDON:-}" ]; then
    echo "skipped: no addon; the build makes it where it finds Node and node_api.h (Debian: nodejs, libnode-dev)"
    exit 77
fi
unset DRAGOMAN_VALIDATION  # the C API's tests run under the layer; nothing here looks at its messages
# A process for each file would make the same kernels and models again. Those that start processes, or change their own
# environment, stay apart.
apart= together=
for file in test/*.test.js; do
    case ${file#test/} in
    exit.* | install.* | models.* | readme.*) apart="$apart $file" ;;
    *) together="$together $file" ;;
    esac
done
status=0
# shellcheck disable=SC2086
"${NODE:-node}" --input-type=module --eval '
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
for (const file of process.argv.slice(1)) await import(pathToFileURL(resolve(file)));' $together || status=1
# shellcheck disable=SC2086
"${NODE:-node}" --test $apart || status=1
exit $status
