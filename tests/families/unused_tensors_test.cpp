// SPDX-License-Identifier: Apache-2.0
// Weights of Hugging Face's files that the network has no place for.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "families/families.h"
#include "families/warnings.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::families::unused_tensors_test {
namespace {

using nlohmann::json;
using test::check_refused;
using Names = std::vector<std::string>;

// A copy of a model of tests/data with more tensors of one float.
class WithTensors {
public:
    WithTensors(const std::string& model, const Names& names) {
        std::filesystem::copy(DRAGOMAN_TEST_DATA "/" + model, folder.path(),
                              std::filesystem::copy_options::recursive |
                                  std::filesystem::copy_options::overwrite_existing);
        const std::string bytes = test::read_file(folder.path() / "model.safetensors");
        uint64_t size = 0;
        std::memcpy(&size, bytes.data(), sizeof(size));
        json header = json::parse(bytes.substr(sizeof(size), size));
        std::string data = bytes.substr(sizeof(size) + size);
        for (const std::string& name : names) {
            header[name] = {{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {data.size(), data.size() + 4}}};
            data += std::string(4, '\0');
        }
        std::string text = header.dump();
        text.resize((text.size() + 7) / 8 * 8, ' ');
        size = text.size();
        folder.write("model.safetensors",
                     std::string(reinterpret_cast<const char*>(&size), sizeof(size)) + text + data);
    }

    std::string warnings() const {
        return test::warnings([&] { families::load(folder.path()); });
    }

    test::TempDir folder;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST_CASE("weights without a place are named in a warning, the first of them and their number") {
    const std::string layer = "model.encoder.layers.9.fc1.weight";
    const Names many{"model.x.1", "model.x.2", "model.x.3", "model.x.4", "model.x.5"};
    for (const char* model : {"huggingface/shared", "huggingface/m2m100", "huggingface/bart", "huggingface/gpt2",
                              "huggingface/xglm", "t5/t5", "t5/umt5", "encoders/bert", "encoders/xlmr"}) {
        CAPTURE(model);
        const std::string one = WithTensors(model, {layer}).warnings();
        CHECK_MESSAGE(has(one, "model.safetensors: not used: 1 of "), one);
        CHECK(has(one, layer));
        const std::string five = WithTensors(model, many).warnings();
        CHECK(has(five, "not used: 5 of "));
        CHECK(has(five, "model.x.3, ..."));
        CHECK_FALSE(has(five, "model.x.4"));
        CHECK_FALSE(has(WithTensors(model, {}).warnings(), "not used"));
    }
    CHECK(has(WithTensors("huggingface/m2m100", {"lm_head.bias"}).warnings(), "lm_head.bias"));
    CHECK(has(WithTensors("t5/t5", {"encoder.block.0.layer.0.SelfAttention.q.bias"}).warnings(), "q.bias"));
}

TEST_CASE("what transformers leaves aside, too, is no matter for a warning") {
    const std::pair<const char*, Names> kHarmless[] = {
        {"huggingface/shared",
         {"model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight", "lm_head.weight_x"}},
        {"huggingface/m2m100",
         {"model.encoder.embed_positions.weights", "model.decoder.embed_positions._float_tensor"}},
        {"huggingface/bart", {"model.encoder.version", "model.decoder.version", "classification_head.dense.weight"}},
        {"huggingface/gpt2", {"transformer.h.0.attn.bias", "h.0.attn.masked_bias"}},
        {"t5/t5", {"decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"}},
        {"encoders/bert", {"bert.embeddings.position_ids", "cls.new_head.bias", "qa_outputs.bias"}},
        {"encoders/xlmr", {"lm_head.new.bias", "classifier.dense.weight", "embeddings.position_ids"}},
    };
    for (const auto& [model, names] : kHarmless) {
        CAPTURE(model);
        const std::string lines = WithTensors(model, names).warnings();
        if (std::string_view(model).ends_with("shared")) CHECK(has(lines, "not used: 1 of "));
        else CHECK_MESSAGE(!has(lines, "not used"), lines);
    }
}

TEST_CASE("adapters among the weights are refused by name") {
    for (const char* model : {"huggingface/m2m100", "t5/t5", "encoders/bert", "huggingface/gpt2"}) {
        const std::string name = "model.encoder.layers.0.self_attn.q_proj.lora_A";
        const WithTensors with(model, {name});
        check_refused(Status::unsupported, {"model.safetensors", name.c_str(), "LoRA", "merge"},
                      [&] { families::load(with.folder.path()); });
    }
    // PEFT renames the weights that an adapter changes: the adapter is the reason that they are missing.
    const std::string layer = "model.encoder.layers.0.self_attn.q_proj.";
    const WithTensors peft("huggingface/m2m100", {layer + "base_layer.weight", layer + "lora_A.default.weight"});
    const std::filesystem::path config = peft.folder.path() / "config.json";
    json values = json::parse(test::read_file(config));
    values["encoder_layers"] = values.at("encoder_layers").get<int>() + 1;
    peft.folder.write("config.json", values.dump());
    check_refused(Status::unsupported, {"lora_A.default.weight", "LoRA"}, [&] { families::load(peft.folder.path()); });
}

}  // namespace
}  // namespace dragoman::families::unused_tensors_test
