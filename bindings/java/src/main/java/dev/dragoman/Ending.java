// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The end of Java: no thread of the library may come back into it. */
final class Ending {
  private static final int PATIENCE_MS = 60_000;
  private static final Set<Job> JOBS = ConcurrentHashMap.newKeySet();
  private static final Set<Logger> LOGGERS = ConcurrentHashMap.newKeySet();
  private static volatile boolean begun;

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

  static boolean begun() {
    return begun;
  }

  static void add(Job job) {
    check();
    JOBS.add(job);
  }

  static void remove(Job job) {
    JOBS.remove(job);
  }

  static void add(Logger logger) {
    LOGGERS.add(logger);
  }

  static void remove(Logger logger) {
    LOGGERS.remove(logger);
  }

  private static void end() {
    begun = true;
    long until = System.nanoTime() + PATIENCE_MS * 1_000_000L;
    for (Job job : JOBS) {
      job.stop();
    }
    try {
      while ((!JOBS.isEmpty() || Watch.any()) && System.nanoTime() < until) {
        Thread.sleep(5);
      }
    } catch (InterruptedException thrown) {
      Thread.currentThread().interrupt();
    }
    LOGGERS.forEach(Logger::close);
  }
}
