/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_SCORE_H
#define DRAGOMAN_SCORE_H

/**
 * @file
 * Scoring given translations. Part of dragoman.h, which has the rules.
 */

#include <dragoman/translator.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to score. */
typedef struct dragoman_score_options {
    uint32_t struct_size;      /**< bytes of this struct, set by dragoman_score_options_init() */
    uint32_t max_input_length; /**< tokens; longer sources and targets are cut; 0: no limit; default 1024 */
    /* Of the texts of dragoman_score_texts(): */
    const char* source_language; /**< BCP 47, "de", or the model's code; NULL or "" (default): unknown */
    const char* target_language; /**< in the same form; NULL or "" (default): the source's own code, or the only one */
} dragoman_score_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_score_options_init_sized(dragoman_score_options* options, size_t struct_size);
/** As dragoman_score_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_score_options_init(dragoman_score_options* options) {
    return dragoman_score_options_init_sized(options, sizeof *options);
}

/** Scores of the pairs of one call, in their order. Never changes; any number of threads may read it. */
typedef struct dragoman_scores dragoman_scores;

/**
 * The log-probability of each target token, and of the end token, given its source. `options` NULL: the defaults. For a
 * decoder alone a source is what stands before the target, and may be empty.
 * Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_DEVICE_LOST.
 */
DRAGOMAN_API dragoman_status dragoman_score_tokens(dragoman_translator* translator, const dragoman_tokens* sources,
                                                   const dragoman_tokens* targets, size_t count,
                                                   const dragoman_score_options* options, dragoman_scores** scores);

/**
 * The same of texts. Each side goes to the model as one sequence, with what the model wants around it in those
 * languages; a source may begin with a language code (">>de<<"), as in dragoman_translate_texts(). Of the target, its
 * own tokens and the end token are scored, not the language's. `options` NULL: the defaults. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8 and a language that the model does not have),
 * DRAGOMAN_UNSUPPORTED (a model without tokenizer), DRAGOMAN_DEVICE_LOST.
 */
DRAGOMAN_API dragoman_status dragoman_score_texts(dragoman_translator* translator, const dragoman_string* sources,
                                                  const dragoman_string* targets, size_t count,
                                                  const dragoman_score_options* options, dragoman_scores** scores);

/** Ends the handle and everything borrowed from it. */
DRAGOMAN_API void dragoman_scores_destroy(dragoman_scores* scores);

/** Number of pairs; 0 for NULL. */
DRAGOMAN_API size_t dragoman_scores_count(const dragoman_scores* scores);

/** The tokens that were scored, end token last. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_scores_tokens(const dragoman_scores* scores, size_t pair,
                                                    dragoman_tokens* tokens);

/** One row: the natural log-probability of each of those tokens. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_scores_log_probs(const dragoman_scores* scores, size_t pair,
                                                       dragoman_matrix* log_probs);

/**
 * The bytes of a target text that each of its tokens stands for, as dragoman_result_source_ranges(); the end token has
 * an empty range. None for dragoman_score_tokens(). Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_scores_ranges(const dragoman_scores* scores, size_t pair,
                                                    dragoman_ranges* ranges);

#ifdef __cplusplus
}
#endif

#endif
