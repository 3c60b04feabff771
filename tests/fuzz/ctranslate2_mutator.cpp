// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

#include <vector>

using namespace dragoman::test;

namespace {

// A variable of model.bin: name, shape, type and bytes.
struct Variable {
    std::string name;
    std::vector<uint32_t> shape;
    uint8_t type = 0;
    std::string bytes;
};

struct Model {
    std::string head;  // up to the number of variables
    std::vector<Variable> variables;
    std::string tail;  // aliases
    uint32_t version = 0;
};

struct Reader {
    std::string_view bytes;
    std::size_t at = 0;
    bool sound = true;

    std::string take(std::size_t size) {
        if (size > bytes.size() - at) return sound = false, std::string();
        at += size;
        return std::string(bytes.substr(at - size, size));
    }
    template <class T>
    T number() {
        const std::string raw = take(sizeof(T));
        return sound ? read_le<T>(raw, 0) : T{};
    }
    std::string text() { return take(number<uint16_t>()); }
};

bool read_model(std::string_view bytes, Model& model) {
    Reader in{bytes};
    model.version = in.number<uint32_t>();
    if (model.version >= 2) in.text(), in.number<uint32_t>();
    model.head = bytes.substr(0, in.at);
    const auto count = in.number<uint32_t>();
    for (uint32_t i = 0; i < count && in.sound; ++i) {
        Variable one;
        one.name = in.text();
        const auto rank = in.number<uint8_t>();
        for (int d = 0; d < rank && in.sound; ++d) one.shape.push_back(in.number<uint32_t>());
        one.type = in.number<uint8_t>();
        const uint64_t unit = model.version >= 4 ? 1 : one.type;
        one.bytes = in.take(in.number<uint32_t>() * unit);
        if (in.sound) model.variables.push_back(std::move(one));
    }
    if (!in.sound || model.variables.empty()) return false;
    model.tail = bytes.substr(in.at);
    return true;
}

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string written(const Model& model) {
    std::string out = model.head;
    put(out, static_cast<uint32_t>(model.variables.size()));
    for (const Variable& one : model.variables) {
        put(out, static_cast<uint16_t>(one.name.size()));
        out += one.name;
        put(out, static_cast<uint8_t>(one.shape.size()));
        for (const uint32_t size : one.shape) put(out, size);
        put(out, one.type);
        const uint32_t unit = model.version >= 4 || one.type == 0 ? 1 : one.type;
        put(out, static_cast<uint32_t>(one.bytes.size() / unit));
        out += one.bytes;
    }
    return out + model.tail;
}

// As many bytes as shape and type say, where they are few.
void fill(Variable& one, uint32_t version) {
    constexpr uint64_t by_id[] = {4, 1, 2, 4, 2, 2};
    uint64_t bytes = version >= 4 ? by_id[one.type % 6] : one.type;
    for (const uint32_t size : one.shape) {
        bytes *= size;
        if (bytes > 4096) return;
    }
    one.bytes.resize(bytes, '\0');
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    Model model;
    if (chance.one_in(8) || !read_model(view(data, size), model)) return LLVMFuzzerMutate(data, size, max_size);
    const std::size_t which = chance.below(model.variables.size());
    Variable& one = model.variables[which];
    switch (chance.below(8)) {
        case 0: one.name = changed(one.name, one.name.size() + 16); break;
        case 1: one.name = model.variables[chance.below(model.variables.size())].name; break;
        case 2: one.type = static_cast<uint8_t>(chance.below(8)); break;
        case 3: one.shape.resize(chance.below(10), 1); break;
        case 4:
            if (!one.shape.empty()) one.shape[chance.below(one.shape.size())] = uint32_t(chance.number(32));
            break;
        case 5: one.bytes = changed(one.bytes, one.bytes.size() + 1); break;
        case 6:
            model.variables.erase(model.variables.begin() + static_cast<long>(which));
            return give(written(model), data, max_size);
        default: model.tail = changed(model.tail, model.tail.size() + 32);
    }
    if (!chance.one_in(4)) fill(one, model.version);
    return give(written(model), data, max_size);
}
