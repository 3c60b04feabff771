// SPDX-License-Identifier: Apache-2.0
// Models in zip archives, and what the files beside the weights say of a model.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
#include "families/ct2_model.h"
#include "families/families.h"
#include "spec/model_card.h"
#include "support/temp_dir.h"
#include "support/zip_file.h"

namespace dragoman::families::archive_test {
namespace {

namespace fs = std::filesystem;
using test::TempDir;
using test::ZipFile;

fs::path zipped(const TempDir& folder, const fs::path& model, const std::string& inside, bool pack) {
    ZipFile zip;
    for (const auto& entry : fs::directory_iterator(model))
        zip.add(inside + entry.path().filename().string(), test::read_file(entry.path()), pack);
    return folder.write("model.zip", zip.bytes());
}

void check_same(const spec::ModelSpec& one, const spec::ModelSpec& other) {
    CHECK(one.format == other.format);
    CHECK(one.source.tokens == other.source.tokens);
    CHECK(one.target.tokens == other.target.tokens);
    CHECK(one.source.sentencepiece.text() == other.source.sentencepiece.text());
    CHECK(one.target.sentencepiece.text() == other.target.sentencepiece.text());
    CHECK(one.decoder_start_token == other.decoder_start_token);
    REQUIRE(one.weights.tensors().size() == other.weights.tensors().size());
    for (const auto& [name, tensor] : one.weights.tensors()) {
        INFO(name);
        const spec::HostTensor& twin = other.weights.get(name);
        CHECK(tensor.shape == twin.shape);
        CHECK(spec::equal_bytes(tensor, twin));
    }
}

TEST_CASE("models load from zip archives as from directories") {
    for (const char* name : {"/toy-text", "/huggingface/shared", "/huggingface/separate", "/random/marian"}) {
        INFO(std::string(name));
        const fs::path model = std::string(DRAGOMAN_TEST_DATA) + name;
        const spec::ModelSpec expected = load(model);
        for (const bool pack : {false, true}) {
            const TempDir folder;
            const fs::path path = zipped(folder, model, pack ? "some/folder/" : "", pack);
            const spec::ModelSpec spec = load(path);
            CHECK(spec.path == path);
            CHECK(spec.file_bytes == fs::file_size(path));
            check_same(spec, expected);
        }
    }
}

TEST_CASE("an archive without a model is refused, naming it") {
    const TempDir folder;
    const auto path = folder.write("other.zip", ZipFile().add("notes.txt", "hello").bytes());
    CHECK_THROWS_WITH_AS(load(path), doctest::Contains("other.zip: not a model"), Error);
}

TEST_CASE("a licence file's text, cut at 4 KiB, or what the readme names") {
    using Files = std::map<std::string, std::string>;
    const auto license = [](const Files& files) {
        const TempDir folder;
        for (const auto& [name, content] : files) folder.write(name, content);
        return spec::read_license(*FileSet::open(folder.path()));
    };
    CHECK(license({}) == "");
    CHECK(license({{"LICENSE", "Terms"}, {"README.md", "license: mit"}}) == "Terms");
    CHECK(license({{"Licence.txt", "Terms"}}) == "Terms");
    CHECK(license({{"LICENSES", "no"}, {"my_license", "no"}}) == "");
    CHECK(license({{"LICENSE", std::string(4095, 'x') + "\xc3\xa9"}}) == std::string(4095, 'x'));
    CHECK(license({{"README.md", "---\nlanguage: de\nlicense: cc-by-4.0\r\n---\nText"}}) == "cc-by-4.0");
    CHECK(license({{"README.md", "# Model\n## License\nlicence\n* Licence: CC0\n"}}) == "CC0");
    CHECK(license({{"README.md", "license: \"mit\"  \n"}}) == "mit");
    CHECK(license({{"README.md", "**License:** CC BY-SA 4.0\n"}}) == "CC BY-SA 4.0");
    CHECK(license({{"README.md", "license: ''\nLicense: other\n"}}) == "other");
    CHECK(license({{"README.md", "license:\n- mit"}}) == "");
}

TEST_CASE("target languages are those the source can be told") {
    const std::vector<std::string> tokens = {"a", ">>de<<", ">>zh_Hans<<", ">><<", ">>x", "y<<", ">>a<<b<<", "</s>"};
    CHECK(spec::languages_in(tokens) == std::vector<std::string>{"de", "zh_Hans"});
    test::Ct2Model model = test::Ct2Model::tiny();
    model.files["source_vocabulary.txt"] = "<unk>\n</s>\n>>fr<<\n>>es<<\nb\n";
    CHECK(model.load().target_languages == std::vector<std::string>{"fr", "es"});
    CHECK(model.load().source_languages.empty());
}

}  // namespace
}  // namespace dragoman::families::archive_test
