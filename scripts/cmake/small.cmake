# SPDX-License-Identifier: Apache-2.0
# DRAGOMAN_SMALL: built for size, as packages are (docs/packages.md says what each measure brings). Measures that the
# compiler or the linker does not know are left out.
include(CheckCXXSourceCompiles)
include(CheckIPOSupported)
include(CheckLinkerFlag)

function(small_link_option flag)
    string(MAKE_C_IDENTIFIER "linker_takes${flag}" known)
    check_linker_flag(CXX ${flag} ${known})
    if(${known})
        add_link_options(${flag})
    endif()
endfunction()

add_compile_options(-Os -ffunction-sections -fdata-sections)
check_ipo_supported(RESULT whole_program OUTPUT ignored LANGUAGES CXX)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${whole_program})
if(APPLE)
    small_link_option(-Wl,-dead_strip)
elseif(NOT WIN32)
    foreach(flag -Wl,--gc-sections -Wl,--icf=safe)
        small_link_option(${flag})
    endforeach()
    # The loader of glibc knows packed relocations from 2.36 on.
    check_cxx_source_compiles("#include <features.h>
        #if !__GLIBC_PREREQ(2, 36)
        #error older
        #endif
        int main() {}" loader_takes_packed_relocations)
    if(loader_takes_packed_relocations)
        small_link_option(-Wl,-z,pack-relative-relocs)
    endif()
endif()
