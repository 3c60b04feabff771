#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the Python package from its sources, with the first Python that has what they need.
cd "$(dirname "$0")/../../bindings/python" || exit 1
export DRAGOMAN_CHECK_ONLY=softmax,layer_norm  # check.check tries all kernels, which takes seconds
export PYTHONPATH="$PWD/src"
# What Python compiles is kept in a build folder, or not at all: the tests start it two hundred times.
if [ -n "${PYTHONPYCACHEPREFIX:-}" ]; then
    unset PYTHONDONTWRITEBYTECODE
else
    export PYTHONDONTWRITEBYTECODE=1
fi
for python in python3 /usr/bin/python3; do
    if "$python" -c "import sys, numpy, pytest; sys.exit(sys.version_info < (3, 10))" 2>/dev/null; then
        exec "$python" -m pytest -q -p no:cacheprovider
    fi
done
echo "skipped: no Python 3.10 with numpy and pytest (Debian: python3-numpy, python3-pytest)"
exit 77
