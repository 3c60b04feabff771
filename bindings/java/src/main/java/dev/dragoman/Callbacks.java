// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What C calls. Its user data is the number of a receiver. Nothing may be thrown into C. */
final class Callbacks {
  /** Types of functions, as C has them. */
  enum Kind {
    PROGRESS,
    EVENT,
    LOG,
    READ
  }

  /** Returns whether the work goes on. */
  interface ProgressReceiver {
    boolean progress(long done, long total);
  }

  /** Gets a dragoman_event. */
  interface EventReceiver {
    void event(ByteBuffer raw);
  }

  /** Gets lines of the log. */
  interface LogReceiver {
    void log(int level, String line);
  }

  /** Returns whether it could read. */
  interface ReadReceiver {
    boolean read(long offset, ByteBuffer into);
  }

  private static final Map<Long, Object> RECEIVERS = new ConcurrentHashMap<>();
  private static final AtomicLong NEXT = new AtomicLong(1);

  private Callbacks() {}

  static long add(Object receiver) {
    long number = NEXT.getAndIncrement();
    RECEIVERS.put(number, receiver);
    return number;
  }

  static void remove(long number) {
    RECEIVERS.remove(number);
  }

  static int progress(long done, long total, long user) {
    try {
      return ((ProgressReceiver) RECEIVERS.get(user)).progress(done, total) ? 0 : 1;
    } catch (Throwable thrown) {
      return 1;
    }
  }

  static void event(long event, long user) {
    try {
      ((EventReceiver) RECEIVERS.get(user)).event(C.view(event, Offsets.EVENT));
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  static void log(int level, long line, long user) {
    try {
      ((LogReceiver) RECEIVERS.get(user)).log(level, C.string(line));
    } catch (Throwable thrown) {
      report(thrown);
    }
  }

  static int read(long offset, long buffer, long size, long user) {
    try {
      ByteBuffer into = C.view(buffer, Math.toIntExact(size));
      return ((ReadReceiver) RECEIVERS.get(user)).read(offset, into) ? 0 : 1;
    } catch (Throwable thrown) {
      return 1;
    }
  }

  private static void report(Throwable thrown) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
  }
}
