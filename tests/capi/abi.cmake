# SPDX-License-Identifier: Apache-2.0
# The C API's binary interface against abi.xml. The library itself may lack debug information, so the entry points are
# compiled once more with it and linked alone. `ninja abi_baseline` writes abi.xml anew, for what was only added.
find_program(ABIDIFF abidiff)
find_program(ABIDW abidw)
if(NOT ABIDIFF OR NOT ABIDW)
    message(STATUS "No abidiff: the binary interface is compared by tests/capi/abi.txt only")
    return()
endif()
if(DRAGOMAN_SANITIZE OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    return()
endif()

get_target_property(sources dragoman_capi SOURCES)
list(FILTER sources INCLUDE REGEX "\\.cpp$")
add_library(capi_abi SHARED EXCLUDE_FROM_ALL ${sources})
target_compile_options(capi_abi PRIVATE -g -O0)
target_compile_definitions(capi_abi PRIVATE DRAGOMAN_BUILDING)
target_include_directories(capi_abi PRIVATE ${PROJECT_SOURCE_DIR}/capi/include
                           $<TARGET_PROPERTY:dragoman_capi,INCLUDE_DIRECTORIES>)
target_link_libraries(capi_abi PRIVATE dragoman_settings)
set_target_properties(capi_abi PROPERTIES OUTPUT_NAME dragoman VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/abi)
target_link_options(capi_abi PRIVATE -nodefaultlibs -Wl,--unresolved-symbols=ignore-all
                    -Wl,--version-script=${PROJECT_SOURCE_DIR}/scripts/cmake/exports.map)
add_dependencies(test_capi capi_abi)

set(baseline ${CMAKE_CURRENT_SOURCE_DIR}/capi/abi.xml)
add_custom_target(abi_baseline
    COMMAND ${ABIDW} --headers-dir ${PROJECT_SOURCE_DIR}/capi/include --exported-interfaces-only --drop-private-types
            --drop-undefined-syms --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed
            --out-file ${baseline} $<TARGET_FILE:capi_abi>
    DEPENDS capi_abi VERBATIM)
# The baseline has no private types, and newer versions tell when the library has.
add_test(NAME capi.abidiff COMMAND ${ABIDIFF} --headers-dir2 ${PROJECT_SOURCE_DIR}/capi/include --drop-private-types
         --harmless --exported-interfaces-only --no-added-syms ${baseline} $<TARGET_FILE:capi_abi>)
