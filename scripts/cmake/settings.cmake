# SPDX-License-Identifier: Apache-2.0
# Language, warnings, sanitizers: what holds for every target.
include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_EXECUTABLE ccache)
if(CCACHE_EXECUTABLE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_EXECUTABLE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_EXECUTABLE})
endif()

# Linked by every target of ours, never installed.
add_library(dragoman_settings INTERFACE)
if(MSVC)
    # Narrower numbers and names of POSIX are meant.
    target_compile_options(dragoman_settings INTERFACE /W3 /permissive- /wd4244 /wd4267 /wd4996)
else()
    target_compile_options(dragoman_settings INTERFACE -Wall -Wextra -Wpedantic -Wno-missing-field-initializers)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(dragoman_settings INTERFACE -Wno-restrict)  # warns about std::string + std::string
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Warns about references that were found by a name that goes: find_registry(all, "hf").
    target_compile_options(dragoman_settings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
endif()

if(WIN32)  # programs find the libraries that lie beside them
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endif()
if(MINGW)
    enable_language(RC)
    add_link_options(-static)  # the compiler's libraries go in
elseif(MSVC)
    add_compile_options(/utf-8 /bigobj /Zc:preprocessor /Zc:__cplusplus /EHsc)
    add_compile_definitions(_WIN32_WINNT=0x0A00 NOMINMAX)
endif()

if(DRAGOMAN_SANITIZE STREQUAL "address")
    # Floats that do not fit the integer they become are not among "undefined".
    set(sanitizers -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=undefined,float-cast-overflow)
    add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)  # what lies in a vector's memory, behind its end
elseif(DRAGOMAN_SANITIZE STREQUAL "thread")
    set(sanitizers -fsanitize=thread)
elseif(NOT DRAGOMAN_SANITIZE STREQUAL "")
    message(FATAL_ERROR "DRAGOMAN_SANITIZE is '${DRAGOMAN_SANITIZE}': expected address, thread or nothing")
endif()
if(DRAGOMAN_SANITIZE)
    add_compile_options(${sanitizers} -fno-omit-frame-pointer -g1)  # lines, which are all that a report names
    add_link_options(${sanitizers})
endif()
