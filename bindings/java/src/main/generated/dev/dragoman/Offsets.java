// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Sizes of structs and offsets of their fields, in bytes. */
final class Offsets {
    static final int STRING = 16;
    static final int STRING_DATA = 0;
    static final int STRING_SIZE = 8;
    static final int TOKENS = 16;
    static final int TOKENS_DATA = 0;
    static final int TOKENS_COUNT = 8;
    static final int RANGE = 16;
    static final int RANGE_BEGIN = 0;
    static final int RANGE_END = 8;
    static final int RANGES = 16;
    static final int RANGES_DATA = 0;
    static final int RANGES_COUNT = 8;
    static final int MATRIX = 24;
    static final int MATRIX_DATA = 0;
    static final int MATRIX_ROWS = 8;
    static final int MATRIX_COLS = 16;
    static final int DEVICE_INFO = 592;
    static final int MEMORY_INFO = 56;
    static final int FILE = 40;
    static final int FILE_NAME = 0;
    static final int FILE_DATA = 8;
    static final int FILE_SIZE = 16;
    static final int FILE_READ = 24;
    static final int FILE_USER = 32;
    static final int MODEL_INFO = 2976;
    static final int LANGUAGE = 24;
    static final int LANGUAGE_TAG = 0;
    static final int LANGUAGE_CODE = 8;
    static final int LANGUAGE_NAME = 16;
    static final int MEMORY_COUNTS = 104;
    static final int SENTENCE = 96;
    static final int SENTENCE_SCORE = 4;
    static final int SENTENCE_SOURCE_BEGIN = 8;
    static final int SENTENCE_SOURCE_END = 16;
    static final int SENTENCE_TARGET_BEGIN = 24;
    static final int SENTENCE_TARGET_END = 32;
    static final int SENTENCE_SOURCE_TOKEN_BEGIN = 40;
    static final int SENTENCE_SOURCE_TOKEN_END = 48;
    static final int SENTENCE_TARGET_TOKEN_BEGIN = 56;
    static final int SENTENCE_TARGET_TOKEN_END = 64;
    static final int SENTENCE_LANGUAGE = 72;
    static final int SENTENCE_LANGUAGE_PROBABILITY = 80;
    static final int SENTENCE_FLAGS = 84;
    static final int SENTENCE_QUALITY = 88;
    static final int SENTENCE_RESERVED = 92;
    static final int TERM = 24;
    static final int TERM_MET = 4;
    static final int TERM_SOURCE_BEGIN = 8;
    static final int TERM_SOURCE_END = 16;
    static final int MATCH = 40;
    static final int MATCH_SIMILARITY = 4;
    static final int MATCH_SOURCE = 8;
    static final int MATCH_TARGET = 24;
    static final int STATS = 120;
    static final int LANGUAGE_GUESS = 24;
    static final int LANGUAGE_GUESS_PROBABILITY = 4;
    static final int LANGUAGE_GUESS_TAG = 8;
    static final int LANGUAGE_GUESS_NAME = 16;
    static final int EVENT = 112;
    static final int EVENT_KIND = 4;
    static final int EVENT_STATUS = 8;
    static final int EVENT_SCORE = 12;
    static final int EVENT_INPUT = 16;
    static final int EVENT_SENTENCE = 24;
    static final int EVENT_SOURCE = 32;
    static final int EVENT_TEXT = 48;
    static final int EVENT_TOKENS = 64;
    static final int EVENT_DONE = 80;
    static final int EVENT_TOTAL = 88;
    static final int EVENT_MESSAGE = 96;
    static final int JOB_INFO = 32;
    static final int JOB_OPTIONS_ON_EVENT = 8;
    static final int JOB_OPTIONS_USER = 16;
    static final int JOB_OPTIONS_EVENTS = 24;
    static final int JOB_OPTIONS_FED = 28;

    private Offsets() {}
}
