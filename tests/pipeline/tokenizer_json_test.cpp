// SPDX-License-Identifier: Apache-2.0
// tokenizer.json files give the tokens that Hugging Face's tokenizers give.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "files/file_set.h"
#include "formats/byte_bpe_file.h"
#include "formats/post_processor.h"
#include "formats/sentencepiece_map.h"
#include "formats/sentencepiece_model.h"
#include "formats/tokenizer_json.h"
#include "formats/word_piece_file.h"
#include "support/refused.h"
#include "support/temp_dir.h"
#include "text/make_tokenizer.h"
#include "text/sentencepiece.h"
#include "text/vocabulary.h"

namespace tokenizer_json_test {

using namespace dragoman;
using nlohmann::json;

namespace {

const std::filesystem::path kFolder = DRAGOMAN_TEST_DATA "/tokenizers";

json read_json(const std::string& name) {
    std::ifstream file(kFolder / name);
    return json::parse(file);
}

FileBytes bytes(const std::string& content) {
    const auto owner = std::make_shared<const std::string>(content);
    return {.name = "tokenizer.json", .bytes = std::as_bytes(std::span(*owner)), .owner = owner};
}

void refused(Status status, std::initializer_list<const char*> parts, const json& file) {
    try {
        formats::read_tokenizer_json(bytes(file.dump()));
        FAIL("a tokenizer was read");
    } catch (const Error& error) {
        const std::string message = error.what();
        CAPTURE(message);
        CHECK(error.status() == status);
        for (const char* part : parts) CHECK_MESSAGE(message.find(part) != std::string::npos, part);
    }
}

TEST_CASE("Unigram and BPE with Metaspace give the same ids as the tokenizers library") {
    for (const std::string name : {"unigram", "words", "bytes", "bpe", "llama"}) {
        CAPTURE(name);
        const auto file = formats::read_tokenizer_json(bytes(read_json(name + ".json").dump()));
        const text::SentencePiece pieces(file.sentencepiece);
        const text::Vocabulary vocabulary(file.tokens, file.unk_token);
        CHECK(file.tokens.back() == "deu_Latn");
        CHECK(file.unk_token == "<unk>");
        const json recorded = read_json(name + ".recorded.json");
        CHECK(recorded.size() >= 200);
        for (const json& item : recorded) {
            const std::string text = item.at(0);
            CAPTURE(text);
            CHECK(vocabulary.ids(pieces.encode(text).tokens) == item.at(1).get<std::vector<uint32_t>>());
        }
    }
}

std::string to_base64(std::string bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (bytes.size() % 3) bytes += '\0';
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        uint32_t three = 0;
        for (std::size_t i = 0; i < 3; ++i) three = three << 8 | uint8_t(bytes[at + i]);
        for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[three >> shift & 63];
    }
    return text;
}

TEST_CASE("a model alone has the rules of a Precompiled normalizer as the tokenizers library applies them") {
    json file = read_json("unigram.json");
    // "a" becomes "x", "ab" becomes "yz": a map of SentencePiece
    file["normalizer"]["normalizers"][0]["precompiled_charsmap"] = to_base64(test::small_map().bytes());
    const auto read = formats::read_tokenizer_json(bytes(file.dump()));
    REQUIRE_FALSE(read.steps.used());
    std::string text;
    for (const std::string& token : text::SentencePiece(read.sentencepiece).encode("cab").tokens) text += token;
    CHECK(text == "\u2581cxb");
}

TEST_CASE("of equal pieces of a Unigram model the last one counts") {
    json file = read_json("unigram.json");
    json& vocabulary = file["model"]["vocab"];
    const std::string piece = vocabulary[20][0];
    vocabulary[10] = vocabulary[20];
    const auto read = formats::read_tokenizer_json(bytes(file.dump()));
    CHECK(read.tokens.at(10) == formats::unused_token(10));
    CHECK(read.tokens.at(20) == piece);
    CHECK_NOTHROW(text::SentencePiece(read.sentencepiece).encode("text"));
}

TEST_CASE("an empty piece is one that no text has") {
    json file = read_json("unigram.json");
    const uint32_t id = 20;
    file["model"]["vocab"][id] = {"", -1.0};
    const auto unigram = formats::read_tokenizer_json(bytes(file.dump()));
    CHECK(unigram.tokens.at(id) == formats::unused_token(id));
    CHECK_NOTHROW(text::SentencePiece(unigram.sentencepiece).encode("text"));
    json merges = read_json("bpe.json");
    const auto last = uint32_t(merges["model"]["vocab"].size());
    merges["model"]["vocab"][""] = last;
    for (json& token : merges["added_tokens"])
        if (token.at("id") >= last) token["id"] = token.at("id").get<uint32_t>() + 1;
    CHECK(formats::read_tokenizer_json(bytes(merges.dump())).tokens.at(last) == formats::unused_token(last));
}

// A tokenizer.json of steps.json, and the ids that Dragoman's tokenizer for it gives.
json described(const json& all, const json& rules, const json& item) {
    json file =
        json::parse(test::read_file(kFolder / ".." / all.at(item.at("model").get<std::string>()).get<std::string>()));
    const auto sequence = [&](json steps, const char* members) {
        for (json& step : steps)
            if (step.contains("precompiled_charsmap")) step["precompiled_charsmap"] = rules;
        return steps.empty() ? json() : json{{"type", "Sequence"}, {members, std::move(steps)}};
    };
    file["normalizer"] = sequence(item.at("normalizers"), "normalizers");
    file["pre_tokenizer"] = sequence(item.at("splits"), "pretokenizers");
    if (item.at("model") == "llama") file["decoder"] = {{"type", "Metaspace"}, {"replacement", "\u2581"}};
    for (const json& token : item.at("added")) file["added_tokens"].push_back(token);
    return file;
}

class AnyTokenizer {
public:
    explicit AnyTokenizer(const json& file) : text_(file.dump()) {
        const FileBytes named{.name = "tokenizer.json", .bytes = std::as_bytes(std::span(text_)), .owner = {}};
        text::TokenizerFiles files;
        std::string unknown;
        const json& decoder = file.at("decoder");
        if (formats::tokenizer_model_type(named) == "WordPiece") {
            auto read = formats::read_word_piece_json(named);
            files.word_piece = read.word_piece;
            take(std::move(read), files);
            unknown = files.word_piece.unk_token;
        } else if (decoder.at("type") == "ByteLevel") {
            auto read = formats::read_byte_bpe_json(named);
            files.byte_bpe = read.bpe;
            take(std::move(read), files);
            unknown = tokens_.front();
        } else {
            auto read = formats::read_tokenizer_json(named);
            files.source_sentencepiece = files.target_sentencepiece = read.sentencepiece;
            unknown = read.unk_token;
            take(std::move(read), files);
        }
        for (std::size_t id = 0; id < tokens_.size(); ++id)
            if (tokens_[id].empty()) tokens_[id] = fmt::format("<no token {}>", id);
        files.source_tokens = tokens_;
        uses_steps = files.steps.used();
        tokenizer = text::make_tokenizer(files);
        vocabulary.emplace(tokens_, unknown);
    }

    bool uses_steps = false;
    std::unique_ptr<const text::Tokenizer> tokenizer;
    std::optional<text::Vocabulary> vocabulary;

private:
    template <class File>
    void take(File read, text::TokenizerFiles& files) {
        tokens_ = std::move(read.tokens);
        files.steps = std::move(read.steps);
    }

    std::string text_;
    std::vector<std::string> tokens_;
};

// Ranges are in order, do not cut characters, and cover what is no white space.
void check_ranges(const std::string& text, const text::TokenizedText& found) {
    REQUIRE(found.tokens.size() == found.ranges.size());
    std::vector<bool> covered(text.size());
    text::Range last;
    for (const text::Range range : found.ranges) {
        CHECK(range.begin <= range.end);
        REQUIRE(range.end <= text.size());
        CHECK(last.begin <= range.begin);
        CHECK(last.end <= range.end);
        for (const std::size_t at : {range.begin, range.end})
            CHECK_FALSE((at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80));
        std::fill(covered.begin() + std::ptrdiff_t(range.begin), covered.begin() + std::ptrdiff_t(range.end), true);
        last = range;
    }
    for (std::size_t at = 0, next = 0; at < text.size() && !found.tokens.empty(); at = next) {
        const int32_t c = text::next_character(text, next);
        CHECK((covered[at] || text::is_space(c)));
    }
}

TEST_CASE("special tokens vanish from texts, other added tokens are found in them") {
    json file = read_json("unigram.json");
    const std::size_t size = file["model"]["vocab"].size();
    file["added_tokens"].push_back({{"id", size + 3}, {"content", "<2de>"}, {"special", false}});
    const auto tokens = formats::read_tokenizer_json(bytes(file.dump())).tokens;
    REQUIRE(tokens.size() == size + 4);
    const AnyTokenizer any(file);
    const auto found = any.tokenizer->tokenize("dog<2de>").tokens;
    CHECK(found.back() == "<2de>");
    const std::vector<std::string> special{"deu_Latn", "\u2581dog", tokens[size + 1], "</s>"};
    CHECK(any.tokenizer->detokenize(special).text == "dog");
}

TEST_CASE("normalizers, pre-tokenizers and added tokens do what the tokenizers library does") {
    const json all = read_json("steps.json");
    const json& texts = all.at("texts");
    REQUIRE(all.at("cases").size() > 90);
    std::size_t with_steps = 0, compared = 0;
    for (const json& item : all.at("cases")) {
        CAPTURE(item.at("model").get<std::string>());
        CAPTURE(item.at("normalizers").dump());
        CAPTURE(item.at("splits").dump());
        const AnyTokenizer any(described(all.at("models"), all.at("precompiled"), item));
        with_steps += any.uses_steps;
        REQUIRE(item.at("ids").size() == texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (item.at("ids")[i].is_null()) continue;
            const std::string text = texts[i];
            CAPTURE(text);
            const auto found = any.tokenizer->tokenize(text);
            CHECK(any.vocabulary->ids(found.tokens) == item.at("ids")[i].get<std::vector<uint32_t>>());
            check_ranges(text, found);
            ++compared;
        }
    }
    CHECK(with_steps > 80);
    CHECK(compared > 2900);
}

TEST_CASE("texts come back from tokens after steps") {
    json file = read_json("unigram.json");
    file["normalizer"] = {{"type", "Lowercase"}};
    file["added_tokens"].push_back({{"id", file["model"]["vocab"].size() + 1},
                                    {"content", "<2de>"},
                                    {"special", false}});
    const AnyTokenizer any(file);
    CHECK(any.uses_steps);
    const auto tokens = any.tokenizer->tokenize("DOG<2de> Cat").tokens;
    CHECK(std::ranges::find(tokens, "<2de>") != tokens.end());
    CHECK(any.tokenizer->detokenize(tokens).text == "dog<2de> cat");
    CHECK(any.tokenizer->score("DOG").value() == doctest::Approx(any.tokenizer->score("dog").value()));
    json level = json::parse(test::read_file(DRAGOMAN_TEST_DATA "/huggingface/bart/tokenizer.json"));
    level["normalizer"] = {{"type", "NFC"}};
    level["added_tokens"].push_back({{"id", level["model"]["vocab"].size()}, {"content", "<w>"}, {"special", false}});
    const AnyTokenizer bytes(level);
    CHECK(bytes.uses_steps);
    const auto found = bytes.tokenizer->tokenize("e\u0301 <w>a").tokens;
    CHECK(bytes.tokenizer->detokenize(found).text == "\u00e9 <w>a");
}

TEST_CASE("steps that are not known are refused by name") {
    const json unigram = read_json("unigram.json");
    const auto with = [&](const char* key, const json& step) {
        json file = unigram;
        file[key] = step;
        return file;
    };
    const auto pattern = [](const char* expression) {
        return json{{"type", "Split"}, {"pattern", {{"Regex", expression}}}, {"behavior", "Isolated"}};
    };
    refused(Status::unsupported, {"normalizer", "Odd"}, with("normalizer", {{"type", "Odd"}}));
    refused(Status::unsupported, {"pre_tokenizer", "UnicodeScripts"},
            with("pre_tokenizer", {{"type", "UnicodeScripts"}}));
    refused(Status::bad_model, {"normalizer: content", "none"},
            with("normalizer", {{"type", "Replace"}, {"pattern", {{"String", "x"}}}}));
    refused(Status::bad_model, {"pattern"},
            with("normalizer", {{"type", "Replace"}, {"pattern", {{"String", ""}}}, {"content", "x"}}));
    refused(Status::bad_model, {"behavior", "Sideways"},
            with("pre_tokenizer", {{"type", "Split"}, {"pattern", {{"String", "x"}}}, {"behavior", "Sideways"}}));
    refused(Status::bad_model, {"prepend_scheme", "last"},
            with("pre_tokenizer", {{"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "last"}}));
    refused(Status::unsupported, {"replacement", "_"},
            with("pre_tokenizer", {{"type", "Metaspace"}, {"replacement", "_"}}));
    const json spaces = {{"type", "Metaspace"}, {"replacement", "\u2581"}};
    for (const auto& [expression, what] :
         std::map<const char*, const char*>{{"(?~a)b", "a group that begins with ?~"},
                                            {"a(?i)b|c", "an option in the middle of a group"},
                                            {"(?x) a", "a group that begins with ?x"},
                                            {"(a)\\g<1>", "\\g"},
                                            {"(a)\\12", "\\1"},
                                            {"(?i:[\\P{Lu}])", "a negated class"},
                                            {"a{2}?", "a count of a count"},
                                            {"a{1,2}+", "a count of a count"},
                                            {"[a-\\d]", "a range that does not end with a character"},
                                            {"\\pL", "\\p"},
                                            {"\\p{Elvish}", "the property Elvish"},
                                            {"(?<=a*)b", "U_REGEX_LOOK_BEHIND_LIMIT"},
                                            {"a\\", "a backslash at the end"}}) {
        const json parts = {{"type", "Sequence"}, {"pretokenizers", {pattern(expression), spaces}}};
        test::check_refused(Status::unsupported, {"regular expression", expression, what},
                            [&] { AnyTokenizer(with("pre_tokenizer", parts)); });
    }
    for (const char* expression : {"(a", "a)", "*", "[a", "a{3,2}", "a**", "(a)\\2", "[z-a]", "[[a]"}) {
        CAPTURE(expression);
        const json parts = {{"type", "Sequence"}, {"pretokenizers", {pattern(expression), spaces}}};
        test::check_refused(Status::bad_model, {"regular expression", expression},
                            [&] { AnyTokenizer(with("pre_tokenizer", parts)); });
    }
}

TEST_CASE("an expression that takes too many steps with a text ends") {
    json file = read_json("unigram.json");
    const json part = {{"type", "Split"}, {"pattern", {{"Regex", "(?:a|a)*b"}}}, {"behavior", "Isolated"}};
    const json spaces = {{"type", "Metaspace"}, {"replacement", "\u2581"}};
    file["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", {part, spaces}}};
    const AnyTokenizer any(file);
    CHECK(!any.tokenizer->tokenize("aab").tokens.empty());
    test::check_refused(Status::unsupported, {"too many steps", "U_REGEX_TIME_OUT"},
                        [&] { any.tokenizer->tokenize(std::string(60, 'a')); });
}

TEST_CASE("what post-processors put around a text is read") {
    const auto read = [](const json& step) {
        const std::string text = json{{"post_processor", step}}.dump();
        return formats::read_text_template({.name = "t", .bytes = std::as_bytes(std::span(text)), .owner = {}});
    };
    const json a = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}, level = {{"type", "ByteLevel"}};
    const json cls = {{"SpecialToken", {{"id", "<c>"}}}}, sep = {{"SpecialToken", {{"id", "</s>"}}}};
    const json plain = {{"type", "TemplateProcessing"}, {"single", {cls, a, sep, sep}}};
    using Tokens = std::vector<std::string>;
    CHECK_FALSE(read(nullptr));
    CHECK_FALSE(read(level));
    CHECK(read(plain) == formats::TextTemplate{{"<c>"}, {"</s>", "</s>"}});
    json many = plain;
    many["special_tokens"] = {{"<c>", {{"id", "<c>"}, {"ids", {1, 2}}, {"tokens", {"<x>", "<y>"}}}}};
    CHECK(read(many)->before == Tokens{"<x>", "<y>"});
    const json pair = {{"sep", {"</s>", 2}}, {"cls", {"<s>", 0}}};
    for (const char* type : {"BertProcessing", "RobertaProcessing"}) {
        json step = pair;
        step["type"] = type;
        CHECK(read(step) == formats::TextTemplate{{"<s>"}, {"</s>"}});
        CHECK(read({{"type", "Sequence"}, {"processors", {level, step}}})->after == Tokens{"</s>"});
        test::check_refused(Status::unsupported, {"post_processor", type},
                            [&] { read({{"type", "Sequence"}, {"processors", {step, step}}}); });
    }
    test::check_refused(Status::unsupported, {"post_processor: type", "Odd"}, [&] { read({{"type", "Odd"}}); });
    test::check_refused(Status::bad_model, {"post_processor: cls", "none"},
                        [&] { read({{"type", "BertProcessing"}}); });
    test::check_refused(Status::unsupported, {"the text once"},
                        [&] { read({{"type", "TemplateProcessing"}, {"single", {cls}}}); });
}

TEST_CASE("what no SentencePiece model does is refused by name") {
    const json unigram = read_json("unigram.json"), bpe = read_json("bpe.json");
    const auto with = [](json file, const char* pointer, const json& value) {
        file[json::json_pointer(pointer)] = value;
        return file;
    };
    refused(Status::unsupported, {"pre_tokenizer", "Metaspace"}, with(bpe, "/pre_tokenizer", {{"type", "ByteLevel"}}));
    refused(Status::unsupported, {"pre_tokenizer", "Metaspace"}, with(unigram, "/pre_tokenizer", nullptr));
    refused(Status::unsupported, {"decoder", "WordPiece"}, with(unigram, "/decoder", {{"type", "WordPiece"}}));
    refused(Status::unsupported, {"model", "WordLevel"}, with(unigram, "/model/type", "WordLevel"));
    refused(Status::unsupported, {"fuse_unk"}, with(bpe, "/model/fuse_unk", false));
    refused(Status::unsupported, {"dropout", "0.1"}, with(bpe, "/model/dropout", 0.1));
    json merges = bpe;
    merges["model"]["merges"].erase(5);
    refused(Status::unsupported, {"merges", "SentencePiece merges otherwise"}, merges);
    merges = bpe;
    std::swap(merges["model"]["merges"][0], merges["model"]["merges"].back());
    merges["model"]["merges"].push_back(merges["model"]["merges"][0]);
    merges["model"]["merges"].push_back(merges["model"]["merges"][3]);
    refused(Status::unsupported, {"merges"}, merges);
}

TEST_CASE("old files leave out the type") {
    for (const char* name : {"unigram.json", "bpe.json"}) {
        CAPTURE(name);
        json old = read_json(name);
        old["model"].erase("type");
        const std::string bytes = old.dump(), whole = read_json(name).dump();
        const auto read = [](const std::string& text) {
            return formats::read_tokenizer_json({.name = "t", .bytes = std::as_bytes(std::span(text)), .owner = {}});
        };
        CHECK(read(bytes).tokens == read(whole).tokens);
        CHECK(read(bytes).sentencepiece.text() == read(whole).sentencepiece.text());
    }
}

TEST_CASE("BPE without added tokens: what no merge makes is special") {
    json old = read_json("bpe.json");
    old["added_tokens"] = json::array();
    old["model"].erase("type");
    auto& pieces = old["model"]["vocab"];
    const auto next = uint32_t(pieces.size());
    pieces["<extra_id_0>"] = next;
    const auto tokenizer = formats::read_tokenizer_json(bytes(old.dump()));
    CHECK(tokenizer.tokens[next] == "<extra_id_0>");
    const text::SentencePiece model(tokenizer.sentencepiece);
    const auto whole = formats::read_tokenizer_json(bytes(read_json("bpe.json").dump()));
    const text::SentencePiece other(whole.sentencepiece);
    for (const char* text : {"the river loves", "<extra_id_0> x"})
        CHECK(model.encode(text).tokens == other.encode(text).tokens);
    CHECK(model.decode(std::vector<std::string>{"<extra_id_0>"}).text.empty());
    pieces["nomerge"] = next + 1;
    refused(Status::unsupported, {"no merge makes", "nomerge"}, old);
}

TEST_CASE("added tokens are read without the vocabulary where they come first") {
    const auto read = [](const std::string& text) {
        return formats::added_tokens({.name = "t", .bytes = std::as_bytes(std::span(text)), .owner = {}});
    };
    const std::string list = R"([{"id": 3, "content": "a,]}\"b", "special": true}])";
    const std::string first = R"({"version": "1.0", "x": {"added_tokens": 7}, "added_tokens": )" + list;
    CHECK(read(first + R"(, "model": this is not read)").size() == 1);
    CHECK(read(first + "}").front().text == "a,]}\"b");
    CHECK(read(R"({"model": {"added_tokens": []}, "added_tokens": )" + list + "}").size() == 1);
    CHECK(read("{}").empty());
}

TEST_CASE("broken files are refused by the place") {
    const json unigram = read_json("unigram.json"), bpe = read_json("bpe.json");
    const auto with = [](json file, const char* pointer, const json& value) {
        file[json::json_pointer(pointer)] = value;
        return file;
    };
    refused(Status::bad_model, {"model", "an object"}, json::object());
    refused(Status::bad_model, {"unk_id", "none"}, with(unigram, "/model/unk_id", nullptr));
    refused(Status::bad_model, {"unk_id", "100000"}, with(unigram, "/model/unk_id", 100000));
    refused(Status::bad_model, {"vocab", "entry 3"}, with(unigram, "/model/vocab/3", {"a", "b"}));
    refused(Status::bad_model, {"vocab", "entry 3"}, with(unigram, "/model/vocab/3", {7, 1}));
    refused(Status::bad_model, {"precompiled_charsmap", "base64"},
            with(unigram, "/normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", "%%%%"}}));
    refused(Status::bad_model, {"added_tokens", "id"}, with(unigram, "/added_tokens/0/id", "x"));
    refused(Status::bad_model, {"added_tokens", "<unk>", "4000000"}, with(unigram, "/added_tokens/0/id", 4000000));
    refused(Status::bad_model, {"added_tokens: id 4"}, with(unigram, "/added_tokens/0/id", 4));
    refused(Status::bad_model, {"unk_token"}, with(bpe, "/model/unk_token", nullptr));
    refused(Status::bad_model, {"<nothing>"}, with(bpe, "/model/unk_token", "<nothing>"));
    refused(Status::bad_model, {"merges"}, with(bpe, "/model/merges", {"abc"}));
    refused(Status::bad_model, {"vocab"}, with(bpe, "/model/vocab", {{"a", 0}, {"b", 0}}));
    refused(Status::bad_model, {"pre_tokenizer", "type"}, with(unigram, "/pre_tokenizer", {{"kind", 1}}));
}

}  // namespace

}  // namespace tokenizer_json_test
