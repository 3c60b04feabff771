// SPDX-License-Identifier: Apache-2.0
#include "formats/ctranslate2_container.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "formats/byte_reader.h"

namespace dragoman::formats {
namespace {

constexpr uint32_t kNewestBinaryVersion = 6;
constexpr uint32_t kMaxVariableRank = 8;
// Real models stay below 10,000; the bound keeps a forged count from costing memory.
constexpr uint32_t kMaxVariables = 1u << 20;

std::string read_string(ByteReader& in, std::string_view what) {
    const uint64_t at = in.offset();
    const auto size = in.read<uint16_t>(what);
    const auto bytes = in.take(size, what);
    if (bytes.empty() || bytes.back() != std::byte{0}) {
        fail(Status::bad_model, "{}: {} at byte {}: expected a final NUL, the {} bytes have none", in.file(), what, at,
             size);
    }
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size() - 1);
    const auto printable = [](char c) { return c >= 0x20 && c < 0x7f; };
    if (!std::all_of(text.begin(), text.end(), printable)) {
        fail(Status::bad_model, "{}: {} at byte {}: expected printable ASCII, file has other bytes", in.file(), what,
             at);
    }
    return text;
}

uint32_t read_count(ByteReader& in, std::string_view what, uint64_t smallest_record) {
    const uint64_t at = in.offset();
    const auto count = in.read<uint32_t>(what);
    const uint64_t most = std::min<uint64_t>(in.remaining() / smallest_record, kMaxVariables);
    if (count > most) {
        fail(Status::bad_model, "{}: {} at byte {}: expected at most {}, file has {}", in.file(), what, at, most,
             count);
    }
    return count;
}

DType dtype_of_id(const ByteReader& in, std::string_view name, uint8_t id) {
    constexpr std::array types{DType::f32, DType::i8, DType::i16, DType::i32, DType::f16, DType::bf16};
    if (id >= types.size()) {
        fail(Status::bad_model, "{}: {}: expected a type id from 0 to {}, file has {}", in.file(), name,
             types.size() - 1, id);
    }
    return types[id];
}

DType dtype_of_size(const ByteReader& in, std::string_view name, uint8_t size) {
    switch (size) {
        case 4: return DType::f32;
        case 2: return DType::i16;
        case 1: return DType::i8;
        default:
            fail(Status::bad_model, "{}: {}: expected an item size of 1, 2 or 4, file has {}", in.file(), name, size);
    }
}

spec::HostTensor read_tensor(ByteReader& in, std::string_view name, uint32_t binary_version) {
    spec::HostTensor tensor;
    const auto rank = in.read<uint8_t>(name);
    if (rank > kMaxVariableRank) {
        fail(Status::bad_model, "{}: {}: expected at most {} dimensions, file has {}", in.file(), name,
             kMaxVariableRank, rank);
    }
    // A zero dimension makes the product zero but must not hide an absurd one, so each partial product is bounded.
    constexpr uint64_t kMaxElements = uint64_t{1} << 40;
    uint64_t elements = 1;
    for (int i = 0; i < rank; ++i) {
        const auto size = in.read<uint32_t>(name);
        elements *= size;
        if (elements > kMaxElements) {
            fail(Status::bad_model, "{}: {}: expected at most 2^40 elements, file has more", in.file(), name);
        }
        tensor.shape.push_back(size);
    }
    const auto type = in.read<uint8_t>(name);
    const bool has_type_ids = binary_version >= 4;
    tensor.dtype = has_type_ids ? dtype_of_id(in, name, type) : dtype_of_size(in, name, type);
    const uint64_t stated = uint64_t{in.read<uint32_t>(name)} * (has_type_ids ? 1 : size_bytes(tensor.dtype));
    const uint64_t expected = elements * size_bytes(tensor.dtype);
    if (stated != expected) {
        fail(Status::bad_model, "{}: {}: expected {} bytes ({} {}), file has {}", in.file(), name, expected,
             fmt::join(tensor.shape, "x"), dragoman::name(tensor.dtype), stated);
    }
    tensor.bytes = in.pass(expected, name);
    return tensor;
}

// `alias` shares the data of `name`, when the file has it.
void add_alias(Ct2Container& container, const std::string& alias, const std::string& name) {
    if (const auto* target = container.find(name)) container.variables.emplace(alias, *target);
}

void read_aliases(ByteReader& in, Ct2Container& container) {
    const uint32_t count = read_count(in, "number of aliases", 2 * (2 + 1));
    std::vector<std::pair<std::string, std::string>> aliases;
    for (uint32_t i = 0; i < count; ++i) {
        std::string alias = read_string(in, "alias name");
        std::string name = read_string(in, "alias target");
        if (container.find(alias)) {
            fail(Status::bad_model, "{}: alias {}: expected a new name, the model has it already", in.file(), alias);
        }
        add_alias(container, alias, name);
        aliases.emplace_back(std::move(alias), std::move(name));
    }
    // Scales' aliases come after all explicit ones, which win.
    for (const auto& [alias, name] : aliases) add_alias(container, alias + "_scale", name + "_scale");
}

}  // namespace

const Ct2Container::Variable* Ct2Container::find(std::string_view name) const {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : &found->second;
}

Ct2Container read_ct2_container(const FileBytes& file) {
    ByteReader in(file.bytes, file.name);
    Ct2Container container;
    container.binary_version = in.read<uint32_t>("binary version");
    if (container.binary_version == 0) {
        fail(Status::bad_model, "{}: binary version: expected 1 to {}, file has 0", in.file(), kNewestBinaryVersion);
    }
    if (container.binary_version > kNewestBinaryVersion) {
        fail(Status::unsupported, "{}: binary version: expected 1 to {}, file has {}", in.file(), kNewestBinaryVersion,
             container.binary_version);
    }
    if (container.binary_version >= 2) {
        container.spec = read_string(in, "spec name");
        container.revision = in.read<uint32_t>("spec revision");
    }
    // The smallest variable has an empty name and no dimensions: 2 + 1 + 1 + 1 + 4 bytes.
    const uint32_t count = read_count(in, "number of variables", 9);
    for (uint32_t i = 0; i < count; ++i) {
        std::string name = read_string(in, "variable name");
        Ct2Container::Variable variable{read_tensor(in, name, container.binary_version), name};
        variable.tensor.mapped = file.mapped;
        const auto [at, added] = container.variables.emplace(std::move(name), std::move(variable));
        if (!added) {
            fail(Status::bad_model, "{}: {}: expected one variable of this name, file has two", in.file(), at->first);
        }
    }
    if (container.binary_version >= 3) read_aliases(in, container);
    if (in.remaining() != 0) {
        fail(Status::bad_model, "{}: expected the end of the file at byte {}, file has {} more", in.file(), in.offset(),
             in.remaining());
    }
    return container;
}

}  // namespace dragoman::formats
