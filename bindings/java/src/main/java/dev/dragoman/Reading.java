// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Copies what the library's handles have into Java's values. */
final class Reading {
  private Reading() {}

  static <T> List<T> list(long count, LongFunction<T> each) {
    List<T> found = new ArrayList<>(Math.toIntExact(count));
    for (long place = 0; place < count; ++place) {
      found.add(each.apply(place));
    }
    return Collections.unmodifiableList(found);
  }

  static LongFunction<String> of(List<String> texts) {
    return place -> texts.get((int) place);
  }

  /** Ends the report. */
  static String report(long made) {
    try (ReportCalls report = new ReportCalls(made)) {
      return report.json();
    }
  }

  /** Ends the list. */
  static List<Language> languages(long made) {
    try (LanguageListCalls list = new LanguageListCalls(made)) {
      return Raw.array(list.data(), list.count(), Offsets.LANGUAGE, Language::new);
    }
  }

  /** Ends the scores. The targets of tokens are empty. */
  static List<Score> scores(long made, LongFunction<String> targets) {
    try (ScoresCalls scores = new ScoresCalls(made)) {
      return list(scores.count(), pair -> new Score(scores, pair, new Places(targets.apply(pair))));
    }
  }

  /** Ends the result. The sources of tokens are empty. */
  static List<Translation> translations(long made, LongFunction<String> sources) {
    try (ResultCalls result = new ResultCalls(made)) {
      return list(result.count(), input -> new Translation(result, input, sources.apply(input)));
    }
  }

  /** The words of a sentence with their quality. */
  static List<WordScore> words(Matrix quality, List<Span> spans) {
    return list(
        quality.cols(), word -> new WordScore(spans.get((int) word), quality.get(0, (int) word)));
  }

  /** What a model or text may not have: then the exception comes when it is asked for. */
  static <T> Supplier<T> perhaps(Supplier<T> read) {
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

  /** A plain text; where there is none the text itself, if that is there. */
  static String plain(String plain, Supplier<String> text) {
    try {
      return plain.isEmpty() ? text.get() : plain;
    } catch (UnsupportedException refused) {
      return "";
    }
  }
}
