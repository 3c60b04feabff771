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

/** What the library gives, as Java's own. */
final class Raw {
  private Raw() {}

  /** A dragoman_string. */
  static String string(ByteBuffer raw) {
    return string(raw, 0);
  }

  static String string(ByteBuffer raw, int at) {
    return text(raw.getLong(at), raw.getLong(at + Offsets.STRING_SIZE));
  }

  static String text(long address, long size) {
    return size == 0
        ? ""
        : new String(C.bytes(address, Math.toIntExact(size)), StandardCharsets.UTF_8);
  }

  /** Up to a zero byte; 0 is null. */
  static String cText(long address) {
    return address == 0 ? null : C.string(address);
  }

  /** A dragoman_tokens. */
  static List<String> tokens(ByteBuffer raw) {
    return tokens(raw, 0);
  }

  static List<String> tokens(ByteBuffer raw, int at) {
    int count = Math.toIntExact(raw.getLong(at + Offsets.TOKENS_COUNT));
    if (count == 0) {
      return List.of();
    }
    ByteBuffer strings = C.view(raw.getLong(at), count * Offsets.STRING);
    List<String> found = new ArrayList<>(count);
    for (int place = 0; place < count; ++place) {
      found.add(string(strings, place * Offsets.STRING));
    }
    return Collections.unmodifiableList(found);
  }

  /** Ranges in bytes of a text as places in it. */
  static List<Span> spans(long address, long count, Places places) {
    List<Span> found = new ArrayList<>();
    ByteBuffer raw = count == 0 ? null : C.view(address, Math.toIntExact(count * Offsets.RANGE));
    for (int at = 0; at < count * Offsets.RANGE; at += Offsets.RANGE) {
      found.add(places.span(raw.getLong(at), raw.getLong(at + Offsets.RANGE_END)));
    }
    return Collections.unmodifiableList(found);
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
      C.view(raw.getLong(0), Math.multiplyExact(data.length, 4)).asFloatBuffer().get(data);
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
    ByteBuffer from = raw.duplicate();
    ((Buffer) from).position(at);
    from.get(found);
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
