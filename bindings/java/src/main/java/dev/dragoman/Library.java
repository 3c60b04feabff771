// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.LongToIntFunction;
import java.util.stream.Collectors;

/** The shared library: where it is, how Java gets into it, and what it reports. */
final class Library {
  private static final String NAMED =
      System.getProperty("dragoman.library", System.getenv().getOrDefault("DRAGOMAN_LIBRARY", ""));
  static final Backend C = load();
  private static final int SPARE_BYTES = 8192; // more than any struct has
  private static final ConcurrentLinkedDeque<Area> SPARE = new ConcurrentLinkedDeque<>();

  private Library() {}

  private static Backend load() {
    boolean android = System.getProperty("java.vendor", "").contains("Android");
    boolean foreign = !android && Integer.getInteger("java.specification.version", 0) >= 22;
    String wanted = System.getProperty("dragoman.backend", foreign ? "foreign" : "jna");
    String name = wanted.equals("jna") ? "dev.dragoman.JnaBackend" : "dev.dragoman.ForeignBackend";
    Backend found;
    try {
      found = (Backend) Class.forName(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException failure) {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      throw (UnsatisfiedLinkError)
          new UnsatisfiedLinkError(name + ": " + cause.getMessage()).initCause(cause);
    }
    long version = found.dragoman_version() / 100;
    long own = Constants.VERSION_MAJOR * 100 + Constants.VERSION_MINOR;
    if (version / 100 != Constants.VERSION_MAJOR || version < own) {
      throw new UnsatisfiedLinkError(
          String.format(
              "the library is version %d.%d, expected %d.%d or a later %3$d.x",
              version / 100, version % 100, own / 100, own % 100));
    }
    return found;
  }

  /** What `open` gives for the first of the names that a library may have which it can open. */
  static <T> T open(String library, Function<String, T> open) {
    List<String> faults = new ArrayList<>();
    for (String name : names(library)) {
      try {
        return open.apply(name);
      } catch (UnsatisfiedLinkError | IllegalArgumentException fault) {
        faults.add(fault.getMessage());
      }
    }
    if (library.equals("dragoman_models")) {
      throw Models.absent(faults);
    }
    throw new UnsatisfiedLinkError(
        "the library " + library + " was not found (DRAGOMAN_LIBRARY names the file): " + faults);
  }

  private static List<String> names(String library) {
    if (!NAMED.isEmpty() && library.equals("dragoman")) {
      return List.of(NAMED);
    }
    String plain = System.mapLibraryName(library);
    List<String> names = List.of(plain + "." + Constants.VERSION_MAJOR, plain, "lib" + plain);
    File folder = new File(NAMED).getParentFile();
    List<String> beside =
        names.stream()
            .map(name -> new File(folder, name))
            .filter(file -> folder != null && file.exists())
            .map(File::getPath)
            .collect(Collectors.toList());
    return beside.isEmpty() ? names : beside;
  }

  /**
   * Throws what the call's watch (null: none) was thrown, else the exception of the status. To be
   * called on the thread whose call returned it.
   */
  static void check(Watch watch, int status) {
    check(watch, status, C::dragoman_last_error);
  }

  /** The same of a library with errors of its own. */
  static void check(Watch watch, int status, LongSupplier error) {
    if (watch != null) {
      watch.rethrow();
    }
    if (status != 0) {
      String message = Reading.cText(error.getAsLong());
      throw DragomanException.of(Numbered.of(Status.values(), status), message);
    }
  }

  /** The handle that a call gives through a pointer. */
  static long made(Watch watch, LongToIntFunction call) {
    return read(watch, 8, call, raw -> raw.getLong(0));
  }

  /** What a call writes; the structs that want to know their size begin with it. */
  static <T> T read(Watch watch, int size, LongToIntFunction call, Function<ByteBuffer, T> read) {
    Area out = SPARE.poll();
    if (out == null) {
      out = new Area(SPARE_BYTES);
    }
    try {
      for (int at = 0; at < size; at += 8) {
        out.bytes.putLong(at, 0);
      }
      if (size > 8) {
        out.bytes.putInt(0, size);
      }
      check(watch, call.applyAsInt(out.address));
      return read.apply(out.bytes);
    } finally {
      SPARE.push(out);
    }
  }

  /** Counts that must be equal. */
  static void same(String name, int count, int inputs) {
    if (count != inputs) {
      throw new InvalidArgumentException(name + ": " + count + " for " + inputs + " inputs");
    }
  }
}
