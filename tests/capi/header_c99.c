/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled as C99 with -Werror -pedantic: the header as a C program sees it. */
#include <dragoman/documents.h>
#include <dragoman/dragoman.h>
#include <dragoman/models.h>

#include "header_c99.h"

#define ROW(type) {#type, sizeof(type)}

static const struct_size_row rows[] = {
    ROW(dragoman_string),
    ROW(dragoman_tokens),
    ROW(dragoman_matrix),
    ROW(dragoman_device_info),
    ROW(dragoman_model_options),
    ROW(dragoman_model_info),
    ROW(dragoman_translate_options),
    ROW(dragoman_score_options),
    ROW(dragoman_stats),
    ROW(dragoman_embed_options),
    ROW(dragoman_status),
    ROW(dragoman_sentence),
    ROW(dragoman_bench_options),
    ROW(dragoman_range),
    ROW(dragoman_memory_info),
    ROW(dragoman_file),
    ROW(dragoman_event),
    ROW(dragoman_job_options),
    ROW(dragoman_job_info),
    ROW(dragoman_convert_options),
    ROW(dragoman_device_options),
    ROW(dragoman_vulkan_device),
    ROW(dragoman_language),
    ROW(dragoman_ranges),
    ROW(dragoman_language_guess),
    ROW(dragoman_term),
    ROW(dragoman_match),
    ROW(dragoman_memory_options),
    ROW(dragoman_memory_counts),
};

const struct_size_row* c99_struct_sizes(size_t* count) {
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

#define VALUE(name) {#name, (int64_t)(name)}

static const value_row values[] = {
    VALUE(DRAGOMAN_MARKUP_NONE),
    VALUE(DRAGOMAN_MARKUP_HTML),
    VALUE(DRAGOMAN_MARKUP_XML),
    VALUE(DRAGOMAN_SENTENCE_COPIED),
    VALUE(DRAGOMAN_SENTENCE_IN_TARGET_LANGUAGE),
    VALUE(DRAGOMAN_SENTENCE_IN_OTHER_LANGUAGE),
    VALUE(DRAGOMAN_SENTENCE_CARRIED),
    VALUE(DRAGOMAN_SENTENCE_REPEATED),
    VALUE(DRAGOMAN_SENTENCE_NUMBERS),
    VALUE(DRAGOMAN_SENTENCE_MOJIBAKE),
    VALUE(DRAGOMAN_SENTENCE_FROM_MEMORY),
    VALUE(DRAGOMAN_SENTENCE_UNSURE),
    VALUE(DRAGOMAN_SENTENCE_UNCOVERED),
    VALUE(DRAGOMAN_OK),
    VALUE(DRAGOMAN_INVALID_ARGUMENT),
    VALUE(DRAGOMAN_BAD_MODEL),
    VALUE(DRAGOMAN_UNSUPPORTED),
    VALUE(DRAGOMAN_OUT_OF_MEMORY),
    VALUE(DRAGOMAN_DEVICE_LOST),
    VALUE(DRAGOMAN_NO_DEVICE),
    VALUE(DRAGOMAN_IO_ERROR),
    VALUE(DRAGOMAN_CANCELLED),
    VALUE(DRAGOMAN_INTERNAL),
    VALUE(DRAGOMAN_LOG_ERROR),
    VALUE(DRAGOMAN_LOG_WARNING),
    VALUE(DRAGOMAN_LOG_INFO),
    VALUE(DRAGOMAN_LOG_DEBUG),
    VALUE(DRAGOMAN_DEVICE_DISCRETE),
    VALUE(DRAGOMAN_DEVICE_INTEGRATED),
    VALUE(DRAGOMAN_DEVICE_VIRTUAL),
    VALUE(DRAGOMAN_DEVICE_CPU),
    VALUE(DRAGOMAN_DEVICE_OTHER),
    VALUE(DRAGOMAN_EVENT_PARTIAL),
    VALUE(DRAGOMAN_EVENT_SENTENCE),
    VALUE(DRAGOMAN_EVENT_END),
    VALUE(DRAGOMAN_JOB_WAITING),
    VALUE(DRAGOMAN_JOB_RUNNING),
    VALUE(DRAGOMAN_JOB_DONE),
    VALUE(DRAGOMAN_JOB_FAILED),
    VALUE(DRAGOMAN_JOB_CANCELLED),
    VALUE(DRAGOMAN_EVENTS_PARTIAL),
    VALUE(DRAGOMAN_EVENTS_SENTENCE),
    VALUE(DRAGOMAN_EVENTS_END),
    VALUE(DRAGOMAN_COMPUTE_AUTO),
    VALUE(DRAGOMAN_COMPUTE_F32),
    VALUE(DRAGOMAN_COMPUTE_F16),
    VALUE(DRAGOMAN_COMPUTE_INT8),
    VALUE(DRAGOMAN_COMPUTE_INT8_FLOAT16),
    VALUE(DRAGOMAN_SIDE_SOURCE),
    VALUE(DRAGOMAN_SIDE_TARGET),
    VALUE(DRAGOMAN_SEARCH_AUTO),
    VALUE(DRAGOMAN_SEARCH_CTRANSLATE2),
    VALUE(DRAGOMAN_SEARCH_MARIAN),
    VALUE(DRAGOMAN_SEARCH_HUGGINGFACE),
    VALUE(DRAGOMAN_EARLY_STOPPING_AUTO),
    VALUE(DRAGOMAN_EARLY_STOPPING_OFF),
    VALUE(DRAGOMAN_EARLY_STOPPING_ON),
    VALUE(DRAGOMAN_EARLY_STOPPING_NEVER),
    VALUE(DRAGOMAN_SAMPLING_AUTO),
    VALUE(DRAGOMAN_SAMPLING_OFF),
    VALUE(DRAGOMAN_SAMPLING_ON),
    VALUE(DRAGOMAN_POOLING_MODEL),
    VALUE(DRAGOMAN_POOLING_MEAN),
    VALUE(DRAGOMAN_POOLING_CLS),
    VALUE(DRAGOMAN_POOLING_POOLER),
    VALUE(DRAGOMAN_POOLING_TOKENS),
    VALUE(DRAGOMAN_NORMALIZE_MODEL),
    VALUE(DRAGOMAN_NORMALIZE_OFF),
    VALUE(DRAGOMAN_NORMALIZE_ON),
    VALUE(DRAGOMAN_ALL_HEADS),
    VALUE(DRAGOMAN_MODEL_DEFAULT),
};

const value_row* c99_values(size_t* count) {
    *count = sizeof values / sizeof values[0];
    return values;
}

static const struct_size_row document_rows[] = {ROW(dragoman_document_options)};

const struct_size_row* c99_document_struct_sizes(size_t* count) {
    *count = sizeof document_rows / sizeof document_rows[0];
    return document_rows;
}

static const struct_size_row models_rows[] = {
    ROW(dragoman_download),       ROW(dragoman_models_options), ROW(dragoman_published_model),
    ROW(dragoman_published_file), ROW(dragoman_registry),
};

const struct_size_row* c99_models_struct_sizes(size_t* count) {
    *count = sizeof models_rows / sizeof models_rows[0];
    return models_rows;
}

static const value_row document_values[] = {
    VALUE(DRAGOMAN_DOCUMENT_UNKNOWN),  VALUE(DRAGOMAN_DOCUMENT_TEXT),    VALUE(DRAGOMAN_DOCUMENT_HTML),
    VALUE(DRAGOMAN_DOCUMENT_XHTML),    VALUE(DRAGOMAN_DOCUMENT_SRT),     VALUE(DRAGOMAN_DOCUMENT_VTT),
    VALUE(DRAGOMAN_DOCUMENT_MARKDOWN), VALUE(DRAGOMAN_DOCUMENT_DOCX),    VALUE(DRAGOMAN_DOCUMENT_PPTX),
    VALUE(DRAGOMAN_DOCUMENT_XLSX),     VALUE(DRAGOMAN_DOCUMENT_ODT),     VALUE(DRAGOMAN_DOCUMENT_ODS),
    VALUE(DRAGOMAN_DOCUMENT_ODP),      VALUE(DRAGOMAN_DOCUMENT_EPUB),    VALUE(DRAGOMAN_DOCUMENT_PO),
    VALUE(DRAGOMAN_DOCUMENT_XLIFF),    VALUE(DRAGOMAN_DOCUMENT_TMX),     VALUE(DRAGOMAN_DOCUMENT_JSON),
    VALUE(DRAGOMAN_DOCUMENT_ARB),      VALUE(DRAGOMAN_DOCUMENT_ANDROID), VALUE(DRAGOMAN_DOCUMENT_STRINGS),
    VALUE(DRAGOMAN_DOCUMENT_ASS),
};

const value_row* c99_document_values(size_t* count) {
    *count = sizeof document_values / sizeof document_values[0];
    return document_values;
}

uint32_t c99_default_beam_size(void) {
    dragoman_translate_options options;
    return dragoman_translate_options_init(&options) == DRAGOMAN_OK ? options.beam_size : 0;
}
