// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Support.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Published models, from a local server that plays the registries. Each test is a process of its
 * own, as the library takes the server's address and the folders from the environment.
 */
@Timeout(300)
class ModelsTest {
  private static final String GERMAN = "firefox:de-en";
  private static final ModelsOptions FIREFOX =
      ModelsOptions.builder().registries(List.of("firefox")).build();
  @TempDir Path folder;

  /** What runs in the other process: a method of this class, by its name. */
  public static final class Child {
    private Child() {}

    /** Takes the name, a text and its translation, or a folder of classes. */
    public static void main(String[] arguments)
        throws IOException, ReflectiveOperationException, InterruptedException {
      if (arguments[0].equals("without")) {
        without();
      } else if (arguments[0].equals("stop")) {
        stop();
      } else if (arguments[0].equals("readme")) {
        String printed = ReadmeTest.run("Published", Path.of(arguments[1]));
        assertTrue(printed.startsWith(GERMAN + " "), printed);
        assertTrue(printed.contains("[" + GERMAN + "] in " + Models.folder()), printed);
      } else {
        all(arguments[1], arguments[2]);
      }
      System.out.println("passed " + arguments[0]);
    }

    private static List<String> names(List<PublishedModel> models) {
      return models.stream().map(PublishedModel::name).collect(Collectors.toList());
    }

    private static void all(String text, String translation) throws IOException {
      Registry registry =
          Models.registries().stream().filter(each -> each.id().equals("firefox")).findAny().get();
      assertEquals("DRAGOMAN_MIRROR_FIREFOX", registry.mirror());
      assertTrue(registry.listUrl().startsWith("https://"), registry.listUrl());
      Path store = Path.of(System.getenv("XDG_DATA_HOME"), "dragoman", "models");
      assertEquals(store, Path.of(Models.folder()));

      Models.Found found = Models.search("de", "en", FIREFOX);
      assertEquals(List.of(GERMAN), names(found));
      assertEquals(List.of(), found.problems());
      PublishedModel offered = found.get(0);
      assertEquals(List.of("de"), offered.from());
      assertEquals(List.of("en"), offered.to());
      assertEquals("MPL-2.0", offered.license());
      assertEquals("3.0", offered.version());
      assertFalse(offered.installed());
      assertEquals("", offered.path());
      assertTrue(offered.bytes() > 0);
      assertTrue(names(Models.search(null, null, FIREFOX)).contains("firefox:en-fr"));
      ModelsOptions unreachable =
          ModelsOptions.builder().registries(List.of("firefox", "opus")).build();
      List<String> problems = Models.search("de", "en", unreachable).problems();
      assertEquals(1, problems.size());
      assertTrue(problems.get(0).startsWith("opus: "), problems.get(0));
      assertEquals(List.of(GERMAN, "firefox:en-fr"), names(Models.route("de", "fr", FIREFOX)));
      assertEquals(List.of(), Models.installedRoute("de", "en"));
      assertEquals(3, Models.show(GERMAN).files().size());

      List<Download> told = new ArrayList<>();
      PublishedModel model =
          Models.download(GERMAN, FIREFOX.toBuilder().progress(told::add).build());
      Download last = told.get(told.size() - 1);
      assertEquals(last.totalBytes(), last.doneBytes());
      assertEquals(GERMAN, last.model());
      assertTrue(model.installed());
      assertEquals("dragoman", model.owner());
      assertTrue(Path.of(model.path()).startsWith(store), model.path());
      assertEquals(3, model.files().size());
      for (PublishedFile file : model.files()) {
        assertEquals("published", file.proof());
        assertEquals(64, file.sha256().length());
        assertEquals(file.bytes(), Files.size(Path.of(model.path(), file.name())));
      }
      assertEquals(List.of(GERMAN), names(Models.list()));
      assertEquals(List.of(GERMAN), names(Models.installedRoute("de", "en")));
      ModelsOptions offline = ModelsOptions.builder().offline(true).build();
      try (Model loaded = Models.load(GERMAN, offline, ModelOptions.DEFAULTS);
          Translator translator = loaded.translator(TranslateOptions.DEFAULTS)) {
        assertEquals(translation, translator.translate(text).text());
      }
      Model.load(Path.of(GERMAN), ModelOptions.DEFAULTS).close();
      Models.verify(GERMAN);
      fails(InvalidArgumentException.class, "parallel", () -> Models.download(GERMAN, parallel(0)));
      fails(InvalidArgumentException.class, "no-such", () -> Models.show("no-such:model"));
      fails(IoErrorException.class, "", () -> Models.download("argos:en_de", offline));

      Path file = Path.of(model.path(), model.files().get(0).name());
      Files.write(file, new byte[] {1, 2, 3});
      fails(BadModelException.class, file.getFileName().toString(), () -> Models.verify(GERMAN));
      Models.remove(GERMAN);
      assertEquals(List.of(), Models.list());
      fails(InvalidArgumentException.class, GERMAN, () -> Models.remove(GERMAN));

      Path french = Path.of(Models.download("firefox:en-fr").path());
      Path gguf = Path.of(System.getenv("XDG_CACHE_HOME"), "frénch.gguf");
      Model.convert(french, gguf, ConvertOptions.DEFAULTS);
      Models.keepFile("firefox:en-fr", gguf, ModelsOptions.DEFAULTS);
      PublishedModel kept = Models.show("firefox:en-fr");
      assertEquals(1, kept.files().size());
      assertEquals("gguf", Model.describe(Path.of(kept.path())).format());
      Models.verify("firefox:en-fr");
    }

    private static ModelsOptions parallel(int files) {
      return ModelsOptions.builder().parallel(files).build();
    }

    private static void stop() throws InterruptedException {
      ModelsOptions first = parallel(1).toBuilder().progress(at -> at.doneBytes() == 0).build();
      assertThrows(CancelledException.class, () -> Models.download(GERMAN, first));
      assertEquals(List.of(), Models.list());
      ModelsOptions thrown =
          FIREFOX.toBuilder()
              .progress(
                  at -> {
                    throw new ArithmeticException("mine");
                  })
              .build();
      fails(ArithmeticException.class, "mine", () -> Models.download(GERMAN, thrown));
      // The file of this one does not come: the thread waits for it until it is interrupted.
      List<Throwable> ended = new ArrayList<>();
      Thread thread = new Thread(() -> Models.download("argos:en_fi"));
      thread.setUncaughtExceptionHandler((which, how) -> ended.add(how));
      thread.start();
      Thread.sleep(1500);
      assertTrue(thread.isAlive());
      thread.interrupt();
      thread.join(20_000);
      assertFalse(thread.isAlive());
      assertEquals(CancelledException.class, ended.get(0).getClass(), String.valueOf(ended));
      assertTrue(Models.download(GERMAN).installed()); // and goes on
      assertEquals(0, Models.clean(1));
    }

    /** Everything else works. */
    private static void without() {
      for (int turn = 0; turn < 2; ++turn) {
        String message = fails(UnsupportedException.class, "", Models::list).getMessage();
        assertTrue(message.contains("libdragoman_models was not found"), message);
        assertTrue(message.contains("-DDRAGOMAN_MODELS=ON"), message);
        fails(UnsupportedException.class, "libdragoman_models", () -> Models.download(GERMAN));
        fails(UnsupportedException.class, "libdragoman_models", Models::folder);
      }
      try (Model model = Support.model();
          Translator translator = model.translator(Support.TO_XX)) {
        assertEquals(Support.TRANSLATION, translator.translate(Support.TEXT).text());
      }
    }
  }

  private static Path library() {
    Path file = Path.of(System.getenv().getOrDefault("DRAGOMAN_LIBRARY", ""));
    String name = String.valueOf(file.getFileName()).replace("dragoman", "dragoman_models");
    assumeTrue(Files.exists(file.resolveSibling(name)), name + " is not there");
    return file;
  }

  private void passes(Map<String, String> environment, List<String> unset, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Ddragoman.root=" + Support.ROOT, "-XX:+UseSerialGC", "-Xmx256m"));
    if (System.getProperty("dragoman.backend") != null) {
      command.add("-Ddragoman.backend=" + System.getProperty("dragoman.backend"));
    }
    command.addAll(List.of("-Dfile.encoding=UTF-8", "-cp", System.getProperty("java.class.path")));
    command.add(Child.class.getName());
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8"); // arguments and paths of Java before 18
    builder.environment().keySet().removeAll(unset);
    builder.environment().putAll(environment);
    Process process = builder.redirectOutput(out.toFile()).start();
    boolean ended = process.waitFor(200, TimeUnit.SECONDS);
    process.destroyForcibly();
    String said = new String(Files.readAllBytes(out), StandardCharsets.UTF_8);
    assertTrue(ended, () -> "it did not end: " + said);
    assertEquals(0, process.exitValue(), said);
    assertTrue(said.contains("passed " + arguments[0]), said);
  }

  /** Runs a part of the child with registries that are played. */
  private void played(String part, String... more) throws IOException, InterruptedException {
    library();
    Path script = Support.ROOT.resolve("tests/registry/serve.py");
    ProcessBuilder builder = new ProcessBuilder("python3", script.toString());
    Process server = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines =
        new BufferedReader(
            new java.io.InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      JsonObject told = JsonParser.parseString(lines.readLine()).getAsJsonObject();
      Map<String, String> set = new java.util.HashMap<>();
      told.getAsJsonObject("set").entrySet().forEach(e -> set.put(e.getKey(), text(e.getValue())));
      List<String> unset = new ArrayList<>();
      told.getAsJsonArray("unset").forEach(each -> unset.add(text(each)));
      String text = more.length > 0 ? more[0] : text(told.get("text"));
      passes(set, unset, part, text, text(told.get("translation")));
    } finally {
      server.getOutputStream().close();
      assertTrue(server.waitFor(20, TimeUnit.SECONDS));
    }
  }

  private static String text(JsonElement value) {
    return value.getAsString();
  }

  @Test
  void fromSearchToTranslation() throws IOException, InterruptedException {
    played("all");
  }

  @Test
  void stoppedDownloads() throws IOException, InterruptedException {
    played("stop");
  }

  @Test
  void theProgramOfTheReadme() throws IOException, InterruptedException {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    ReadmeTest.compile(classes);
    played("readme", classes.toString());
  }

  @Test
  void withoutTheLibrary() throws IOException, InterruptedException {
    Path named = library();
    Path copy = Files.copy(named.toRealPath(), folder.resolve(named.getFileName()));
    String missing = named.getFileName().toString().replace("dragoman", "dragoman_models");
    Files.writeString(folder.resolve(missing), "no library");
    passes(Map.of("DRAGOMAN_LIBRARY", copy.toString()), List.of(), "without");
  }
}
