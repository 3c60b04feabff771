// SPDX-License-Identifier: Apache-2.0
// Files that torch.save and transformers wrote (tests/tools/make_checkpoints.py), whole and broken.
#include "formats/checkpoint.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "base/error.h"
#include "files/zip_archive.h"
#include "support/temp_dir.h"
#include "support/zip_file.h"

namespace dragoman::formats::checkpoint_test {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

const fs::path kFolder = DRAGOMAN_TEST_DATA "/checkpoints";

std::shared_ptr<const Checkpoint> open(const fs::path& folder, const std::string& name) {
    return open_checkpoint(*FileSet::open(folder), name);
}

template <class F>
void check_fails(Status status, std::string_view part, F&& action) {
    try {
        action();
    } catch (const Error& error) {
        CAPTURE(std::string(error.what()));
        CHECK(error.status() == status);
        CHECK(std::string_view(error.what()).find(part) != std::string_view::npos);
        return;
    }
    FAIL("nothing was thrown, expected: " << part);
}

TEST_CASE("a state dict's tensors have the values PyTorch says, however they lie in their storage") {
    for (const char* saved : {"odd.bin", "old.bin"}) {  // since PyTorch 1.6, and before
        CAPTURE(saved);
        const auto checkpoint = open(kFolder, saved);
        std::ifstream file(kFolder / "odd.json");
        const auto expected = nlohmann::json::parse(file);
        CHECK(expected.size() == 11);
        CHECK(checkpoint->tensors().size() == 14);
        for (const auto& [name, item] : expected.items()) {
            INFO(name);
            const auto tensor = checkpoint->floats(name, item.at("shape"));
            std::vector<float> values(tensor.elements());
            spec::to_f32(tensor, 0, values);
            CHECK(values == item.at("values").get<std::vector<float>>());
        }
        CHECK(checkpoint->tensors().at("ids").type == "I64");
        check_fails(Status::bad_model, "double: expected F32, F16 or BF16, file has F64",
                    [&] { checkpoint->floats("double", {6}); });
        check_fails(Status::bad_model, "base: expected 6x4, file has 4x6", [&] { checkpoint->floats("base", {6, 4}); });
        check_fails(Status::bad_model, "other: expected 1, the file has no such",
                    [&] { checkpoint->floats("other", {1}); });
    }
}

TEST_CASE("old files that contradict themselves") {
    const std::string whole = test::read_file(kFolder / "old.bin");
    const auto refused = [](Status status, std::string_view part, const std::string& bytes) {
        const TempDir folder;
        folder.write("x.bin", bytes);
        check_fails(status, part, [&] { open(folder.path(), "x.bin"); });
    };
    for (std::size_t size = 0; size < whole.size(); size += 7)
        refused(Status::bad_model, "x.bin", whole.substr(0, size));
    refused(Status::bad_model, "expected the end after the storages, file has 1 more bytes", whole + "x");
    refused(Status::bad_model, "x.bin: not a checkpoint of PyTorch", "x" + whole);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string bytes = whole;
        REQUIRE(bytes.find(from) != std::string::npos);
        return bytes.replace(bytes.find(from), from.size(), to);
    };
    refused(Status::unsupported, "little_endian: expected true, file has false",
            changed("little_endianq\2\x88", "little_endianq\2\x89"));
    refused(Status::unsupported, "refers to torch.LoatStorage", changed("FloatStorage", "LoatStorage"));
    const std::string elements("\x18\0\0\0\0\0\0\0", 8);  // of the storage of 24
    refused(Status::bad_model, "expected 24 elements, file has 25", changed(elements, "\x19" + elements.substr(1)));
}

TEST_CASE("archives that lack something or contradict themselves") {
    const ZipArchive archive(FileSet::open(kFolder)->read("odd.bin"));
    // The archive with one file of it replaced, or left out.
    const auto with = [&](const std::string& changed, std::optional<std::string> content) {
        test::ZipFile zip;
        for (const std::string& name : archive.names()) {
            if (name != changed) zip.add(name, archive.read(name).text());
            else if (content) zip.add(name, *content);
        }
        return zip.bytes();
    };
    const auto refused = [](Status status, std::string_view part, const std::string& bytes) {
        const TempDir folder;
        folder.write("x.bin", bytes);
        check_fails(status, part, [&] { open(folder.path(), "x.bin")->floats("base", {4, 6}); });
    };
    refused(Status::bad_model, "expected odd/data/0, the archive has no such file", with("odd/data/0", {}));
    refused(Status::bad_model, "odd/data/0: expected 96 bytes (24 of F32), file has 95",
            with("odd/data/0", std::string(95, '\0')));
    refused(Status::bad_model, "expected data.pkl in the archive", with("odd/data.pkl", {}));
    refused(Status::bad_model, "x.bin: odd/data.pkl: ", with("odd/data.pkl", ""));
    refused(Status::unsupported, "byteorder: expected little, file has big", with("odd/byteorder", "big"));
    refused(Status::bad_model, "expected one data.pkl",
            test::ZipFile().add("a/data.pkl", "x").add("b/data.pkl", "x").bytes());
}

TEST_CASE("mutated checkpoints never do harm") {
    std::mt19937 random(11);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    const std::string files[] = {test::read_file(kFolder / "odd.bin"), test::read_file(kFolder / "old.bin")};
    const TempDir folder;
    unsigned refused = 0;
    for (int round = 0; round < 1000; ++round) {
        std::string bytes = files[round % 2];
        for (std::size_t i = 0; i <= below(3); ++i) bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8));
        if (round % 8 == 0) bytes.resize(below(bytes.size()));
        folder.write("odd.bin", bytes);
        try {
            const auto checkpoint = open(folder.path(), "odd.bin");
            for (const auto& [name, tensor] : checkpoint->tensors()) {
                if (tensor.type != "F32") continue;
                const auto content = checkpoint->floats(name, tensor.shape);
                std::vector<float> values(content.elements());
                spec::to_f32(content, 0, values);
            }
        } catch (const Error& error) {
            CHECK((error.status() == Status::bad_model || error.status() == Status::unsupported));
            ++refused;
        }
    }
    CHECK(refused > 400);
}

}  // namespace
}  // namespace dragoman::formats::checkpoint_test
