/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_TEXT_H
#define DRAGOMAN_TEXT_H

/**
 * @file
 * Sentences and tokens of texts. Part of dragoman.h, which has the rules.
 */

#include <dragoman/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sentences --------------------------------------------------------------------------------------------------- */

/** Ranges of a text, in its order. Never changes; any number of threads may read it. */
typedef struct dragoman_range_list dragoman_range_list;

/**
 * Finds the sentences of a text, as dragoman_translate_texts() does, without the white space and list bullets between
 * them. `language` is that of the text, "de"; NULL or "": unknown. `join_lines` 1: a line break is a space and a blank
 * line ends a paragraph; 0: every line break ends a sentence. Needs no model. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming the byte offset).
 */
DRAGOMAN_API dragoman_status dragoman_split_sentences(const dragoman_string* text, const char* language,
                                                      int32_t join_lines, dragoman_range_list** ranges);

/** Ends the handle and everything borrowed from it. Any thread. */
DRAGOMAN_API void dragoman_range_list_destroy(dragoman_range_list* ranges);

/** Number of ranges; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_range_list_count(const dragoman_range_list* ranges);

/** All ranges, borrowed; NULL when there are none. Any thread. */
DRAGOMAN_API const dragoman_range* dragoman_range_list_data(const dragoman_range_list* ranges);

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

/** A sequence of tokens for each of several texts. Never changes; any number of threads may read it. */
typedef struct dragoman_token_lists dragoman_token_lists;

/**
 * Cuts each text, as one sentence, into the model's tokens: for DRAGOMAN_SIDE_SOURCE as dragoman_translate_texts()
 * does, keeping a language code in front (">>de<<") as a token; for DRAGOMAN_SIDE_TARGET in the form of prefixes and of
 * the targets of dragoman_score_tokens(). A model without an encoder and one without a decoder get the text itself, with
 * its line breaks and spaces, as when a text is continued or becomes a vector; for the others it is normalised before.
 * No token is added. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8), DRAGOMAN_UNSUPPORTED for a model without tokenizer.
 */
DRAGOMAN_API dragoman_status dragoman_tokenize(const dragoman_model* model, int32_t side, const dragoman_string* texts,
                                               size_t count, dragoman_token_lists** tokens);

/** Ends the handle and everything borrowed from it. Any thread. */
DRAGOMAN_API void dragoman_token_lists_destroy(dragoman_token_lists* tokens);

/** Number of sequences; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_token_lists_count(const dragoman_token_lists* tokens);

/** The tokens of a text, borrowed. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_token_lists_get(const dragoman_token_lists* tokens, size_t index,
                                                      dragoman_tokens* sequence);

/**
 * The bytes of a text that each of its tokens stands for, borrowed. Ranges are in order, on character boundaries, and
 * cover every character that is not white space. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_token_lists_ranges(const dragoman_token_lists* tokens, size_t index,
                                                         dragoman_ranges* ranges);

/**
 * Whether the model's vocabulary of a side has a token: `*known` is 1, or 0. Where a source or a prefix has one that is
 * not in it, the model takes its unknown token. Any model, any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
 */
DRAGOMAN_API dragoman_status dragoman_model_has_token(const dragoman_model* model, int32_t side, const char* token,
                                                      int32_t* known);

/** Several texts. Never changes; any number of threads may read it. */
typedef struct dragoman_text_list dragoman_text_list;

/**
 * Joins each sequence of tokens into a text. Tokens that control the model ("</s>") are left out. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_UNSUPPORTED for a model without tokenizer.
 */
DRAGOMAN_API dragoman_status dragoman_detokenize(const dragoman_model* model, int32_t side,
                                                 const dragoman_tokens* sequences, size_t count,
                                                 dragoman_text_list** texts);

/** Ends the handle and everything borrowed from it. Any thread. */
DRAGOMAN_API void dragoman_text_list_destroy(dragoman_text_list* texts);

/** Number of texts; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_text_list_count(const dragoman_text_list* texts);

/** A text, borrowed. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_text_list_get(const dragoman_text_list* texts, size_t index,
                                                    dragoman_string* text);

#ifdef __cplusplus
}
#endif

#endif
