// SPDX-License-Identifier: Apache-2.0
// dragoman.json and the names and shapes of a state dict. The input is the former up to a zero byte, then a line for each
// tensor with its name and sizes: "output.weight 4 2".
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "families/families.h"
#include "fuzz/fuzz.h"

namespace dragoman::test::pytorch_fuzz {

namespace {

constexpr uint64_t kMaxElements = 1u << 16;

// A safetensors file of zeros.
std::string state_dict(const std::string& lines) {
    nlohmann::json header = nlohmann::json::object();
    std::istringstream in(lines);
    uint64_t bytes = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        std::vector<uint32_t> shape;
        uint64_t elements = 1;
        for (uint32_t size; words >> size && elements <= kMaxElements;) {
            shape.push_back(size);
            elements *= size;
        }
        if (elements > kMaxElements || header.contains(name)) continue;
        header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {bytes, bytes + elements * 4}}};
        bytes += elements * 4;
    }
    const std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const uint64_t length = text.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text + std::string(bytes, '\0');
}

FileBytes file_of(const char* name, const std::string& content) {
    return {.name = name, .bytes = std::as_bytes(std::span(content)), .owner = nullptr};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const uint8_t* const stop = std::find(data, data + size, uint8_t{0});
    const std::string description(data, stop),
        state = state_dict(std::string(std::min(stop + 1, data + size), data + size));
    const std::string words = "<pad>\n<s>\n</s>\n<unk>\n";
    const test::MemoryFiles files({file_of("dragoman.json", description), file_of("model.safetensors", state),
                                   file_of("words.txt", words)});
    return test::refusing([&] {
        const spec::ModelSpec spec = families::load(files);
        for (const auto& [name, tensor] : spec.weights.tensors()) {
            DRAGOMAN_ASSERT(tensor.dtype == DType::f32);
            test::touch_all(tensor);
        }
    });
}

}  // namespace dragoman::test::pytorch_fuzz
