// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The library: its version and features, and what it does without a translator. */
public final class Dragoman extends LibraryCalls {
  /** For the option attentionHead: the mean of all heads. */
  public static final long ALL_HEADS = Constants.ALL_HEADS;

  private Dragoman() {}

  /**
   * What Java calls C with.
   *
   * @return "java.lang.foreign", or JNA and its version
   */
  public static String backend() {
    return C.name();
  }

  /**
   * The names of all features.
   *
   * @return the names
   */
  public static List<String> features() {
    List<String> found = new ArrayList<>();
    for (String name; (name = featureName(found.size())) != null; ) {
      found.add(name);
    }
    return found;
  }

  /**
   * The languages that texts may be in; needs no model.
   *
   * @param texts the texts
   * @param expected languages that are likelier than others, at most 8; none is excluded
   * @return for each text at most three, the most probable first; none without letters of a known
   *     language
   */
  public static List<List<LanguageGuess>> detectLanguages(
      List<String> texts, Collection<String> expected) {
    long made = detectLanguagesHandle(texts, String.join(",", expected));
    try (DetectionCalls detection = new DetectionCalls(made)) {
      return Reading.list(
          texts.size(),
          text ->
              Reading.list(
                  detection.guessCount(text),
                  place -> detection.guess(text, place, LanguageGuess::new)));
    }
  }

  /**
   * Finds the sentences of a text, as a translator does; needs no model.
   *
   * @param text the text
   * @param language of it, such as "de"; null: unknown
   * @param joinLines whether a line break is a space
   * @return the places of the sentences, without what is between them
   */
  public static List<Span> splitSentences(String text, String language, boolean joinLines) {
    long made = splitSentencesHandle(text, language, joinLines);
    try (RangeListCalls ranges = new RangeListCalls(made)) {
      return Reading.spans(ranges.data(), ranges.count(), new Places(text));
    }
  }
}
