// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** A language of a model. Options take its tag as well as its code. */
public final class Language {
    private final String tag;
    private final String code;
    private final String name;

    Language(ByteBuffer raw) {
        this.tag = Reading.cText(raw.getLong(Offsets.LANGUAGE_TAG));
        this.code = Reading.cText(raw.getLong(Offsets.LANGUAGE_CODE));
        this.name = Reading.cText(raw.getLong(Offsets.LANGUAGE_NAME));
    }

    /**
     * As BCP 47 has it, "pt-BR"; "und" where the model's code is of no standard.
     *
     * @return the value
     */
    public String tag() {
        return tag;
    }

    /**
     * As the model's files spell it, "deu_Latn".
     *
     * @return the value
     */
    public String code() {
        return code;
    }

    /**
     * In English; the code where there is none.
     *
     * @return the value
     */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return tag;
    }
}
