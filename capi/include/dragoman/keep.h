/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_KEEP_H
#define DRAGOMAN_KEEP_H

/**
 * @file
 * Keeping translations, to go on with them later. Part of dragoman.h, which has the rules.
 */

#include <dragoman/text.h>
#include <dragoman/translator.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What translations with these options depend on, for a program that keeps some of them to go on later: fingerprints of
 * model, glossary and segments of a memory, the device, every option that changes what a call returns, and the
 * library's version. `key` gets one text, of lines with a name, a tab and a value. `tokens` 1: of
 * dragoman_translate_tokens(), 0: of texts. `own` (NULL: none) has further lines of that form, of what the program's
 * results depend on besides. `kept` (NULL: none) is a key from before: if it differs, the message of the error says in
 * what. `options` NULL: the defaults. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also for another key), DRAGOMAN_UNSUPPORTED.
 */
DRAGOMAN_API dragoman_status dragoman_translation_key(const dragoman_translator* translator,
                                                      const dragoman_translate_options* options, int32_t tokens,
                                                      const dragoman_string* own, const dragoman_string* kept,
                                                      dragoman_text_list** key);

/**
 * Makes a memory, for the option `memory` of calls and jobs, that keeps their answers in a file that only grows: each is
 * in it as soon as it is there, so that whatever ends the program loses none, and a later program that names the file
 * goes on with them. Translations that are drawn (dragoman_sampling) are drawn again. `key` is of
 * dragoman_translation_key(); a file with another one is refused, and the message says what differs. `base` (NULL: none)
 * is a memory whose answers, segments and record are used, too. A file of more than `most_bytes` begins anew, for what
 * is translated then (0: it never does): for programs that need the latest answers only. All of them are in memory, too.
 * When everything is done, the program removes the file.
 * Any thread; a file is for one program at a time.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also for another key), DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_keep_answers(const char* path, const dragoman_string* key, uint64_t most_bytes,
                                                   dragoman_memory* base, dragoman_memory** memory);

#ifdef __cplusplus
}
#endif

#endif
