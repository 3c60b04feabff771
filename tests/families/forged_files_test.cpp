// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "families/ct2_model.h"
#include "formats/sentencepiece_map.h"

namespace dragoman::families::forged_files_test {
namespace {

TEST_CASE("a model is not loaded with a forged file beside it") {
    test::Ct2Model model = test::Ct2Model::tiny();
    model.files["source.spm"] = test::small_map().model();
    CHECK_NOTHROW(model.load());
    test::SentencepieceMap map = test::small_map();
    map.lead(0, 1 << 20);
    model.files["target.spm"] = map.model();
    const Error error = model.error();
    CHECK(error.status() == Status::bad_model);
    CHECK(std::string(error.what()).find("target.spm: SentencePiece model: normalization rules: unit 0") !=
          std::string::npos);
}

}  // namespace
}  // namespace dragoman::families::forged_files_test
