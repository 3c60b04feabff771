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

}  // namespace unmask_test
