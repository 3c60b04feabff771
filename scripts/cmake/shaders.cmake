# SPDX-License-Identifier: Apache-2.0
# dragoman_shaders(target folder): compiles folder/**/*.comp into one object library. Its include path holds spv.h.
set(shader_compiler ${PROJECT_SOURCE_DIR}/scripts/compile_shaders.py)
set(shader_tools --glslang ${GLSLANG_EXECUTABLE})
if(SPIRV_OPT_EXECUTABLE)
    list(APPEND shader_tools --spirv-opt ${SPIRV_OPT_EXECUTABLE})
endif()
if(SPIRV_VAL_EXECUTABLE)
    list(APPEND shader_tools --spirv-val ${SPIRV_VAL_EXECUTABLE})
endif()
if(DRAGOMAN_COMPRESS_KERNELS)
    list(APPEND shader_tools --zstd ${ZSTD_EXECUTABLE})
endif()

function(dragoman_shaders target folder)
    execute_process(COMMAND ${Python3_EXECUTABLE} ${shader_compiler} ${shader_tools} --probe ${folder}
                    OUTPUT_VARIABLE missing OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(missing)
        list(JOIN missing ", " missing)
        message(STATUS "${GLSLANG_EXECUTABLE} is too old for ${missing}: shader variants that need it are left out")
    endif()

    set(out ${PROJECT_BINARY_DIR}/shaders)
    file(GLOB_RECURSE shaders CONFIGURE_DEPENDS ${folder}/*.comp)
    set(includes "")
    set(table "")
    set(names "")
    foreach(shader IN LISTS shaders)
        get_filename_component(name ${shader} NAME_WE)
        set(kernels "")
        file(STRINGS ${shader} lines REGEX "^#pragma kernel\\(")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "^#pragma kernel\\(([^)]*)\\).*" "\\1" kernel "${line}")
            list(APPEND kernels ${kernel})
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${shader})
        endforeach()
        if(NOT kernels)
            set(kernels ${name})
        endif()
        foreach(kernel IN LISTS kernels)
            if(kernel IN_LIST names)
                message(FATAL_ERROR "Two shaders are called ${kernel}")
            endif()
            list(APPEND names ${kernel})
            string(APPEND table "    &${kernel},\n")
        endforeach()
        set(words ${out}/spv/${name}.cpp)
        set(left_out "")
        if(NOT DRAGOMAN_CPU_KERNELS AND shader MATCHES "/ops/cpu/[^/]*$")
            set(left_out --empty)
        endif()
        add_custom_command(
            OUTPUT ${words} ${out}/spv/${name}.h
            COMMAND ${Python3_EXECUTABLE} ${shader_compiler} ${shader_tools} ${left_out} --include ${folder}
                    --include ${folder}/include --source ${shader} --output ${out}/spv/${name}
                    --depfile ${out}/spv/${name}.d
            DEPENDS ${shader} ${shader_compiler}
            DEPFILE ${out}/spv/${name}.d
            COMMENT "Shader ${name}"
            VERBATIM)
        list(APPEND generated ${words} ${out}/spv/${name}.h)
        string(APPEND includes "#include \"spv/${name}.h\"\n")
    endforeach()
    list(LENGTH names count)
    file(CONFIGURE OUTPUT ${out}/spv.h @ONLY CONTENT [[
// SPDX-License-Identifier: Apache-2.0
// Written by the build: every shader of the library.
#pragma once
#include <array>

#include "vulkan/shader.h"
@includes@
namespace dragoman::spv {
inline constexpr std::array<const vulkan::Shader*, @count@> all{
@table@};
}
]])
    if(generated)
        if(DRAGOMAN_FAST_BUILD)
            set_source_files_properties(${generated} PROPERTIES HEADER_FILE_ONLY ON)
            string(REPLACE ".h\"" ".cpp\"" sources "${includes}")
            file(CONFIGURE OUTPUT ${out}/spv.cpp CONTENT "${sources}" @ONLY)
            list(APPEND generated ${out}/spv.cpp)
        endif()
        add_library(${target} OBJECT ${generated})
        set(scope PUBLIC)
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(${target} ${scope} ${out} ${folder} ${PROJECT_SOURCE_DIR}/lib)
    set_property(GLOBAL PROPERTY dragoman_closure_shaders ${target})
endfunction()
