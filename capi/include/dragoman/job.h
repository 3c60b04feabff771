/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_JOB_H
#define DRAGOMAN_JOB_H

/**
 * @file
 * Translating in the background. Part of dragoman.h, which has the rules.
 *
 *     dragoman_job* job = NULL;
 *     dragoman_submit_texts(translator, &text, 1, NULL, NULL, NULL, &job);
 *     ...
 *     dragoman_job_take_result(job, &result);
 *     dragoman_job_destroy(job);
 */

#include <dragoman/translator.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Events ------------------------------------------------------------------------------------------------------ */

/** The kind of an event. */
typedef enum dragoman_event_kind {
    DRAGOMAN_EVENT_PARTIAL = 0,  /**< the best translation so far of a sentence at work; the next may differ */
    DRAGOMAN_EVENT_SENTENCE = 1, /**< a sentence is translated */
    DRAGOMAN_EVENT_END = 2       /**< the job has ended: the last event */
} dragoman_event_kind;

/** Bits for the `events` of dragoman_job_options. */
#define DRAGOMAN_EVENTS_PARTIAL (1u << DRAGOMAN_EVENT_PARTIAL)   /**< for text that grows word by word */
#define DRAGOMAN_EVENTS_SENTENCE (1u << DRAGOMAN_EVENT_SENTENCE) /**< one for every sentence */
#define DRAGOMAN_EVENTS_END (1u << DRAGOMAN_EVENT_END)           /**< one for the job, last */

/**
 * Something that happened to a job. Everything in it lives until the callback returns. Fields that do not belong to the
 * kind are 0. Sentences may come in any order. Every sentence of the result gets one DRAGOMAN_EVENT_SENTENCE, even if a
 * text has the same sentence twice, unless the job fails or is cancelled first.
 */
typedef struct dragoman_event {
    uint32_t struct_size;    /**< of the library: fields beyond it are not there */
    int32_t kind;            /**< a dragoman_event_kind */
    int32_t status;          /**< DRAGOMAN_EVENT_END: how the job ended, DRAGOMAN_OK: with a result */
    float score;             /**< DRAGOMAN_EVENT_SENTENCE: as dragoman_result_score() */
    size_t input;            /**< which of the job's inputs */
    size_t sentence;         /**< which of its sentences, see dragoman_result_sentence(); 0 for an input of tokens */
    dragoman_range source;   /**< the sentence's place in the text that was submitted; 0 for an input of tokens */
    dragoman_string text;    /**< translation, of the best hypothesis; empty for a model without tokenizer */
    dragoman_tokens tokens;  /**< the same in tokens; none with discard_tokens */
    size_t done;             /**< sentences, or inputs of tokens, translated so far; what occurs twice counts twice */
    size_t total;            /**< how many there are; 0 while that is not known */
    dragoman_string message; /**< DRAGOMAN_EVENT_END: what went wrong, empty for DRAGOMAN_OK */
} dragoman_event;

/**
 * Receives events on a thread of the translator. Calls never overlap, and other jobs of the translator may have to wait
 * until a call returns. The callback may use the library, submit and cancel jobs, take the result of a job that has
 * ended and destroy handles. A function that would wait for the same translator returns DRAGOMAN_INVALID_ARGUMENT
 * there: dragoman_job_wait() and every function that translates, scores, reads or resets statistics or trims.
 */
typedef void (*dragoman_event_fn)(const dragoman_event* event, void* user);

/* ---- Jobs -------------------------------------------------------------------------------------------------------- */

/** A translation that was submitted. Any number of threads may use it at the same time. It keeps its model alive. */
typedef struct dragoman_job dragoman_job;

/** The state of a job. */
typedef enum dragoman_job_state {
    DRAGOMAN_JOB_WAITING = 0,  /**< none of its sentences is at work yet */
    DRAGOMAN_JOB_RUNNING = 1,  /**< some of its sentences are at work or done */
    DRAGOMAN_JOB_DONE = 2,     /**< ended with a result */
    DRAGOMAN_JOB_FAILED = 3,   /**< ended with an error */
    DRAGOMAN_JOB_CANCELLED = 4 /**< ended because somebody asked for it */
} dragoman_job_state;

/** How a job is run. */
typedef struct dragoman_job_options {
    uint32_t struct_size;       /**< bytes of this struct, set by dragoman_job_options_init() */
    int32_t priority;           /**< higher ones go first, equal ones share, short ones overtake; default 0 */
    dragoman_event_fn on_event; /**< NULL (default): no events */
    void* user;                 /**< for on_event */
    uint32_t events;            /**< which kinds, DRAGOMAN_EVENTS_...; default: sentences and end */
    int32_t fed;                /**< 1: inputs may follow, see dragoman_job_feed_texts(); default 0 */
} dragoman_job_options;

/** Fills in size and defaults. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_job_options_init_sized(dragoman_job_options* options, size_t struct_size);
/** As dragoman_job_options_init_sized(), for the struct as this header has it. */
static inline dragoman_status dragoman_job_options_init(dragoman_job_options* options) {
    return dragoman_job_options_init_sized(options, sizeof *options);
}

/**
 * Like dragoman_translate_texts(), but returns at once; the texts are copied. `job_options` NULL: the defaults. Options
 * and texts are checked before it returns. The event callback may run before it returns, too. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_UNSUPPORTED; any other error is the job's.
 */
DRAGOMAN_API dragoman_status dragoman_submit_texts(dragoman_translator* translator, const dragoman_string* texts,
                                                   size_t count, const dragoman_tokens* prefixes,
                                                   const dragoman_translate_options* options,
                                                   const dragoman_job_options* job_options, dragoman_job** job);

/** Like dragoman_translate_tokens(), but returns at once; the rest is as in dragoman_submit_texts(). */
DRAGOMAN_API dragoman_status dragoman_submit_tokens(dragoman_translator* translator, const dragoman_tokens* sources,
                                                    size_t count, const dragoman_tokens* prefixes,
                                                    const dragoman_translate_options* options,
                                                    const dragoman_job_options* job_options, dragoman_job** job);

/**
 * Gives further texts to a job that was submitted with `fed` (and with any number of inputs, or none). The job copies
 * as many of the first ones as it has room for; `taken` says how many. Waits until there is room for one or
 * `timeout_ms` milliseconds have passed; below 0: without limit. A job keeps a few megabytes of inputs, and as much of
 * results that nobody has taken, so its memory does not grow with its inputs. A program with one thread passes 0 as the
 * timeout, and when fewer texts were taken than given, it takes results with dragoman_job_next_result(). A job that has
 * ended takes none. Texts that are not taken are not looked at: a fault in one is told when it is given again. `prefixes`
 * as in dragoman_translate_texts(). Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, also for a job that is not fed or finished, or where it would wait in a callback
 * of the same translator.
 */
DRAGOMAN_API dragoman_status dragoman_job_feed_texts(dragoman_job* job, const dragoman_string* texts, size_t count,
                                                     const dragoman_tokens* prefixes, int64_t timeout_ms,
                                                     size_t* taken);

/** The same for a job of dragoman_submit_tokens(). */
DRAGOMAN_API dragoman_status dragoman_job_feed_tokens(dragoman_job* job, const dragoman_tokens* sources, size_t count,
                                                      const dragoman_tokens* prefixes, int64_t timeout_ms,
                                                      size_t* taken);

/** Says that a job that is fed gets no more. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_job_finish(dragoman_job* job);

/**
 * Hands over the results of a job that is fed: those that are ready and have not been handed over, in the order of the
 * inputs (dragoman_result_first() is the input of the first one). Waits for one, or until `timeout_ms` milliseconds
 * have passed; below 0: without limit. `result` NULL: the time has passed, or the job has ended and everything was
 * handed over. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, also where it would wait in a callback of the same translator; after the last
 * result, what ended the job: DRAGOMAN_CANCELLED and those of dragoman_translate_texts(), with their message. Where
 * memory runs out while results are handed over, the next call hands them over.
 */
DRAGOMAN_API dragoman_status dragoman_job_next_result(dragoman_job* job, int64_t timeout_ms, dragoman_result** result);

/**
 * Ends the handle. A job that has not ended is cancelled. When this returns, no event or progress callback of the job
 * runs any more; but called from a callback, it does not wait for others that are running. Any thread.
 */
DRAGOMAN_API void dragoman_job_destroy(dragoman_job* job);

/** A job at the moment of the call. */
typedef struct dragoman_job_info {
    uint32_t struct_size; /**< bytes of this struct, set by dragoman_job_info_init() */
    int32_t state;        /**< a dragoman_job_state */
    int32_t status;       /**< how it ended; DRAGOMAN_OK while it has not */
    uint32_t reserved;    /**< 0 */
    size_t done;          /**< as in dragoman_event */
    size_t total;         /**< 0 until the sentences are known */
} dragoman_job_info;

/** Prepares `info` for dragoman_job_poll(). */
static inline void dragoman_job_info_init(dragoman_job_info* info) {
    memset(info, 0, sizeof *info);
    info->struct_size = (uint32_t)sizeof *info;
}

/** The state of a job so far; does not wait. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_job_poll(const dragoman_job* job, dragoman_job_info* info);

/**
 * Waits until a job has ended or `timeout_ms` milliseconds have passed; below 0: without limit. `ended` gets 1 or 0;
 * NULL: the caller does not want to know. When the job has ended, its last event is over, too. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, also in a callback of the same translator; how the job ended is in
 * dragoman_job_poll() and dragoman_job_take_result().
 */
DRAGOMAN_API dragoman_status dragoman_job_wait(const dragoman_job* job, int64_t timeout_ms, int32_t* ended);

/**
 * Asks a job to stop soon; has no effect on a job that has ended. Does not wait. Any thread. Statuses:
 * DRAGOMAN_INVALID_ARGUMENT.
 */
DRAGOMAN_API dragoman_status dragoman_job_cancel(dragoman_job* job);

/**
 * Waits until a job has ended and hands its result over, once. Any thread; in a callback of the same translator only
 * for a job that has ended.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT, also when it has been taken before or the job is fed; DRAGOMAN_CANCELLED; those
 * of dragoman_translate_texts(), with their message. Where memory runs out while it is handed over, the next call hands
 * it over.
 */
DRAGOMAN_API dragoman_status dragoman_job_take_result(dragoman_job* job, dragoman_result** result);

#ifdef __cplusplus
}
#endif

#endif
