/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_BASICS_H
#define DRAGOMAN_BASICS_H

/**
 * @file
 * Common to all parts: version, errors, logging, text. Part of dragoman.h, which has the rules.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * @def DRAGOMAN_API
 * Marks what the library exports. A program for Windows that links the static library defines DRAGOMAN_STATIC.
 */
#if defined(_WIN32) && !defined(DRAGOMAN_STATIC)
#if defined(DRAGOMAN_BUILDING)
#define DRAGOMAN_API __declspec(dllexport)
#else
#define DRAGOMAN_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define DRAGOMAN_API __attribute__((visibility("default")))
#else
#define DRAGOMAN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ----------------------------------------------------------------------------------------------------- */

/**
 * Version of this header. A new minor version adds functions, fields at the end of structs, and enumerators; programs
 * that were built for an older one keep working. A change that breaks them gets a new major version and another library
 * name.
 */
#define DRAGOMAN_VERSION_MAJOR 1
#define DRAGOMAN_VERSION_MINOR 0 /**< counts additions */
#define DRAGOMAN_VERSION_PATCH 0 /**< counts repairs; nothing to include or link changes */
/** A version as one number that grows with it, for comparisons: 1.2.3 is 10203. */
#define DRAGOMAN_VERSION_NUMBER(major, minor, patch) (((major) * 10000) + ((minor) * 100) + (patch))
/** The version of this header as such a number. */
#define DRAGOMAN_VERSION DRAGOMAN_VERSION_NUMBER(DRAGOMAN_VERSION_MAJOR, DRAGOMAN_VERSION_MINOR, DRAGOMAN_VERSION_PATCH)

/** Version of the library that runs, comparable with DRAGOMAN_VERSION. Any thread. */
DRAGOMAN_API uint32_t dragoman_version(void);

/** The same as text, "1.0.0". Static storage. Any thread. */
DRAGOMAN_API const char* dragoman_version_string(void);

/**
 * Whether this library, as it was built and where it runs, has a feature: 1 or 0; 0 also for names it does not know and
 * for NULL. "format.ctranslate2" and so on: models it reads, by the names in dragoman_model_info; "compute.float32",
 * "compute.float16", "compute.int8", "compute.int8_float16": types it can compute with, given a device that can;
 * "search.ctranslate2", "search.marian", "search.huggingface"; "jobs", "jobs.partial" (events of unfinished sentences);
 * "vulkan": a Vulkan loader is installed. Any thread.
 */
DRAGOMAN_API int32_t dragoman_has_feature(const char* name);

/**
 * The name of feature `index`, from 0, among those that dragoman_has_feature() knows; NULL after the last. Static
 * storage. Any thread.
 */
DRAGOMAN_API const char* dragoman_feature_name(size_t index);

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

/** Most bytes of a text or token; more is DRAGOMAN_INVALID_ARGUMENT, here and below. */
#define DRAGOMAN_MAX_TEXT_BYTES ((size_t)1 << 28)
#define DRAGOMAN_MAX_INPUTS ((size_t)1 << 24) /**< most inputs, or files, of a call */
#define DRAGOMAN_MAX_TOKENS ((size_t)1 << 24) /**< most tokens of a sequence */

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/** The result of a call, on which a caller can act. The sentence for a person is dragoman_last_error(). */
typedef enum dragoman_status {
    DRAGOMAN_OK = 0,               /**< the result is there, the message empty */
    DRAGOMAN_INVALID_ARGUMENT = 1, /**< an option, text or handle the caller passed */
    DRAGOMAN_BAD_MODEL = 2,        /**< a model file that is broken or incomplete, or contradicts itself */
    DRAGOMAN_UNSUPPORTED = 3,      /**< a valid request that this library, model or device cannot fulfil */
    DRAGOMAN_OUT_OF_MEMORY = 4,    /**< host or device memory ran out, or the memory limit was reached */
    DRAGOMAN_DEVICE_LOST = 5,      /**< the device stopped answering; open it and load its models again */
    DRAGOMAN_NO_DEVICE = 6,        /**< no Vulkan loader, no driver, or no device that fits the request */
    DRAGOMAN_IO_ERROR = 7,         /**< a file that cannot be read or written */
    DRAGOMAN_CANCELLED = 8,        /**< the caller asked to stop */
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
    DRAGOMAN_LOG_ERROR = 0,   /**< faults that no call can report, such as a callback that threw */
    DRAGOMAN_LOG_WARNING = 1, /**< something that was asked for is missing, such as the validation layer */
    DRAGOMAN_LOG_INFO = 2,    /**< a changed choice, such as fewer sentences at a time because memory is short */
    DRAGOMAN_LOG_DEBUG = 3    /**< the device, caches, tuning, and parts of a model's files that are not used */
} dragoman_log_level;

/**
 * Receives one line, without a line feed and valid during the call. Runs on whichever thread logs; calls never overlap.
 * It must not call the library.
 */
typedef void (*dragoman_log_fn)(int32_t level, const char* line, void* user);

/**
 * Sends log lines up to `max_level` (a dragoman_log_level) to `callback` instead of stderr, for the whole process. So
 * only the program should call it; a library or plug-in that uses Dragoman makes a dragoman_logger instead, which does
 * not affect others. A NULL callback restores the default, errors and warnings to stderr (more with DRAGOMAN_LOG=info
 * or debug in the environment), and ignores the other arguments. The callback that was set before no longer runs when
 * this returns. Any thread.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT for an unknown level.
 */
DRAGOMAN_API dragoman_status dragoman_set_log(dragoman_log_fn callback, void* user, int32_t max_level);

/** A further receiver of the process's log lines. There may be any number of them at a time. */
typedef struct dragoman_logger dragoman_logger;

/** Sends log lines up to `max_level` to `callback` as well. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT. */
DRAGOMAN_API dragoman_status dragoman_logger_create(dragoman_log_fn callback, void* user, int32_t max_level,
                                                    dragoman_logger** logger);

/** Ends the handle; its callback no longer runs when this returns. Any thread, but not from a log callback. */
DRAGOMAN_API void dragoman_logger_destroy(dragoman_logger* logger);

/* ---- Strings, tokens, matrices ----------------------------------------------------------------------------------- */

/** UTF-8 text: `size` bytes at `data`. NULL is allowed when the size is 0. */
typedef struct dragoman_string {
    const char* data; /**< from the library: never NULL, and a zero byte follows the text */
    size_t size;      /**< in bytes, without that zero byte */
} dragoman_string;

/** A sequence of tokens, spelled as in the model's vocabulary. NULL is allowed when the count is 0. */
typedef struct dragoman_tokens {
    const dragoman_string* data; /**< one string per token, each alive as long as this array */
    size_t count;                /**< of tokens */
} dragoman_tokens;

/** A part of a text, counted in bytes, never within a UTF-8 character. */
typedef struct dragoman_range {
    size_t begin; /**< first byte, from 0 */
    size_t end;   /**< the byte after the last one */
} dragoman_range;

/** Ranges of one text, one for each of a sequence of tokens. */
typedef struct dragoman_ranges {
    const dragoman_range* data; /**< `count` ranges; may be NULL where there are none */
    size_t count;               /**< of ranges */
} dragoman_ranges;

/** Row-major: element (row, col) is data[row * cols + col]. */
typedef struct dragoman_matrix {
    const float* data; /**< rows * cols numbers without gaps; may be NULL where there are none */
    size_t rows;       /**< 0 for no matrix */
    size_t cols;       /**< numbers in each row */
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

#ifdef __cplusplus
}
#endif

#endif
