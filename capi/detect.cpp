// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "guard.h"
#include "text/detect_language.h"

struct dragoman_detection {
    struct Guess {
        std::string tag, name;
        float probability;
    };
    std::vector<std::vector<Guess>> texts;
};

using namespace dragoman;
using namespace dragoman::capi;

namespace {

std::vector<spec::LanguageTag> read_expected(const char* expected) {
    std::string_view rest = capi::text(dragoman_str(expected), {"expected"});
    std::vector<spec::LanguageTag> tags;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        tags.push_back(spec::LanguageTag::parse(rest.substr(0, comma)));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return tags;
}

}  // namespace

dragoman_status dragoman_detect_languages(const dragoman_string* texts, size_t count, const char* expected,
                                          dragoman_detection** languages) {
    return guard([&] {
        required(languages, "languages") = nullptr;
        check_inputs(texts, count, "texts");
        const std::vector<spec::LanguageTag> likelier = read_expected(expected);
        auto out = std::make_unique<dragoman_detection>();
        for (size_t i = 0; i < count; ++i) {
            auto& guesses = out->texts.emplace_back();
            for (const spec::LanguageGuess& guess : text::detect_language(capi::text(texts[i], {"texts", i}), likelier))
                guesses.push_back({guess.language.str(), guess.language.name(), guess.probability});
        }
        *languages = out.release();
    });
}

void dragoman_detection_destroy(dragoman_detection* languages) { delete languages; }

size_t dragoman_detection_count(const dragoman_detection* languages) { return languages ? languages->texts.size() : 0; }

size_t dragoman_detection_guess_count(const dragoman_detection* languages, size_t text) {
    return text < dragoman_detection_count(languages) ? languages->texts[text].size() : 0;
}

dragoman_status dragoman_detection_guess(const dragoman_detection* languages, size_t text, size_t index,
                                         dragoman_language_guess* guess) {
    return guard([&] {
        check_struct_size<dragoman_language_guess>(required(guess, "guess").struct_size, "guess");
        const auto& all = required(languages, "languages").texts;
        if (text >= all.size())
            fail(Status::invalid_argument, "text: {} is out of range, there are {}", text, all.size());
        if (index >= all[text].size())
            fail(Status::invalid_argument, "index: {} is out of range, text {} has {}", index, text, all[text].size());
        const auto& from = all[text][index];
        dragoman_language_guess to{};
        to.probability = from.probability;
        to.tag = from.tag.c_str();
        to.name = from.name.c_str();
        write_struct(guess, guess->struct_size, to, "guess");
    });
}
