/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_CONVERT_H
#define DRAGOMAN_CONVERT_H

/**
 * @file
 * Models as one file. Part of dragoman.h, which has the rules.
 */

#include <dragoman/translator.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the matrices of a converted model are stored. Tensors that are not multiplied have 32 or 16 bits. */
typedef enum dragoman_weight_type {
    DRAGOMAN_WEIGHTS_KEEP = 0, /**< as they are; int8 keeps its scales */
    DRAGOMAN_WEIGHTS_F32 = 1,  /**< 32 bits, which hold any weight of a model */
    DRAGOMAN_WEIGHTS_F16 = 2,  /**< 16 bits; DRAGOMAN_UNSUPPORTED for numbers beyond 65504 */
    DRAGOMAN_WEIGHTS_Q8 = 3,   /**< 8.5 bits: blocks of 32 whole numbers with a scale */
    DRAGOMAN_WEIGHTS_Q4 = 4    /**< 5 bits: blocks of 32 with scale and offset */
} dragoman_weight_type;

/** How a model is converted. */
typedef struct dragoman_convert_options {
    uint32_t struct_size;          /**< bytes of this struct, set by dragoman_convert_options_init() */
    int32_t weight_type;           /**< a dragoman_weight_type; default DRAGOMAN_WEIGHTS_KEEP */
    int32_t replace;               /**< 1: an old file of this name is replaced; default 0: that is an error */
    uint32_t reserved;             /**< 0 */
    dragoman_progress_fn progress; /**< NULL (default): none; bytes written, on the thread that asked */
    void* progress_user;           /**< for progress */
    const char* alignment_text;    /**< a hundred sentences to translate, UTF-8: the file names the decoder's heads that
                                        align words best; NULL (default): those that the model names */
    const char* source_language;   /**< of both texts, as in dragoman_translate_options; NULL (default): unknown */
    const char* target_language;   /**< of both, as there; NULL (default): the only one */
    const dragoman_device* device; /**< to translate these texts on; NULL (default): the default device */
    const char* quality_pairs; /**< 200 lines or more, UTF-8: a source, a tab, its translation by a person, and behind
                                        another tab the target language, if it is another one: the file has weights of
                                        quality estimates for this model (docs/quality.md); NULL (default): none */
} dragoman_convert_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_convert_options_init_sized(dragoman_convert_options* options, size_t struct_size);
/** As dragoman_convert_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_convert_options_init(dragoman_convert_options* options) {
    return dragoman_convert_options_init_sized(options, sizeof *options);
}

/**
 * Writes the model at `path` (of any format; NULL: the default model, see dragoman_model_load()) as one GGUF file with
 * everything it needs, vocabularies and tokenizer too (docs/gguf.md). The file appears only when it is complete. Needs
 * no device, unless there are texts to translate. `options` NULL: the defaults. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR (also for a file that exists), DRAGOMAN_BAD_MODEL,
 * DRAGOMAN_UNSUPPORTED (a weight that the type cannot hold), DRAGOMAN_CANCELLED.
 */
DRAGOMAN_API dragoman_status dragoman_model_convert(const char* path, const char* out_path,
                                                    const dragoman_convert_options* options);

#ifdef __cplusplus
}
#endif

#endif
