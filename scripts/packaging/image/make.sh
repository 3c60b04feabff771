#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make.sh FOLDER: the image of scripts/packaging/Containerfile, built and run by buildah without any registry: its base is a root
# of debootstrap. Needs the packages of `package.sh --make deb`.
set -euo pipefail
. scripts/packaging/roots.sh
command -v buildah > /dev/null || { echo "image: no buildah here, apt-get install buildah" >&2; exit 1; }
ls "$WORK"/deb/*.deb > /dev/null || { echo "image: first package.sh --make deb" >&2; exit 1; }
# Plain folders and chroot: what works without mounts of its own and without a kernel's namespaces for users.
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
store=(--root "$WORK/containers" --runroot "$WORK/containers-run")
fresh_root bookworm "$ROOTS/image"
base=$(buildah "${store[@]}" from scratch)
buildah "${store[@]}" add --quiet "$base" "$ROOTS/image" / > /dev/null
buildah "${store[@]}" commit --quiet "$base" dragoman-base > /dev/null
rm -rf "$ROOTS/image"

started=$SECONDS
buildah "${store[@]}" bud --quiet --network host --build-arg BASE=localhost/dragoman-base -t dragoman \
    -f scripts/packaging/Containerfile "$WORK/deb" > "$WORK/image.log" 2>&1 || { tail -20 "$WORK/image.log" >&2; exit 1; }
container=$(buildah "${store[@]}" from dragoman)
said=$(buildah "${store[@]}" run "$container" -- dragoman translate --to en "Wo ist der Bahnhof?")
seconds=$((SECONDS - started))
[[ $said == *station* ]] || { echo "image: expected a station, got '$said'" >&2; exit 1; }
bytes=$(buildah "${store[@]}" inspect --type image --format '{{.FromImageID}}' dragoman > /dev/null &&
        buildah "${store[@]}" images --format '{{.Size}}' dragoman | tr -d '\n')
printf '| image | built and run by buildah, isolation chroot, %s unpacked | bookworm | %s | %s | %s |\n' "$bytes" \
    "$seconds" "$(cut -d ' ' -f 2 /proc/loadavg)" "$said" > "$WORK/rows/image-bookworm"
echo "== image: $bytes, $seconds s, $said"
echo "localhost/dragoman in $WORK/containers" > "$1/where"
rm -rf "$WORK/containers-run"
