// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** How to decode. docs/options.md gives the formulas. What is not set has the library's default. */
public final class TranslateOptions extends Options {
    static final int SIZE = 264;
    static final TranslateOptions DEFAULTS = builder().build();

    private TranslateOptions(Object[] values) {
        super(values);
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_translate_options_init_sized(address, SIZE);
    }

    @Override
    @SuppressWarnings("unchecked")
    void put(Block block, ByteBuffer raw, Watch watch) {
        if (values[0] != null) {
            raw.putInt(4, (int) ranged("beamSize", (Long) values[0], 0xFFFFFFFFL));
        }
        if (values[1] != null) {
            raw.putFloat(8, ((Double) values[1]).floatValue());
        }
        if (values[2] != null) {
            raw.putFloat(12, ((Double) values[2]).floatValue());
        }
        if (values[3] != null) {
            raw.putFloat(16, ((Double) values[3]).floatValue());
        }
        if (values[4] != null) {
            raw.putFloat(20, ((Double) values[4]).floatValue());
        }
        if (values[5] != null) {
            raw.putInt(24, (int) ranged("noRepeatNgramSize", (Long) values[5], 0xFFFFFFFFL));
        }
        if (values[6] != null) {
            raw.putFloat(28, ((Double) values[6]).floatValue());
        }
        if (values[7] != null) {
            raw.putInt(32, (int) ranged("maxInputLength", (Long) values[7], 0xFFFFFFFFL));
        }
        if (values[8] != null) {
            raw.putInt(36, (int) ranged("maxDecodingLength", (Long) values[8], 0xFFFFFFFFL));
        }
        if (values[9] != null) {
            raw.putInt(40, (int) ranged("minDecodingLength", (Long) values[9], 0xFFFFFFFFL));
        }
        if (values[10] != null) {
            raw.putInt(44, (int) ranged("numHypotheses", (Long) values[10], 0xFFFFFFFFL));
        }
        if (values[11] != null) {
            raw.putFloat(48, ((Double) values[11]).floatValue());
        }
        if (values[12] != null) {
            raw.putInt(52, (Boolean) values[12] ? 1 : 0);
        }
        if (values[13] != null) {
            raw.putInt(56, (Boolean) values[13] ? 1 : 0);
        }
        if (values[14] != null) {
            raw.putInt(60, (Boolean) values[14] ? 1 : 0);
        }
        if (values[15] != null) {
            raw.putInt(64, (Boolean) values[15] ? 1 : 0);
        }
        if (values[16] != null) {
            raw.putInt(68, (Boolean) values[16] ? 1 : 0);
        }
        if (values[17] != null) {
            raw.putInt(72, (Boolean) values[17] ? 1 : 0);
        }
        if (values[18] != null) {
            raw.putInt(76, (int) ranged("maxBatchTokens", (Long) values[18], 0xFFFFFFFFL));
        }
        if (values[19] != null) {
            raw.putInt(80, (int) ranged("maxBatchSize", (Long) values[19], 0xFFFFFFFFL));
        }
        if (values[20] != null) {
            raw.putLong(88, block.sequences("suppressSequences", (List<List<String>>) values[20]));
            raw.putLong(96, ((List<?>) values[20]).size());
        }
        if (values[21] != null) {
            raw.putLong(104, block.strings("endTokens", (List<String>) values[21]));
            raw.putLong(112, ((List<?>) values[21]).size());
        }
        if (watch != null) {
            raw.putLong(120, Library.C.callback(CallbackKind.PROGRESS));
            raw.putLong(128, watch.number);
        }
        if (values[23] != null) {
            raw.putInt(136, ((Numbered) values[23]).number());
        }
        if (values[24] != null) {
            raw.putFloat(140, ((Double) values[24]).floatValue());
        }
        if (values[25] != null) {
            raw.putFloat(144, ((Double) values[25]).floatValue());
        }
        if (values[26] != null) {
            raw.putInt(148, ((Numbered) values[26]).number());
        }
        if (values[27] != null) {
            raw.putLong(152, block.text("sourceLanguage", (String) values[27]));
        }
        if (values[28] != null) {
            raw.putLong(160, block.text("targetLanguage", (String) values[28]));
        }
        if (values[29] != null) {
            raw.putInt(168, (Boolean) values[29] ? 1 : 0);
        }
        if (values[30] != null) {
            raw.putInt(172, (Boolean) values[30] ? 1 : 0);
        }
        if (values[31] != null) {
            raw.putInt(176, (int) ranged("maxSegmentTokens", (Long) values[31], 0xFFFFFFFFL));
        }
        if (values[32] != null) {
            raw.putInt(180, (Boolean) values[32] ? 1 : 0);
        }
        if (values[33] != null) {
            raw.putInt(184, (int) ranged("attentionLayer", (Long) values[33], 0xFFFFFFFFL));
        }
        if (values[34] != null) {
            raw.putInt(188, (int) ranged("attentionHead", (Long) values[34], 0xFFFFFFFFL));
        }
        if (values[35] != null) {
            raw.putInt(192, (Boolean) values[35] ? 1 : 0);
        }
        if (values[36] != null) {
            raw.putInt(200, ((Numbered) values[36]).number());
        }
        if (values[37] != null) {
            raw.putFloat(204, ((Double) values[37]).floatValue());
        }
        if (values[38] != null) {
            raw.putInt(208, (int) ranged("topK", (Long) values[38], 0xFFFFFFFFL));
        }
        if (values[39] != null) {
            raw.putFloat(212, ((Double) values[39]).floatValue());
        }
        if (values[40] != null) {
            raw.putFloat(216, ((Double) values[40]).floatValue());
        }
        if (values[41] != null) {
            raw.putInt(220, (int) ranged("seed", (Long) values[41], 0xFFFFFFFFL));
        }
        if (values[42] != null) {
            raw.putInt(224, (Boolean) values[42] ? 1 : 0);
        }
        if (values[43] != null) {
            raw.putInt(228, ((Numbered) values[43]).number());
        }
        if (values[44] != null) {
            raw.putInt(232, (Boolean) values[44] ? 1 : 0);
        }
        if (values[45] != null) {
            raw.putInt(236, (Boolean) values[45] ? 1 : 0);
        }
        if (values[46] != null) {
            raw.putLong(240, block.hold((Owner) values[46]));
        }
        if (values[47] != null) {
            raw.putLong(248, block.hold((Owner) values[47]));
        }
        if (values[48] != null) {
            raw.putInt(256, (Boolean) values[48] ? 1 : 0);
        }
        if (values[49] != null) {
            raw.putFloat(260, ((Double) values[49]).floatValue());
        }
    }

    /** These, with the values of others where they say nothing. */
    TranslateOptions over(TranslateOptions under) {
        return new TranslateOptions(merged(values, under.values));
    }

    Progress progress() {
        return values[22] == null ? null : (Progress) values[22];
    }

    @SuppressWarnings("unchecked")
    List<List<String>> prefixes() {
        return values[50] == null ? null : (List<List<String>>) values[50];
    }

    /**
     * Begins without any option set.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder(new Object[51]);
    }

    /**
     * Begins with these options.
     *
     * @return a builder
     */
    public Builder toBuilder() {
        return new Builder(values.clone());
    }

    /** Sets options one by one. Not for several threads at a time. */
    public static final class Builder {
        private final Object[] values;

        private Builder(Object[] values) {
            this.values = values;
        }

        /**
         * 1 (greedy) to 64; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder beamSize(long value) {
            values[0] = value;
            return this;
        }

        /**
         * A search ends with round(beamSize * patience) hypotheses; default 1.
         *
         * @param value the value
         * @return this
         */
        public Builder patience(double value) {
            values[1] = value;
            return this;
        }

        /**
         * Score = sum of log-probabilities / length ^ this; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder lengthPenalty(double value) {
            values[2] = value;
            return this;
        }

        /**
         * Weight of the reward for source tokens attended to; default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder coveragePenalty(double value) {
            values[3] = value;
            return this;
        }

        /**
         * Above 1: tokens that have occurred become less likely; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder repetitionPenalty(double value) {
            values[4] = value;
            return this;
        }

        /**
         * No sequence of this many tokens comes twice; 0: off; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder noRepeatNgramSize(long value) {
            values[5] = value;
            return this;
        }

        /**
         * 0 (default): a target prefix is forced; up to 1: made more likely.
         *
         * @param value the value
         * @return this
         */
        public Builder prefixBiasBeta(double value) {
            values[6] = value;
            return this;
        }

        /**
         * Source tokens; longer inputs are cut; 0: no limit; default 1024.
         *
         * @param value the value
         * @return this
         */
        public Builder maxInputLength(long value) {
            values[7] = value;
            return this;
        }

        /**
         * Target tokens, end token included; 1 to 4096, default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder maxDecodingLength(long value) {
            values[8] = value;
            return this;
        }

        /**
         * Default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder minDecodingLength(long value) {
            values[9] = value;
            return this;
        }

        /**
         * Per input, at most round(beamSize * patience); default 1.
         *
         * @param value the value
         * @return this
         */
        public Builder numHypotheses(long value) {
            values[10] = value;
            return this;
        }

        /**
         * With returnAlternatives: least probable alternative; default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder minAlternativeExpansionProb(double value) {
            values[11] = value;
            return this;
        }

        /**
         * Never produce the unknown token.
         *
         * @param value the value
         * @return this
         */
        public Builder disableUnk(boolean value) {
            values[12] = value;
            return this;
        }

        /**
         * Keep the end token in the result.
         *
         * @param value the value
         * @return this
         */
        public Builder returnEndToken(boolean value) {
            values[13] = value;
            return this;
        }

        /**
         * Else every score is 0.
         *
         * @param value the value
         * @return this
         */
        public Builder returnScores(boolean value) {
            values[14] = value;
            return this;
        }

        /**
         * See resultAttention().
         *
         * @param value the value
         * @return this
         */
        public Builder returnAttention(boolean value) {
            values[15] = value;
            return this;
        }

        /**
         * Hypotheses that differ in the first token after the prefix.
         *
         * @param value the value
         * @return this
         */
        public Builder returnAlternatives(boolean value) {
            values[16] = value;
            return this;
        }

        /**
         * The source token most attended to stands in for an unknown token.
         *
         * @param value the value
         * @return this
         */
        public Builder replaceUnknowns(boolean value) {
            values[17] = value;
            return this;
        }

        /**
         * Source tokens per device batch; 0 (default): chosen from memory.
         *
         * @param value the value
         * @return this
         */
        public Builder maxBatchTokens(long value) {
            values[18] = value;
            return this;
        }

        /**
         * Inputs per device batch; 0 (default): chosen.
         *
         * @param value the value
         * @return this
         */
        public Builder maxBatchSize(long value) {
            values[19] = value;
            return this;
        }

        /**
         * Token sequences that must not be produced; null if there are none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder suppressSequences(List<List<String>> value) {
            Objects.requireNonNull(value, "suppressSequences");
            values[20] = List.copyOf(value);
            return this;
        }

        /**
         * Tokens that end a translation; null (default): the model's.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder endTokens(List<String> value) {
            Objects.requireNonNull(value, "endTokens");
            values[21] = List.copyOf(value);
            return this;
        }

        /**
         * Null (default): none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder progress(Progress value) {
            Objects.requireNonNull(value, "progress");
            values[22] = value;
            return this;
        }

        /**
         * Search.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder search(Search value) {
            Objects.requireNonNull(value, "search");
            values[23] = value;
            return this;
        }

        /**
         * Marian's search: taken off for each token; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder wordPenalty(double value) {
            values[24] = value;
            return this;
        }

        /**
         * Target tokens per source token at most; 0: any; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder maxLengthFactor(double value) {
            values[25] = value;
            return this;
        }

        /**
         * EarlyStopping; Hugging Face's search.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder earlyStopping(EarlyStopping value) {
            Objects.requireNonNull(value, "earlyStopping");
            values[26] = value;
            return this;
        }

        /**
         * BCP 47, "de", or the model's code; "auto": found; null, "" (default): not told.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder sourceLanguage(String value) {
            Objects.requireNonNull(value, "sourceLanguage");
            values[27] = value;
            return this;
        }

        /**
         * Likewise; null or "" (default): the text's own code, or the only one.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder targetLanguage(String value) {
            Objects.requireNonNull(value, "targetLanguage");
            values[28] = value;
            return this;
        }

        /**
         * Default 1; 0: each text is one sequence, which maxInputLength cuts.
         *
         * @param value the value
         * @return this
         */
        public Builder splitSentences(boolean value) {
            values[29] = value;
            return this;
        }

        /**
         * 1: a line break is a space, a blank line ends a paragraph; default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder joinLines(boolean value) {
            values[30] = value;
            return this;
        }

        /**
         * Longer sentences are translated in parts; 0 (default): 128.
         *
         * @param value the value
         * @return this
         */
        public Builder maxSegmentTokens(long value) {
            values[31] = value;
            return this;
        }

        /**
         * 1: no tokens in the result, which takes much less memory; default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder discardTokens(boolean value) {
            values[32] = value;
            return this;
        }

        /**
         * Of the decoder, from 1; 0 (default): the layer the model names for alignment.
         *
         * @param value the value
         * @return this
         */
        public Builder attentionLayer(long value) {
            values[33] = value;
            return this;
        }

        /**
         * From 1; 0 (default): mean of the heads the model names; DRAGOMAN_ALL_HEADS.
         *
         * @param value the value
         * @return this
         */
        public Builder attentionHead(long value) {
            values[34] = value;
            return this;
        }

        /**
         * 1: only tokens of the model's lexical shortlist may come (Marian); default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder useShortlist(boolean value) {
            values[35] = value;
            return this;
        }

        /**
         * Sampling; with it numHypotheses independent samples, and no beams.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder sampling(Sampling value) {
            Objects.requireNonNull(value, "sampling");
            values[36] = value;
            return this;
        }

        /**
         * With sampling: divides the logits; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder temperature(double value) {
            values[37] = value;
            return this;
        }

        /**
         * With sampling: only so many of the best tokens; 0: all; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder topK(long value) {
            values[38] = value;
            return this;
        }

        /**
         * With sampling: only the best with this probability; 0 to 1; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder topP(double value) {
            values[39] = value;
            return this;
        }

        /**
         * With sampling: only this share of the best one's; 0 to 1; default the model's.
         *
         * @param value the value
         * @return this
         */
        public Builder minP(double value) {
            values[40] = value;
            return this;
        }

        /**
         * With sampling: the same seed gives a sentence the same samples; default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder seed(long value) {
            values[41] = value;
            return this;
        }

        /**
         * Of texts: 1: which source words each word stands for, see resultSentenceAlignment(); default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder returnAlignment(boolean value) {
            values[42] = value;
            return this;
        }

        /**
         * Of texts: markup.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder markup(Markup value) {
            Objects.requireNonNull(value, "markup");
            values[43] = value;
            return this;
        }

        /**
         * Of texts: 1: the model sees them as they are, and nothing is put into its translations (docs/input.md);
         * default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder raw(boolean value) {
            values[44] = value;
            return this;
        }

        /**
         * Of texts: 1: placeholders, addresses and names of programs are forced in the search, too, as terms are;
         * default 0: the model is trusted, and then mended.
         *
         * @param value the value
         * @return this
         */
        public Builder keepSpans(boolean value) {
            values[45] = value;
            return this;
        }

        /**
         * Of texts: terms that translations must have; default: none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder glossary(Glossary value) {
            Objects.requireNonNull(value, "glossary");
            values[46] = value;
            return this;
        }

        /**
         * Of texts: what was translated before, and what is translated now; default: none.
         *
         * @param value the value; null is an error
         * @return this
         */
        public Builder memory(TranslationMemory value) {
            Objects.requireNonNull(value, "memory");
            values[47] = value;
            return this;
        }

        /**
         * Of texts: 1: how sure each sentence and word is, see resultQuality(); default 0.
         *
         * @param value the value
         * @return this
         */
        public Builder returnQuality(boolean value) {
            values[48] = value;
            return this;
        }

        /**
         * Of texts with markup HTML: words whose score is lower stand in a span element of the class dragoman-unsure; 0
         * (default): none.
         *
         * @param value the value
         * @return this
         */
        public Builder qualityMarks(double value) {
            values[49] = value;
            return this;
        }

        /**
         * The target tokens that each translation begins with, one sequence for each input; default none.
         *
         * @param value the value
         * @return this
         */
        public Builder prefixes(List<List<String>> value) {
            Objects.requireNonNull(value, "prefixes");
            values[50] = value;
            return this;
        }

        /**
         * The options set so far, which never change.
         *
         * @return the options
         */
        public TranslateOptions build() {
            return new TranslateOptions(values.clone());
        }
    }
}
