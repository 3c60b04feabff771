# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=repository -DBUILD=scratch folder -P subdirectory_test.cmake
# Configures a project that has the library as a folder of its own, as docs/embedding.md shows it.
file(READ ${SOURCE}/docs/embedding.md page)
string(REGEX MATCH "```cmake elsewhere=docs.subdirectory\n([^`]*)```" block "${page}")
if(NOT block)
    message(FATAL_ERROR "docs/embedding.md has no such block any more")
endif()
string(REPLACE "add_subdirectory(dragoman)" "add_subdirectory(${SOURCE} dragoman)" code "${CMAKE_MATCH_1}")
file(REMOVE_RECURSE ${BUILD})
file(WRITE ${BUILD}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(app C CXX)\n"
     "add_executable(app ${SOURCE}/samples/hello/hello.c)\n${code}\n"
     "if(TARGET test_base OR TARGET sample_hello)\n  message(FATAL_ERROR \"tests or samples are built, too\")\nendif()\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${BUILD} -B ${BUILD}/build "-DCMAKE_PREFIX_PATH=${PREFIX_PATH}"
                RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "${out}")
endif()
file(REMOVE_RECURSE ${BUILD})
