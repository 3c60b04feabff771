// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Copies what the library's handles have into Java's values. */
final class Reading {
  private final ResultCalls result;

  private Reading(ResultCalls result) {
    this.result = result;
  }

  static <T> List<T> list(long count, LongFunction<T> each) {
    List<T> found = new ArrayList<>();
    for (long place = 0; place < count; ++place) {
      found.add(each.apply(place));
    }
    return Collections.unmodifiableList(found);
  }

  /** Ends the report. */
  static String report(long made) {
    try (ReportCalls report = new ReportCalls(made)) {
      return report.json();
    }
  }

  /** Ends the list. */
  static List<Language> languages(long made) {
    try (LanguageListCalls languages = new LanguageListCalls(made)) {
      long data = languages.data();
      return list(
          languages.count(),
          place -> {
            ByteBuffer raw = C.view(data + place * Offsets.LANGUAGE, Offsets.LANGUAGE);
            return new Language(
                Raw.cText(raw.getLong(Offsets.LANGUAGE_TAG)),
                Raw.cText(raw.getLong(Offsets.LANGUAGE_CODE)),
                Raw.cText(raw.getLong(Offsets.LANGUAGE_NAME)));
          });
    }
  }

  static LanguageGuess guess(ByteBuffer raw) {
    return new LanguageGuess(
        Raw.cText(raw.getLong(Offsets.LANGUAGE_GUESS_TAG)),
        Raw.cText(raw.getLong(Offsets.LANGUAGE_GUESS_NAME)),
        raw.getFloat(Offsets.LANGUAGE_GUESS_PROBABILITY));
  }

  /** Ends the scores. The targets of tokens are empty. */
  static List<Score> scores(long made, LongFunction<String> targets) {
    try (ScoresCalls scores = new ScoresCalls(made)) {
      return list(
          scores.count(),
          pair ->
              new Score(
                  scores.tokens(pair),
                  scores.logProbs(pair),
                  scores.ranges(pair, new Places(targets.apply(pair)))));
    }
  }

  /** Ends the result. The sources of tokens are null. */
  static List<Translation> translations(long made, List<String> sources) {
    try (ResultCalls result = new ResultCalls(made)) {
      Reading reading = new Reading(result);
      return list(
          result.count(),
          input -> reading.translation(input, sources == null ? "" : sources.get((int) input)));
    }
  }

  private Translation translation(long input, String source) {
    String plain = result.plainSource(input);
    Text text = new Text(plain.isEmpty() ? source : plain);
    return new Translation(
        source,
        text.text,
        result.sourceTokens(input),
        result.sourceRanges(input, text.places),
        list(result.hypothesisCount(input), rank -> hypothesis(input, rank, text)));
  }

  private Hypothesis hypothesis(long input, long rank, Text source) {
    Supplier<String> given = perhaps(() -> result.text(input, rank));
    String plain = result.plainText(input, rank);
    long sentences = result.sentenceCount(input);
    Text text = new Text(plain.isEmpty() ? orEmpty(given) : plain);
    return new Hypothesis(
        given,
        text.text,
        result.tokens(input, rank),
        result.ranges(input, rank, text.places),
        result.score(input, rank),
        result.quality(input, rank),
        perhaps(() -> result.attention(input, rank)),
        result.pharaoh(input, rank),
        list(sentences, place -> sentence(input, rank, place, source, text)));
  }

  private Sentence sentence(long input, long rank, long place, Text source, Text text) {
    WordAlignment words =
        new WordAlignment(
            result.sourceWords(input, rank, place, source.places),
            result.targetWords(input, rank, place, text.places),
            result.sentenceAlignment(input, rank, place));
    Matrix quality = result.wordQuality(input, rank, place);
    List<WordScore> scores =
        list(
            quality.cols(),
            word -> new WordScore(words.targetSpans().get((int) word), quality.get(0, (int) word)));
    List<Term> terms =
        list(
            result.termCount(input, rank, place),
            term ->
                result.term(
                    input,
                    rank,
                    place,
                    term,
                    raw ->
                        new Term(
                            source.span(raw, Offsets.TERM_SOURCE_BEGIN),
                            raw.getInt(Offsets.TERM_MET) != 0)));
    List<Match> matches =
        list(
            result.matchCount(input, place),
            match -> result.match(input, place, match, Reading::match));
    Matrix attention = result.sentenceAttention(input, rank, place);
    return result.sentence(
        input,
        rank,
        place,
        raw -> {
          Span from = source.span(raw, Offsets.SENTENCE_SOURCE_BEGIN);
          Span to = text.span(raw, Offsets.SENTENCE_TARGET_BEGIN);
          return new Sentence(
              from.of(source.text),
              from,
              tokens(raw, Offsets.SENTENCE_SOURCE_TOKEN_BEGIN),
              to.of(text.text),
              to,
              tokens(raw, Offsets.SENTENCE_TARGET_TOKEN_BEGIN),
              raw.getFloat(Offsets.SENTENCE_SCORE),
              raw.getFloat(Offsets.SENTENCE_QUALITY),
              Raw.cText(raw.getLong(Offsets.SENTENCE_LANGUAGE)),
              raw.getFloat(Offsets.SENTENCE_LANGUAGE_PROBABILITY),
              Numbered.ofBits(SentenceFlag.class, raw.getInt(Offsets.SENTENCE_FLAGS)),
              scores,
              terms,
              matches,
              attention,
              words);
        });
  }

  private static Match match(ByteBuffer raw) {
    return new Match(
        raw.getFloat(Offsets.MATCH_SIMILARITY),
        Raw.string(raw, Offsets.MATCH_SOURCE),
        Raw.string(raw, Offsets.MATCH_TARGET));
  }

  private static Span tokens(ByteBuffer raw, int at) {
    return new Span((int) raw.getLong(at), (int) raw.getLong(at + 8));
  }

  /** What a model or text may not have: then the exception comes when it is asked for. */
  private static <T> Supplier<T> perhaps(Supplier<T> read) {
    try {
      T found = read.get();
      return () -> found;
    } catch (UnsupportedException refused) {
      String message = refused.getMessage();
      return () -> {
        throw new UnsupportedException(message);
      };
    }
  }

  private static String orEmpty(Supplier<String> text) {
    try {
      return text.get();
    } catch (UnsupportedException refused) {
      return "";
    }
  }

  /** A text with the places of its bytes. */
  private static final class Text {
    final String text;
    final Places places;

    Text(String text) {
      this.text = text;
      places = new Places(text);
    }

    /** Of two neighbouring numbers in bytes. */
    Span span(ByteBuffer raw, int at) {
      return places.span(raw.getLong(at), raw.getLong(at + 8));
    }
  }
}
