// SPDX-License-Identifier: Apache-2.0
// What people write and the shipped model cannot read, or would change.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/log.h"
#include "pipeline/run/translator.h"
#include "pipeline/shipped.h"

namespace protected_spans_test {

using namespace dragoman;
using pipeline::SentenceFlags;
using pipeline::Text;
using pipeline::TextOptions;
using pipeline::TextResult;

namespace {

pipeline::Translator& translator() {
    static const auto shared = pipeline::Translator::create(test::shipped_model());
    return *shared;
}

const TextOptions kToGerman{.source_language = "en", .target_language = "de"};

std::vector<TextResult> results(const std::vector<std::string>& texts, const TextOptions& text_options = kToGerman,
                                const pipeline::TranslateOptions& options = {.beam_size = 1}) {
    std::vector<Text> inputs;
    for (const std::string& text : texts) inputs.push_back({text, {}});
    return pipeline::translate_texts(translator(), inputs, text_options, options);
}

std::string translation(const std::string& text, const TextOptions& text_options = kToGerman) {
    return results({text}, text_options).front().hypotheses.front().text;
}

std::size_t count(std::string_view text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++found;
    return found;
}

// Ranges of tokens are ordered, and cover what is no white space.
void check_ranges(std::string_view text, const std::vector<text::Range>& ranges) {
    std::size_t end = 0;
    for (const text::Range& range : ranges) {
        CHECK(range.begin <= range.end);
        CHECK(range.end <= text.size());
        CHECK(range.end >= end);
        if (range.begin > end) CHECK(text::trim(text, {end, range.begin}).size() == 0);
        end = std::max(end, range.end);
    }
}

}  // namespace

TEST_CASE("what looks like another encoding is told once") {
    std::vector<std::string> lines;
    const uint64_t sink = add_log_sink([&](LogLevel, std::string_view line) { lines.emplace_back(line); },
                                       LogLevel::warning);
    const auto all =
        results({"The house is big.", "The caf\xc3\x83\xc2\xa9 is big.", "My caf\xc3\x83\xc2\xa9 is red."});
    remove_log_sink(sink);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].starts_with("text 1: what begins at byte 0 looks like UTF-8 that was read as another encoding"));
    CHECK((all[0].sentences.at(0).flags & SentenceFlags::mojibake) == 0);
    for (const std::size_t i : {1, 2}) CHECK((all[i].sentences.at(0).flags & SentenceFlags::mojibake) != 0);
}

TEST_CASE("title case is read as small letters where that is surer") {
    CHECK(translation("Where Do You Have To Do That?") == translation("Where do you have to do that?"));
    CHECK(translation("Harry Potter And The Philosopher's Stone") == "Harry Potter und der Stein des Philosophen");
    const std::string text = "Mary Would Like To Know Why The Old Cat Sleeps.";
    CHECK(translation(text) == "Maria würde gerne wissen, warum die alte Katze schläft.");
    CHECK(translation(text) != translation(text, {.source_language = "en", .target_language = "de", .raw = true}));
    const std::string title = "Nobody Has Seen The Dog That Was In {name}, Or So They Say.";
    const TextResult result = results({title}).front();
    CHECK(count(result.hypotheses.front().text, "{name}") == 1);
    check_ranges(title, result.sentences.at(0).ranges());
    check_ranges(result.hypotheses.front().text, result.hypotheses.front().ranges(0));
}

TEST_CASE("a text in capitals that raves is not lost") {
    // Repeated words make the model rave, and each part of the sentence is in capitals, too.
    std::string text;
    for (int i = 0; i < 12; ++i) text += "BANG BONG BING BLARG ";
    for (const TextResult& result : results({text, "I AM AT THE STATION, AND WHERE ARE YOU?"})) {
        REQUIRE(result.hypotheses.size() == 1);
        CHECK_FALSE(result.hypotheses.front().text.empty());
    }
}

TEST_CASE("letters that the model puts behind a placeholder do not become part of it") {
    for (const auto& [text, own] : std::vector<std::pair<std::string, std::string>>{
             {"\"This is already a tragedy, but it %3$s could get much {1} worse,\" it said.", "{1}"},
             {"And if {bxgV} you continue the huge %(name)s fashion statement- you are in luck.", "%(name)s"}}) {
        const std::string found = translation(text);
        INFO(found);
        const std::size_t at = found.find(own);
        REQUIRE(at != found.npos);
        std::size_t behind = at + own.size();
        CHECK_FALSE(text::is_letter(text::next_character(found, behind)));
    }
}

TEST_CASE("a word at the end that is no part of the sentence stays there") {
    const auto ends_with = [](const std::string& text, std::string_view end) {
        const std::string found = translation(text);
        CHECK_MESSAGE(found.ends_with(end), found);
        CHECK_MESSAGE(count(found, end) == 1, found);
    };
    ends_with("You don't know who I am \xd0\x9c\xd0\xbe\xd1\x81\xd0\xba\xd0\xb2\xd0\xb0.",
              " bin \xd0\x9c\xd0\xbe\xd1\x81\xd0\xba\xd0\xb2\xd0\xb0.");
    ends_with("Where can one make a phone call www.example.com/a?b=1?", " machen www.example.com/a?b=1?");
    ends_with("You can install {name}.", " installieren.");
    const std::string song = translation("The song was written by www.example.com.");
    CHECK_MESSAGE(song.find("von www.example.com ") != std::string::npos, song);
}

TEST_CASE("what the model cannot read is in the translation, once and unchanged") {
    const std::vector<std::pair<std::string, std::vector<std::string>>> texts = {
        {"I bought \xe6\x9d\xb1\xe4\xba\xac tickets yesterday.", {"\xe6\x9d\xb1\xe4\xba\xac"}},
        {"3\xc3\x97"
         "4 is twelve.",
         {"3\xc3\x97"
          "4"}},
        {"I love this \xf0\x9f\x98\x80 so much!", {"\xf0\x9f\x98\x80"}},
        {"\xe2\x9d\xa4\xef\xb8\x8f I love you.", {"\xe2\x9d\xa4\xef\xb8\x8f"}},
        {"Visit www.example.com/a?b=1 for more information.", {"www.example.com/a?b=1"}},
        {"Write to john.smith@example.com please.", {"john.smith@example.com"}},
        {"Use `ls -la` to list the files in ~/notes.", {"`ls -la`", "~/notes"}},
        {"Hello {name}, you have %d new messages.", {"{name}", "%d"}},
        {"If x < 5 and y > 3, then stop.", {"<", ">"}},
        {"This is <b>bold</b> text.", {"<b>", "</b>"}},
        {"He was born near S\xc3\xa3o Paulo.", {"S\xc3\xa3o Paulo"}},
        {"Tom &amp; Mary are here.", {"&amp;"}},
    };
    std::vector<std::string> sources;
    for (const auto& [text, parts] : texts) sources.push_back(text);
    const auto all = results(sources);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const pipeline::TextHypothesis& best = all[i].hypotheses.front();
        for (const std::string& part : texts[i].second)
            CHECK_MESSAGE(count(best.text, part) == 1, sources[i] << " -> " << best.text);
        CHECK(best.text != sources[i]);
        CHECK((all[i].sentences.front().flags & SentenceFlags::carried) != 0);
        for (std::size_t s = 0; s < all[i].sentences.size(); ++s) {
            CHECK(all[i].sentences[s].tokens().size() == all[i].sentences[s].ranges().size());
            check_ranges(best.text, best.ranges(s));
        }
        check_ranges(sources[i], all[i].sentences.front().ranges());
    }
}

TEST_CASE("what has no words for the model is copied") {
    for (
        const std::string text :
        {"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd7\xa2\xd7\x95\xd7\x9c\xd7\x9d.", R"({"name": "John", "age": 30})",
         "\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82, \xd0\xba\xd0\xb0\xd0\xba \xd0\xb4\xd0\xb5\xd0\xbb\xd0\xb0 OK?",
         "https://example.org/a"}) {
        const TextResult result = std::move(results({text}).front());
        CHECK(result.hypotheses.front().text == text);
        CHECK((result.sentences.front().flags & SentenceFlags::copied) != 0);
    }
    CHECK(translation(std::string(4000, 'a')) == std::string(4000, 'a'));
}

TEST_CASE("cells of a table are translated, bars stay") {
    const std::string german = translation("| Good morning! | 12 | Good night! |\n|---|---|---|");
    CHECK(german ==
          "| " + translation("Good morning!") + " | 12 | " + translation("Good night!") + " |\n|---|---|---|");
}

TEST_CASE("steps of paths and fields of lines are translated alone") {
    const auto row = [&](const std::vector<std::string>& texts, const std::string& sign) {
        std::string source, target;
        for (const std::string& text : texts) {
            source += (source.empty() ? "" : sign) + text;
            target += (target.empty() ? "" : sign) + translation(text);
        }
        CHECK(translation(source) == target);
    };
    row({"Good morning!", "Good night!", "Hello"}, " \xe2\x80\xa2 ");
    row({"Home", "Products", "Dogs"}, " > ");
    row({"Home", "Products", "Dogs"}, " \xc2\xbb ");
    CHECK(translation("Name: ________") == translation("Name:") + " ________");
    CHECK(translation("[Please wait.]") == "[" + translation("Please wait.") + "]");
    CHECK(translation("*The dog is here.*") == "*" + translation("The dog is here.") + "*");
}

TEST_CASE("guillemets are read as quotation marks, and stay in menus") {
    const TextOptions to_english{.source_language = "de", .target_language = "en"};
    for (const auto& [text, plain] : std::vector<std::pair<std::string, std::string>>{
             {"\xc2\xbbHallo\xc2\xab, sagte sie, \xc2\xbbwie geht es dir?\xc2\xab",
              "\"Hallo\", sagte sie, \"wie geht es dir?\""},
             {"Der Film \xc2\xbb"
              "Das Boot\xc2\xab ist gut.",
              "Der Film \"Das Boot\" ist gut."}})
        CHECK(translation(text, to_english) == translation(plain, to_english));
    CHECK(translation("\xc2\xabI am tired,\xc2\xbb he said.") == translation("\"I am tired,\" he said."));
    CHECK(translation("Next \xc2\xbb") == translation("Next") + " \xc2\xbb");
    CHECK(translation("\xc2\xab Back") == "\xc2\xab " + translation("Back"));
}

TEST_CASE("sentences with several words of code are translated") {
    CHECK(translation("Set `x` to `1`.") == "Setzen Sie `x` auf `1`.");
    for (const std::string text : {"Press `a` or `b`.", "Use `foo`, `bar` or `baz`.",
                                   "The `id` is `int`, the `name` is `str`.", "Thanks :) see you ;-) <3"}) {
        const std::string german = translation(text);
        CHECK(german != text);
        CHECK_MESSAGE(count(german, "`") == count(text, "`"), german);
        for (const char* face : {":)", ";-)", "<3"}) CHECK_MESSAGE(count(german, face) == count(text, face), german);
    }
}

TEST_CASE("values that touch letters leave no stand-in") {
    for (const std::string text : {"Hello{name}, welcome!", "version{name} is ready", "Version v{name} is ready"}) {
        const std::string german = translation(text);
        CHECK_MESSAGE(german.find("X1") == german.npos, german);
        CHECK_MESSAGE(count(german, "{name}") == 1, german);
    }
    CHECK(translation("Hello{name}, welcome!").starts_with("Hallo{name}"));
}

TEST_CASE("patterns, references and runs of signs stay as they are") {
    for (const std::string text : {"MMM d, yyyy", "TT.MM.JJJJ", "dd.MM.yyyy HH:mm", "-----BEGIN CERTIFICATE-----"})
        CHECK(translation(text) == text);
    for (const auto& [text, own] :
         std::vector<std::pair<std::string, std::string>>{{"Article 5(1)(b)(iii)", "Artikel 5(1)(b)(iii)"},
                                                          {"Enter the date as MM/DD/YYYY.", "MM/DD/YYYY"},
                                                          {"I'm so happy!!!!!!!!!!!!!!!!!", "!!!!!!!!!!!!!!!!!"},
                                                          {"-------- Original Message --------", "-------- "},
                                                          {"100&nbsp;km", "100&nbsp;km"},
                                                          {"See No. 5 for details.", "Nummer 5"}}) {
        const std::string german = translation(text);
        CHECK_MESSAGE(german.find(own) != german.npos, german);
    }
}

TEST_CASE("the number of a list's item is no ordinal") {
    const TextOptions to_english{.source_language = "de", .target_language = "en"};
    CHECK(translation("1. Erster Punkt", to_english) == "1. First point");
    CHECK(translation("3. Tag der Reise", to_english).starts_with("3rd"));
    CHECK(translation("1. Mai 2024", to_english).find("1.") == std::string::npos);
}

TEST_CASE("a text that repeats itself does not make the model go on to its limit") {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "( a ";
    const TextResult result = std::move(results({text}).front());
    for (std::size_t s = 0; s < result.sentences.size(); ++s)
        CHECK(result.hypotheses.front().tokens(s).size() <= 2 * result.sentences[s].packed.size() + 18);
}

TEST_CASE("text in capitals is translated, in capitals") {
    const std::string german = translation("THIS IS A VERY IMPORTANT MESSAGE.");
    const std::string plain = translation("This is a very important message.");
    std::string upper = plain;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    CHECK(german == upper);
}

TEST_CASE("German nouns have their capitals where a text has none, or too many") {
    const TextOptions to_english{.source_language = "de", .target_language = "en"};
    const std::string small = "ein mann spielt im park mit seinem hund.";
    const std::string english = translation("Ein Mann spielt im Park mit seinem Hund.", to_english);
    CHECK(translation(small, to_english) == english);
    CHECK(translation(small, {.target_language = "en"}) == english);  // the only other language of the model
    CHECK(translation(small, {.source_language = "de", .target_language = "en", .raw = true}) != english);
    std::string upper = english;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    CHECK(translation("EIN MANN SPIELT IM PARK MIT SEINEM HUND.", to_english) == upper);
    const std::string carried = "die frau aus {name} hat zwei kinder und einen hund.";
    const TextResult result = results({carried}, to_english).front();
    CHECK(count(result.hypotheses.front().text, "{name}") == 1);
    check_ranges(carried, result.sentences.at(0).ranges());
    CHECK(translation("der mann mit seinem hund", to_english) == translation("der Mann mit seinem Hund", to_english));
    // Other languages write nouns small, and two words are no sentence.
    for (const auto& [text, options] : std::vector<std::pair<std::string, TextOptions>>{
             {"a man plays with his dog in the park.", kToGerman}, {"die schule", to_english}}) {
        TextOptions raw = options;
        raw.raw = true;
        CHECK(translation(text, options) == translation(text, raw));
    }
}

TEST_CASE("words in capitals, and with capitals by mistake, are read in their usual letters") {
    const TextOptions to_english{.source_language = "de", .target_language = "en"};
    CHECK(translation("Das ist SEHR wichtig.", to_english) == translation("Das ist sehr wichtig.", to_english));
    CHECK(translation("Der EIGENTÜMER hat das HAUS.", to_english) ==
          translation("Der Eigentümer hat das Haus.", to_english));
    for (const char* mistake : {"HELlo", "hEllo", "hellO", "HEllo", "hELLO"})
        CHECK(translation(mistake) == translation("Hello"));
    for (const char* abbreviation : {"UNESCO", "NATO", "UNICEF"})
        CHECK(count(translation("The " + std::string(abbreviation) + " is in Paris."), abbreviation) == 1);
}

TEST_CASE("a short sentence in tags is no code") {
    CHECK(translation("<b>She is happy.</b>") == "<b>" + translation("She is happy.") + "</b>");
}

TEST_CASE("numbers are kept") {
    for (const std::string text :
         {"The meeting is on 12/03/2021 in room 214.", "Call 555 0199 or 0815 4711 before 2029."}) {
        const TextResult result = std::move(results({text}).front());
        const std::string& german = result.hypotheses.front().text;
        for (const char* digits : {"2021", "214"})
            if (text.find(digits) != text.npos) CHECK_MESSAGE(german.find(digits) != german.npos, german);
        for (const char* digits : {"0199", "4711", "2029"})
            if (text.find(digits) != text.npos) CHECK_MESSAGE(german.find(digits) != german.npos, german);
    }
}

TEST_CASE("raw texts reach the model as they are") {
    TextOptions raw = kToGerman;
    raw.raw = true;
    CHECK(count(translation("I love this \xf0\x9f\x98\x80 so much!", raw), "\xf0\x9f\x98\x80") == 0);
    CHECK(translation("Good morning!", raw) == translation("Good morning!"));
    // A sentence of unknown tokens, too.
    const std::string unknown = "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d";
    CHECK((results({unknown}).front().sentences.front().flags & SentenceFlags::copied) != 0);
    CHECK((results({unknown}, raw).front().sentences.front().flags & SentenceFlags::copied) == 0);
}

TEST_CASE("n-best lists, attention and alignments have what was carried, too") {
    const std::string source = "I bought \xe6\x9d\xb1\xe4\xba\xac tickets yesterday.";
    TextOptions options = kToGerman;
    options.return_alignment = true;
    const TextResult result =
        std::move(results({source}, options, {.beam_size = 4, .num_hypotheses = 3, .return_attention = true}).front());
    REQUIRE(result.hypotheses.size() == 3);
    for (const pipeline::TextHypothesis& hypothesis : result.hypotheses) {
        CHECK(count(hypothesis.text, "\xe6\x9d\xb1\xe4\xba\xac") == 1);
        const pipeline::TranslatedSentence sentence = hypothesis.sentences.front();
        REQUIRE(hypothesis.packed_at(0).size() > 0);
        REQUIRE(sentence.attention.rows >= hypothesis.packed_at(0).size());
        CHECK(sentence.attention.cols == result.sentences.front().packed.size());
        const text::WordAlignment& words = sentence.alignment;
        bool linked = false;
        for (std::size_t t = 0; t < words.target.size(); ++t)
            for (std::size_t s = 0; s < words.source.size(); ++s)
                linked |= text::part(source, words.source[s]).starts_with("\xe6\x9d\xb1") &&
                          text::part(hypothesis.text, words.target[t]).starts_with("\xe6\x9d\xb1") &&
                          words.at(t, s) > 0.5f;
        CHECK(linked);
    }
}

TEST_CASE("jobs of many texts end, whatever is tried again") {
    std::vector<std::string> texts;
    for (int i = 0; i < 60; ++i) {
        texts.push_back("Room " + std::to_string(1000 + 37 * i) + " is \xe2\x98\x83 cold.");
        texts.push_back("Good morning, number " + std::to_string(i) + "!");
        texts.push_back("( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( (");
    }
    const auto all = results(texts);
    REQUIRE(all.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); i += 3) {
        const std::string& german = all[i].hypotheses.front().text;
        CHECK_MESSAGE(german.find(std::to_string(1000 + 37 * int(i / 3))) != german.npos, german);
        CHECK(count(german, "\xe2\x98\x83") == 1);
    }
    CHECK(results({}).empty());
}

}  // namespace protected_spans_test
