// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Support.TEXT;
import static dev.dragoman.Support.TEXT_MODEL;
import static dev.dragoman.Support.TOKEN_MODEL;
import static dev.dragoman.Support.TRANSLATION;
import static dev.dragoman.Support.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ToolsTest {
  private static final TranslateOptions NONE = TranslateOptions.DEFAULTS;
  private static final DocumentOptions PLAIN = DocumentOptions.DEFAULTS;
  @TempDir Path folder;

  private static Translator toy() {
    return Translator.owning(Support.model(), Support.TO_XX);
  }

  @Test
  void theLibrary() {
    assertEquals("1.0.0", Dragoman.versionString());
    assertTrue(Dragoman.features().contains("format.ctranslate2"));
    assertTrue(Dragoman.hasFeature("format.ctranslate2"));
    assertFalse(Dragoman.hasFeature("no such feature"));
    String wanted = System.getProperty("test.backend", "");
    assertTrue(Dragoman.backend().startsWith(wanted), Dragoman.backend());
  }

  @Test
  void devicesModelsLanguages() {
    List<DeviceInfo> devices = Device.list();
    assertFalse(devices.isEmpty());
    assertTrue(devices.get(0).apiVersion().startsWith("1."));
    assertTrue(Device.memory(0).heapBytes() > 0);
    fails(NoDeviceException.class, "1000", () -> Device.memory(1000));
    try (Device device = Device.open(DeviceOptions.builder().name("0").build());
        Model model =
            Model.load(
                TEXT_MODEL,
                ModelOptions.builder().device(device).computeType(ComputeType.F32).build())) {
      assertEquals(devices.get(0).uuid(), device.info().uuid());
      assertEquals(devices.get(0).uuid(), model.device().uuid());
      assertTrue(device.memory().heldBytes() > 0);
      assertEquals(device.memory().heldBytes(), model.memory().heldBytes());
      assertTrue(model.info().hasTokenizer());
      assertEquals(
          List.of("xx", "yy"),
          model.languages(Side.TARGET).stream().map(Language::code).collect(Collectors.toList()));
      assertEquals(2, Model.describeLanguages(TEXT_MODEL, Side.TARGET).size());
      device.trim();
    }
    DeviceOptions small = DeviceOptions.builder().memoryLimitBytes(1000).build();
    try (Device device = Device.open(small)) {
      ModelOptions on = ModelOptions.builder().device(device).build();
      fails(OutOfMemoryException.class, "1000", () -> Model.load(TEXT_MODEL, on));
    }
  }

  @Test
  void modelsFromMemoryAndChannels() throws IOException {
    Map<String, Content> files = new HashMap<>();
    List<FileChannel> open = new ArrayList<>();
    try (Stream<Path> all = Files.list(TEXT_MODEL)) {
      for (Path each : all.filter(Files::isRegularFile).collect(Collectors.toList())) {
        if (open.isEmpty()) {
          open.add(FileChannel.open(each));
          files.put(each.getFileName().toString(), Content.of(open.get(0)));
        } else {
          files.put(each.getFileName().toString(), Content.of(Files.readAllBytes(each)));
        }
      }
    }
    try (FileChannel channel = open.get(0);
        Model model = Model.fromFiles(files, Support.F32);
        Translator translator = model.translator(Support.TO_XX)) {
      assertTrue(channel.isOpen());
      assertEquals(TRANSLATION, translator.translate(TEXT).text());
      assertEquals(model.info().parameters(), Model.describeFiles(files).parameters());
    }
    Content broken =
        new Content() {
          @Override
          public long size() {
            return 1000;
          }

          @Override
          public void read(long offset, java.nio.ByteBuffer into) throws IOException {
            throw new IOException("mine");
          }
        };
    files.replaceAll((name, content) -> broken);
    fails(IOException.class, "mine", () -> Model.fromFiles(files, Support.F32).close());
  }

  @Test
  void tokensAndTheirPlaces() {
    try (Model model = Support.model()) {
      String text = "😀 batin kétiß.";
      TokenList found = model.tokenize(List.of(text), Side.SOURCE).get(0);
      StringBuilder joined = new StringBuilder();
      found.ranges().forEach(span -> joined.append(span.of(text)));
      assertEquals(text.replace(" ", ""), joined.toString().replace(" ", ""));
      List<String> plain = model.tokenize(List.of("batin kétiß."), Side.SOURCE).get(0).tokens();
      assertEquals(List.of("batin kétiß."), model.detokenize(List.of(plain), Side.SOURCE));
    }
  }

  @Test
  void languagesAndSentencesOfTexts() {
    List<List<LanguageGuess>> found =
        Dragoman.detectLanguages(
            List.of("Wo ist denn hier der Bahnhof?", "123"), List.of("de", "en"));
    assertEquals("de", found.get(0).get(0).tag());
    assertEquals("German", found.get(0).get(0).name());
    assertTrue(found.get(0).get(0).probability() > 0.5);
    assertEquals(List.of(), found.get(1));
    fails(
        InvalidArgumentException.class,
        "xx9",
        () -> Dragoman.detectLanguages(List.of("a"), List.of("xx9")));
    String text = "😀 Eins. Zwei!";
    List<String> sentences =
        Dragoman.splitSentences(text, "de", false).stream()
            .map(span -> span.of(text))
            .collect(Collectors.toList());
    assertEquals("Zwei!", sentences.get(sentences.size() - 1));
    assertEquals(List.of(), Dragoman.splitSentences("", null, false));
  }

  @Test
  void vectors() {
    Path encoder = Support.DATA.resolve("encoders");
    try (Model model = Support.model()) {
      EmbedOptions unit = EmbedOptions.builder().normalize(Normalize.ON).build();
      List<TokenVectors> found = model.embed(List.of(TEXT, "batiß."), unit);
      assertEquals(1, found.get(0).vectors().rows());
      double length = 0;
      for (float each : found.get(0).vectors().row(0)) {
        length += each * each;
      }
      assertEquals(1, length, 1e-3, encoder.toString());
      EmbedOptions tokens = EmbedOptions.builder().pooling(Pooling.TOKENS).build();
      TokenVectors each = model.embed(List.of(TEXT), tokens).get(0);
      assertEquals(each.tokens().tokens().size(), each.vectors().rows());
      assertEquals(each.tokens().tokens().size(), each.tokens().ranges().size());
    }
  }

  @Test
  void glossariesMemoriesMarkup() {
    TranslateOptions german = TranslateOptions.builder().targetLanguage("de").build();
    try (Translator translator = Translator.create(german);
        Glossary glossary = Glossary.of(Map.of("station", "Haltepunkt"));
        TranslationMemory memory =
            TranslationMemory.create(MemoryOptions.builder().record(true).build())) {
      assertEquals(1, glossary.count());
      Map<String, String> odd = Map.of("source", "target", "#note", "#Notiz", "<b>", "<i>");
      try (Glossary all = Glossary.of(odd)) {
        assertEquals(3, all.count());
      }
      fails(InvalidArgumentException.class, "terms", () -> Glossary.of(Map.of("a\tb", "c")));
      String text = "🐕 Where is the station?";
      Translation found =
          translator.translate(text, TranslateOptions.builder().glossary(glossary).build());
      assertTrue(found.text().contains("Haltepunkt"), found.text());
      List<Sentence> sentences = found.sentences();
      Term term = sentences.get(sentences.size() - 1).terms().get(0);
      assertTrue(term.met());
      assertEquals("station", term.sourceSpan().of(found.plainSource()));
      fails(
          InvalidArgumentException.class,
          "line 1",
          () -> Glossary.read("only one cell\n", null, null));

      memory.add("en", "de", "I have a big dog.", "Ich habe einen Riesenhund.");
      TranslateOptions with = TranslateOptions.builder().memory(memory).build();
      Translation exact = translator.translate("I have a big dog.", with);
      assertEquals("Ich habe einen Riesenhund.", exact.text());
      assertTrue(exact.sentences().get(0).flags().contains(SentenceFlag.FROM_MEMORY));
      Match match =
          translator.translate("I have a big cat.", with).sentences().get(0).matches().get(0);
      assertEquals("I have a big dog.", match.source());
      assertTrue(match.similarity() > 0.7 && match.similarity() < 1);
      assertEquals(1, memory.stats().segments());
      Path file = folder.resolve("mémory.tmx");
      memory.writeTmx(file);
      memory.clear();
      assertTrue(memory.loadTmx(file) >= 1);
      fails(InvalidArgumentException.class, "line", () -> memory.readTmx("<tmx>"));

      String page = "<p>Where is the <b>station</b>?</p><p>I have a dog 🐕.</p>";
      TranslateOptions html = TranslateOptions.builder().markup(Markup.HTML).build();
      Translation marked = translator.translate(page, html);
      assertTrue(marked.text().contains("<b>Bahnhof</b>"), marked.text());
      assertEquals("I have a dog 🐕.", marked.sentences().get(1).source());
      assertFalse(marked.best().plainText().contains("<"));
      assertTrue(marked.sentences().get(1).flags().contains(SentenceFlag.CARRIED));
      TranslateOptions found2 = TranslateOptions.builder().sourceLanguage("auto").build();
      Sentence auto = translator.translate("Where is the station?", found2).sentences().get(0);
      assertEquals("en", auto.language());
      assertTrue(auto.languageProbability() > 0.5);
    }
  }

  @Test
  void documents() throws IOException {
    String page = "<p title=\"" + TEXT + "\">" + TEXT + "</p>";
    String wanted = "<p title=\"" + TRANSLATION + "\">" + TRANSLATION + "</p>";
    Path in = Files.writeString(folder.resolve("pägé.html"), page);
    Path out = folder.resolve("out.html");
    try (Translator translator = toy()) {
      List<Long> seen = new ArrayList<>();
      DocumentOptions told =
          DocumentOptions.builder().progress((done, total) -> seen.add(done)).build();
      Documents.translate(translator, in, out, NONE, told);
      assertEquals(wanted, Files.readString(out));
      assertEquals(2, seen.get(seen.size() - 1));
      byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
      byte[] found = Documents.translate(translator, "x.html", bytes, NONE, PLAIN);
      assertEquals(wanted, new String(found, StandardCharsets.UTF_8));
      DocumentOptions html = DocumentOptions.builder().format(DocumentKind.HTML).build();
      found = Documents.translate(translator, null, bytes, NONE, html);
      assertEquals(wanted, new String(found, StandardCharsets.UTF_8));
      DocumentOptions throwing =
          DocumentOptions.builder()
              .progress(
                  (done, total) -> {
                    throw new ArithmeticException("mine");
                  })
              .build();
      fails(
          ArithmeticException.class,
          "mine",
          () -> Documents.translate(translator, in, out, NONE, throwing));
      fails(
          UnsupportedException.class,
          "",
          () -> Documents.translate(translator, "x.pdf", new byte[] {1, 2, 0}, NONE, PLAIN));
      fails(
          IoErrorException.class,
          "nothing.txt",
          () -> Documents.translate(translator, folder.resolve("nothing.txt"), out, NONE, PLAIN));
    }
    assertEquals(DocumentKind.DOCX, Documents.format("a.docx", null));
    assertEquals(DocumentKind.VTT, Documents.format(null, "WEBVTT\n\n".getBytes()));
    assertEquals(DocumentKind.UNKNOWN, Documents.format("a.pdf", null));
  }

  @Test
  void convertingAndMeasuring() throws IOException {
    Path out = folder.resolve("mödel.gguf");
    Model.convert(TEXT_MODEL, out, ConvertOptions.builder().weightType(WeightType.F32).build());
    assertEquals("gguf", Model.describe(out).format());
    fails(
        IoErrorException.class,
        "del.gguf",
        () -> Model.convert(TEXT_MODEL, out, ConvertOptions.DEFAULTS));
    Model.convert(TOKEN_MODEL, out, ConvertOptions.builder().replace(true).build());
    assertEquals(32, Model.describe(out).dModel());
    BenchOptions quick =
        BenchOptions.builder().repeat(1).latencySamples(1).ceilings(false).passes(false).build();
    String report =
        Dragoman.benchTexts(
            TEXT_MODEL,
            ModelOptions.DEFAULTS,
            List.of(TEXT),
            Support.TO_XX,
            quick.toBuilder().device(DeviceOptions.builder().name("0").build()).build());
    JsonObject counters =
        JsonParser.parseString(report)
            .getAsJsonObject()
            .getAsJsonObject("throughput")
            .getAsJsonObject("counters");
    assertEquals(1, counters.get("sentences").getAsInt());
    assertThrows(
        UnsupportedException.class,
        () -> Dragoman.benchTexts(TOKEN_MODEL, ModelOptions.DEFAULTS, List.of("a"), NONE, quick));
  }

  @Test
  void routesAndEnsembles() {
    try (Model model = Model.load();
        Translator translator = Translator.route(List.of(model), "en", "de", NONE)) {
      assertEquals("Guten Morgen!", translator.translate("Good morning!").text());
      fails(
          InvalidArgumentException.class,
          "fr",
          () -> Translator.route(List.of(model), "en", "fr", NONE));
    }
    fails(
        InvalidArgumentException.class,
        "models: 0, expected at least 1",
        () -> Translator.route(List.of(), "de", "en", NONE));
    ModelOptions two =
        ModelOptions.builder()
            .computeType(ComputeType.F32)
            .moreModels(List.of(TEXT_MODEL.toString()))
            .weights(new float[] {1, 3})
            .build();
    try (Model model = Model.load(TEXT_MODEL, two);
        Translator translator = model.translator(Support.TO_XX)) {
      assertEquals(2, model.info().networks());
      assertEquals(TRANSLATION, translator.translate(TEXT).text());
    }
  }

  @Test
  void theLog() {
    List<String> lines = new ArrayList<>();
    try (Logger logger = Logger.open(LogLevel.DEBUG, (level, line) -> lines.add(line));
        Model model = Support.model()) {
      assertFalse(model.info().format().isEmpty());
    }
    assertFalse(lines.isEmpty());
    int count = lines.size();
    Support.model().close();
    assertEquals(count, lines.size());
  }
}
