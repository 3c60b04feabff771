// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A text, with places in bytes of its UTF-8 as places in its UTF-16. */
final class Places {
  final String text;
  private final int[] places;

  Places(String text) {
    this.text = text;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == text.length()) {
      places = null;
      return;
    }
    places = new int[bytes.length + 1];
    int at = 0;
    for (int place = 0; place < bytes.length; ++place) {
      places[place] = at;
      if ((bytes[place] & 0xC0) != 0x80) {
        at += (bytes[place] & 0xF8) == 0xF0 ? 2 : 1;
      }
    }
    places[bytes.length] = at;
  }

  /** Of two neighbouring numbers in bytes. */
  Span span(ByteBuffer raw, int at) {
    return new Span(place((int) raw.getLong(at)), place((int) raw.getLong(at + 8)));
  }

  private int place(int at) {
    return places == null ? at : places[at];
  }
}
