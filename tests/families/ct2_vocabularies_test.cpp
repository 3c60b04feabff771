// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "families/ct2_model.h"

namespace dragoman::families::ct2_vocabularies_test {
namespace {

using test::Ct2Model;
using Lines = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("JSON goes before text, a shared vocabulary before two") {
    Ct2Model model = Ct2Model::tiny();
    model.files["source_vocabulary.json"] = R"(["1", "2", "3", "4"])";
    CHECK(model.load().source.tokens[0] == "1");
    model.set_floats("encoder/embeddings_0/weight", {6, 4});
    model.files["shared_vocabulary.txt"] = "a\nb\nc\nd\ne\n";
    const spec::ModelSpec spec = model.load();
    CHECK(spec.shared_vocabulary);
    CHECK(spec.source.tokens == Lines{"a", "b", "c", "d", "e", "<unk>"});
}

TEST_CASE("a vocabulary that has the unknown token gets no second one; repeated tokens stay") {
    Ct2Model model = Ct2Model::tiny();
    model.files["source_vocabulary.txt"] = "<unk>\n</s>\na\na\nb\n";
    CHECK(model.load().source.tokens == Lines{"<unk>", "</s>", "a", "a", "b"});
}

TEST_CASE("a vocabulary of another size than the embeddings is refused with both numbers") {
    Ct2Model model = Ct2Model::tiny();
    model.files["target_vocabulary.txt"] = "<s>\n</s>\nx\n";
    const Error error = model.error();
    CHECK(error.status() == Status::bad_model);
    CHECK(contains(error.what(), "decoder/embeddings/weight"));
    CHECK(contains(error.what(), "the 4 target tokens"));
    CHECK(contains(error.what(), "file has 6"));
    CHECK(contains(error.what(), "model.bin"));
    CHECK(contains(error.what(), "target_vocabulary.txt"));
}

TEST_CASE("several source features are unsupported") {
    Ct2Model model = Ct2Model::tiny();
    model.files["source_1_vocabulary.txt"] = model.files["source_vocabulary.txt"];
    CHECK(model.load().source.tokens.size() == 5);
    model.files["source_2_vocabulary.txt"] = "x\n";
    CHECK(model.error().status() == Status::unsupported);
}

}  // namespace
}  // namespace dragoman::families::ct2_vocabularies_test
