// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

// GGUF files written byte by byte, as the format's description has them.
namespace dragoman::test {

inline std::string gguf_number(uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
    return out;
}
inline std::string gguf_text(const std::string& text) { return gguf_number(text.size(), 8) + text; }

struct GgufBytes {
    struct Key {
        std::string name, value;  // the value with its type before it
    };
    struct Tensor {
        std::string name;
        std::vector<uint64_t> dims;  // innermost first
        uint32_t type;
        std::string data;
        int64_t offset = -1;  // -1: behind the one before
    };
    uint32_t magic = 0x46554747, version = 3;
    std::vector<Key> keys;
    std::vector<Tensor> tensors;
    uint64_t alignment = 32;
    int64_t more_keys = 0, more_tensors = 0;  // promised, not there

    static std::string u32(uint32_t value) { return gguf_number(4, 4) + gguf_number(value, 4); }
    static std::string u64(uint64_t value) { return gguf_number(10, 4) + gguf_number(value, 8); }
    static std::string i32(int32_t value) { return gguf_number(5, 4) + gguf_number(uint32_t(value), 4); }
    static std::string f32(float value) { return gguf_number(6, 4) + gguf_number(std::bit_cast<uint32_t>(value), 4); }
    static std::string flag(int value) { return gguf_number(7, 4) + gguf_number(uint64_t(value), 1); }
    static std::string text(const std::string& value) { return gguf_number(8, 4) + gguf_text(value); }
    static std::string texts(const std::vector<std::string>& values) {
        std::string out = gguf_number(9, 4) + gguf_number(8, 4) + gguf_number(values.size(), 8);
        for (const std::string& value : values) out += gguf_text(value);
        return out;
    }
    static std::string bytes(const std::string& values) {
        return gguf_number(9, 4) + gguf_number(0, 4) + gguf_number(values.size(), 8) + values;
    }
    static std::string numbers(const std::vector<uint32_t>& values) {
        std::string out = gguf_number(9, 4) + gguf_number(4, 4) + gguf_number(values.size(), 8);
        for (const uint32_t value : values) out += gguf_number(value, 4);
        return out;
    }

    void set(const std::string& name, const std::string& value) {
        for (Key& key : keys)
            if (key.name == name) return void(key.value = value);
        keys.push_back({name, value});
    }
    void drop(const std::string& name) {
        std::erase_if(keys, [&](const Key& key) { return key.name == name; });
    }
    Tensor& tensor(const std::string& name) {
        for (Tensor& item : tensors)
            if (item.name == name) return item;
        return tensors.emplace_back();
    }

    std::string write() const {
        std::string out = gguf_number(magic, 4) + gguf_number(version, 4) +
                          gguf_number(tensors.size() + uint64_t(more_tensors), 8) +
                          gguf_number(keys.size() + uint64_t(more_keys), 8);
        for (const Key& key : keys) out += gguf_text(key.name) + key.value;
        std::string data;
        const auto pad = [&](std::string& bytes) {
            bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
        };
        for (const Tensor& item : tensors) {
            out += gguf_text(item.name) + gguf_number(item.dims.size(), 4);
            for (const uint64_t size : item.dims) out += gguf_number(size, 8);
            out += gguf_number(item.type, 4);
            out += gguf_number(item.offset < 0 ? data.size() : uint64_t(item.offset), 8);
            data += item.data;
            pad(data);
        }
        pad(out);
        return out + data;
    }
};

// The smallest model: 4 wide, one layer each, 5 tokens, everything in f32.
inline GgufBytes smallest_gguf() {
    GgufBytes file;
    file.set("general.architecture", GgufBytes::text("dragoman"));
    file.set("tokenizer.ggml.tokens", GgufBytes::texts({"</s>", "<unk>", "a", "b", "c"}));
    const auto size = [&](const char* key, uint32_t value) {
        file.set(std::string("dragoman.") + key, GgufBytes::u32(value));
    };
    size("embedding_length", 4);
    for (const char* side : {"encoder.", "decoder."}) {
        const std::string begin(side);
        size((begin + "block_count").c_str(), 1);
        size((begin + "attention.head_count").c_str(), 2);
        size((begin + "attention.key_length").c_str(), 2);
        size((begin + "feed_forward_length").c_str(), 8);
        size((begin + "vocab_size").c_str(), 5);
    }
    const auto add = [&](const std::string& name, std::vector<uint64_t> dims) {
        uint64_t elements = 1;
        for (const uint64_t dim : dims) elements *= dim;
        std::string data;
        for (uint64_t i = 0; i < elements; ++i)
            data += gguf_number(std::bit_cast<uint32_t>(float(i % 7) * 0.125f - 0.25f), 4);
        file.tensors.push_back({name, std::move(dims), 0, data});
    };
    const auto norm = [&](const std::string& scope) {
        add(scope + "/gamma", {4});
        add(scope + "/beta", {4});
    };
    add("encoder/embeddings_0/weight", {4, 5});
    for (const std::string side : {"encoder", "decoder"}) {
        const std::string layer = side + "/layer_0";
        norm(layer + "/self_attention/layer_norm");
        add(layer + "/self_attention/linear_0/weight", {4, 12});
        add(layer + "/self_attention/linear_1/weight", {4, 4});
        if (side == "decoder") {
            norm(layer + "/attention/layer_norm");
            add(layer + "/attention/linear_0/weight", {4, 4});
            add(layer + "/attention/linear_1/weight", {4, 8});
            add(layer + "/attention/linear_2/weight", {4, 4});
        }
        norm(layer + "/ffn/layer_norm");
        add(layer + "/ffn/linear_0/weight", {4, 8});
        add(layer + "/ffn/linear_1/weight", {8, 4});
    }
    file.set("dragoman.aliases.names", GgufBytes::texts({"decoder/embeddings/weight", "decoder/projection/weight"}));
    file.set("dragoman.aliases.targets",
             GgufBytes::texts({"encoder/embeddings_0/weight", "encoder/embeddings_0/weight"}));
    return file;
}

}  // namespace dragoman::test
