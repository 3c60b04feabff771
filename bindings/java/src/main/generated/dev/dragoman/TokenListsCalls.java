// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
class TokenListsCalls extends Owner {
    TokenListsCalls(long address) {
        super("token lists", address, Library.C::dragoman_token_lists_destroy);
    }

    long count() {
        return with(at -> Library.C.dragoman_token_lists_count(at));
    }

    List<String> get(long index) {
        return with(at -> Library.read(null, Offsets.TOKENS, out -> Library.C.dragoman_token_lists_get(at, index, out), Reading::tokens));
    }

    List<Span> ranges(long index, Places places) {
        return with(at -> Library.read(null, Offsets.RANGES, out -> Library.C.dragoman_token_lists_ranges(at, index, out), raw -> Reading.spans(raw, places)));
    }
}
