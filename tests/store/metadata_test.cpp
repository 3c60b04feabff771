// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "store/installed.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace metadata_test {

using namespace dragoman;
using store::Installed;

namespace {

Installed some_model(const std::filesystem::path& folder) {
    Installed model;
    model.name = "firefox:de-en";
    model.path = folder;
    model.from = {"de"};
    model.to = {"en"};
    model.license = "MPL-2.0";
    model.publisher = "Mozilla";
    model.version = "3.0";
    model.architecture = "tiny";
    model.quality = 0.875;
    model.metric = "comet22";
    model.bytes = 8;
    model.owner = "dragoman";
    model.installed_at = "2026-11-26T10:00:00Z";
    model.files = {
        {.name = "model.deen.bin",
         .bytes = 5,
         .sha256 = std::string(64, 'a'),
         .url = "https://host/m.zst",
         .proof = "published"},
        {.name = "sub/vocab.spm", .bytes = 3, .sha256 = std::string(64, 'b'), .url = "", .proof = "first use"}};
    model.first_use = {{.url = "https://host/v.zip", .sha256 = std::string(64, 'c')}};
    return model;
}

void check_refused_text(const test::TempDir& folder, const std::string& text, Status status,
                        std::initializer_list<const char*> parts) {
    folder.write(store::kMetadataFile, text);
    test::check_refused(status, parts, [&] { store::read_metadata(folder.path()); });
}

}  // namespace

TEST_CASE("metadata comes back as it was written") {
    const test::TempDir folder;
    const Installed model = some_model(folder.path());
    store::write_metadata(folder.path(), model);
    const Installed read = store::read_metadata(folder.path());
    CHECK(read.name == model.name);
    CHECK(read.path == model.path);
    CHECK(read.from == model.from);
    CHECK(read.to == model.to);
    CHECK(read.license == model.license);
    CHECK(read.publisher == model.publisher);
    CHECK(read.version == model.version);
    CHECK(read.architecture == model.architecture);
    CHECK(read.quality == model.quality);
    CHECK(read.metric == model.metric);
    CHECK(read.bytes == model.bytes);
    CHECK(read.own());
    CHECK(read.installed_at == model.installed_at);
    REQUIRE(read.files.size() == 2);
    CHECK(read.files[0].name == "model.deen.bin");
    CHECK(read.files[0].bytes == 5);
    CHECK(read.files[0].sha256 == model.files[0].sha256);
    CHECK(read.files[0].url == "https://host/m.zst");
    CHECK(read.files[0].proof == "published");
    CHECK(read.files[1].name == "sub/vocab.spm");
    CHECK(read.files[1].url.empty());
    REQUIRE(read.first_use.size() == 1);
    CHECK(read.first_use[0].url == "https://host/v.zip");
    CHECK(read.first_use[0].sha256 == model.first_use[0].sha256);
    const std::string first = test::read_file(folder.path() / store::kMetadataFile);
    store::write_metadata(folder.path(), read);
    CHECK(test::read_file(folder.path() / store::kMetadataFile) == first);
    CHECK(first.find("\"format\": 1") != first.npos);
    CHECK(first.find(text_of(folder.path())) == first.npos);  // a store may be moved
}

TEST_CASE("a model may be one file in its folder") {
    const test::TempDir folder;
    Installed model = some_model(folder.path());
    model.path = folder.path() / "models" / "model.gguf";
    store::write_metadata(folder.path(), model);
    CHECK(store::read_metadata(folder.path()).path == model.path);
    model.path = folder.path().parent_path() / "elsewhere.gguf";
    test::check_refused(Status::bad_model, {"load", "elsewhere.gguf"},
                        [&] { store::write_metadata(folder.path(), model); });
}

TEST_CASE("metadata of a newer format is refused by both numbers") {
    const test::TempDir folder;
    check_refused_text(folder, R"({"format": 2, "name": "firefox:de-en", "new": {}})", Status::unsupported,
                       {"dragoman-model.json", "format", "up to 1", "has 2", "newer"});
}

TEST_CASE("broken metadata is refused with the key") {
    const test::TempDir folder;
    test::check_refused(Status::io_error, {"dragoman-model.json"}, [&] { store::read_metadata(folder.path()); });
    check_refused_text(folder, "", Status::bad_model, {"JSON"});
    check_refused_text(folder, R"({"format": 1, "name": "fire)", Status::bad_model, {"JSON"});
    check_refused_text(folder, "[1]", Status::bad_model, {"object", "array"});
    check_refused_text(folder, R"({"name": "a:b"})", Status::bad_model, {"format", "none"});
    check_refused_text(folder, R"({"format": "1", "name": "a:b"})", Status::bad_model, {"format"});
    check_refused_text(folder, R"({"format": 0, "name": "a:b"})", Status::bad_model, {"format"});
    check_refused_text(folder, R"({"format": 1})", Status::bad_model, {"name", "none"});
    check_refused_text(folder, R"({"format": 1, "name": 5})", Status::bad_model, {"name", "number"});
    check_refused_text(folder, R"({"format": 1, "name": "ab:c", "from": "de"})", Status::bad_model, {"from", "list"});
    check_refused_text(folder, R"({"format": 1, "name": "ab:c", "from": [5]})", Status::bad_model, {"from", "number"});
    check_refused_text(folder, R"({"format": 1, "name": "ab:c", "bytes": -1})", Status::bad_model, {"bytes", "whole"});
    check_refused_text(folder, R"({"format": 1, "name": "ab:c", "files": [7]})", Status::bad_model,
                       {"files[0]", "object"});
    for (const char* name : {"", "../x", "/etc/passwd", "a/../../b", "a/./b", "a//b", "c:x", "a\\\\b", "..", "a/"}) {
        check_refused_text(folder, fmt::format(R"({{"format": 1, "name": "ab:c", "files": [{{"name": "{}"}}]}})", name),
                           Status::bad_model, {"files[0]: name", "folder"});
        if (*name)
            check_refused_text(folder, fmt::format(R"({{"format": 1, "name": "ab:c", "load": "{}"}})", name),
                               Status::bad_model, {"load", "folder"});
    }
    check_refused_text(folder, std::string(17 << 20, ' '), Status::bad_model, {"at most"});
}

TEST_CASE("metadata cut at any byte is no model") {
    const test::TempDir folder;
    store::write_metadata(folder.path(), some_model(folder.path()));
    const std::string whole = test::read_file(folder.path() / store::kMetadataFile);
    for (std::size_t size = 0; size + 2 < whole.size(); ++size) {  // the last two: a bracket and the end of its line
        folder.write(store::kMetadataFile, whole.substr(0, size));
        CHECK_THROWS_AS(store::read_metadata(folder.path()), Error);
    }
}

}  // namespace metadata_test
