#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make_vulkan_sdk.sh [DEST]: a private Vulkan SDK (headers, volk, VulkanMemoryAllocator, glslang, SPIRV-Tools) for a
# distribution whose own is too old. Taken from Debian 13's packages through the mirror this machine's apt uses;
# nothing is installed. The programs run with Debian 13's own loader and C library, which travel along.
# MIRROR=URL names another mirror. DEST is ./vulkan-sdk unless given.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "$0")")")
dest=$(realpath -m "${1:-$root/vulkan-sdk}")
suite=trixie
packages="libvulkan-dev libvulkan-volk-dev libvulkan-memory-allocator-dev glslang-tools spirv-tools"
runtime="libc6 libstdc++6 libgcc-s1"
programs="glslang glslangValidator spirv-opt spirv-val spirv-dis"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

die() { echo "make_vulkan_sdk.sh: $*" >&2; exit 1; }

# apt answers this for one-line and deb822 sources alike.
own_mirror() {
    local codename
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
    apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 'Component: main' 2>/dev/null |
        awk -v name="$codename" '$1 == name || $1 == "stable" || $1 == "oldstable" { print $2; exit }'
}

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || die "needs apt-get and dpkg-deb; else set VULKAN_SDK"
[ -r "$keyring" ] || die "no $keyring to check the packages with; install debian-archive-keyring"
mirror=${MIRROR:-$(own_mirror)}
[ -n "$mirror" ] || die "apt's sources name no Debian mirror; give one with MIRROR=URL"
arch=$(dpkg --print-architecture)

mkdir -p "$(dirname "$dest")"
work=$(mktemp -d)
staged=$(mktemp -d "$dest.XXXXXX")
trap 'rm -rf "$work" "$staged"' EXIT
chmod 755 "$staged"

echo "Vulkan SDK: packages from $mirror $suite"
mkdir -p "$work"/{lists/partial,cache/archives/partial,sources,preferences,packages,tree}
echo "deb [signed-by=$keyring] $mirror $suite main" > "$work/sources.list"
: > "$work/status"
apt=(apt-get -qq
     -o Dir::State::Lists="$work/lists" -o Dir::State::Status="$work/status" -o Dir::Cache="$work/cache"
     -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts="$work/sources"
     -o Dir::Etc::Preferences="$work/none" -o Dir::Etc::PreferencesParts="$work/preferences"
     -o APT::Architecture="$arch" -o APT::Architectures="$arch"
     -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3)
"${apt[@]}" update
(cd "$work/packages" && "${apt[@]}" download $packages $runtime)
for package in "$work"/packages/*.deb; do
    dpkg-deb -x "$package" "$work/tree"
done

tree=$work/tree/usr
libraries=$(echo "$tree"/lib/*-linux-gnu*)
mkdir -p "$staged"/{bin,include,libexec,runtime}
for header in vulkan vk_video volk.h volk.c vk_mem_alloc.h; do
    cp -a "$tree/include/$header" "$staged/include/"
done
# Only for these programs: a process of this system must never load them.
for library in "$libraries"/{ld-linux*.so.*,libc.so.6,libm.so.6,libpthread.so.0,libdl.so.2} \
               "$libraries"/{libstdc++.so.6,libgcc_s.so.1}; do
    cp -L "$library" "$staged/runtime/"
done
loader=$(basename "$staged"/runtime/ld-linux*)
for program in $programs; do
    [ -e "$tree/bin/$program" ] || continue
    cp -L "$tree/bin/$program" "$staged/libexec/"
    cat > "$staged/bin/$program" <<WRAPPER
#!/bin/sh
self=\$0
[ ! -L "\$self" ] || self=\$(readlink -f "\$self")
sdk=\${self%/*}/..
exec "\$sdk/runtime/$loader" --inhibit-cache --library-path "\$sdk/runtime" "\$sdk/libexec/$program" "\$@"
WRAPPER
    chmod 755 "$staged/bin/$program"
done
"$staged/bin/glslang" --version > "$staged/version.txt" || die "the assembled glslang does not run"
"$staged/bin/spirv-opt" --version >> "$staged/version.txt" 2>&1 || die "the assembled spirv-opt does not run"

rm -rf "$dest"
mv "$staged" "$dest"
echo "Vulkan SDK: $dest, $(du -sh "$dest" | cut -f1), $(sed -n 's/^Glslang Version: [0-9]*:/glslang /p' "$dest/version.txt")"
