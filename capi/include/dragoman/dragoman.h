/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_H
#define DRAGOMAN_H

/**
 * @file
 * Dragoman: translation on any GPU, through Vulkan.
 *
 *     dragoman_model* model = NULL;
 *     dragoman_translator* translator = NULL;
 *     dragoman_result* result = NULL;
 *     dragoman_model_load("path/to/model", NULL, &model);
 *     dragoman_translator_create(model, &translator);
 *     dragoman_translate_texts(translator, &text, 1, NULL, NULL, &result);
 *
 * Rules that hold for every function:
 *
 * - Status. A function that can fail returns a dragoman_status and gives its result through its last parameter.
 *   Unless it returns DRAGOMAN_OK, that result is NULL or untouched. dragoman_last_error() says what was wrong.
 *   DRAGOMAN_OUT_OF_MEMORY and DRAGOMAN_INTERNAL can come from any of them and are not listed again below.
 * - Ownership. A handle (model, translator, result, scores) belongs to the caller, who ends it with the matching
 *   `..._destroy`; destroying NULL does nothing. Everything else is borrowed: strings, tokens and matrices read from a
 *   handle live until that handle is destroyed.
 * - Input is only read during the call; nothing the caller passes needs to outlive it.
 * - Text is UTF-8 with its length in bytes. Text from the library is UTF-8, and a zero byte follows it.
 *   Paths and device names are UTF-8 that ends with a zero byte.
 * - Structs that start with `struct_size` are prepared by their `..._init` function, which fills in size and defaults.
 *   That is how a program keeps working with a newer library, and with an older one: fields are only ever added at the
 *   end. Options that are smaller than the library's get its defaults for what they lack; larger ones are accepted when
 *   the bytes it does not know are zero. Of information the library writes as much as fits, and zeros for the rest.
 *   (A language without this header zeroes the struct, sets `struct_size` and, for options, calls `..._init_sized`.)
 * - NULL is an error (DRAGOMAN_INVALID_ARGUMENT, naming the argument) unless its function says what it means.
 * - Threads. Different handles may be used by different threads at the same time; what one handle allows is said where
 *   its type is. A handle must not be destroyed while another thread uses it.
 * - No C++ exception leaves the library. A callback must return normally: no exceptions, no longjmp.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_WIN32) && !defined(DRAGOMAN_STATIC)
#  if defined(DRAGOMAN_BUILDING)
#    define DRAGOMAN_API __declspec(dllexport)
#  else
#    define DRAGOMAN_API __declspec(dllimport)
#  endif
#elif defined(__GNUC__)
#  define DRAGOMAN_API __attribute__((visibility("default")))
#else
#  define DRAGOMAN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ----------------------------------------------------------------------------------------------------- */

/** Version of this header. Until 1.0 a new minor version may change the interface. */
#define DRAGOMAN_VERSION_MAJOR 0
#define DRAGOMAN_VERSION_MINOR 1
#define DRAGOMAN_VERSION_PATCH 0
#define DRAGOMAN_VERSION_NUMBER(major, minor, patch) (((major) * 10000) + ((minor) * 100) + (patch))
#define DRAGOMAN_VERSION \
    DRAGOMAN_VERSION_NUMBER(DRAGOMAN_VERSION_MAJOR, DRAGOMAN_VERSION_MINOR, DRAGOMAN_VERSION_PATCH)

/** Version of the library that runs, comparable with DRAGOMAN_VERSION. Any thread. */
DRAGOMAN_API uint32_t dragoman_version(void);

/** The same as text, "0.1.0". Static storage. Any thread. */
DRAGOMAN_API const char* dragoman_version_string(void);

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

/** Bytes of a text or token, inputs of a call, tokens of a sequence: more is DRAGOMAN_INVALID_ARGUMENT. */
#define DRAGOMAN_MAX_TEXT_BYTES ((size_t)1 << 28)
#define DRAGOMAN_MAX_INPUTS ((size_t)1 << 24)
#define DRAGOMAN_MAX_TOKENS ((size_t)1 << 24)

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/** What a caller can act on. The sentence for a person is dragoman_last_error(). */
typedef enum dragoman_status {
    DRAGOMAN_OK = 0,
    DRAGOMAN_INVALID_ARGUMENT = 1, /**< an option, text or handle the caller passed */
    DRAGOMAN_BAD_MODEL = 2,        /**< a model file that is broken, incomplete or contradicts itself */
    DRAGOMAN_UNSUPPORTED = 3,      /**< a sound request that this library, model or device cannot fulfil */
    DRAGOMAN_OUT_OF_MEMORY = 4,    /**< host or device memory ran out, or the memory limit was reached */
    DRAGOMAN_DEVICE_LOST = 5,      /**< the device stopped answering; load the model again */
    DRAGOMAN_NO_DEVICE = 6,        /**< no Vulkan loader, no driver, or no device that fits the request */
    DRAGOMAN_IO_ERROR = 7,         /**< a file that cannot be read or written */
    DRAGOMAN_CANCELLED = 8,        /**< the progress callback asked to stop */
    DRAGOMAN_INTERNAL = 9          /**< a fault of the library */
} dragoman_status;

/** "ok", "invalid_argument", ...; "unknown" for any other number. Static storage. Any thread. */
DRAGOMAN_API const char* dragoman_status_name(int32_t status);

/**
 * The message of the last failed call on this thread; "" after a call that succeeded. Never NULL.
 * Valid until this thread calls any function that returns a dragoman_status.
 */
DRAGOMAN_API const char* dragoman_last_error(void);

/* ---- Logging ----------------------------------------------------------------------------------------------------- */

/** Levels of a log line; a lower number is more urgent. */
typedef enum dragoman_log_level {
    DRAGOMAN_LOG_ERROR = 0,
    DRAGOMAN_LOG_WARNING = 1,
    DRAGOMAN_LOG_INFO = 2,
    DRAGOMAN_LOG_DEBUG = 3
} dragoman_log_level;

/**
 * Receives one line, without a line feed and valid during the call. Runs on whichever thread logs; calls never overlap.
 * It must not call the library.
 */
typedef void (*dragoman_log_fn)(int32_t level, const char* line, void* user);

/**
 * Sends log lines up to `max_level` (a dragoman_log_level) to `callback`. For the whole process.
 * A NULL callback restores the default, errors and warnings to stderr (more with DRAGOMAN_LOG=info or debug in the
 * environment), and ignores the other arguments. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT for an unknown level.
 */
DRAGOMAN_API dragoman_status dragoman_set_log(dragoman_log_fn callback, void* user, int32_t max_level);

/* ---- Strings, tokens, matrices ----------------------------------------------------------------------------------- */

/** UTF-8 text: `size` bytes at `data`. NULL is allowed when the size is 0. */
typedef struct dragoman_string {
    const char* data;
    size_t size;
} dragoman_string;

/** A sequence of tokens, spelled as in the model's vocabulary. NULL is allowed when the count is 0. */
typedef struct dragoman_tokens {
    const dragoman_string* data;
    size_t count;
} dragoman_tokens;

/** Row-major: element (row, col) is data[row * cols + col]. */
typedef struct dragoman_matrix {
    const float* data;
    size_t rows;
    size_t cols;
} dragoman_matrix;

/** The text up to its zero byte, borrowed; NULL gives an empty text. */
static inline dragoman_string dragoman_str(const char* text) {
    dragoman_string result;
    result.data = text;
    result.size = 0;
    if (text) {
        while (text[result.size] != '\0') ++result.size;
    }
    return result;
}

/**
 * Length in bytes of the longest well-formed UTF-8 prefix of a text: `size` when all of it is. `text` NULL: 0.
 * Any thread.
 */
DRAGOMAN_API size_t dragoman_utf8_prefix(const char* text, size_t size);

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

/** Kinds of device, best first. */
typedef enum dragoman_device_kind {
    DRAGOMAN_DEVICE_DISCRETE = 0,
    DRAGOMAN_DEVICE_INTEGRATED = 1,
    DRAGOMAN_DEVICE_VIRTUAL = 2,
    DRAGOMAN_DEVICE_CPU = 3,
    DRAGOMAN_DEVICE_OTHER = 4
} dragoman_device_kind;

/** Facts about a device. Flags are 0 or 1. Names that are too long are cut. */
typedef struct dragoman_device_info {
    uint32_t struct_size;
    uint32_t index;              /**< place in the list, valid as a device name in dragoman_model_options */
    int32_t kind;                /**< a dragoman_device_kind */
    uint32_t vendor_id;          /**< PCI */
    uint32_t device_id;          /**< PCI */
    uint32_t api_version;        /**< Vulkan: major << 22 | minor << 12 | patch */
    uint32_t driver_version;     /**< as the driver encodes it */
    uint32_t subgroup_size;      /**< invocations */
    int32_t f16;                 /**< 16-bit floats can be stored and computed with */
    int32_t cooperative_matrix;  /**< VK_KHR_cooperative_matrix with f16 operands and f32 sums */
    int32_t integer_dot_product;
    int32_t unified_memory;      /**< the device's memory is the host's */
    uint64_t memory_bytes;       /**< largest device-local heap */
    uint64_t max_buffer_bytes;   /**< largest buffer that a shader can see */
    uint8_t uuid[16];
    char name[256];
    char driver[256];
} dragoman_device_info;

/** Prepares `info` for dragoman_device_describe() or dragoman_model_device(). */
static inline void dragoman_device_info_init(dragoman_device_info* info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/**
 * Number of Vulkan devices; 0 where there is a Vulkan loader but no driver. Any thread.
 * Statuses: DRAGOMAN_NO_DEVICE where there is no Vulkan loader.
 */
DRAGOMAN_API dragoman_status dragoman_device_count(uint32_t* count);

/**
 * Describes device `index` < count, in the order of the drivers. Asks the drivers anew at every call. Any thread.
 * Statuses: DRAGOMAN_NO_DEVICE, also for an index that is too large.
 */
DRAGOMAN_API dragoman_status dragoman_device_describe(uint32_t index, dragoman_device_info* info);

/* ---- Models ------------------------------------------------------------------------------------------------------ */

/** A model on a device: weights and vocabularies. Never changes; any number of threads and translators share it. */
typedef struct dragoman_model dragoman_model;

/** The numbers a model computes with on the device. */
typedef enum dragoman_compute_type {
    DRAGOMAN_COMPUTE_AUTO = 0, /**< int8 for a model made for it, else f16 on a GPU that has it, f32 elsewhere */
    DRAGOMAN_COMPUTE_F32 = 1,
    DRAGOMAN_COMPUTE_F16 = 2,  /**< DRAGOMAN_UNSUPPORTED on a device without it */
    /** Matrix products of int8 numbers, the rest in f32; DRAGOMAN_UNSUPPORTED for a model not made for it */
    DRAGOMAN_COMPUTE_INT8 = 3
} dragoman_compute_type;

/** How a model is loaded. */
typedef struct dragoman_model_options {
    uint32_t struct_size;
    int32_t compute_type;        /**< a dragoman_compute_type; default DRAGOMAN_COMPUTE_AUTO */
    /**
     * Which device: a number is its index, 32 hexadecimal digits (dashes allowed) its UUID, anything else a part of its
     * name in any case. NULL or "" (default): DRAGOMAN_DEVICE from the environment, else the best one, discrete before
     * integrated before virtual before CPU.
     */
    const char* device;
    /**
     * Folder for compiled pipelines. NULL or "" (default): DRAGOMAN_CACHE_DIR from the environment, else the user's
     * cache folder. "-": none.
     */
    const char* cache_dir;
    uint64_t memory_limit_bytes; /**< device memory the model and its translators may hold; 0 (default): no limit */
    int32_t validation;          /**< 1: run under the Vulkan validation layer where it is installed; default 0 */
    uint32_t reserved;           /**< 0 */
} dragoman_model_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_model_options_init_sized(dragoman_model_options* options, size_t struct_size);
static inline dragoman_status dragoman_model_options_init(dragoman_model_options* options) {
    return dragoman_model_options_init_sized(options, sizeof *options);
}

/**
 * Reads a model, a directory, a zip archive or a GGUF file, and puts its weights on a device. `path` NULL: the model DRAGOMAN_MODEL
 * names in the environment, else the one that comes with the library (German-English and English-German), found in
 * share/dragoman/models near the library's file. `options` NULL: the defaults. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR, DRAGOMAN_BAD_MODEL, DRAGOMAN_UNSUPPORTED,
 * DRAGOMAN_OUT_OF_MEMORY, DRAGOMAN_NO_DEVICE, DRAGOMAN_DEVICE_LOST.
 */
DRAGOMAN_API dragoman_status dragoman_model_load(const char* path, const dragoman_model_options* options,
                                                 dragoman_model** model);

/** Ends the handle. Translators made from it keep what they need, so the order of destruction does not matter. */
DRAGOMAN_API void dragoman_model_destroy(dragoman_model* model);

/** What a model is. */
typedef struct dragoman_model_info {
    uint32_t struct_size;
    int32_t has_tokenizer;      /**< 1: takes and gives text; 0: only tokens */
    uint32_t d_model;           /**< width */
    uint32_t heads;
    uint32_t encoder_layers;
    uint32_t decoder_layers;
    uint32_t encoder_ffn;       /**< width of the feed-forward blocks */
    uint32_t decoder_ffn;
    uint32_t source_vocabulary; /**< tokens */
    uint32_t target_vocabulary;
    uint64_t parameters;
    uint64_t file_bytes;
    uint64_t device_bytes;      /**< weights on the device; 0 from dragoman_model_describe() */
    char format[32];            /**< "ctranslate2" */
    char family[64];            /**< "TransformerSpec" */
    char stored_types[128];     /**< types of the weights in the file, "int8, float32" */
    char compute_type[16];      /**< "float32", "float16" or "int8"; "" from dragoman_model_describe() */
    /* What the files say about the model, cut where it does not fit; "" where they say nothing. */
    char source_languages[256]; /**< codes as the format has them, "de, en" */
    char target_languages[1024];
    char version[32];
    char license[1024];         /**< beginning of the licence, or its name */
    char path[1024];            /**< where the model was found */
} dragoman_model_info;

/** Prepares `info` for the next two functions. */
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

/** Describes the device a model is on. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_model_device(const dragoman_model* model, dragoman_device_info* info);

/* ---- Translators ------------------------------------------------------------------------------------------------- */

/**
 * Working memory for translating with one model. Any thread may use it, one call at a time: calls from several threads
 * wait for each other. Several translators of one model run side by side.
 */
typedef struct dragoman_translator dragoman_translator;

/** Makes a translator. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_UNSUPPORTED, DRAGOMAN_DEVICE_LOST. */
DRAGOMAN_API dragoman_status dragoman_translator_create(const dragoman_model* model, dragoman_translator** translator);

/** Ends the handle and gives its memory back. Results live on. */
DRAGOMAN_API void dragoman_translator_destroy(dragoman_translator* translator);

/**
 * Called now and then during a translation, on the thread that asked for it, with the number of inputs done; of texts,
 * the number of different sentences in all of them.
 * Return 0 to go on; anything else stops, and the call returns DRAGOMAN_CANCELLED. It must not use the translator.
 */
typedef int32_t (*dragoman_progress_fn)(size_t done, size_t total, void* user);

/** For attention_head: the mean of all heads. */
#define DRAGOMAN_ALL_HEADS UINT32_MAX

/** Whose beam search. The engines differ in what ends it, which hypotheses compete and how they are scored. */
typedef enum dragoman_search {
    DRAGOMAN_SEARCH_AUTO = 0,        /**< that of the engine the model's format belongs to */
    DRAGOMAN_SEARCH_CTRANSLATE2 = 1,
    DRAGOMAN_SEARCH_MARIAN = 2,
    DRAGOMAN_SEARCH_HUGGINGFACE = 3
} dragoman_search;

/** What ends a search of Hugging Face's once as many hypotheses as beams have finished. */
typedef enum dragoman_early_stopping {
    DRAGOMAN_EARLY_STOPPING_AUTO = 0, /**< as the model says */
    DRAGOMAN_EARLY_STOPPING_OFF = 1,  /**< the best live beam scores worse than all of them */
    DRAGOMAN_EARLY_STOPPING_ON = 2,   /**< nothing else */
    DRAGOMAN_EARLY_STOPPING_NEVER = 3 /**< even at the longest length the best live beam would score worse */
} dragoman_early_stopping;

/** A count that is as the model says, or the engine it was made for (docs/options.md). For numbers: NAN. */
#define DRAGOMAN_MODEL_DEFAULT UINT32_MAX

/** How to decode. docs/options.md gives the formulas. Flags are 0 (default) or 1. "The model's": see above. */
typedef struct dragoman_translate_options {
    uint32_t struct_size;
    uint32_t beam_size;            /**< 1 (greedy) to 64; default the model's */
    float patience;                /**< a search ends with round(beam_size * patience) hypotheses; default 1 */
    float length_penalty;          /**< score = sum of log-probabilities / length ^ this; default the model's */
    float coverage_penalty;        /**< weight of the reward for source tokens attended to; default 0 */
    float repetition_penalty;      /**< above 1: tokens already there become less likely; default the model's */
    uint32_t no_repeat_ngram_size; /**< no sequence of this many tokens comes twice; 0: off; default the model's */
    float prefix_bias_beta;        /**< 0 (default): a target prefix is forced; up to 1: made more likely */
    uint32_t max_input_length;     /**< source tokens; longer inputs are cut; 0: no limit; default 1024 */
    uint32_t max_decoding_length;  /**< target tokens, end token included; 1 to 4096, default the model's */
    uint32_t min_decoding_length;  /**< default the model's */
    uint32_t num_hypotheses;       /**< per input, at most round(beam_size * patience); default 1 */
    float min_alternative_expansion_prob; /**< with return_alternatives: least probable alternative; default 0 */
    int32_t disable_unk;           /**< never produce the unknown token */
    int32_t return_end_token;      /**< keep the end token in the result */
    int32_t return_scores;         /**< else every score is 0 */
    int32_t return_attention;      /**< see dragoman_result_attention() */
    int32_t return_alternatives;   /**< hypotheses that differ in the first token after the prefix */
    int32_t replace_unknowns;      /**< the source token most attended to stands in for an unknown token */
    uint32_t max_batch_tokens;     /**< source tokens per device batch; 0 (default): chosen from memory */
    uint32_t max_batch_size;       /**< inputs per device batch; 0 (default): chosen */
    uint32_t reserved;             /**< 0 */
    const dragoman_tokens* suppress_sequences; /**< token sequences that must not be produced; NULL if there are none */
    size_t suppress_sequence_count;
    const dragoman_string* end_tokens; /**< tokens that end a translation; NULL (default): the model's */
    size_t end_token_count;
    dragoman_progress_fn progress; /**< NULL (default): none */
    void* progress_user;
    int32_t search;                /**< dragoman_search */
    float word_penalty;            /**< Marian's search: taken off for each token; default the model's */
    float max_length_factor;       /**< target tokens per source token at most; 0: any; default the model's */
    int32_t early_stopping;        /**< dragoman_early_stopping; Hugging Face's search */
    /* Of texts; dragoman_translate_tokens() ignores these. */
    const char* source_language;  /**< a code as "de", for finding sentences; NULL or "" (default): unknown */
    const char* target_language;  /**< of models with language codes; NULL or "" (default): none */
    int32_t split_sentences;      /**< default 1; 0: each text is one sequence, which max_input_length cuts */
    int32_t join_lines;           /**< 1: a line break is a space, a blank line ends a paragraph; default 0 */
    uint32_t max_segment_tokens;  /**< longer sentences are translated in parts; 0 (default): 128 */
    int32_t discard_tokens;       /**< 1: no tokens in the result, which takes much less memory; default 0 */
    uint32_t attention_layer;      /**< of the decoder, from 1; 0 (default): the layer the model names for alignment */
    uint32_t attention_head;       /**< from 1; 0 (default): the mean of the heads the model names; DRAGOMAN_ALL_HEADS */
    int32_t use_shortlist;        /**< 1: only tokens of the model's lexical shortlist may come (Marian); default 0 */
    uint32_t reserved2;           /**< 0 */
} dragoman_translate_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_translate_options_init_sized(dragoman_translate_options* options,
                                                                   size_t struct_size);
static inline dragoman_status dragoman_translate_options_init(dragoman_translate_options* options) {
    return dragoman_translate_options_init_sized(options, sizeof *options);
}

/** Translations of the inputs of one call, in their order. Never changes; any number of threads may read it. */
typedef struct dragoman_result dragoman_result;

/**
 * Translates `count` texts of any length, sentence by sentence. What is between sentences (white space, line breaks,
 * list bullets) is copied; so is a sentence of nothing but unknown tokens. An empty text gives an empty translation. A text
 * may begin with one of the model's language codes, ">>de<<", which counts more than target_language. Hypothesis i of a
 * text is made of the i-th hypotheses of its sentences.
 * `prefixes` holds one sequence of target tokens for each text, for its first sentence (see prefix_bias_beta); NULL:
 * none. `options` NULL: the defaults. Batches of any size give the same translations.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming input and byte offset), DRAGOMAN_UNSUPPORTED for a
 * model without tokenizer, DRAGOMAN_DEVICE_LOST, DRAGOMAN_CANCELLED.
 */
DRAGOMAN_API dragoman_status dragoman_translate_texts(dragoman_translator* translator, const dragoman_string* texts,
                                                      size_t count, const dragoman_tokens* prefixes,
                                                      const dragoman_translate_options* options,
                                                      dragoman_result** result);

/**
 * Translates `count` sequences of source tokens, as they stand: the caller gives them as the model was trained on them.
 * A token outside the vocabulary counts as the unknown token. The rest is as in dragoman_translate_texts().
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_DEVICE_LOST, DRAGOMAN_CANCELLED.
 */
DRAGOMAN_API dragoman_status dragoman_translate_tokens(dragoman_translator* translator, const dragoman_tokens* sources,
                                                       size_t count, const dragoman_tokens* prefixes,
                                                       const dragoman_translate_options* options,
                                                       dragoman_result** result);

/** Ends the handle and everything borrowed from it. */
DRAGOMAN_API void dragoman_result_destroy(dragoman_result* result);

/** Number of inputs; 0 for NULL. */
DRAGOMAN_API size_t dragoman_result_count(const dragoman_result* result);

/** Number of hypotheses for an input, at least 1; 0 for NULL or an input out of range. */
DRAGOMAN_API size_t dragoman_result_hypothesis_count(const dragoman_result* result, size_t input);

/** The source tokens of an input, of all its sentences, before any cut. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_result_source_tokens(const dragoman_result* result, size_t input,
                                                           dragoman_tokens* tokens);

/**
 * The text of a hypothesis, 0 being the best. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range), DRAGOMAN_UNSUPPORTED
 * for a model without tokenizer.
 */
DRAGOMAN_API dragoman_status dragoman_result_text(const dragoman_result* result, size_t input, size_t hypothesis,
                                                  dragoman_string* text);

/** The target tokens of a hypothesis, of all its sentences. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_result_tokens(const dragoman_result* result, size_t input, size_t hypothesis,
                                                    dragoman_tokens* tokens);

/**
 * Sum of natural log-probabilities, normalised as length_penalty and coverage_penalty say; 0 unless return_scores was
 * set. Of a text of several sentences their mean, weighted by target tokens. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
 */
DRAGOMAN_API dragoman_status dragoman_result_score(const dragoman_result* result, size_t input, size_t hypothesis,
                                                   float* score);

/**
 * Cross attention of a hypothesis: a row per target token (end token included where it was reached and
 * return_end_token set), a column per source token; columns of source tokens that were cut are 0. No rows and columns
 * unless return_attention was set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range), DRAGOMAN_UNSUPPORTED for a text
 * of several sentences, which have dragoman_result_sentence_attention().
 */
DRAGOMAN_API dragoman_status dragoman_result_attention(const dragoman_result* result, size_t input, size_t hypothesis,
                                                       dragoman_matrix* attention);

/** A sentence of a text, or a part of one that was too long, and its translation. Ends are behind the last. */
typedef struct dragoman_sentence {
    uint32_t struct_size;
    float score;               /**< as dragoman_result_score() */
    size_t source_begin;       /**< bytes of the text that was given */
    size_t source_end;
    size_t target_begin;       /**< bytes of the hypothesis's text */
    size_t target_end;
    size_t source_token_begin; /**< in dragoman_result_source_tokens() */
    size_t source_token_end;
    size_t target_token_begin; /**< in dragoman_result_tokens() */
    size_t target_token_end;
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

/** Attention within a sentence, as dragoman_result_attention(). Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range). */
DRAGOMAN_API dragoman_status dragoman_result_sentence_attention(const dragoman_result* result, size_t input,
                                                                size_t hypothesis, size_t sentence,
                                                                dragoman_matrix* attention);

/* ---- Scoring given translations ---------------------------------------------------------------------------------- */

/** How to score. */
typedef struct dragoman_score_options {
    uint32_t struct_size;
    uint32_t max_input_length; /**< tokens; longer sources and targets are cut; 0: no limit; default 1024 */
} dragoman_score_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_score_options_init_sized(dragoman_score_options* options, size_t struct_size);
static inline dragoman_status dragoman_score_options_init(dragoman_score_options* options) {
    return dragoman_score_options_init_sized(options, sizeof *options);
}

/** Scores of the pairs of one call, in their order. Never changes; any number of threads may read it. */
typedef struct dragoman_scores dragoman_scores;

/**
 * The log-probability of each target token, and of the end token, given its source. `options` NULL: the defaults.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_DEVICE_LOST.
 */
DRAGOMAN_API dragoman_status dragoman_score_tokens(dragoman_translator* translator, const dragoman_tokens* sources,
                                                   const dragoman_tokens* targets, size_t count,
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

/* ---- Statistics and memory --------------------------------------------------------------------------------------- */

/**
 * Counters of a translator since it was made or dragoman_translator_reset_stats() was called. Submissions, waits and
 * dispatches are counted by device and so include other translators of the same model at work in that time.
 */
typedef struct dragoman_stats {
    uint32_t struct_size;
    uint32_t reserved;            /**< 0 */
    uint64_t sentences;           /**< inputs */
    uint64_t source_tokens;
    uint64_t target_tokens;
    uint64_t batches;
    uint64_t decoder_steps;       /**< replays of the recorded decoder step */
    uint64_t dispatches_per_step; /**< of the last batch */
    uint64_t padding_tokens;      /**< computed for nothing */
    uint64_t submissions;         /**< command submissions to the device */
    uint64_t host_waits;          /**< times the host waited for the device */
    uint64_t dispatches;          /**< compute dispatches */
    uint64_t memory_bytes;        /**< device memory held now by the model and all its translators */
    uint64_t memory_peak_bytes;
} dragoman_stats;

/** Prepares `stats` for dragoman_translator_stats(). */
static inline void dragoman_stats_init(dragoman_stats* stats) {
    memset(stats, 0, sizeof *stats);
    stats->struct_size = (uint32_t)sizeof *stats;
}

/** Reads the counters. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_translator_stats(const dragoman_translator* translator, dragoman_stats* stats);

/** Sets the counters to 0. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_translator_reset_stats(dragoman_translator* translator);

/** Gives back device memory that the next call can take again. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_translator_trim(dragoman_translator* translator);

/* ---- Converting -------------------------------------------------------------------------------------------------- */

/** How the matrices of a converted model are stored. What is not multiplied stays float32 or 16 bits. */
typedef enum dragoman_weight_type {
    DRAGOMAN_WEIGHTS_KEEP = 0, /**< as they are, int8 with its scales too */
    DRAGOMAN_WEIGHTS_F32 = 1,
    DRAGOMAN_WEIGHTS_F16 = 2,
    DRAGOMAN_WEIGHTS_Q8 = 3,   /**< 8.5 bits: blocks of 32 whole numbers with a scale */
    DRAGOMAN_WEIGHTS_Q4 = 4    /**< 5 bits: blocks of 32 with scale and offset */
} dragoman_weight_type;

/** How a model is converted. */
typedef struct dragoman_convert_options {
    uint32_t struct_size;
    int32_t weight_type;           /**< a dragoman_weight_type; default DRAGOMAN_WEIGHTS_KEEP */
    int32_t replace;               /**< 1: an old file of this name is replaced; default 0: that is an error */
    uint32_t reserved;             /**< 0 */
    dragoman_progress_fn progress; /**< NULL (default): none; bytes written, on the thread that asked */
    void* progress_user;
} dragoman_convert_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_convert_options_init_sized(dragoman_convert_options* options,
                                                                 size_t struct_size);
static inline dragoman_status dragoman_convert_options_init(dragoman_convert_options* options) {
    return dragoman_convert_options_init_sized(options, sizeof *options);
}

/**
 * Writes the model at `path` (of any format; NULL: the default model, see dragoman_model_load()) as one GGUF file with
 * everything it needs, vocabularies and tokenizer too (docs/gguf.md). The file is there whole or not at all. Needs no
 * device. `options` NULL: the defaults. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR (also for a file that is there already), DRAGOMAN_BAD_MODEL,
 * DRAGOMAN_UNSUPPORTED (a weight that the type cannot hold), DRAGOMAN_CANCELLED.
 */
DRAGOMAN_API dragoman_status dragoman_model_convert(const char* path, const char* out_path,
                                                    const dragoman_convert_options* options);

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

/** What to measure. Flags are 0 or 1. */
typedef struct dragoman_bench_options {
    uint32_t struct_size;
    uint32_t repeat;              /**< timed runs after one that warms up; default 5 */
    uint32_t latency_samples;     /**< inputs translated alone, taken in turn; default 32; 0: none */
    uint32_t synthetic_sentences; /**< where there are no inputs: sentences of random words; default 32 */
    uint32_t synthetic_tokens;    /**< their length; default 25 */
    uint32_t seed;                /**< of the random words; default 1 */
    int32_t ceilings;             /**< what the device can do at best; default 1 */
    int32_t passes;               /**< the device's time by pass, where it has timestamps; default 1 */
} dragoman_bench_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_bench_options_init_sized(dragoman_bench_options* options, size_t struct_size);
static inline dragoman_status dragoman_bench_options_init(dragoman_bench_options* options) {
    return dragoman_bench_options_init_sized(options, sizeof *options);
}

/** What was measured. Never changes; any number of threads may read it. */
typedef struct dragoman_report dragoman_report;

/**
 * Loads the model at `path`, translates `count` texts again and again and measures: throughput, latency, memory, the
 * device's time by pass beside what it can do at best. Other work on the device or the machine shows in the numbers.
 * `count` 0: random words. The three options NULL: the defaults. Any thread.
 * Statuses: those of dragoman_model_load() and dragoman_translate_texts().
 */
DRAGOMAN_API dragoman_status dragoman_bench_texts(const char* path, const dragoman_model_options* model_options,
                                                  const dragoman_string* texts, size_t count,
                                                  const dragoman_translate_options* options,
                                                  const dragoman_bench_options* bench_options,
                                                  dragoman_report** report);

/** The same with sequences of source tokens, see dragoman_translate_tokens(). */
DRAGOMAN_API dragoman_status dragoman_bench_tokens(const char* path, const dragoman_model_options* model_options,
                                                   const dragoman_tokens* sources, size_t count,
                                                   const dragoman_translate_options* options,
                                                   const dragoman_bench_options* bench_options,
                                                   dragoman_report** report);

/** Ends the handle and everything borrowed from it. */
DRAGOMAN_API void dragoman_report_destroy(dragoman_report* report);

/** The report as a JSON object; docs/bench.md says what is in it. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_report_json(const dragoman_report* report, dragoman_string* json);

#ifdef __cplusplus
}
#endif

#endif
