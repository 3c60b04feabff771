// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.ByteBuffer;

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
    for (int place = 0; place < found.length; ++place) {
      found[place] = found[place] == null ? under[place] : found[place];
    }
    return found;
  }

  static long ranged(String name, long value, long most) {
    if (value < 0 || value > most) {
      throw new InvalidArgumentException(name + ": " + value + ", expected 0 to " + most);
    }
    return value;
  }
}
