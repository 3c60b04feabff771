# SPDX-License-Identifier: Apache-2.0
# The tests of the bindings, on the library of this build; skipped where their languages are not installed.
function(dragoman_binding_test name)
    add_test(NAME bindings.${name} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/support/${name}_test.sh)
    set_tests_properties(bindings.${name} PROPERTIES
        SKIP_RETURN_CODE 77
        ENVIRONMENT "${common_environment};DRAGOMAN_LIBRARY=$<TARGET_FILE:dragoman>;${ARGN}")
endfunction()

dragoman_binding_test(python PYTHONPYCACHEPREFIX=${PROJECT_BINARY_DIR}/bindings/pycache)

add_test(NAME bindings.lines COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/bindings/tools/count_lines.py --check)
add_test(NAME bindings.lines_are_counted
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/support/count_lines_test.py ${PROJECT_SOURCE_DIR})

find_program(NODE_EXECUTABLE NAMES node nodejs)
if(NODE_EXECUTABLE)
    file(REAL_PATH ${NODE_EXECUTABLE} node_file)
    get_filename_component(node_prefix ${node_file} DIRECTORY)
    get_filename_component(node_prefix ${node_prefix} DIRECTORY)
    find_path(NODE_API_INCLUDE_DIR node_api.h HINTS ${node_prefix}/include PATH_SUFFIXES node)
endif()
if(NODE_EXECUTABLE AND NODE_API_INCLUDE_DIR)
    add_subdirectory(${PROJECT_SOURCE_DIR}/bindings/node ${PROJECT_BINARY_DIR}/bindings/node)
    dragoman_binding_test(node NODE=${NODE_EXECUTABLE} DRAGOMAN_ADDON=$<TARGET_FILE:dragoman_node>)
else()
    message(STATUS "No Node with its headers: the tests run without the JavaScript package")
    dragoman_binding_test(node)
endif()

find_program(CARGO_EXECUTABLE cargo PATHS $ENV{HOME}/.cargo/bin)
if(CARGO_EXECUTABLE)
    dragoman_binding_test(rust "CARGO=${CARGO_EXECUTABLE};CARGO_TARGET_DIR=${PROJECT_BINARY_DIR}/bindings/rust")
else()
    message(STATUS "No cargo: the tests run without the Rust crates")
endif()

find_program(GO_EXECUTABLE go HINTS /usr/local/go/bin)
if(GO_EXECUTABLE)
    dragoman_binding_test(go "GO=${GO_EXECUTABLE};DRAGOMAN_GO_PKGCONFIG=${PROJECT_BINARY_DIR}/bindings/go")
else()
    message(STATUS "No go: the tests run without the Go module")
endif()

find_program(MVN_EXECUTABLE mvn)
find_program(JAVAC_EXECUTABLE javac)
if(MVN_EXECUTABLE AND JAVAC_EXECUTABLE)
    dragoman_binding_test(java MVN=${MVN_EXECUTABLE} JAVA_OUT=${PROJECT_BINARY_DIR}/bindings/java)
else()
    message(STATUS "No JDK with Maven: the tests run without the Java package")
endif()

find_program(MCS_EXECUTABLE mcs)
find_program(MONO_EXECUTABLE mono)
if(MCS_EXECUTABLE AND MONO_EXECUTABLE)
    dragoman_binding_test(csharp)
else()
    message(STATUS "No mcs and mono: the tests run without the C# binding")
endif()
