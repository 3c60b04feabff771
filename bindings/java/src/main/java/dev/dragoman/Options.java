// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Options of one of C's structs: those that were set. */
abstract class Options {
  final Object[] values;

  Options(Object[] values) {
    this.values = values;
  }

  abstract int size();

  /** Fills in the library's defaults. */
  abstract int prepare(long address);

  /** Writes what was set; the watch, if there is one, gets the progress. */
  abstract void put(Block block, ByteBuffer raw, Watch watch);

  Area write(Block block, Watch watch) {
    Area made = block.area(size());
    made.bytes.putInt(0, size());
    Library.check(null, prepare(made.address));
    put(block, made.bytes, watch);
    return made;
  }

  static Object[] merged(Object[] values, Object[] under) {
    Object[] found = values.clone();
    Arrays.setAll(found, place -> values[place] == null ? under[place] : values[place]);
    return found;
  }

  static long ranged(String name, long value, long most) {
    if (value < 0 || value > most) {
      throw new InvalidArgumentException(name + ": " + value + ", expected 0 to " + most);
    }
    return value;
  }
}
