# SPDX-License-Identifier: Apache-2.0
# The tests' own kernels, compiled as the library's are; <test_shaders/NAME.h> declares them.
set(test_shaders ${CMAKE_CURRENT_BINARY_DIR}/test_shaders)
file(GLOB test_shader_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/shaders/*.comp)
foreach(shader IN LISTS test_shader_sources)
    get_filename_component(shader_name ${shader} NAME_WE)
    add_custom_command(
        OUTPUT ${test_shaders}/${shader_name}.cpp ${test_shaders}/${shader_name}.h
        COMMAND ${Python3_EXECUTABLE} ${shader_compiler} ${shader_tools} --include ${PROJECT_SOURCE_DIR}/shaders/include
                --source ${shader} --output ${test_shaders}/${shader_name}
        DEPENDS ${shader} ${shader_compiler}
        COMMENT "Shader ${shader_name} of the tests"
        VERBATIM)
    target_sources(test_vulkan PRIVATE ${test_shaders}/${shader_name}.cpp ${test_shaders}/${shader_name}.h)
endforeach()
target_include_directories(test_vulkan PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
