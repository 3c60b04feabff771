// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "store/elsewhere/elsewhere.h"
#include "store/user.h"
#include "support/system.h"

namespace other_caches_test {

using namespace dragoman;
using store::Installed;
using Names = std::vector<std::string>;

namespace {

std::vector<Installed> all(void (*add)(std::vector<Installed>&)) {
    std::vector<Installed> models;
    add(models);
    return models;
}

void add_pair(const test::User& user, const std::string& pair, std::initializer_list<const char*> files) {
    for (const char* name : files) user.write(".cache/fxtranslate/models/" + pair + "/" + name, "12345");
}

void add_package(const test::User& user, const std::string& folder, const std::string& metadata) {
    user.write(folder + "/metadata.json", metadata);
    user.write(folder + "/model/model.bin", "weights");
    user.write(folder + "/sentencepiece.model", "pieces");
}

const std::string kPackages = ".local/share/argos-translate/packages/";

void add_student(const test::User& user, const std::string& folder, const std::string& info) {
    const std::string begin = ".config/translateLocally/" + folder + "/";
    user.write(begin + "model_info.json", info);
    user.write(begin + "config.intgemm8bitalpha.yml", "models: [model.bin]");
    user.write(begin + "model.bin", "weights");
}

}  // namespace

TEST_CASE("fxtranslate's models" * test::only_posix()) {
    test::User user;
    CHECK(all(store::add_fxtranslate).empty());
    add_pair(user, "de-en", {"model.deen.intgemm.alphas.bin", "vocab.deen.spm", "lex.50.50.deen.s2t.bin"});
    add_pair(user, "en-zh-Hans", {"model.enzh.bin", "srcvocab.enzh.spm", "trgvocab.enzh.spm"});
    add_pair(user, "en-fr", {"model.enfr.bin", ".vocab.enfr.spm.download"});
    add_pair(user, "en-it", {".model.enit.bin.partial", "vocab.enit.spm"});
    add_pair(user, "en-ja", {"model.enja.bin", "srcvocab.enja.spm"});
    add_pair(user, "nothing", {"model.x.bin", "vocab.spm"});
    user.write(".cache/fxtranslate/models/en-pt/model.enpt.bin", "");
    user.write(".cache/fxtranslate/models/en-pt/vocab.enpt.spm", "1");
    const auto models = all(store::add_fxtranslate);
    REQUIRE(test::names_of(models) == Names{"firefox:de-en", "firefox:en-zh-Hans"});
    CHECK(models[0].from == Names{"de"});
    CHECK(models[0].to == Names{"en"});
    CHECK(models[0].license == "MPL-2.0");
    CHECK(models[0].bytes == 15);
    CHECK(models[0].owner == "fxtranslate");
    CHECK(models[1].from == Names{"en"});
    CHECK(models[1].to == Names{"zh-Hans"});
    CHECK(store::path_of_model("firefox:de-en") == user.home() / ".cache/fxtranslate/models/de-en");
    user.set("XDG_CACHE_HOME", "/no/such/folder");
    CHECK(all(store::add_fxtranslate).empty());
}

TEST_CASE("Argos' packages") {
    test::User user;
    CHECK(all(store::add_argos).empty());
    add_package(user, kPackages + "translate-de_en-1_0",
                R"({"from_code": "de", "to_code": "en", "package_version": "1.0"})");
    add_package(user, kPackages + "translate-de_en-1_9",
                R"({"from_code": "de", "to_code": "en", "package_version": "1.9", "type": "translate"})");
    add_package(user, kPackages + "en_pb", R"({"from_code": "en", "to_code": "pb"})");
    add_package(user, kPackages + "sbd", R"({"from_code": "de", "to_code": "fr", "type": "sbd"})");
    add_package(user, kPackages + "hostile", R"({"from_code": "../..", "to_code": "fr"})");
    add_package(user, kPackages + "no_codes", R"({"from_code": ["de"], "to_code": 5})");
    add_package(user, kPackages + "broken", R"({"from_code": "de", )");
    user.write(kPackages + "unfinished/metadata.json", R"({"from_code": "de", "to_code": "it"})");
    user.write(kPackages + "file", "x");
    const auto models = all(store::add_argos);
    REQUIRE(test::names_of(models) == Names{"argos:de_en", "argos:en_pb"});
    CHECK(models[0].version == "1.9");
    CHECK(models[0].from == Names{"de"});
    CHECK(models[0].to == Names{"en"});
    CHECK(models[0].path == user.home() / kPackages / "translate-de_en-1_9");
    CHECK(models[0].license.empty());
    CHECK(models[0].owner == "argos");
    CHECK(store::path_of_model("argos:en_pb") == user.home() / kPackages / "en_pb");
}

TEST_CASE("Argos' packages lie where its variables say") {
    test::User user;
    const auto folder = [&](const char* name) { return text_of(user.home() / name); };
    add_package(user, kPackages + "x", R"({"from_code": "in", "to_code": "home"})");
    add_package(user, "xdg/argos-translate/packages/x", R"({"from_code": "in", "to_code": "xdg"})");
    add_package(user, "old/x", R"({"from_code": "in", "to_code": "old"})");
    add_package(user, "new/x", R"({"from_code": "in", "to_code": "new"})");
    add_package(user, "new/y", R"({"from_code": "in", "to_code": "both", "package_version": "first"})");
    add_package(user, "snap/snap_custom/packages/y",
                R"({"from_code": "in", "to_code": "both", "package_version": "second"})");
    add_package(user, "snap/snap_custom/content_snap_packages/a/y", R"({"from_code": "in", "to_code": "content"})");
    add_package(user, "snap_user/.local/share/argos-translate/packages/y", R"({"from_code": "in", "to_code": "snap"})");
    const auto names = [] { return test::names_of(all(store::add_argos)); };
    CHECK(names() == Names{"argos:in_home"});
    user.set("XDG_DATA_HOME", folder("xdg").c_str());
    CHECK(names() == Names{"argos:in_xdg"});
    user.set("ARGOS_TRANSLATE_PACKAGES_DIR", folder("old").c_str());
    CHECK(names() == Names{"argos:in_old"});
    user.set("ARGOS_PACKAGES_DIR", folder("new").c_str());
    CHECK(names() == Names{"argos:in_both", "argos:in_new"});
    user.set("SNAP", folder("snap").c_str());
    user.set("SNAP_USER_DATA", folder("snap_user").c_str());
    CHECK(names() == Names{"argos:in_both", "argos:in_content", "argos:in_new"});
    CHECK(all(store::add_argos)[0].version == "first");
    for (const char* name : {"ARGOS_PACKAGES_DIR", "ARGOS_TRANSLATE_PACKAGES_DIR", "XDG_DATA_HOME"})
        user.set(name, nullptr);
    CHECK(names() == Names{"argos:in_both", "argos:in_content", "argos:in_snap"});
}

TEST_CASE("translateLocally's models") {
    const test::User user;
    CHECK(all(store::add_translatelocally).empty());
    add_student(user, "deu-eng-tiny-1700000000",
                R"({"shortName": "deu-eng-tiny", "version": 1, "srcTags": {"de": "German"}, "trgTag": "en"})");
    add_student(user, "deu-eng-tiny-1600000000", R"({"shortName": "deu-eng-tiny", "version": 2, "type": "tiny",
        "srcTags": {"de": "German"}, "trgTag": "en", "repository": "OPUS"})");
    add_student(user, "extracting-AbCdEf", R"({"shortName": "fra-eng-tiny"})");
    add_student(user, "hostile", R"({"shortName": "../x"})");
    add_student(user, "unnamed", R"({"modelName": "x"})");
    add_student(user, "broken", "{");
    add_student(user, "bare", R"({"shortName": "bare", "version": "new", "srcTags": ["de"]})");
    user.write(".config/translateLocally/empty/model_info.json", R"({"shortName": "empty"})");
    user.write(".config/translateLocally/translateLocally.ini", "[General]");
    const auto models = all(store::add_translatelocally);
    REQUIRE(test::names_of(models) == Names{"translatelocally:bare", "translatelocally:deu-eng-tiny"});
    CHECK(models[0].from.empty());
    CHECK(models[0].version.empty());
    CHECK(models[1].version == "2");
    CHECK(models[1].from == Names{"de"});
    CHECK(models[1].to == Names{"en"});
    CHECK(models[1].architecture == "tiny");
    CHECK(models[1].publisher == "OPUS");
    CHECK(models[1].owner == "translatelocally");
    CHECK(models[1].path == user.home() / ".config/translateLocally/deu-eng-tiny-1600000000");
}

TEST_CASE("others' caches stay as they are, and may be read-only") {
    const test::User user;
    add_pair(user, "de-en", {"model.deen.bin", "vocab.deen.spm"});
    add_package(user, kPackages + "x", R"({"from_code": "de", "to_code": "en"})");
    add_student(user, "x", R"({"shortName": "x"})");
    namespace fs = std::filesystem;
    std::vector<fs::path> folders;
    for (const auto& entry : fs::recursive_directory_iterator(user.home()))
        if (entry.is_directory()) folders.push_back(entry.path());
    for (const fs::path& folder : folders) fs::permissions(folder, fs::perms::owner_write, fs::perm_options::remove);
    const std::string before = test::state_of(user.home());
    CHECK(store::installed().size() == 3);
    CHECK(test::state_of(user.home()) == before);
    for (const fs::path& folder : folders) fs::permissions(folder, fs::perms::owner_write, fs::perm_options::add);
}

}  // namespace other_caches_test
