/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_EMBED_H
#define DRAGOMAN_EMBED_H

/**
 * @file
 * Vectors of texts, from the encoder of a model. Part of dragoman.h, which has the rules.
 */

#include <dragoman/translator.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The vectors that are made from an encoder's output. */
typedef enum dragoman_pooling {
    DRAGOMAN_POOLING_MODEL = 0,  /**< as the model's files say, with the layers behind it; otherwise the mean */
    DRAGOMAN_POOLING_MEAN = 1,   /**< one vector: the mean over all tokens, with those around the text */
    DRAGOMAN_POOLING_CLS = 2,    /**< one vector: that of the first token */
    DRAGOMAN_POOLING_POOLER = 3, /**< one vector: BERT's pooler, tanh(W first + b) */
    DRAGOMAN_POOLING_TOKENS = 4  /**< one vector for each token */
} dragoman_pooling;

/** Whether vectors are divided by their lengths. */
typedef enum dragoman_normalize {
    DRAGOMAN_NORMALIZE_MODEL = 0, /**< as the model's files say; otherwise off */
    DRAGOMAN_NORMALIZE_OFF = 1,   /**< as the encoder gives them */
    DRAGOMAN_NORMALIZE_ON = 2     /**< to a length of 1, so that the product of two is their cosine */
} dragoman_normalize;

/** The vectors to make. */
typedef struct dragoman_embed_options {
    uint32_t struct_size;          /**< bytes of this struct, set by dragoman_embed_options_init() */
    int32_t pooling;               /**< dragoman_pooling */
    int32_t normalize;             /**< dragoman_normalize */
    uint32_t max_tokens;           /**< of a text, with those around it; 0 (default): as many as the model takes */
    int32_t truncate;              /**< 1: a longer text is cut; 0 (default): it is an error */
    uint32_t reserved;             /**< 0 */
    const char* source_language;   /**< as in dragoman_translate_options, for models whose encoder gets it */
    const char* target_language;   /**< for models whose encoder gets it */
    dragoman_progress_fn progress; /**< counts texts, on the calling thread; NULL (default): none */
    void* progress_user;           /**< for progress */
} dragoman_embed_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_embed_options_init_sized(dragoman_embed_options* options, size_t struct_size);
/** As dragoman_embed_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_embed_options_init(dragoman_embed_options* options) {
    return dragoman_embed_options_init_sized(options, sizeof *options);
}

/** Vectors of the texts of one call, in their order. Never changes; any number of threads may read it. */
typedef struct dragoman_vectors dragoman_vectors;

/**
 * Vectors of `count` texts, by the encoder of a model that translates or by one alone. Each text is one sequence: it is
 * not split into sentences. An empty text has the vector of what stands around it. `options` NULL: the defaults. Runs
 * between translations on the same device, batch by batch. Any thread, any number at the same time.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming text and byte offset, and a text of too many tokens),
 * DRAGOMAN_UNSUPPORTED for a model without tokenizer, an ensemble, and a pooler that the model lacks,
 * DRAGOMAN_DEVICE_LOST, DRAGOMAN_CANCELLED.
 */
DRAGOMAN_API dragoman_status dragoman_embed_texts(const dragoman_model* model, const dragoman_string* texts,
                                                  size_t count, const dragoman_embed_options* options,
                                                  dragoman_vectors** vectors);

/** Ends the handle and everything borrowed from it. */
DRAGOMAN_API void dragoman_vectors_destroy(dragoman_vectors* vectors);

/** Number of texts; 0 for NULL. */
DRAGOMAN_API size_t dragoman_vectors_count(const dragoman_vectors* vectors);

/** Numbers in each vector; 0 for NULL. */
DRAGOMAN_API size_t dragoman_vectors_width(const dragoman_vectors* vectors);

/**
 * The vectors of a text: one row, or with DRAGOMAN_POOLING_TOKENS one for each token. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_vectors_get(const dragoman_vectors* vectors, size_t text, dragoman_matrix* rows);

/** The vectors of all texts, one after the other. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_vectors_all(const dragoman_vectors* vectors, dragoman_matrix* rows);

/** The tokens that the encoder read, with those around the text. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_vectors_tokens(const dragoman_vectors* vectors, size_t text,
                                                     dragoman_tokens* tokens);

/**
 * For each of these tokens, the bytes of the given text that it stands for; those around the text have empty ranges.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_vectors_ranges(const dragoman_vectors* vectors, size_t text,
                                                     dragoman_ranges* ranges);

#ifdef __cplusplus
}
#endif

#endif
