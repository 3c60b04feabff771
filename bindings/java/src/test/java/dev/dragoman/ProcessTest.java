// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that end while the library works, and what a thousand loads leave behind. */
class ProcessTest {
  @TempDir Path folder;

  /** Ends in the middle of calls, jobs and streams. */
  public static final class Exit {
    private Exit() {}

    /** How it ends: by exit(), or by an exception in the main thread. */
    public static void main(String[] arguments) {
      Model model = Support.model();
      TranslateOptions slow = Support.TO_XX.toBuilder().maxBatchSize(4).build();
      Translator translator = model.translator(slow);
      List<String> many = Support.many(500);
      TranslateOptions none = TranslateOptions.DEFAULTS;
      JobOptions plain = JobOptions.DEFAULTS;
      Thread caller = new Thread(() -> translator.translate(many, none));
      caller.setDaemon(true);
      caller.setUncaughtExceptionHandler((thread, cancelled) -> {});
      caller.start();
      translator.submit(many, none, plain);
      Stream<Translation> all =
          translator.translateAll(many.stream().map(Input::of).iterator(), none, plain);
      all.iterator().next();
      if (arguments[0].equals("exit")) {
        System.exit(7);
      }
      throw new IllegalStateException("mine");
    }
  }

  /** Ends where the library calls back, and where a job's end is told. */
  public static final class ExitWithin {
    private ExitWithin() {}

    /** Takes what calls exit(). */
    public static void main(String[] arguments) {
      TranslateOptions slow = Support.TO_XX.toBuilder().maxBatchSize(4).build();
      Translator translator = Support.model().translator(slow);
      TranslateOptions exits =
          TranslateOptions.builder().progress((done, total) -> System.exit(7)).build();
      List<String> many = Support.many(500);
      switch (arguments[0]) {
        case "call":
          translator.submit(many, TranslateOptions.DEFAULTS, JobOptions.DEFAULTS);
          translator.translate(many, exits);
          break;
        case "job":
          translator.submit(many, TranslateOptions.DEFAULTS, JobOptions.DEFAULTS);
          translator.submit(many, exits, JobOptions.DEFAULTS).join();
          break;
        default:
          translator
              .submit(List.of(Support.TEXT), TranslateOptions.DEFAULTS, JobOptions.DEFAULTS)
              .thenAccept(found -> System.exit(7))
              .join();
      }
    }
  }

  /** Loads a small model again and again; says how much memory it had early and late. */
  public static final class Loads {
    private Loads() {}

    private static long resident() throws IOException {
      String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
      return Long.parseLong(pages) * 4;
    }

    /** Takes the number of loads. */
    public static void main(String[] arguments) throws IOException {
      int loads = Integer.parseInt(arguments[0]);
      long early = Long.MAX_VALUE;
      long late = Long.MAX_VALUE;
      try (Device device = Device.open(DeviceOptions.DEFAULTS)) { // making one takes longer
        ModelOptions on = Support.F32.toBuilder().device(device).build();
        for (int load = 0; load < loads; ++load) {
          Model model = Model.load(Support.TEXT_MODEL, on);
          if (load % 10 == 0) {
            try (Translator translator = model.translator(Support.TO_XX)) {
              translator.translate(Support.TEXT);
              translator
                  .submit(List.of("batiß."), TranslateOptions.DEFAULTS, JobOptions.DEFAULTS)
                  .join();
            }
          }
          if (load % 7 != 0) { // the others are left to the cleaner
            model.close();
          }
          if (load % 50 == 49) {
            System.gc();
          }
          if (load >= loads / 4) {
            if (load < loads * 5 / 8) {
              early = Math.min(early, resident());
            } else {
              late = Math.min(late, resident());
            }
          }
        }
      }
      System.out.println(early + " " + late);
    }
  }

  private String run(int status, Class<?> program, String argument)
      throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(List.of(java.toString(), "-Xms48m", "-Xmx48m"));
    command.addAll(
        List.of("-Ddragoman.root=" + Support.ROOT, "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch"));
    command.add("-XX:TieredStopAtLevel=1");
    if (System.getProperty("dragoman.backend") != null) {
      command.add("-Ddragoman.backend=" + System.getProperty("dragoman.backend"));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.add(argument);
    Path out = folder.resolve("out");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(command);
    // With one for each thread, what is freed stays resident here and there.
    builder.environment().put("MALLOC_ARENA_MAX", "1");
    Process process = builder.redirectOutput(out.toFile()).redirectError(errors.toFile()).start();
    boolean ended = process.waitFor(1800, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    String said = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8);
    assertTrue(ended, () -> "it did not end: " + said);
    assertEquals(status, process.exitValue(), said);
    return Files.readString(out);
  }

  @Test
  void exitInTheMiddle() throws IOException, InterruptedException {
    run(7, Exit.class, "exit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "job", "stage"})
  void exitWhereTheLibraryCalls(String place) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    run(7, ExitWithin.class, place);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    assertTrue(seconds < 45, seconds + " s until the program had ended");
  }

  @Test
  void anExceptionInTheMiddle() throws IOException, InterruptedException {
    run(1, Exit.class, "throw");
    String said = Files.readString(folder.resolve("errors"));
    assertTrue(said.contains("mine"), said);
  }

  @Test
  void loadsLeaveNothing() throws IOException, InterruptedException {
    String loads = "1000";
    String[] kilobytes = run(0, Loads.class, loads).trim().split(" ");
    long grown = Long.parseLong(kilobytes[1]) - Long.parseLong(kilobytes[0]);
    System.out.println("resident KiB: " + String.join(" ", kilobytes));
    assertTrue(grown < 4096, () -> loads + " loads: " + String.join(" to ", kilobytes) + " KiB");
  }
}
