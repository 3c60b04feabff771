// SPDX-License-Identifier: Apache-2.0
// Pieces and texts were recorded from SentencePiece's own Python package (tests/tools/make_text_model.py).
#include "text/sentencepiece.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "files/file_map.h"
#include "support/temp_dir.h"
#include "text/make_tokenizer.h"

namespace dragoman::text::sentencepiece_test {
namespace {

using Pieces = std::vector<std::string>;

const std::filesystem::path kFolder = DRAGOMAN_TEST_DATA "/toy-text";

FileBytes file(const char* name) { return read_whole(kFolder / name); }

nlohmann::json recorded_texts() {
    std::ifstream file(kFolder / "expected.json");
    return nlohmann::json::parse(file).at("texts");
}

std::string message(Status status, const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        CHECK(error.status() == status);
        return error.what();
    }
    FAIL("no error");
    return "";
}

TEST_CASE("pieces and texts are those of SentencePiece") {
    const SentencePiece source(file("source.spm")), target(file("target.spm"));
    const auto texts = recorded_texts();
    REQUIRE(texts.size() > 10);
    for (const auto& item : texts) {
        const auto text = item.at("text").get<std::string>();
        const Pieces pieces = item.at("pieces");
        CHECK(source.encode(text).tokens == pieces);
        CHECK(source.decode(pieces).text == text);
        CHECK(target.decode(item.at("translation_pieces").get<Pieces>()).text ==
              item.at("translation").get<std::string>());
    }
}

TEST_CASE("empty and odd texts") {
    const SentencePiece pieces(file("source.spm"));
    CHECK(pieces.encode("").tokens.empty());
    CHECK(pieces.decode({}).text.empty());
    CHECK(pieces.encode("   ").tokens.empty());
    const Pieces unknown = pieces.encode("\xe6\x97\xa5").tokens;  // not in the model: the stretch itself
    REQUIRE_FALSE(unknown.empty());
    CHECK(unknown.back() == "\xe6\x97\xa5");
    CHECK(pieces.decode(Pieces{"<s>", "</s>"}).text.empty());
    CHECK(pieces.decode(Pieces{"<unk>"}).text.find("\xe2\x81\x87") != std::string::npos);
    CHECK(pieces.decode(unknown).text == "\xe6\x97\xa5");
    CHECK(pieces.encode(std::string(20000, 'b')).tokens.size() > 100);
}

TEST_CASE("the model's normalisation is applied: full-width letters, combining accents, runs of spaces") {
    const SentencePiece pieces(file("source.spm"));
    const Pieces plain = pieces.encode("bara! k\xc3\xa9ra").tokens;
    CHECK(pieces.encode("\xef\xbd\x82\xef\xbd\x81\xef\xbd\x92\xef\xbd\x81\xef\xbc\x81  ke\xcc\x81ra ").tokens == plain);
}

TEST_CASE("text that is not UTF-8 is refused with the offset") {
    const SentencePiece pieces(file("source.spm"));
    const auto refusal = [&](const char* text) {
        return message(Status::invalid_argument, [&] { pieces.encode(text); });
    };
    CHECK(refusal("ab\xffz") == "text: expected UTF-8, byte 2 is 0xff");
    CHECK(refusal("\xed\xa0\x80") == "text: expected UTF-8, byte 0 is 0xed");
}

TEST_CASE("scores add up over words, and what has no piece is unlikely") {
    const SentencePiece pieces(file("source.spm"));
    const double one = pieces.score("the").value(), other = pieces.score("house").value();
    CHECK(one < 0.0);
    CHECK(pieces.score("the house").value() == doctest::Approx(one + other));
    CHECK(pieces.score("\xe6\x9d\xb1").value() <= -30.0);
    CHECK(pieces.score("").value() == 0.0);
    const SentencePiece ranked(read_whole(DRAGOMAN_TEST_DATA "/huggingface/m2m100/sentencepiece.bpe.model"));
    CHECK(!ranked.score("the").has_value());
}

TEST_CASE("what is no SentencePiece model is named") {
    for (const char* content : {"this is not a model", ""}) {
        const test::TempDir folder;
        const FileBytes bytes = read_whole(folder.write("broken.spm", content));
        CHECK(message(Status::bad_model, [&] { SentencePiece{bytes}; }).find("broken.spm") != std::string::npos);
    }
}

TEST_CASE("one model serves several threads") {
    const SentencePiece pieces(file("source.spm"));
    const auto texts = recorded_texts();
    std::vector<unsigned> wrong(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
        threads.emplace_back([&, t] {
            for (int round = 0; round < 20; ++round) {
                for (const auto& item : texts) {
                    const Pieces expected = item.at("pieces");
                    wrong[t] += pieces.encode(item.at("text").get<std::string>()).tokens != expected;
                    wrong[t] += pieces.decode(expected).text != item.at("text").get<std::string>();
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<unsigned>(4));
}

TEST_CASE("a tokenizer cuts with the source side and joins with the target side") {
    const auto tokenizer = make_tokenizer({file("source.spm"), file("target.spm")});
    REQUIRE(tokenizer);
    const auto item = recorded_texts().at(0);
    CHECK(tokenizer->tokenize(item.at("text").get<std::string>()).tokens == item.at("pieces").get<Pieces>());
    CHECK(tokenizer->detokenize(item.at("translation_pieces").get<Pieces>()).text ==
          item.at("translation").get<std::string>());
    CHECK(tokenizer->detokenize(Pieces{"\xe2\x96\x81new", "\xe2\x96\x81word"}).text == "new word");  // unknown pieces
    const auto shared = make_tokenizer({file("source.spm"), file("source.spm")});
    CHECK(shared->detokenize(item.at("pieces").get<Pieces>()).text == item.at("text").get<std::string>());
}

TEST_CASE("a language code is cut off, or a word of the text") {
    // A user-defined symbol more: in the file's format, what is appended to it is one piece more.
    using namespace std::string_literals;
    const std::string bytes = std::string(file("source.spm").text()) + "\n\x0f\n\x06>>de<<\x15\0\0\0\0\x18\x04"s;
    const FileBytes with_code{.name = "codes.spm", .bytes = std::as_bytes(std::span(bytes)), .owner = {}};
    const auto tokens = [](const FileBytes& source, bool in_text, const char* text) {
        return make_tokenizer({source, file("target.spm")}, {">>de<<"}, in_text)->tokenize(text).tokens;
    };
    const std::string text = recorded_texts().at(0).at("text");
    const Pieces pieces = recorded_texts().at(0).at("pieces");
    Pieces cut{">>de<<"}, word{"\xe2\x96\x81", ">>de<<"};
    cut.insert(cut.end(), pieces.begin(), pieces.end());
    word.insert(word.end(), pieces.begin(), pieces.end());
    for (const std::string& line : {">>de<<" + text, ">>de<< " + text}) {
        CHECK(tokens(with_code, false, line.c_str()) == cut);
        CHECK(tokens(file("source.spm"), true, line.c_str()) == cut);
        CHECK(tokens(with_code, true, line.c_str()) == word);
    }
    CHECK(tokens(with_code, true, text.c_str()) == pieces);
    using Ranges = std::vector<Range>;
    const auto ranges = [&](bool in_text, const char* line) {
        return make_tokenizer({with_code, file("target.spm")}, {">>de<<"}, in_text)->tokenize(line).ranges;
    };
    CHECK(ranges(false, ">>de<< bara!") == Ranges{{0, 6}, {7, 11}, {11, 12}});
    CHECK(ranges(true, ">>de<< bara!") == Ranges{{0, 0}, {0, 6}, {7, 11}, {11, 12}});
    CHECK(ranges(true, ">>de<<bara!") == Ranges{{0, 0}, {0, 6}, {6, 10}, {10, 11}});
}

TEST_CASE("without SentencePiece files on both sides there is no tokenizer") {
    CHECK(make_tokenizer({}) == nullptr);
    CHECK(make_tokenizer({file("source.spm"), {}}) == nullptr);
    CHECK(make_tokenizer({{}, file("target.spm")}) == nullptr);
}

}  // namespace
}  // namespace dragoman::text::sentencepiece_test
