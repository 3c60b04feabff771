# SPDX-License-Identifier: Apache-2.0
# DRAGOMAN_SMALL: built for size, as packages are (docs/packages.md says what each measure brings). Measures that the
# compiler or the linker does not know are left out.
include(CheckCXXSourceCompiles)
include(CheckIPOSupported)
include(known_options)

add_compile_options(-Os -ffunction-sections -fdata-sections)
check_ipo_supported(RESULT whole_program OUTPUT ignored LANGUAGES CXX)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${whole_program})
if(APPLE)
    add_known_link_option(-Wl,-dead_strip)
elseif(NOT WIN32)
    foreach(flag -Wl,--gc-sections -Wl,--icf=safe)
        add_known_link_option(${flag})
    endforeach()
    # The loader of glibc knows packed relocations from 2.36 on.
    check_cxx_source_compiles("#include <features.h>
        #if !__GLIBC_PREREQ(2, 36)
        #error older
        #endif
        int main() {}" loader_takes_packed_relocations)
    if(loader_takes_packed_relocations)
        add_known_link_option(-Wl,-z,pack-relative-relocs)
    endif()
endif()
