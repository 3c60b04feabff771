# SPDX-License-Identifier: Apache-2.0
# Every call on files fails. The program's own calls stand before the C library's, as Linux' loader has it.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT DRAGOMAN_SANITIZE)
    file(GLOB file_sources CONFIGURE_DEPENDS file_*.cpp)
    add_executable(file_faults ${file_sources})
    target_compile_definitions(file_faults PRIVATE DRAGOMAN_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
    target_include_directories(file_faults PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/..)
    target_link_libraries(file_faults PRIVATE dragoman_settings ${CMAKE_DL_LIBS} Threads::Threads)
    set_source_files_properties(file_shim.cpp PROPERTIES COMPILE_OPTIONS "-U_FORTIFY_SOURCE;-fvisibility=default")  # for libraries, too
    set(file_folders convert documents)
    if(DRAGOMAN_MODELS)
        list(APPEND file_folders registry)
        target_compile_definitions(file_faults PRIVATE DRAGOMAN_MODELS)
    endif()
    dragoman_link_folders(file_faults ${file_folders})
    add_test(NAME faults.files COMMAND file_faults)
    add_test(NAME faults.files.full COMMAND file_faults --all)
    set_tests_properties(faults.files faults.files.full PROPERTIES
        ENVIRONMENT "XDG_CONFIG_HOME=${PROJECT_BINARY_DIR}/no_config")
endif()
