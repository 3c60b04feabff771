// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Constants of the C API. */
final class Constants {
    static final long VERSION_MAJOR = 1L;
    static final long VERSION_MINOR = 0L;
    static final long VERSION_PATCH = 0L;
    static final long VERSION = 10000L;
    static final long MAX_TEXT_BYTES = 268435456L;
    static final long MAX_INPUTS = 16777216L;
    static final long MAX_TOKENS = 16777216L;
    static final long ALL_HEADS = 4294967295L;
    static final long MODEL_DEFAULT = 4294967295L;
    static final long EVENTS_PARTIAL = 1L;
    static final long EVENTS_SENTENCE = 2L;
    static final long EVENTS_END = 4L;

    private Constants() {}
}
