// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The cases that every way into the library runs. */
class GoldenTest {
  private static final Map<String, Model> MODELS = new HashMap<>();
  private static final Map<String, Translator> TRANSLATORS = new HashMap<>();
  private static final Gson GSON = new GsonBuilder().serializeNulls().create();

  private static Translator translator(JsonObject given) {
    String name = given.get("model").getAsString();
    return TRANSLATORS.computeIfAbsent(
        name,
        path -> {
          Model model = Model.load(Support.DATA.resolve(path), Support.F32);
          MODELS.put(path, model);
          return model.translator(TranslateOptions.DEFAULTS);
        });
  }

  @AfterAll
  static void close() {
    TRANSLATORS.values().forEach(Translator::close);
    MODELS.values().forEach(Model::close);
  }

  private static List<String> strings(JsonElement given) {
    return given == null || given.isJsonNull()
        ? null
        : Arrays.asList(GSON.fromJson(given, String[].class));
  }

  private static List<List<String>> sequences(JsonElement given) {
    if (given == null || given.isJsonNull()) {
      return null;
    }
    List<List<String>> found = new ArrayList<>();
    given.getAsJsonArray().forEach(each -> found.add(strings(each)));
    return found;
  }

  private static String camel(String name) {
    return Pattern.compile("_(\\w)")
        .matcher(name)
        .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
  }

  /** Sets the options that a case names with the builder's methods of these names. */
  private static <B> B set(B builder, JsonObject given) {
    for (Map.Entry<String, JsonElement> option :
        given.getAsJsonObject("options") == null
            ? List.<Map.Entry<String, JsonElement>>of()
            : given.getAsJsonObject("options").entrySet()) {
      try {
        Method method =
            Stream.of(builder.getClass().getMethods())
                .filter(each -> each.getName().equals(camel(option.getKey())))
                .findFirst()
                .orElseThrow();
        method.invoke(builder, value(method.getParameterTypes()[0], option.getValue()));
      } catch (InvocationTargetException thrown) {
        throw (RuntimeException) thrown.getCause();
      } catch (IllegalAccessException thrown) {
        throw new AssertionError(thrown);
      }
    }
    return builder;
  }

  private static Object value(Class<?> kind, JsonElement given) {
    if (kind.isEnum()) {
      for (Object each : kind.getEnumConstants()) {
        if (each.toString().equalsIgnoreCase(given.getAsString())) {
          return each;
        }
      }
    }
    if (kind == List.class) {
      JsonArray array = given.getAsJsonArray();
      return array.size() > 0 && array.get(0).isJsonArray() ? sequences(array) : strings(array);
    }
    return GSON.fromJson(given, (Class<?>) kind);
  }

  private static TranslateOptions options(JsonObject given) {
    TranslateOptions.Builder builder = set(TranslateOptions.builder(), given);
    List<List<String>> prefixes = sequences(given.get("prefixes"));
    return prefixes == null ? builder.build() : builder.prefixes(prefixes).build();
  }

  private static int bytes(String text, int place) {
    return text.substring(0, place).getBytes(StandardCharsets.UTF_8).length;
  }

  private static int[] bytes(String text, Span span) {
    return new int[] {bytes(text, span.begin()), bytes(text, span.end())};
  }

  private static int[] pair(Span span) {
    return new int[] {span.begin(), span.end()};
  }

  private static int[] shape(Matrix matrix) {
    return new int[] {matrix.rows(), matrix.cols()};
  }

  private static Map<String, Object> describe(Hypothesis given, Translation of, boolean texts) {
    Map<String, Object> found = new HashMap<>();
    try {
      found.put("attention", shape(given.attention()));
    } catch (UnsupportedException several) {
      found.put("attention", JsonNull.INSTANCE);
    }
    List<Object> sentences = new ArrayList<>();
    for (Sentence sentence : given.sentences()) {
      sentences.add(
          Map.of(
              "source", bytes(of.source(), sentence.sourceSpan()),
              "target", bytes(given.text(), sentence.targetSpan()),
              "source_tokens", pair(sentence.sourceTokenSpan()),
              "target_tokens", pair(sentence.targetTokenSpan()),
              "score", sentence.score(),
              "attention", shape(sentence.attention())));
    }
    found.put("sentences", sentences);
    found.put("tokens", given.tokens());
    found.put("score", given.score());
    if (texts) {
      found.put("text", given.text());
    }
    return found;
  }

  private static Object describe(List<Translation> given, boolean texts) {
    List<Object> found = new ArrayList<>();
    for (Translation each : given) {
      List<Object> hypotheses = new ArrayList<>();
      each.hypotheses().forEach(one -> hypotheses.add(describe(one, each, texts)));
      found.add(Map.of("source_tokens", each.sourceTokens(), "hypotheses", hypotheses));
    }
    return found;
  }

  private static Object scores(List<Score> given, List<String> targets) {
    List<Object> found = new ArrayList<>();
    for (int place = 0; place < given.size(); ++place) {
      Score score = given.get(place);
      Map<String, Object> one = new HashMap<>();
      one.put("tokens", score.tokens());
      one.put("log_probs", score.logProbs().row(0));
      if (targets != null) {
        List<Object> ranges = new ArrayList<>();
        for (Span span : score.ranges()) {
          ranges.add(bytes(targets.get(place), span));
        }
        one.put("ranges", ranges);
      }
      found.add(one);
    }
    return found;
  }

  private static Object call(JsonObject given) throws ReflectiveOperationException {
    JsonElement inputs = given.get("inputs");
    JsonElement targets = given.get("targets");
    Side side =
        given.has("side")
            ? Side.valueOf(given.get("side").getAsString().toUpperCase(Locale.ROOT))
            : null;
    switch (given.get("call").getAsString()) {
      case "translate_texts":
        return describe(translator(given).translate(strings(inputs), options(given)), true);
      case "translate_tokens":
        return describe(
            translator(given).translateTokens(sequences(inputs), options(given)), false);
      case "score_tokens":
        ScoreOptions ofTokens = set(ScoreOptions.builder(), given).build();
        return scores(
            translator(given).score(sequences(inputs), sequences(targets), ofTokens), null);
      case "score_texts":
        ScoreOptions ofTexts = set(ScoreOptions.builder(), given).build();
        return scores(
            translator(given).scoreTexts(strings(inputs), strings(targets), ofTexts),
            strings(targets));
      case "tokenize":
        List<List<String>> tokens = new ArrayList<>();
        translator(given)
            .model()
            .tokenize(strings(inputs), side)
            .forEach(each -> tokens.add(each.tokens()));
        return tokens;
      case "detokenize":
        return translator(given).model().detokenize(sequences(inputs), side);
      case "split_sentences":
        return split(strings(inputs), given.getAsJsonObject("options"));
      case "describe":
        return facts(given);
      default:
        throw new AssertionError("no such call: " + given.get("call"));
    }
  }

  private static Object split(List<String> texts, JsonObject options) {
    List<Object> found = new ArrayList<>();
    for (String text : texts) {
      String language = options.has("language") ? options.get("language").getAsString() : null;
      boolean join = options.has("join_lines") && options.get("join_lines").getAsBoolean();
      List<Object> spans = new ArrayList<>();
      for (Span span : Dragoman.splitSentences(text, language, join)) {
        spans.add(bytes(text, span));
      }
      found.add(spans);
    }
    return found;
  }

  private static Object facts(JsonObject given) throws ReflectiveOperationException {
    ModelInfo info = Model.describe(Support.DATA.resolve(given.get("model").getAsString()));
    Map<String, Object> found = new HashMap<>();
    if (given.has("expected")) {
      for (String name : given.getAsJsonObject("expected").keySet()) {
        found.put(name, ModelInfo.class.getMethod(camel(name)).invoke(info));
      }
    }
    return found;
  }

  private static void same(JsonElement found, JsonElement expected, String where) {
    if (expected.isJsonObject()) {
      assertEquals(expected.getAsJsonObject().keySet(), found.getAsJsonObject().keySet(), where);
      for (String key : expected.getAsJsonObject().keySet()) {
        same(
            found.getAsJsonObject().get(key),
            expected.getAsJsonObject().get(key),
            where + "." + key);
      }
    } else if (expected.isJsonArray()) {
      assertEquals(expected.getAsJsonArray().size(), found.getAsJsonArray().size(), where);
      for (int place = 0; place < expected.getAsJsonArray().size(); ++place) {
        same(
            found.getAsJsonArray().get(place),
            expected.getAsJsonArray().get(place),
            where + "[" + place + "]");
      }
    } else if (expected.isJsonPrimitive() && expected.getAsJsonPrimitive().isNumber()) {
      boolean exact = !expected.getAsString().contains(".");
      double allowed = exact ? 0 : 1e-3 * Math.max(1, Math.abs(expected.getAsDouble()));
      double off = Math.abs(found.getAsDouble() - expected.getAsDouble());
      assertTrue(off <= allowed, where + ": " + found + ", expected " + expected);
    } else {
      assertEquals(expected, found, where);
    }
  }

  private static void check(JsonObject given) throws ReflectiveOperationException {
    JsonObject outcome = new JsonObject();
    try {
      outcome.add("expected", GSON.toJsonTree(call(given)));
    } catch (DragomanException thrown) {
      JsonObject error = new JsonObject();
      error.addProperty("status", thrown.status().toString().toLowerCase(Locale.ROOT));
      error.addProperty("message", thrown.getMessage().replace(Support.DATA + "/", ""));
      outcome.add("error", error);
    }
    JsonObject wanted = new JsonObject();
    String key = given.has("error") ? "error" : "expected";
    wanted.add(key, given.get(key));
    same(outcome, wanted, given.get("name").getAsString());
  }

  @TestFactory
  Stream<DynamicTest> golden() throws IOException {
    String text = Files.readString(Support.DATA.resolve("golden/golden.json"));
    JsonArray cases = JsonParser.parseString(text).getAsJsonObject().getAsJsonArray("cases");
    assertTrue(cases.size() >= 37, () -> cases.size() + " cases");
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonElement each : cases) {
      JsonObject given = each.getAsJsonObject();
      tests.add(DynamicTest.dynamicTest(given.get("name").getAsString(), () -> check(given)));
    }
    return tests.stream();
  }
}
