# SPDX-License-Identifier: Apache-2.0
# Vulkan headers, volk, VulkanMemoryAllocator and the shader compiler come from one place, the first that is recent
# enough: VULKAN_SDK (cache or environment), the system, ./vulkan-sdk as scripts/make_vulkan_sdk.sh leaves it.
set(min_vulkan_header 300)  # of 1.4

set(VULKAN_SDK "$ENV{VULKAN_SDK}" CACHE PATH "Vulkan SDK; empty: the system's, else ./vulkan-sdk")

function(find_sdk_headers root)
    unset(headers)
    set(options HINTS ${root}/include ${root}/Include NO_CACHE)
    if(root)
        list(APPEND options NO_DEFAULT_PATH)
    endif()
    find_path(core vulkan/vulkan_core.h ${options})
    find_path(volk volk.h ${options} PATH_SUFFIXES volk Volk)
    find_path(vma vk_mem_alloc.h ${options} PATH_SUFFIXES vma VulkanMemoryAllocator)
    set(found FALSE PARENT_SCOPE)
    if(NOT core OR NOT volk OR NOT vma)
        return()
    endif()
    file(STRINGS ${core}/vulkan/vulkan_core.h line REGEX "^#define VK_HEADER_VERSION [0-9]+")
    string(REGEX MATCH "[0-9]+$" version "${line}")
    if(version LESS min_vulkan_header)
        return()
    endif()
    set(sdk_includes ${core} ${volk} ${vma})
    list(REMOVE_DUPLICATES sdk_includes)
    set(sdk_includes ${sdk_includes} PARENT_SCOPE)
    set(sdk_header_version 1.4.${version} PARENT_SCOPE)
    set(found TRUE PARENT_SCOPE)
endfunction()

if(VULKAN_SDK)
    set(candidates ${VULKAN_SDK})
else()
    set(candidates system ${PROJECT_SOURCE_DIR}/vulkan-sdk)
endif()
foreach(candidate IN LISTS candidates)
    string(REGEX REPLACE "^system$" "" sdk_root "${candidate}")
    find_sdk_headers("${sdk_root}")
    if(found)
        break()
    endif()
endforeach()
if(NOT found)
    message(FATAL_ERROR "No Vulkan headers >= 1.4.${min_vulkan_header} with volk.h and vk_mem_alloc.h in: "
                        "${candidates}. scripts/make_vulkan_sdk.sh makes ./vulkan-sdk, or set VULKAN_SDK.")
endif()

add_library(dragoman_vulkan_headers INTERFACE)
target_include_directories(dragoman_vulkan_headers SYSTEM INTERFACE ${sdk_includes})
target_compile_definitions(dragoman_vulkan_headers INTERFACE VK_NO_PROTOTYPES)
target_link_libraries(dragoman_vulkan_headers INTERFACE ${CMAKE_DL_LIBS})

set(tool_hints HINTS ${sdk_root}/bin)
find_program(GLSLANG_EXECUTABLE NAMES glslang glslangValidator ${tool_hints} REQUIRED)
find_program(SPIRV_OPT_EXECUTABLE spirv-opt ${tool_hints})
find_program(SPIRV_VAL_EXECUTABLE spirv-val ${tool_hints})

find_package(Threads REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(fmt REQUIRED)
find_package(ICU REQUIRED COMPONENTS i18n uc)
# ICU through its C API only, which is all that Windows and Android bring. From ICU 76 on two macros hide the C++ one.
set_property(TARGET ICU::uc APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
    U_SHOW_CPLUSPLUS_API=0 U_SHOW_CPLUSPLUS_HEADER_API=0)
set_property(TARGET ICU::i18n APPEND PROPERTY INTERFACE_LINK_LIBRARIES ICU::uc)  # static libraries need the order
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
if(NOT TARGET yaml-cpp::yaml-cpp)  # before 0.8
    add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
find_package(ZLIB REQUIRED)
find_package(EXPAT REQUIRED)
if(NOT TARGET EXPAT::EXPAT)  # its own configuration, which Conan prefers
    add_library(EXPAT::EXPAT ALIAS expat::expat)
endif()
find_package(SQLite3 REQUIRED)
if(NOT TARGET SQLite::SQLite3)  # CMake 4.3 names it anew
    add_library(SQLite::SQLite3 ALIAS SQLite3::SQLite3)
endif()
if(DRAGOMAN_COMPRESS_KERNELS)
    find_program(ZSTD_EXECUTABLE zstd REQUIRED)
    find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
    find_library(ZSTD_LIBRARY NAMES zstd zstd_static REQUIRED)
    add_library(zstd::zstd UNKNOWN IMPORTED)
    set_target_properties(zstd::zstd PROPERTIES
        IMPORTED_LOCATION ${ZSTD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ZSTD_INCLUDE_DIR})
endif()
# Debian's libzip package for CMake asks for programs that using the library does not.
find_path(LIBZIP_INCLUDE_DIR zip.h REQUIRED)
find_library(LIBZIP_LIBRARY zip REQUIRED)
add_library(libzip::zip UNKNOWN IMPORTED)
set_target_properties(libzip::zip PROPERTIES
    IMPORTED_LOCATION ${LIBZIP_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${LIBZIP_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ZLIB::ZLIB)
# Debian's sentencepiece.pc asks for development packages that using the library does not.
find_path(SENTENCEPIECE_INCLUDE_DIR sentencepiece_processor.h REQUIRED)
find_library(SENTENCEPIECE_LIBRARY sentencepiece REQUIRED)
add_library(sentencepiece::sentencepiece UNKNOWN IMPORTED)
set_target_properties(sentencepiece::sentencepiece PROPERTIES
    IMPORTED_LOCATION ${SENTENCEPIECE_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SENTENCEPIECE_INCLUDE_DIR})
if(ANDROID)
    set_target_properties(sentencepiece::sentencepiece PROPERTIES INTERFACE_LINK_LIBRARIES log)
endif()
find_path(CLD2_INCLUDE_DIR cld2/public/compact_lang_det.h REQUIRED)
find_library(CLD2_LIBRARY cld2 REQUIRED)
add_library(cld2::cld2 UNKNOWN IMPORTED)
set_target_properties(cld2::cld2 PROPERTIES
    IMPORTED_LOCATION ${CLD2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${CLD2_INCLUDE_DIR})
find_path(MD4C_INCLUDE_DIR md4c.h REQUIRED)
find_library(MD4C_LIBRARY md4c REQUIRED)
add_library(md4c::md4c UNKNOWN IMPORTED)
set_target_properties(md4c::md4c PROPERTIES
    IMPORTED_LOCATION ${MD4C_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MD4C_INCLUDE_DIR})
if(DRAGOMAN_SERVE AND DRAGOMAN_BUILD_CLI)
    find_package(Boost 1.74 REQUIRED)  # Asio and Beast, headers only
    find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
endif()
if(DRAGOMAN_MODELS)
    find_package(CURL REQUIRED)
    find_package(LibArchive REQUIRED)
    find_package(OpenSSL REQUIRED COMPONENTS Crypto)
endif()
if(DRAGOMAN_BUILD_CLI)
    find_package(CLI11 REQUIRED)
endif()
if(DRAGOMAN_BUILD_CLI OR DRAGOMAN_BUILD_SAMPLES)
    find_path(STB_INCLUDE_DIR stb_image_write.h PATH_SUFFIXES stb REQUIRED)
endif()
if(DRAGOMAN_BUILD_TESTS)
    find_package(doctest REQUIRED)
endif()
