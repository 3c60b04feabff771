// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** A language that a text may be in. */
public final class LanguageGuess {
    private final String tag;
    private final String name;
    private final float probability;

    LanguageGuess(ByteBuffer raw) {
        this.tag = Reading.cText(raw.getLong(Offsets.LANGUAGE_GUESS_TAG));
        this.name = Reading.cText(raw.getLong(Offsets.LANGUAGE_GUESS_NAME));
        this.probability = raw.getFloat(Offsets.LANGUAGE_GUESS_PROBABILITY);
    }

    /**
     * As BCP 47 has it: "de", "zh-Hant".
     *
     * @return the value
     */
    public String tag() {
        return tag;
    }

    /**
     * In English: "German".
     *
     * @return the value
     */
    public String name() {
        return name;
    }

    /**
     * That the text, or most of it, is in this language.
     *
     * @return the value
     */
    public float probability() {
        return probability;
    }

    @Override
    public String toString() {
        return tag + " " + probability;
    }
}
