// SPDX-License-Identifier: Apache-2.0
#include "store/model_name.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/os/path_text.h"

namespace dragoman::store {
namespace {

constexpr std::size_t kMaxFolder = 160;  // Windows has 260 characters for whole paths

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

bool is_registry(std::string_view text) {
    return text.size() >= 2 && is_letter(text.front()) &&
           std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
}

std::string percent(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

// Names that Windows keeps for devices, with any ending.
bool is_device(std::string_view folder) {
    std::string stem(folder.substr(0, folder.find('.')));
    for (char& c : stem)
        if (is_capital(c)) c = static_cast<char>(c - 'A' + 'a');
    constexpr std::array<std::string_view, 4> kDevices = {"con", "prn", "aux", "nul"};
    if (std::ranges::find(kDevices, stem) != kDevices.end()) return true;
    return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && is_digit(stem[3]);
}

std::string shortened(const std::string& folder, std::string_view model) {
    Fingerprint all;
    all.add(model);
    std::string begin = folder.substr(0, kMaxFolder);
    // a percent sign stays with its two digits
    if (const auto cut = begin.rfind('%'); cut != begin.npos && cut + 3 > begin.size()) begin.resize(cut);
    return fmt::format("{}%-{:016x}{:016x}", begin, all.high(), all.low());
}

}  // namespace

std::optional<ModelName> ModelName::find(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == text.npos || colon + 1 == text.size() || !is_registry(text.substr(0, colon))) return std::nullopt;
    if (text.find('\0') != text.npos) return std::nullopt;
    std::error_code error;
    if (std::filesystem::exists(path_of(text), error)) return std::nullopt;
    return ModelName{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

// "--" stands for a slash, so a hyphen beside another one or beside a slash is written as its byte.
std::string ModelName::folder() const {
    std::string folder;
    const auto joins = [&](std::size_t i) { return i < model.size() && (model[i] == '-' || model[i] == '/'); };
    for (std::size_t i = 0; i < model.size(); ++i) {
        const char c = model[i];
        const bool edge = i == 0 || i + 1 == model.size();
        if (is_letter(c) || is_capital(c) || is_digit(c) || c == '_') folder += c;
        else if (c == '.') folder += edge ? percent(c) : ".";
        else if (c == '-') folder += joins(i + 1) || (i > 0 && joins(i - 1)) ? percent(c) : "-";
        else folder += c == '/' ? "--" : percent(c);
    }
    if (is_device(folder)) folder.replace(0, 1, percent(folder.front()));
    return folder.size() > kMaxFolder ? shortened(folder, model) : folder;
}

}  // namespace dragoman::store
