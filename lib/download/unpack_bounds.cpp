// SPDX-License-Identifier: Apache-2.0
#include "download/unpack_bounds.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace dragoman::download {
namespace {

constexpr uint64_t kFreeOfRatio = 64ull << 20;
constexpr std::size_t kLongestName = 1024;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string printable(std::string text) {
    std::ranges::replace_if(text, is_control, '?');
    return text;
}

}  // namespace

std::string UnpackBounds::checked_name(const std::string& name) const {
    const auto refuse = [&](const char* why) {
        fail(Status::bad_model, "{}: the member \"{}\" {}", archive_, printable(name), why);
    };
    if (name.empty()) refuse("has no name");
    if (name.size() > kLongestName) refuse("has a name of more than 1024 bytes");
    if (name.front() == '/') refuse("has an absolute name");
    // Elsewhere a backslash parts folders, and a colon names a drive or a stream.
    if (std::ranges::any_of(name, is_control) || name.find_first_of("\\:") != name.npos || first_invalid_utf8(name))
        refuse("has a name that is not valid on every system");
    std::string clean;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string part = name.substr(begin, end - begin);
        if (part == "..") refuse("has a name that leads out of its folder");
        if (!part.empty() && part != ".") clean += (clean.empty() ? "" : "/") + part;
        begin = end + 1;
    }
    return clean;
}

void UnpackBounds::count_member() {
    if (++members_ > limits_.files) fail(Status::bad_model, "{}: has more than {} members", archive_, limits_.files);
}

void UnpackBounds::add_name(const std::string& name) {
    std::string folded = name;
    for (char& c : folded)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!names_.insert(folded).second) fail(Status::bad_model, "{}: the member \"{}\" is there twice", archive_, name);
}

void UnpackBounds::announce(const std::string& name, uint64_t bytes) const {
    if (bytes > limits_.bytes || bytes_ > limits_.bytes - bytes)
        fail(Status::bad_model, "{}: expected at most {} bytes in all, the member \"{}\" alone says {}", archive_,
             limits_.bytes, name, bytes);
}

void UnpackBounds::add_bytes(uint64_t bytes, uint64_t packed_so_far) {
    bytes_ += bytes;
    if (bytes_ > limits_.bytes)
        fail(Status::bad_model, "{}: expected at most {} bytes, it unpacks to more", archive_, limits_.bytes);
    if (bytes_ <= kFreeOfRatio) return;
    const double ratio = static_cast<double>(bytes_ - kFreeOfRatio) /
                         static_cast<double>(std::max<uint64_t>(packed_so_far, 1));
    if (ratio > limits_.ratio)
        fail(Status::bad_model, "{}: expected at most {} bytes from each packed one, its {} packed bytes gave {}",
             archive_, limits_.ratio, packed_so_far, bytes_);
}

}  // namespace dragoman::download
