// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dragoman::test {

// zlib's window bits choose the framing: 31 gzip, -15 none.
inline std::string deflated(std::string_view text, int window_bits) {
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("deflateInit2");
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate");
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string gzipped(std::string_view text) { return deflated(text, 31); }

// Writes a zip archive byte by byte, so that a test can write a wrong one.
class ZipFile {
public:
    struct Lies {
        uint16_t flags = 0, method_off_by = 0;
        int64_t size_off_by = 0;
        uint32_t crc_off_by = 0;
    };

    ZipFile& add(std::string_view name, std::string_view content, bool pack = false) {
        return add(name, content, pack, Lies{});
    }

    ZipFile& add(std::string_view name, std::string_view content, bool pack, const Lies& lies) {
        const std::string data = pack ? deflated(content, -15) : std::string(content);
        std::string common;
        put(common, 20, 2);
        put(common, lies.flags, 2);
        put(common, (pack ? 8u : 0u) + lies.method_off_by, 2);
        put(common, 0x21 << 16, 4);  // midnight, 1 January 1980
        const auto crc = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
        put(common, crc + lies.crc_off_by, 4);
        put(common, data.size(), 4);
        put(common, static_cast<uint64_t>(static_cast<int64_t>(content.size()) + lies.size_off_by), 4);
        put(common, name.size(), 2);
        put(common, 0, 2);
        directory_ += "PK\1\2";
        put(directory_, 20, 2);
        directory_ += common;
        put(directory_, 0, 10);
        put(directory_, body_.size(), 4);
        directory_ += name;
        body_ += "PK\3\4" + common + std::string(name) + data;
        ++count_;
        return *this;
    }

    std::string bytes() const {
        std::string end = "PK\5\6";
        put(end, 0, 4);
        put(end, count_, 2);
        put(end, count_, 2);
        put(end, directory_.size(), 4);
        put(end, body_.size(), 4);
        put(end, 0, 2);
        return body_ + directory_ + end;
    }

private:
    static void put(std::string& to, uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) to += static_cast<char>(i < 8 ? value >> (8 * i) : 0);
    }
    std::string body_, directory_;
    uint32_t count_ = 0;
};

}  // namespace dragoman::test
