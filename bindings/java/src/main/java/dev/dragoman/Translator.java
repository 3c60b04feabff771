// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Translates with one model. Any number of threads may use it: sentences of calls at the same time
 * run together. Options of a call go before those of the translator. A thread that is interrupted
 * stops its call, which throws CancelledException.
 */
public final class Translator extends TranslatorCalls {
  private final Model model;
  private final boolean owned;
  final TranslateOptions defaults;

  Translator(long address, Model model, boolean owned, TranslateOptions defaults) {
    super(address);
    this.model = model;
    this.owned = owned;
    this.defaults = defaults;
  }

  /**
   * Makes a translator of the default model, which it closes in the end.
   *
   * @param defaults options for its calls
   * @return the translator
   */
  public static Translator create(TranslateOptions defaults) {
    return owning(Model.load(), defaults);
  }

  static Translator owning(Model model, TranslateOptions defaults) {
    try {
      return new Translator(model.translatorCreateHandle(), model, true, defaults);
    } catch (Throwable thrown) {
      model.close();
      throw thrown;
    }
  }

  /**
   * Makes a translator via models of one device, on the way with the fewest. Each model takes what
   * the one before it made of a sentence. For texts without prefixes.
   *
   * @param models to choose from
   * @param sourceLanguage of the texts
   * @param targetLanguage of the translations
   * @param defaults options for its calls
   * @return the translator
   */
  public static Translator route(
      List<Model> models, String sourceLanguage, String targetLanguage, TranslateOptions defaults) {
    if (models.isEmpty()) {
      throw new InvalidArgumentException("models: 0, expected at least 1");
    }
    long made = LibraryCalls.translatorCreateRouteHandle(models, sourceLanguage, targetLanguage);
    return new Translator(made, models.get(models.size() - 1), false, defaults);
  }

  /**
   * The model it translates with.
   *
   * @return the model
   */
  public Model model() {
    return model;
  }

  private Job job(
      List<String> texts, TranslateOptions how, JobOptions jobOptions, Consumer<Event> listener) {
    return new Job(Reading.of(texts), listener, how.progress(), jobOptions, false)
        .start(this, job -> submitTextsHandle(texts, how, job));
  }

  /**
   * Translates a text of any length, sentence by sentence. What is between sentences is copied.
   *
   * @param text the text
   * @param options how
   * @return its translation
   */
  public Translation translate(String text, TranslateOptions options) {
    return translate(List.of(text), options).get(0);
  }

  /**
   * Translates texts.
   *
   * @param texts the texts
   * @param options how
   * @return their translations
   */
  public List<Translation> translate(List<String> texts, TranslateOptions options) {
    return Reading.translations(
        translateTextsHandle(texts, options.over(defaults)), Reading.of(texts));
  }

  /**
   * Translates sequences of source tokens as they stand, as the model was trained on them.
   *
   * @param sources the sequences
   * @param options how
   * @return their translations
   */
  public List<Translation> translateTokens(List<List<String>> sources, TranslateOptions options) {
    return Reading.translations(
        translateTokensHandle(sources, options.over(defaults)), input -> "");
  }

  /**
   * Translates texts in the background.
   *
   * @param texts the texts
   * @param options how
   * @param jobOptions how the job is run
   * @return their translations in the future; cancelling stops the work
   */
  public Job submit(List<String> texts, TranslateOptions options, JobOptions jobOptions) {
    return job(List.copyOf(texts), options.over(defaults), jobOptions, null);
  }

  /**
   * Translates sequences of source tokens in the background.
   *
   * @param sources the sequences
   * @param options how
   * @param jobOptions how the job is run
   * @return their translations in the future; cancelling stops the work
   */
  public Job submitTokens(
      List<List<String>> sources, TranslateOptions options, JobOptions jobOptions) {
    TranslateOptions how = options.over(defaults);
    return new Job(input -> "", null, how.progress(), jobOptions, false)
        .start(this, job -> submitTokensHandle(sources, how, job));
  }

  /**
   * Tells of each sentence when it is translated, and with the option `partial` as it grows.
   *
   * @param texts the texts
   * @param options how
   * @param jobOptions how the job is run
   * @return events; each subscriber has a job of its own, which ends when it cancels
   */
  public Flow.Publisher<Event> stream(
      List<String> texts, TranslateOptions options, JobOptions jobOptions) {
    List<String> kept = List.copyOf(texts);
    return Pipe.publisher(
        pipe -> {
          Job job = job(kept, options.over(defaults), jobOptions, pipe::offer);
          pipe.onCancel(() -> job.cancel(true));
          job.whenComplete((found, thrown) -> pipe.end(thrown));
        });
  }

  /**
   * The same of any number of texts, read while their translations are made. What their iterator
   * throws, or the fault of a text, comes after the events of the texts before.
   *
   * @param inputs where each subscriber's texts come from
   * @param options how, without prefixes
   * @param jobOptions how the job is run, and how far texts are read ahead of events
   * @return events
   */
  public Flow.Publisher<Event> stream(
      Iterable<Input> inputs, TranslateOptions options, JobOptions jobOptions) {
    return Pipe.publisher(
        pipe -> Job.THREADS.execute(() -> pump(inputs.iterator(), options, jobOptions, pipe)));
  }

  private void pump(
      Iterator<Input> inputs, TranslateOptions options, JobOptions jobOptions, Pipe<Event> pipe) {
    try (Feed feed = new Feed(this, inputs, options.over(defaults), jobOptions, pipe::offer)) {
      pipe.onCancel(feed.job::stop);
      while (pipe.awaitRoom(jobOptions.ahead()) && feed.hasNext()) {
        feed.next();
      }
      feed.job.ended.join(); // no event follows
      pipe.end(null);
    } catch (Throwable thrown) {
      pipe.end(thrown);
    }
  }

  /**
   * Translates any number of texts, read while their translations are taken, in bounded memory and
   * in order. A translation comes when it is done and the text after it has been read, by the
   * thread that takes translations: an iterator must not wait for the translation of the text
   * before. What the iterator throws, and the fault of a text that cannot be translated with the
   * text's number, comes out of the stream after the translations of the texts before. To be
   * closed, like a file: that stops what is left.
   *
   * @param inputs the texts
   * @param options how, without prefixes
   * @param jobOptions how the job is run, and how far texts are read ahead
   * @return the translations
   */
  public Stream<Translation> translateAll(
      Iterator<Input> inputs, TranslateOptions options, JobOptions jobOptions) {
    Feed feed = new Feed(this, inputs, options.over(defaults), jobOptions, null);
    int facts = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(feed, facts), false)
        .onClose(feed::close);
  }

  /**
   * Translates the texts of a stream, with the translator's own options; the rest is as above.
   *
   * @param texts closed with the translations
   * @return the translations
   */
  public Stream<Translation> translateAll(Stream<String> texts) {
    return translateAll(texts.map(Input::of).iterator()).onClose(texts::close);
  }

  /**
   * The log-probability of each target token, and of the end token, given its source.
   *
   * @param sources tokens
   * @param targets a translation in tokens for each
   * @param options how
   * @return a score for each pair
   */
  public List<Score> score(
      List<List<String>> sources, List<List<String>> targets, ScoreOptions options) {
    return Reading.scores(scoreTokensHandle(sources, targets, options), place -> "");
  }

  /**
   * The same of texts, each side as one sequence, in the languages of the options.
   *
   * @param sources texts
   * @param targets a translation for each
   * @param options how
   * @return a score for each pair
   */
  public List<Score> scoreTexts(List<String> sources, List<String> targets, ScoreOptions options) {
    return Reading.scores(scoreTextsHandle(sources, targets, options), Reading.of(targets));
  }

  /** Stops jobs, waits for calls of other threads, and gives the memory back. */
  @Override
  public void close() {
    super.close();
    if (owned) {
      model.close();
    }
  }
}
