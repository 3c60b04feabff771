# SPDX-License-Identifier: Apache-2.0
# Tests against the server with faults, and the program that is killed while it installs a model.
foreach(target test_download test_registry)
    if(TARGET ${target})
        target_compile_definitions(${target} PRIVATE DRAGOMAN_PYTHON="${Python3_EXECUTABLE}"
            DRAGOMAN_FAULT_SERVER="${CMAKE_CURRENT_SOURCE_DIR}/download/server.py"
            DRAGOMAN_CERTIFICATES="${CMAKE_CURRENT_SOURCE_DIR}/download/certificates.py")
        target_link_libraries(${target} PRIVATE LibArchive::LibArchive ZLIB::ZLIB)
    endif()
endforeach()
add_executable(get_file download/programs/get_file.cpp)  # for bench/download.py
target_link_libraries(get_file PRIVATE dragoman_settings)
dragoman_link_folders(get_file download)
add_executable(install_once registry/programs/install_once.cpp)
target_link_libraries(install_once PRIVATE dragoman_settings)
dragoman_link_folders(install_once registry)
foreach(name kill disk)
    add_test(NAME registry.${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/registry/${name}_test.py
             $<TARGET_FILE:install_once> ${CMAKE_CURRENT_SOURCE_DIR}/download/server.py)
    set_tests_properties(registry.${name} PROPERTIES ENVIRONMENT "${common_environment}" SKIP_RETURN_CODE 77)
endforeach()
