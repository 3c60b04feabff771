// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Bound by com.sun.jna.Native.register(). */
class JnaDocumentFunctions implements DocumentFunctions {
    @Override
    public native int dragoman_document_format(long name, long bytes, long size);
    @Override
    public native long dragoman_document_format_name(int format);
    @Override
    public native int dragoman_document_format_named(long name);
    @Override
    public native int dragoman_translate_document(long translator, long input, long output, long options,
            long documentOptions);
    @Override
    public native int dragoman_translate_document_bytes(long translator, long name, long bytes, long size,
            long options, long documentOptions, long document);
    private native JnaString.ByValue dragoman_document_bytes(long document);
    @Override
    public void dragoman_document_bytes(long document, long copy) {
        dragoman_document_bytes(document).copyTo(copy);
    }
    @Override
    public native void dragoman_document_destroy(long document);
    @Override
    public native long dragoman_document_error();
}
