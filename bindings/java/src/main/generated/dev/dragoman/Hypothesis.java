// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;
import java.util.function.Supplier;

/** One translation of an input. */
public final class Hypothesis {
    private final Supplier<String> text;
    private final String plainText;
    private final List<String> tokens;
    private final List<Span> ranges;
    private final float score;
    private final float quality;
    private final Supplier<Matrix> attention;
    private final String pharaoh;
    private final List<Sentence> sentences;

    Hypothesis(ResultCalls result, long input, long rank, Places source) {
        this.text = Reading.perhaps(() -> result.text(input, rank));
        this.tokens = result.tokens(input, rank);
        this.score = result.score(input, rank);
        this.quality = result.quality(input, rank);
        this.attention = Reading.perhaps(() -> result.attention(input, rank));
        this.pharaoh = result.pharaoh(input, rank);
        var target = new Places(Reading.plain(result.plainText(input, rank), text));
        this.plainText = target.text;
        this.ranges = result.ranges(input, rank, target);
        this.sentences = Reading.list(result.sentenceCount(input), place -> result.sentence(input, rank, place, raw -> new Sentence(raw, result, input, rank, place, source, target)));
    }

    /**
     * The translation.
     *
     * @return the value
     * @throws UnsupportedException for a model without tokenizer
     */
    public String text() {
        return text.get();
    }

    /**
     * What all spans of translations are places in: the text; with markup the translations without tags.
     *
     * @return the value
     */
    public String plainText() {
        return plainText;
    }

    /**
     * Its tokens; none with discardTokens.
     *
     * @return the value
     */
    public List<String> tokens() {
        return tokens;
    }

    /**
     * What of the plain text each token stands for, in order; none without a tokenizer.
     *
     * @return the value
     */
    public List<Span> ranges() {
        return ranges;
    }

    /**
     * Of several sentences their mean, weighted by target tokens. 0 unless returnScores was set.
     *
     * @return the value
     */
    public float score() {
        return score;
    }

    /**
     * How good it probably is, 0 to 1; of several sentences their mean, weighted by words. 0 unless returnQuality was
     * set.
     *
     * @return the value
     */
    public float quality() {
        return quality;
    }

    /**
     * Rows are target tokens, columns source tokens; none unless returnAttention was set.
     *
     * @return the value
     * @throws UnsupportedException for a text of several sentences; each of those has its own
     */
    public Matrix attention() {
        return attention.get();
    }

    /**
     * The alignment of the text in Pharaoh's format, "0-0 1-2": source word and target word, counted over all
     * sentences.
     *
     * @return the value
     */
    public String pharaoh() {
        return pharaoh;
    }

    /**
     * The sentences of the text; none of tokens.
     *
     * @return the value
     */
    public List<Sentence> sentences() {
        return sentences;
    }

    @Override
    public String toString() {
        return plainText;
    }
}
