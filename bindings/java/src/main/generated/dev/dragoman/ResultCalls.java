// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/** Functions of C whose declarations say all that is to be known. */
class ResultCalls extends Owner {
    ResultCalls(long address) {
        super("result", address, Library.C::dragoman_result_destroy);
    }

    long first() {
        return with(at -> Library.C.dragoman_result_first(at));
    }

    long count() {
        return with(at -> Library.C.dragoman_result_count(at));
    }

    long hypothesisCount(long input) {
        return with(at -> Library.C.dragoman_result_hypothesis_count(at, input));
    }

    List<String> sourceTokens(long input) {
        return with(at -> Library.read(null, Offsets.TOKENS, out -> Library.C.dragoman_result_source_tokens(at, input, out), Reading::tokens));
    }

    List<Span> sourceRanges(long input, Places places) {
        return with(at -> Library.read(null, Offsets.RANGES, out -> Library.C.dragoman_result_source_ranges(at, input, out), raw -> Reading.spans(raw, places)));
    }

    String text(long input, long hypothesis) {
        return with(at -> Library.read(null, Offsets.STRING, out -> Library.C.dragoman_result_text(at, input, hypothesis, out), Reading::string));
    }

    String plainSource(long input) {
        return with(at -> Library.read(null, Offsets.STRING, out -> Library.C.dragoman_result_plain_source(at, input, out), Reading::string));
    }

    String plainText(long input, long hypothesis) {
        return with(at -> Library.read(null, Offsets.STRING, out -> Library.C.dragoman_result_plain_text(at, input, hypothesis, out), Reading::string));
    }

    List<String> tokens(long input, long hypothesis) {
        return with(at -> Library.read(null, Offsets.TOKENS, out -> Library.C.dragoman_result_tokens(at, input, hypothesis, out), Reading::tokens));
    }

    List<Span> ranges(long input, long hypothesis, Places places) {
        return with(at -> Library.read(null, Offsets.RANGES, out -> Library.C.dragoman_result_ranges(at, input, hypothesis, out), raw -> Reading.spans(raw, places)));
    }

    float score(long input, long hypothesis) {
        return with(at -> Library.read(null, 8, out -> Library.C.dragoman_result_score(at, input, hypothesis, out), raw -> raw.getFloat(0)));
    }

    float quality(long input, long hypothesis) {
        return with(at -> Library.read(null, 8, out -> Library.C.dragoman_result_quality(at, input, hypothesis, out), raw -> raw.getFloat(0)));
    }

    Matrix attention(long input, long hypothesis) {
        return with(at -> Library.read(null, Offsets.MATRIX, out -> Library.C.dragoman_result_attention(at, input, hypothesis, out), Reading::matrix));
    }

    long sentenceCount(long input) {
        return with(at -> Library.C.dragoman_result_sentence_count(at, input));
    }

    <T> T sentence(long input, long hypothesis, long sentence, Function<ByteBuffer, T> read) {
        return with(at -> Library.read(null, Offsets.SENTENCE, out -> Library.C.dragoman_result_sentence(at, input, hypothesis, sentence, out), read));
    }

    long termCount(long input, long hypothesis, long sentence) {
        return with(at -> Library.C.dragoman_result_term_count(at, input, hypothesis, sentence));
    }

    <T> T term(long input, long hypothesis, long sentence, long index, Function<ByteBuffer, T> read) {
        return with(at -> Library.read(null, Offsets.TERM, out -> Library.C.dragoman_result_term(at, input, hypothesis, sentence, index, out), read));
    }

    long matchCount(long input, long sentence) {
        return with(at -> Library.C.dragoman_result_match_count(at, input, sentence));
    }

    <T> T match(long input, long sentence, long index, Function<ByteBuffer, T> read) {
        return with(at -> Library.read(null, Offsets.MATCH, out -> Library.C.dragoman_result_match(at, input, sentence, index, out), read));
    }

    Matrix sentenceAttention(long input, long hypothesis, long sentence) {
        return with(at -> Library.read(null, Offsets.MATRIX, out -> Library.C.dragoman_result_sentence_attention(at, input, hypothesis, sentence, out), Reading::matrix));
    }

    List<Span> sourceWords(long input, long hypothesis, long sentence, Places places) {
        return with(at -> Library.read(null, Offsets.RANGES, out -> Library.C.dragoman_result_source_words(at, input, hypothesis, sentence, out), raw -> Reading.spans(raw, places)));
    }

    List<Span> targetWords(long input, long hypothesis, long sentence, Places places) {
        return with(at -> Library.read(null, Offsets.RANGES, out -> Library.C.dragoman_result_target_words(at, input, hypothesis, sentence, out), raw -> Reading.spans(raw, places)));
    }

    Matrix wordQuality(long input, long hypothesis, long sentence) {
        return with(at -> Library.read(null, Offsets.MATRIX, out -> Library.C.dragoman_result_word_quality(at, input, hypothesis, sentence, out), Reading::matrix));
    }

    Matrix sentenceAlignment(long input, long hypothesis, long sentence) {
        return with(at -> Library.read(null, Offsets.MATRIX, out -> Library.C.dragoman_result_sentence_alignment(at, input, hypothesis, sentence, out), Reading::matrix));
    }

    String pharaoh(long input, long hypothesis) {
        return with(at -> Library.read(null, Offsets.STRING, out -> Library.C.dragoman_result_pharaoh(at, input, hypothesis, out), Reading::string));
    }
}
