// SPDX-License-Identifier: Apache-2.0
// Calls MODEL [ROUNDS]: what calls cost through the Java package, for the table of README.md, which
// says what each line is.
import dev.dragoman.Dragoman;
import dev.dragoman.Model;
import dev.dragoman.ModelOptions;
import dev.dragoman.TranslateOptions;
import dev.dragoman.Translation;
import dev.dragoman.Translator;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

class Calls {
  private static final String DETECTED = "Wo ist der Bahnhof, und wann kommt der letzte Zug?";
  private static final String TRANSLATED = "batin kétiß kénara késora banara!";
  private static volatile int seen; // what calls give is used, or they would be left out

  private static void measure(String name, int calls, int rounds, ToIntFunction<Integer> call) {
    double[] times = new double[rounds];
    int sum = 0;
    for (int round = -3; round < rounds; ++round) { // Java compiles while it warms up
      long begin = System.nanoTime();
      for (int place = 0; place < calls; ++place) {
        sum += call.applyAsInt(place);
      }
      if (round >= 0) {
        times[round] = (System.nanoTime() - begin) / (double) calls;
      }
    }
    seen = sum;
    Arrays.sort(times);
    System.out.println(String.format(Locale.ROOT, "%s\t%.1f", name, times[rounds / 2]));
  }

  public static void main(String[] arguments) {
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 21;
    try (Model model = Model.load(Path.of(arguments[0]), ModelOptions.builder().build());
        Translator translator = model.translator(TranslateOptions.builder().build())) {
      measure("version", 1000000, rounds, place -> Dragoman.version());
      Translation made =
          translator.translate(TRANSLATED, TranslateOptions.builder().targetLanguage("xx").build());
      measure("text", 100000, rounds, place -> made.text().length());
      measure(
          "detect",
          1000,
          rounds,
          place ->
              Dragoman.detectLanguages(List.of(DETECTED), List.of()).get(0).get(0).tag().length());
      measure("version_string", 100000, rounds, place -> Dragoman.versionString().length());
      measure("blank", 1000, rounds, place -> translate(translator, " "));
      measure("translate", 10, rounds, place -> translate(translator, TRANSLATED));
    }
  }

  private static int translate(Translator translator, String text) {
    TranslateOptions options = TranslateOptions.builder().targetLanguage("xx").build();
    return translator.translate(text, options).text().length();
  }
}
