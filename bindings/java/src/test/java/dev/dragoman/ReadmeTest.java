// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of README.md run. */
class ReadmeTest {
  @TempDir Path folder;

  /** Compiles them to a folder; their names. */
  static List<String> compile(Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assumeTrue(compiler != null, "this Java has no compiler");
    String readme = Files.readString(Support.ROOT.resolve("bindings/java/README.md"));
    Matcher blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(readme);
    List<String> names = new ArrayList<>();
    List<String> arguments = new ArrayList<>(List.of("-d", folder.toString(), "-Xlint:all"));
    arguments.addAll(
        List.of("-Werror", "-proc:none", "-cp", System.getProperty("java.class.path")));
    while (blocks.find()) {
      Matcher name = Pattern.compile("public class (\\w+)").matcher(blocks.group(1));
      assertTrue(name.find());
      names.add(name.group(1));
      Path file = folder.resolve(name.group(1) + ".java");
      arguments.add(Files.writeString(file, blocks.group(1)).toString());
    }
    assertEquals(5, names.size());
    ByteArrayOutputStream faults = new ByteArrayOutputStream();
    int status = compiler.run(null, faults, faults, arguments.toArray(String[]::new));
    assertEquals(0, status, () -> faults.toString(StandardCharsets.UTF_8));
    return names;
  }

  @Test
  void programs() throws IOException, ReflectiveOperationException {
    for (String name : compile(folder)) {
      if (!name.equals("Published")) { // which ModelsTest runs
        assertTrue(run(name, folder).length() > 10, name);
      }
    }
  }

  static String run(String name, Path folder) throws IOException, ReflectiveOperationException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
