// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** What a reader should know of a sentence. Bits; later versions may add some. */
public enum SentenceFlag implements Numbered {
    /** As it was given, for a reason below or because it says nothing. */
    COPIED(1),
    /** Nothing to translate (sourceLanguage "auto"). */
    IN_TARGET_LANGUAGE(2),
    /** One that the model does not translate from (likewise). */
    IN_OTHER_LANGUAGE(4),
    /** What the model cannot read, or should not, was put in as it was. */
    CARRIED(8),
    /** The model repeated itself: translated in parts, or copied. */
    REPEATED(16),
    /** A number of it is missing in the translation. */
    NUMBERS(32),
    /** It looks like UTF-8 that was read as another encoding. */
    MOJIBAKE(64),
    /** The translation is that of a translation memory's segment. */
    FROM_MEMORY(128);

    private final int number;

    SentenceFlag(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
