/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_GLOSSARY_H
#define DRAGOMAN_GLOSSARY_H

/**
 * @file
 * Terms that translations must have. Part of dragoman.h, which has the rules; docs/terms.md says what is found and what
 * is promised.
 */

#include <dragoman/basics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Terms with what they become. Never changes; any number of threads and calls may use it. */
typedef struct dragoman_glossary dragoman_glossary;

/**
 * Reads a glossary of tab- or comma-separated values, or TBX, from a file. The languages, "de", say which terms of TBX are
 * meant; a table needs none. `source_language` NULL or "": none. `target_language` NULL or "": none. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (what is wrong in it, naming the line), DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_glossary_load(const char* path, const char* source_language,
                                                    const char* target_language, dragoman_glossary** glossary);

/** The same from the content of such a file. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_glossary_read(const dragoman_string* bytes, const char* source_language,
                                                    const char* target_language, dragoman_glossary** glossary);

/** Ends the handle; calls and jobs that use it go on. Any thread. */
DRAGOMAN_API void dragoman_glossary_destroy(dragoman_glossary* glossary);

/** Number of entries; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_glossary_count(const dragoman_glossary* glossary);

#ifdef __cplusplus
}
#endif

#endif
