// SPDX-License-Identifier: Apache-2.0
#include "families/common/prompts.h"

#include <doctest/doctest.h>

#include "files/file_bytes.h"
#include "files/file_map.h"

namespace dragoman::families::prompts_test {
namespace {

using Tokens = std::vector<std::string>;

spec::ModelSpec marian(Tokens source) {
    spec::ModelSpec spec;
    spec.source.tokens = std::move(source);
    spec.add_source_eos = true;
    spec.decoder_start_token = "</s>";
    spec.search = spec::SearchDefaults::of(spec::SearchStyle::marian);
    return spec;
}

TEST_CASE("special tokens of a model become its prompt") {
    spec::ModelSpec spec;
    complete_prompts(spec);
    CHECK(spec.prompt() == spec::Prompt{.decoder_start = {}, .end = "</s>"});
    spec.prompts = {};
    spec.add_source_bos = true;
    spec.add_text_eos = true;
    spec.eos_token = "</t>";
    spec.decoder_start_token = "<s>";
    complete_prompts(spec);
    CHECK(spec.prompt() ==
          spec::Prompt{.source_before = {"<s>"}, .source_after = {"</t>"}, .decoder_start = "<s>", .end = "</t>"});
}

TEST_CASE("marks in the vocabulary are the target languages") {
    spec::ModelSpec spec = marian({"</s>", "<unk>", ">>deu<<", ">>cmn_Hant<<", "a"});
    spec.target_languages = {"mul"};
    complete_prompts(spec);
    REQUIRE(spec.languages().target.size() == 2);
    CHECK(spec.languages().target[1].tag.str() == "zh-Hant");
    CHECK(spec.prompt("", "de").source_before == Tokens{">>deu<<"});
    CHECK(spec.prompt("en", "zh-TW").source_before == Tokens{">>cmn_Hant<<"});
    CHECK(spec.prompt().source_before.empty());
    CHECK(spec.prompt("", "de").source_after == Tokens{"</s>"});

    spec::ModelSpec reversed = marian(spec.source.tokens);
    reversed.right_to_left = true;
    complete_prompts(reversed);
    CHECK(reversed.prompt("", "de").source_before.empty());
    CHECK(reversed.prompt("", "de").source_after == Tokens{">>deu<<", "</s>"});
}

TEST_CASE("marks that SentencePiece knows are words of the text, where Marian reads it") {
    using namespace std::string_literals;
    const FileBytes plain = read_whole(DRAGOMAN_TEST_DATA "/toy-text/source.spm");
    const std::string bytes = std::string(plain.text()) + "\n\x0f\n\x06>>de<<\x15\0\0\0\0\x18\x04"s;
    const FileBytes with_mark{.name = "codes.spm", .bytes = std::as_bytes(std::span(bytes)), .owner = {}};
    const auto prompt = [](const FileBytes& pieces, spec::SearchStyle style) {
        spec::ModelSpec spec = marian({"</s>", "<unk>", ">>de<<"});
        spec.source.sentencepiece = pieces;
        spec.search = spec::SearchDefaults::of(style);
        complete_prompts(spec);
        return spec.prompt("", "de");
    };
    CHECK(prompt(with_mark, spec::SearchStyle::marian).text_before == ">>de<< ");
    CHECK(prompt(with_mark, spec::SearchStyle::marian).source_before.empty());
    CHECK(prompt(with_mark, spec::SearchStyle::huggingface).source_before == Tokens{">>de<<"});
    CHECK(prompt(plain, spec::SearchStyle::marian).source_before == Tokens{">>de<<"});
}

TEST_CASE("what a family states stays") {
    spec::ModelSpec spec = marian({"</s>"});
    spec.prompts.pattern = {.source_before = {"{from}"}, .source_after = {"</s>"}, .target_begin = {"{to}"}};
    spec.prompts.languages = {{"eng_Latn", "deu_Latn"}, {"eng_Latn", "deu_Latn"}};
    complete_prompts(spec);
    CHECK(spec.prompt("en", "de").source_before == Tokens{"eng_Latn"});
    CHECK(spec.prompt("en", "de").target_begin == Tokens{"deu_Latn"});
}

}  // namespace
}  // namespace dragoman::families::prompts_test
