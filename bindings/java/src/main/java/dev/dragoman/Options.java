// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;

/** Options of one of C's structs: those that were set. */
abstract class Options {
  /** What an option is. */
  enum Kind {
    U32,
    I32,
    U64,
    F32,
    FLAG,
    ENUM,
    TEXT,
    HANDLE,
    STRUCT,
    STRINGS,
    SEQUENCES,
    FLOATS,
    PROGRESS,
    LOCAL
  }

  /** An option, where it is in the struct, and where its count or user data is. */
  static final class Field {
    private final String name;
    private final Kind kind;
    private final int at;
    private final int count;

    Field(String name, Kind kind, int at, int count) {
      this.name = name;
      this.kind = kind;
      this.at = at;
      this.count = count;
    }
  }

  final Object[] values;

  Options(Object[] values) {
    this.values = values;
  }

  abstract Field[] fields();

  abstract int size();

  abstract int prepare(long address);

  /** The struct, with the values of `under` where these options say nothing. */
  Area write(Block block, Options under, Watch watch) {
    Area made = block.sized(size());
    Library.check(prepare(made.address));
    Field[] fields = fields();
    for (int place = 0; place < fields.length; ++place) {
      Object value = values[place] == null ? under.values[place] : values[place];
      if (fields[place].kind == Kind.PROGRESS && watch != null) {
        made.bytes.putLong(fields[place].at, Library.C.callback(Callbacks.Kind.PROGRESS));
        made.bytes.putLong(fields[place].count, watch.number());
      } else if (value != null) {
        put(block, made.bytes, fields[place], value);
      }
    }
    return made;
  }

  Area write(Block block) {
    return write(block, this, null);
  }

  /** The progress among them; null for none. */
  Progress progress() {
    for (int place = 0; place < values.length; ++place) {
      if (fields()[place].kind == Kind.PROGRESS) {
        return (Progress) values[place];
      }
    }
    return null;
  }

  private static void put(Block block, ByteBuffer raw, Field field, Object value) {
    switch (field.kind) {
      case U32:
        raw.putInt(field.at, (int) ranged(field, (Long) value, 0xFFFFFFFFL));
        break;
      case I32:
        raw.putInt(field.at, (Integer) value);
        break;
      case U64:
        raw.putLong(field.at, ranged(field, (Long) value, Long.MAX_VALUE));
        break;
      case F32:
        raw.putFloat(field.at, ((Double) value).floatValue());
        break;
      case FLAG:
        raw.putInt(field.at, (Boolean) value ? 1 : 0);
        break;
      case ENUM:
        raw.putInt(field.at, ((Numbered) value).number());
        break;
      case TEXT:
        raw.putLong(field.at, block.text(field.name, (String) value));
        break;
      case HANDLE:
        Handle handle = ((Owner) value).handle;
        raw.putLong(field.at, handle.enter());
        block.atEnd(handle::leave);
        break;
      case STRUCT:
        raw.putLong(field.at, ((Options) value).write(block).address);
        break;
      case STRINGS:
      case SEQUENCES:
      case FLOATS:
        putArray(block, raw, field, value);
        break;
      default:
        break; // of the call, not of the struct
    }
  }

  @SuppressWarnings("unchecked")
  private static void putArray(Block block, ByteBuffer raw, Field field, Object value) {
    long count;
    long address;
    if (field.kind == Kind.FLOATS) {
      Area made = block.area(((float[]) value).length * 4L);
      made.bytes.asFloatBuffer().put((float[]) value);
      address = made.address;
      count = ((float[]) value).length;
    } else {
      address =
          field.kind == Kind.STRINGS
              ? block.strings(field.name, (List<String>) value)
              : block.sequences(field.name, (List<List<String>>) value);
      count = ((Collection<?>) value).size();
    }
    raw.putLong(field.at, address);
    raw.putLong(field.count, count);
  }

  private static long ranged(Field field, long value, long most) {
    if (value < 0 || value > most) {
      throw new InvalidArgumentException(
          field.name + ": " + value + ", expected 0 to " + Long.toUnsignedString(most));
    }
    return value;
  }
}
