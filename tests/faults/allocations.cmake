# SPDX-License-Identifier: Apache-2.0
# Every allocation fails, and every thread.
if(TARGET dragoman AND UNIX AND NOT APPLE AND NOT DRAGOMAN_SANITIZE)
    file(GLOB allocation_sources CONFIGURE_DEPENDS allocation_*.cpp)
    add_executable(allocation_faults ${allocation_sources})
    target_compile_definitions(allocation_faults PRIVATE DRAGOMAN_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
    target_link_libraries(allocation_faults PRIVATE dragoman::dragoman dragoman_settings Threads::Threads)
    add_test(NAME faults.allocations
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/allocations.py $<TARGET_FILE:allocation_faults>)
    set_tests_properties(faults.allocations PROPERTIES ENVIRONMENT "DRAGOMAN_CACHE_DIR=${PROJECT_BINARY_DIR}/cache")
    add_test(NAME faults.allocations.full
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/allocations.py $<TARGET_FILE:allocation_faults>
                     --all)
    set_tests_properties(faults.allocations.full PROPERTIES
        TIMEOUT 36000 ENVIRONMENT "DRAGOMAN_CACHE_DIR=${PROJECT_BINARY_DIR}/cache")
endif()
