#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks and tests the Go module on the library that DRAGOMAN_LIBRARY names; DRAGOMAN_GO_PKGCONFIG is a folder for what
# pkg-config reads of it.
root=$(cd "$(dirname "$0")/../.." && pwd) && cd "$root/bindings/go" || exit 1
go=${GO:-go}
if ! command -v "$go" >/dev/null || ! command -v pkg-config >/dev/null; then
    echo "skipped: no go, or no pkg-config (Debian: golang-go, pkg-config)"
    exit 77
fi
set -e
export DRAGOMAN_CHECK_ONLY=softmax,layer_norm  # check.check tries all kernels, which takes seconds
libraries=$(dirname "$DRAGOMAN_LIBRARY")
mkdir -p "$DRAGOMAN_GO_PKGCONFIG"
describe() {
    printf 'Name: %s\nDescription: of a build folder\nVersion: 1.0.0\nRequires: %s\nLibs: -L%s -l%s\nCflags: -I%s\n' \
        "$1" "$3" "$libraries" "$2" "$root/capi/include" > "$DRAGOMAN_GO_PKGCONFIG/$1.pc"
}
describe dragoman dragoman ""
describe dragoman-documents dragoman_documents dragoman
packages=./...
if [ -e "$libraries/libdragoman_models.so" ]; then
    describe dragoman-models dragoman_models dragoman
else
    rm -f "$DRAGOMAN_GO_PKGCONFIG/dragoman-models.pc"
    packages=". ./documents/... ./internal/..."
fi
export PKG_CONFIG_PATH="$DRAGOMAN_GO_PKGCONFIG" CGO_ENABLED=1 GOTOOLCHAIN=local GOPROXY=off
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset DRAGOMAN_VALIDATION  # the C API's tests run under the layer; here are a thousand loads
unformatted=$("$("$go" env GOROOT)/bin/gofmt" -l . ../../bench/bindings)
if [ -n "$unformatted" ]; then
    echo "gofmt would change: $unformatted"
    exit 1
fi
"$go" vet $packages
(cd ../../bench/bindings/go && "$go" vet .)
exec "$go" test -vet=off -count=1 -timeout 60m $packages
