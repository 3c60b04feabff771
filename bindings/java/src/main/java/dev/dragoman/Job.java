// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongFunction;

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

  private final LongFunction<String> source;
  private final Consumer<Event> listener;
  private final Progress progress;
  private final List<String> texts;
  private final boolean fed;
  private final long number;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private JobCalls calls;

  private Job(
      List<String> texts,
      LongFunction<String> source,
      Consumer<Event> listener,
      Progress progress) {
    this.texts = texts;
    this.source = source;
    this.listener = listener;
    this.progress = progress;
    this.fed = texts == null && source != null;
    number = Callbacks.add((Callbacks.EventReceiver) this::onEvent);
  }

  /** Submits with a translator, options and job options; the last one gets the handle. */
  interface Submit {
    int call(long translator, long options, long jobOptions, long out);
  }

  /** A job of texts. */
  static Job ofTexts(Call call, List<String> texts, Consumer<Event> listener) {
    Job job = new Job(texts, input -> texts.get((int) input), listener, call.progress());
    long given = call.block.strings("texts", texts);
    long prefixes = call.prefixes(texts.size());
    return job.start(
        call,
        (at, how, jobHow, out) ->
            C.dragoman_submit_texts(at, given, texts.size(), prefixes, how, jobHow, out));
  }

  /** A job of source tokens. */
  static Job ofTokens(Call call, List<List<String>> sources) {
    Job job = new Job(null, null, null, call.progress());
    long given = call.block.sequences("sources", sources);
    long prefixes = call.prefixes(sources.size());
    return job.start(
        call,
        (at, how, jobHow, out) ->
            C.dragoman_submit_tokens(at, given, sources.size(), prefixes, how, jobHow, out));
  }

  /** A job that is fed with texts, whose results are taken while it runs. */
  static Job fed(Call call, LongFunction<String> source, Consumer<Event> listener) {
    return new Job(null, source, listener, null)
        .start(
            call, (at, how, jobHow, out) -> C.dragoman_submit_texts(at, 0, 0, 0, how, jobHow, out));
  }

  private synchronized Job start(Call call, Submit submit) {
    try {
      Area how = call.jobOptions.write(call.block);
      how.bytes.putLong(Offsets.JOB_OPTIONS_ON_EVENT, C.callback(Callbacks.Kind.EVENT));
      how.bytes.putLong(Offsets.JOB_OPTIONS_USER, number);
      how.bytes.putInt(Offsets.JOB_OPTIONS_FED, fed ? 1 : 0);
      long events = Constants.EVENTS_END;
      if (listener != null || progress != null) {
        events |= Constants.EVENTS_SENTENCE;
      }
      if (listener != null && call.jobOptions.partial()) {
        events |= Constants.EVENTS_PARTIAL;
      }
      how.bytes.putInt(Offsets.JOB_OPTIONS_EVENTS, (int) events);
      long options = call.options(null);
      Ending.add(this);
      long made =
          call.translator.with(
              at -> Library.made(out -> submit.call(at, options, how.address, out)));
      calls = new JobCalls(made);
    } catch (Throwable thrown) {
      Ending.remove(this);
      Callbacks.remove(number);
      throw thrown;
    }
    whenComplete((found, thrown) -> stop());
    return this;
  }

  private void onEvent(ByteBuffer raw) {
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
        listener.accept(event(raw));
      }
    } catch (Throwable thrown) {
      THREADS.execute(() -> completeExceptionally(thrown));
    }
  }

  private Event event(ByteBuffer raw) {
    long input = raw.getLong(Offsets.EVENT_INPUT);
    String text = source.apply(input);
    Span span =
        new Places(text)
            .span(
                raw.getLong(Offsets.EVENT_SOURCE),
                raw.getLong(Offsets.EVENT_SOURCE + Offsets.RANGE_END));
    return new Event(
        Numbered.of(EventKind.values(), raw.getInt(Offsets.EVENT_KIND)),
        input,
        raw.getLong(Offsets.EVENT_SENTENCE),
        span.of(text),
        span,
        Raw.string(raw, Offsets.EVENT_TEXT),
        Raw.tokens(raw, Offsets.EVENT_TOKENS),
        raw.getFloat(Offsets.EVENT_SCORE),
        raw.getLong(Offsets.EVENT_DONE),
        raw.getLong(Offsets.EVENT_TOTAL));
  }

  /** After the last event. */
  private void finish() {
    JobCalls own = calls();
    try {
      complete(fed ? List.of() : Reading.translations(own.takeResultHandle(), texts));
    } catch (Throwable thrown) {
      completeExceptionally(thrown);
    } finally {
      Ending.remove(this);
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

  /** After its last event, when it may be destroyed. */
  CompletableFuture<Void> ended() {
    return ended;
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
