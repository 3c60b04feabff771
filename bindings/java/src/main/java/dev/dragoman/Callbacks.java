// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** What C calls. Its user data is the number of a receiver. Nothing may be thrown into C. */
final class Callbacks {
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
    return Callbacks.<Watch>stops(user, watch -> watch.progress(done, total));
  }

  static int download(long progress, long user) {
    return Callbacks.<Watch>stops(user, watch -> Models.told(watch, progress));
  }

  static void event(long event, long user) {
    run(() -> ((Job) RECEIVERS.get(user)).onEvent(C.view(event, Offsets.EVENT)));
  }

  @SuppressWarnings("unchecked")
  static void log(int level, long line, long user) {
    LogLevel kind = Numbered.of(LogLevel.values(), level);
    BiConsumer<LogLevel, String> to = (BiConsumer<LogLevel, String>) RECEIVERS.get(user);
    run(() -> to.accept(kind, Reading.cText(line)));
  }

  static int read(long offset, long buffer, long size, long user) {
    return Callbacks.<Watch.File>stops(user, file -> file.read(offset, C.view(buffer, size)));
  }

  @SuppressWarnings("unchecked")
  private static <T> int stops(long user, Predicate<T> goesOn) {
    try {
      return goesOn.test((T) RECEIVERS.get(user)) ? 0 : 1;
    } catch (Throwable thrown) {
      return 1;
    }
  }

  /** Reports what it throws. */
  private static void run(Runnable told) {
    try {
      told.run();
    } catch (Throwable thrown) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }
  }
}
