// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** A text to translate, alone or with the target tokens that its translation begins with. */
public final class Input {
    private final String text;
    private final List<String> prefix;

    /**
     * Makes one of a text and tokens.
     *
     * @param text the text.
     * @param prefix the tokens; none: empty.
     */
    public Input(String text, List<String> prefix) {
        this.text = text;
        this.prefix = prefix;
    }

    /**
     * The text.
     *
     * @return the value
     */
    public String text() {
        return text;
    }

    /**
     * The tokens; none: empty.
     *
     * @return the value
     */
    public List<String> prefix() {
        return prefix;
    }

    /**
     * The text alone.
     *
     * @param text the value
     * @return the value
     */
    public static Input of(String text) {
        return new Input(text, List.of());
    }
}
