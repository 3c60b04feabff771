// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** A language of a model. Options take its tag as well as its code. */
public final class Language {
    private final String tag;
    private final String code;
    private final String name;

    Language(String tag, String code, String name) {
        this.tag = tag;
        this.code = code;
        this.name = name;
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
