// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "support/zip_file.h"

// Marian's containers, written byte by byte.
namespace dragoman::test {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string little_endian(uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
    return out;
}

struct BinItem {
    std::string name;
    uint64_t code = 0x404;
    std::vector<uint32_t> shape;
    std::string data;
};

inline std::string marian_bin(const std::vector<BinItem>& items, uint64_t version = 1) {
    std::string out = little_endian(version, 8) + little_endian(items.size(), 8);
    const auto padded = [](const BinItem& item) { return item.data + std::string(-item.data.size() % 256, '\0'); };
    for (const BinItem& item : items)
        out += little_endian(item.name.size() + 1, 8) + little_endian(item.code, 8) +
               little_endian(item.shape.size(), 8) + little_endian(padded(item).size(), 8);
    for (const BinItem& item : items) out += item.name + '\0';
    for (const BinItem& item : items)
        for (const uint32_t size : item.shape) out += little_endian(size, 4);
    const std::size_t padding = ((out.size() + 8) / 256 + 1) * 256 - out.size() - 8;
    out += little_endian(padding, 8) + std::string(padding, '\0');
    for (const BinItem& item : items) out += padded(item);
    return out;
}

inline BinItem bin_options(const std::string& text) {
    return {"special:model.yml", 0x101, {static_cast<uint32_t>(text.size() + 1)}, text + '\0'};
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data, int version = 1,
                       const std::string& order = "False") {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
    header += std::string(63 - (header.size() + (version == 1 ? 10 : 12)) % 64, ' ') + '\n';
    return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
           little_endian(header.size(), version == 1 ? 2 : 4) + header + data;
}

inline std::string npy(const std::vector<uint32_t>& shape, const std::vector<float>& values) {
    std::string text = "(";
    for (const uint32_t size : shape) text += std::to_string(size) + ", ";
    return npy("<f4", text + ")", bytes_of(values));
}

// A post-norm model of one layer each: 2 heads, feed-forward 6, 5 tokens; values count up.
struct TinyMarian {
    struct Parameter {
        std::vector<uint32_t> shape;
        std::vector<float> values;
    };
    std::map<std::string, Parameter> parameters;
    std::map<std::string, std::string> options = {{"type", "transformer"},
                                                  {"dim-emb", "4"},
                                                  {"enc-depth", "1"},
                                                  {"dec-depth", "1"},
                                                  {"transformer-heads", "2"},
                                                  {"transformer-dim-ffn", "6"},
                                                  {"tied-embeddings-all", "true"}};

    TinyMarian() : TinyMarian(4) {}
    explicit TinyMarian(uint32_t width) {
        options["dim-emb"] = std::to_string(width);
        add("Wemb", {5, width});
        add("decoder_ff_logit_out_b", {1, 5});
        for (const std::string prefix : {"encoder_l1_self", "decoder_l1_self", "decoder_l1_context"}) {
            for (const std::string end : {"q", "k", "v", "o"}) {
                add(prefix + "_W" + end, {width, width});
                add(prefix + "_b" + end, {1, width});
            }
            norm(prefix + "_Wo", width);
        }
        for (const std::string prefix : {"encoder_l1_ffn", "decoder_l1_ffn"}) {
            add(prefix + "_W1", {width, 6});
            add(prefix + "_b1", {1, 6});
            add(prefix + "_W2", {6, width});
            add(prefix + "_b2", {1, width});
            norm(prefix + "_ffn", width);
        }
    }

    void add(const std::string& name, const std::vector<uint32_t>& shape) {
        uint32_t count = 1;
        for (const uint32_t size : shape) count *= size;
        std::vector<float> values(count);
        for (float& value : values) value = static_cast<float>(next_++) / 16;
        parameters[name] = {shape, values};
    }

    void norm(const std::string& name, uint32_t width) {
        add(name + "_ln_scale", {1, width});
        add(name + "_ln_bias", {1, width});
    }

    std::string yaml() const {
        std::string text;
        for (const auto& [key, value] : options) text += key + ": " + value + "\n";
        return text;
    }

    std::string npz(bool pack = false) const {
        ZipFile zip;
        for (const auto& [name, parameter] : parameters)
            zip.add(name + ".npy", npy(parameter.shape, parameter.values), pack);
        const std::string text = yaml() + '\0';
        zip.add("special:model.yml.npy", npy("|i1", "(" + std::to_string(text.size()) + ",)", text), pack);
        return zip.bytes();
    }

    std::vector<BinItem> items() const {
        std::vector<BinItem> result;
        for (const auto& [name, parameter] : parameters)
            result.push_back({name, 0x404, parameter.shape, bytes_of(parameter.values)});
        result.push_back(bin_options(yaml()));
        return result;
    }

    std::string bin() const { return marian_bin(items()); }

private:
    int next_ = 1;
};

inline constexpr const char* kTinyVocabulary = "</s>: 0\n<unk>: 1\na: 2\nb: 3\nc: 4\n";

}  // namespace dragoman::test
