// SPDX-License-Identifier: Apache-2.0
#include "families/ct2_model.h"

#include <doctest/doctest.h>

#include "families/families.h"

namespace dragoman::test {
namespace {

template <class T>
void put(std::string& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

void put_string(std::string& out, const std::string& text) {
    put(out, static_cast<uint16_t>(text.size() + 1));
    out += text;
    out.push_back('\0');
}

uint8_t type_id(DType type) {
    switch (type) {
        case DType::f32: return 0;
        case DType::i8: return 1;
        case DType::i16: return 2;
        case DType::i32: return 3;
        case DType::f16: return 4;
        default: return 5;
    }
}

}  // namespace

void Ct2Model::set_floats(const std::string& name, std::vector<uint32_t> shape, const std::vector<float>& values) {
    variables[name] = {DType::f32, std::move(shape),
                       std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float))};
}

void Ct2Model::set_floats(const std::string& name, std::vector<uint32_t> shape) {
    std::size_t count = 1;
    for (const uint32_t size : shape) count *= size;
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(variables.size()) + 0.001f * static_cast<float>(i);
    }
    set_floats(name, std::move(shape), values);
}

Ct2Model Ct2Model::tiny() {
    Ct2Model model;
    const auto linear = [&](const std::string& scope, uint32_t out, uint32_t in) {
        model.set_floats(scope + "/weight", {out, in});
        model.set_floats(scope + "/bias", {out});
    };
    const auto norm = [&](const std::string& scope) {
        model.set_floats(scope + "/gamma", {4});
        model.set_floats(scope + "/beta", {4});
    };
    model.set_floats("encoder/embeddings_0/weight", {5, 4});
    model.set_floats("decoder/embeddings/weight", {6, 4});
    linear("decoder/projection", 6, 4);
    for (const std::string stack : {"encoder", "decoder"}) {
        const std::string layer = stack + "/layer_0";
        norm(layer + "/self_attention/layer_norm");
        linear(layer + "/self_attention/linear_0", 12, 4);
        linear(layer + "/self_attention/linear_1", 4, 4);
        if (stack == "decoder") {
            norm(layer + "/attention/layer_norm");
            linear(layer + "/attention/linear_0", 4, 4);
            linear(layer + "/attention/linear_1", 8, 4);
            linear(layer + "/attention/linear_2", 4, 4);
        }
        norm(layer + "/ffn/layer_norm");
        linear(layer + "/ffn/linear_0", 6, 4);
        linear(layer + "/ffn/linear_1", 4, 6);
        norm(stack + "/layer_norm");
        model.set_integers<int16_t>(stack + "/num_heads", DType::i16, {}, {2});
    }
    model.files["source_vocabulary.txt"] = "<s>\n</s>\na\nb\n";
    model.files["target_vocabulary.txt"] = "<s>\n</s>\nx\ny\nz\n";
    return model;
}

std::string Ct2Model::model_bin() const {
    std::string out;
    put(out, version);
    if (version >= 2) {
        put_string(out, spec);
        put(out, revision);
    }
    put(out, static_cast<uint32_t>(variables.size()));
    for (const auto& [name, variable] : variables) {
        put_string(out, name);
        put(out, static_cast<uint8_t>(variable.shape.size()));
        for (const uint32_t size : variable.shape) put(out, size);
        const auto size = static_cast<uint32_t>(variable.bytes.size());
        put(out, version >= 4 ? type_id(variable.dtype) : static_cast<uint8_t>(size_bytes(variable.dtype)));
        put(out, version >= 4 ? size : size / size_bytes(variable.dtype));
        out += variable.bytes;
    }
    if (version >= 3) {
        put(out, static_cast<uint32_t>(aliases.size()));
        for (const auto& [alias, name] : aliases) {
            put_string(out, alias);
            put_string(out, name);
        }
    }
    return out;
}

void Ct2Model::write(const TempDir& folder) const {
    folder.write("model.bin", model_bin());
    if (!config.empty()) folder.write("config.json", config);
    for (const auto& [name, content] : files) folder.write(name, content);
}

spec::ModelSpec Ct2Model::load() const {
    const TempDir folder;
    write(folder);
    return families::load(folder.path());
}

Error Ct2Model::error() const {
    try {
        load();
    } catch (const Error& error) {
        return error;
    }
    FAIL("a broken model was loaded");
    return {Status::ok, ""};
}

}  // namespace dragoman::test
