// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.charset.StandardCharsets;

/** Places in bytes of a text's UTF-8 as places in its UTF-16. */
final class Places {
  private final int[] places;

  Places(String text) {
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

  Span span(long begin, long end) {
    return new Span(place((int) begin), place((int) end));
  }

  private int place(int at) {
    return places == null ? at : places[at];
  }
}
