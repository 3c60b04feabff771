// SPDX-License-Identifier: Apache-2.0
#include "formats/npy.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "formats/byte_reader.h"

namespace dragoman::formats {
namespace {

constexpr uint32_t kMaxHeaderSize = 1u << 16;
constexpr std::size_t kMaxArrayRank = 8;
constexpr uint64_t kMaxArrayElements = uint64_t{1} << 40;

// The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Header {
public:
    Header(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    void parse(NpyArray& array) {
        std::optional<std::string> descr, order;
        bool has_shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr") descr = quoted();
            else if (key == "fortran_order") order = word();
            else if (key == "shape") has_shape = true, shape(array);
            else wrong("descr, fortran_order or shape", key);
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (!descr || !order || !has_shape) wrong("descr, fortran_order and shape", text_);
        if (*order == "True") {
            fail(Status::unsupported, "{}: fortran_order: expected False, file has True (save the array in C order)",
                 file_);
        }
        if (*order != "False") wrong("True or False", *order);
        if (descr->starts_with('>')) {
            fail(Status::unsupported, "{}: descr: expected little-endian numbers, file has {}", file_, *descr);
        }
        const bool has_order = descr->find_first_of("<|=") == 0;
        array.type = descr->substr(has_order ? 1 : 0);
    }

private:
    [[noreturn]] void wrong(std::string_view expected, std::string_view found) const {
        fail(Status::bad_model, "{}: header of the array: expected {}, file has \"{}\"", file_, expected,
             found.substr(0, 60));
    }

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }

    bool accept(char c) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    void expect(char c) {
        if (!accept(c)) wrong(std::string_view(&c, 1), text_.substr(at_));
    }

    std::string quoted() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') wrong("a string in quotes", text_.substr(at_));
        const auto end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) wrong("a string in quotes", text_.substr(at_));
        const std::string value(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return value;
    }

    std::string word() {
        skip_space();
        const auto begin = at_;
        while (at_ < text_.size() && text_[at_] >= 'A' && text_[at_] <= 'z') ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

    void shape(NpyArray& array) {
        expect('(');
        while (!accept(')')) {
            uint32_t size = 0;
            const char* const end = text_.data() + text_.size();
            skip_space();
            const auto [next, error] = std::from_chars(text_.data() + at_, end, size);
            if (error != std::errc{}) wrong("sizes below 2^32", text_.substr(at_));
            at_ = static_cast<std::size_t>(next - text_.data());
            // Python 2 wrote "12L".
            if (at_ < text_.size() && text_[at_] == 'L') ++at_;
            array.shape.push_back(size);
            array.elements *= size;
            if (array.shape.size() > kMaxArrayRank || array.elements > kMaxArrayElements)
                wrong("at most 8 dimensions and 2^40 elements", text_);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
};

uint64_t item_size(const std::string& type, const std::string& file) {
    const std::string_view sizes = type.size() == 2 ? std::string_view(type).substr(1) : "";
    if (sizes.empty() || std::string_view("fiub").find(type[0]) == std::string_view::npos ||
        std::string_view("1248").find(sizes) == std::string_view::npos) {
        fail(Status::bad_model, "{}: descr: expected a type of numbers such as f4, file has {}", file,
             type.substr(0, 60));
    }
    return static_cast<uint64_t>(sizes[0] - '0');
}

}  // namespace

NpyArray read_npy(const FileBytes& file) {
    ByteReader in(file.bytes, file.name);
    const auto magic = in.take(6, "magic");
    const std::string_view magic_text(reinterpret_cast<const char*>(magic.data()), magic.size());
    if (magic_text != "\x93NUMPY") fail(Status::bad_model, "{}: expected an array of NumPy, file has none", file.name);
    const auto version = in.read<uint8_t>("version");
    in.read<uint8_t>("minor version");
    if (version < 1 || version > 3) {
        fail(Status::unsupported, "{}: version of the array: expected 1 to 3, file has {}", file.name, version);
    }
    const uint32_t size = version == 1 ? in.read<uint16_t>("header size") : in.read<uint32_t>("header size");
    if (size > kMaxHeaderSize) {
        fail(Status::bad_model, "{}: header of the array: expected at most {} bytes, file has {}", file.name,
             kMaxHeaderSize, size);
    }
    const auto header = in.take(size, "header of the array");
    NpyArray array;
    Header({reinterpret_cast<const char*>(header.data()), header.size()}, file.name).parse(array);
    const uint64_t expected = array.elements * item_size(array.type, file.name);
    if (in.remaining() != expected) {
        fail(Status::bad_model, "{}: expected {} bytes ({} {}), file has {}", file.name, expected,
             fmt::join(array.shape, "x"), array.type, in.remaining());
    }
    array.bytes = in.pass(expected, "data");
    return array;
}

}  // namespace dragoman::formats
