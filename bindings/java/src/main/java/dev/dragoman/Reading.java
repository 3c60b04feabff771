// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** What the library gives, copied into Java's own values. */
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
      return array(list.data(), list.count(), Offsets.LANGUAGE, Language::new);
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

  static byte[] bytes(long address, long size) {
    byte[] found = new byte[Math.toIntExact(size)];
    if (size > 0) {
      C.view(address, size).get(found);
    }
    return found;
  }

  private static String text(long address, long size) {
    return size == 0 ? "" : new String(bytes(address, size), StandardCharsets.UTF_8);
  }

  /** Up to a zero byte; 0 is null. */
  static String cText(long address) {
    return address == 0 ? null : text(address, C.system().strlen(address));
  }

  /** A dragoman_string. */
  static String string(ByteBuffer raw) {
    return string(raw, 0);
  }

  static String string(ByteBuffer raw, int at) {
    return text(raw.getLong(at), raw.getLong(at + Offsets.STRING_SIZE));
  }

  /** Some bytes of others. */
  static ByteBuffer part(ByteBuffer whole, int begin, int size) {
    ByteBuffer part = whole.duplicate();
    ((Buffer) part).position(begin).limit(begin + size); // Android 13 has no others
    return part.slice().order(ByteOrder.nativeOrder());
  }

  /** An array of structs. */
  static <T> List<T> array(long address, long count, int size, Function<ByteBuffer, T> each) {
    ByteBuffer all = count == 0 ? null : C.view(address, count * size);
    return list(count, place -> each.apply(part(all, (int) place * size, size)));
  }

  /** A dragoman_tokens. */
  static List<String> tokens(ByteBuffer raw) {
    return tokens(raw, 0);
  }

  static List<String> tokens(ByteBuffer raw, int at) {
    long count = raw.getLong(at + Offsets.TOKENS_COUNT);
    return array(raw.getLong(at), count, Offsets.STRING, Reading::string);
  }

  /** Two neighbouring numbers. */
  static Span span(ByteBuffer raw, int at) {
    return new Span((int) raw.getLong(at), (int) raw.getLong(at + 8));
  }

  /** Ranges in bytes of a text as places in it. */
  static List<Span> spans(long address, long count, Places places) {
    return array(address, count, Offsets.RANGE, raw -> places.span(raw, 0));
  }

  /** A dragoman_ranges. */
  static List<Span> spans(ByteBuffer raw, Places places) {
    return spans(raw.getLong(0), raw.getLong(Offsets.RANGES_COUNT), places);
  }

  /** A dragoman_matrix. */
  static Matrix matrix(ByteBuffer raw) {
    int rows = Math.toIntExact(raw.getLong(Offsets.MATRIX_ROWS));
    int cols = Math.toIntExact(raw.getLong(Offsets.MATRIX_COLS));
    float[] data = new float[Math.multiplyExact(rows, cols)];
    if (data.length > 0) {
      C.view(raw.getLong(0), data.length * 4L).asFloatBuffer().get(data);
    }
    return new Matrix(data, rows, cols);
  }

  /** An array of char with a zero byte in it. */
  static String chars(ByteBuffer raw, int at) {
    int end = at;
    while (raw.get(end) != 0) {
      ++end;
    }
    byte[] found = new byte[end - at];
    part(raw, at, found.length).get(found);
    return new String(found, StandardCharsets.UTF_8);
  }

  static UUID uuid(ByteBuffer raw, int at) {
    ByteBuffer network = raw.duplicate().order(ByteOrder.BIG_ENDIAN);
    return new UUID(network.getLong(at), network.getLong(at + 8));
  }

  /** One of Vulkan's. */
  static String version(int packed) {
    return (packed >>> 22) + "." + (packed >>> 12 & 0x3FF) + "." + (packed & 0xFFF);
  }
}
