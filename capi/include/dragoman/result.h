/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_RESULT_H
#define DRAGOMAN_RESULT_H

/**
 * @file
 * Translations. Part of dragoman.h, which has the rules.
 */

#include <dragoman/basics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Translations of the inputs of one call, in their order. Never changes; any number of threads may read it. */
typedef struct dragoman_result dragoman_result;

/** Ends the handle and everything borrowed from it. */
DRAGOMAN_API void dragoman_result_destroy(dragoman_result* result);

/** The number in the call or job of the first input here: 0, except after dragoman_job_next_result(). */
DRAGOMAN_API size_t dragoman_result_first(const dragoman_result* result);

/** Number of inputs; 0 for NULL. */
DRAGOMAN_API size_t dragoman_result_count(const dragoman_result* result);

/** Number of hypotheses for an input, at least 1; 0 for NULL or an input out of range. */
DRAGOMAN_API size_t dragoman_result_hypothesis_count(const dragoman_result* result, size_t input);

/**
 * The source tokens of an input, of all its sentences, before any cut. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of
 * range).
 */
DRAGOMAN_API dragoman_status dragoman_result_source_tokens(const dragoman_result* result, size_t input,
                                                           dragoman_tokens* tokens);

/**
 * For each of these tokens, the bytes of the given text that it stands for; a token that stands for nothing there has
 * an empty range. Ranges are in order, on character boundaries, and those of a sentence cover each of its characters
 * that is not white space. None for an input of tokens and with discard_tokens. Statuses: DRAGOMAN_INVALID_ARGUMENT
 * (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_source_ranges(const dragoman_result* result, size_t input,
                                                           dragoman_ranges* ranges);

/**
 * The text of a hypothesis, 0 being the best. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range), DRAGOMAN_UNSUPPORTED
 * for a model without tokenizer.
 */
DRAGOMAN_API dragoman_status dragoman_result_text(const dragoman_result* result, size_t input, size_t hypothesis,
                                                  dragoman_string* text);

/**
 * The texts of a document of markup without its tags: what the ranges of source tokens, sentences and words are places
 * in. Empty unless the option `markup` was set; they are then places in the text that was given. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_plain_source(const dragoman_result* result, size_t input,
                                                          dragoman_string* text);

/**
 * The translations without the tags of the hypothesis's text, to which the ranges of target tokens, sentences and
 * words are places in. Empty unless the option `markup` was set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_plain_text(const dragoman_result* result, size_t input, size_t hypothesis,
                                                        dragoman_string* text);

/** The target tokens of a hypothesis, of all its sentences. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_result_tokens(const dragoman_result* result, size_t input, size_t hypothesis,
                                                    dragoman_tokens* tokens);

/**
 * The bytes of the hypothesis's text that each of these tokens stands for, as dragoman_result_source_ranges(). None for
 * a model without tokenizer and with discard_tokens. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_ranges(const dragoman_result* result, size_t input, size_t hypothesis,
                                                    dragoman_ranges* ranges);

/**
 * Sum of natural log-probabilities, normalised as length_penalty and coverage_penalty say; 0 unless return_scores was
 * set. For a text of several sentences, the mean of theirs, weighted by target tokens. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_score(const dragoman_result* result, size_t input, size_t hypothesis,
                                                   float* score);

/**
 * How good a translation probably is, 0 to 1: the chrF that a reference would give it, as estimated from what the search
 * knew (docs/quality.md); 0 unless return_quality or quality_marks was set. For a text of several sentences, the mean of
 * theirs, weighted by words. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_quality(const dragoman_result* result, size_t input, size_t hypothesis,
                                                     float* quality);

/**
 * Cross attention of a hypothesis: a row per target token (end token included where it was reached and
 * return_end_token set), a column per source token; columns of source tokens that were cut are 0. No rows and columns
 * unless return_attention was set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range), DRAGOMAN_UNSUPPORTED for a text
 * of several sentences, which have dragoman_result_sentence_attention().
 */
DRAGOMAN_API dragoman_status dragoman_result_attention(const dragoman_result* result, size_t input, size_t hypothesis,
                                                       dragoman_matrix* attention);

/** Facts about a sentence that a reader should know. Bits; later versions may add some. */
typedef enum dragoman_sentence_flag {
    DRAGOMAN_SENTENCE_COPIED = 1,             /**< unchanged, for a reason below or because it says nothing */
    DRAGOMAN_SENTENCE_IN_TARGET_LANGUAGE = 2, /**< nothing to translate (source_language "auto") */
    DRAGOMAN_SENTENCE_IN_OTHER_LANGUAGE = 4,  /**< one that the model does not translate from (likewise) */
    DRAGOMAN_SENTENCE_CARRIED = 8,            /**< spans that the model cannot read, or should not, are unchanged */
    DRAGOMAN_SENTENCE_REPEATED = 16,          /**< the model repeated itself: translated in parts, or copied */
    DRAGOMAN_SENTENCE_NUMBERS = 32,           /**< a number of it is missing in the translation */
    DRAGOMAN_SENTENCE_MOJIBAKE = 64,          /**< it looks like UTF-8 that was read as another encoding */
    DRAGOMAN_SENTENCE_FROM_MEMORY = 128,      /**< the translation is that of a translation memory's segment */
    DRAGOMAN_SENTENCE_UNSURE = 256,           /**< copied, since its translation had less quality than min_quality */
    DRAGOMAN_SENTENCE_UNCOVERED = 512         /**< its translation leaves out more words than max_uncovered_words */
} dragoman_sentence_flag;

/** A sentence of a text, or a part of one that was too long, and its translation: where they are. */
typedef struct dragoman_sentence {
    uint32_t struct_size;       /**< bytes of this struct, set by dragoman_sentence_init() */
    float score;                /**< as dragoman_result_score() */
    size_t source_begin;        /**< bytes of the text that was given */
    size_t source_end;          /**< after its last byte there */
    size_t target_begin;        /**< bytes of the hypothesis's text */
    size_t target_end;          /**< after its last byte there */
    size_t source_token_begin;  /**< in dragoman_result_source_tokens() */
    size_t source_token_end;    /**< after its last token there */
    size_t target_token_begin;  /**< in dragoman_result_tokens() */
    size_t target_token_end;    /**< after its last token there */
    const char* language;       /**< BCP 47, with source_language "auto"; otherwise "". Borrowed from the result */
    float language_probability; /**< of that language; 0 to 1 */
    uint32_t flags;             /**< dragoman_sentence_flag, added up */
    float quality;              /**< as dragoman_result_quality() */
    uint32_t reserved;          /**< 0 */
    /** Share of the source's words that the translation reaches, 0 to 1 (docs/coverage.md); 0 without return_coverage. */
    float coverage;
    uint32_t uncovered_words; /**< words of the longest run that it does not reach; 0: it reaches all */
    size_t uncovered_begin;   /**< that run's: bytes of the text that was given */
    size_t uncovered_end;     /**< after its last byte there */
} dragoman_sentence;

/** Prepares `sentence` for dragoman_result_sentence(). */
static inline void dragoman_sentence_init(dragoman_sentence* sentence) {
    memset(sentence, 0, sizeof *sentence);
    sentence->struct_size = (uint32_t)sizeof *sentence;
}

/** Number of sentences of a text, the same for all hypotheses; 0 for tokens, a blank text, NULL or out of range. */
DRAGOMAN_API size_t dragoman_result_sentence_count(const dragoman_result* result, size_t input);

/** Describes a sentence, in the order of the text. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_result_sentence(const dragoman_result* result, size_t input, size_t hypothesis,
                                                      size_t sentence, dragoman_sentence* info);

/** A term of the glossary that a sentence has. */
typedef struct dragoman_term {
    uint32_t struct_size; /**< bytes of this struct, set by dragoman_term_init() */
    int32_t met;          /**< 1: the translation has what it must become; 0: docs/terms.md says why not */
    size_t source_begin;  /**< bytes of the text, as dragoman_sentence::source_begin */
    size_t source_end;    /**< after its last byte there */
} dragoman_term;

/** Prepares `term` for dragoman_result_term(). */
static inline void dragoman_term_init(dragoman_term* term) {
    memset(term, 0, sizeof *term);
    term->struct_size = (uint32_t)sizeof *term;
}

/** Number of terms of the options' glossary that a sentence has; 0 for NULL or out of range. */
DRAGOMAN_API size_t dragoman_result_term_count(const dragoman_result* result, size_t input, size_t hypothesis,
                                               size_t sentence);

/** One of them, in the order of the text. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_result_term(const dragoman_result* result, size_t input, size_t hypothesis,
                                                  size_t sentence, size_t index, dragoman_term* term);

/** A segment of a translation memory that is like a sentence, and what it became. */
typedef struct dragoman_match {
    uint32_t struct_size;   /**< bytes of this struct, set by dragoman_match_init() */
    float similarity;       /**< 1 - edits / number of words of the longer one; 1: equal, at most 1 */
    dragoman_string source; /**< the segment; borrowed from the result */
    dragoman_string target; /**< its translation; likewise */
} dragoman_match;

/** Prepares `match` for dragoman_result_match(). */
static inline void dragoman_match_init(dragoman_match* match) {
    memset(match, 0, sizeof *match);
    match->struct_size = (uint32_t)sizeof *match;
}

/**
 * Number of segments of the options' memory that are like a sentence of a text, and are not its translation in the
 * result; 0 for NULL or out of range.
 */
DRAGOMAN_API size_t dragoman_result_match_count(const dragoman_result* result, size_t input, size_t sentence);

/** One of them, the most similar first. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_result_match(const dragoman_result* result, size_t input, size_t sentence,
                                                   size_t index, dragoman_match* match);

/** Attention within a sentence, as dragoman_result_attention(). Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_result_sentence_attention(const dragoman_result* result, size_t input,
                                                                size_t hypothesis, size_t sentence,
                                                                dragoman_matrix* attention);

/**
 * Words of a sentence of a text, in bytes of the text that was given: letters and digits with what joins them inside, in
 * scripts without spaces the words that a dictionary has, and marks. None unless return_alignment was set. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_source_words(const dragoman_result* result, size_t input,
                                                          size_t hypothesis, size_t sentence, dragoman_ranges* words);

/**
 * The words of a sentence's translation likewise, in bytes of the hypothesis's text; with return_quality, too. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_target_words(const dragoman_result* result, size_t input,
                                                          size_t hypothesis, size_t sentence, dragoman_ranges* words);

/**
 * How probable it is that each of these words is right, 0 to 1: a row with a column for each. What was carried over from
 * the source has 1. No rows and columns unless return_quality or quality_marks was set. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_word_quality(const dragoman_result* result, size_t input,
                                                          size_t hypothesis, size_t sentence, dragoman_matrix* quality);

/**
 * The source words for each word of a sentence's translation: a row per target word, a column per source word;
 * the weights of a row add up to 1, or are all 0 where nothing is known. No rows and columns unless return_alignment was
 * set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_sentence_alignment(const dragoman_result* result, size_t input,
                                                                size_t hypothesis, size_t sentence,
                                                                dragoman_matrix* alignment);

/**
 * The alignment of a text in Pharaoh's format, "0-0 1-2": numbers of a source word and of a target word, counted from 0
 * over all sentences; for each target word the source word with the largest weight, and others with 0.4 or more. Empty
 * unless return_alignment was set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_pharaoh(const dragoman_result* result, size_t input, size_t hypothesis,
                                                     dragoman_string* links);

#ifdef __cplusplus
}
#endif

#endif
