# SPDX-License-Identifier: Apache-2.0
# The tests' own kernels, compiled as the library's are; <test_shaders/NAME.h> declares them.
set(test_shaders ${CMAKE_CURRENT_BINARY_DIR}/test_shaders)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/vulkan/shaders/*.comp)
foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_custom_command(
        OUTPUT ${test_shaders}/${name}.cpp ${test_shaders}/${name}.h
        COMMAND ${Python3_EXECUTABLE} ${shader_compiler} ${shader_tools} --include ${PROJECT_SOURCE_DIR}/shaders/include
                --source ${source} --output ${test_shaders}/${name}
        DEPENDS ${source} ${shader_compiler}
        COMMENT "Shader ${name} of the tests"
        VERBATIM)
    target_sources(test_vulkan PRIVATE ${test_shaders}/${name}.cpp ${test_shaders}/${name}.h)
endforeach()
target_include_directories(test_vulkan PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
