/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAGOMAN_DOCUMENTS_H
#define DRAGOMAN_DOCUMENTS_H

/**
 * @file
 * Documents of many formats: Office files, pages, subtitles, strings of programs. A library of its own,
 * libdragoman_documents, on top of libdragoman: who only translates texts links nothing of it. dragoman.h does not
 * include this header, whose functions keep that one's rules.
 *
 * Everything but text is written byte for byte as it was read; members of a package that have none are copied as they are
 * packed. Formatting inside a sentence follows its words by the alignment that the model gives.
 */

#include <dragoman/dragoman.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Formats of documents. */
typedef enum dragoman_document_kind {
    DRAGOMAN_DOCUMENT_UNKNOWN = 0,  /**< found from the name and the bytes */
    DRAGOMAN_DOCUMENT_TEXT = 1,     /**< plain text, "text" */
    DRAGOMAN_DOCUMENT_HTML = 2,     /**< "html" */
    DRAGOMAN_DOCUMENT_XHTML = 3,    /**< "xhtml" */
    DRAGOMAN_DOCUMENT_SRT = 4,      /**< SubRip, "srt" */
    DRAGOMAN_DOCUMENT_VTT = 5,      /**< WebVTT, "vtt" */
    DRAGOMAN_DOCUMENT_MARKDOWN = 6, /**< "markdown" */
    DRAGOMAN_DOCUMENT_DOCX = 7,     /**< Word, "docx" */
    DRAGOMAN_DOCUMENT_PPTX = 8,     /**< PowerPoint, "pptx" */
    DRAGOMAN_DOCUMENT_XLSX = 9,     /**< Excel, "xlsx" */
    DRAGOMAN_DOCUMENT_ODT = 10,     /**< OpenDocument text, "odt" */
    DRAGOMAN_DOCUMENT_ODS = 11,     /**< OpenDocument spreadsheet, "ods" */
    DRAGOMAN_DOCUMENT_ODP = 12,     /**< OpenDocument presentation, "odp" */
    DRAGOMAN_DOCUMENT_EPUB = 13,    /**< "epub" */
    DRAGOMAN_DOCUMENT_PO = 14,      /**< gettext, "po" */
    DRAGOMAN_DOCUMENT_XLIFF = 15,   /**< XLIFF 1.2 and 2, "xliff" */
    DRAGOMAN_DOCUMENT_TMX = 16,     /**< translation memory, "tmx" */
    DRAGOMAN_DOCUMENT_JSON = 17,    /**< string values, "json" */
    DRAGOMAN_DOCUMENT_ARB = 18,     /**< Flutter's JSON, "arb" */
    DRAGOMAN_DOCUMENT_ANDROID = 19, /**< strings.xml, "android" */
    DRAGOMAN_DOCUMENT_STRINGS = 20, /**< Apple's .strings, "strings" */
    DRAGOMAN_DOCUMENT_ASS = 21      /**< SubStation Alpha, "ass" */
} dragoman_document_kind;

/**
 * The format of a document: by its bytes if they show it, otherwise by the end of its name. NULL is allowed for either.
 * DRAGOMAN_DOCUMENT_UNKNOWN: neither tells. Any thread.
 */
DRAGOMAN_API int32_t dragoman_document_format(const char* name, const void* bytes, size_t size);

/** "docx" ...; "unknown" for any other number. Static storage. Any thread. */
DRAGOMAN_API const char* dragoman_document_format_name(int32_t format);

/** The format of that name, as a user writes it; DRAGOMAN_DOCUMENT_UNKNOWN: there is none. Any thread. */
DRAGOMAN_API int32_t dragoman_document_format_named(const char* name);

/**
 * Told after each text that is translated: how many of the document's are. Returns 0 to go on, anything else to cancel.
 * Runs on the thread of the call.
 */
typedef int32_t (*dragoman_document_progress_fn)(size_t done, size_t total, void* user);

/** How a document is read and written. */
typedef struct dragoman_document_options {
    uint32_t struct_size;                   /**< bytes of this struct, set by dragoman_document_options_init() */
    int32_t format;                         /**< a dragoman_document_kind; default: found */
    dragoman_document_progress_fn progress; /**< NULL (default): none */
    void* user;                             /**< for progress */
    const char* resume;                     /**< a file that keeps finished sentences until the document is written, see
                             dragoman_keep_answers(); NULL (default): none */
} dragoman_document_options;

/** Fills in size and defaults. */
static inline void dragoman_document_options_init(dragoman_document_options* options) {
    memset(options, 0, sizeof *options);
    options->struct_size = (uint32_t)sizeof *options;
}

/**
 * Translates the file `input` and writes `output`, which is there whole or not at all; an old file is replaced.
 * Options that are NULL have their defaults; of several hypotheses the best is taken. The `progress` of `options` counts
 * sentences, on the translator's own thread, that of `document_options` texts in their order. The message of a failure
 * is in dragoman_document_error(). Any thread; waits.
 * Statuses: DRAGOMAN_INVALID_ARGUMENT (also a document that is broken or goes beyond a limit), DRAGOMAN_UNSUPPORTED (a
 * format that is not known), DRAGOMAN_IO_ERROR, DRAGOMAN_CANCELLED, and those of dragoman_translate_texts().
 */
DRAGOMAN_API dragoman_status dragoman_translate_document(dragoman_translator* translator, const char* input,
                                                         const char* output, const dragoman_translate_options* options,
                                                         const dragoman_document_options* document_options);

/** A translated document in memory. */
typedef struct dragoman_document dragoman_document;

/**
 * The same from memory: `bytes` with a name, which may be NULL, from which the format is found. End the document with
 * dragoman_document_destroy(). Statuses: those of dragoman_translate_document().
 */
DRAGOMAN_API dragoman_status dragoman_translate_document_bytes(dragoman_translator* translator, const char* name,
                                                               const void* bytes, size_t size,
                                                               const dragoman_translate_options* options,
                                                               const dragoman_document_options* document_options,
                                                               dragoman_document** document);

/** Its bytes, borrowed; empty for NULL. Any thread. */
DRAGOMAN_API dragoman_string dragoman_document_bytes(const dragoman_document* document);

/** Ends the handle and what was borrowed from it. */
DRAGOMAN_API void dragoman_document_destroy(dragoman_document* document);

/** The message of this thread's latest failed call of this header. Never NULL. Lives until the next one. */
DRAGOMAN_API const char* dragoman_document_error(void);

#ifdef __cplusplus
}
#endif

#endif
