#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh [--tests]: installs what the build (and the tests) need and is missing; Debian 12, Debian 13 and kin.
# Packages already there are left alone. On a distribution with an older Vulkan SDK, ./vulkan-sdk is made.
set -euo pipefail

cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
min_vulkan=1.4.300

say() { echo "== $*"; }

packages=(g++ make cmake ninja-build ccache pkg-config python3
          libfmt-dev libicu-dev libsentencepiece-dev nlohmann-json3-dev libyaml-cpp-dev libcli11-dev libstb-dev libzip-dev libmd4c-dev
          zlib1g-dev libzstd-dev zstd libboost-dev libcurl4-openssl-dev libarchive-dev libssl-dev libcld2-dev libexpat1-dev libsqlite3-dev libvulkan1)
wanted=()  # installed when the distribution has them
if [ "${1:-}" = --tests ]; then
    packages+=(doctest-dev mesa-vulkan-drivers)
    wanted+=(vulkan-validationlayers chromium-common doxygen abigail-tools python3-numpy python3-pytest
             python3-jsonschema python3-openapi-spec-validator zsh fish)
    # Node from elsewhere brings its headers, and does not go together with Debian's.
    command -v node >/dev/null || wanted+=(nodejs libnode-dev node-typescript)
    command -v cargo >/dev/null || wanted+=(cargo)
    command -v go >/dev/null || wanted+=(golang-go)
    command -v javac >/dev/null || wanted+=(default-jdk-headless)
    command -v mvn >/dev/null || wanted+=(maven)
    wanted+=(mono-mcs mono-runtime)  # 25 MB
    # It fetches clang-format and a Java runtime with java.lang.foreign.
    python3 -m pip --version >/dev/null 2>&1 || wanted+=(python3-pip)
elif ! { compgen -G '/usr/share/vulkan/icd.d/*.json' || compgen -G '/etc/vulkan/icd.d/*.json'; } >/dev/null; then
    packages+=(mesa-vulkan-drivers)
fi

if ! command -v apt-get >/dev/null; then
    say "no apt-get here; make sure these are installed: ${packages[*]} and a Vulkan SDK >= $min_vulkan"
    exit 0
fi

missing() {
    local package
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
    done
}
available() {
    local package
    for package in "$@"; do
        apt-cache show --no-all-versions "$package" >/dev/null 2>&1 && echo "$package"
    done
    true
}
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else echo "setup.sh: needs root to run: $*" >&2; exit 1
    fi
}
apt_version() { apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n 's/^Version: //p' | head -n 1; }

own_sdk=(libvulkan-dev libvulkan-volk-dev libvulkan-memory-allocator-dev glslang-tools spirv-tools)
updated=
refresh() {
    [ -z "$updated" ] || return 0
    updated=yes
    say "refreshing the package lists"
    as_root apt-get -qq update
}

need_sdk=yes
if [ -n "${VULKAN_SDK:-}" ] || [ -x vulkan-sdk/bin/glslang ]; then
    need_sdk=
fi
# A fresh system has no lists: without them nothing can be said about versions.
if [ -n "$(missing "${packages[@]}")" ] || { [ -n "$need_sdk" ] && [ -z "$(apt_version libvulkan-dev)" ]; }; then
    refresh
fi
if [ -n "$need_sdk" ] && dpkg --compare-versions "$(apt_version libvulkan-dev)" ge "$min_vulkan"; then
    packages+=("${own_sdk[@]}")
    need_sdk=
fi

install=($(missing "${packages[@]}") $(available $(missing ${wanted[@]+"${wanted[@]}"})))
if [ ${#install[@]} -gt 0 ]; then
    refresh
    say "installing ${install[*]}"
    log=$(mktemp)
    if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
            -o Dpkg::Use-Pty=0 install "${install[@]}" > "$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
fi
for package in $(missing ${wanted[@]+"${wanted[@]}"}); do
    say "$package is not to be had here; the tests do without it"
done

if [ -n "$need_sdk" ]; then
    say "this system's Vulkan SDK is older than $min_vulkan; making ./vulkan-sdk"
    scripts/make_vulkan_sdk.sh vulkan-sdk
fi
