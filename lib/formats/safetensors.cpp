// SPDX-License-Identifier: Apache-2.0
#include "formats/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "files/file_map.h"
#include "formats/json_object.h"

namespace dragoman::formats {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "tensors are read in place");

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit
constexpr uint64_t kMaxElements = uint64_t{1} << 40;
constexpr std::size_t kMaxTensorRank = 8;
constexpr const char* kMetadata = "__metadata__";

std::string_view read_header(std::span<const std::byte> bytes, const std::string& file) {
    if (bytes.size() < kLengthBytes) {
        fail(Status::bad_model, "{}: expected 8 bytes of header length, file has {}", file, bytes.size());
    }
    uint64_t length = 0;
    fetch(bytes.first(kLengthBytes));
    std::memcpy(&length, bytes.data(), sizeof length);
    const uint64_t most = std::min<uint64_t>(bytes.size() - kLengthBytes, kMaxHeaderBytes);
    if (length > most) {
        fail(Status::bad_model, "{}: header length: expected at most {}, file has {}{}", file, most, length,
             length <= kMaxHeaderBytes ? ": it is cut short, or no safetensors file" : "");
    }
    fetch(bytes.subspan(kLengthBytes, length));
    return {reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length};
}

// One entry of the header; messages name it.
class EntryReader {
public:
    EntryReader(const std::string& file, const std::string& name, const json& entry)
        : file_(file), where_(file + ": " + name), entry_(entry) {
        if (entry.is_object()) return;
        fail(Status::bad_model, "{}: expected an object, file has {}", where_, entry.type_name());
    }

    Checkpoint::Tensor read(std::span<const std::byte> data, bool mapped) const {
        Checkpoint::Tensor tensor{.file = file_, .type = {}, .shape = {}, .bytes = {}, .mapped = mapped};
        const json& type = member("dtype");
        if (!type.is_string()) {
            fail(Status::bad_model, "{}: dtype: expected a string, file has {}", where_, short_text(type));
        }
        tensor.type = type.get<std::string>();
        const auto item = item_bytes(tensor.type);
        if (!item) {
            fail(Status::bad_model, "{}: dtype: expected a type of safetensors, file has {}", where_, short_text(type));
        }

        const std::vector<uint64_t> shape = numbers("shape");
        if (shape.size() > kMaxTensorRank) {
            fail(Status::bad_model, "{}: expected at most {} dimensions, file has {}", where_, kMaxTensorRank,
                 shape.size());
        }
        uint64_t elements = 1;
        for (const uint64_t size : shape) {
            if (size > std::numeric_limits<uint32_t>::max() || (elements *= size) > kMaxElements) {
                fail(Status::bad_model, "{}: shape: expected at most 2^40 elements, file has {}", where_,
                     fmt::join(shape, "x"));
            }
            tensor.shape.push_back(static_cast<uint32_t>(size));
        }

        const std::vector<uint64_t> offsets = numbers("data_offsets");
        if (offsets.size() == 2 && offsets[1] > data.size() && offsets[1] - offsets[0] == elements * *item) {
            fail(
                Status::bad_model,
                "{}: data_offsets {}: expected {} bytes ({} {}), the file's {} bytes of data have {} of them: it is cut "
                "short",
                where_, short_text(member("data_offsets")), elements * *item, describe_shape(tensor.shape), tensor.type,
                data.size(), data.size() - std::min<uint64_t>(offsets[0], data.size()));
        }
        if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size()) {
            fail(Status::bad_model,
                 "{}: data_offsets: expected begin and end within the file's {} bytes of data, file has {}", where_,
                 data.size(), short_text(member("data_offsets")));
        }
        tensor.bytes = data.subspan(offsets[0], offsets[1] - offsets[0]);
        if (tensor.bytes.size() != elements * *item) {
            fail(Status::bad_model, "{}: expected {} bytes ({} {}), file has {}", where_, elements * *item,
                 describe_shape(tensor.shape), tensor.type, tensor.bytes.size());
        }
        return tensor;
    }

private:
    const json& member(const char* key) const {
        const auto found = entry_.find(key);
        if (found == entry_.end()) fail(Status::bad_model, "{}: expected {}, the entry has none", where_, key);
        return *found;
    }

    std::vector<uint64_t> numbers(const char* key) const {
        const json& list = member(key);
        const auto fits = [](const json& item) { return item.is_number_unsigned(); };
        if (!list.is_array() || !std::all_of(list.begin(), list.end(), fits)) {
            fail(Status::bad_model, "{}: {}: expected an array of whole numbers, file has {}", where_, key,
                 short_text(list));
        }
        return list.get<std::vector<uint64_t>>();
    }

    const std::string& file_;
    std::string where_;
    const json& entry_;
};

// If no tensor or two tensors cover some data, header and data do not belong together.
void check_coverage(const std::string& file, const Checkpoint::Tensors& tensors, std::span<const std::byte> data) {
    std::vector<std::pair<std::string_view, std::span<const std::byte>>> order;
    for (const auto& [name, tensor] : tensors) order.emplace_back(name, tensor.bytes);
    std::ranges::sort(order, {}, [](const auto& item) { return std::pair(item.second.data(), item.second.size()); });
    uint64_t covered = 0;
    for (const auto& [name, bytes] : order) {
        const auto begin = static_cast<uint64_t>(bytes.data() - data.data());
        if (begin != covered) {
            fail(Status::bad_model, "{}: {}: data_offsets: expected {} (the end of the tensor before), file has {}",
                 file, name, covered, begin);
        }
        covered += bytes.size();
    }
    if (covered != data.size()) {
        fail(Status::bad_model, "{}: expected {} bytes of data for the tensors, file has {}", file, covered,
             data.size());
    }
}

}  // namespace

Safetensors::Safetensors(const FileBytes& file) : Checkpoint(file.name), owner_(file.owner) {
    const std::string_view header = read_header(file.bytes, file_);
    const json entries = parse_json_object(file_ + ": header", header);
    const auto data = file.bytes.subspan(kLengthBytes + header.size());
    for (const auto& [name, entry] : entries.items()) {
        if (name != kMetadata) tensors_.emplace(name, EntryReader(file_, name, entry).read(data, file.mapped));
    }
    check_coverage(file_, tensors_, data);
}

}  // namespace dragoman::formats
