# SPDX-License-Identifier: Apache-2.0
# The tests of the bindings, on the library of this build; skipped where their languages are not installed.
function(dragoman_binding_test name)
    add_test(NAME bindings.${name} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/support/${name}_test.sh)
    set_tests_properties(bindings.${name} PROPERTIES
        TIMEOUT 1200 SKIP_RETURN_CODE 77
        ENVIRONMENT "${common_environment};DRAGOMAN_LIBRARY=$<TARGET_FILE:dragoman>;${ARGN}")
endfunction()

dragoman_binding_test(python)
