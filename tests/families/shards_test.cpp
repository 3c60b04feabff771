// SPDX-License-Identifier: Apache-2.0
// Models whose weights transformers wrote to pytorch_model.bin or to shards (tests/tools/make_checkpoints.py).
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "families/families.h"
#include "support/refused.h"
#include "support/temp_dir.h"
#include "support/zip_file.h"

namespace dragoman::families::shards_test {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

const fs::path kFolder = DRAGOMAN_TEST_DATA "/checkpoints", kModel = DRAGOMAN_TEST_DATA "/huggingface/shared";

// The model with its weights in the files that `weights` names.
void write_model(const TempDir& folder, std::string_view weights) {
    for (const char* name :
         {"config.json", "generation_config.json", "tokenizer_config.json", "vocab.json", "source.spm", "target.spm"})
        fs::copy(kModel / name, folder.path());
    for (const auto& entry : fs::directory_iterator(kFolder))
        if (entry.path().filename().string().starts_with(weights)) fs::copy(entry.path(), folder.path());
}

// Compares the parts of a tensor that has some.
bool same_bytes(const spec::HostTensor& one, const spec::HostTensor& other) {
    if (!one.parts.empty() || !other.parts.empty()) return std::ranges::equal(one.parts, other.parts, same_bytes);
    return spec::equal_bytes(one, other);
}

void check_same_weights(const spec::ModelSpec& one, const spec::ModelSpec& other) {
    REQUIRE(one.weights.tensors().size() == other.weights.tensors().size());
    for (const auto& [name, tensor] : one.weights.tensors()) {
        INFO(name);
        const spec::HostTensor& twin = other.weights.get(name);
        CHECK(tensor.dtype == twin.dtype);
        CHECK(tensor.shape == twin.shape);
        CHECK(tensor.bytes.empty() != tensor.parts.empty());
        CHECK(same_bytes(tensor, twin));
    }
}

TEST_CASE("models load from pytorch_model.bin and from shards as from one safetensors file") {
    const spec::ModelSpec expected = load(kModel);
    for (const char* weights : {"pytorch_model.bin", "model"}) {
        INFO(std::string(weights));
        const TempDir folder;
        write_model(folder, weights);
        check_same_weights(load(folder.path()), expected);
    }
    const TempDir folder;
    write_model(folder, "pytorch_model.bin");
    folder.write("model.safetensors", "broken");
    check_same_weights(load(folder.path() / "pytorch_model.bin"), expected);

    test::ZipFile zip;
    for (const auto& entry : fs::directory_iterator(folder.path()))
        if (entry.path().extension() != ".safetensors")
            zip.add("m/" + entry.path().filename().string(), test::read_file(entry.path()), true);
    check_same_weights(load(folder.write("model.zip", zip.bytes())), expected);
}

TEST_CASE("shards that are missing, elsewhere or not what the index says") {
    const auto with = [](const std::function<void(nlohmann::json&)>& change) {
        auto folder = std::make_unique<TempDir>();
        write_model(*folder, "model");
        auto index = nlohmann::json::parse(test::read_file(kFolder / "model.safetensors.index.json"));
        change(index);
        folder->write("model.safetensors.index.json", index.dump());
        return folder;
    };
    const auto refused = [&](Status status, const char* part, auto change) {
        const auto folder = with(change);
        test::check_refused(status, {part}, [&] { load(folder->path()); });
    };
    const char *bias = "final_logits_bias", *third = "model-00003-of-00003.safetensors";
    using nlohmann::json;
    refused(Status::bad_model, "weight_map: expected an object, file has none", [](json& i) { i.erase("weight_map"); });
    refused(Status::bad_model, "weight_map: expected an object, file has array",
            [](json& i) { i["weight_map"] = {1}; });
    refused(Status::bad_model, "expected a file's name", [&](json& i) { i["weight_map"][bias] = 3; });
    refused(Status::bad_model, "the file has no such tensor", [&](json& i) { i["weight_map"][bias] = third; });
    refused(Status::io_error, "none.safetensors: no such file",
            [&](json& i) { i["weight_map"][bias] = "none.safetensors"; });
    refused(Status::io_error, "no such file", [&](json& i) { i["weight_map"][bias] = (kFolder / third).string(); });
    refused(Status::bad_model, "expected files of weights",
            [&](json& i) { i["weight_map"][bias] = "model.safetensors.index.json"; });
    refused(Status::bad_model, "model.shared.weight", [&](json& i) {
        for (const char* name : {"model.shared.weight", "lm_head.weight", "model.encoder.embed_tokens.weight",
                                 "model.decoder.embed_tokens.weight"})
            i["weight_map"].erase(name);
    });
}

TEST_CASE("an index may name tied tensors that no shard has") {
    const TempDir folder;
    write_model(folder, "model");
    auto index = nlohmann::json::parse(test::read_file(kFolder / "model.safetensors.index.json"));
    for (const char* name :
         {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"})
        index["weight_map"].emplace(name, "model-00001-of-00003.safetensors");
    folder.write("model.safetensors.index.json", index.dump());
    check_same_weights(load(folder.path()), load(kModel));
}

// All of a file's tensors are pages that need not stay, also where several make one.
TEST_CASE("weights stay where the file has them") {
    for (const char* weights : {"huggingface", "pytorch_model.bin", "model"}) {
        INFO(std::string(weights));
        const TempDir folder;
        const bool whole = std::string_view(weights) == "huggingface";
        if (!whole) write_model(folder, weights);
        const spec::ModelSpec spec = load(whole ? kModel : folder.path());
        std::size_t joined = 0, views = 0;
        const std::function<void(const spec::HostTensor&)> count = [&](const spec::HostTensor& tensor) {
            joined += !tensor.parts.empty();
            views += tensor.parts.empty() && tensor.mapped;
            for (const spec::HostTensor& part : tensor.parts) count(part);
        };
        for (const auto& [name, tensor] : spec.weights.tensors()) {
            if (name.ends_with("/position_encodings/encodings")) continue;  // computed
            INFO(name);
            const std::size_t before = views;
            count(tensor);
            CHECK(views - before == std::max<std::size_t>(tensor.parts.size(), 1));
        }
        // Queries, keys and values of both stacks, keys and values of the encoder: matrices and biases.
        CHECK(joined == 2 * (spec.config.encoder.layers + 2 * spec.config.decoder.layers));
    }
}

}  // namespace
}  // namespace dragoman::families::shards_test
