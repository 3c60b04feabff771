# SPDX-License-Identifier: Apache-2.0
# Options of the compiler and the linker for every target, where they are known. Others are left out.
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)

function(add_known_compile_option flag)
    string(MAKE_C_IDENTIFIER "compiler_takes${flag}" known)
    check_cxx_compiler_flag(${flag} ${known})
    if(${known})
        add_compile_options(${flag})
    endif()
endfunction()

function(add_known_link_option flag)
    string(MAKE_C_IDENTIFIER "linker_takes${flag}" known)
    check_linker_flag(CXX ${flag} ${known})
    if(${known})
        add_link_options(${flag})
    endif()
endfunction()
