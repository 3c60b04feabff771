# SPDX-License-Identifier: Apache-2.0
# dragoman_units(OUT TARGET SOURCE...): the sources of a target, as a compiler gets them. With DRAGOMAN_FAST_BUILD the
# files of one folder are compiled together, at most so many: headers, which most of a compiler's time goes
# into, are then read once for all of them. Where `units_across_folders` is set, the folders of a target count as one.
# Hence two files of a folder may not define the same name, not even in anonymous namespaces: tests stand in a namespace
# that is named like their file. Paths are relative to include folders, so that ccache finds units again in other
# checkouts.
# Without DRAGOMAN_FAST_BUILD each file is compiled alone, which shows whether it includes what it uses.
option(DRAGOMAN_FAST_BUILD "Compile several files of a folder at once" ON)
set(most_files_of_unit 72)
if(DRAGOMAN_FAST_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # collects garbage later: a tenth less time
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=524288>")
endif()

# A unit takes up to 1.4 GB while it is compiled: where memory is short, fewer at once.
if(DRAGOMAN_FAST_BUILD)
    cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    math(EXPR units_at_once "${memory} / 1500")
    if(units_at_once LESS cores)
        if(units_at_once LESS 1)
            set(units_at_once 1)
        endif()
        set_property(GLOBAL APPEND PROPERTY JOB_POOLS units=${units_at_once})
        set(CMAKE_JOB_POOL_COMPILE units)
    endif()
endif()

function(dragoman_units out target)
    if(NOT DRAGOMAN_FAST_BUILD)
        set(${out} ${ARGN} PARENT_SCOPE)
        return()
    endif()
    set(units "")
    set(folders "")
    foreach(source IN LISTS ARGN)
        file(STRINGS ${source} implements REGEX "^#define [A-Z0-9_]+_IMPLEMENTATION" LIMIT_COUNT 1)
        if(implements)  # a header of somebody else's, which must not have been read before
            list(APPEND units ${source})
            list(REMOVE_ITEM ARGN ${source})
            continue()
        endif()
        cmake_path(GET source PARENT_PATH folder)
        if(units_across_folders)
            set(folder ${CMAKE_CURRENT_SOURCE_DIR})
        endif()
        string(MAKE_C_IDENTIFIER "${folder}" key)
        list(APPEND folders ${folder})
        list(APPEND files_${key} ${source})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
        string(MAKE_C_IDENTIFIER "${folder}" key)
        list(LENGTH files_${key} count)
        math(EXPR unit_count "(${count} + ${most_files_of_unit} - 1) / ${most_files_of_unit}")
        math(EXPR size "(${count} + ${unit_count} - 1) / ${unit_count}")
        cmake_path(GET folder FILENAME name)
        foreach(number RANGE 1 ${unit_count})
            math(EXPR first "(${number} - 1) * ${size}")
            list(SUBLIST files_${key} ${first} ${size} files)
            set(lines "// Written by the build: several files of a folder as one.\n")
            foreach(file IN LISTS files)
                cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
                string(REGEX REPLACE "^(lib|shaders|tests)/" "" path ${path})
                string(APPEND lines "#include \"${path}\"\n")
            endforeach()
            set(unit ${PROJECT_BINARY_DIR}/units/${target}/${name}_${number}.cpp)
            file(CONFIGURE OUTPUT ${unit} CONTENT "${lines}" @ONLY)
            list(APPEND units ${unit})
        endforeach()
    endforeach()
    set_source_files_properties(${ARGN} PROPERTIES HEADER_FILE_ONLY ON)
    set(${out} ${units} ${ARGN} PARENT_SCOPE)
endfunction()
