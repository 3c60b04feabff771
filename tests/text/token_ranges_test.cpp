// SPDX-License-Identifier: Apache-2.0
// DRAGOMAN_HELD_OUT_TEXT: a folder of texts, one a line, that are tried as well.
#include "text/token_ranges.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "files/file_map.h"
#include "base/utf8.h"
#include "text/normalize.h"
#include "text/sentencepiece.h"
#include "text/make_tokenizer.h"

namespace dragoman::text::token_ranges_test {
namespace {

using namespace std::string_literals;
namespace fs = std::filesystem;

using Ranges = std::vector<Range>;

const std::string kToy = DRAGOMAN_TEST_DATA "/toy-text/source.spm";

std::vector<std::string> held_out_lines() {
    std::vector<std::string> lines;
    std::ifstream recorded(DRAGOMAN_TEST_DATA "/en-de/expected.tsv");
    for (std::string text; std::getline(recorded, text, '\t'); recorded.ignore(1 << 20, '\n')) {
        lines.push_back(text);
        if (std::getline(recorded, text, '\t')) lines.push_back(text);
    }
    std::ifstream toy(DRAGOMAN_TEST_DATA "/toy-text/expected.json");
    const auto recorded_toy = nlohmann::json::parse(toy);
    for (const auto& item : recorded_toy.at("texts")) {
        lines.push_back(item.at("text"));
        lines.push_back(item.at("translation"));
    }
    if (const char* folder = std::getenv("DRAGOMAN_HELD_OUT_TEXT")) {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);)
                if (!first_invalid_utf8(line)) lines.push_back(line);
        }
    }
    return lines;
}

struct Model {
    std::string name;
    std::unique_ptr<const Tokenizer> tokenizer;
};

FileBytes with_more(const std::string& path, const std::string& appended) {
    const auto bytes = std::make_shared<std::string>(std::string(read_whole(path).text()) + appended);
    return {.name = path, .bytes = std::as_bytes(std::span(*bytes)), .owner = bytes};
}

// These bytes are merged with a SentencePiece file's: 256 pieces for bytes, and the option to use them.
std::string byte_pieces() {
    std::string added;
    for (int byte = 0; byte < 256; ++byte) {
        const char* digits = "0123456789ABCDEF";
        const std::string piece = "<0x"s + digits[byte / 16] + digits[byte % 16] + ">";
        added += "\n\x0f\n\x06" + piece + "\x15\0\0\0\0\x18\x06"s;
    }
    return added + "\x12\x03\x98\x02\x01";
}

std::vector<Model> models() {
    std::vector<Model> list;
    for (const char* root : {DRAGOMAN_TEST_DATA, DRAGOMAN_TEST_DATA "/../../models"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            if (entry.path().extension() != ".spm") continue;
            const FileBytes file = read_whole(entry.path());
            list.push_back({entry.path().string(), make_tokenizer({file, file})});
        }
    }
    const auto add = [&](const char* name, const std::string& appended) {
        const FileBytes file = with_more(kToy, appended);
        list.push_back({name, make_tokenizer({file, file})});
    };
    add("bytes", byte_pieces());
    add("white space kept, no dummy prefix", "\x1a\x04\x18\0\x20\0"s);
    add("white space kept, bytes", "\x1a\x02\x20\0"s + byte_pieces());
    add("white space behind words", "\x12\x03\xc0\x01\x01");
    return list;
}

const char* const kSpecial[] = {"👩‍👩‍👧‍👦",
                                "👍🏽",
                                "🏳️‍🌈",
                                "🇩🇪",
                                "☺️",
                                "1️⃣",
                                "e\u0301",
                                "a\u0323\u0302",
                                "\u0308",
                                "Ů\u0301\u0300",
                                "ﬁ",
                                "ﬃ",
                                "ﷺ",
                                "½",
                                "…",
                                "™",
                                "¨",
                                "Ｆｕｌｌ　ｗｉｄｔｈ！",
                                "ｶﾞ",
                                "か\u3099",
                                "مَرْحَبًا بك",
                                "שָׁלוֹם",
                                "\u200fעברית\u200e",
                                "ภาษาไทยน้ำ",
                                "हिन्दी",
                                "한국어",
                                "\u1112\u1161\u11ab",
                                "漢字。",
                                "漢\r\n字",
                                "\r\n",
                                "\n",
                                " \r\n\t ",
                                "\u00a0",
                                "\u202f",
                                "\u3000",
                                "\u00ad",
                                " \u00ad ",
                                "\ufeff",
                                "\u200b",
                                "\u200c",
                                "\u200d",
                                "\u2060",
                                "\u2028",
                                "\u2581",
                                " \u2581 ",
                                "\u2047",
                                "\x01",
                                "\x7f",
                                "<s>",
                                "<unk>",
                                "<0x41>",
                                "\u212b",
                                "\U0001d15e",
                                "\ufb2c",
                                "\ufdfa \u00ad",
                                "  ",
                                " "};

std::string with_specials(std::string text, std::mt19937& random) {
    for (std::size_t left = random() % 5; left > 0; --left) {
        std::size_t at = random() % 4 == 0 ? (random() % 2) * text.size() : random() % (text.size() + 1);
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
        text.insert(at, kSpecial[random() % std::size(kSpecial)]);
    }
    return text;
}

bool inside_character(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

bool is_one_character(std::string_view text) {
    const std::string normal = normalize(text).text;
    return cluster_end(normal, 0) == normal.size();
}

// The fault in the ranges of a text's tokens; "": none.
std::string fault(std::string_view text, const Ranges& ranges, std::size_t tokens) {
    if (ranges.size() != tokens) return fmt::format("{} ranges for {} tokens", ranges.size(), tokens);
    std::size_t covered = 0;
    Range last;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const Range range = ranges[i];
        const auto say = [&](const char* what) {
            return fmt::format("range {} of [{}, {}) behind [{}, {}): {}", i, range.begin, range.end, last.begin,
                               last.end, what);
        };
        if (range.begin > range.end || range.end > text.size()) return say("not inside the text");
        if (range.begin < last.begin || range.end < last.end) return say("not in order");
        if (inside_character(text, range.begin) || inside_character(text, range.end)) return say("inside a character");
        last = range;
        if (range.size() == 0) continue;
        std::size_t first = range.begin, final = range.end;
        if (is_space(next_character(text, first)) || is_space(previous_character(text, final)))
            return say("white space");
        if (covered > range.begin && !is_one_character(part(text, {range.begin, covered})))
            return say("shares more than a character");
        for (std::size_t at = covered; at < range.begin;)
            if (!is_space(next_character(text, at))) return say("a character before it belongs to none");
        covered = std::max(covered, range.end);
    }
    for (std::size_t at = covered; at < text.size() && !ranges.empty();)
        if (!is_space(next_character(text, at))) return "a character at the end belongs to no token";
    return "";
}

std::string without_mark(std::string token) {
    for (std::size_t at; (at = token.find(kWordBegin)) != std::string::npos;) token.replace(at, kWordBegin.size(), " ");
    Ranges trimmed{{0, token.size()}};
    trim_spaces(token, trimmed);
    return token.substr(trimmed[0].begin, trimmed[0].size());
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

// The ways from a text to tokens and back.
void try_text(const Model& model, const std::string& text) {
    const auto expect = [&](const std::string& found, std::string way) {
        if (found.empty()) return;
        CAPTURE(model.name);
        CAPTURE(text);
        FAIL_CHECK(way << ": " << found);
    };
    const TokenizedText direct = model.tokenizer->tokenize(text);
    expect(fault(text, direct.ranges, direct.tokens.size()), "tokenize");

    const Normalized normal = normalize(text);
    TokenizedText tokenized = model.tokenizer->tokenize(normal.text);
    expect(fault(normal.text, tokenized.ranges, tokenized.tokens.size()), "tokenize what is normal");
    for (const Range range : tokenized.ranges) {
        Range one[] = {range};
        normal.map.to_source(one);
        if (one[0] != normal.map.source(range)) expect("differ", "one range and all of them");
    }
    to_source(normal.map, text, tokenized.ranges);
    expect(fault(text, tokenized.ranges, tokenized.tokens.size()), "normalize and tokenize");
    if (is_ascii(text)) {
        for (std::size_t i = 0; i < tokenized.tokens.size(); ++i) {
            const std::string& token = tokenized.tokens[i];
            if (!token.starts_with("<0x") && without_mark(token) != part(text, tokenized.ranges[i]))
                expect(token, "the range is not the token");
        }
    }

    std::vector<std::string> tokens = direct.tokens;
    const DetokenizedText back = model.tokenizer->detokenize(tokens);
    expect(fault(back.text, back.ranges, tokens.size()), "detokenize");
    tokens.insert(tokens.begin() + std::ptrdiff_t(tokens.size() / 2), {"</s>", "\u2581unheard", "of\u2581it", "<unk>"});
    tokens.insert(tokens.begin(), "\u2581");
    const DetokenizedText odd = model.tokenizer->detokenize(tokens);
    expect(fault(odd.text, odd.ranges, tokens.size()), "detokenize what the model lacks");
}

TEST_CASE("tokens know their bytes of the text that was given") {
    const auto tokenizer = make_tokenizer({read_whole(kToy), read_whole(kToy)});
    const std::string text = "\ufeffba\u00adra!\u200e  bara!";
    const Normalized normal = normalize(text);
    TokenizedText tokenized = tokenizer->tokenize(normal.text);
    REQUIRE(tokenized.tokens == std::vector{"\u2581bara"s, "!"s, "\u2581bara"s, "!"s});
    CHECK(tokenized.ranges == Ranges{{0, 4}, {4, 5}, {7, 11}, {11, 12}});
    to_source(normal.map, text, tokenized.ranges);
    CHECK(tokenized.ranges == Ranges{{0, 9}, {9, 13}, {15, 19}, {19, 20}});
    CHECK(tokenizer->tokenize("bara\u203c").ranges == Ranges{{0, 4}, {4, 7}, {4, 7}});  // two ! in one
}

TEST_CASE("tokens know their bytes of the text they make") {
    const FileBytes file = with_more(kToy, byte_pieces());
    const auto tokenizer = make_tokenizer({file, file});
    const std::vector<std::string> tokens{"\u2581bara", "<0xE6>", "<0x97>", "<0xA5>",
                                          "</s>",       "!",      "\u2581", "\u2581new"};
    const DetokenizedText made = tokenizer->detokenize(tokens);
    CHECK(made.text == "bara日!  new");
    CHECK(made.ranges == Ranges{{0, 4}, {4, 7}, {4, 7}, {4, 7}, {7, 7}, {7, 8}, {9, 9}, {10, 13}});
    const TokenizedText bytes = tokenizer->tokenize("日!");
    CHECK(bytes.tokens == std::vector{"\u2581"s, "<0xE6>"s, "<0x97>"s, "<0xA5>"s, "!"s});
    CHECK(bytes.ranges == Ranges{{0, 0}, {0, 3}, {0, 3}, {0, 3}, {3, 4}});
}

TEST_CASE("what was dropped goes to a neighbour") {
    const auto covered = [](std::string_view text, Ranges ranges) {
        cover_dropped(text, ranges);
        return ranges;
    };
    CHECK(covered("a- b", {{0, 1}, {3, 4}}) == Ranges{{0, 2}, {3, 4}});
    CHECK(covered("a -b", {{0, 1}, {3, 4}}) == Ranges{{0, 1}, {2, 4}});
    CHECK(covered("a - b", {{0, 1}, {1, 1}, {4, 5}}) == Ranges{{0, 3}, {3, 3}, {4, 5}});
    CHECK(covered("- a -", {{2, 2}, {2, 3}, {3, 3}}) == Ranges{{0, 0}, {0, 5}, {5, 5}});
    CHECK(covered(" - ", {{0, 0}, {0, 0}}) == Ranges{{1, 2}, {2, 2}});
    CHECK(covered("-", {}).empty());
}

TEST_CASE("ranges are ordered, on characters, inside the text, and cover all that is not white space") {
    const auto lines = held_out_lines();
    REQUIRE(lines.size() > 2000);
    std::mt19937 random(5);
    for (const Model& model : models()) {
        for (const std::string& line : lines) {
            try_text(model, line);
            try_text(model, with_specials(line, random));
        }
        for (int i = 0; i < 2000; ++i) try_text(model, with_specials("", random));
    }
}

}  // namespace
}  // namespace dragoman::text::token_ranges_test
