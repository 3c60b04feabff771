// SPDX-License-Identifier: Apache-2.0
#include "families/ctranslate2/ctranslate2.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "families/argos_package.h"
#include "families/families.h"

namespace dragoman::families::argos_test {
namespace {

using test::ArgosPackage;
using test::TempDir;
using Codes = std::vector<std::string>;

spec::ModelSpec load_zipped(const ArgosPackage& package) {
    const TempDir folder;
    return load(folder.write("en_es.argosmodel", package.zipped()));
}

spec::ModelSpec with_metadata(const std::string& json) {
    ArgosPackage package;
    package.files["metadata.json"] = json;
    return load_zipped(package);
}

void check_refused(Status status, std::string_view part, const ArgosPackage& package) {
    try {
        load_zipped(package);
    } catch (const Error& error) {
        CAPTURE(std::string(error.what()));
        CHECK(error.status() == status);
        CHECK(std::string_view(error.what()).find(part) != std::string_view::npos);
        return;
    }
    FAIL("nothing was thrown, expected: " << part);
}

TEST_CASE("packages load from the archive and from the folder they are installed to") {
    const ArgosPackage package;
    const TempDir folder;
    package.unpack(folder.path() / "en_es");
    const auto archive = folder.write("en_es.argosmodel", package.zipped());
    for (const auto& path : {folder.path() / "en_es", archive}) {
        const spec::ModelSpec spec = load(path);
        CHECK(spec.format == "argos");
        CHECK(spec.path == path);
        CHECK(spec.source_languages == Codes{"en"});
        CHECK(spec.target_languages == Codes{"es"});
        CHECK(spec.version == "1.9");
        CHECK(spec.license == "CC0");
        uint64_t bytes = 0;
        for (const auto& [name, content] : package.files) bytes += name.starts_with("stanza") ? 0 : content.size();
        CHECK(spec.file_bytes == (path == archive ? std::filesystem::file_size(archive) : bytes));
        CHECK(spec.search.beam_size == 4u);
        CHECK(spec.search.length_penalty == 0.2f);
        CHECK(spec.search.replace_unknowns);
        const auto& pieces = package.files.at("sentencepiece.model");
        CHECK(spec.source.sentencepiece.text() == pieces);
        CHECK(spec.target.sentencepiece.bytes.data() == spec.source.sentencepiece.bytes.data());
        const spec::ModelSpec model = load(DRAGOMAN_TEST_DATA "/toy-text");
        CHECK(spec.source.tokens == model.source.tokens);
        CHECK(spec.weights.tensors().size() == model.weights.tensors().size());
    }
}

TEST_CASE("languages may come in lists") {
    const spec::ModelSpec spec = with_metadata(R"({"source_languages": [{"code": "de"}, {"name": "x"}],
        "languages": [{"code": "fr", "name": "French"}], "to_code": null})");
    CHECK(spec.source_languages == Codes{"de", "fr"});
    CHECK(spec.target_languages == Codes{"fr"});
    CHECK(with_metadata("{}").source_languages.empty());
}

TEST_CASE("packages of other kinds are refused with the reason") {
    const auto metadata = [](const std::string& json) {
        ArgosPackage package;
        package.files["metadata.json"] = json;
        return package;
    };
    check_refused(Status::unsupported, "type: expected translate, file has sbd", metadata(R"({"type": "sbd"})"));
    check_refused(Status::unsupported, "target_prefix", metadata(R"({"target_prefix": ">>pt<<"})"));
    check_refused(Status::bad_model, "metadata.json: not valid JSON", metadata("{"));
    check_refused(Status::bad_model, "from_code: expected a string, file has 1", metadata(R"({"from_code": 1})"));
    check_refused(Status::bad_model, "languages: expected a list", metadata(R"({"languages": "en"})"));
    check_refused(Status::bad_model, "languages with a code", metadata(R"({"languages": ["en"]})"));
    ArgosPackage package;
    package.files["sentencepiece.model"] = "";
    check_refused(Status::bad_model, "en_es/sentencepiece.model: expected a SentencePiece model", package);
    package.files.erase("sentencepiece.model");
    check_refused(Status::io_error, "en_es/sentencepiece.model: no such file", package);
    package.files["bpe.model"] = "#version: 0.2\n";
    check_refused(Status::unsupported, "bpe.model: splits words by Moses' rules and BPE", package);
    ArgosPackage no_model;
    no_model.files.erase("model/model.bin");
    check_refused(Status::bad_model, "not a model", no_model);
}

}  // namespace
}  // namespace dragoman::families::argos_test
