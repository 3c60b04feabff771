// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

using namespace dragoman::test;

namespace {

constexpr std::size_t kLength = sizeof(uint64_t);

// Offsets that follow each other, of as many bytes as type and shape say, so that what was changed is read.
void lay_out(nlohmann::json& header, std::string& values) {
    static const std::map<std::string, uint64_t> bytes = {{"F64", 8},  {"I64", 8}, {"F32", 4}, {"I32", 4}, {"F16", 2},
                                                          {"BF16", 2}, {"I16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}};
    uint64_t at = 0;
    for (auto& [name, tensor] : header.items()) {
        if (name == "__metadata__" || !tensor.is_object() || !tensor.contains("shape")) continue;
        uint64_t size = 4;
        if (tensor.contains("dtype") && tensor["dtype"].is_string())
            if (const auto found = bytes.find(tensor["dtype"]); found != bytes.end()) size = found->second;
        if (!tensor["shape"].is_array()) continue;
        for (const auto& dimension : tensor["shape"]) {
            if (!dimension.is_number_unsigned() || dimension > 64) return;
            size *= dimension.get<uint64_t>();
        }
        if (at + size > 8192) return;
        tensor["data_offsets"] = {at, at + size};
        at += size;
    }
    values.resize(at, '\1');
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    const std::string_view bytes = view(data, size);
    const auto length = read_le<uint64_t>(bytes, 0);
    if (size < kLength || length > size - kLength || chance.one_in(8)) return LLVMFuzzerMutate(data, size, max_size);
    std::string header(bytes.substr(kLength, length)), values(bytes.substr(kLength + length));
    auto read = nlohmann::json::parse(header, nullptr, false);
    if (!read.is_object() || chance.one_in(6)) {
        header = changed(header, header.size() + 32);
    } else {
        change_json(read, chance);
        if (read.is_object() && !chance.one_in(4)) lay_out(read, values);
        header = read.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    std::string made(kLength, '\0');
    write_le<uint64_t>(made, 0, header.size());
    return give(made + header + values, data, max_size);
}
