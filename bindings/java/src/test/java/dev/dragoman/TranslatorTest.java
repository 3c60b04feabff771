// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Support.TEXT;
import static dev.dragoman.Support.TRANSLATION;
import static dev.dragoman.Support.fails;
import static dev.dragoman.Support.many;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TranslatorTest {
  private static final String DOCUMENT = TEXT + "\nbatiß. Késora banara!\nbatiß.";
  private static final TranslateOptions NONE = TranslateOptions.DEFAULTS;
  private static final JobOptions PLAIN = JobOptions.DEFAULTS;
  private static Model model;
  private static Translator translator;

  @BeforeAll
  static void open() {
    model = Support.model();
    translator = model.translator(Support.TO_XX);
  }

  @AfterAll
  static void close() {
    translator.close();
    model.close();
  }

  private static TranslateOptions.Builder options() {
    return TranslateOptions.builder();
  }

  @Test
  void aTextAndTexts() {
    assertEquals(TRANSLATION, translator.translate(TEXT).text());
    List<Translation> found = translator.translate(List.of(TEXT, "", "batiß\0batiß"), NONE);
    assertEquals(TRANSLATION, found.get(0).toString());
    assertEquals("", found.get(1).text());
    assertEquals("batiß\0batiß", found.get(2).source());
    assertEquals(List.of(), translator.translate(List.of(), NONE));
    assertSame(model, translator.model());
  }

  @Test
  void optionsOfTheTranslatorAndOfTheCall() {
    TranslateOptions wide = Support.TO_XX.toBuilder().beamSize(2).build();
    try (Translator own = model.translator(wide)) {
      TranslateOptions two = options().numHypotheses(2).build();
      TranslateOptions three = options().numHypotheses(3).build();
      assertEquals(2, own.translate(TEXT, two).hypotheses().size());
      fails(InvalidArgumentException.class, "num_hypotheses: 3", () -> own.translate(TEXT, three));
      TranslateOptions both = three.toBuilder().beamSize(4).build();
      assertEquals(3, own.translate(TEXT, both).hypotheses().size());
    }
  }

  @Test
  void errorsHaveClassStatusAndBothValues() {
    InvalidArgumentException thrown =
        fails(
            InvalidArgumentException.class,
            "beam_size: 100 is not allowed; expected 1 to 64",
            () -> translator.translate(TEXT, options().beamSize(100).build()));
    assertEquals(Status.INVALID_ARGUMENT, thrown.status());
    fails(
        InvalidArgumentException.class,
        "beamSize: -1, expected 0 to 4294967295",
        () -> translator.translate(TEXT, options().beamSize(-1).build()));
    fails(
        InvalidArgumentException.class,
        "targetLanguage: a zero byte at 1, expected none",
        () -> translator.translate(TEXT, options().targetLanguage("d\0e").build()));
    fails(
        InvalidArgumentException.class,
        "texts[1]: a lone surrogate at 1",
        () -> translator.translate(List.of("a", "b\ud800c"), NONE));
    List<List<String>> two = List.of(List.of(), List.of());
    fails(
        InvalidArgumentException.class,
        "prefixes: 2 for 1 inputs",
        () -> translator.translate(TEXT, options().prefixes(two).build()));
    assertThrows(NullPointerException.class, () -> options().targetLanguage(null));
    fails(
        IoErrorException.class,
        "/nowhere/at/all",
        () -> Model.load(java.nio.file.Path.of("/nowhere/at/all"), Support.F32));
    fails(
        NoDeviceException.class,
        "no such device",
        () -> Device.open(DeviceOptions.builder().name("no such device").build()));
  }

  @Test
  void closedIsClosed() {
    Translator own = model.translator(Support.TO_XX);
    own.close();
    own.close();
    fails(IllegalStateException.class, "this translator is closed", () -> own.translate(TEXT));
  }

  @Test
  void attentionScoresTokens() {
    TranslateOptions all = options().returnAttention(true).returnScores(true).build();
    Translation found = translator.translate(TEXT, all);
    Matrix attention = found.best().attention();
    assertEquals(found.best().tokens().size(), attention.rows());
    assertEquals(found.sourceTokens().size(), attention.cols());
    assertTrue(found.best().score() < 0);
    double sum = 0;
    for (float each : attention.row(0)) {
      sum += each;
    }
    assertEquals(1, sum, 0.05);
    assertEquals(attention.get(0, 1), attention.row(0)[1]);
  }

  @Test
  void sentencesArePlacesInJavasStrings() {
    String given = "😀 batin kétiß. Késora banara!\n\nbatiß.";
    TranslateOptions all =
        options()
            .returnAttention(true)
            .returnAlignment(true)
            .returnQuality(true)
            .returnCoverage(true)
            .build();
    Translation found = translator.translate(given, all);
    for (Sentence each : found.sentences()) {
      assertEquals(each.source(), each.sourceSpan().of(given));
      assertEquals(each.text(), each.targetSpan().of(found.text()));
      WordAlignment words = each.alignment();
      String uncovered = each.uncoveredSpan().of(given);
      assertEquals(each.uncoveredWords(), uncovered.isEmpty() ? 0 : uncovered.split(" ").length);
      assertEquals(each.coverage() == 1, uncovered.isEmpty());
      assertEquals(words.targetSpans().size(), words.weights().rows());
      assertEquals(words.sourceSpans().size(), words.weights().cols());
      String joined =
          words.targetSpans().stream()
              .map(span -> span.of(found.text()))
              .collect(Collectors.joining());
      assertEquals(each.text().replace(" ", ""), joined);
      assertEquals(words.targetSpans().size(), each.wordQuality().size());
      each.wordQuality().forEach(word -> assertTrue(word.score() >= 0 && word.score() <= 1));
    }
    Sentence last = found.sentences().get(found.sentences().size() - 1);
    assertEquals("batiß.", last.source());
    assertEquals("vöpiй.", last.text());
    assertTrue(found.best().pharaoh().matches("\\d+-\\d+( \\d+-\\d+)*"));
    assertTrue(found.best().quality() > 0 && found.best().quality() <= 1);
    assertThrows(UnsupportedException.class, () -> found.best().attention());
  }

  @Test
  void ratherNoneThanABadTranslation() {
    Translation found = translator.translate("batin kétiß.", options().minQuality(1).build());
    assertEquals("batin kétiß.", found.text());
    assertTrue(found.sentences().get(0).flags().contains(SentenceFlag.UNSURE));
  }

  @Test
  void threadsShareATranslator() throws InterruptedException {
    List<String> found = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < 8; ++number) {
      Thread thread = new Thread(() -> found.add(translator.translate(TEXT).text()));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(Collections.nCopies(8, TRANSLATION), found);
  }

  @Test
  void errorsBelongToTheirThreads() throws InterruptedException {
    List<String> found = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < 4; ++number) {
      int size = 100 + number;
      Thread thread =
          new Thread(
              () -> {
                for (int time = 0; time < 50; ++time) {
                  try {
                    translator.translate(TEXT, options().beamSize(size).build());
                  } catch (InvalidArgumentException thrown) {
                    if (!thrown.getMessage().startsWith("beam_size: " + size)) {
                      found.add(thrown.getMessage());
                    }
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), found);
  }

  @Test
  void progressComesAndWhatItThrowsStops() {
    List<Long> seen = new ArrayList<>();
    translator.translate(many(20), options().progress((done, total) -> seen.add(done)).build());
    assertFalse(seen.isEmpty());
    TranslateOptions throwing =
        options()
            .progress(
                (done, total) -> {
                  throw new ArithmeticException("mine");
                })
            .build();
    fails(ArithmeticException.class, "mine", () -> translator.translate(many(20), throwing));
    Job job = translator.submit(many(20), throwing, PLAIN);
    CompletionException thrown = assertThrows(CompletionException.class, job::join);
    assertTrue(thrown.getCause() instanceof ArithmeticException, thrown.toString());
  }

  @Test
  void anInterruptedThreadStops() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    TranslateOptions told =
        options().maxBatchSize(8).progress((done, total) -> begun.countDown()).build();
    Thread thread =
        new Thread(
            () -> {
              try {
                translator.translate(many(5000), told);
              } catch (CancelledException expected) {
                thrown.set(expected);
              }
            });
    thread.start();
    begun.await();
    thread.interrupt();
    thread.join();
    assertTrue(thrown.get() instanceof CancelledException);
    assertEquals(TRANSLATION, translator.translate(TEXT).text());
  }

  @Test
  void jobs() throws Exception {
    Job job = translator.submit(List.of(TEXT), NONE, PLAIN);
    assertEquals(TRANSLATION, job.get(600, TimeUnit.SECONDS).get(0).text());
    // A stage that depends on a job may use the translator.
    String twice =
        translator
            .submit(List.of(TEXT), NONE, JobOptions.builder().priority(1).build())
            .thenApply(found -> translator.translate(found.get(0).source()).text())
            .get(600, TimeUnit.SECONDS);
    assertEquals(TRANSLATION, twice);
    TranslateOptions bad = options().beamSize(100).build();
    fails(
        InvalidArgumentException.class,
        "beam_size: 100",
        () -> translator.submit(List.of(TEXT), bad, PLAIN));
  }

  @Test
  void cancelling() throws InterruptedException {
    TranslateOptions slow = options().maxBatchSize(4).build();
    CountDownLatch begun = new CountDownLatch(1);
    TranslateOptions told = slow.toBuilder().progress((done, total) -> begun.countDown()).build();
    Job job = translator.submit(many(5000), told, PLAIN);
    begun.await();
    assertTrue(job.cancel(true));
    assertThrows(CancellationException.class, job::join);
    Job late = translator.submit(many(5000), slow, PLAIN);
    late.orTimeout(50, TimeUnit.MILLISECONDS);
    assertThrows(CompletionException.class, late::join);
    assertEquals(TRANSLATION, translator.translate(TEXT).text());
    // Both have left the device long before they would have ended.
    try (Translator own = model.translator(Support.TO_XX)) {
      Job running = own.submit(many(5000), slow, PLAIN);
      own.close();
      CompletionException thrown = assertThrows(CompletionException.class, running::join);
      assertTrue(thrown.getCause() instanceof CancelledException, thrown.toString());
    }
  }

  /** Asks for one event after the other. */
  private static final class Reader implements Flow.Subscriber<Event> {
    final List<Event> events = Collections.synchronizedList(new ArrayList<>());
    final CountDownLatch ended = new CountDownLatch(1);
    final int most;
    volatile Throwable thrown;
    private Flow.Subscription subscription;

    Reader(int most) {
      this.most = most;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(1);
    }

    @Override
    public void onNext(Event event) {
      events.add(event);
      if (events.size() == most) {
        subscription.cancel();
        ended.countDown();
      } else {
        subscription.request(1);
      }
    }

    @Override
    public void onError(Throwable error) {
      thrown = error;
      ended.countDown();
    }

    @Override
    public void onComplete() {
      ended.countDown();
    }

    Reader read(Flow.Publisher<Event> publisher) throws InterruptedException {
      publisher.subscribe(this);
      assertTrue(ended.await(600, TimeUnit.SECONDS));
      return this;
    }
  }

  @Test
  void streamsGiveEverySentenceOnce() throws InterruptedException {
    List<String> texts = List.of(DOCUMENT, TEXT);
    List<Translation> whole = translator.translate(texts, NONE);
    List<Input> inputs = List.of(Input.of(DOCUMENT), Input.of(TEXT));
    for (Flow.Publisher<Event> publisher :
        List.of(translator.stream(texts, NONE, PLAIN), translator.stream(inputs, NONE, PLAIN))) {
      Reader reader = new Reader(-1).read(publisher);
      assertEquals(null, reader.thrown);
      assertEquals(5, reader.events.size());
      for (Event event : reader.events) {
        Sentence expected = whole.get((int) event.input()).sentences().get((int) event.sentence());
        assertEquals(EventKind.SENTENCE, event.kind());
        assertEquals(expected.source(), event.source());
        assertEquals(expected.sourceSpan(), event.sourceSpan());
        assertEquals(expected.text(), event.text());
        assertFalse(event.tokens().isEmpty());
      }
      assertEquals(5, reader.events.get(4).done());
    }
  }

  @Test
  void partialTranslationsGrow() throws InterruptedException {
    assertTrue(Dragoman.hasFeature("jobs.partial"));
    JobOptions partial = JobOptions.builder().partial(true).build();
    TranslateOptions greedy = options().beamSize(1).build();
    Reader reader = new Reader(-1).read(translator.stream(List.of(TEXT), greedy, partial));
    List<Event> growing =
        reader.events.stream()
            .filter(event -> event.kind() == EventKind.PARTIAL)
            .collect(Collectors.toList());
    assertFalse(growing.isEmpty());
    growing.forEach(event -> assertTrue(TRANSLATION.startsWith(event.text().trim())));
  }

  @Test
  void aStreamThatIsLeftStopsAndOneThatFailsTells() throws InterruptedException {
    TranslateOptions slow = options().maxBatchSize(4).build();
    Reader left = new Reader(1).read(translator.stream(many(5000), slow, PLAIN));
    assertEquals(1, left.events.size());
    TranslateOptions bad = options().beamSize(100).build();
    Reader failed = new Reader(-1).read(translator.stream(List.of(TEXT), bad, PLAIN));
    assertTrue(failed.thrown instanceof InvalidArgumentException, String.valueOf(failed.thrown));
    Iterable<Input> broken =
        () ->
            Stream.of(1)
                .map(
                    each -> {
                      if (each == 1) {
                        throw new ArithmeticException("mine");
                      }
                      return Input.of("");
                    })
                .iterator();
    Reader thrown = new Reader(-1).read(translator.stream(broken, NONE, PLAIN));
    assertTrue(thrown.thrown instanceof ArithmeticException, String.valueOf(thrown.thrown));
    assertEquals(TRANSLATION, translator.translate(TEXT).text());
  }

  @Test
  void anyNumberOfTextsInOrder() {
    List<String> texts = many(120);
    List<Long> done = new ArrayList<>();
    TranslateOptions told = options().progress((count, total) -> done.add(count)).build();
    JobOptions near = JobOptions.builder().ahead(16).build();
    int[] read = {0};
    int[] most = {0};
    int[] taken = {0};
    Iterator<Input> inputs =
        texts.stream()
            .map(
                text -> {
                  most[0] = Math.max(most[0], ++read[0] - taken[0]);
                  return Input.of(text);
                })
            .iterator();
    try (Stream<Translation> found = translator.translateAll(inputs, told, near)) {
      found.forEach(each -> assertEquals(texts.get(taken[0]++), each.source()));
    }
    assertEquals(120, taken[0]);
    assertEquals(120, done.get(done.size() - 1));
    assertTrue(most[0] <= 40, most[0] + " texts ahead");
  }

  @Test
  void textsWithPrefixesAndStreamsThatAreClosed() {
    Input prefixed = new Input(TEXT, List.of("▁Gasa"));
    try (Stream<Translation> found =
        translator.translateAll(List.of(prefixed).iterator(), NONE, PLAIN)) {
      assertEquals("▁Gasa", found.findFirst().orElseThrow().best().tokens().get(0));
    }
    Iterator<Input> endless = Stream.generate(() -> Input.of(TEXT)).iterator();
    try (Stream<Translation> found = translator.translateAll(endless, NONE, PLAIN)) {
      assertEquals(5, found.limit(5).count());
    }
    fails(
        InvalidArgumentException.class,
        "ahead: 0, expected at least 1",
        () -> translator.translateAll(endless, NONE, JobOptions.builder().ahead(0).build()));
    try (Translator own = model.translator(Support.TO_XX)) {
      Iterator<Input> broken = Stream.of(TEXT, "b\ud800c").map(Input::of).iterator();
      try (Stream<Translation> found = own.translateAll(broken, NONE, PLAIN)) {
        fails(InvalidArgumentException.class, "a lone surrogate", found::count);
      }
    }
  }

  @Test
  void textsBeforeABadOneAreTranslated() throws InterruptedException {
    Map<String, Input> bad =
        Map.of(
            "texts[25]: a lone surrogate at 1",
            Input.of("b\ud800c"),
            "prefixes[25][0]: a lone surrogate at 2",
            new Input(TEXT, List.of("ab\ud800")));
    for (Map.Entry<String, Input> each : bad.entrySet()) {
      List<Input> inputs = new ArrayList<>();
      for (String text : many(50)) {
        inputs.add(inputs.size() == 25 ? each.getValue() : Input.of(text));
      }
      List<String> found = new ArrayList<>();
      try (Stream<Translation> all = translator.translateAll(inputs.iterator(), NONE, PLAIN)) {
        InvalidArgumentException thrown =
            assertThrows(
                InvalidArgumentException.class,
                () -> all.forEach(translation -> found.add(translation.source())));
        assertEquals(each.getKey(), thrown.getMessage());
      }
      assertEquals(many(25), found);
      Reader reader = new Reader(-1).read(translator.stream(inputs, NONE, PLAIN));
      assertEquals(each.getKey(), reader.thrown.getMessage());
      assertEquals(25, reader.events.stream().mapToLong(Event::input).distinct().count());
    }
    Iterator<Input> broken =
        many(50).stream()
            .map(
                text -> {
                  if (text.endsWith("batiß25.")) {
                    throw new ArithmeticException("mine");
                  }
                  return Input.of(text);
                })
            .iterator();
    int[] count = {0};
    try (Stream<Translation> all = translator.translateAll(broken, NONE, PLAIN)) {
      fails(ArithmeticException.class, "mine", () -> all.forEach(each -> ++count[0]));
    }
    assertEquals(25, count[0]);
  }

  private static Translator forgotten() {
    return model.translator(Support.TO_XX.toBuilder().maxBatchSize(1).build());
  }

  /** Gives unused objects to their cleaners. */
  private static void collect() throws InterruptedException {
    for (int turn = 0; turn < 3; ++turn) {
      System.gc();
      Thread.sleep(50);
    }
  }

  @Test
  void whatRunsKeepsATranslatorThatNobodyHas() throws InterruptedException {
    Job job = forgotten().submit(many(30), NONE, PLAIN);
    collect();
    assertEquals(30, job.join().size());
    Iterator<Input> inputs = many(30).stream().map(Input::of).iterator();
    try (Stream<Translation> all = forgotten().translateAll(inputs, NONE, PLAIN)) {
      Iterator<Translation> found = all.iterator();
      int count = 0;
      for (; found.hasNext(); found.next()) {
        if (count++ == 0) {
          collect();
        }
      }
      assertEquals(30, count);
    }
  }

  @Test
  void aFeedThatNobodyHasEnds() throws InterruptedException {
    int before = Ending.JOBS.size();
    forgotten().translateAll(Stream.generate(() -> Input.of(TEXT)).iterator(), NONE, PLAIN);
    for (int turn = 0; turn < 200 && Ending.JOBS.size() > before; ++turn) {
      collect();
    }
    assertEquals(before, Ending.JOBS.size());
  }

  /** What the library's thread allocates for an event does not grow with the text. */
  @Test
  void eventsOfALongText() throws InterruptedException {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<Long> allocated = Collections.synchronizedList(new ArrayList<>());
    Progress measured =
        (done, total) ->
            allocated.add(threads.getThreadAllocatedBytes(Thread.currentThread().getId()));
    String text = "batiß. ".repeat(3000);
    TranslateOptions told = options().progress(measured).build();
    Reader reader = new Reader(-1).read(translator.stream(List.of(text), told, PLAIN));
    assertEquals(3000, reader.events.size());
    for (Event event : reader.events) {
      assertEquals(
          new Span((int) event.sentence() * 7, (int) event.sentence() * 7 + 6), event.sourceSpan());
      assertEquals("batiß.", event.source());
    }
    long each = (allocated.get(2999) - allocated.get(1)) / 2998;
    assertTrue(each < text.length(), each + " bytes for each event of " + text.length());
  }

  @Test
  void statistics() {
    try (Translator own = model.translator(Support.TO_XX)) {
      own.translate(TEXT);
      assertEquals(1, own.stats().sentences());
      assertTrue(own.stats().sourceTokens() > 0);
      own.resetStats();
      assertEquals(0, own.stats().sentences());
      own.trim();
    }
  }

  @Test
  void tokensWithoutATokenizer() {
    try (Model tokens = Model.load(Support.TOKEN_MODEL, Support.F32);
        Translator own = tokens.translator(NONE)) {
      List<List<String>> sources = List.of(List.of("آ", "ز", "ا"));
      Translation found = own.translateTokens(sources, NONE).get(0);
      assertFalse(found.best().tokens().isEmpty());
      assertThrows(UnsupportedException.class, found::text);
      Translation again = own.submitTokens(sources, NONE, PLAIN).join().get(0);
      assertEquals(found.best().tokens(), again.best().tokens());
      assertFalse(tokens.info().hasTokenizer());
    }
  }
}
