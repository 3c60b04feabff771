// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stops a call when its thread is interrupted, its progress throws, or Java ends. */
final class Watch implements AutoCloseable, Callbacks.ProgressReceiver {
  private static final Set<Watch> ALL = ConcurrentHashMap.newKeySet();
  private final Thread thread = Thread.currentThread();
  private final Progress progress;
  private final long number;
  private volatile Throwable thrown;

  Watch(Progress progress) {
    this.progress = progress;
    Ending.check();
    ALL.add(this);
    number = Callbacks.add(this);
  }

  static boolean any() {
    return !ALL.isEmpty();
  }

  long number() {
    return number;
  }

  @Override
  public boolean progress(long done, long total) {
    if (Ending.begun() || thread.isInterrupted()) {
      return false;
    }
    try {
      if (progress != null) {
        progress.onProgress(done, total);
      }
      return true;
    } catch (Throwable raised) {
      thrown = raised;
      return false;
    }
  }

  /** Throws what the progress threw. */
  void rethrow() {
    if (thrown != null) {
      Watch.<RuntimeException>raise(thrown);
    }
  }

  @SuppressWarnings("unchecked")
  static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public void close() {
    Callbacks.remove(number);
    ALL.remove(this);
  }
}
