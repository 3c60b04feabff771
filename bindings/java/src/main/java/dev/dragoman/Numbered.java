// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** An enumeration of C. */
interface Numbered {
  int number();

  /** The value with a number; the last one, for what a later library may add. */
  static <E extends Enum<E> & Numbered> E of(E[] values, int number) {
    return Arrays.stream(values)
        .filter(each -> each.number() == number)
        .findFirst()
        .orElse(values[values.length - 1]);
  }

  /** The values whose numbers are among the bits. */
  static <E extends Enum<E> & Numbered> Set<E> ofBits(Class<E> kind, int bits) {
    Set<E> found = EnumSet.allOf(kind);
    found.removeIf(each -> (bits & each.number()) == 0);
    return found;
  }
}
