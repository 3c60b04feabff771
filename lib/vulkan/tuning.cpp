// SPDX-License-Identifier: Apache-2.0
#include "vulkan/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>

#include "base/log.h"
#include "base/os/path_text.h"
#include "files/file_map.h"
#include "vulkan/cache_file.h"

namespace dragoman::vulkan {
namespace {

// The first line has kMagic and the checksum of the others, which have choice, space, key.
constexpr std::string_view kMagic = "dragoman-tuning-1 ";
constexpr std::size_t kHeadSize = kMagic.size() + 16 + 1;

std::string head(std::string_view body) { return fmt::format("{}{:016x}\n", kMagic, fnv1a(body.data(), body.size())); }

// If anything is wrong, nothing is taken from the file.
std::map<std::string, uint32_t> parse(std::string_view text) {
    std::map<std::string, uint32_t> choices;
    if (text.size() < kHeadSize || text.substr(0, kHeadSize) != head(text.substr(kHeadSize))) return {};
    for (text.remove_prefix(kHeadSize); !text.empty();) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        uint32_t choice = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), choice);
        if (error != std::errc() || end == line.data() + line.size() || *end != ' ') return {};
        choices[std::string(end + 1, line.data() + line.size())] = choice;
    }
    return choices;
}

}  // namespace

Tuning::Tuning(std::filesystem::path path) : path_(std::move(path)) {
    try {
        if (path_.empty() || !std::filesystem::exists(path_)) return;
        const FileBytes file = read_whole(path_);
        const auto bytes = file.bytes;
        choices_ = parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        if (choices_.empty()) log(LogLevel::debug, "tuning {} is broken and ignored", text_of(path_));
    } catch (const std::exception& error) {
        log(LogLevel::debug, "tuning is ignored: {}", error.what());
    }
}

void Tuning::take(const Tuning& other) {
    std::map<std::string, uint32_t> known;
    {
        const std::lock_guard lock(other.mutex_);
        known = other.choices_;
    }
    const std::lock_guard lock(mutex_);
    changed_ = changed_ || choices_ != known;
    for (const auto& [key, choice] : known) choices_[key] = choice;
}

namespace {

thread_local const Tuning* drafted = nullptr;

}  // namespace

bool Tuning::drafting() const { return drafted == this; }

Tuning::Draft::Draft(Tuning& tuning) : tuning_(tuning) { drafted = &tuning; }

Tuning::Draft::~Draft() {
    drafted = nullptr;
    const std::lock_guard lock(tuning_.mutex_);
    tuning_.changed_ |= !tuning_.drafts_.empty();
    while (!tuning_.drafts_.empty()) {  // without memory for it
        auto draft = tuning_.drafts_.extract(tuning_.drafts_.begin());
        if (const auto known = tuning_.choices_.find(draft.key()); known != tuning_.choices_.end())
            known->second = draft.mapped();
        else tuning_.choices_.insert(std::move(draft));
    }
}

std::optional<uint32_t> Tuning::find(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    if (drafting())
        if (const auto draft = drafts_.find(key); draft != drafts_.end()) return draft->second;
    const auto found = choices_.find(key);
    return found == choices_.end() ? std::nullopt : std::optional(found->second);
}

void Tuning::set(const std::string& key, uint32_t choice) {
    const std::lock_guard lock(mutex_);
    if (drafting()) {
        drafts_[key] = choice;
        return;
    }
    choices_[key] = choice;
    changed_ = true;
}

bool Tuning::empty() const {
    const std::lock_guard lock(mutex_);
    return choices_.empty() && (!drafting() || drafts_.empty());
}

void Tuning::save() noexcept try {
    const std::lock_guard lock(mutex_);
    if (path_.empty() || !changed_) return;
    std::string body;
    for (const auto& [key, choice] : choices_) body += fmt::format("{} {}\n", choice, key);
    const std::string text = head(body) + body;
    replace_file(path_, std::as_bytes(std::span(text)));
    changed_ = false;
} catch (const std::exception& error) {
    log(LogLevel::debug, "tuning was not saved: {}", error.what());
}

}  // namespace dragoman::vulkan
