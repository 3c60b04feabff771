# SPDX-License-Identifier: Apache-2.0
# Tests against the server with faults, and the program that is killed while it installs a model.
foreach(target test_download test_registry)
    if(TARGET ${target})
        target_compile_definitions(${target} PRIVATE DRAGOMAN_PYTHON="${Python3_EXECUTABLE}"
            DRAGOMAN_FAULT_SERVER="${CMAKE_CURRENT_SOURCE_DIR}/download/server.py")
        target_link_libraries(${target} PRIVATE LibArchive::LibArchive ZLIB::ZLIB)
    endif()
endforeach()
add_executable(install_once registry/programs/install_once.cpp)
target_link_libraries(install_once PRIVATE dragoman_settings)
dragoman_link_folders(install_once registry)
add_test(NAME registry.kill COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/registry/kill_test.py
         $<TARGET_FILE:install_once> ${CMAKE_CURRENT_SOURCE_DIR}/download/server.py)
set_tests_properties(registry.kill PROPERTIES ENVIRONMENT "${common_environment}")
