// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Functions of C whose declarations say all that is to be known. */
class TextListCalls extends Owner {
    TextListCalls(long address) {
        super("text list", address, Library.C::dragoman_text_list_destroy);
    }

    long count() {
        return with(at -> Library.C.dragoman_text_list_count(at));
    }

    String get(long index) {
        return with(at -> Library.read(null, Offsets.STRING, out -> Library.C.dragoman_text_list_get(at, index, out), Reading::string));
    }
}
