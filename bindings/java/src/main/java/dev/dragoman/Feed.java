// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Any number of texts through one job, which is fed as its translations are taken. What is thrown
 * for a text, or by the iterator, comes after the translations of the texts before.
 */
final class Feed implements Iterator<Translation>, AutoCloseable {
  private static final int SLICE_MS = 100; // a thread's interruption is seen this often
  private final Map<Long, String> sources = new ConcurrentHashMap<>(); // not yet taken
  private final Deque<Translation> ready = new ArrayDeque<>();
  private final Translator translator; // whose end would be the job's
  private final Iterator<Input> inputs;
  private final Progress progress;
  private final long ahead;
  final Job job;
  private Input held;
  private Throwable fault;
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
    this.translator = translator;
    this.inputs = inputs;
    progress = options.progress();
    // The job keeps no feed, so that one that nobody has ends.
    job =
        new Job(sources::get, listener, null, jobOptions, true)
            .start(sources, made -> translator.submitTextsHandle(List.of(), options, made));
  }

  @Override
  public boolean hasNext() {
    try {
      while (ready.isEmpty() && (!read || !sources.isEmpty())) {
        take(feed() ? 0 : SLICE_MS);
      }
    } catch (Throwable thrown) {
      close();
      throw thrown;
    }
    if (ready.isEmpty()) {
      close();
      if (fault != null) {
        Watch.<RuntimeException>raise(fault);
      }
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

  /**
   * Reads one input and gives it to the job; false where there is no room, or there are no more.
   */
  private boolean feed() {
    if (read || sources.size() >= ahead) {
      return false;
    }
    try {
      held = held == null && inputs.hasNext() ? Objects.requireNonNull(inputs.next()) : held;
      if (held != null) {
        return give();
      }
    } catch (Throwable thrown) {
      fault = thrown;
    }
    read = true;
    job.calls().finish();
    return false;
  }

  private boolean give() {
    long number = fed;
    sources.put(number, held.text()); // its events may come at once
    List<List<String>> prefixes = held.prefix().isEmpty() ? null : List.of(held.prefix());
    try {
      fed += job.calls().feedTexts(List.of(held.text()), prefixes, 0);
    } catch (InvalidArgumentException thrown) { // it counts the texts of this call
      String message = thrown.getMessage().replaceFirst("\\[0]", "[" + number + "]");
      throw new InvalidArgumentException(message);
    } finally {
      sources.remove(fed); // where it was not taken
    }
    held = fed > number ? null : held;
    return held == null;
  }

  private void take(int milliseconds) {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancelledException("the thread was interrupted");
    }
    long result = job.calls().nextResultHandle(milliseconds);
    if (result != 0) {
      ready.addAll(Reading.translations(result, input -> sources.remove(taken++)));
      if (progress != null) {
        progress.onProgress(taken, 0);
      }
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
