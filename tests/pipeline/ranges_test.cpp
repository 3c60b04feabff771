// SPDX-License-Identifier: Apache-2.0
// The bytes that tokens stand for, of any text: in order, inside their sentence, whole characters, and all of them.
// DRAGOMAN_TEXTS names a folder whose files go through the shipped model as well.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/utf8.h"
#include "pipeline/recorded.h"
#include "support/sweep.h"
#include "support/temp_dir.h"
#include "text/characters.h"

#include <doctest/doctest.h>

namespace ranges_test {

using namespace dragoman;
using pipeline::TextOptions;
using pipeline::TextResult;
using pipeline::TranslateOptions;
using pipeline::Translator;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<Translator> load(const fs::path& path) {
    return Translator::create(pipeline::Model::load(path.string(),
                                                    {.device = {}, .compute_type = pipeline::ComputeType::f32}));
}

bool is_boundary(std::string_view text, std::size_t at) {
    return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

// The first thing that is wrong, else nothing. covers: what is neither white nor invisible must belong to a token.
std::string fault(std::string_view text, text::Range sentence, std::span<const text::Range> ranges, bool covers) {
    std::size_t at = sentence.begin;
    const auto gap = [&](std::size_t end) -> std::string {
        const text::Range left = text::trim(text, {at, std::max(at, end)});
        if (!covers || left.size() == 0) return {};
        return fmt::format("bytes {} to {} belong to no token: \"{}\"", left.begin, left.end, text::part(text, left));
    };
    std::size_t last = sentence.begin;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const auto [begin, end] = ranges[i];
        const std::string range = fmt::format("token {}, bytes {} to {} of sentence {} to {}: ", i, begin, end,
                                              sentence.begin, sentence.end);
        if (begin > end || end > text.size()) return range + "no range";
        if (begin < sentence.begin || end > sentence.end) return range + "outside of the sentence";
        if (begin < last) return range + fmt::format("begins before the one before it, at {}", last);
        if (!is_boundary(text, begin) || !is_boundary(text, end)) return range + "within a character";
        if (const std::string missed = gap(begin); !missed.empty()) return range + missed;
        last = begin;
        at = std::max(at, end);
    }
    return gap(sentence.end);
}

// A source may have tokens without an own byte (a prompt's); a translation's text is made of its tokens.
void check(std::string_view text, const TextResult& result) {
    std::size_t end = 0;
    for (const auto& sentence : result.sentences) {
        CHECK(sentence.range.begin >= end);
        end = sentence.range.end;
        const auto ranges = sentence.ranges();
        REQUIRE(ranges.size() == sentence.packed.size());
        CHECK(fault(text, sentence.range, ranges, true) == "");
    }
    REQUIRE(end <= text.size());
    for (const auto& hypothesis : result.hypotheses) {
        REQUIRE(hypothesis.sentences.size() == result.sentences.size());
        REQUIRE_FALSE(first_invalid_utf8(hypothesis.text));
        for (std::size_t s = 0; s < hypothesis.sentences.size(); ++s) {
            const auto ranges = hypothesis.ranges(s);
            REQUIRE(ranges.size() == hypothesis.packed_at(s).size());
            CHECK(fault(hypothesis.text, hypothesis.sentences[s].range(), ranges, true) == "");
        }
    }
}

// A text that does not say its language gets one.
std::size_t check_text(Translator& translator, std::string_view text, TextOptions how = {},
                       TranslateOptions options = {}) {
    CAPTURE(text);
    const auto& targets = translator.model().info().languages.target;
    if (how.target_language.empty() && targets.size() > 1) how.target_language = targets.front().code;
    if (!options.max_decoding_length) options.max_decoding_length = 24;
    if (!options.beam_size) options.beam_size = 1;
    const pipeline::Text input{text, {}};
    const auto results = translator.translate_texts({&input, 1}, how, options);
    check(text, results.at(0));
    return results[0].sentences.size();
}

// Characters that people send, in the middle of words and between them.
const std::vector<std::string> kInjected = {"😀",
                                            "👩‍👩‍👧‍👦",
                                            "🇩🇪",
                                            "e\u0301",
                                            "\u0301",
                                            "a\u0308\u0323",
                                            "\u00ad",
                                            "\u200b",
                                            "\ufeff",
                                            "ﬁ",
                                            "ﬃ",
                                            "ǆ",
                                            "№",
                                            "½",
                                            "Ⅷ",
                                            "ß",
                                            "\u202eשלום\u202c",
                                            "مرحبا",
                                            "\u200f",
                                            "\r\n",
                                            "\r\n\r\n",
                                            "\t",
                                            "\u00a0",
                                            "\u3000",
                                            "日本",
                                            "。",
                                            "हिन्दी",
                                            "ไทย",
                                            "한글",
                                            "각",
                                            "…",
                                            "\u2028"};

std::vector<std::string> with_injections(const std::vector<std::string>& texts) {
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string& text = texts[i];
        for (const double where : {0.0, 0.37, 0.8, 1.0}) {
            std::size_t at = std::size_t(where * double(text.size()));
            while (!is_boundary(text, at)) ++at;
            const std::string& what = kInjected[(i * 4 + changed.size()) % kInjected.size()];
            changed.push_back(text.substr(0, at) + what + text.substr(at));
        }
    }
    return changed;
}

std::vector<std::string> shipped_texts() {
    std::ifstream file(DRAGOMAN_TEST_DATA "/en-de/expected.tsv");
    std::vector<std::string> texts;
    for (std::string line; std::getline(file, line);) {
        const std::string text = line.substr(0, line.find('\t'));
        texts.push_back(text.substr(text.starts_with(">>de<< ") ? 7 : 0));
    }
    return texts;
}

std::vector<fs::path> models_with_text() {
    return {fs::path(DRAGOMAN_TEST_DATA) / "toy-text", fs::path(DRAGOMAN_TEST_DATA) / "huggingface/shared",
            fs::path(DRAGOMAN_TEST_DATA) / "huggingface/separate", fs::path(DRAGOMAN_TEST_DATA) / "marian/int8-firefox",
            fs::path(DRAGOMAN_TEST_DATA) / "marian/opus"};
}

std::vector<std::string> recorded_texts(const fs::path& model) {
    std::vector<std::string> texts;
    for (const auto& text : test::read_recorded(model.string()).texts) texts.push_back(text.text);
    return texts;
}

fs::path file_of(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".npz" || entry.path().extension() == ".zip") return entry.path();
    return folder;
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
    std::string all;
    for (const std::string& text : texts) all += text + between;
    return all;
}

}  // namespace

TEST_CASE("what the checks find") {
    const auto found = [](std::vector<text::Range> ranges) { return fault("ab ü", {0, 5}, ranges, true); };
    CHECK(found({{0, 2}, {2, 5}}) == "");
    CHECK(found({{0, 2}, {3, 5}}) == "");
    CHECK(found({{0, 2}, {2, 2}, {3, 5}}) == "");
    CHECK(found({{0, 1}, {3, 5}}) != "");
    CHECK(found({{0, 2}, {3, 4}}) != "");
    CHECK(found({{3, 5}, {0, 2}}) != "");
    CHECK(found({{0, 2}, {3, 6}}) != "");
    CHECK(found({{0, 2}}) != "");
}

TEST_CASE("texts of the models' own languages, as they are and with what people send in them") {
    for (const fs::path& path : models_with_text()) {
        CAPTURE(path);
        const auto translator = load(file_of(path));
        auto texts = recorded_texts(path);
        REQUIRE(texts.size() >= 10);
        if (!test::full_sweep()) texts.resize(10);
        std::vector<std::string> all = texts;
        for (std::string& text : with_injections(texts)) all.push_back(std::move(text));
        for (const std::string& text : all) check_text(*translator, text);
        check_text(*translator, joined(all, "\n"), {}, {.beam_size = 3, .num_hypotheses = 3});
        check_text(*translator, joined(all, " "), {.split_sentences = false}, {.max_input_length = 40});
        const std::size_t whole = check_text(*translator, joined(texts, " "));
        CHECK(check_text(*translator, joined(texts, " "), {.max_segment_tokens = 4}) > whole);
        if (!translator->model().info().languages.target.empty() && path.parent_path().filename() == "huggingface")
            check_text(*translator, joined(all, " "),
                       {.target_language = translator->model().info().languages.target.front().code});
    }
}

TEST_CASE("the shipped model") {
    const auto translator = load(DRAGOMAN_SHIPPED_MODEL);
    auto texts = test::every(shipped_texts(), 25);
    std::vector<std::string> all = texts;
    for (std::string& text : with_injections(texts)) all.push_back(std::move(text));
    for (const char* between : {" ", "\r\n", "\n\n", " ... "}) check_text(*translator, joined(all, between));
    check_text(*translator, joined(all, " "), {.target_language = "de"}, {.beam_size = 2, .num_hypotheses = 2});
    check_text(*translator, ">>de<< " + joined(texts, " "), {.max_segment_tokens = 7});
    check_text(*translator, joined(all, " "), {.join_lines = true, .max_segment_tokens = 5});
    const char* const folder = std::getenv("DRAGOMAN_TEXTS");
    if (!folder) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        CAPTURE(entry.path());
        const std::string text = test::read_file(entry.path());
        if (!first_invalid_utf8(text)) check_text(*translator, text);
    }
}

TEST_CASE("a code in front is what its token stands for") {
    const auto translator = load(fs::path(DRAGOMAN_TEST_DATA) / "huggingface/shared");
    const std::string text = "\n>>xx<<  bara! >>yy<<lotilu.";
    const pipeline::Text input{text, {}};
    const auto result = translator->translate_texts({&input, 1}, {}, {.beam_size = 1}).at(0);
    check(text, result);
    for (const auto& sentence : result.sentences) {
        CAPTURE(text::part(text, sentence.range));
        if (!text::part(text, sentence.range).starts_with(">>")) continue;
        CHECK(sentence.tokens().front().starts_with(">>"));
        CHECK(text::part(text, sentence.ranges().front()) == sentence.tokens().front());
    }
    const pipeline::Text plain{"bara!", {}};
    const auto told = translator->translate_texts({&plain, 1}, {.target_language = "yy"}, {.beam_size = 1}).at(0);
    CHECK(told.sentences.at(0).tokens().front() == ">>yy<<");
    CHECK(told.sentences[0].ranges().front().size() == 0);  // nowhere in the text
}

}  // namespace ranges_test
