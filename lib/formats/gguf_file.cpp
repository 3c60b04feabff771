// SPDX-License-Identifier: Apache-2.0
#include "formats/gguf_file.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/utf8.h"
#include "formats/byte_reader.h"

namespace dragoman::formats {
namespace {

using gguf::Value;

static_assert(std::endian::native == std::endian::little, "tensors are read in place");

constexpr uint64_t kMaxKeyBytes = 65535;
constexpr uint64_t kMaxTensorElements = uint64_t{1} << 40;
constexpr uint64_t kMaxKeysBytes = uint64_t{1} << 29;  // vocabularies and shortlists take some MB
constexpr uint64_t kMaxAlignment = 1u << 20;
constexpr int kMaxNesting = 4;
constexpr std::string_view kAlignmentKey = "general.alignment", kArchitectureKey = "general.architecture";
// A file that was split has its number, how many there are, and the number of tensors in all of them.
constexpr std::string_view kPartKey = "split.no", kPartsKey = "split.count", kPartTensorsKey = "split.tensors.count";

std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A text for messages: printable, and not too long.
std::string shown(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, 60)) result += c >= ' ' && c <= '~' ? c : '?';
    return result;
}

}  // namespace

bool looks_like_gguf(std::span<const std::byte> bytes) {
    return bytes.size() >= sizeof gguf::kMagic && std::memcmp(bytes.data(), &gguf::kMagic, sizeof gguf::kMagic) == 0;
}

class GgufFile::Parser {
public:
    // `values`: where its keys go.
    Parser(GgufFile& result, const FileBytes& file, Values& values)
        : result_(result), values_(values), in_(file.bytes, file.name), bytes_(file.bytes), file_(file.name) {}

    void read_keys(bool first) {
        read_version();
        tensors_ = in_.read<uint64_t>("number of tensors");
        const auto keys = in_.read<uint64_t>("number of keys");
        for (uint64_t i = 0; i < keys; ++i) read_key();
        if (first && result_.integer(kPartKey).value_or(0) == 0) check_architecture();
    }

    void read_tensors() {
        const uint64_t alignment = read_alignment();
        std::vector<Described> described;
        for (uint64_t i = 0; i < tensors_; ++i) described.push_back(read_tensor(alignment));
        const uint64_t begin = (in_.offset() + alignment - 1) / alignment * alignment;
        for (Described& tensor : described) place(tensor, begin);
    }

private:
    struct Described {
        std::string name;
        Tensor tensor;
        uint64_t offset = 0, size = 0;
    };

    void read_version() {
        if (in_.read<uint32_t>("magic number") != gguf::kMagic) fail(Status::bad_model, "{}: not a GGUF file", file_);
        const auto version = in_.read<uint32_t>("version");
        if (version >= 1u << 24)
            fail(Status::unsupported, "{}: expected numbers in little-endian order, file has big-endian ones", file_);
        if (version != 2 && version != gguf::kVersion)
            fail(Status::unsupported, "{}: expected GGUF version 2 or 3, file has {}", file_, version);
    }

    std::span<const std::byte> read_text(std::string_view what, uint64_t most) {
        const auto size = in_.read<uint64_t>(what);
        if (size > most)
            fail(Status::bad_model, "{}: {} at byte {}: expected at most {} bytes, file has {}", file_, what,
                 in_.offset() - sizeof size, most, size);
        check_header(size);
        return in_.take(size, what);
    }

    // Keys and their values are in memory.
    void check_header(uint64_t more) const {
        if (more > kMaxKeysBytes || in_.offset() > kMaxKeysBytes - more)
            fail(Status::bad_model, "{}: expected at most {} bytes of keys, file has {} to there", file_, kMaxKeysBytes,
                 in_.offset() + more);
    }

    Value read_type(std::string_view key) {
        const auto type = in_.read<uint32_t>(key);
        if (type > static_cast<uint32_t>(Value::f64))
            fail(Status::bad_model, "{}: {}: expected a type from 0 to 12, file has {}", file_, key, type);
        return static_cast<Value>(type);
    }

    void skip(const std::string& key, Value type, uint64_t count, int nesting) {
        if (const uint32_t size = gguf::value_bytes(type)) {
            if (count > in_.remaining() / size)
                fail(Status::bad_model, "{}: {}: expected {} values of {}, file has {} bytes left", file_, key, count,
                     gguf::name(type), in_.remaining());
            check_header(count * size);
            in_.take(count * size, key);
            return;
        }
        if (type == Value::array && nesting >= kMaxNesting)
            fail(Status::unsupported, "{}: {}: arrays in arrays, more than {} deep", file_, key, kMaxNesting);
        for (uint64_t i = 0; i < count; ++i) {
            if (type == Value::string) {
                read_text(key, in_.remaining());
            } else {
                const Value element = read_type(key);
                skip(key, element, in_.read<uint64_t>(key), nesting + 1);
            }
        }
    }

    void read_key() {
        const std::string key(as_text(read_text("key", kMaxKeyBytes)));
        const bool printable = std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; });
        if (key.empty() || !printable)
            fail(Status::bad_model, "{}: key before byte {}: expected a name in ASCII, file has \"{}\"", file_,
                 in_.offset(), shown(key));
        Stored value{.type = read_type(key), .bytes = {}};
        if (value.type == Value::array) {
            value.element = read_type(key);
            value.count = in_.read<uint64_t>(key);
        }
        const uint64_t begin = in_.offset();
        skip(key, value.type == Value::array ? value.element : value.type, value.count, 1);
        value.bytes = bytes_.subspan(begin, in_.offset() - begin);
        if (!values_.emplace(key, value).second)
            fail(Status::bad_model, "{}: {}: expected the key once, file has it twice", file_, key);
    }

    void check_architecture() {
        const auto architecture = result_.text(kArchitectureKey);
        if (!architecture) fail(Status::bad_model, "{}: {}: expected a text, file has none", file_, kArchitectureKey);
        if (*architecture != gguf::kArchitecture && *architecture != gguf::kT5Architecture)
            fail(Status::unsupported,
                 "{}: {}: expected {} (a translation model written by dragoman convert) or {}, file has {}", file_,
                 kArchitectureKey, gguf::kArchitecture, gguf::kT5Architecture, shown(*architecture));
        result_.architecture_ = *architecture;
    }

    uint64_t read_alignment() {
        const int64_t alignment = result_.integer(values_, kAlignmentKey).value_or(gguf::kAlignment);
        if (alignment < 1 || alignment > int64_t(kMaxAlignment) || !std::has_single_bit(uint64_t(alignment)))
            fail(Status::bad_model, "{}: {}: expected a power of two up to {}, file has {}", file_, kAlignmentKey,
                 kMaxAlignment, alignment);
        return static_cast<uint64_t>(alignment);
    }

    Described read_tensor(uint64_t alignment) {
        Described result;
        result.name = as_text(read_text("tensor name", gguf::kMaxNameBytes));
        if (result.name.empty() || first_invalid_utf8(result.name))
            fail(Status::bad_model, "{}: tensor before byte {}: expected a name in UTF-8, file has \"{}\"", file_,
                 in_.offset(), shown(result.name));
        const auto rank = in_.read<uint32_t>(result.name);
        if (rank > gguf::kMaxDimensions)
            fail(Status::bad_model, "{}: {}: expected at most {} dimensions, file has {}", file_, result.name,
                 gguf::kMaxDimensions, rank);
        uint64_t elements = 1;
        for (uint32_t i = 0; i < rank; ++i) {
            const auto size = in_.read<uint64_t>(result.name);
            if (size > std::numeric_limits<uint32_t>::max() || (size && elements > kMaxTensorElements / size))
                fail(Status::bad_model, "{}: {}: expected at most 2^40 elements, dimension {} has {}", file_,
                     result.name, i, size);
            elements *= size;
            result.tensor.shape.insert(result.tensor.shape.begin(), static_cast<uint32_t>(size));
        }
        result.tensor.type = in_.read<uint32_t>(result.name);
        const auto type = gguf::tensor_type(result.tensor.type);
        if (!type)
            fail(Status::unsupported, "{}: {}: expected F32, F16, BF16, I8, I16, I32, Q8_0 or Q4_1, file has {}", file_,
                 result.name, gguf::tensor_type_name(result.tensor.type));
        const uint32_t innermost = result.tensor.shape.empty() ? 1 : result.tensor.shape.back();
        if (block_bytes(*type) && innermost % kBlockElements)
            fail(Status::bad_model, "{}: {}: expected rows of a multiple of {} elements for {}, file has {}", file_,
                 result.name, kBlockElements, gguf::tensor_type_name(result.tensor.type), innermost);
        result.size = dragoman::size_bytes(*type, elements);
        result.offset = in_.read<uint64_t>(result.name);
        if (result.offset % alignment)
            fail(Status::bad_model, "{}: {}: expected an offset that is a multiple of {}, file has {}", file_,
                 result.name, alignment, result.offset);
        return result;
    }

    void place(Described& described, uint64_t begin) {
        const uint64_t data = begin < bytes_.size() ? bytes_.size() - begin : 0;
        if (described.offset > data || described.size > data - described.offset)
            fail(Status::bad_model, "{}: {}: expected {} bytes at offset {}, file has {} bytes of data", file_,
                 described.name, described.size, described.offset, data);
        if (described.size) described.tensor.bytes = bytes_.subspan(begin + described.offset, described.size);
        const auto [at, added] = result_.tensors_.emplace(described.name, std::move(described.tensor));
        if (!added) fail(Status::bad_model, "{}: {}: expected the tensor once, file has it twice", file_, at->first);
    }

    GgufFile& result_;
    Values& values_;
    ByteReader in_;
    std::span<const std::byte> bytes_;
    const std::string& file_;
    uint64_t tensors_ = 0;
};

GgufFile::GgufFile(std::span<const FileBytes> files) : name_(files.front().name), owner_(files.front().owner) {
    for (std::size_t number = 0; number < files.size(); ++number) {
        Values of_part;
        Values& values = number == 0 ? values_ : of_part;
        Parser parser(*this, files[number], values);
        parser.read_keys(number == 0);
        check_part(values, files[number].name, number, files.size());
        parser.read_tensors();
    }
    check_tensors();
}

// Numbers begin with 0, and those in names of files with 1.
void GgufFile::check_part(const Values& values, const std::string& name, std::size_t number, std::size_t count) const {
    const auto of = [&](std::string_view key, int64_t absent) { return integer(values, key).value_or(absent); };
    const int64_t own = of(kPartKey, 0), all = of(kPartsKey, 1);
    if (own == int64_t(number) && all == int64_t(count)) return;
    fail(Status::bad_model, "{}: {}, {}: expected file {} of {}, it is {} of {}{}", name, kPartKey, kPartsKey,
         number + 1, count, own + 1, all,
         count == 1 ? "; all of them are needed, side by side under the names NAME-00001-of-0000N.gguf" : "");
}

void GgufFile::check_tensors() const {
    const int64_t expected = integer(kPartTensorsKey).value_or(int64_t(tensors_.size()));
    if (expected != int64_t(tensors_.size()))
        fail(Status::bad_model, "{}: {}: expected {} tensors, the files have {}", name_, kPartTensorsKey, expected,
             tensors_.size());
}

}  // namespace dragoman::formats
