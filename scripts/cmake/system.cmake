# SPDX-License-Identifier: Apache-2.0
# DRAGOMAN_SYSTEM: the folder in lib/base/os, and in samples/support/os, with the calls of the system built for.
if(WIN32)
    set(DRAGOMAN_SYSTEM windows)
elseif(UNIX)
    set(DRAGOMAN_SYSTEM posix)
else()
    string(TOLOWER "${CMAKE_SYSTEM_NAME}" DRAGOMAN_SYSTEM)
endif()
foreach(folder lib/base/os samples/support/os)
    if(NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/${DRAGOMAN_SYSTEM})
        message(FATAL_ERROR "${CMAKE_SYSTEM_NAME}: expected its system calls in ${folder}/${DRAGOMAN_SYSTEM}, there is "
                            "no such folder yet; ${folder}/*.h says what belongs in it")
    endif()
endforeach()
