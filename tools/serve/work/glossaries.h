// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/problem.h"

namespace serve::work {

// Terms of one or several glossaries for two languages, ready for a translation.
class Terms {
public:
    Terms(dragoman::Glossary glossary, std::string key) : glossary_(std::move(glossary)), key_(std::move(key)) {}
    const dragoman_glossary* get() const { return glossary_.get(); }
    const std::string& key() const { return key_; }  // equal for equal terms
private:
    dragoman::Glossary glossary_;
    std::string key_;
};

struct Dictionary {
    std::string from, to;                                       // BCP 47, small letters
    std::vector<std::pair<std::string, std::string>> entries;   // source and target; sources are unique
};

struct Glossary {
    std::string id, owner, name;
    std::chrono::system_clock::time_point created;
    std::vector<Dictionary> dictionaries;
};

// "source\ttarget\n" or CSV of RFC 4180. Throws Problem naming the line: no two fields, empty ones, a source twice.
std::vector<std::pair<std::string, std::string>> read_entries(std::string_view text, bool csv);
std::string write_tsv(const std::vector<std::pair<std::string, std::string>>& entries);

// Kept in a folder, a file each, written atomically. Any thread. Somebody else's is not found.
class Glossaries {
public:
    explicit Glossaries(std::filesystem::path folder);  // empty: in memory only; throws std::runtime_error
    Glossary add(const std::string& owner, const std::string& name, std::vector<Dictionary> dictionaries);
    std::vector<Glossary> list(const std::string& owner) const;
    Glossary get(const std::string& owner, const std::string& id) const;  // throws Problem not_found
    // Empty name: as it is; dictionaries: each replaces, or is added beside, the one of its languages (merge: its
    // entries are added to those).
    Glossary change(const std::string& owner, const std::string& id, const std::string& name,
                    std::vector<Dictionary> dictionaries, bool merge);
    // These dictionaries in place of all that are there.
    Glossary replace(const std::string& owner, const std::string& id, const std::string& name,
                     std::vector<Dictionary> dictionaries);
    Glossary remove_dictionary(const std::string& owner, const std::string& id, const std::string& from,
                               const std::string& to);
    void remove(const std::string& owner, const std::string& id);
    // For a translation: the dictionaries for these languages (with or without regions) of these glossaries. Throws
    // Problem where one is not there or has none for them.
    std::shared_ptr<const Terms> terms(const std::string& owner, const std::vector<std::string>& ids,
                                       const std::string& from, const std::string& to) const;
    // What was broken in the folder when it was read; for the log.
    std::vector<std::string> notes() const;
    // Terms that came with a request.
    static std::shared_ptr<const Terms> terms_of(const std::vector<std::pair<std::string, std::string>>& entries,
                                                 const std::string& from, const std::string& to);

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace serve::work
