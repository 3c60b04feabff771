/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_DETECT_H
#define DRAGOMAN_DETECT_H

/**
 * @file
 * Finds the language of a text. Part of dragoman.h, which has the rules.
 */

#include <dragoman/basics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Languages that each of several texts may be in. Never changes; any number of threads may read it. */
typedef struct dragoman_detection dragoman_detection;

/** A language that a text may be in. */
typedef struct dragoman_language_guess {
    uint32_t struct_size; /**< bytes of this struct, set by dragoman_language_guess_init() */
    float probability;    /**< that all or most of the text is in this language; 0 to 1 */
    const char* tag;      /**< BCP 47: "de", "zh-Hant"; borrowed from the list */
    const char* name;     /**< in English: "German"; borrowed from the list */
} dragoman_language_guess;

/** Prepares `guess` for dragoman_detection_guess(). */
static inline void dragoman_language_guess_init(dragoman_language_guess* guess) {
    memset(guess, 0, sizeof *guess);
    guess->struct_size = (uint32_t)sizeof *guess;
}

/**
 * Finds the languages of `count` texts. `expected` names languages that are likelier than others, "en,de" (at most 8
 * are used); NULL or "": none. It excludes no language. Needs no model and no device. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming text and byte offset, and an unknown language).
 */
DRAGOMAN_API dragoman_status dragoman_detect_languages(const dragoman_string* texts, size_t count, const char* expected,
                                                       dragoman_detection** languages);

/** Ends the handle and everything borrowed from it. Any thread. */
DRAGOMAN_API void dragoman_detection_destroy(dragoman_detection* languages);

/** Number of texts; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_detection_count(const dragoman_detection* languages);

/** Languages that a text may be in, at most 3; 0 without letters of a known language, for NULL or out of range. */
DRAGOMAN_API size_t dragoman_detection_guess_count(const dragoman_detection* languages, size_t text);

/** One of them, the most probable first. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_detection_guess(const dragoman_detection* languages, size_t text, size_t index,
                                                      dragoman_language_guess* guess);

#ifdef __cplusplus
}
#endif

#endif
