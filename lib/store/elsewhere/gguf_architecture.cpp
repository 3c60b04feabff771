// SPDX-License-Identifier: Apache-2.0
#include "store/elsewhere/gguf_architecture.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace {

constexpr uint64_t kBeginning = 1 << 16;  // writers put the key first
constexpr uint32_t kString = 8, kArray = 9;
constexpr uint32_t kBytesOfType[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};  // by number, 0 for those two

// Reads what is there; from the first missing byte on, everything is missing.
class Beginning {
public:
    explicit Beginning(std::string_view bytes) : rest_(bytes) {}

    template <class T>
    std::optional<T> number() {
        const auto bytes = take(sizeof(T));
        if (!bytes) return std::nullopt;
        T value;
        std::memcpy(&value, bytes->data(), sizeof value);
        return value;
    }

    std::optional<std::string_view> text() {
        const auto size = number<uint64_t>();
        return size ? take(*size) : std::nullopt;
    }

    std::optional<std::string_view> take(uint64_t size) {
        if (size > rest_.size()) {
            rest_ = {};
            return std::nullopt;
        }
        const auto taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

private:
    std::string_view rest_;
};

std::string find_architecture(Beginning file) {
    if (file.take(4) != "GGUF" || file.number<uint32_t>().value_or(0) < 2) return {};
    file.number<uint64_t>();  // tensors
    const uint64_t keys = file.number<uint64_t>().value_or(0);
    for (uint64_t i = 0; i < keys; ++i) {
        const auto key = file.text();
        const auto type = file.number<uint32_t>();
        if (!key || !type || *type >= std::size(kBytesOfType) || *type == kArray) return {};
        if (*type != kString) {
            if (!file.take(kBytesOfType[*type])) return {};
            continue;
        }
        const auto text = file.text();
        if (!text) return {};
        if (*key == "general.architecture") return std::string(*text);
    }
    return {};
}

}  // namespace

std::string gguf_architecture(const std::filesystem::path& file) {
    static_assert(std::endian::native == std::endian::little);
    try {
        return find_architecture(Beginning(read_beginning(file, kBeginning)));
    } catch (const Error&) {
        return {};
    }
}

bool is_read_architecture(std::string_view architecture) { return architecture == "dragoman" || architecture == "t5"; }

}  // namespace dragoman::store
