# SPDX-License-Identifier: Apache-2.0
# The binary interfaces of libdragoman against abi.xml, and of the libraries on top of it against abi_*.xml. The
# libraries themselves may lack debug information, so the entry points are compiled once more with it and linked alone.
# `ninja abi_baseline` writes both files anew, for what was only added.
find_program(ABIDIFF abidiff)
find_program(ABIDW abidw)
if(NOT ABIDIFF OR NOT ABIDW)
    message(STATUS "No abidiff: the binary interface is compared by tests/capi/abi.txt only")
    return()
endif()
if(DRAGOMAN_SANITIZE OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64 OR WIN32)
    return()
endif()

add_custom_target(abi_baseline)

# library: with the sources of the target `made`. The baseline has no private types, and newer versions tell when the
# library has.
function(compare_abi name library made)
    get_target_property(sources ${made} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    if(DRAGOMAN_FAST_BUILD)  # the files that units consist of are among them
        list(FILTER sources INCLUDE REGEX "/units/")
    endif()
    set(target capi_${name})
    add_library(${target} SHARED EXCLUDE_FROM_ALL ${sources})
    target_compile_options(${target} PRIVATE -g -O0)
    target_compile_definitions(${target} PRIVATE DRAGOMAN_BUILDING)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/capi/include ${PROJECT_SOURCE_DIR}/capi
                               $<TARGET_PROPERTY:${made},INCLUDE_DIRECTORIES>)
    target_link_libraries(${target} PRIVATE dragoman_settings)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${library} VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name})
    target_link_options(${target} PRIVATE -nodefaultlibs -Wl,--unresolved-symbols=ignore-all
                        -Wl,--version-script=${PROJECT_SOURCE_DIR}/scripts/cmake/exports.map)
    add_dependencies(test_capi ${target})
    set(baseline ${PROJECT_SOURCE_DIR}/tests/capi/${name}.xml)
    add_custom_command(TARGET abi_baseline POST_BUILD
        COMMAND ${ABIDW} --headers-dir ${PROJECT_SOURCE_DIR}/capi/include --exported-interfaces-only
                --drop-private-types --drop-undefined-syms --no-corpus-path --no-comp-dir-path --no-show-locs
                --no-elf-needed --out-file ${baseline} $<TARGET_FILE:${target}>
        VERBATIM)
    add_dependencies(abi_baseline ${target})
    string(REPLACE "abi" "abidiff" test ${name})
    add_test(NAME capi.${test} COMMAND ${ABIDIFF} --headers-dir2 ${PROJECT_SOURCE_DIR}/capi/include
             --drop-private-types --harmless --exported-interfaces-only --no-added-syms ${baseline}
             $<TARGET_FILE:${target}>)
endfunction()

compare_abi(abi dragoman dragoman_capi)
compare_abi(abi_documents dragoman_documents dragoman_documents_api)
if(DRAGOMAN_MODELS)
    compare_abi(abi_models dragoman_models dragoman_models_api)
endif()
