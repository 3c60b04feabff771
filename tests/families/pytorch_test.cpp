// SPDX-License-Identifier: Apache-2.0
// What is taken from a state dict and dragoman.json, and which of them are refused. Results: pipeline/pytorch_test.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "families/families.h"
#include "formats/checkpoint.h"
#include "formats/safetensors_file.h"
#include "spec/transformer_tensors.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::families::pytorch_test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kFolder = DRAGOMAN_TEST_DATA "/pytorch";

// A copy of a model whose files can be changed; its tensors are in model.safetensors.
class Copy {
public:
    explicit Copy(const std::string& name) {
        for (const auto& entry : fs::directory_iterator(kFolder / name)) {
            const std::string file = entry.path().filename().string();
            if (file == "dragoman.json") json = json::parse(test::read_file(entry.path()));
            else if (file.starts_with("model.") || file == "pytorch_model.bin") read_state(name, file);
            else if (file != "expected.json") fs::copy_file(entry.path(), folder.path() / file);
        }
    }

    std::vector<float>& values(const std::string& tensor) { return state.at(tensor).second; }

    spec::ModelSpec load() const {
        test::SafetensorsFile file;
        for (const auto& [name, tensor] : state) file.set(name, "F32", tensor.first, tensor.second);
        // A folder of its own: models that were loaded go on reading theirs.
        const std::string name = std::to_string(loads_++);
        latest_ = folder.path() / name;
        fs::create_directory(latest_);
        for (const auto& entry : fs::directory_iterator(folder.path()))
            if (entry.is_regular_file()) fs::copy(entry.path(), latest_ / entry.path().filename());
        folder.write(name + "/model.safetensors", file.bytes());
        folder.write(name + "/dragoman.json", json.dump());
        return families::load(latest_);
    }

    void refused(std::initializer_list<const char*> parts, Status status = Status::bad_model) const {
        test::check_refused(status, parts, [&] { load(); });
    }

    const fs::path& latest() const { return latest_; }  // the folder of the latest load

    test::TempDir folder;
    nlohmann::json json;
    std::map<std::string, std::pair<std::vector<uint32_t>, std::vector<float>>> state;

private:
    mutable int loads_ = 0;
    mutable fs::path latest_;
    void read_state(const std::string& name, const std::string& file) {
        const auto checkpoint = formats::open_checkpoint(*FileSet::open(kFolder / name), file);
        for (const auto& [tensor, entry] : checkpoint->tensors()) {
            const spec::HostTensor host = checkpoint->floats(tensor, entry.shape);
            auto& [shape, floats] = state[tensor];
            shape = entry.shape;
            floats.resize(host.elements());
            spec::to_f32(host, 0, floats);
        }
    }
};

std::vector<float> values_of(const spec::ModelSpec& spec, const std::string& name) {
    const spec::HostTensor& tensor = spec.weights.get(name);
    std::vector<float> values(tensor.elements());
    spec::to_f32(tensor, 0, values);
    return values;
}

void check_equal(const spec::ModelSpec& a, const spec::ModelSpec& b) {
    CHECK(a.config == b.config);
    for (const auto& [name, tensor] : a.weights.tensors()) {
        CAPTURE(name);
        CHECK(values_of(a, name) == values_of(b, name));
    }
}

}  // namespace

TEST_CASE("every tensor that the network needs is there in the right shape") {
    for (const std::string name : {"tutorial", "tied", "widths", "characters", "pieces"}) {
        CAPTURE(name);
        const spec::ModelSpec spec = load(kFolder / name);
        for (const spec::TensorRule& rule : spec::transformer_tensors(spec.config)) {
            CAPTURE(rule.name);
            const spec::HostTensor* tensor = spec.weights.find(rule.name);
            REQUIRE((tensor || !rule.required));
            if (tensor) CHECK(tensor->shape == rule.shape);
        }
    }
}

TEST_CASE("what tensors tell, and what the description says") {
    const spec::ModelSpec tutorial = load(kFolder / "tutorial"), tied = load(kFolder / "tied"),
                          widths = load(kFolder / "widths"), characters = load(kFolder / "characters");
    CHECK(tutorial.format == "pytorch");
    CHECK(tutorial.family == "nn.Transformer");
    CHECK(tutorial.config.d_model == 24);
    CHECK(tutorial.config.encoder.layers == 1);
    CHECK(tutorial.config.decoder.layers == 2);
    CHECK(tutorial.config.encoder.head_dim == 8);
    CHECK(tutorial.config.encoder_ffn == 32);
    CHECK_FALSE(tutorial.config.encoder.pre_norm);
    CHECK(tutorial.config.encoder.final_norm);
    CHECK(tutorial.config.decoder.final_norm);
    CHECK(tutorial.config.encoder.embedding_scale == float(std::sqrt(24.0)));
    CHECK(tutorial.config.encoder.max_positions == 24);
    CHECK(tutorial.source.tokens.at(7) == "7");
    CHECK(tutorial.search.max_length == 28);
    CHECK(tutorial.search.beam_size == 1);
    CHECK_FALSE(tutorial.has_tokenizer());

    CHECK(tied.config.encoder.pre_norm);
    CHECK(tied.config.encoder.activation == Activation::gelu);
    CHECK(tied.config.encoder.embedding_scale == 1.0f);
    CHECK(tied.config.encoder.max_positions == 16);
    CHECK(tied.config.decoder.max_positions == 20);
    CHECK(tied.weights.key("decoder/projection/weight") == "encoder/embeddings_0/weight");
    CHECK(tied.weights.key("decoder/embeddings/weight") == "encoder/embeddings_0/weight");
    CHECK_FALSE(tied.weights.has("encoder/layer_0/ffn/linear_0/bias"));
    CHECK(values_of(tied, "encoder/layer_0/ffn/layer_norm/beta") == std::vector<float>(24, 0.0f));

    CHECK(widths.config.d_model == 20);
    CHECK(widths.config.encoder_width == 28);
    CHECK(widths.config.encoder.heads == 4);
    CHECK(widths.config.decoder.heads == 2);
    CHECK(widths.config.encoder.pre_norm);
    CHECK_FALSE(widths.config.decoder.pre_norm);
    CHECK(widths.config.encoder.final_norm);
    CHECK_FALSE(widths.config.decoder.final_norm);
    CHECK(widths.config.decoder.norm_epsilon == 1e-4f);
    CHECK(widths.source.tokens.at(4) == "a");
    CHECK(widths.target.tokens.at(4) == "aa");

    CHECK(characters.has_tokenizer());
    CHECK(characters.source.tokens.back() == "\xe2\x96\x81");
    CHECK(load(kFolder / "pieces").config.wide_activations);  // bfloat16
    CHECK_FALSE(load(kFolder / "pieces").add_source_eos);
}

TEST_CASE("queries, keys and values in matrices of their own are those of one matrix") {
    Copy copy("tied");
    const spec::ModelSpec joint = copy.load();
    const auto in_proj = [](const auto& entry) { return entry.first.ends_with("in_proj_weight"); };
    const auto state = copy.state;
    for (const auto& entry : state) {
        if (!in_proj(entry)) continue;
        const std::string& name = entry.first;
        const std::string stem = name.substr(0, name.size() - std::string("in_proj_weight").size());
        const auto& values = entry.second.second;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto begin = values.begin() + std::ptrdiff_t(i * values.size() / 3);
            copy.state[stem + "qkv"[i] + "_proj_weight"] = {{24, 24},
                                                            {begin, begin + std::ptrdiff_t(values.size() / 3)}};
        }
        copy.state.erase(name);
    }
    CHECK(copy.state.size() > state.size());
    check_equal(joint, copy.load());
    copy.state.erase("transformer.decoder.layers.1.multihead_attn.v_proj_weight");
    copy.refused({"transformer.decoder.layers.1.multihead_attn.v_proj_weight", "nearest"});
}

TEST_CASE("how it was trained and called changes nothing; what tensors tell may be left out") {
    Copy copy("tied");
    const spec::ModelSpec told = copy.load();
    auto& transformer = copy.json["transformer"];
    transformer["batch_first"] = false;
    transformer["dropout"] = 0.5;
    for (const char* key : {"d_model", "dim_feedforward", "num_encoder_layers", "num_decoder_layers", "bias"})
        transformer.erase(key);
    check_equal(told, copy.load());
}

TEST_CASE("an own name for the stacks, none at all, and one of several state dicts") {
    Copy copy("tied");
    const spec::ModelSpec expected = copy.load();
    std::map<std::string, decltype(copy.state)::mapped_type> bare;
    for (const auto& [name, tensor] : copy.state)
        bare[name.starts_with("transformer.") ? name.substr(12) : name] = tensor;
    copy.state = bare;
    copy.json["transformer"]["name"] = "";
    check_equal(expected, copy.load());

    copy.values("output.weight")[0] += 1.0f;
    const fs::path first = copy.latest(), both = copy.folder.path() / "both";
    copy.load();
    fs::copy(copy.latest(), both);
    fs::rename(both / "model.safetensors", both / "epoch_2.safetensors");
    fs::copy(first / "model.safetensors", both / "epoch_1.safetensors");
    check_equal(expected, families::load(both / "epoch_1.safetensors"));
    const auto changed = families::load(both / "epoch_2.safetensors");
    CHECK(values_of(changed, "encoder/embeddings_0/weight")[0] ==
          values_of(expected, "encoder/embeddings_0/weight")[0] + 1);
    test::check_refused(Status::bad_model, {"model.pt", "dragoman.json"}, [&] { families::load(both); });
    copy.json["weights"] = "epoch_1.safetensors";
    copy.folder.write("both/dragoman.json", copy.json.dump());
    check_equal(expected, families::load(both));
}

TEST_CASE("computed positions are those of PyTorch's tutorials") {
    Copy copy("tutorial");
    const auto buffer = values_of(copy.load(), "encoder/position_encodings/encodings");
    copy.json["positions"] = {{"sinusoid", "interleaved"}, {"length", 24}};
    copy.json["ignore"] = {"source_positions.", "target_positions."};
    const auto computed = values_of(copy.load(), "encoder/position_encodings/encodings");
    REQUIRE(computed.size() == buffer.size());
    for (std::size_t i = 0; i < buffer.size(); ++i) CHECK(std::abs(computed[i] - buffer[i]) <= 4e-6f);
    copy.json["positions"] = {{"sinusoid", "halves"}, {"length", 24}};
    const auto halves = values_of(copy.load(), "decoder/position_encodings/encodings");
    for (std::size_t p = 0; p < 24; ++p)
        for (std::size_t k = 0; k < 24; ++k)
            CHECK(halves[p * 24 + k] == computed[p * 24 + (k < 12 ? 2 * k : 2 * (k - 12) + 1)]);
}

TEST_CASE("descriptions that are wrong are refused, naming the key and both values") {
    const auto refused = [](const char* name, const auto& change, std::initializer_list<const char*> parts,
                            Status status = Status::bad_model) {
        Copy copy(name);
        change(copy.json);
        copy.refused(parts, status);
    };
    const auto whole = [&](const char* key, const json& value, std::initializer_list<const char*> parts) {
        refused("tied", [&](json& j) { j[key] = value; }, parts);
    };
    const auto stack = [&](const char* key, const json& value, std::initializer_list<const char*> parts) {
        refused("tied", [&](json& j) { j["transformer"][key] = value; }, parts);
    };
    whole("version", 2, {"version", "1", "2"});
    whole("maximal_length", 5, {"\"maximal_length\"", "no such key", "max_length"});
    for (const char* key :
         {"version", "start", "end", "unknown", "source_embedding", "target_embedding", "output", "source_positions"})
        whole(key, nullptr, {key, "expected", "file has none"});
    whole("start", 24, {"start", "0 to 23", "24"});
    whole("never", {3, 99}, {"never", "0 to 23", "99"});
    whole("source_begin", -1, {"source_begin", "-1"});
    whole("embedding_scale", "sqrt", {"embedding_scale", "sqrt(d_model)"});
    whole("source_positions", "sinusoid", {"source_positions", "interleaved", "\"sinusoid\""});
    whole("source_positions", {{"sinusoid", "halves"}}, {"source_positions.length", "none"});
    whole("source_positions", {{"sinusoid", "mixed"}, {"length", 3}}, {"source_positions.sinusoid", "mixed"});
    whole("source_positions", {{"table", "source_position"}}, {"source_position.weight", "source_positions.weight"});
    whole("source_positions", {{"table", "output"}, {"first", 1}}, {"source_positions.\"first\"", "no such key"});
    whole("positions", "none", {"positions", "both"});
    whole("encoder", json::object(), {"encoder", "both"});
    whole("output", "outptu", {"outptu.weight", "nearest", "output.weight"});
    whole("vocabulary", {"a", "b"}, {"expected 24 tokens", "has 2"});
    whole("source_vocabulary", {"a"}, {"source_vocabulary"});
    whole("tokens", "words", {"tokens", "characters", "words"});
    whole("ignore", "x", {"ignore", "a list"});
    stack("nhead", nullptr, {"transformer.nhead", "attention heads"});
    stack("nhead", 5, {"transformer.nhead", "divisor of the width 24", "5"});
    stack("nhead", "4", {"transformer.nhead", "\"4\""});
    stack("n_head", 2, {"transformer.\"n_head\"", "nhead"});
    stack("d_model", 32, {"transformer.d_model", "24", "32"});
    stack("dim_feedforward", 41, {"transformer.dim_feedforward", "40", "41"});
    stack("num_encoder_layers", 3, {"transformer.num_encoder_layers", "2", "3"});
    stack("bias", true, {"transformer.bias", "false", "true"});
    stack("activation", "tanh", {"transformer.activation", "gelu_tanh", "\"tanh\""});
    stack("layer_norm_eps", 0, {"transformer.layer_norm_eps", "0"});
    stack("norm_first", 1, {"transformer.norm_first", "true or false", "1"});
    stack("name", "transfomer", {"transformer.name", "transfomer.encoder.layers.0.", "transformer.encoder."});
    refused("tied", [](json& j) { j["vocabulary"] = "words.txt"; }, {"words.txt"}, Status::io_error);
    refused("widths", [](json& j) { j.erase("decoder"); }, {"a decoder", "encoder alone"}, Status::unsupported);
    refused("widths", [](json& j) { j.erase("encoder"); }, {"an encoder", "decoder alone"}, Status::unsupported);
    refused("widths", [](json& j) { j.erase("encoder"), j.erase("decoder"); }, {"transformer", "nn.Transformer"});
    refused("widths", [](json& j) { j.erase("target_vocabulary"); }, {"target_vocabulary", "this side"});
    refused("widths", [](json& j) { j["unknown"] = 4; }, {"unknown", "\"a\"", "\"aa\""}, Status::unsupported);
    refused("characters", [](json& j) { j["vocabulary"][0] = "_"; }, {"tokens", "several characters", "\"_\""});
    refused("characters", [](json& j) { j["vocabulary"][6] = "d"; }, {"\"d\"", "once", "6 and 7"});
    refused("characters", [](json& j) { j.erase("vocabulary"); }, {"tokens", "list", "none"});
}

TEST_CASE("state dicts that do not fit are refused, naming the tensor") {
    const auto refused = [](const char* name, const auto& change, std::initializer_list<const char*> parts,
                            Status status = Status::bad_model) {
        Copy copy(name);
        change(copy.state);
        copy.refused(parts, status);
    };
    using State = decltype(Copy::state);
    const char* linear = "transformer.encoder.layers.1.linear1.weight";
    refused("tied", [&](State& s) { s.erase(linear); },
            {linear, "nearest", "transformer.encoder.layers.0.linear1.weight"});
    refused("tied", [&](State& s) { s[linear] = {{39, 24}, std::vector<float>(39 * 24)}; }, {linear, "40x24", "39x24"});
    refused("tied", [](State& s) { s["output.weight"] = {{24, 23}, std::vector<float>(24 * 23)}; },
            {"output.weight", "24x24", "24x23"});
    refused("tutorial", [](State& s) { s["output.weight"] = {{24, 24}, std::vector<float>(24 * 24)}; },
            {"output", "25 outputs", "24"});
    refused("tutorial", [](State& s) { s["source_positions.pos_embedding"].first = {8, 3, 24}; },
            {"source_positions.pos_embedding", "rows of 24", "8x3x24"});
    refused("tied", [](State& s) { s.clear(); }, {"model.safetensors", "a state dict", "no tensors"});
    const auto add = [](const char* name) { return [=](State& s) { s[name] = {{24}, std::vector<float>(24)}; }; };
    refused("tied", add("transformer.encoder.adapter"), {"transformer.encoder.adapter", "ignore"}, Status::unsupported);
    refused("tied", add("transformer.encoder.layers.0.self_attn.bias_k"), {"self_attn.bias_k", "add_bias_kv"},
            Status::unsupported);
    refused(
        "tutorial", [](State& s) { s.erase("transformer.decoder.norm.bias"); },
        {"transformer.decoder.norm.bias", "nn.LayerNorm"}, Status::unsupported);
}

}  // namespace dragoman::families::pytorch_test
