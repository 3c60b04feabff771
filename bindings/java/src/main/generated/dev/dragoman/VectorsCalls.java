// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
class VectorsCalls extends Owner {
    VectorsCalls(long address) {
        super("vectors", address, Library.C::dragoman_vectors_destroy);
    }

    long count() {
        return with(at -> Library.C.dragoman_vectors_count(at));
    }

    long width() {
        return with(at -> Library.C.dragoman_vectors_width(at));
    }

    Matrix get(long text) {
        return with(at -> Library.read(null, Offsets.MATRIX, out -> Library.C.dragoman_vectors_get(at, text, out), Reading::matrix));
    }

    Matrix all() {
        return with(at -> Library.read(null, Offsets.MATRIX, out -> Library.C.dragoman_vectors_all(at, out), Reading::matrix));
    }

    List<String> tokens(long text) {
        return with(at -> Library.read(null, Offsets.TOKENS, out -> Library.C.dragoman_vectors_tokens(at, text, out), Reading::tokens));
    }

    List<Span> ranges(long text, Places places) {
        return with(at -> Library.read(null, Offsets.RANGES, out -> Library.C.dragoman_vectors_ranges(at, text, out), raw -> Reading.spans(raw, places)));
    }
}
