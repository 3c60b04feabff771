# SPDX-License-Identifier: Apache-2.0
# vcpkg has no port of CLD2; this one is found by VCPKG_OVERLAY_PORTS of the preset windows-msvc.
vcpkg_from_git(OUT_SOURCE_PATH SOURCE_PATH URL https://github.com/CLD2Owners/cld2
               REF b56fa78a2fe44ac2851bae5bf4f4693a0644da7b)
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_cmake_configure(SOURCE_PATH "${CURRENT_PORT_DIR}/../../cross/deps" OPTIONS -DPART=cld2 "-DSOURCE=${SOURCE_PATH}")
vcpkg_cmake_install()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
