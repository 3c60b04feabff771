#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# wine.sh PROGRAM.exe ARGUMENTS...: runs it under Wine on this machine's lavapipe. WINEPREFIX: a folder for Wine, made if
# need be. Wine shows Vulkan devices only where there is an X server; without DISPLAY each program gets its own.
set -euo pipefail
export WINEPREFIX=${WINEPREFIX:?a folder for Wine} WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES='mscoree,mshtml='
export VK_ICD_FILENAMES=${VK_ICD_FILENAMES:-/usr/share/vulkan/icd.d/lvp_icd.x86_64.json} VK_LOADER_LAYERS_DISABLE='~all~'
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}
wine=(/usr/lib/wine/wine64)
if [ -z "${DISPLAY:-}" ]; then wine=(xvfb-run -a "${wine[@]}"); fi
if [ ! -e "$WINEPREFIX/ready" ]; then
    mkdir -p "$WINEPREFIX"
    "${wine[@]}" wineboot -i > /dev/null 2>&1
    # A program that starts before Wine has set itself up finds no Vulkan.
    /usr/lib/wine/wineserver64 -w || true
    touch "$WINEPREFIX/ready"
fi
exec "${wine[@]}" "$@"
