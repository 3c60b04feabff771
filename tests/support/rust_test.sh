#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks and tests the Rust crates on the library that DRAGOMAN_LIBRARY names, without a network; CARGO_TARGET_DIR gets
# what is built.
cd "$(dirname "$0")/../../bindings/rust" || exit 1
cargo=${CARGO:-cargo}
if ! command -v "$cargo" >/dev/null; then
    echo "skipped: no cargo (Debian: cargo)"
    exit 77
fi
DRAGOMAN_LIB_DIR=$(dirname "$DRAGOMAN_LIBRARY")
export DRAGOMAN_LIB_DIR
export LD_LIBRARY_PATH="$DRAGOMAN_LIB_DIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset DRAGOMAN_VALIDATION  # the C API's tests run under the layer; here are a thousand loads
# Nobody debugs these programs, nor builds them again: half of the compiler's work.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0
for tool in fmt clippy; do
    "$cargo" $tool --version >/dev/null 2>&1 || echo "no cargo $tool: not checked"
done
features=
[ ! -e "$DRAGOMAN_LIB_DIR/libdragoman_models.so" ] || features="--features models"
set -e
if "$cargo" fmt --version >/dev/null 2>&1; then
    "$cargo" fmt --all --check
fi
if "$cargo" clippy --version >/dev/null 2>&1; then
    "$cargo" clippy --quiet --offline --locked $features --workspace --all-targets -- -D warnings
fi
RUSTDOCFLAGS="-D warnings" "$cargo" doc --quiet --offline --locked $features --workspace --no-deps
exec "$cargo" test --quiet --offline --locked $features --workspace
