// SPDX-License-Identifier: Apache-2.0
#include "serve/work/glossaries.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "base/os/path_text.h"
#include "serve/ascii.h"
#include "serve/work/glossary_entries.h"
#include "serve/work/glossary_parts.h"
#include "serve/work/kept_files.h"

namespace serve::work {
namespace {

constexpr std::size_t kMostGlossaries = 1000;               // of an owner
constexpr std::uint64_t kMostBytesOfAll = 512u << 20;       // of all entries of all owners, which are in memory
constexpr std::uint64_t kMostBytesOfOwner = kMostBytesOfAll / 4;  // where there are keys: one cannot take it all
constexpr std::size_t kMostTermsKept = 64;                  // that are ready for translations

void check_new_name(const std::string& name) {
    check_utf8(name, "name");
    if (name.size() > 1024) throw Problem(Problem::Kind::bad_request, "a glossary's name has 1 to 1024 bytes", "name");
}

}  // namespace

struct Glossaries::Impl {
    struct Kept {
        Glossary glossary;
        std::uint64_t revision = 0, bytes = 0;
    };

    explicit Impl(std::filesystem::path place) : folder(std::move(place)) {
        if (folder.empty()) return;
        std::filesystem::create_directories(folder);
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
        for (const auto& file : files) read(file);
    }
    void read(const std::filesystem::path& file) {
        const std::string id = dragoman::text_of(file.stem());
        std::error_code none;
        if (file.extension() == ".part") std::filesystem::remove(file, none);
        if (file.extension() != ".json" || !is_id(id)) return;
        try {
            Glossary glossary = glossary_of(Json::parse(read_whole(file, 8 * kMostGlossaryBytes)));
            if (glossary.id != id) throw std::runtime_error("its id is " + glossary.id);
            const std::uint64_t size = checked_size(glossary);
            bytes_of[glossary.owner] += size;
            all[id] = {std::move(glossary), ++revisions, size};
            bytes += size;
        } catch (const std::exception& error) {
            notes.push_back(set_aside(file, error.what()));
        }
    }
    // Those below want `mutex` to be held.
    const Kept& find(const std::string& owner, const std::string& id) const {
        const auto found = all.find(id);
        if (found == all.end() || found->second.glossary.owner != owner)
            throw Problem(Problem::Kind::not_found, "there is no such glossary", "glossary");
        return found->second;
    }
    Glossary keep(Glossary glossary) {
        const std::uint64_t size = checked_size(glossary);
        const auto kept = all.find(glossary.id);
        const std::uint64_t old = kept == all.end() ? 0 : kept->second.bytes;
        check_share(glossary.owner, old, size);
        const std::uint64_t others = bytes - old;
        if (others + size > kMostBytesOfAll)
            throw Problem(Problem::Kind::quota, "all glossaries of this service have " + std::to_string(others) +
                                                    " bytes, with this one of " + std::to_string(size) +
                                                    " more than the " + std::to_string(kMostBytesOfAll) + " it keeps");
        if (!folder.empty()) write_whole(folder / (glossary.id + ".json"), glossary_json(glossary).dump());
        all[glossary.id] = {glossary, ++revisions, size};
        bytes = others + size;
        bytes_of[glossary.owner] += size - old;
        return glossary;
    }
    // What does not grow stays, whatever there is.
    void check_share(const std::string& owner, std::uint64_t old, std::uint64_t size) {
        if (owner.empty() || size <= old) return;
        const std::uint64_t others = bytes_of[owner] - old;
        if (others + size > kMostBytesOfOwner)
            throw Problem(Problem::Kind::quota, "the glossaries of this key have " + std::to_string(others) +
                                                    " bytes, with this one of " + std::to_string(size) +
                                                    " more than the " + std::to_string(kMostBytesOfOwner) +
                                                    " that are kept of one key");
    }

    const std::filesystem::path folder;
    std::mutex mutex;
    std::map<std::string, Kept> all;
    std::uint64_t revisions = 0, bytes = 0;
    std::map<std::string, std::uint64_t> bytes_of;  // by owners
    std::list<std::pair<std::string, std::shared_ptr<const Terms>>> ready;  // by ids, revisions and languages
    std::vector<std::string> notes;
};

Glossaries::Glossaries(std::filesystem::path folder) : impl_(std::make_shared<Impl>(std::move(folder))) {}

std::vector<std::string> Glossaries::notes() const { return impl_->notes; }

Glossary Glossaries::add(const std::string& owner, const std::string& name, std::vector<Dictionary> dictionaries) {
    check_utf8(name, "name");
    if (name.empty() || name.size() > 1024)
        throw Problem(Problem::Kind::bad_request, "a glossary's name has 1 to 1024 bytes", "name");
    check_dictionaries(dictionaries);
    const std::lock_guard lock(impl_->mutex);
    const auto mine = std::ranges::count_if(impl_->all,
                                            [&](const auto& each) { return each.second.glossary.owner == owner; });
    if (static_cast<std::size_t>(mine) >= kMostGlossaries)
        throw Problem(Problem::Kind::quota, "there are " + std::to_string(mine) + " glossaries, which is the most");
    const auto now = time_of(seconds_of(std::chrono::system_clock::now()));
    return impl_->keep({random_uuid(), owner, name, now, std::move(dictionaries)});
}

std::vector<Glossary> Glossaries::list(const std::string& owner) const {
    std::vector<Glossary> list;
    const std::lock_guard lock(impl_->mutex);
    for (const auto& [id, kept] : impl_->all)
        if (kept.glossary.owner == owner) list.push_back(kept.glossary);
    std::ranges::stable_sort(list, {}, &Glossary::created);
    return list;
}

Glossary Glossaries::get(const std::string& owner, const std::string& id) const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->find(owner, id).glossary;
}

Glossary Glossaries::change(const std::string& owner, const std::string& id, const std::string& name,
                            std::vector<Dictionary> dictionaries, bool merge) {
    check_new_name(name);
    check_dictionaries(dictionaries);
    const std::lock_guard lock(impl_->mutex);
    Glossary glossary = impl_->find(owner, id).glossary;
    if (!name.empty()) glossary.name = name;
    for (Dictionary& fresh : dictionaries) {
        const auto old = std::ranges::find_if(glossary.dictionaries, [&](const Dictionary& each) {
            return each.from == fresh.from && each.to == fresh.to;
        });
        if (old == glossary.dictionaries.end()) glossary.dictionaries.push_back(std::move(fresh));
        else merge_entries(*old, std::move(fresh), merge);
    }
    return impl_->keep(std::move(glossary));
}

Glossary Glossaries::replace(const std::string& owner, const std::string& id, const std::string& name,
                             std::vector<Dictionary> dictionaries) {
    check_new_name(name);
    check_dictionaries(dictionaries);
    const std::lock_guard lock(impl_->mutex);
    Glossary glossary = impl_->find(owner, id).glossary;
    if (!name.empty()) glossary.name = name;
    glossary.dictionaries = std::move(dictionaries);
    return impl_->keep(std::move(glossary));
}

Glossary Glossaries::remove_dictionary(const std::string& owner, const std::string& id, const std::string& from,
                                       const std::string& to) {
    const std::string source = in_small_letters(dictionary_language(from).tag());
    const std::string target = in_small_letters(dictionary_language(to).tag());
    const std::lock_guard lock(impl_->mutex);
    Glossary glossary = impl_->find(owner, id).glossary;
    const auto gone = std::erase_if(glossary.dictionaries,
                                    [&](const Dictionary& each) { return each.from == source && each.to == target; });
    if (gone == 0)
        throw Problem(Problem::Kind::not_found, "the glossary has no dictionary from " + source + " to " + target,
                      target);
    return impl_->keep(std::move(glossary));
}

void Glossaries::remove(const std::string& owner, const std::string& id) {
    const std::lock_guard lock(impl_->mutex);
    const std::uint64_t size = impl_->find(owner, id).bytes;
    std::error_code error;
    if (!impl_->folder.empty()) std::filesystem::remove(impl_->folder / (id + ".json"), error);
    if (error) throw Problem(Problem::Kind::failed, "the glossary cannot be removed: " + error.message());
    impl_->all.erase(id);
    impl_->bytes -= size;
    impl_->bytes_of[owner] -= size;
}

std::shared_ptr<const Terms> Glossaries::terms(const std::string& owner, const std::vector<std::string>& ids,
                                               const std::string& from, const std::string& to) const {
    const LanguageCode source = dictionary_language(from), target = dictionary_language(to);
    std::vector<std::pair<std::string, std::string>> entries;
    std::string key = source.tag() + ' ' + target.tag();
    {
        const std::lock_guard lock(impl_->mutex);
        for (const std::string& id : ids) key += ' ' + std::to_string(impl_->find(owner, id).revision);
        auto& ready = impl_->ready;
        const auto at = std::ranges::find(ready, key, [](const auto& each) { return each.first; });
        if (at != ready.end()) {
            ready.splice(ready.begin(), ready, at);
            return ready.front().second;
        }
        std::set<std::string> sources;
        for (const std::string& id : ids) {
            const Glossary& glossary = impl_->find(owner, id).glossary;
            bool found = false;
            for (const Dictionary& dictionary : glossary.dictionaries) {
                if (!is_language(dictionary_language(dictionary.from), source) ||
                    !is_language(dictionary_language(dictionary.to), target))
                    continue;
                found = true;
                for (const auto& entry : dictionary.entries)
                    if (sources.insert(entry.first).second) entries.push_back(entry);
            }
            if (!found)
                throw Problem(Problem::Kind::bad_request,
                              "the glossary \"" + glossary.name + "\" has no dictionary from " + from + " to " + to,
                              "glossary");
        }
    }
    const auto made = terms_of(entries, from, to);
    const std::lock_guard lock(impl_->mutex);
    impl_->ready.emplace_front(key, made);
    if (impl_->ready.size() > kMostTermsKept) impl_->ready.pop_back();
    return made;
}

std::shared_ptr<const Terms> Glossaries::terms_of(const std::vector<std::pair<std::string, std::string>>& entries,
                                                  const std::string& from, const std::string& to) {
    for (const auto& [source, target] : entries)
        for (const std::string* text : {&source, &target}) check_utf8(*text, "terms");
    check_entries(entries);
    const std::string table = library_table(entries);
    try {
        return std::make_shared<const Terms>(dragoman::Glossary::read(table, from.c_str(), to.c_str()),
                                             sha256_of(from + '\n' + to + '\n' + table));
    } catch (const dragoman::Error& error) {
        throw Problem(Problem::Kind::bad_request, error.what(), "terms");
    }
}

}  // namespace serve::work
