// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <thread>

#include "download/fault_server.h"
#include "formats/gguf_output.h"
#include "registry/install.h"
#include "store/model_name.h"
#include "store/places.h"
#include "support/refused.h"
#include "support/zip_file.h"

namespace install_test {
using namespace dragoman;
using namespace dragoman::test;
using registry::Packing;

// A store, a cache and a server of their own.
struct Store {
    TempDir folder;
    Path served = folder.path() / "served";
    FaultServer server;

    Store() : server((std::filesystem::create_directory(folder.path() / "served"), served)) {
        set_environment("DRAGOMAN_MODELS_DIR", std::string(folder.path() / "models").c_str());
        set_environment("XDG_CACHE_HOME", std::string(folder.path() / "cache").c_str());
    }
    ~Store() {
        set_environment("DRAGOMAN_MODELS_DIR", nullptr);
        set_environment("XDG_CACHE_HOME", nullptr);
    }

    Path models() const { return folder.path() / "models" / "firefox"; }
    Path target() const { return models() / "de-en"; }

    registry::RemoteFile file(const std::string& name, const std::string& content, Packing packing = Packing::none,
                              const std::string& query = "") const {
        const std::string sent = std::to_string(++files_) + "-" + std::filesystem::path(name).filename().string();
        folder.write("served/" + sent, content);
        registry::RemoteFile file;
        file.url = server.url("/file/" + sent + query);
        file.name = name;
        file.packing = packing;
        file.bytes = content.size();
        file.sha256 = sha256_of(content);
        return file;
    }

    registry::Entry entry(std::vector<registry::RemoteFile> files, const std::string& version = "1.0") const {
        registry::Entry entry;
        entry.registry = "firefox";
        entry.model = "de-en";
        entry.from = {"de"};
        entry.to = {"en"};
        entry.license = "MPL-2.0";
        entry.version = version;
        entry.files = std::move(files);
        return entry;
    }

    store::Installed install(const registry::Entry& entry, bool again = false) const {
        registry::InstallOptions options;
        options.again = again;
        options.transfer = soon_again();
        return registry::install(entry, options);
    }

    // Files in a folder that belong to no whole model.
    std::vector<std::string> left_over() const {
        std::vector<std::string> names;
        for (const auto& at : std::filesystem::recursive_directory_iterator(folder.path())) {
            const std::string name = at.path().string();
            const bool whole = name.starts_with(target().string() + "/") || name.starts_with(served.string());
            if (at.is_regular_file() && !whole && !name.ends_with(".lock")) names.push_back(name);
        }
        return names;
    }

private:
    mutable int files_ = 0;
};

const store::StoredFile& stored(const store::Installed& model, const std::string& name) {
    for (const auto& file : model.files)
        if (file.name == name) return file;
    throw std::runtime_error("no file " + name);
}

TEST_CASE("files as they are, packed ones and an archive become a model") {
    const Store store;
    auto packed = store.file("vocab.spm.gz", gzipped("vocabulary"), Packing::file);
    packed.unpacked_bytes = 10;
    packed.unpacked_sha256 = sha256_of("vocabulary");
    auto unproved = store.file("sub/lex.bin", "lexicon");
    unproved.sha256.clear();
    unproved.bytes = 0;
    const auto archive = store.file("more.zip", ZipFile().add("root/a.txt", "A").add("root/b/c.txt", "C", true).bytes(),
                                    Packing::archive);
    const auto model = store.install(store.entry({store.file("model.bin", "weights"), packed, unproved, archive}));
    CHECK(model.name == "firefox:de-en");
    CHECK(model.path == store.target());
    CHECK(model.own());
    CHECK(model.bytes == 7 + 10 + 7 + 2);
    REQUIRE(model.files.size() == 5);
    CHECK(stored(model, "model.bin").proof == "published");
    CHECK(stored(model, "model.bin").sha256 == sha256_of("weights"));
    CHECK(stored(model, "vocab.spm").sha256 == sha256_of("vocabulary"));
    CHECK(stored(model, "vocab.spm").proof == "published");
    CHECK(stored(model, "sub/lex.bin").proof == "first use");
    CHECK(stored(model, "sub/lex.bin").sha256 == sha256_of("lexicon"));
    CHECK(stored(model, "b/c.txt").url.empty());
    CHECK(read_file(store.target() / "sub/lex.bin") == "lexicon");
    CHECK(read_file(store.target() / "vocab.spm") == "vocabulary");
    CHECK(read_file(store.target() / "b/c.txt") == "C");
    CHECK(store.left_over().empty());

    const auto found = store::find_installed("firefox:de-en");
    REQUIRE(found);
    CHECK(found->license == "MPL-2.0");
    CHECK(found->version == "1.0");
    CHECK(found->files.size() == 5);
    CHECK(found->path == store.target());
    for (const auto& file : registry::verify(*found, {})) CHECK(file.problem.empty());
}

TEST_CASE("nothing of a bad archive stays") {
    const Store store;
    const std::string archive = ZipFile().add("root/a.txt", "A").add("../b.txt", "B").bytes();
    const auto entry = store.entry({store.file("more.zip", archive, Packing::archive)});
    check_refused(Status::bad_model, {"b.txt"}, [&] { store.install(entry); });
    CHECK(store.left_over().empty());
}

TEST_CASE("a version that is there is not brought again, unless that is asked for or a file is missing") {
    const Store store;
    const auto entry = store.entry({store.file("model.bin", "weights", Packing::none, "?id=once")});
    const auto asked = [&] { return store.server.log_of("id=once").size(); };
    store.install(entry);
    CHECK(store.install(entry).version == "1.0");
    CHECK(asked() == 1);
    store.install(entry, true);
    CHECK(asked() == 2);
    std::filesystem::resize_file(store.target() / "model.bin", 3);
    store.install(entry);
    CHECK(asked() == 3);
    std::filesystem::remove(store.target() / "dragoman-model.json");
    store.install(entry);
    CHECK(asked() == 4);
    CHECK(read_file(store.target() / "model.bin") == "weights");
    // The same version with other bytes, by the registry's hash.
    store.install(store.entry({store.file("model.bin", "others")}));
    CHECK(read_file(store.target() / "model.bin") == "others");
}

TEST_CASE("what has no published hash has to come again as it came first") {
    const Store store;
    const std::string url = "/file/packed.zip";
    const auto write = [&](const char* content) {
        store.folder.write("served/packed.zip", ZipFile().add("root/a.txt", content).bytes());
    };
    auto archive = store.file("packed.zip", "", Packing::archive);
    archive.url = store.server.url(url);
    archive.bytes = 0;
    archive.sha256.clear();
    write("first");
    const auto first = store.install(store.entry({archive}));
    REQUIRE(first.first_use.size() == 1);
    store.install(store.entry({archive}), true);  // the same bytes

    write("other");
    const auto refused = [&] {
        check_refused(Status::io_error,
                      {first.first_use[0].sha256.c_str(), "as it first came on 20", "models remove firefox:de-en"},
                      [&] { store.install(store.entry({archive}), true); });
        CHECK(read_file(store.target() / "a.txt") == "first");
    };
    refused();
    refused();  // nothing of what came is taken for a part of it
    CHECK(store.install(store.entry({archive}, "1.1")).first_use[0].sha256 != first.first_use[0].sha256);
    CHECK(read_file(store.target() / "a.txt") == "other");
    write("third");
    registry::remove(*store::find_installed("firefox:de-en"));
    store.install(store.entry({archive}, "1.1"));
    CHECK(read_file(store.target() / "a.txt") == "third");
}

TEST_CASE("languages that the registry does not say are read from the files of a hub") {
    const Store store;
    const auto languages_of = [&](const std::string& settings, const std::string& card) {
        auto entry = store.entry({store.file("config.json", R"({"model_type": "marian"})"),
                                  store.file("tokenizer_config.json", settings), store.file("README.md", card)});
        entry.from.clear();
        entry.to.clear();
        entry.version = sha256_of(settings + card);
        const auto model = store.install(entry);
        const auto kept = store::find_installed("firefox:de-en");
        REQUIRE(kept);
        CHECK(kept->from == model.from);
        return fmt::format("{} {}", fmt::join(kept->from, ","), fmt::join(kept->to, ","));
    };
    CHECK(languages_of(R"({"source_lang": "eng", "target_lang": "por"})", "") == "en pt");
    CHECK(languages_of("{}", "---\nlanguage: [multilingual, deu_Latn, en, pb, zh_Hant]\n---\n") ==
          "de,en,pt-BR,zh-Hant de,en,pt-BR,zh-Hant");
    CHECK(languages_of("{}", "---\nlanguage: [de, en]\n---\n") == " ");
}

TEST_CASE("the old version stays until the new one is whole") {
    const Store store;
    store.install(store.entry({store.file("model.bin", "first"), store.file("extra", "x")}));
    auto wrong = store.file("model.bin", "second");
    wrong.sha256 = sha256_of("another");
    check_refused(Status::io_error, {"expected SHA-256", wrong.sha256.c_str()},
                  [&] { store.install(store.entry({wrong}, "2.0")); });
    CHECK(store::find_installed("firefox:de-en")->version == "1.0");
    CHECK(read_file(store.target() / "model.bin") == "first");
    store.install(store.entry({store.file("model.bin", "second")}, "2.0"));
    CHECK(store::find_installed("firefox:de-en")->version == "2.0");
    CHECK(read_file(store.target() / "model.bin") == "second");
    CHECK_FALSE(std::filesystem::exists(store.target() / "extra"));
    CHECK(store.left_over().empty());
}

TEST_CASE("what is wrong when unpacked is brought anew") {
    const Store store;
    auto packed = store.file("vocab.spm.gz", gzipped("vocabulary"), Packing::file, "?id=packed");
    packed.unpacked_sha256 = sha256_of("another");
    check_refused(Status::bad_model, {"vocab.spm.gz", "when unpacked", packed.unpacked_sha256.c_str()},
                  [&] { store.install(store.entry({packed})); });
    packed.unpacked_sha256 = sha256_of("vocabulary");
    packed.unpacked_bytes = 11;
    check_refused(Status::bad_model, {"expected 11 bytes when unpacked, it has 10"},
                  [&] { store.install(store.entry({packed})); });
    packed.unpacked_bytes = 9;
    check_refused(Status::bad_model, {"at most 9 bytes"}, [&] { store.install(store.entry({packed})); });
    CHECK(store.server.log_of("id=packed").size() == 3);
    CHECK_FALSE(std::filesystem::exists(store.target()));

    const std::string whole = gzipped(std::string(100'000, 'x'));
    const auto cut = store.file("cut.gz", whole.substr(0, whole.size() - 5), Packing::file);
    check_refused(Status::bad_model, {"cut off"}, [&] { store.install(store.entry({cut})); });
    const auto evil = store.file("evil.zip", ZipFile().add("../../outside", "x").bytes(), Packing::archive);
    check_refused(Status::bad_model, {"leads out"}, [&] { store.install(store.entry({evil})); });
    const auto masks = store.file("masks.zip", ZipFile().add("dragoman-model.json", "{}").bytes(), Packing::archive);
    check_refused(Status::bad_model, {"would replace another file"}, [&] { store.install(store.entry({masks})); });
    CHECK(store::installed().empty());
    packed.unpacked_bytes = 10;
    store.install(store.entry({packed}));
    CHECK(store.left_over().empty());
}

TEST_CASE("names of files that lead out, repeat, or are the metadata's") {
    const Store store;
    for (const char* name : {"../x", "/x", "a/../x", "a\\b", ""}) {
        CAPTURE(name);
        auto file = store.file("x", "x");
        file.name = name;
        check_refused(Status::bad_model, {"firefox:de-en"}, [&] { store.install(store.entry({file})); });
    }
    check_refused(Status::bad_model, {"two files"},
                  [&] { store.install(store.entry({store.file("a", "x"), store.file("A", "x")})); });
    check_refused(Status::bad_model, {"Dragoman-Model.json"},
                  [&] { store.install(store.entry({store.file("Dragoman-Model.json", "x")})); });
    check_refused(Status::invalid_argument, {"there are none"}, [&] { store.install(store.entry({})); });
}

TEST_CASE("what was transferred before is gone on with") {
    const Store store;
    const std::string content(200'000, 'w');
    const auto first = store.file("model.bin", content, Packing::none, "?id=first");
    auto second = store.file("vocab.bin", "vocabulary", Packing::none, "?id=second&times=1&status=404");
    const auto entry = store.entry({first, second});
    registry::InstallOptions options;
    options.transfer = soon_again();
    options.parallel = 1;
    check_refused(Status::io_error, {"404"}, [&] { registry::install(entry, options); });
    CHECK_FALSE(std::filesystem::exists(store.target()));
    registry::install(entry, options);
    CHECK(store.server.log_of("id=first").size() == 1);
    CHECK(read_file(store.target() / "model.bin") == content);
    CHECK(store.left_over().empty());
}

TEST_CASE("two threads, one download") {
    const Store store;
    const auto entry =
        store.entry({store.file("model.bin", std::string(300'000, 'x'), Packing::none, "?slow=600000&id=both")});
    std::atomic<int> waited = 0, installed = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            registry::InstallOptions options;
            options.progress = [&](const download::Progress& progress) {
                waited += progress.note.find("waits for another process") != std::string::npos;
                return true;
            };
            installed += registry::install(entry, options).version == "1.0";
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(installed == 3);
    CHECK(waited == 2);
    CHECK(store.server.log_of("id=both").size() == 1);
}

TEST_CASE("stopped while another one has the lock, and while it comes") {
    const Store store;
    const auto entry = store.entry({store.file("model.bin", std::string(300'000, 'x'), Packing::none, "?slow=300000")});
    registry::InstallOptions options;
    int calls = 0;
    options.progress = [&](const download::Progress& progress) {
        registry::InstallOptions other;
        other.progress = [](const download::Progress&) { return false; };
        if (++calls == 2)
            check_refused(Status::cancelled, {"another process"}, [&] { registry::install(entry, other); });
        return calls < 4 || progress.done_bytes == 0;
    };
    check_refused(Status::cancelled, {"goes on"}, [&] { registry::install(entry, options); });
    CHECK(store::installed().empty());
    CHECK(store.install(entry).bytes == 300'000);
}

TEST_CASE("what killed processes left goes with the next call") {
    const Store store;
    const auto entry = store.entry({store.file("model.bin", "weights")});
    store.install(entry);
    std::filesystem::create_directories(store.models() / ".new-de-en" / "sub");
    store.folder.write("models/firefox/.new-de-en/sub/half", "x");
    store.install(entry);
    CHECK(store.left_over().empty());
    // Between the two renames of a file system that cannot exchange folders.
    std::filesystem::rename(store.target(), store.models() / ".old-de-en");
    store.install(entry);
    CHECK(store.server.log_of("model.bin").size() == 1);
    CHECK(store.left_over().empty());

    std::filesystem::rename(store.target(), store.models() / ".old-de-en");
    std::filesystem::create_directories(store.models() / ".new-other");
    store.folder.write("models/firefox/.new-other/half", "12345");
    CHECK(registry::remove_leftovers(30) >= 5);
    CHECK(store::find_installed("firefox:de-en"));
    CHECK(store.left_over().empty());
}

TEST_CASE("partial files go when they are old") {
    const Store store;
    const Path partial = Path(store::partial_folder()) / "firefox" / "de-en" / "files";
    std::filesystem::create_directories(partial);
    std::ofstream(partial / "model.bin") << "12345";
    CHECK(registry::remove_leftovers(1) == 0);
    const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(48);
    for (const Path& path : {Path(partial / "model.bin"), partial, Path(partial.parent_path())})
        std::filesystem::last_write_time(path, long_ago);
    CHECK(registry::remove_leftovers(1) == 5);
    CHECK_FALSE(std::filesystem::exists(partial.parent_path()));
}

TEST_CASE("verifying finds what changed") {
    const Store store;
    const auto model = store.install(store.entry({store.file("a", "right"), store.file("b", "right"),
                                                  store.file("c", "right"), store.file("d", "right")}));
    std::ofstream(store.target() / "b", std::ios::binary) << "wrong";
    std::ofstream(store.target() / "c", std::ios::binary) << "wro";
    std::filesystem::remove(store.target() / "d");
    const auto verified = registry::verify(model, {});
    REQUIRE(verified.size() == 4);
    CHECK(verified[0].problem.empty());
    CHECK(verified[1].problem == "SHA-256 " + sha256_of("wrong") + ", expected " + sha256_of("right"));
    CHECK(verified[2].problem == "3 bytes, expected 5");
    CHECK(verified[3].problem == "missing");
    store::Installed other = model;
    other.owner = "argos";
    check_refused(Status::invalid_argument, {"argos", "only reads it"}, [&] { registry::verify(other, {}); });
    check_refused(Status::invalid_argument, {"argos"}, [&] { registry::remove(other); });
    registry::remove(model);
    CHECK_FALSE(std::filesystem::exists(store.target()));
    CHECK(store.left_over().empty());
    check_refused(Status::io_error, {"there is no folder"}, [&] { registry::remove(model); });
}

TEST_CASE("one GGUF file is kept instead, and its type is noted") {
    const Store store;
    const auto entry = store.entry({store.file("model.bin", "weights"), store.file("sub/vocab", "words")});
    const auto gguf = [&](std::optional<uint32_t> type) {
        formats::gguf::KeyWriter keys;
        keys.text("general.architecture", "dragoman");
        if (type) keys.count("general.file_type", *type);
        const Path path = store.folder.path() / "made.gguf";
        formats::write_gguf_file(path, true, keys, {}, {});
        return path;
    };
    const std::pair<std::optional<uint32_t>, const char*> types[] = {{std::nullopt, "converted keep"},
                                                                     {0, "converted f32"},
                                                                     {1, "converted f16"},
                                                                     {3, "converted q4"},
                                                                     {7, "converted q8"}};
    for (const auto& [type, proof] : types) {
        const Path made = gguf(type);
        const std::string bytes = read_file(made);
        registry::keep_file(store.install(entry, true), made, {});
        const auto kept = store::find_installed("firefox:de-en");
        REQUIRE(kept);
        REQUIRE(kept->files.size() == 1);
        CHECK(kept->files[0].proof == proof);
        CHECK(kept->files[0].sha256 == sha256_of(bytes));
        CHECK(kept->version == "1.0");
        CHECK(read_file(kept->path) == bytes);
        CHECK_FALSE(std::filesystem::exists(store.target() / "model.bin"));
    }
    const auto model = store.install(entry, true);
    store.folder.write("other", "no GGUF file");
    check_refused(Status::bad_model, {"other", "not a GGUF file"},
                  [&] { registry::keep_file(model, store.folder.path() / "other", {}); });
    check_refused(Status::io_error, {"none"}, [&] { registry::keep_file(model, store.folder.path() / "none", {}); });
    CHECK(read_file(store.target() / "model.bin") == "weights");
    CHECK(store.install(entry).files.size() == 2);
}

TEST_CASE("a store that cannot be written") {
    const Store store;
    store.folder.write("models", "a file, no folder");
    check_refused(Status::io_error, {"cannot make the folder", "DRAGOMAN_MODELS_DIR"},
                  [&] { store.install(store.entry({store.file("a", "x")})); });
}

TEST_CASE("a disk that is too small") {
    const Store store;
    auto huge = store.file("a", "x");
    huge.bytes = uint64_t(1) << 60;
    check_refused(Status::io_error, {"needs 1152921504606846976 bytes", "are free"},
                  [&] { store.install(store.entry({huge})); });
    auto packed = store.file("a.gz", gzipped("x"), Packing::file);
    packed.unpacked_bytes = uint64_t(1) << 60;
    check_refused(Status::io_error, {"bytes on this disk"}, [&] { store.install(store.entry({packed})); });
    CHECK(store.server.log_of("/file/").empty());
}

}  // namespace install_test
