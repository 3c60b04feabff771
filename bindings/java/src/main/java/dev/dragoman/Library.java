// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import java.util.function.LongToIntFunction;

/** The shared library: where it is, how Java gets into it, and what it reports. */
final class Library {
  private static final String NAMED = System.getProperty("dragoman.library", environment());
  static final Backend C = load();
  private static final int SPARE_BYTES = 8192; // more than any struct has
  private static final ConcurrentLinkedDeque<Area> SPARE = new ConcurrentLinkedDeque<>();

  private Library() {}

  private static String environment() {
    String named = System.getenv("DRAGOMAN_LIBRARY");
    return named == null ? "" : named;
  }

  private static Backend load() {
    boolean foreign = !isAndroid() && Integer.getInteger("java.specification.version", 0) >= 22;
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
              "the library is version %d.%d, expected %d.%d or a later %d.x",
              version / 100,
              version % 100,
              Constants.VERSION_MAJOR,
              Constants.VERSION_MINOR,
              Constants.VERSION_MAJOR));
    }
    return found;
  }

  private static boolean isAndroid() {
    return System.getProperty("java.vendor", "").contains("Android");
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
    throw new UnsatisfiedLinkError(
        "the library " + library + " was not found (DRAGOMAN_LIBRARY names the file): " + faults);
  }

  private static List<String> names(String library) {
    if (!NAMED.isEmpty() && library.equals("dragoman")) {
      return List.of(NAMED);
    }
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    List<String> names = new ArrayList<>();
    if (system.startsWith("windows")) {
      names.add(library + ".dll");
      names.add("lib" + library + ".dll");
    } else if (system.startsWith("mac")) {
      names.add("lib" + library + ".dylib");
    } else {
      names.add("lib" + library + ".so." + Constants.VERSION_MAJOR);
      names.add("lib" + library + ".so");
    }
    File folder = new File(NAMED).getParentFile();
    List<String> beside = new ArrayList<>();
    for (String name : names) {
      if (folder != null && new File(folder, name).exists()) {
        beside.add(new File(folder, name).getPath());
      }
    }
    return beside.isEmpty() ? names : beside;
  }

  /** Throws the exception of a status, on the thread whose call returned it. */
  static void check(int status) {
    if (status != 0) {
      throw DragomanException.of(
          Numbered.of(Status.values(), status), C.string(C.dragoman_last_error()));
    }
  }

  /** The same, but what the progress of the call threw goes first. */
  static void check(Watch watch, int status) {
    if (watch != null) {
      watch.rethrow();
    }
    check(status);
  }

  /** The handle that a call gives through a pointer. */
  static long made(LongToIntFunction call) {
    return read(null, 8, call, raw -> raw.getLong(0));
  }

  static long made(Watch watch, LongToIntFunction call) {
    return read(watch, 8, call, raw -> raw.getLong(0));
  }

  /** What a call writes; the structs that want to know their size begin with it. */
  static <T> T read(int size, LongToIntFunction call, Function<ByteBuffer, T> read) {
    return read(null, size, call, read);
  }

  static <T> T read(Watch watch, int size, LongToIntFunction call, Function<ByteBuffer, T> read) {
    Area out = SPARE.poll();
    if (out == null) {
      long address = C.allocate(SPARE_BYTES);
      out = new Area(address, C.view(address, SPARE_BYTES));
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
