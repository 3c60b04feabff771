// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** The end of Java: no thread of the library may come back into it. */
final class Ending {
  private static final int PATIENCE_MS = 60_000;
  private static final int PATIENCE_WITHIN_MS = 1000;

  /** Those that have not ended, each with what it keeps until then. */
  static final Map<Job, Object> JOBS = new ConcurrentHashMap<>();

  static final Set<Logger> LOGGERS = ConcurrentHashMap.newKeySet();
  static final Set<Watch> WATCHES = ConcurrentHashMap.newKeySet();
  static volatile boolean begun;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Ending::end, "dragoman-end"));
  }

  private Ending() {}

  /** Throws when it has begun. */
  static void check() {
    if (begun) {
      throw new CancelledException("Java is ending");
    }
  }

  /** Whether something that the library calls has called exit(): that thread stays in it. */
  private static boolean within() {
    return Thread.getAllStackTraces().values().stream()
        .map(Arrays::toString)
        .anyMatch(
            at -> at.contains("java.lang.Runtime.exit(") && at.contains("dev.dragoman.Callbacks."));
  }

  private static void end() {
    begun = true;
    long patience = within() ? PATIENCE_WITHIN_MS : PATIENCE_MS;
    long until = System.nanoTime() + patience * 1_000_000L;
    JOBS.keySet().forEach(Job::stop);
    while ((!JOBS.isEmpty() || !WATCHES.isEmpty()) && System.nanoTime() < until) {
      LockSupport.parkNanos(5_000_000);
    }
    LOGGERS.forEach(Logger::close);
  }
}
