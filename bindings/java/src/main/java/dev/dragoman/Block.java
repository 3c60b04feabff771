// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** What a call passes to C, which lives as long as the call. */
final class Block implements AutoCloseable {
  private static final int CHUNK = 4096;
  private final Deque<Runnable> ends = new ArrayDeque<>();
  private Area chunk = new Area(0, ByteBuffer.allocate(0));
  private int used;

  /** Memory that is 0. */
  Area area(long size) {
    if (size > Integer.MAX_VALUE - CHUNK) {
      throw new InvalidArgumentException(
          "one argument has " + size + " bytes, expected at most " + (Integer.MAX_VALUE - CHUNK));
    }
    int rounded = (int) (size + 15) & ~15;
    if (chunk.bytes.capacity() - used < rounded) {
      int capacity = Math.max(CHUNK, rounded);
      Area made = new Area(capacity);
      ends.push(() -> Library.C.system().free(made.address));
      chunk = made;
      used = 0;
    }
    Area found = new Area(chunk.address + used, Reading.part(chunk.bytes, used, rounded));
    used += rounded;
    return found;
  }

  /** Something to do when the call is over. */
  void atEnd(Runnable end) {
    ends.push(end);
  }

  /** A text, or a path as one, that ends with a zero byte; null is 0. */
  long text(String name, Object value) {
    if (value == null) {
      return 0;
    }
    byte[] encoded = encode(name, value.toString());
    int zero = value.toString().indexOf('\0');
    if (zero >= 0) {
      throw new InvalidArgumentException(name + ": a zero byte at " + zero + ", expected none");
    }
    return bytes(Arrays.copyOf(encoded, encoded.length + 1)).address;
  }

  Area bytes(byte[] content) {
    Area made = area(content.length);
    made.bytes.put(content);
    return made;
  }

  /** An array of dragoman_string. */
  long strings(String name, Collection<String> texts) {
    Area made = area(texts.size() * (long) Offsets.STRING);
    int place = 0;
    for (String text : texts) {
      byte[] encoded = encode(name + "[" + place + "]", text);
      made.bytes.putLong(bytes(encoded).address).putLong(encoded.length);
      ++place;
    }
    return made.address;
  }

  /** An array of dragoman_tokens; null is 0. */
  long sequences(String name, Collection<? extends List<String>> sequences) {
    if (sequences == null) {
      return 0;
    }
    Area made = area(sequences.size() * (long) Offsets.TOKENS);
    int place = 0;
    for (List<String> tokens : sequences) {
      made.bytes.putLong(strings(name + "[" + place + "]", tokens)).putLong(tokens.size());
      ++place;
    }
    return made.address;
  }

  /** One sequence for each of the inputs; null is 0. */
  long prefixes(List<List<String>> prefixes, int inputs) {
    Library.same("prefixes", prefixes == null ? inputs : prefixes.size(), inputs);
    return sequences("prefixes", prefixes);
  }

  long floats(float[] values) {
    Area made = area(values.length * 4L);
    made.bytes.asFloatBuffer().put(values);
    return made.address;
  }

  /** The handle of something, kept until the call is over. */
  long hold(Owner owner) {
    long address = owner.state.enter();
    ends.push(owner.state::leave);
    return address;
  }

  /** An array of handles. */
  long handles(List<? extends Owner> owners) {
    Area made = area(owners.size() * 8L);
    owners.forEach(each -> made.bytes.putLong(hold(each)));
    return made.address;
  }

  /** UTF-8. What is not Unicode would silently become another text. */
  static byte[] encode(String name, String text) {
    for (int at = 0; at < text.length(); ++at) {
      if (Character.isSurrogate(text.charAt(at))) {
        int pair = text.codePointAt(at);
        if (!Character.isSupplementaryCodePoint(pair)) {
          throw new InvalidArgumentException(name + ": a lone surrogate at " + at);
        }
        ++at;
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    while (!ends.isEmpty()) {
      ends.pop().run();
    }
  }
}
