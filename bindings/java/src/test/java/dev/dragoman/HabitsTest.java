// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Support.TEXT;
import static dev.dragoman.Support.TEXT_MODEL;
import static dev.dragoman.Support.TO_XX;
import static dev.dragoman.Support.TRANSLATION;
import static dev.dragoman.Support.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What people expect of any library: short calls, values that are equal. */
@Timeout(120)
class HabitsTest {
  private static Translator toy() {
    return Translator.owning(Support.model(), TO_XX);
  }

  @Test
  void optionsThatHaveDefaultsNeedNotBeGiven() throws Exception {
    try (Translator translator = toy()) {
      assertEquals(TRANSLATION, translator.translate(TEXT).text());
      assertEquals(TRANSLATION, translator.translate(List.of(TEXT)).get(0).text());
      assertEquals(TRANSLATION, translator.submit(List.of(TEXT)).get().get(0).text());
      List<Input> inputs = List.of(Input.of(TEXT));
      try (Stream<Translation> found = translator.translateAll(inputs.iterator())) {
        assertEquals(TRANSLATION, found.findFirst().orElseThrow().text());
      }
      byte[] page = ("<p>" + TEXT + "</p>").getBytes(StandardCharsets.UTF_8);
      byte[] found = Documents.translate(translator, "x.html", page);
      assertEquals("<p>" + TRANSLATION + "</p>", new String(found, StandardCharsets.UTF_8));
    }
    try (Device device = Device.open();
        Model model = Model.load(TEXT_MODEL);
        Translator own = model.translator()) {
      assertFalse(device.info().name().isEmpty());
      assertEquals(TRANSLATION, own.translate(TEXT, TO_XX).text());
    }
  }

  @Test
  void streamsOfTextsAreClosedWithTheirTranslations() {
    AtomicBoolean closed = new AtomicBoolean();
    try (Translator translator = toy();
        Stream<Translation> found =
            translator.translateAll(Stream.of(TEXT, "batiß.").onClose(() -> closed.set(true)))) {
      assertEquals(
          List.of(TRANSLATION, "vöpiй."),
          found.map(Translation::text).collect(Collectors.toList()));
    }
    assertTrue(closed.get());
  }

  @Test
  void valuesAreEqualWhereTheirFieldsAre() {
    List<Language> all = Model.describeLanguages(null, Side.SOURCE);
    assertEquals(all, Model.describeLanguages(null, Side.SOURCE));
    assertEquals(2, new HashSet<>(all).size());
    assertNotEquals(all.get(0), all.get(1));
    assertEquals(Device.list(), Device.list());
    assertEquals(Input.of("a"), Input.of("a"));
    assertNotEquals(Input.of("a"), new Input("a", List.of("b")));
    try (Model model = Support.model();
        Translator translator = model.translator(TO_XX)) {
      List<TokenList> tokens = model.tokenize(List.of(TEXT), Side.SOURCE);
      assertEquals(tokens, model.tokenize(List.of(TEXT), Side.SOURCE));
      TranslateOptions attention = TranslateOptions.builder().returnAttention(true).build();
      Matrix weights = translator.translate(TEXT, attention).sentences().get(0).attention();
      Matrix again = translator.translate(TEXT, attention).sentences().get(0).attention();
      assertEquals(weights, again);
      assertEquals(weights.hashCode(), again.hashCode());
      assertNotEquals(
          weights, translator.translate("batiß.", attention).sentences().get(0).attention());
    }
  }

  @Test
  void vocabulariesAreAsked() {
    try (Model model = Support.model()) {
      for (String token : model.tokenize(List.of(TEXT), Side.SOURCE).get(0).tokens()) {
        assertTrue(model.hasToken(token, Side.SOURCE), token);
      }
      assertFalse(model.hasToken("no such token", Side.SOURCE));
      fails(InvalidArgumentException.class, "token", () -> model.hasToken("a\0b", Side.TARGET));
    }
  }

  @Test
  void filesAreDescribedAtOnce() {
    ModelDescription all = Model.describeAll(null);
    assertEquals(Model.describe(null), all.info());
    assertEquals(Model.describeLanguages(null, Side.SOURCE), all.sourceLanguages());
    assertEquals(Model.describeLanguages(null, Side.TARGET), all.targetLanguages());
    assertEquals("[de, en]", all.targetLanguages().toString());
    fails(IoErrorException.class, "nowhere", () -> Model.describeAll(Path.of("nowhere")));
  }
}
