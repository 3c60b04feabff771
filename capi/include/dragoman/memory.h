/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_MEMORY_H
#define DRAGOMAN_MEMORY_H

/**
 * @file
 * Translations that models and people made before. Part of dragoman.h, which has the rules;
 * docs/translation_memory.md says what is found and what is promised.
 */

#include <dragoman/basics.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Answers of models, segments of translation memories (TMX), and on request a record of what is translated. Any number
 * of threads, calls, jobs and translators may use one at the same time.
 */
typedef struct dragoman_memory dragoman_memory;

/** Contents and limits of a memory. Flags are 0 (default) or 1. */
typedef struct dragoman_memory_options {
    uint32_t struct_size; /**< bytes of this struct, set by dragoman_memory_options_init() */
    float min_similarity; /**< of segments that are offered; more than 0, at most 1; default 0.75 */
    uint64_t cache_bytes; /**< most bytes of answers in memory; 0: none; default 67108864 */
    const char* path;     /**< file of SQLite that keeps answers, made if there is none; NULL or "" (default): none */
    uint64_t file_bytes;  /**< most bytes of answers in it, about; default 1073741824 */
    uint32_t max_matches; /**< segments that are offered for a sentence; 0: none; default 3 */
    int32_t record;       /**< 1: keep translations for dragoman_memory_write_tmx(); default 0 */
} dragoman_memory_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_memory_options_init_sized(dragoman_memory_options* options, size_t struct_size);
/** As dragoman_memory_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_memory_options_init(dragoman_memory_options* options) {
    return dragoman_memory_options_init_sized(options, sizeof *options);
}

/**
 * Makes a memory, for the option `memory` of calls and jobs. `options` NULL: the defaults. Several processes may use one
 * file at the same time. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR (a file that is no memory, or damaged, or cannot be written).
 */
DRAGOMAN_API dragoman_status dragoman_memory_create(const dragoman_memory_options* options, dragoman_memory** memory);

/** Ends the handle and writes what waits for the file; calls and jobs that use it go on. Any thread. */
DRAGOMAN_API void dragoman_memory_destroy(dragoman_memory* memory);

/**
 * Reads a translation memory (TMX 1.4 or before) from a file of any size; its segments are found from now on. `count`
 * (NULL: not wanted) gets how many units were of use: of two languages at least. A file with an error adds nothing.
 * Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (what is wrong in it, naming the line), DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_memory_load_tmx(dragoman_memory* memory, const char* path, size_t* count);

/** The same from the content of such a file. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_memory_read_tmx(dragoman_memory* memory, const dragoman_string* bytes,
                                                      size_t* count);

/**
 * Adds a segment and its translation, of two languages (BCP 47). Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (also
 * blank texts and equal languages).
 */
DRAGOMAN_API dragoman_status dragoman_memory_add(dragoman_memory* memory, const char* source_language,
                                                 const char* target_language, const dragoman_string* source,
                                                 const dragoman_string* target);

/**
 * Writes the translations that were recorded so far as TMX 1.4, one unit for each sentence, and replaces an old file.
 * Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (a memory that records nothing), DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_memory_write_tmx(const dragoman_memory* memory, const char* path);

/**
 * Forgets everything: answers, in the file too, segments and the record. Any thread. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR.
 */
DRAGOMAN_API dragoman_status dragoman_memory_clear(dragoman_memory* memory);

/** The contents of a memory, and the questions it was asked since it was made. */
typedef struct dragoman_memory_counts {
    uint32_t struct_size;   /**< bytes of this struct, set by dragoman_memory_counts_init() */
    uint32_t reserved;      /**< 0 */
    uint64_t entries;       /**< answers in memory */
    uint64_t bytes;         /**< that they take */
    uint64_t evicted;       /**< answers that went from memory for others */
    uint64_t file_entries;  /**< answers in the file */
    uint64_t file_bytes;    /**< that they take */
    uint64_t hits;          /**< sentences whose answer was in memory */
    uint64_t file_hits;     /**< in the file only */
    uint64_t misses;        /**< in neither */
    uint64_t segments;      /**< units of translation memories */
    uint64_t exact_matches; /**< sentences that one of them translated */
    uint64_t fuzzy_matches; /**< sentences with segments that are like them */
    uint64_t recorded;      /**< translations in the record */
    uint64_t file_waiting;  /**< answers that are not in the file yet; they count in file_entries */
    uint64_t file_lost;     /**< that never will be: too many waited for a file that took none */
    uint64_t file_failures; /**< times that the file could not be read or written: a full disk, a lock, damage. The
                                 first of them is a warning in the log; no translation fails */
} dragoman_memory_counts;

/** Prepares `counts` for dragoman_memory_stats(). */
static inline void dragoman_memory_counts_init(dragoman_memory_counts* counts) {
    memset(counts, 0, sizeof *counts);
    counts->struct_size = (uint32_t)sizeof *counts;
}

/** Reads the counters. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR. */
DRAGOMAN_API dragoman_status dragoman_memory_stats(const dragoman_memory* memory, dragoman_memory_counts* counts);

#ifdef __cplusplus
}
#endif

#endif
