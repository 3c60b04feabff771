// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** What the tests have in common. */
final class Support {
  static final Path ROOT =
      Path.of(System.getProperty("dragoman.root", "../..")).toAbsolutePath().normalize();
  static final Path DATA = ROOT.resolve("tests/data");
  static final Path TEXT_MODEL = DATA.resolve("huggingface/shared");
  static final Path TOKEN_MODEL = DATA.resolve("aren-transliteration");
  static final String TEXT = "batin kétiß kénara késora banara!";
  static final String TRANSLATION = "fopiй Gasa Gakuй Gakux foй!";
  static final ModelOptions F32 = ModelOptions.builder().computeType(ComputeType.F32).build();
  static final TranslateOptions TO_XX = TranslateOptions.builder().targetLanguage("xx").build();

  private Support() {}

  static Model model() {
    return Model.load(TEXT_MODEL, F32);
  }

  /** Many sentences that differ, for work that lasts. */
  static List<String> many(int count) {
    List<String> found = new java.util.ArrayList<>();
    for (int place = 0; place < count; ++place) {
      found.add(TEXT + " " + "kén ".repeat(place % 50) + "batiß" + place + ".");
    }
    return found;
  }

  static <T extends Throwable> T fails(Class<T> kind, String words, Executable run) {
    T thrown = assertThrows(kind, run);
    assertTrue(
        String.valueOf(thrown.getMessage()).contains(words),
        () -> "'" + words + "' is not in: " + thrown.getMessage());
    return thrown;
  }
}
