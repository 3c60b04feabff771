#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make.sh FOLDER: libraries, tool, headers and model in one archive that runs where it is unpacked.
set -euo pipefail
scripts/packaging/portable.sh
name=dragoman-$VERSION-linux-x86_64
tar -c -z -C "$WORK/portable" --owner=0 --group=0 --sort=name --transform "s,^prefix,$name," \
    -f "$1/$name.tar.gz" prefix
