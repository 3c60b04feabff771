# SPDX-License-Identifier: Apache-2.0
# What compiler and linker do against faults of memory that somebody else makes use of, and what makes two builds give
# the same bytes, for every target; docs/security.md says what each measure is for. Measures that the compiler or the
# linker does not know are left out; tests/support/check_hardening.py reads from the built files which are there.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
include(CheckPIESupported)
include(known_options)

option(DRAGOMAN_HARDEN "Stack protectors, checked copies, read-only tables of addresses" ON)

# Paths of the machine in messages and debug information become relative, wherever the sources and the build lie.
if(NOT MSVC)
    check_cxx_compiler_flag(-ffile-prefix-map=/a=b compiler_maps_paths)
    if(compiler_maps_paths)
        foreach(map ${PROJECT_SOURCE_DIR}=. ${PROJECT_BINARY_DIR}=build)  # the last one that fits is taken
            add_compile_options(-ffile-prefix-map=${map})
        endforeach()
    endif()
endif()

set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)  # programs find the libraries beside them, wherever the build lies
check_pie_supported(LANGUAGES C CXX)  # programs are linked at any address, too

if(DRAGOMAN_HARDEN AND NOT WIN32)
    add_known_compile_option(-fstack-protector-strong)
    add_known_compile_option(-fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
        add_known_compile_option(-fcf-protection=full)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$" AND NOT APPLE)
        add_known_compile_option(-mbranch-protection=standard)
    endif()
    if(NOT DRAGOMAN_SANITIZE AND NOT DRAGOMAN_FUZZ)  # whose own checks see more, and are put off by these
        # Level 3 measures memory of a size that is known when it runs; the C library says whether it knows it.
        set(CMAKE_REQUIRED_FLAGS "-O1 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
        check_cxx_source_compiles("#include <cstring>\nint main() {}" library_checks_copies_of_any_size)
        unset(CMAKE_REQUIRED_FLAGS)
        set(fortify 2)
        if(library_checks_copies_of_any_size)
            set(fortify 3)
        endif()
        # It needs an optimising compiler.
        add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${fortify}>)
    endif()
    if(NOT APPLE)
        foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
            add_known_link_option(${flag})
        endforeach()
    endif()
endif()
