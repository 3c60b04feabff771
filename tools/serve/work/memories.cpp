// SPDX-License-Identifier: Apache-2.0
#include "serve/work/memories.h"

#include <algorithm>
#include <list>
#include <map>
#include <mutex>

#include "base/os/path_text.h"
#include "serve/ascii.h"
#include "serve/work/kept_files.h"
#include "serve/work/language_codes.h"
#include "serve/work/memory_json.h"
#include "serve/work/tmx_units.h"

namespace serve::work {
namespace {

constexpr std::size_t kMostMemories = 200;               // of an owner
constexpr std::uint64_t kOwnersShareOfBytes = 4;                // a fourth of all bytes, where there are keys
constexpr std::uint64_t kMostMemoryBytes = 64u << 20;    // of a TMX file
constexpr std::size_t kMostOpen = 8;                     // memories that are ready for translations
constexpr std::uint64_t kAnswers = 4u << 20;             // bytes of answers that each of those keeps

std::string tag_of(const std::string& written) {
    const auto code = LanguageCode::read(written);
    return code ? code->tag() : written;
}

// Languages as the file has them: the header's may be "*all*", which is none.
void read_languages(const std::string& tmx, MemoryInfo& info) {
    std::map<std::string, std::uint64_t> counts;
    std::string first;
    const std::string header = read_tmx_units(tmx, [&](const TmxUnit& unit) {
        for (const auto& [language, text] : unit.variants) ++counts[tag_of(language)];
        if (first.empty() && !unit.variants.empty()) first = tag_of(unit.variants.front().first);
        return true;
    });
    info.from = LanguageCode::read(header) ? tag_of(header) : first;
    for (const auto& [tag, count] : counts)
        if (tag != info.from) info.to.push_back(tag);
}

std::shared_ptr<dragoman::TranslationMemory> read_memory(const std::string& tmx, std::uint64_t& units) {
    dragoman::MemoryOptions options;
    options.cache_bytes = kAnswers;
    auto memory = std::make_shared<dragoman::TranslationMemory>(options);
    try {
        units = memory->read_tmx(tmx);
    } catch (const dragoman::Error& error) {
        throw Problem(Problem::Kind::bad_request, error.what(), "TMX");
    }
    return memory;
}

}  // namespace

struct Memories::Impl {
    struct Kept {
        MemoryInfo info;
        std::string tmx;  // where there is no folder
        std::uint64_t bytes = 0;
    };
    Impl(std::filesystem::path place, std::uint64_t most) : folder(std::move(place)), most_bytes(most) {
        if (folder.empty()) return;
        std::filesystem::create_directories(folder);
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
        for (const auto& file : files) read(file);
        for (const auto& file : files) forget_parts(file);
    }
    void read(const std::filesystem::path& file) {
        const std::string id = dragoman::text_of(file.stem());
        if (file.extension() != ".json" || !is_id(id)) return;
        try {
            MemoryInfo info = memory_of(Json::parse(read_whole(file, kMostMemoryBytes)));
            if (info.id != id) throw std::runtime_error("its id is " + info.id);
            if (!std::filesystem::exists(tmx_file(id))) throw std::runtime_error("its TMX file is missing");
            std::error_code none;
            const std::uint64_t size = std::filesystem::file_size(tmx_file(id), none);
            all[id] = {std::move(info), "", none ? 0 : size};
        } catch (const std::exception& error) {
            notes.push_back(set_aside(file, error.what()));
        }
    }
    // What was written when the program ended before it was whole.
    void forget_parts(const std::filesystem::path& file) {
        const std::string id = dragoman::text_of(file.stem());
        std::error_code none;
        const bool alone = file.extension() == ".tmx" && is_id(id) && !std::filesystem::exists(json_file(id)) &&
                           !std::filesystem::exists(json_file(id).string() + ".broken");
        if (alone || file.extension() == ".part") std::filesystem::remove(file, none);
    }
    std::filesystem::path tmx_file(const std::string& id) const { return folder / (id + ".tmx"); }
    std::filesystem::path json_file(const std::string& id) const { return folder / (id + ".json"); }

    // Those below want `mutex` to be held.
    const Kept& find(const std::string& owner, const std::string& id) const {
        const auto found = all.find(id);
        if (found == all.end() || found->second.info.owner != owner)
            throw Problem(Problem::Kind::not_found, "there is no such translation memory", "memory");
        return found->second;
    }
    void check_room(const std::string& owner, std::uint64_t size) const {
        std::uint64_t held = 0, own = 0;
        for (const auto& [id, kept] : all) {
            held += kept.bytes;
            if (kept.info.owner == owner) own += kept.bytes;
        }
        const auto refuse = [size](const char* whose, std::uint64_t there, std::uint64_t most) {
            throw Problem(Problem::Kind::quota, "the translation memories of this " + std::string(whose) + " have " +
                                                    std::to_string(there) + " bytes, with this one of " +
                                                    std::to_string(size) + " more than the " + std::to_string(most) +
                                                    " that are kept");
        };
        if (held + size > most_bytes) refuse("service", held, most_bytes);
        const std::uint64_t share = most_bytes / kOwnersShareOfBytes;
        if (!owner.empty() && own > 0 && own + size > share) refuse("key", own, share);
    }
    std::string tmx(const std::string& owner, const std::string& id) const {
        const std::lock_guard lock(mutex);
        const Kept& kept = find(owner, id);
        if (folder.empty()) return kept.tmx;
        try {
            return read_whole(tmx_file(id), kMostMemoryBytes);
        } catch (const std::runtime_error&) {
            throw Problem(Problem::Kind::failed, "the translation memory cannot be read", "memory");
        }
    }

    void write(const MemoryInfo& info, const std::string& text) const {
        write_whole(tmx_file(info.id), text);
        try {
            write_whole(json_file(info.id), memory_json(info).dump());
        } catch (const Problem&) {  // a full disk, say, on which the first file must not stay
            std::error_code none;
            std::filesystem::remove(tmx_file(info.id), none);
            throw;
        }
    }

    const std::filesystem::path folder;
    const std::uint64_t most_bytes;
    mutable std::mutex mutex;
    std::map<std::string, Kept> all;
    std::list<std::shared_ptr<const Memory>> opened;  // the latest first
    std::vector<std::string> notes;
};

Memories::Memories(std::filesystem::path folder, std::uint64_t most_bytes)
    : impl_(std::make_shared<Impl>(std::move(folder), most_bytes)) {}

std::vector<std::string> Memories::notes() const { return impl_->notes; }

MemoryInfo Memories::add(const std::string& owner, const std::string& name, std::string_view tmx) {
    check_utf8(name, "name");
    if (name.empty() || name.size() > 1024)
        throw Problem(Problem::Kind::bad_request, "a translation memory's name has 1 to 1024 bytes", "name");
    if (tmx.size() > kMostMemoryBytes)
        throw Problem(Problem::Kind::too_large, "the translation memory has " + std::to_string(tmx.size()) +
                                                    " bytes; at most " + std::to_string(kMostMemoryBytes) +
                                                    " are kept");
    const std::string text = tmx_in_utf8(tmx);
    MemoryInfo info;
    (void)read_memory(text, info.segments);
    if (info.segments == 0)
        throw Problem(Problem::Kind::bad_request, "the TMX file has no unit of two languages", "TMX");
    read_languages(text, info);
    info.id = random_uuid();
    info.owner = owner;
    info.name = name;
    info.created = time_of(seconds_of(std::chrono::system_clock::now()));
    const std::lock_guard lock(impl_->mutex);
    const auto mine = std::ranges::count_if(impl_->all,
                                            [&](const auto& each) { return each.second.info.owner == owner; });
    if (static_cast<std::size_t>(mine) >= kMostMemories)
        throw Problem(Problem::Kind::quota,
                      "there are " + std::to_string(mine) + " translation memories, which is the most");
    impl_->check_room(owner, text.size());
    const bool in_files = !impl_->folder.empty();
    if (in_files) impl_->write(info, text);
    impl_->all[info.id] = {info, in_files ? "" : text, text.size()};
    return info;
}

std::vector<MemoryInfo> Memories::list(const std::string& owner) const {
    std::vector<MemoryInfo> list;
    const std::lock_guard lock(impl_->mutex);
    for (const auto& [id, kept] : impl_->all)
        if (kept.info.owner == owner) list.push_back(kept.info);
    std::ranges::stable_sort(list, {}, &MemoryInfo::created);
    return list;
}

MemoryInfo Memories::get(const std::string& owner, const std::string& id) const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->find(owner, id).info;
}

std::string Memories::tmx(const std::string& owner, const std::string& id) const { return impl_->tmx(owner, id); }

std::vector<Segment> Memories::segments(const std::string& owner, const std::string& id, const std::string& filter,
                                        bool case_sensitive, std::size_t first, std::size_t most) const {
    const MemoryInfo info = get(owner, id);
    const std::string text = impl_->tmx(owner, id);
    const auto fold = [&](const std::string& given) { return case_sensitive ? given : in_small_letters(given); };
    const std::string wanted = fold(filter);
    std::vector<Segment> found;
    std::size_t number = 0;
    read_tmx_units(text, [&](const TmxUnit& unit) {
        const auto of_source = [&](const auto& variant) { return tag_of(variant.first) == info.from; };
        const auto source = std::ranges::find_if(unit.variants, of_source);
        if (source == unit.variants.end()) return true;
        for (auto target = unit.variants.begin(); target != unit.variants.end(); ++target) {
            if (target == source) continue;
            const bool fits = wanted.empty() || fold(source->second).find(wanted) != std::string::npos ||
                              fold(target->second).find(wanted) != std::string::npos;
            if (!fits || number++ < first) continue;
            if (found.size() == most) return false;
            found.push_back({info.from, tag_of(target->first), source->second, target->second});
        }
        return found.size() < most;
    });
    return found;
}

void Memories::remove(const std::string& owner, const std::string& id) {
    const std::lock_guard lock(impl_->mutex);
    impl_->find(owner, id);
    std::error_code error, none;
    if (!impl_->folder.empty()) std::filesystem::remove(impl_->json_file(id), error);
    if (error) throw Problem(Problem::Kind::failed, "the translation memory cannot be removed: " + error.message());
    if (!impl_->folder.empty()) std::filesystem::remove(impl_->tmx_file(id), none);
    std::erase_if(impl_->opened, [&](const auto& memory) { return memory->id() == id; });
    impl_->all.erase(id);
}

std::shared_ptr<const Memory> Memories::open(const std::string& owner, const std::string& id) const {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->find(owner, id);
        auto& opened = impl_->opened;
        const auto at = std::ranges::find(opened, id, [](const auto& memory) { return memory->id(); });
        if (at != opened.end()) {
            opened.splice(opened.begin(), opened, at);
            return opened.front();
        }
    }
    std::uint64_t units = 0;
    const auto memory = std::make_shared<const Memory>(read_memory(impl_->tmx(owner, id), units), id);
    const std::lock_guard lock(impl_->mutex);
    impl_->find(owner, id);  // it may have been removed
    impl_->opened.push_front(memory);
    if (impl_->opened.size() > kMostOpen) impl_->opened.pop_back();
    return memory;
}

}  // namespace serve::work
