// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A class for each function, so that its handle is made when it is first called. */
class ForeignDocumentFunctions implements DocumentFunctions {
    private static final class F0 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_document_format",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_document_format(long name, long bytes, long size) {
        try {
            return (int) F0.H.invokeExact(name, bytes, size);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F1 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_document_format_name",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
    }

    @Override
    public long dragoman_document_format_name(int format) {
        try {
            return (long) F1.H.invokeExact(format);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F2 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_document_format_named",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    }

    @Override
    public int dragoman_document_format_named(long name) {
        try {
            return (int) F2.H.invokeExact(name);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F3 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translate_document",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_translate_document(long translator, long input, long output, long options,
            long documentOptions) {
        try {
            return (int) F3.H.invokeExact(translator, input, output, options, documentOptions);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F4 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_translate_document_bytes",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Override
    public int dragoman_translate_document_bytes(long translator, long name, long bytes, long size, long options,
            long documentOptions, long document) {
        try {
            return (int) F4.H.invokeExact(translator, name, bytes, size, options, documentOptions, document);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F5 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_document_bytes",
                FunctionDescriptor.of(ForeignBackend.STRING, JAVA_LONG));
    }

    @Override
    public void dragoman_document_bytes(long document, long copy) {
        try {
            MemorySegment ignored = (MemorySegment) F5.H.invokeExact(ForeignBackend.at(copy), document);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F6 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_document_destroy",
                FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    @Override
    public void dragoman_document_destroy(long document) {
        try {
            F6.H.invokeExact(document);
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static final class F7 {
        static final MethodHandle H = ForeignBackend.bind(
                "dragoman_document_error",
                FunctionDescriptor.of(JAVA_LONG));
    }

    @Override
    public long dragoman_document_error() {
        try {
            return (long) F7.H.invokeExact();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
