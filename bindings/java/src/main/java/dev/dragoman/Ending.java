// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The end of Java: no thread of the library may come back into it. */
final class Ending {
  private static final int PATIENCE_MS = 60_000;
  static final Set<Job> JOBS = ConcurrentHashMap.newKeySet();
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

  private static void end() {
    begun = true;
    long until = System.nanoTime() + PATIENCE_MS * 1_000_000L;
    JOBS.forEach(Job::stop);
    try {
      while ((!JOBS.isEmpty() || !WATCHES.isEmpty()) && System.nanoTime() < until) {
        Thread.sleep(5);
      }
    } catch (InterruptedException thrown) {
      Thread.currentThread().interrupt();
    }
    LOGGERS.forEach(Logger::close);
  }
}
