// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** C functions under their own names; pointers and sizes are long. */
interface DocumentFunctions {
    int dragoman_document_format(long name, long bytes, long size);
    long dragoman_document_format_name(int format);
    int dragoman_document_format_named(long name);
    int dragoman_translate_document(long translator, long input, long output, long options, long documentOptions);
    int dragoman_translate_document_bytes(long translator, long name, long bytes, long size, long options,
            long documentOptions, long document);
    void dragoman_document_bytes(long document, long copy);
    void dragoman_document_destroy(long document);
    long dragoman_document_error();
}
