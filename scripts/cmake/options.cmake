# SPDX-License-Identifier: Apache-2.0
# What the build makes of capi/options.json, for every target of ours. Files that stay the same are left alone, so that
# another comment there compiles nothing again.
set(option_scripts ${PROJECT_SOURCE_DIR}/capi/tools/make_options.py ${PROJECT_SOURCE_DIR}/capi/tools/options_cpp.py
                   ${PROJECT_SOURCE_DIR}/capi/tools/options_table.py ${PROJECT_SOURCE_DIR}/capi/tools/options_text.py)
set(option_folder ${PROJECT_BINARY_DIR}/options)
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/capi/tools/make_options.py --cpp ${option_folder} --list
                OUTPUT_VARIABLE option_files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
add_custom_command(
    OUTPUT ${option_files}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/capi/tools/make_options.py --cpp ${option_folder}
    DEPENDS ${PROJECT_SOURCE_DIR}/capi/options.json ${option_scripts}
    COMMENT "Options"
    VERBATIM)
add_custom_target(dragoman_options DEPENDS ${option_files})
add_dependencies(dragoman_settings dragoman_options)
target_include_directories(dragoman_settings INTERFACE ${option_folder})
