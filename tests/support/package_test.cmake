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

# With a model of the tests, whose translation is known, and with the installed one.
function(check_hello program)
    set(ENV{DRAGOMAN_MODEL} ${SOURCE}/tests/data/huggingface/shared)
    run(${program} xx "batin kétiß kénara késora banara!")
    if(NOT out STREQUAL "fopiй Gasa Gakuй Gakux foй!\n")
        message(FATAL_ERROR "${program}: expected 'fopiй Gasa Gakuй Gakux foй!', got '${out}'")
    endif()
    unset(ENV{DRAGOMAN_MODEL})
    string(FIND ${program} static static)
    if(static EQUAL -1)
        run(${program} de "Where is the station?")
        if(NOT out MATCHES "[a-z]+")
            message(FATAL_ERROR "${program}: no translation: '${out}'")
        endif()
    endif()
endfunction()

function(check_documents program)
    set(ENV{DRAGOMAN_MODEL} ${SOURCE}/tests/data/huggingface/shared)
    run(${program})
    if(NOT out STREQUAL "<p>fopiй Gasa Gakuй Gakux foй!</p>\n")
        message(FATAL_ERROR "${program}: expected '<p>fopiй Gasa Gakuй Gakux foй!</p>', got '${out}'")
    endif()
    unset(ENV{DRAGOMAN_MODEL})
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder}/prefix)
file(RENAME ${folder}/prefix ${prefix})

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/support/consumer -B ${folder}/consumer -DCMAKE_PREFIX_PATH=${prefix}
    -DHELLO=${SOURCE}/samples/hello/hello.c "-DCMAKE_C_FLAGS=${C_FLAGS}" "-DCMAKE_CXX_FLAGS=${C_FLAGS}")
run(${CMAKE_COMMAND} --build ${folder}/consumer)
check_hello(${folder}/consumer/hello_shared)
check_hello(${folder}/consumer/hello_static)
run(${folder}/consumer/version_cpp)
check_documents(${folder}/consumer/documents_shared)
check_documents(${folder}/consumer/documents_static)

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

run(pkg-config --cflags --libs dragoman-documents)
string(STRIP "${out}" out)
separate_arguments(flags UNIX_COMMAND "${out} ${C_FLAGS}")
find_program(cxx NAMES c++ g++ clang++ REQUIRED)
run(${cxx} -std=c++20 ${SOURCE}/tests/support/consumer/documents.cpp -o ${folder}/documents_pkgconfig ${flags}
    -Wl,-rpath,${libdir})
check_documents(${folder}/documents_pkgconfig)

foreach(file man/man1/dragoman.1 man/man1/dragoman-translate.1 bash-completion/completions/dragoman
             zsh/site-functions/_dragoman fish/vendor_completions.d/dragoman.fish)
    if(NOT EXISTS ${prefix}/share/${file})
        message(FATAL_ERROR "expected ${prefix}/share/${file} to be installed")
    endif()
endforeach()

# The installed program finds the installed library.
run(${prefix}/bin/dragoman --version)
run(${prefix}/bin/dragoman info)
if(NOT out MATCHES "^${prefix}/share/dragoman/models/en-de")
    message(FATAL_ERROR "the installed model was not found, but: ${out}")
endif()
file(REMOVE_RECURSE ${folder})
