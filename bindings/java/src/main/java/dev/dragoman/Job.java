// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * A translation that was submitted. Cancelling it, or completing it in any other way, stops the
 * work. What depends on it runs on a thread of this package's own, where it may wait.
 */
public final class Job extends CompletableFuture<List<Translation>> {
  /** Tasks here may wait, so each has a thread. */
  static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "dragoman-job");
            thread.setDaemon(true);
            return thread;
          });

  private static final int MOST_PLACES = 256;
  private final LongFunction<String> source;
  private final Map<Long, Places> places =
      new HashMap<>(); // of texts that have events; its thread's
  private final Consumer<Event> listener;
  private final Progress progress;
  private final JobOptions options;
  private final boolean fed;
  private final long number = Callbacks.add(this);

  /** After its last event, when it may be destroyed. */
  final CompletableFuture<Void> ended = new CompletableFuture<>();

  private JobCalls calls;

  /**
   * A job that is not submitted yet.
   *
   * @param source the text of an input
   * @param listener null: no events
   * @param progress null: none
   * @param options how it is run
   * @param fed whether inputs follow, and results are taken while it runs
   */
  Job(
      LongFunction<String> source,
      Consumer<Event> listener,
      Progress progress,
      JobOptions options,
      boolean fed) {
    this.source = source;
    this.listener = listener;
    this.progress = progress;
    this.options = options;
    this.fed = fed;
  }

  /**
   * Submits it.
   *
   * @param kept until it ends, as the translator, whose end would be the job's
   * @param submit gives its handle
   */
  synchronized Job start(Object kept, ToLongFunction<Job> submit) {
    try {
      Ending.check();
      Ending.JOBS.put(this, kept);
      calls = new JobCalls(submit.applyAsLong(this));
    } catch (Throwable thrown) {
      Ending.JOBS.remove(this);
      Callbacks.remove(number);
      throw thrown;
    }
    whenComplete((found, thrown) -> stop());
    return this;
  }

  /** A dragoman_job_options, which says what this job is told. */
  Area write(Block block) {
    Area made = options.write(block, null);
    made.bytes.putLong(Offsets.JOB_OPTIONS_ON_EVENT, C.callback(CallbackKind.EVENT));
    made.bytes.putLong(Offsets.JOB_OPTIONS_USER, number);
    made.bytes.putInt(Offsets.JOB_OPTIONS_FED, fed ? 1 : 0);
    long sentence = listener == null && progress == null ? 0 : Constants.EVENTS_SENTENCE;
    long partial = listener != null && options.partial() ? Constants.EVENTS_PARTIAL : 0;
    long events = Constants.EVENTS_END | sentence | partial;
    made.bytes.putInt(Offsets.JOB_OPTIONS_EVENTS, (int) events);
    return made;
  }

  void onEvent(ByteBuffer raw) {
    if (raw.getInt(Offsets.EVENT_KIND) == EventKind.END.number()) {
      Callbacks.remove(number);
      THREADS.execute(this::finish);
      return;
    }
    try {
      if (progress != null && raw.getInt(Offsets.EVENT_KIND) == EventKind.SENTENCE.number()) {
        progress.onProgress(raw.getLong(Offsets.EVENT_DONE), raw.getLong(Offsets.EVENT_TOTAL));
      }
      if (listener != null) {
        if (places.size() >= MOST_PLACES) {
          places.clear();
        }
        long input = raw.getLong(Offsets.EVENT_INPUT);
        listener.accept(
            new Event(raw, places.computeIfAbsent(input, at -> new Places(source.apply(at)))));
      }
    } catch (Throwable thrown) {
      THREADS.execute(() -> completeExceptionally(thrown));
    }
  }

  /** After the last event. */
  private void finish() {
    JobCalls own = calls();
    try {
      List<Translation> found =
          fed ? List.of() : Reading.translations(own.takeResultHandle(), source);
      Ending.JOBS.remove(this); // what depends on it may end Java
      complete(found);
    } catch (Throwable thrown) {
      Ending.JOBS.remove(this);
      completeExceptionally(thrown);
    } finally {
      if (!fed) {
        own.close();
      }
      ended.complete(null);
    }
  }

  /** Waits until the job is submitted. */
  synchronized JobCalls calls() {
    return calls;
  }

  /** Asks the job to stop soon. */
  void stop() {
    try {
      calls().cancel();
    } catch (IllegalStateException over) {
      // it has ended
    }
  }
}
