#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every vendor's real shader compiler, without the vendor's hardware: Mesa's Vulkan drivers on its noop drm shims, which
# answer in place of the kernel. Pipelines compile as they would on the GPU; work that is submitted does nothing.
#
#   bench/vendor_compilers.sh setup                    once: drivers, stand-ins, what building for Arm needs
#   bench/vendor_compilers.sh devices                  those of the table, with their drivers
#   bench/vendor_compilers.sh run DEVICE PROGRAM...    one program on one device
#   bench/vendor_compilers.sh table [ARGUMENT...]      bench_picked on all devices, compared with results/pipelines.tsv:
#                                                      exit code 1 if anything differs, spills or is refused;
#                                                      arguments as of picked_table.py (--write, --devices ...)
#
# WORK (default: build/vendors) takes 1.6 GiB. Nothing is installed: Debian packages are unpacked there, and programs
# run with that suite's loader and C library, so the machine may be an older Debian. It needs apt-get, dpkg-deb, gcc,
# g++, cmake, ninja, pkg-config, python3-venv and debian-archive-keyring; meson comes from PyPI. Drivers of Arm and
# Broadcom exist for 64-bit Arm only: they and the programs run under emulation, some twenty times slower.
# MIRROR, SUITE (of the drivers), NICE (19), LIBRARIES (folders of libraries that programs need) change the rest.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$here")
. "$root/scripts/cross/own_apt.sh"
work=${WORK:-$root/build/vendors}
suite=${SUITE:-sid}
source_suite=${SOURCE_SUITE:-trixie}  # of the source for Intel's shim, which no package has
own_suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
low=(nice -n "${NICE:-19}")
arm_build=$work/arm64-build

# name, the driver's manifest, the shim, the variable that names the GPU to it, and the GPU. Broadcom's driver offers
# 8 storage buffers and the library wants 11, so it is not in the table.
devices="
amd-polaris10     radeon     amdgpu    AMDGPU_GPU_ID            polaris10
amd-vega10        radeon     amdgpu    AMDGPU_GPU_ID            vega10
amd-navi21        radeon     amdgpu    AMDGPU_GPU_ID            navi21
amd-navi31        radeon     amdgpu    AMDGPU_GPU_ID            navi31
amd-gfx1201       radeon     amdgpu    AMDGPU_GPU_ID            gfx1201
intel-tgl         intel      intel     INTEL_STUB_GPU_PLATFORM  tgl
intel-dg2         intel      intel     INTEL_STUB_GPU_PLATFORM  dg2
intel-mtl         intel      intel     INTEL_STUB_GPU_PLATFORM  mtl
intel-lnl         intel      intel     INTEL_STUB_GPU_PLATFORM  lnl
intel-bmg         intel      intel     INTEL_STUB_GPU_PLATFORM  bmg
nvidia-turing     nouveau    nouveau   NOUVEAU_CHIPSET          0x162
nvidia-ampere     nouveau    nouveau   NOUVEAU_CHIPSET          0x172
nvidia-ada        nouveau    nouveau   NOUVEAU_CHIPSET          0x192
nvidia-blackwell  nouveau    nouveau   NOUVEAU_CHIPSET          0x1b2
qualcomm-660      freedreno  freedreno FD_GPU_ID                660
qualcomm-740      freedreno  freedreno FD_GPU_ID                740
qualcomm-830      freedreno  freedreno FD_GPU_ID                830
apple-m1          asahi      asahi     ASAHI_GPU                m1
arm-g610          panfrost   panfrost  PAN_GPU_ID               0xa867
arm-g720          panfrost   panfrost  PAN_GPU_ID               0xc800:4
broadcom-pi5      broadcom   v3d       V3D_GPU_ID               71
"

say() { echo "$*" >&2; }

# Unpacks packages and what they depend on, as far as STATUS lacks it, unless the same ones are there.
unpack() {  # FOLDER ARCHITECTURE SUITE STATUS PACKAGE...
    local folder=$1; shift
    [ "$(cat "$folder/complete" 2> /dev/null)" != "$*" ] || return 0
    local wanted=$*
    own_apt "$1" "$work/apt" "$2" "$3"; shift 3
    "${apt[@]}" -y --download-only install "$@" > /dev/null
    unpack_packages "$work/apt" "$folder"
    rm -rf "$work/apt"
    echo "$wanted" > "$folder/complete"
}

# Compilers and libraries that the machine lacks, in $work/host.
setup_host() {
    unpack "$work/host" "$(dpkg --print-architecture)" "$own_suite" /var/lib/dpkg/status \
        flex bison libelf-dev libdrm-dev g++-aarch64-linux-gnu qemu-user-static
    local host=$work/host/usr file
    # Linker scripts, .pc files and links name places of an installed system.
    { grep -rlI /usr/aarch64-linux-gnu/lib/ "$host/aarch64-linux-gnu/lib" || true; } |
        xargs -r sed -i 's|/usr/aarch64-linux-gnu/lib/||g'
    find "$host" -name '*.pc' -exec sed -i "s|^prefix=.*|prefix=$host|" {} +
    for file in $(find "$host/lib/$(uname -m)-linux-gnu" -name '*.so' -xtype l); do
        ln -sf "/usr/lib/$(uname -m)-linux-gnu/$(basename "$(readlink "$file")")" "$file"
    done
}

in_host() {
    local host=$work/host/usr libraries
    libraries=$host/lib/$(uname -m)-linux-gnu
    env PATH="$work/venv/bin:$host/bin:$PATH" LD_LIBRARY_PATH="$libraries" BISON_PKGDATADIR="$host/share/bison" \
        M4="$host/bin/m4" PKG_CONFIG_PATH="$libraries/pkgconfig" CPATH="$host/include" LIBRARY_PATH="$libraries" "$@"
}

# Intel's shim is built from Mesa's source: it and what it links, no driver.
setup_intel() {
    [ ! -e "$work/libintel_noop_drm_shim.so" ] || return 0
    local source=$work/mesa-source build=$work/mesa-build off
    rm -rf "$source" "$build"; mkdir -p "$source"
    own_apt "$(dpkg --print-architecture)" "$work/apt" "$source_suite"
    (cd "$work/apt" && "${apt[@]}" source --download-only mesa > /dev/null)
    tar -x -C "$source" --strip-components=1 -f "$work"/apt/mesa_*.orig.tar.*z
    rm -rf "$work/apt"
    [ -x "$work/venv/bin/meson" ] || python3 -m venv "$work/venv"
    "$work/venv/bin/pip" -q install meson mako pyyaml packaging
    off=(-D{gles1,gles2,egl,glx,gbm,llvm,valgrind,libunwind,lmsensors,shader-cache,zstd,xmlconfig}=disabled)
    {
        in_host "${low[@]}" meson setup "$build" "$source" -Doptimization=1 -Dtools=drm-shim,intel -Dplatforms= \
            -Dgallium-drivers= -Dvulkan-drivers= -Dvideo-codecs= -Dopengl=false -Dbuild-tests=false "${off[@]}"
        in_host "${low[@]}" ninja -C "$build" -j "${JOBS:-2}" src/intel/tools/libintel_noop_drm_shim.so
    } > "$work/mesa-build.log" 2>&1 || { tail -n 20 "$work/mesa-build.log" >&2; return 1; }
    cp "$build/src/intel/tools/libintel_noop_drm_shim.so" "$work"
    rm -rf "$source" "$build"
}

# bench_picked for 64-bit Arm, with this machine's suite: its libraries are older than the drivers' suite, as they must.
setup_arm() {
    unpack "$work/arm64-sysroot" arm64 "$own_suite" "" libc6-dev libstdc++6 libfmt-dev libicu-dev libyaml-cpp-dev \
        zlib1g-dev libexpat1-dev libzip-dev libsentencepiece-dev libcld2-dev libmd4c-dev libsqlite3-dev libzstd-dev \
        nlohmann-json3-dev libcli11-dev
    local sysroot=$work/arm64-sysroot compiler=$work/host/usr/bin/aarch64-linux-gnu
    cat > "$work/arm64.cmake" <<TOOLCHAIN
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER $compiler-gcc)
set(CMAKE_CXX_COMPILER $compiler-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_SYSROOT $sysroot)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(what LIBRARY PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_\${what} ONLY)
endforeach()
TOOLCHAIN
    build_arm
}

build_arm() {
    if [ ! -e "$arm_build/build.ninja" ]; then
        in_host_libraries cmake -G Ninja -S "$root" -B "$arm_build" -DCMAKE_TOOLCHAIN_FILE="$work/arm64.cmake" \
            -DCMAKE_BUILD_TYPE=Release -DDRAGOMAN_BUILD_TESTS=OFF -DDRAGOMAN_BUILD_SAMPLES=OFF > "$work/arm64.log"
    fi
    in_host_libraries "${low[@]}" cmake --build "$arm_build" --target bench_picked bench_pipelines >> "$work/arm64.log"
}

# The cross compiler runs with libraries of its own; its search paths are not to change.
in_host_libraries() {
    env PATH="$work/host/usr/bin:$PATH" LD_LIBRARY_PATH="$work/host/usr/lib/$(uname -m)-linux-gnu" "$@"
}

setup() {
    local packages=(mesa-vulkan-drivers mesa-drm-shim vulkan-tools libstdc++6)
    unpack "$work/amd64" amd64 "$suite" "" "${packages[@]}"
    gcc -O2 -shared -fPIC -o "$work/libkernel_stand_in-amd64.so" "$here/os/linux/kernel_stand_in.c" -ldl
    setup_host
    setup_intel || say "no shim for Intel: see $work/mesa-build.log"
    unpack "$work/arm64" arm64 "$suite" "" "${packages[@]}"
    in_host_libraries aarch64-linux-gnu-gcc -O2 -shared -fPIC -o "$work/libkernel_stand_in-arm64.so" \
        "$here/os/linux/kernel_stand_in.c"
    setup_arm || say "no bench_picked for Arm: see $work/arm64.log"
    list
}

run() {  # DEVICE PROGRAM...
    local name icd shim variable gpu tree=amd64 triplet=x86_64-linux-gnu
    read -r name icd shim variable gpu < <(awk -v device="$1" '$1 == device' <<< "$devices") ||
        { say "$1: expected one of:" $(awk '{print $1}' <<< "$devices"); exit 2; }
    shift
    export "$variable=${gpu%:*}" PAN_I_WANT_A_BROKEN_VULKAN_DRIVER=1
    [ "$gpu" = "${gpu%:*}" ] || export PAN_GPU_VARIANT=${gpu#*:}
    case $icd in panfrost|broadcom) tree=arm64 triplet=aarch64-linux-gnu ;; esac
    local libraries=$work/$tree/usr/lib/$triplet stand_in=$work/libkernel_stand_in-$tree.so
    shim=lib${shim}_noop_drm_shim.so
    if [ -e "$work/$shim" ]; then shim=$work/$shim; else shim=$libraries/$shim; fi
    # No layers, which would ask a window system, and no cache, which would hide what compiling takes.
    export VK_DRIVER_FILES=$work/$tree/usr/share/vulkan/icd.d/${icd}_icd.json NODEVICE_SELECT=1
    export VK_LOADER_LAYERS_DISABLE='~all~' MESA_SHADER_CACHE_DISABLE=true XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}
    [ "$1" != vulkaninfo ] || set -- "$work/$tree/usr/bin/vulkaninfo" "${@:2}"
    if [ "$tree" = amd64 ]; then
        exec "${low[@]}" "$libraries/ld-linux-x86-64.so.2" --inhibit-cache --preload "$stand_in:$shim" \
            --library-path "$libraries${LIBRARIES:+:$LIBRARIES}:/usr/lib/$triplet" "$@"
    fi
    local sysroot=$work/arm64-sysroot
    exec "${low[@]}" "$work/host/usr/bin/qemu-aarch64-static" -L "$work/arm64" -E LD_PRELOAD="$stand_in:$shim" \
        -E LD_LIBRARY_PATH="$libraries${LIBRARIES:+:$LIBRARIES}:$sysroot/usr/lib/$triplet:$sysroot/lib/$triplet" "$@"
}

list() {
    local name rest
    while read -r name rest; do
        [ -z "$name" ] || printf '%-18s%s\n' "$name" "$( (run "$name" vulkaninfo --summary) 2> /dev/null |
            sed -nE 's/^\s*(deviceName|driverInfo)\s*= //p' | paste -sd, || true)"
    done <<< "$devices"
}

# The program that a device runs: this build's, or the one for Arm.
picked() {  # DEVICE ARGUMENT...
    local device=$1 program=${BUILD:-$root/build/release}/bench/bench_picked; shift
    case $device in arm-*|broadcom-*) program=$arm_build/bench/bench_picked ;; esac
    run "$device" "$program" "$@"
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
    setup) setup ;;
    devices) list ;;
    names) awk 'NF && !/^broadcom/ {print $1}' <<< "$devices" ;;
    run) [ $# -ge 2 ] || { say "run DEVICE PROGRAM..."; exit 2; }; run "$@" ;;
    picked) picked "$@" ;;
    table) exec python3 "$here/picked_table.py" "$@" ;;
    *) sed -n '6,11s/^# *//p' "$0" >&2; exit 2 ;;
esac
