// SPDX-License-Identifier: Apache-2.0
// What unpacks to more than a model's file may be is refused by name, with the limit and the size.
#include "files/file_budget.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "files/file_set.h"
#include "files/gzip.h"
#include "support/temp_dir.h"
#include "support/zip_file.h"

namespace file_budget_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

constexpr std::size_t kMiB = std::size_t(1) << 20;

std::string refusal(const auto& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.status() == Status::bad_model);
        return error.what();
    }
    return "nothing was thrown";
}

void check_refused(std::string_view part, const auto& action) {
    const std::string message = refusal(action);
    CHECK_MESSAGE(message.find(part) != std::string::npos, message);
}

}  // namespace

TEST_CASE("a file's name tells its budget, wherever it lies") {
    for (const char* name : {"config.json", "a/b/generation_config.json", "x.zip: m/model.safetensors.index.json",
                             "decoder.yml", "README.md", "C:\\m\\config.json"})
        CHECK(budget_of(name).kind == "settings");
    for (const char* name : {"tokenizer.json", "vocab.json", "vocab.deen.yml", "shared_vocabulary.txt", "merges.txt",
                             "source.spm", "spiece.model", "x.zip: tokenizer.model"})
        CHECK(budget_of(name).kind == "vocabulary");
    for (const char* name : {"model.bin", "model.safetensors", "model.npz", "archive/data/17", "model.gguf", "weights"})
        CHECK(budget_of(name).kind == "weights");
    CHECK(budget_of("archive/data.pkl").kind == "pickle");
    CHECK(budget_of("m/model.safetensors: header").kind == "header");
}

TEST_CASE("settings that unpack to too much are refused before they are unpacked") {
    const TempDir folder;
    const std::string many(65 * kMiB, '[');
    folder.write("x.zip", ZipFile().add("config.json", many, true).add("a", "").bytes());
    check_refused("x.zip: config.json: expected at most 67108864 bytes of settings in ",
                  [&] { FileSet::open(folder.path() / "x.zip")->read("config.json"); });
    folder.write("y.zip", ZipFile().add("config.json", many).add("a", "").bytes());
    check_refused("y.zip: config.json: expected at most 67108864 bytes of settings, file has 68157440",
                  [&] { FileSet::open(folder.path() / "y.zip")->read("config.json"); });
    folder.write("config.json.gz", gzipped(many));
    check_refused("config.json.gz: expected at most 67108864 bytes of settings in ",
                  [&] { FileSet::open(folder.path())->read("config.json"); });
    folder.write("generation_config.json", "{}");
    std::filesystem::resize_file(folder.path() / "generation_config.json", 64 * kMiB + 1);
    check_refused("generation_config.json: expected at most 67108864 bytes of settings, file has 67108865",
                  [&] { FileSet::open(folder.path())->read("generation_config.json"); });
}

TEST_CASE("weights may unpack to a quarter of a gigabyte, and to more where that is not many times their size") {
    CHECK(most_unpacked("model.bin", 1000) == 256 * kMiB);
    CHECK(most_unpacked("model.bin", 100 * kMiB) == 6400 * kMiB);
    CHECK(most_unpacked("config.json", 100 * kMiB) == 64 * kMiB);
    CHECK(most_unpacked("model.bin", UINT64_MAX) == uint64_t(1) << 36);
    const std::string packed = gzipped(std::string(257 * kMiB, '\0'));
    check_refused("model.bin.gz: expected at most 268435456 bytes of weights in ", [&] {
        gunzip({.name = "model.bin.gz", .bytes = std::as_bytes(std::span(packed)), .owner = {}}, "model.bin");
    });
    // The length at the end is forged.
    std::string lying = packed;
    for (std::size_t i = lying.size() - 4; i < lying.size(); ++i) lying[i] = 0;
    check_refused("model.bin.gz: expected at most 268435456 bytes of weights in ", [&] {
        gunzip({.name = "model.bin.gz", .bytes = std::as_bytes(std::span(lying)), .owner = {}}, "model.bin");
    });
}

TEST_CASE("a vocabulary has an end") {
    CHECK_NOTHROW(check_vocabulary("v.txt", kMaxVocabularyEntries));
    check_refused("v.txt: expected at most 2097152 entries, file has 2097153",
                  [] { check_vocabulary("v.txt", kMaxVocabularyEntries + 1); });
}

}  // namespace file_budget_test
