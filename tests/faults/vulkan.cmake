# SPDX-License-Identifier: Apache-2.0
# Every Vulkan call fails.
add_library(vulkan_shim MODULE vulkan_shim.cpp)
target_link_libraries(vulkan_shim PRIVATE dragoman_settings dragoman_vulkan_headers)
target_include_directories(vulkan_shim PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/.. ${PROJECT_SOURCE_DIR}/lib)
dragoman_link_folders(vulkan_shim base)

add_executable(vulkan_faults vulkan_faults.cpp vulkan_injector.cpp vulkan_session.cpp)
target_link_libraries(vulkan_faults PRIVATE dragoman::dragoman dragoman_settings dragoman_vulkan_headers Threads::Threads)
target_include_directories(vulkan_faults PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/.. ${PROJECT_SOURCE_DIR}/lib)
dragoman_link_folders(vulkan_faults base)
target_compile_definitions(vulkan_faults PRIVATE DRAGOMAN_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/../data"
                           DRAGOMAN_VULKAN_SHIM="$<TARGET_FILE:vulkan_shim>")
dragoman_program(vulkan_faults)
add_dependencies(vulkan_faults vulkan_shim)

# Some of all faults; vulkan_table.py tries them all, family by family, and writes results.md.
add_test(NAME faults.vulkan COMMAND vulkan_faults --stride 401 --keep 20 marian m2m100 labse)
set_tests_properties(faults.vulkan PROPERTIES ENVIRONMENT "${common_environment}")
foreach(family marian ssru rnn nematus int8 opus m2m100 nllb mbart t5 gguf gpt2 labse measured checked)
    add_test(NAME faults.vulkan.${family} COMMAND vulkan_faults ${family})
    add_test(NAME faults.vulkan.${family}.kept COMMAND vulkan_faults --keep 50 ${family})
    set_tests_properties(faults.vulkan.${family} faults.vulkan.${family}.kept PROPERTIES TIMEOUT 86400
        ENVIRONMENT "DRAGOMAN_CACHE_DIR=${PROJECT_BINARY_DIR}/cache")
endforeach()
