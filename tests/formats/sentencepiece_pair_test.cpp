// SPDX-License-Identifier: Apache-2.0
#include "formats/sentencepiece_pair.h"

#include <doctest/doctest.h>

#include <vector>

#include "formats/sentencepiece_model.h"
#include "formats/vocabulary_files.h"
#include "support/temp_dir.h"

namespace dragoman::formats::sentencepiece_pair_test {
namespace {

using test::TempDir;
using Strings = std::vector<std::string>;

std::string model_of(const Strings& pieces) {
    SentencePieceModel model;
    model.pieces.push_back({.text = "<unk>", .kind = SentencePieceModel::Kind::unknown});
    model.pieces.push_back({.text = "</s>", .kind = SentencePieceModel::Kind::control});
    for (const std::string& piece : pieces) model.pieces.push_back({.text = piece, .score = -1.0f});
    return std::string(sentencepiece_file(model, "x").text());
}

const Strings kEnglish{"the", "house", "a", "s"}, kArabic{"\xd8\xa2", "\xd8\xb2", "a", "s"};

// "SOURCE TARGET", or "" where nothing tells them apart.
std::string pair_in(const std::filesystem::path& folder, const KnownSides& sides = {}) {
    const auto pair = find_sentencepiece_pair(*FileSet::open(folder), sides);
    return pair ? pair->source + " " + pair->target : "";
}

struct Folder {
    TempDir parent{};
    std::filesystem::path path;

    explicit Folder(const char* name) : path(parent.path() / name) {
        std::filesystem::create_directory(path);
        write("en.model", model_of(kEnglish));
        write("ar.model", model_of(kArabic));
    }
    void write(const char* name, const std::string& content) const {
        parent.write((path.filename() / name).string(), content);
    }
};

TEST_CASE("the vocabularies say which is whose") {
    const Folder folder("x");
    const Strings english{"<unk>", "</s>", "the", "house", "a", "s"},
        arabic{"<unk>", "</s>", kArabic[0], kArabic[1], "s"};
    CHECK(pair_in(folder.path, {.source_tokens = english, .target_tokens = arabic}) == "en.model ar.model");
    CHECK(pair_in(folder.path, {.source_tokens = arabic, .target_tokens = english}) == "ar.model en.model");
    CHECK(pair_in(folder.path, {.source_tokens = english, .target_tokens = english}) == "");
    const Strings other{"q", "w"};  // another model's
    CHECK(pair_in(folder.path, {.source_tokens = other, .target_tokens = other}) == "");
}

TEST_CASE("so do the languages, and the folder's name") {
    const Folder folder("x"), named("opus-mt-en-ar"), turned("ar_en"), both("en-ar-en");
    const Strings english{"en"}, arabic{"ar"}, german{"de"};
    CHECK(pair_in(folder.path) == "");
    CHECK(pair_in(folder.path, {.source_languages = english, .target_languages = arabic}) == "en.model ar.model");
    CHECK(pair_in(folder.path, {.source_languages = arabic, .target_languages = english}) == "ar.model en.model");
    CHECK(pair_in(folder.path, {.target_languages = english}) == "ar.model en.model");
    CHECK(pair_in(folder.path, {.source_languages = german, .target_languages = arabic}) == "");
    CHECK(pair_in(named.path) == "en.model ar.model");
    CHECK(pair_in(turned.path) == "ar.model en.model");
    CHECK(pair_in(named.path, {.source_languages = arabic, .target_languages = english}) == "ar.model en.model");
    folder.write("fr.model", model_of(kEnglish));
    CHECK(pair_in(folder.path, {.source_languages = english, .target_languages = arabic}) == "");
}

TEST_CASE("a model's tokenizers are such a pair") {
    const Folder folder("x");
    spec::ModelSpec spec;
    spec.source.tokens = kArabic;
    spec.target.tokens = kEnglish;
    read_sentencepiece(*FileSet::open(folder.path), spec);
    CHECK(spec.source.sentencepiece.name.ends_with("ar.model"));
    CHECK(spec.target.sentencepiece.name.ends_with("en.model"));
    folder.write("target.spm", model_of(kEnglish));  // a name that says its side
    spec.source.sentencepiece = {};
    read_sentencepiece(*FileSet::open(folder.path), spec);
    CHECK(spec.target.sentencepiece.name.ends_with("target.spm"));
}

}  // namespace
}  // namespace dragoman::formats::sentencepiece_pair_test
