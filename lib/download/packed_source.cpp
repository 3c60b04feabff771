// SPDX-License-Identifier: Apache-2.0
#include "download/packed_source.h"

#include <zlib.h>

#include "base/error.h"
#include "base/os/path_text.h"

namespace dragoman::download {
namespace {

constexpr std::size_t kSourceBytes = 1 << 17;
constexpr int kGzip = 16 + MAX_WBITS;

}  // namespace

struct PackedSource::Inflate {
    z_stream stream{};
    bool inside = true;  // of a member, which may be one of several
    Inflate() {
        if (inflateInit2(&stream, kGzip) != Z_OK) fail(Status::out_of_memory, "no memory to unpack a file");
    }
    ~Inflate() { inflateEnd(&stream); }
};

PackedSource::PackedSource(const std::filesystem::path& file)
    : name_(text_of(file)), in_(file, std::ios::binary), packed_(kSourceBytes) {
    if (!in_) fail(Status::io_error, "cannot read {}", name_);
    fill();
    if (end_ < 2 || packed_[0] != std::byte{0x1f} || packed_[1] != std::byte{0x8b}) return;
    inflate_ = std::make_unique<Inflate>();
    unpacked_.resize(kSourceBytes);
}

PackedSource::~PackedSource() = default;

bool PackedSource::fill() {
    in_.read(reinterpret_cast<char*>(packed_.data()), std::streamsize(packed_.size()));
    if (in_.bad()) fail(Status::io_error, "cannot read {}: the system gives an error in it", name_);
    at_ = 0;
    end_ = std::size_t(in_.gcount());
    packed_bytes_ += end_;
    return end_ > 0;
}

std::span<const std::byte> PackedSource::read() {
    if (!inflate_) {
        if (at_ == end_ && !fill()) return {};
        const std::size_t begin = std::exchange(at_, end_);
        return std::span(packed_).subspan(begin, end_ - begin);
    }
    z_stream& stream = inflate_->stream;
    while (true) {
        if (at_ == end_ && !fill()) {
            if (inflate_->inside) fail(Status::bad_model, "{}: its gzip data is cut off", name_);
            return {};
        }
        if (!inflate_->inside) {
            if (packed_[at_] == std::byte{0}) {  // padding
                ++at_;
                continue;
            }
            inflateReset(&stream);
            inflate_->inside = true;
        }
        stream.next_in = reinterpret_cast<Bytef*>(packed_.data() + at_);
        stream.avail_in = static_cast<uInt>(end_ - at_);
        stream.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
        stream.avail_out = static_cast<uInt>(unpacked_.size());
        const int result = inflate(&stream, Z_NO_FLUSH);
        at_ = end_ - stream.avail_in;
        if (result == Z_STREAM_END) inflate_->inside = false;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            fail(Status::bad_model, "{}: its gzip data is broken: {}", name_,
                 stream.msg ? stream.msg : "no reason given");
        if (const std::size_t some = unpacked_.size() - stream.avail_out; some > 0)
            return std::span(unpacked_).first(some);
    }
}

}  // namespace dragoman::download
