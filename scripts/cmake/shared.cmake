# SPDX-License-Identifier: Apache-2.0
# dragoman_shared(target): what a shared library of ours shows, its version, and where it lies, on each system.
include(CheckLinkerFlag)
check_linker_flag(CXX -Wl,--exclude-libs,ALL linker_takes_exclude_libs)  # Zig's command for lld does not
set(export_folder ${CMAKE_CURRENT_LIST_DIR})
if(APPLE)
    set(own_folder @loader_path)
else()
    set(own_folder $ORIGIN)
endif()

function(dragoman_shared target)
    set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE CXX INSTALL_RPATH ${own_folder})
    if(WIN32)  # dllexport in the headers says what is shown
        # Beside the tool, where Windows looks first, and under one name whatever the compiler.
        set_target_properties(${target} PROPERTIES PREFIX "" RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    elseif(APPLE)
        target_link_options(${target} PRIVATE -Wl,-exported_symbols_list,${export_folder}/exports.txt)
        set_target_properties(${target} PROPERTIES LINK_DEPENDS ${export_folder}/exports.txt)
    else()
        # Templates of other libraries ignore -fvisibility; the map hides them too.
        target_link_options(${target} PRIVATE -Wl,--version-script=${export_folder}/exports.map
                            $<$<BOOL:${linker_takes_exclude_libs}>:-Wl,--exclude-libs,ALL>)
        set_target_properties(${target} PROPERTIES LINK_DEPENDS ${export_folder}/exports.map)
    endif()
endfunction()
