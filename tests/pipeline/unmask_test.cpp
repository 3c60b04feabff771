// SPDX-License-Identifier: Apache-2.0
// Putting back what the model did not see, without a model.
#include "pipeline/protect/unmask.h"

#include <doctest/doctest.h>

#include "pipeline/protect/mask.h"

namespace unmask_test {

using namespace dragoman;
using namespace dragoman::pipeline;

namespace {

// What becomes of a model's translation of a sentence's input.
std::string unmasked(const std::string& sentence, const std::string& input, const std::string& translation) {
    ModelInput model_input;
    model_input.normal = text::normalize(sentence);
    mask(model_input, sentence, {.unknown = [](const std::string&) { return std::vector<text::Range>(); }});
    CHECK(model_input.text == input);
    model_input.ranges = {{0, model_input.text.size()}};
    Translation hypothesis;
    hypothesis.text = translation;
    hypothesis.ranges = {{0, translation.size()}};
    hypothesis.attention = {{1.0f}};
    const auto places = unmask(model_input, hypothesis, "de");
    for (std::size_t i = 0; i < places.size(); ++i)
        CHECK(text::part(hypothesis.text, places[i]) == model_input.placeholders[i].original);
    return hypothesis.text;
}

}  // namespace

TEST_CASE("a value that a program puts in later is no part of a compound") {
    CHECK(unmasked("{count} files", "X1 files", "X1-Dateien") == "{count} Dateien");
    CHECK(unmasked("all %s files in %s", "all X1 files in X2", "alle X1-Dateien in X2") == "alle %s Dateien in %s");
    CHECK(unmasked("the file {n}", "the file X1", "die Datei-X1") == "die Datei {n}");
    CHECK(unmasked("a {n}-fold one", "a X1-fold one", "ein X1-faches") == "ein {n}-faches");
    CHECK(unmasked("Press `Ctrl` keys", "Press X1 keys", "X1-Tasten") == "`Ctrl`-Tasten");
}

TEST_CASE("a value that touches letters is not shown to the model") {
    CHECK(unmasked("Hello{name}, welcome!", "Hello, welcome!", "Hallo, willkommen!").find("{name}") !=
          std::string::npos);
    CHECK(unmasked("{count}messages left", "messages left", "Nachrichten") == "{count}Nachrichten");
    // One word with it, and endings of its own.
    CHECK(unmasked("Version v{n} is here", "Version X1 is here", "Version X1 ist hier") == "Version v{n} ist hier");
    CHECK(unmasked("Watch S{a}E{b} now", "Watch X1 now", "Sieh X1 jetzt") == "Sieh S{a}E{b} jetzt");
    CHECK(unmasked("{name}s dog", "X1s dog", "X1s Hund") == "{name}s Hund");
    CHECK(unmasked("{n}km left", "X1km left", "noch X1 km") == "noch {n} km");
}

TEST_CASE("stand-ins do not stay behind letters") {
    CHECK(unmasked("the file {n} here", "the file X1 here", "die DateiX1 hier") == "die Datei {n} hier");
    CHECK(unmasked("the file {n} here", "the file X1 here", "X1 die DateiX1 hier") == "{n} die Datei hier");
}

TEST_CASE("runs of signs come back") {
    CHECK(unmasked("Stop!!!!! Now!!!!", "Stop! Now!", "Halt! Jetzt!") == "Halt!!!!! Jetzt!!!!");
    CHECK(unmasked("I am happy!!!!!!", "I am happy!", "Ich bin froh.") == "Ich bin froh!!!!!!");
    CHECK(unmasked("Fill in ________ here.", "Fill in ______ here.", "Hier _____ ausfüllen.") ==
          "Hier ________ ausfüllen.");
    CHECK(unmasked("Fill in ________ here.", "Fill in ______ here.", "Hier ausfüllen.").find("________") !=
          std::string::npos);
    CHECK(unmasked("Wait......, what?", "Wait..., what?", "Warte..., was?") == "Warte......, was?");
}

TEST_CASE("signs of paths come back, whatever the model made of them") {
    CHECK(unmasked("Choose File > Save now", "Choose File - Save now", "Datei - Speichern") == "Datei > Speichern");
    CHECK(unmasked("Choose File > Save now", "Choose File - Save now", "Datei \xe2\x80\x93 Speichern") ==
          "Datei > Speichern");
    CHECK(unmasked("Choose File > Save now", "Choose File - Save now", "Datei speichern").find('>') !=
          std::string::npos);
}

TEST_CASE("a reference to a blank that does not break comes back") {
    CHECK(unmasked("100&nbsp;km", "100 km", "100 km") == "100&nbsp;km");
}

}  // namespace unmask_test
