// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;
import java.util.Objects;

/** How to decode. docs/options.md gives the formulas. What is not set has the library's default. */
public final class TranslateOptions extends Options {
    static final int SIZE = 264;
    private static final Field[] FIELDS = {
        new Field("beamSize", Kind.U32, 4, -1),
        new Field("patience", Kind.F32, 8, -1),
        new Field("lengthPenalty", Kind.F32, 12, -1),
        new Field("coveragePenalty", Kind.F32, 16, -1),
        new Field("repetitionPenalty", Kind.F32, 20, -1),
        new Field("noRepeatNgramSize", Kind.U32, 24, -1),
        new Field("prefixBiasBeta", Kind.F32, 28, -1),
        new Field("maxInputLength", Kind.U32, 32, -1),
        new Field("maxDecodingLength", Kind.U32, 36, -1),
        new Field("minDecodingLength", Kind.U32, 40, -1),
        new Field("numHypotheses", Kind.U32, 44, -1),
        new Field("minAlternativeExpansionProb", Kind.F32, 48, -1),
        new Field("disableUnk", Kind.FLAG, 52, -1),
        new Field("returnEndToken", Kind.FLAG, 56, -1),
        new Field("returnScores", Kind.FLAG, 60, -1),
        new Field("returnAttention", Kind.FLAG, 64, -1),
        new Field("returnAlternatives", Kind.FLAG, 68, -1),
        new Field("replaceUnknowns", Kind.FLAG, 72, -1),
        new Field("maxBatchTokens", Kind.U32, 76, -1),
        new Field("maxBatchSize", Kind.U32, 80, -1),
        new Field("suppressSequences", Kind.SEQUENCES, 88, 96),
        new Field("endTokens", Kind.STRINGS, 104, 112),
        new Field("progress", Kind.PROGRESS, 120, 128),
        new Field("search", Kind.ENUM, 136, -1),
        new Field("wordPenalty", Kind.F32, 140, -1),
        new Field("maxLengthFactor", Kind.F32, 144, -1),
        new Field("earlyStopping", Kind.ENUM, 148, -1),
        new Field("sourceLanguage", Kind.TEXT, 152, -1),
        new Field("targetLanguage", Kind.TEXT, 160, -1),
        new Field("splitSentences", Kind.FLAG, 168, -1),
        new Field("joinLines", Kind.FLAG, 172, -1),
        new Field("maxSegmentTokens", Kind.U32, 176, -1),
        new Field("discardTokens", Kind.FLAG, 180, -1),
        new Field("attentionLayer", Kind.U32, 184, -1),
        new Field("attentionHead", Kind.U32, 188, -1),
        new Field("useShortlist", Kind.FLAG, 192, -1),
        new Field("sampling", Kind.ENUM, 200, -1),
        new Field("temperature", Kind.F32, 204, -1),
        new Field("topK", Kind.U32, 208, -1),
        new Field("topP", Kind.F32, 212, -1),
        new Field("minP", Kind.F32, 216, -1),
        new Field("seed", Kind.U32, 220, -1),
        new Field("returnAlignment", Kind.FLAG, 224, -1),
        new Field("markup", Kind.ENUM, 228, -1),
        new Field("raw", Kind.FLAG, 232, -1),
        new Field("keepSpans", Kind.FLAG, 236, -1),
        new Field("glossary", Kind.HANDLE, 240, -1),
        new Field("memory", Kind.HANDLE, 248, -1),
        new Field("returnQuality", Kind.FLAG, 256, -1),
        new Field("qualityMarks", Kind.F32, 260, -1),
        new Field("prefixes", Kind.LOCAL, -1, -1),
    };
    static final TranslateOptions DEFAULTS = builder().build();

    private TranslateOptions(Object[] values) {
        super(values);
    }

    @Override
    Field[] fields() {
        return FIELDS;
    }

    @Override
    int size() {
        return SIZE;
    }

    @Override
    int prepare(long address) {
        return Library.C.dragoman_translate_options_init_sized(address, SIZE);
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
        return new Builder(new Object[FIELDS.length]);
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
