# SPDX-License-Identifier: Apache-2.0
# Android with the NDK's own toolchain. ANDROID_NDK, or ANDROID_NDK_HOME in the environment: the NDK. ANDROID_ABI:
# arm64-v8a or x86_64. Dependencies: in PREFIX of the environment, or in DRAGOMAN_ANDROID_DEPENDENCIES/ABI/deps, where
# android.sh installed them.
if(NOT ANDROID_NDK)
    set(ANDROID_NDK "$ENV{ANDROID_NDK_HOME}")
endif()
if(NOT ANDROID_ABI)
    set(ANDROID_ABI "$ENV{ANDROID_ABI}")
endif()
if(NOT EXISTS "${ANDROID_NDK}/build/cmake/android.toolchain.cmake")
    message(FATAL_ERROR "ANDROID_NDK_HOME is '${ANDROID_NDK}': expected the folder of an NDK")
endif()
if(NOT ANDROID_PLATFORM)
    set(ANDROID_PLATFORM android-33)
endif()
set(ANDROID_STL c++_static)
set(ANDROID_SUPPORT_FLEXIBLE_PAGE_SIZES ON)  # pages of 16 KiB
include(${ANDROID_NDK}/build/cmake/android.toolchain.cmake)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ANDROID_NDK ANDROID_ABI)

set(dependencies "$ENV{PREFIX}")
if(DRAGOMAN_ANDROID_DEPENDENCIES)
    set(dependencies ${DRAGOMAN_ANDROID_DEPENDENCIES}/${ANDROID_ABI}/deps)
endif()
list(PREPEND CMAKE_FIND_ROOT_PATH ${dependencies})  # before the NDK's own zlib
list(PREPEND CMAKE_PREFIX_PATH ${dependencies})
add_compile_definitions(ZIP_STATIC YAML_CPP_STATIC_DEFINE U_STATIC_IMPLEMENTATION XML_STATIC)
