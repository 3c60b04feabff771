#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# wide_lavapipe.sh DIR setup                  builds lavapipe with subgroups of up to 64 invocations in DIR
# wide_lavapipe.sh DIR run SIZE PROGRAM...    runs PROGRAM on it, with subgroups of 4, 8, 16, 32 or 64
#
# lavapipe's subgroups are as wide as its vectors, which end at 16 lanes. wide_lavapipe.patch, for the Mesa of Debian 13
# (25.0.7, under the MIT licence as Mesa is), takes that limit away: LLVM makes do with the registers there are. It also
# adds LVP_VENDOR_ID (0x10de, 0x1002, 0x8086): the vendor that the device then names, for kernels chosen by vendor.
# Needs apt-get with sources of Debian, dpkg-deb, patch, python3-venv, gcc, g++ and pkg-config; no root: what else there
# must be is unpacked in DIR. Takes 1 GiB there, and about 25 minutes of one core.
set -euo pipefail

usage() { sed -n '3,4s/^# //p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
here=$(dirname "$(readlink -f "$0")")
mkdir -p "$1"
dir=$(readlink -f "$1")
action=$2
shift 2
llvm=${LLVM:-$(apt-cache search --names-only '^llvm-[0-9]+-dev$' | sed 's/llvm-\([0-9]*\)-dev.*/\1/' | sort -n | tail -n 1)}
suite=${SUITE:-trixie}
triplet=$(gcc -print-multiarch)
tools=$dir/tools/usr

unpack_tools() {
    local debs=$dir/debs package
    rm -rf "$debs"
    mkdir -p "$debs"
    cd "$debs"
    for package in "llvm-$llvm-dev" "llvm-$llvm" "libllvm$llvm" libz3-4 libedit2 libbsd0 libtinfo6 glslang-tools flex \
        bison m4 libfl-dev libfl2 libsigsegv2 libtextstyle0 libdrm-dev libdrm2 libdrm-radeon1 libdrm-amdgpu1 libelf-dev \
        libelf1 libexpat1-dev libxml2-dev libpciaccess-dev zlib1g-dev; do
        # Some belong to other systems: meson says which one it misses.
        apt-get -qq download "$package" 2> /dev/null || echo "no package $package" >&2
    done
    for package in *.deb; do dpkg-deb -x "$package" "$dir/tools"; done
    find "$tools" -name '*.pc' -exec sed -i "s#^prefix=/usr#prefix=$tools#" {} +
}

# With lists of its own: apt's configuration stays as it is.
fetch_source() {
    local apt=$dir/apt mirror
    mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | head -n 1)}
    rm -rf "$apt" "$dir/mesa"
    mkdir -p "$apt"/{lists,cache/archives,parts}/partial "$dir/mesa"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$apt/sources.list"
    local own=(-qq -o "Dir::State=$apt" -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache"
               -o "Dir::Etc::SourceList=$apt/sources.list" -o "Dir::Etc::SourceParts=$apt/parts" -o Debug::NoLocking=1
               -o APT::Sandbox::User=root -o Acquire::Languages=none)
    apt-get "${own[@]}" update
    (cd "$apt" && apt-get "${own[@]}" source --download-only mesa)
    tar -x -C "$dir/mesa" --strip-components=1 -f "$apt"/mesa_*.orig.tar.*z
    patch -d "$dir/mesa" -p1 -s < "$here/wide_lavapipe.patch"
}

compile() {
    [ -x "$dir/venv/bin/meson" ] || python3 -m venv "$dir/venv"
    "$dir/venv/bin/pip" -q install meson ninja mako pyyaml packaging
    export PATH=$dir/venv/bin:$tools/bin:$PATH LD_LIBRARY_PATH=$tools/lib/$triplet
    export PKG_CONFIG_PATH=$tools/lib/$triplet/pkgconfig BISON_PKGDATADIR=$tools/share/bison M4=$tools/bin/m4
    cat > "$dir/tools.ini" <<END
[binaries]
llvm-config = '$tools/lib/llvm-$llvm/bin/llvm-config'
glslangValidator = '$tools/bin/glslangValidator'
END
    cd "$dir"
    rm -rf build
    # With assertions, for the arrays that vectors of such sizes must fit. Kernels take longer to compile than Mesa, so
    # that -O1 is enough.
    nice -n 19 meson setup build mesa --native-file tools.ini --buildtype=release -Doptimization=1 -Db_ndebug=false \
        -Dvulkan-drivers=swrast -Dgallium-drivers=llvmpipe -Dllvm=enabled -Dshared-llvm=enabled -Dplatforms= \
        -Dopengl=false -D{gles1,gles2,egl,glx,gbm,valgrind,libunwind,lmsensors,zstd,xmlconfig}=disabled \
        -Dvideo-codecs= -Dvulkan-layers= -Dbuild-tests=false
    nice -n 19 ninja -C build -j "${JOBS:-$(nproc)}" src/gallium/targets/lavapipe/libvulkan_lvp.so
    printf '{"ICD": {"api_version": "1.4.305", "library_path": "%s"}, "file_format_version": "1.0.0"}\n' \
        "$dir/build/src/gallium/targets/lavapipe/libvulkan_lvp.so" > "$dir/lavapipe.json"
}

run() {
    [ $# -ge 2 ] || usage
    local size=$1
    shift
    case $size in 4 | 8 | 16 | 32 | 64) ;; *) usage ;; esac
    # Mesa's own cache of shaders does not know the width.
    export LP_NATIVE_VECTOR_WIDTH=$((size * 32)) MESA_SHADER_CACHE_DISABLE=true
    export VK_DRIVER_FILES=$dir/lavapipe.json VK_ICD_FILENAMES=$dir/lavapipe.json
    export LD_LIBRARY_PATH=$tools/lib/$triplet${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    exec "$@"
}

case $action in
    setup)
        unpack_tools
        fetch_source
        (compile)
        ;;
    run) run "$@" ;;
    *) usage ;;
esac
