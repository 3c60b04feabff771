// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate.h"

#include <vector>

#include "formats/gguf_types.h"

using namespace dragoman::test;
using dragoman::formats::gguf::Value;

namespace {

// Where a file has its parts.
struct Places {
    struct Part {
        std::size_t at, bytes;
    };
    std::vector<Part> numbers, texts;  // texts: behind their lengths
    std::vector<Part> keys;            // whole, from the name's length to the value's end
    std::size_t end = 0;
    bool whole = false;
};

class Walk {
public:
    explicit Walk(std::string_view bytes) : bytes_(bytes) {}

    Places places() {
        at_ = 8;
        const uint64_t tensors = number<uint64_t>(), keys = number<uint64_t>();
        for (uint64_t i = 0; i < keys && sound_; ++i) {
            const std::size_t begin = at_;
            text();
            value(number<uint32_t>(), 0);
            if (sound_) places_.keys.push_back({begin, at_ - begin});
        }
        for (uint64_t i = 0; i < tensors && sound_; ++i) {
            text();
            const auto dimensions = number<uint32_t>();
            for (uint32_t d = 0; d < dimensions && sound_; ++d) number<uint64_t>();
            number<uint32_t>();
            number<uint64_t>();
        }
        places_.end = at_;
        places_.whole = sound_;
        return places_;
    }

private:
    template <class T>
    T number() {
        if (at_ + sizeof(T) > bytes_.size()) return sound_ = false, T{};
        places_.numbers.push_back({at_, sizeof(T)});
        at_ += sizeof(T);
        return read_le<T>(bytes_, at_ - sizeof(T));
    }
    void skip(uint64_t count) {
        if (count > bytes_.size() - at_) sound_ = false;
        else at_ += count;
    }
    void text() {
        const auto size = number<uint64_t>();
        const std::size_t at = at_;
        skip(size);
        if (sound_) places_.texts.push_back({at, size});
    }
    void value(uint32_t type, int depth) {
        if (type >= dragoman::formats::gguf::kValues || depth > 4) sound_ = false;
        else if (Value(type) == Value::string) text();
        else if (Value(type) == Value::array) {
            const auto element = number<uint32_t>();
            const auto count = number<uint64_t>();
            for (uint64_t i = 0; i < count && sound_; ++i) value(element, depth + 1);
        } else {
            const uint32_t bytes = value_bytes(Value(type));
            places_.numbers.push_back({at_, bytes});
            skip(bytes);
        }
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    bool sound_ = true;
    Places places_;
};

// The data begins at a multiple of 32, so what is put in or taken out before it moves it by such a step.
std::string realigned(const std::string& made, std::string_view before, std::size_t old_end, std::ptrdiff_t grown) {
    const auto up = [](std::size_t at) { return (at + 31) / 32 * 32; };
    const std::size_t end = old_end + static_cast<std::size_t>(grown);
    std::string result = made.substr(0, end);
    result.resize(up(end), '\0');
    if (up(old_end) < before.size()) result += before.substr(up(old_end));
    return result;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    Chance chance(seed);
    const std::string_view bytes = view(data, size);
    const Places places = Walk(bytes).places();
    if (!places.whole || places.texts.empty() || places.keys.empty() || chance.one_in(8))
        return LLVMFuzzerMutate(data, size, max_size);
    std::string made(bytes);
    if (chance.one_in(2)) {
        const Places::Part part = places.numbers[chance.below(places.numbers.size())];
        const uint64_t value = chance.one_in(3) ? read_le<uint8_t>(bytes, part.at) + 1
                                                : chance.number(static_cast<unsigned>(part.bytes * 8));
        std::memcpy(made.data() + part.at, &value, part.bytes);
        return give(made, data, max_size);
    }
    if (chance.one_in(2)) {  // another text, with its length
        const Places::Part part = places.texts[chance.below(places.texts.size())];
        const std::string other = chance.one_in(3) && !places.texts.empty()
                                      ? std::string(bytes.substr(places.texts[0].at, places.texts[0].bytes))
                                      : changed(made.substr(part.at, part.bytes), part.bytes + 32);
        write_le<uint64_t>(made, part.at - 8, other.size());
        made.replace(part.at, part.bytes, other);
        const auto grown = static_cast<std::ptrdiff_t>(other.size()) - static_cast<std::ptrdiff_t>(part.bytes);
        return give(realigned(made, bytes, places.end, grown), data, max_size);
    }
    const Places::Part key = places.keys[chance.below(places.keys.size())];  // twice, or not at all
    const auto keys = read_le<uint64_t>(bytes, 16);
    if (chance.one_in(2)) {
        made.erase(key.at, key.bytes);
        write_le<uint64_t>(made, 16, keys - 1);
        return give(realigned(made, bytes, places.end, -static_cast<std::ptrdiff_t>(key.bytes)), data, max_size);
    }
    made.insert(key.at, made.substr(key.at, key.bytes));
    write_le<uint64_t>(made, 16, keys + 1);
    return give(realigned(made, bytes, places.end, static_cast<std::ptrdiff_t>(key.bytes)), data, max_size);
}
