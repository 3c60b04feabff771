/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_MODEL_H
#define DRAGOMAN_MODEL_H

/**
 * @file
 * Models on devices. Part of dragoman.h, which has the rules.
 */

#include <dragoman/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model on a device: weights and vocabularies. Never changes; any number of threads and translators share it. */
typedef struct dragoman_model dragoman_model;

/** The numbers a model computes with on the device. */
typedef enum dragoman_compute_type {
    /** f16 on a GPU that has it, otherwise int8 for a model made for it, otherwise f32 */
    DRAGOMAN_COMPUTE_AUTO = 0,
    DRAGOMAN_COMPUTE_F32 = 1, /**< the most exact, on every device */
    DRAGOMAN_COMPUTE_F16 = 2, /**< DRAGOMAN_UNSUPPORTED on a device without it */
    /** Matrix products of int8 numbers, the rest in f32. A model made for it has its own scales; the matrices of any other
        are rounded while it is loaded, each row by its largest number, and so are the inputs of products. */
    DRAGOMAN_COMPUTE_INT8 = 3,
    /** The same for every model, with the rest in f16; DRAGOMAN_UNSUPPORTED on a device without it */
    DRAGOMAN_COMPUTE_INT8_FLOAT16 = 4
} dragoman_compute_type;

/** How a model is loaded. */
typedef struct dragoman_model_options {
    uint32_t struct_size;          /**< bytes of this struct, set by dragoman_model_options_init() */
    int32_t compute_type;          /**< a dragoman_compute_type; default DRAGOMAN_COMPUTE_AUTO */
    const dragoman_device* device; /**< NULL (default): the device that all such models of the process share */
    /** Paths of further models of the same vocabulary, which predict each token together with the one that is loaded
        (an ensemble); NULL (default): none. Alignments are those of the first model. */
    const dragoman_string* more_models;
    size_t more_model_count; /**< how many; 0 (default): none */
    const float* weights;    /**< one for each model, above 0; NULL (default): those of its files, or 1 each */
    size_t weight_count;     /**< how many; 0 (default): none, otherwise 1 more than `more_models` */
    /** 0 (default): an ensemble's weighted log-probabilities are added up, as Marian does; 1: weighted probabilities */
    int32_t average_probabilities;
    uint32_t reserved; /**< 0 */
} dragoman_model_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_model_options_init_sized(dragoman_model_options* options, size_t struct_size);
/** As dragoman_model_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_model_options_init(dragoman_model_options* options) {
    return dragoman_model_options_init_sized(options, sizeof *options);
}

/**
 * Reads a model, a directory, a zip archive or a GGUF file, and puts its weights on a device. `path` NULL: the model
 * DRAGOMAN_MODEL names in the environment, otherwise the one that comes with the library (German-English and
 * English-German), found in share/dragoman/models near the library's file. `options` NULL: the defaults. Any thread.
 *
 * Here and wherever else a model's path is taken, also in DRAGOMAN_MODEL, it may be the name of a published model that is
 * on this machine: "firefox:de-en", "hf:facebook/nllb-200-distilled-600M", "argos:de_en". A file or folder of that very
 * name goes first. Models are looked for in DRAGOMAN_MODELS_DIR or the user's data folder, where downloads are kept, then
 * in the caches of Hugging Face, llama.cpp, fxtranslate, Argos Translate, translateLocally and ollama. Nothing is
 * downloaded here: DRAGOMAN_IO_ERROR names the command that does it.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR, DRAGOMAN_BAD_MODEL, DRAGOMAN_UNSUPPORTED,
 * DRAGOMAN_OUT_OF_MEMORY, DRAGOMAN_NO_DEVICE, DRAGOMAN_DEVICE_LOST.
 */
DRAGOMAN_API dragoman_status dragoman_model_load(const char* path, const dragoman_model_options* options,
                                                 dragoman_model** model);

/**
 * Reads `size` bytes from `offset` of a file into `buffer`; never beyond the size that was given, and at most 16 MiB at
 * a time. Returns 0, or any other number if it cannot. Runs on the thread that loads, during the call. It must not use
 * the library.
 */
typedef int32_t (*dragoman_read_fn)(uint64_t offset, void* buffer, size_t size, void* user);

/**
 * A file that the caller has: in memory (`data`), or read by a callback (`data` NULL). An empty one may have neither.
 */
typedef struct dragoman_file {
    const char* name;      /**< as in the model's folder, sub-folders with '/'; not NULL, not empty */
    const void* data;      /**< `size` bytes, only read during the call */
    uint64_t size;         /**< in bytes */
    dragoman_read_fn read; /**< used where `data` is NULL; each byte is asked for at most once */
    void* user;            /**< for `read` */
} dragoman_file;

/**
 * Loads a model from files that need not be in the file system: the files of its folder, with their names, or one file
 * that is a model by itself, such as a zip archive. Nothing of the caller's is needed or called after the return. Files
 * that the model needs and a callback reads are held in host memory until then. Any thread.
 * Statuses: those of dragoman_model_load(); DRAGOMAN_IO_ERROR for a callback that fails.
 */
DRAGOMAN_API dragoman_status dragoman_model_load_files(const dragoman_file* files, size_t count,
                                                       const dragoman_model_options* options, dragoman_model** model);

/** Ends the handle. Translators made from it keep what they need, so the order of destruction does not matter. */
DRAGOMAN_API void dragoman_model_destroy(dragoman_model* model);

/** Facts about a model. */
typedef struct dragoman_model_info {
    uint32_t struct_size;       /**< bytes of this struct, set by dragoman_model_info_init() */
    int32_t has_tokenizer;      /**< 1: takes and gives text; 0: only tokens */
    uint32_t d_model;           /**< width of the layers; of the states, where the model is recurrent */
    uint32_t heads;             /**< attention heads of a layer of the encoder, or of a decoder alone; 1: recurrent */
    uint32_t encoder_layers;    /**< layers of the encoder; 0: a decoder alone, which continues texts */
    uint32_t decoder_layers;    /**< layers of the decoder */
    uint32_t encoder_ffn;       /**< width of the encoder's feed-forward blocks; 0 where it has none */
    uint32_t decoder_ffn;       /**< width of the decoder's; 0 where it has none */
    uint32_t source_vocabulary; /**< number of tokens that may go in; 0: those that may come out */
    uint32_t target_vocabulary; /**< number of tokens that may come out */
    uint64_t parameters;        /**< numbers in all weights; those that several parts share count once */
    uint64_t file_bytes;        /**< size on disk of all files of the model, or of its one file */
    uint64_t device_bytes;      /**< weights on the device; 0 from dragoman_model_describe() */
    char format[32];            /**< "ctranslate2" */
    char family[64];            /**< "TransformerSpec" */
    char stored_types[128];     /**< types of the weights in the file, "int8, float32" */
    char compute_type[16]; /**< "float32", "float16", "int8" or "int8_float16"; "" from dragoman_model_describe() */
    /* What the files say about the model, cut where it does not fit; "" where they say nothing. Its languages:
       dragoman_model_languages(). */
    char version[32];   /**< of the model, as its files spell it */
    char license[1024]; /**< beginning of the licence, or its name */
    char path[1024];    /**< where the model was found; "memory" or "memory/NAME" for the caller's files */
    /** The tokens around a text and at the start of its translation, for any pair of languages:
        "{from} TEXT </s> => </s> {to} TEXT </s>". */
    char prompt[256];
    uint32_t networks;          /**< more than 1: an ensemble; widths and layers are those of the first one */
    uint32_t reserved;          /**< 0 */
    uint32_t max_source_tokens; /**< most tokens of a source, with those the model wants around it; 0: any number */
    uint32_t max_target_tokens; /**< most tokens of a translation, likewise */
    /** Features that the model does not support, with ", " between: "shortlist, names of languages"; "": nothing. */
    char lacks[256];
    /** Why that compute type: "asked for", "fastest on GPUs"; "" from dragoman_model_describe(). */
    char compute_reason[64];
} dragoman_model_info;

/** Prepares `info` for the next functions. */
static inline void dragoman_model_info_init(dragoman_model_info* info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/** Describes a loaded model. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_model_get_info(const dragoman_model* model, dragoman_model_info* info);

/**
 * Describes the model at `path` (NULL: the default model, see dragoman_model_load()) from its files alone; needs no
 * device. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR, DRAGOMAN_BAD_MODEL, DRAGOMAN_UNSUPPORTED.
 */
DRAGOMAN_API dragoman_status dragoman_model_describe(const char* path, dragoman_model_info* info);

/** The same for files as in dragoman_model_load_files(). Any thread. */
DRAGOMAN_API dragoman_status dragoman_model_describe_files(const dragoman_file* files, size_t count,
                                                           dragoman_model_info* info);

/** The side of a translation. */
typedef enum dragoman_side {
    DRAGOMAN_SIDE_SOURCE = 0, /**< the text that is translated */
    DRAGOMAN_SIDE_TARGET = 1  /**< the translation */
} dragoman_side;

/** A language of a model. */
typedef struct dragoman_language {
    const char* tag;  /**< BCP 47: "de", "pt-BR", "zh-Hant"; "und" for a code that belongs to no standard */
    const char* code; /**< as the model's files spell it, ">>de<<" without its marks, "deu_Latn" */
    const char* name; /**< in English, "German"; the code where there is none */
} dragoman_language;

/** Languages, in the order of the model's files. Never changes; any number of threads may read it. */
typedef struct dragoman_language_list dragoman_language_list;

/**
 * The languages that a model translates from (`side` DRAGOMAN_SIDE_SOURCE) or to; none if its files do not name them.
 * source_language and target_language of dragoman_translate_options take any tag or code that means one of them. Any
 * thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
 */
DRAGOMAN_API dragoman_status dragoman_model_languages(const dragoman_model* model, int32_t side,
                                                      dragoman_language_list** languages);

/**
 * The same of the model at `path` (NULL: the default model) from its files alone; needs no device. Any thread.
 * Statuses: those of dragoman_model_describe().
 */
DRAGOMAN_API dragoman_status dragoman_model_describe_languages(const char* path, int32_t side,
                                                               dragoman_language_list** languages);

/** The same for files as in dragoman_model_load_files(). Any thread. */
DRAGOMAN_API dragoman_status dragoman_model_describe_languages_files(const dragoman_file* files, size_t count,
                                                                     int32_t side, dragoman_language_list** languages);

/**
 * What dragoman_model_describe() and dragoman_model_describe_languages() of both sides tell, while the files are read
 * once. Any thread. Statuses: those of dragoman_model_describe().
 */
DRAGOMAN_API dragoman_status dragoman_model_describe_all(const char* path, dragoman_model_info* info,
                                                         dragoman_language_list** sources,
                                                         dragoman_language_list** targets);

/** Number of languages; 0 for NULL. Any thread. */
DRAGOMAN_API size_t dragoman_language_list_count(const dragoman_language_list* languages);

/** All languages, borrowed; NULL when there are none. Any thread. */
DRAGOMAN_API const dragoman_language* dragoman_language_list_data(const dragoman_language_list* languages);

/** Ends the handle and everything borrowed from it. Any thread. */
DRAGOMAN_API void dragoman_language_list_destroy(dragoman_language_list* languages);

/** Describes the device a model is on. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_model_device(const dragoman_model* model, dragoman_device_info* info);

/**
 * Memory of that device, and what everything on it holds, other models included. Any thread. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT.
 */
DRAGOMAN_API dragoman_status dragoman_model_memory(const dragoman_model* model, dragoman_memory_info* info);

#ifdef __cplusplus
}
#endif

#endif
