// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Any number of texts through one job, which is fed as its translations are taken. */
final class Feed implements Iterator<Translation>, AutoCloseable {
  private static final int SLICE_MS = 100; // a thread's interruption is seen this often
  private final Map<Long, String> sources = new ConcurrentHashMap<>(); // not yet taken
  private final Deque<Translation> ready = new ArrayDeque<>();
  private final Iterator<Input> inputs;
  private final Progress progress;
  private final long ahead;
  final Job job;
  private Input held;
  private boolean read;
  private long fed;
  private long taken;

  Feed(
      Translator translator,
      Iterator<Input> inputs,
      TranslateOptions options,
      JobOptions jobOptions,
      Consumer<Event> listener) {
    ahead = jobOptions.ahead();
    if (ahead < 1) {
      throw new InvalidArgumentException("ahead: " + ahead + ", expected at least 1");
    }
    this.inputs = inputs;
    progress = options.progress();
    job =
        new Job(input -> sources.getOrDefault(input, ""), listener, null, jobOptions, true)
            .start(made -> translator.submitTextsHandle(List.of(), options, made));
  }

  @Override
  public boolean hasNext() {
    try {
      while (ready.isEmpty() && (!read || !sources.isEmpty())) {
        boolean full = !feed();
        take(full || read ? SLICE_MS : 0);
      }
    } catch (Throwable thrown) {
      close();
      throw thrown;
    }
    if (ready.isEmpty()) {
      close();
    }
    return !ready.isEmpty();
  }

  @Override
  public Translation next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }

  /** Reads one input and gives it to the job; false where there is no room. */
  private boolean feed() {
    if (read || sources.size() >= ahead) {
      return read;
    }
    if (held == null) {
      if (!inputs.hasNext()) {
        read = true;
        job.calls().finish();
        return true;
      }
      held = inputs.next();
    }
    sources.put(fed, held.text()); // its events may come at once
    List<List<String>> prefixes = held.prefix().isEmpty() ? null : List.of(held.prefix());
    if (job.calls().feedTexts(List.of(held.text()), prefixes, 0) == 0) {
      sources.remove(fed);
      return false;
    }
    ++fed;
    held = null;
    return true;
  }

  private void take(int milliseconds) {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancelledException("the thread was interrupted");
    }
    long result = job.calls().nextResultHandle(milliseconds);
    if (result == 0) {
      return;
    }
    ready.addAll(Reading.translations(result, input -> sources.remove(taken++)));
    if (progress != null) {
      progress.onProgress(taken, 0);
    }
  }

  /**
   * Stops what is left. A job that were destroyed before its last event would never end in Java.
   */
  @Override
  public void close() {
    job.stop();
    job.ended.thenRun(job.calls()::close);
  }
}
