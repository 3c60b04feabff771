// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Functions of C whose declarations say all that is to be known. */
class LanguageListCalls extends Owner {
    LanguageListCalls(long address) {
        super("language list", address, Library.C::dragoman_language_list_destroy);
    }

    long count() {
        return with(at -> Library.C.dragoman_language_list_count(at));
    }

    long data() {
        return with(at -> Library.C.dragoman_language_list_data(at));
    }
}
