// SPDX-License-Identifier: Apache-2.0
#include "registry/safe_text.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "registry/mirror.h"

namespace dragoman::registry {
namespace {

constexpr std::size_t kMostShown = 300, kMostName = 255, kMostUrl = 8192;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool safe_component(std::string_view part) {
    const auto bad = [](char c) {
        return is_control(c) || std::string_view("\\:*?\"<>|").find(c) != std::string_view::npos;
    };
    return !part.empty() && part.size() <= kMostName && part != "." && part != ".." && !part.ends_with('.') &&
           !part.ends_with(' ') && std::ranges::none_of(part, bad);
}

}  // namespace

std::string shown_text(std::string_view text) {
    if (text.size() > kMostShown) {
        std::size_t end = kMostShown;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // a character's inner bytes
        text = text.substr(0, end);
    }
    std::string shown(text);
    std::ranges::replace_if(shown, is_control, ' ');
    return shown;
}

std::string checked_model(const std::string& name) {
    if (name.empty() || name.size() > kMostName ||
        std::ranges::any_of(name, [](char c) { return is_control(c) || c == ' '; }))
        fail(Status::bad_model, "model: expected a name of 1 to {} bytes without spaces, got \"{}\"", kMostName,
             shown_text(name));
    return name;
}

bool is_safe_file_name(std::string_view name) {
    while (true) {
        const std::size_t slash = name.find('/');
        if (!safe_component(name.substr(0, slash))) return false;
        if (slash == name.npos) return true;
        name.remove_prefix(slash + 1);
    }
}

std::string checked_file_name(std::string_view what, const std::string& name) {
    if (!is_safe_file_name(name))
        fail(Status::bad_model, "{}: expected a file's name that does not lead out of its folder, got \"{}\"", what,
             shown_text(name));
    return name;
}

std::string checked_url(std::string_view what, const std::string& url) {
    if (server_of(url).empty() || url.size() > kMostUrl ||
        std::ranges::any_of(url, [](char c) { return is_control(c) || c == ' '; }))
        fail(Status::bad_model, "{}: expected an http or https address, got \"{}\"", what, shown_text(url));
    return url;
}

std::string checked_hash(std::string_view what, const std::string& hex, std::size_t digits) {
    std::string lower = hex;
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    const bool fits = lower.size() == digits && lower.find_first_not_of("0123456789abcdef") == lower.npos;
    if (!lower.empty() && !fits)
        fail(Status::bad_model, "{}: expected {} hexadecimal digits, got \"{}\"", what, digits, shown_text(hex));
    return lower;
}

uint64_t checked_size(std::string_view what, const std::string& number) {
    uint64_t size = 0;
    if (number.empty()) return size;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), size);
    if (error != std::errc() || end != number.data() + number.size() || size > uint64_t(1) << 50)
        fail(Status::bad_model, "{}: expected a number of bytes, got \"{}\"", what, shown_text(number));
    return size;
}

std::string file_name_of(std::string_view url) {
    std::string_view path = url.substr(server_of(url).size());
    path = path.substr(0, path.find_first_of("?#"));
    const std::size_t slash = path.rfind('/');
    return std::string(slash == path.npos ? path : path.substr(slash + 1));
}

}  // namespace dragoman::registry
