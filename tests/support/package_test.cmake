# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD=build folder -DSOURCE=source folder -P package_test.cmake
# Installs into a scratch prefix and moves it, then builds and runs samples/hello from there as a stranger would:
# find_package, shared and static, and pkg-config.
set(folder ${BUILD}/package_test)
set(prefix ${folder}/moved)
file(REMOVE_RECURSE ${folder})

function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if(NOT code EQUAL 0)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "${command}: ${code}\n${out}${err}")
    endif()
    set(out "${out}" PARENT_SCOPE)
endfunction()

function(check_hello program)
    run(${program} ${SOURCE}/tests/data/aren-transliteration آ ت ز م و ن)
    if(NOT out STREQUAL "a t z m o n\n")
        message(FATAL_ERROR "${program}: expected 'a t z m o n', got '${out}'")
    endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
file(RENAME ${folder}/prefix ${prefix})

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/support/consumer -B ${folder}/consumer -DCMAKE_PREFIX_PATH=${prefix}
    -DHELLO=${SOURCE}/samples/hello/hello.c "-DCMAKE_C_FLAGS=${C_FLAGS}" "-DCMAKE_CXX_FLAGS=${C_FLAGS}")
run(${CMAKE_COMMAND} --build ${folder}/consumer)
check_hello(${folder}/consumer/hello_shared)
check_hello(${folder}/consumer/hello_static)
run(${folder}/consumer/version_cpp)

file(GLOB_RECURSE pc ${prefix}/*/dragoman.pc)
get_filename_component(pc_folder "${pc}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
run(pkg-config --cflags --libs dragoman)
string(STRIP "${out}" out)
separate_arguments(flags UNIX_COMMAND "${out} ${C_FLAGS}")
run(pkg-config --variable=libdir dragoman)
string(STRIP "${out}" libdir)
find_program(cc NAMES cc gcc clang REQUIRED)
run(${cc} -std=c99 ${SOURCE}/samples/hello/hello.c -o ${folder}/hello_pkgconfig ${flags} -Wl,-rpath,${libdir})
check_hello(${folder}/hello_pkgconfig)

# The installed program finds the installed library.
run(${prefix}/bin/dragoman --version)
file(REMOVE_RECURSE ${folder})
