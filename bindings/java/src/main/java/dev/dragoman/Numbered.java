// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.EnumSet;
import java.util.Set;

/** An enumeration of C. */
interface Numbered {
  int number();

  /** The value with a number; the last one, for what a later library may add. */
  static <E extends Enum<E> & Numbered> E of(E[] values, int number) {
    for (E each : values) {
      if (each.number() == number) {
        return each;
      }
    }
    return values[values.length - 1];
  }

  /** The values whose numbers are among the bits. */
  static <E extends Enum<E> & Numbered> Set<E> ofBits(Class<E> kind, int bits) {
    Set<E> found = EnumSet.noneOf(kind);
    for (E each : kind.getEnumConstants()) {
      if ((bits & each.number()) != 0) {
        found.add(each);
      }
    }
    return found;
  }
}
