// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "files/file_map.h"
#include "formats/byte_reader.h"
#include "formats/marian_file.h"

namespace dragoman::formats {
namespace {

constexpr uint64_t kVersion = 1, kEncryptedVersion = 2;
constexpr uint64_t kItemHeaderBytes = 32;
// Real models stay below 10,000 items of 2 dimensions.
constexpr uint64_t kMaxItems = uint64_t{1} << 20, kMaxItemRank = 8, kMaxItemNameBytes = 4096;
constexpr uint64_t kMaxItemElements = uint64_t{1} << 40;

// The type codes of marian-nmt; those of browsermt's fork (Firefox, Bergamot) where they differ.
enum Code : uint64_t {
    kInt8 = 0x101,
    kFloat16 = 0x402,
    kFloat32 = 0x404,
    kFloat64 = 0x408,
    kIntgemm8 = 0x10001,
    kIntgemm16 = 0x10002,
    kForkIntgemm8 = 0x4101,
    kForkIntgemm16 = 0x4102,
};

struct OtherType {
    uint64_t code;
    std::string_view name;
};
constexpr OtherType kForOneCpu[] = {
    {0x802, "packed16"},
    {0x1801, "packed8avx2"},
    {0x2801, "packed8avx512"},
    {0x18001, "intgemm8ssse3"},
    {0x11001, "intgemm8avx2"},
    {0x12001, "intgemm8avx512"},
    {0x13001, "intgemm8avx512vnni"},
    {0x14002, "intgemm16sse2"},
    {0x11002, "intgemm16avx2"},
    {0x12002, "intgemm16avx512"},
};
constexpr OtherType kNoWeights[] = {
    {0x102, "int16"},  {0x104, "int32"},  {0x108, "int64"},  {0x201, "uint8"},
    {0x202, "uint16"}, {0x204, "uint32"}, {0x208, "uint64"},
};

struct Item {
    std::string name;
    uint64_t code = 0, name_bytes = 0, rank = 0, data_bytes = 0, elements = 1;
    std::vector<uint32_t> shape;
};

class BinReader {
public:
    explicit BinReader(const FileBytes& file) : in_(file.bytes, file.name), owner_(file.owner), mapped_(file.mapped) {}

    MarianFile read() {
        MarianFile result;
        result.name = in_.file();
        result.owners.push_back(owner_);
        check_version();
        auto items = read_headers();
        for (Item& item : items) read_name(item);
        for (Item& item : items) read_shape(item);
        in_.take(in_.read<uint64_t>("padding size"), "padding");
        bool has_options = false;
        for (Item& item : items) {
            const auto data = in_.pass(item.data_bytes, item.name);
            if (item.name == kMarianOptions && item.code == kInt8) {
                fetch(data);
                result.options = marian_options_text(first(item, data, 1));
                has_options = true;
            } else {
                take(item, data, result);
            }
        }
        if (!has_options) {
            fail(Status::bad_model, "{}: expected an item {}, the file has none", in_.file(), kMarianOptions);
        }
        return result;
    }

private:
    void check_version() {
        const auto version = in_.read<uint64_t>("version");
        if (version == kEncryptedVersion) {
            fail(Status::unsupported, "{}: version: expected {}, file has {} (encrypted; decrypt it with marian-conv)",
                 in_.file(), kVersion, version);
        }
        if (version != kVersion) {
            fail(Status::bad_model, "{}: version: expected {}, file has {}", in_.file(), kVersion, version);
        }
    }

    std::vector<Item> read_headers() {
        const auto count = in_.read<uint64_t>("number of items");
        const uint64_t most = std::min(in_.remaining() / kItemHeaderBytes, kMaxItems);
        if (count > most) {
            fail(Status::bad_model, "{}: number of items: expected at most {}, file has {}", in_.file(), most, count);
        }
        std::vector<Item> items(count);
        for (Item& item : items) {
            item.name_bytes = in_.read<uint64_t>("name size");
            item.code = in_.read<uint64_t>("type");
            item.rank = in_.read<uint64_t>("number of dimensions");
            item.data_bytes = in_.read<uint64_t>("data size");
        }
        return items;
    }

    void read_name(Item& item) {
        const uint64_t at = in_.offset();
        if (item.name_bytes > kMaxItemNameBytes) {
            fail(Status::bad_model, "{}: name at byte {}: expected at most {} bytes, file has {}", in_.file(), at,
                 kMaxItemNameBytes, item.name_bytes);
        }
        const auto bytes = in_.take(item.name_bytes, "name");
        const auto printable = [](std::byte b) { return b >= std::byte{0x20} && b < std::byte{0x7f}; };
        if (bytes.empty() || bytes.back() != std::byte{0} ||
            !std::ranges::all_of(bytes.first(bytes.size() - 1), printable)) {
            fail(Status::bad_model, "{}: name at byte {}: expected printable ASCII and a NUL, file has other bytes",
                 in_.file(), at);
        }
        item.name.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size() - 1);
    }

    void read_shape(Item& item) {
        if (item.rank > kMaxItemRank) {
            fail(Status::bad_model, "{}: {}: expected at most {} dimensions, file has {}", in_.file(), item.name,
                 kMaxItemRank, item.rank);
        }
        for (uint64_t i = 0; i < item.rank; ++i) {
            const auto size = in_.read<uint32_t>(item.name);
            item.elements *= size;
            if (size > INT32_MAX || item.elements > kMaxItemElements) {
                fail(Status::bad_model, "{}: {}: expected at most 2^40 elements, file has {} in dimension {}",
                     in_.file(), item.name, size, i);
            }
            item.shape.push_back(size);
        }
    }

    // The bytes of the elements and the `extra` bytes after them; the rest is padding.
    std::span<const std::byte> first(const Item& item, std::span<const std::byte> data, uint64_t element_size,
                                     uint64_t extra = 0) const {
        const uint64_t expected = item.elements * element_size + extra;
        if (data.size() < expected) {
            fail(Status::bad_model, "{}: {}: expected {} bytes ({}), file has {}", in_.file(), item.name, expected,
                 fmt::join(item.shape, "x"), data.size());
        }
        return data.first(expected);
    }

    MarianParameter integers(const Item& item, std::span<const std::byte> data, DType dtype) const {
        const bool embedding = item.name.find("Wemb") != std::string::npos;
        const uint64_t size = size_bytes(dtype) * item.elements;
        const auto bytes = first(item, data, size_bytes(dtype), sizeof(float));
        float scale;
        copy_bytes(bytes.subspan(size, sizeof scale), reinterpret_cast<std::byte*>(&scale));
        if (!(scale > 0) || !std::isfinite(scale)) {
            fail(Status::bad_model, "{}: {}: expected a multiplier above 0 after the integers, file has {}", in_.file(),
                 item.name, scale);
        }
        MarianParameter parameter{.tensor = {.dtype = dtype,
                                             .shape = item.shape,
                                             .bytes = bytes.first(size),
                                             .scales = {scale},
                                             .mapped = mapped_},
                                  .rows_are_outputs = !embedding && item.shape.size() == 2,
                                  .for_integer_products = dtype == DType::i8};
        if (parameter.rows_are_outputs) std::ranges::reverse(parameter.tensor.shape);
        return parameter;
    }

    void take(const Item& item, std::span<const std::byte> data, MarianFile& result) const {
        MarianParameter parameter;
        const auto floats = [&](DType dtype) {
            parameter.tensor = {.dtype = dtype,
                                .shape = item.shape,
                                .bytes = first(item, data, size_bytes(dtype)),
                                .scales = {},
                                .mapped = mapped_};
        };
        const auto is_item = [&](const OtherType& type) { return type.code == item.code; };
        switch (item.code) {
            case kFloat32: floats(DType::f32); break;
            case kFloat16: floats(DType::f16); break;
            case kFloat64: {
                const auto stored = first(item, data, sizeof(double));
                std::vector<std::byte> bytes(stored.size());
                copy_bytes(stored, bytes.data());
                const auto values = std::make_shared<std::vector<float>>(item.elements);
                for (uint64_t i = 0; i < item.elements; ++i) {
                    double value;
                    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
                    (*values)[i] = static_cast<float>(value);
                }
                parameter.tensor = {
                    .dtype = DType::f32, .shape = item.shape, .bytes = std::as_bytes(std::span(*values)), .scales = {}};
                result.owners.push_back(values);
                break;
            }
            case kIntgemm8:
            case kForkIntgemm8: parameter = integers(item, data, DType::i8); break;
            case kIntgemm16:
            case kForkIntgemm16: parameter = integers(item, data, DType::i16); break;
            default:
                if (const auto* type = std::ranges::find_if(kForOneCpu, is_item); type != std::end(kForOneCpu)) {
                    fail(Status::unsupported,
                         "{}: {}: expected float or intgemm numbers in their portable layout, "
                         "file has {}, laid out for one kind of CPU; convert the model again with marian-conv "
                         "--gemm-type intgemm8 or float32, or take the .npz",
                         in_.file(), item.name, type->name);
                }
                if (item.code == kInt8 || std::ranges::any_of(kNoWeights, is_item)) {
                    log(LogLevel::debug, "{}: {}: type 0x{:x} is not a weight", in_.file(), item.name, item.code);
                    return;
                }
                fail(Status::unsupported, "{}: {}: expected a type of Marian's, file has code 0x{:x}", in_.file(),
                     item.name, item.code);
        }
        if (!result.parameters.emplace(item.name, std::move(parameter)).second) {
            fail(Status::bad_model, "{}: {}: expected one item of this name, file has two", in_.file(), item.name);
        }
    }

    ByteReader in_;
    std::shared_ptr<const void> owner_;
    const bool mapped_;
};

}  // namespace

bool looks_like_marian_bin(std::span<const std::byte> bytes) {
    if (bytes.size() < 2 * sizeof(uint64_t)) return false;
    const auto version = ByteReader(bytes, "").read<uint64_t>("version");
    return version == kVersion || version == kEncryptedVersion;
}

MarianFile read_marian_bin(const FileBytes& file) { return BinReader(file).read(); }

}  // namespace dragoman::formats
