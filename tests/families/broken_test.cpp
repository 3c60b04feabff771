// SPDX-License-Identifier: Apache-2.0
// However a model file is broken, loading it ends with an Error that a caller can act on, or with a model whose
// tensors can all be read.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "families/ct2_model.h"
#include "families/families.h"
#include "support/temp_dir.h"

namespace dragoman::families::broken_test {
namespace {

using test::Ct2Model;
using test::TempDir;

// Numbers from 0 to bound - 1, the same on every machine.
class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    std::size_t operator()(std::size_t bound) { return random_() % bound; }

private:
    std::mt19937 random_;
};

enum class Outcome { loaded, refused };

// Throws whatever is not an Error of the three kinds that describe files.
Outcome try_load(const TempDir& folder) {
    try {
        const spec::ModelSpec spec = load(folder.path());
        for (const auto& [name, tensor] : spec.weights.tensors()) {
            std::vector<float> values(tensor.elements());
            spec::to_f32(tensor, 0, values);
        }
        return Outcome::loaded;
    } catch (const Error& error) {
        CHECK_FALSE(std::string(error.what()).empty());
        const bool describes_files = error.status() == Status::bad_model || error.status() == Status::io_error ||
                                     error.status() == Status::unsupported;
        if (!describes_files) throw;
        return Outcome::refused;
    }
}

void copy_vocabularies(const std::string& from, const TempDir& to) {
    for (const char* name : {"source_vocabulary.txt", "target_vocabulary.txt", "source_vocabulary.json",
                             "target_vocabulary.json", "config.json"}) {
        const std::filesystem::path file = std::filesystem::path(from) / name;
        if (std::filesystem::exists(file)) to.write(name, test::read_file(file));
    }
}

void check_message(const Error& error, Status status, std::initializer_list<const char*> parts) {
    INFO(error.what());
    CHECK(error.status() == status);
    for (const char* part : parts) CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, part);
}

// A copy of the tiny model's file with some bytes replaced.
void check_patched(const std::string& bytes, Status status, std::initializer_list<const char*> parts) {
    const TempDir folder;
    Ct2Model::tiny().write(folder);
    folder.write("model.bin", bytes);
    try {
        load(folder.path());
        FAIL("a broken model was loaded");
    } catch (const Error& error) {
        check_message(error, status, parts);
    }
}

TEST_CASE("a file cut anywhere is refused") {
    for (const char* variant : {"", "-v1", "-v3-int8-aliases", "-v6-int8-float16"}) {
        INFO(variant);
        const std::string from = std::string(DRAGOMAN_TEST_DATA "/aren-transliteration") + variant;
        const std::string whole = test::read_file(from + "/model.bin");
        const TempDir folder;
        copy_vocabularies(from, folder);
        for (std::size_t size = 0; size < whole.size(); size += 997) {
            folder.write("model.bin", std::string_view(whole).substr(0, size));
            CHECK(try_load(folder) == Outcome::refused);
        }
        folder.write("model.bin", whole);
        CHECK(try_load(folder) == Outcome::loaded);
    }
}

TEST_CASE("a tiny file cut after any byte is refused") {
    const Ct2Model model = Ct2Model::tiny();
    const std::string whole = model.model_bin();
    const TempDir folder;
    model.write(folder);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        folder.write("model.bin", std::string_view(whole).substr(0, size));
        CHECK(try_load(folder) == Outcome::refused);
    }
}

TEST_CASE("flipped bits and overwritten bytes never do harm") {
    // The names and sizes are what can go wrong, so most mutations hit the tiny file, which is mostly those.
    Dice below(1);
    Ct2Model model = Ct2Model::tiny();
    model.aliases.emplace_back("decoder/another", "decoder/embeddings/weight");
    unsigned refused = 0;
    for (const uint32_t version : {2u, 3u, 4u, 6u}) {
        model.version = version;
        const std::string whole = [&] {
            Ct2Model without = model;
            if (version < 3) without.aliases.clear();
            return without.model_bin();
        }();
        const TempDir folder;
        model.write(folder);
        for (int round = 0; round < 400; ++round) {
            std::string bytes = whole;
            const std::size_t changes = 1 + below(3);
            for (std::size_t i = 0; i < changes; ++i) {
                char& byte = bytes[below(bytes.size())];
                byte = round % 2 ? static_cast<char>(byte ^ (1 << below(8))) : static_cast<char>(0xff - below(3));
            }
            folder.write("model.bin", bytes);
            refused += try_load(folder) == Outcome::refused;
        }
    }
    CHECK(refused > 100);
}

TEST_CASE("mutated configurations and vocabularies never do harm") {
    Dice below(2);
    const std::string from = DRAGOMAN_TEST_DATA "/aren-transliteration-v6-int8-float16";
    const TempDir folder;
    copy_vocabularies(from, folder);
    folder.write("model.bin", test::read_file(from + "/model.bin"));
    for (const char* name : {"config.json", "source_vocabulary.json"}) {
        const std::string whole = test::read_file(from + "/" + name);
        for (int round = 0; round < 200; ++round) {
            std::string bytes = whole.substr(0, round % 4 ? whole.size() : below(whole.size()));
            if (!bytes.empty()) bytes[below(bytes.size())] = static_cast<char>(below(256));
            folder.write(name, bytes);
            try_load(folder);
        }
        folder.write(name, whole);
    }
    CHECK(try_load(folder) == Outcome::loaded);
}

TEST_CASE("missing files are named") {
    const auto status_of = [](const std::filesystem::path& path) {
        try {
            load(path);
        } catch (const Error& error) {
            return error.status();
        }
        return Status::ok;
    };
    const TempDir folder;
    CHECK(status_of(folder.path() / "nothing") == Status::io_error);
    CHECK(status_of(folder.path()) == Status::bad_model);
    CHECK(status_of(folder.write("notes.txt", "")) == Status::bad_model);
    folder.write("model.bin", "");
    CHECK(status_of(folder.path()) == Status::bad_model);

    Ct2Model model = Ct2Model::tiny();
    model.files.erase("target_vocabulary.txt");
    check_message(model.error(), Status::bad_model, {"target_vocabulary.json", "target_vocabulary.txt"});
    model = Ct2Model::tiny();
    model.config.clear();
    check_message(model.error(), Status::io_error, {"config.json"});
}

TEST_CASE("what contradicts the container format is refused with the place and both values") {
    const Ct2Model model = Ct2Model::tiny();
    const std::string whole = model.model_bin();
    const std::size_t count_at = 4 + 2 + 16 + 4;  // after version, "TransformerSpec" and revision
    const std::size_t first_at = count_at + 4;
    const std::string first = model.variables.begin()->first;
    const std::size_t rank_at = first_at + 2 + first.size() + 1;
    REQUIRE(first == "decoder/embeddings/weight");  // 6x4

    const auto patched = [&](std::size_t at, const std::string& bytes) {
        std::string copy = whole;
        copy.replace(at, bytes.size(), bytes);
        return copy;
    };
    check_patched(patched(0, std::string("\7\0\0\0", 4)), Status::unsupported, {"binary version", "1 to 6", "7"});
    check_patched(patched(0, std::string("\0\0\0\0", 4)), Status::bad_model, {"binary version", "file has 0"});
    check_patched(patched(count_at, "\xff\xff\xff\xff"), Status::bad_model, {"number of variables", "4294967295"});
    check_patched(patched(first_at + 2, "\1"), Status::bad_model, {"variable name", "ASCII"});
    check_patched(patched(rank_at - 1, "x"), Status::bad_model, {"variable name", "NUL"});
    check_patched(patched(first_at, std::string("\0\0", 2)), Status::bad_model, {"variable name", "NUL"});
    check_patched(patched(rank_at, "\t"), Status::bad_model,
                  {"decoder/embeddings/weight", "8 dimensions", "file has 9"});
    check_patched(patched(rank_at + 1, "\xff\xff\xff\xff\xff\xff\xff\xff"), Status::bad_model,
                  {"decoder/embeddings/weight", "elements"});
    check_patched(patched(rank_at + 1, "\7"), Status::bad_model,
                  {"decoder/embeddings/weight", "112 bytes", "7x4", "file has 96"});
    check_patched(patched(rank_at + 9, "\6"), Status::bad_model,
                  {"decoder/embeddings/weight", "type id", "file has 6"});
    check_patched(patched(whole.size() - 4, "\xff"), Status::bad_model, {"number of aliases", "255"});
    check_patched(whole + "x", Status::bad_model, {"end of the file", "file has 1 more"});

    Ct2Model old = model;
    old.version = 2;
    std::string bytes = old.model_bin();
    bytes[rank_at + 9] = 3;
    check_patched(bytes, Status::bad_model, {"decoder/embeddings/weight", "item size", "file has 3"});
}

TEST_CASE("one name may not stand for two variables") {
    Ct2Model model = Ct2Model::tiny();
    model.aliases.emplace_back("decoder/embeddings/weight", "decoder/projection/weight");
    check_message(model.error(), Status::bad_model, {"decoder/embeddings/weight"});
    model = Ct2Model::tiny();
    model.variables["encoder/embeddings/weight"] = model.variables["encoder/embeddings_0/weight"];
    check_message(model.error(), Status::bad_model, {"encoder/embeddings_0/weight", "two"});
}

}  // namespace
}  // namespace dragoman::families::broken_test
