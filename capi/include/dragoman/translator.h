/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_TRANSLATOR_H
#define DRAGOMAN_TRANSLATOR_H

/**
 * @file
 * Translating. Part of dragoman.h, which has the rules.
 */

#include <dragoman/glossary.h>
#include <dragoman/memory.h>
#include <dragoman/model.h>
#include <dragoman/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Translators ------------------------------------------------------------------------------------------------- */

/**
 * Translates with one model. Any number of threads may use it at the same time: calls and jobs share the device,
 * sentence by sentence, and short ones overtake long ones. Several translators of one model share the device in the
 * same way.
 */
typedef struct dragoman_translator dragoman_translator;

/** Makes a translator. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_UNSUPPORTED, DRAGOMAN_DEVICE_LOST. */
DRAGOMAN_API dragoman_status dragoman_translator_create(const dragoman_model* model, dragoman_translator** translator);

/**
 * Makes a translator from one language to another over `count` models, which are on one device: the way with the fewest
 * of them, of these the one whose models have most parameters together. Each model takes what the one before it made of
 * a sentence, while that goes on with other sentences. Languages are as in dragoman_translate_options; the options of
 * calls may leave them out. Results have the last model's tokens and ranges, the first one's source tokens, attention
 * over these (through the texts between), and the sum of the scores; n-best lists are made of those of all models. The
 * translator takes texts without prefixes, scores nothing and tells no partial results. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also where no way leads there, naming the languages that can be reached, and
 * models on different devices), DRAGOMAN_UNSUPPORTED, DRAGOMAN_DEVICE_LOST.
 */
DRAGOMAN_API dragoman_status dragoman_translator_create_route(const dragoman_model* const* models, size_t count,
                                                              const char* source_language, const char* target_language,
                                                              dragoman_translator** translator);

/**
 * Finds that way from the models' files alone, without a device: `path` (room for `count` numbers) gets the places of the
 * models on the way, in its order, and `length` how many there are. Any thread.
 * Statuses: those of dragoman_model_describe() and dragoman_translator_create_route().
 */
DRAGOMAN_API dragoman_status dragoman_find_route(const char* const* models, size_t count, const char* source_language,
                                                 const char* target_language, size_t* path, size_t* length);

/**
 * Ends the handle and gives its memory back. Jobs that have not ended are cancelled, and this waits for their end.
 * Results and the handles of jobs live on. Any thread; called from a callback it does not wait, and the memory is freed
 * later.
 */
DRAGOMAN_API void dragoman_translator_destroy(dragoman_translator* translator);

/**
 * Called now and then during a translation, on the thread that asked for it (for a job on the translator's own thread),
 * with the number of inputs done; for texts, with the number of different sentences in all of them.
 * Return 0 to go on; anything else stops, and the call returns DRAGOMAN_CANCELLED. It must not use the translator.
 */
typedef int32_t (*dragoman_progress_fn)(size_t done, size_t total, void* user);

/** For attention_head: the mean of all heads. */
#define DRAGOMAN_ALL_HEADS UINT32_MAX

/* clang-format off */
/* ---- options: enumerations (made of capi/options.json by capi/tools/make_options.py) ---- */
/**
 * The engine whose beam search is used. The engines differ in what ends it, which hypotheses compete and how they are
 * scored.
 */
typedef enum dragoman_search {
    DRAGOMAN_SEARCH_AUTO = 0,        /**< the search of the engine that the model's format belongs to */
    DRAGOMAN_SEARCH_CTRANSLATE2 = 1, /**< CTranslate2's, the only one with coverage_penalty and prefix_bias_beta */
    DRAGOMAN_SEARCH_MARIAN = 2,      /**< Marian's, the only one with word_penalty */
    DRAGOMAN_SEARCH_HUGGINGFACE = 3  /**< the search of Hugging Face's transformers, the only one with early_stopping */
} dragoman_search;

/** When a search of Hugging Face's ends, once as many hypotheses as beams have finished. */
typedef enum dragoman_early_stopping {
    DRAGOMAN_EARLY_STOPPING_AUTO = 0, /**< as the model says */
    DRAGOMAN_EARLY_STOPPING_OFF = 1,  /**< the best live beam scores worse than all of them */
    DRAGOMAN_EARLY_STOPPING_ON = 2,   /**< nothing else */
    DRAGOMAN_EARLY_STOPPING_NEVER = 3 /**< even at the longest length the best live beam would score worse */
} dragoman_early_stopping;

/** Whether tokens are drawn by their probabilities, instead of the most probable ones taken. */
typedef enum dragoman_sampling {
    DRAGOMAN_SAMPLING_AUTO = 0, /**< as the model says */
    DRAGOMAN_SAMPLING_OFF = 1,  /**< beam search, or greedy search */
    DRAGOMAN_SAMPLING_ON = 2    /**< drawn; beam_size is 1 */
} dragoman_sampling;

/** The markup of a text. Its tags stay as they are, and the text between them is translated (docs/markup.md). */
typedef enum dragoman_markup {
    DRAGOMAN_MARKUP_NONE = 0, /**< words only */
    DRAGOMAN_MARKUP_HTML = 1, /**< a page or a part of one; what is broken is read as browsers do */
    DRAGOMAN_MARKUP_XML = 2   /**< a document; one that is not well-formed is an error */
} dragoman_markup;
/* ---- end of options ---- */
/* clang-format on */

/** For a count: as the model says, or the engine it was made for (docs/options.md). For other numbers: NAN. */
#define DRAGOMAN_MODEL_DEFAULT UINT32_MAX

/**
 * How to decode. docs/options.md gives the formulas. Flags are 0 (default) or 1. "The model's": see above.
 * dragoman_translate_tokens() ignores options "of texts", and a decoder-only model splits and joins nothing.
 */
typedef struct dragoman_translate_options {
    uint32_t struct_size; /**< bytes of this struct, set by dragoman_translate_options_init() */
    /* clang-format off */
    /* options: fields (made of capi/options.json by capi/tools/make_options.py) */
    uint32_t beam_size;           /**< 1 (greedy) to 64; default the model's */
    float patience;               /**< a search ends with round(beam_size * patience) hypotheses; default 1 */
    float length_penalty;         /**< score = sum of log-probabilities / length ^ this; default the model's */
    float coverage_penalty;       /**< weight of the reward for source tokens attended to; default 0 */
    float repetition_penalty;     /**< above 1: tokens that have occurred become less likely; default the model's */
    uint32_t no_repeat_ngram_size; /**< no sequence of this many tokens occurs twice; 0: off; default the model's */
    float prefix_bias_beta;       /**< 0 (default): a target prefix is forced; up to 1: made more likely */
    uint32_t max_input_length;    /**< source tokens; longer inputs are cut; 0: no limit; default 1024 */
    uint32_t max_decoding_length; /**< target tokens, end token included; 1 to 4096; default the model's */
    uint32_t min_decoding_length; /**< fewest target tokens; default the model's */
    uint32_t num_hypotheses;      /**< per input, at most round(beam_size * patience); default 1 */
    /** with return_alternatives: the least probability of an alternative; default 0 */
    float min_alternative_expansion_prob;
    int32_t disable_unk;          /**< never produce the unknown token; default 0 */
    int32_t return_end_token;     /**< keep the end token in the result; default 0 */
    int32_t return_scores;        /**< return scores; otherwise every score is 0; default 0 */
    /** return attention of target tokens to source tokens; default 0; see dragoman_result_attention() */
    int32_t return_attention;
    int32_t return_alternatives;  /**< hypotheses that differ in the first token after the prefix; default 0 */
    /** an unknown token is replaced by the source token that gets most attention; default 0 */
    int32_t replace_unknowns;
    uint32_t max_batch_tokens;    /**< source tokens per device batch; 0 (default): chosen from memory */
    uint32_t max_batch_size;      /**< inputs per device batch; 0 (default): chosen */
    uint32_t reserved;            /**< 0 */
    /** token sequences that must not be produced; none of them may be empty; NULL (default): none */
    const dragoman_tokens* suppress_sequences;
    size_t suppress_sequence_count; /**< how many; 0 (default): none */
    const dragoman_string* end_tokens; /**< tokens that end a translation; NULL (default): the model's */
    size_t end_token_count;       /**< how many; 0 (default): the model's */
    dragoman_progress_fn progress; /**< NULL (default): none */
    void* progress_user;          /**< for progress */
    /** dragoman_search: which engine's beam search; "auto": that of the model's engine; default DRAGOMAN_SEARCH_AUTO */
    int32_t search;
    float word_penalty;           /**< Marian's search: subtracted for each token; default the model's */
    float max_length_factor;      /**< most target tokens per source token; 0: any; default the model's */
    /**
     * dragoman_early_stopping: what ends Hugging Face's search; "auto": as the model says; default
     * DRAGOMAN_EARLY_STOPPING_AUTO
     */
    int32_t early_stopping;
    /**
     * of texts: BCP 47 ("de") or the model's code; "auto": found, sentence by sentence; NULL or "" (default): unknown
     */
    const char* source_language;
    /** of texts: BCP 47 ("en") or the model's code; NULL or "" (default): the text's own code, or the only one */
    const char* target_language;
    int32_t split_sentences;      /**< of texts: 0: each text is one sequence, which max_input_length cuts; default 1 */
    int32_t join_lines;           /**< of texts: 1: a line break is a space, a blank line ends a paragraph; default 0 */
    uint32_t max_segment_tokens;  /**< of texts: longer sentences are translated in parts; 0 (default): 128 */
    int32_t discard_tokens;       /**< of texts: 1: no tokens in the result, which takes much less memory; default 0 */
    uint32_t attention_layer;     /**< of the decoder, from 1; 0 (default): the layer the model names for alignment */
    /** from 1, or DRAGOMAN_ALL_HEADS; 0 (default): the mean of the heads the model names */
    uint32_t attention_head;
    int32_t use_shortlist;        /**< only tokens of the model's lexical shortlist may occur (Marian); default 0 */
    uint32_t reserved2;           /**< 0 */
    /**
     * dragoman_sampling: draw tokens by their probabilities: num_hypotheses independent samples, no beams; "auto": as
     * the model says; default DRAGOMAN_SAMPLING_AUTO
     */
    int32_t sampling;
    float temperature;            /**< with sampling: divides the logits; default the model's */
    uint32_t top_k;               /**< with sampling: only so many of the best tokens; 0: all; default the model's */
    /** with sampling: only the best with this probability together; 0 to 1; default the model's */
    float top_p;
    /** with sampling: only this share of the best one's probability; 0 to 1; default the model's */
    float min_p;
    uint32_t seed;                /**< with sampling: the same seed gives a sentence the same samples; default 0 */
    /**
     * of texts: return which source words each word of a translation stands for; default 0; see
     * dragoman_result_sentence_alignment()
     */
    int32_t return_alignment;
    /** dragoman_markup: of texts: tags stay, and what stands in them is translated; default DRAGOMAN_MARKUP_NONE */
    int32_t markup;
    /** of texts: 1: the model sees texts as they are, and nothing is put into its translations; default 0 */
    int32_t raw;
    /**
     * of texts: 1: placeholders, addresses and names of programs are forced in the search, too, as terms are; default 0
     */
    int32_t keep_spans;
    const dragoman_glossary* glossary; /**< of texts: terms that translations must have; NULL (default): none */
    /** of texts: what was translated before, and what is translated now; NULL (default): none */
    dragoman_memory* memory;
    /**
     * of texts: return how sure each sentence and word of a translation is; default 0; see dragoman_result_quality()
     */
    int32_t return_quality;
    /**
     * of texts: with markup HTML: words whose score is lower stand in a span element of the class dragoman-unsure; 0
     * (default): none
     */
    float quality_marks;
    /**
     * of texts: a sentence whose best translation has less quality comes back as it was given, marked unsure; 0
     * (default): off
     */
    float min_quality;
    /**
     * of texts: return which words of the source a translation reaches; the alignment comes with it; default 0; see
     * docs/coverage.md
     */
    int32_t return_coverage;
    /**
     * of texts: a sentence whose translation leaves out more words in a row is translated again in parts, and marked
     * uncovered where that does not mend it; return_coverage comes with it; 0 (default): off; see docs/coverage.md
     */
    uint32_t max_uncovered_words;
    /* end of options */
    /* clang-format on */
} dragoman_translate_options;

/** Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_translate_options_init_sized(dragoman_translate_options* options,
                                                                   size_t struct_size);
/** As dragoman_translate_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_translate_options_init(dragoman_translate_options* options) {
    return dragoman_translate_options_init_sized(options, sizeof *options);
}

/**
 * Translates `count` texts of any length, sentence by sentence. What is between sentences (white space, line breaks,
 * list bullets) is copied; so is a sentence of nothing but unknown tokens. An empty text gives an empty translation. A
 * text may begin with one of the model's language codes, ">>de<<", which overrides target_language. Hypothesis i of a
 * text is made of the i-th hypotheses of its sentences.
 * `prefixes` holds one sequence of target tokens for each text, for its first sentence (see prefix_bias_beta); NULL:
 * none. `options` NULL: the defaults. Batches of any size give the same translations. Any thread.
 * A model that is a decoder alone (dragoman_model_info::encoder_layers is 0) continues each text instead: the whole of
 * it, as it is, is what the result goes on from, and not repeated there. It refuses languages and attention, texts of
 * more tokens than it has positions for, and cuts none.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming input and byte offset), DRAGOMAN_UNSUPPORTED for a
 * model without tokenizer, DRAGOMAN_DEVICE_LOST, DRAGOMAN_CANCELLED.
 */
DRAGOMAN_API dragoman_status dragoman_translate_texts(dragoman_translator* translator, const dragoman_string* texts,
                                                      size_t count, const dragoman_tokens* prefixes,
                                                      const dragoman_translate_options* options,
                                                      dragoman_result** result);

/**
 * Translates `count` sequences of source tokens as they stand: the caller gives them in the form in which the model was
 * trained. A token outside the vocabulary counts as the unknown token. The rest is as in dragoman_translate_texts().
 * Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_DEVICE_LOST, DRAGOMAN_CANCELLED.
 */
DRAGOMAN_API dragoman_status dragoman_translate_tokens(dragoman_translator* translator, const dragoman_tokens* sources,
                                                       size_t count, const dragoman_tokens* prefixes,
                                                       const dragoman_translate_options* options,
                                                       dragoman_result** result);

/* ---- Statistics and memory --------------------------------------------------------------------------------------- */

/**
 * Counters of a translator since it was made or dragoman_translator_reset_stats() was called. Batches, steps, dispatches
 * per step and repeated sentences include other translators of the same model; submissions, waits, dispatches and memory include
 * everything on the device.
 */
typedef struct dragoman_stats {
    uint32_t struct_size;         /**< bytes of this struct, set by dragoman_stats_init() */
    uint32_t reserved;            /**< 0 */
    uint64_t sentences;           /**< sentences and inputs of tokens that went through the model */
    uint64_t source_tokens;       /**< of these, after any cut */
    uint64_t target_tokens;       /**< of the best hypotheses */
    uint64_t batches;             /**< times that the encoder ran for new sentences */
    uint64_t decoder_steps;       /**< replays of the recorded decoder step */
    uint64_t dispatches_per_step; /**< of the last batch */
    uint64_t padding_tokens;      /**< computed for nothing; always 0, because batches need no padding */
    uint64_t submissions;         /**< command submissions to the device */
    uint64_t host_waits;          /**< times the host waited for the device */
    uint64_t dispatches;          /**< compute dispatches */
    uint64_t memory_bytes;        /**< device memory held now by everything on the device */
    uint64_t memory_peak_bytes;   /**< the most it held at a time */
    uint64_t host_peak_bytes;     /**< most the process ever had resident; 0 where the system does not say */
    uint64_t repeated_sentences;  /**< searched again in float32, because their numbers overflowed in float16 */
} dragoman_stats;

/** Prepares `stats` for dragoman_translator_stats(). */
static inline void dragoman_stats_init(dragoman_stats* stats) {
    memset(stats, 0, sizeof *stats);
    stats->struct_size = (uint32_t)sizeof *stats;
}

/** Reads the counters. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_translator_stats(const dragoman_translator* translator, dragoman_stats* stats);

/** Sets the counters to 0. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_translator_reset_stats(dragoman_translator* translator);

/**
 * Gives back the device memory that the next call can take again, except what running calls and jobs use. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT.
 */
DRAGOMAN_API dragoman_status dragoman_translator_trim(dragoman_translator* translator);

#ifdef __cplusplus
}
#endif

#endif
