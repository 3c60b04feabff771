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

# dragoman_program(target): says that it takes paths of more than 260 characters, where programs have to.
if(MINGW)
    add_library(dragoman_program OBJECT ${export_folder}/windows/program.rc)
endif()
function(dragoman_program target)
    if(MINGW)
        target_link_libraries(${target} PRIVATE dragoman_program)
    elseif(MSVC)
        target_sources(${target} PRIVATE ${export_folder}/windows/program.manifest)
    endif()
endfunction()

function(dragoman_shared target)
    set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE CXX INSTALL_RPATH ${own_folder})
    if(WIN32)  # dllexport in the headers says what is shown
        set_target_properties(${target} PROPERTIES PREFIX "")  # one name whatever the compiler
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
