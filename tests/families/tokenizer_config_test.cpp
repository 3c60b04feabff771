// SPDX-License-Identifier: Apache-2.0
// What tokenizer_config.json, or config.json in its place, says about texts.
#include <doctest/doctest.h>

#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "families/model_copy.h"

namespace dragoman::families::tokenizer_config_test {
namespace {

using nlohmann::json;
using Copy = test::ModelCopy;

const char *const kTokenizer = "tokenizer_config.json", *const kConfig = "config.json";
const char* const kCleanUp = "clean_up_tokenization_spaces";
const char* const kEvenBpe = "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output";

TEST_CASE("blanks before punctuation go where the file says so, and version 5 of transformers does it") {
    for (const auto& [name, cleans] : {std::pair("shared", true),
                                       {"separate", true},
                                       {"m2m100", true},
                                       {"nllb", false},
                                       {"mbart25", true},
                                       {"mbart50", true},
                                       {"bart", false},
                                       {"gpt2", false},
                                       {"opt", false},
                                       {"xglm", true}}) {
        CAPTURE(name);
        Copy model(name);
        CHECK_FALSE(model.load().clean_up_spaces);
        CHECK_FALSE(model.set(kTokenizer, kCleanUp, false).load().clean_up_spaces);
        CHECK(model.set(kTokenizer, kCleanUp, true).load().clean_up_spaces == cleans);
        CHECK(model.set(kTokenizer, kEvenBpe, true).load().clean_up_spaces);
        model.set(kTokenizer, kCleanUp, "yes").check_refused(Status::bad_model, {kTokenizer, kCleanUp, "\"yes\""});
        model.remove(kTokenizer);
        CHECK_FALSE(model.load().clean_up_spaces);
    }
}

TEST_CASE("T5's tokenizers clean up, unless tokenizer.json has BPE") {
    for (const char* name : {"t5", "mt5", "byt5"}) {
        CAPTURE(name);
        Copy model("../t5/" + std::string(name));
        CHECK_FALSE(model.load().clean_up_spaces);
        CHECK(model.set(kTokenizer, kCleanUp, true).load().clean_up_spaces);
    }
}

TEST_CASE("a GGUF file keeps whether texts are cleaned up") {
    for (const bool cleans : {false, true}) {
        Copy model("m2m100");
        const spec::ModelSpec spec = model.set(kTokenizer, kCleanUp, cleans).load();
        const test::TempDir folder;
        write_gguf(spec, folder.path() / "m.gguf", {});
        CHECK(families::load(folder.path() / "m.gguf").clean_up_spaces == cleans);
    }
}

TEST_CASE("the tokenizer's class may stand in config.json") {
    Copy bytes("../t5/byt5");
    bytes.remove(kTokenizer).check_refused(Status::bad_model, {"expected spiece.model or tokenizer.json"});
    CHECK(bytes.set(kConfig, "tokenizer_class", "ByT5Tokenizer").load().family == "ByT5");
    Copy small("m2m100");
    CHECK(small.set(kConfig, "tokenizer_class", "SMALL100Tokenizer").load().family == "M2M-100");  // the other file's
    json tokenizer = small.read(kTokenizer);
    tokenizer.erase("tokenizer_class");
    small.folder.write(kTokenizer, tokenizer.dump());
    CHECK(small.load().family == "SMaLL-100");
    small.set(kConfig, "tokenizer_class", 1).check_refused(Status::bad_model, {kConfig, "tokenizer_class", "a string"});
}

TEST_CASE("add_prefix_space counts beside tokenizer.json alone") {
    Copy model("bart");
    model.remove("vocab.json").remove("merges.txt");
    CHECK_FALSE(model.load().byte_bpe.space_before);
    CHECK(model.set(kTokenizer, "add_prefix_space", true).load().byte_bpe.space_before);
    json file = model.read("tokenizer.json");
    file["pre_tokenizer"]["add_prefix_space"] = true;
    model.folder.write("tokenizer.json", file.dump());
    CHECK_FALSE(model.set(kTokenizer, "add_prefix_space", false).load().byte_bpe.space_before);
    CHECK(model.set(kTokenizer, "add_prefix_space", nullptr).load().byte_bpe.space_before);
    // Among other steps, which a GGUF file keeps as they count.
    file["pre_tokenizer"] = {{"type", "Sequence"},
                             {"pretokenizers",
                              {{{"type", "Digits"}, {"individual_digits", true}},
                               {{"type", "ByteLevel"}, {"add_prefix_space", false}}}}};
    model.folder.write("tokenizer.json", file.dump());
    const auto space_before = [](const spec::ModelSpec& spec) {
        return std::get<spec::SplitByteLevel>(spec.tokenizer_steps.splits.back()).space_before;
    };
    CHECK_FALSE(space_before(model.load()));
    const spec::ModelSpec spec = model.set(kTokenizer, "add_prefix_space", true).load();
    CHECK(space_before(spec));
    const test::TempDir folder;
    write_gguf(spec, folder.path() / "m.gguf", {});
    CHECK(space_before(families::load(folder.path() / "m.gguf")));
}

}  // namespace
}  // namespace dragoman::families::tokenizer_config_test
