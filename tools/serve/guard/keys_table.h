// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "serve/guard/database.h"
#include "serve/guard/keys.h"

namespace serve::guard {

// The tables of a keys file. One thread at a time.
class KeysTable {
public:
    explicit KeysTable(const std::filesystem::path& file);
    bool insert(const Key& key, const std::string& hash, bool imported);  // false: the hash is there
    bool remove(const std::string& id);
    std::vector<Key> list(const std::string& month);
    // `hash` is compared in constant time, too.
    std::optional<Key> find(const std::string& hash, const std::string& month);
    std::optional<Key> get(const std::string& id, const std::string& month);
    bool has_imported();
    bool had_keys();
    // Requests and characters of each id.
    using Uses = std::map<std::string, std::pair<std::uint64_t, std::int64_t>>;
    void add_use(const Uses& used, const std::string& month, const std::string& time);
    // The same for a document of the key `id`, which is noted with it. False, and nothing is added: it was noted before.
    bool add_document(const std::string& document, const std::string& id, std::uint64_t characters,
                      const std::string& month, const std::string& time);
    bool has_document(const std::string& document);
    void forget_document(const std::string& document);
    const std::string& salt() const { return salt_; }
    int rounds() const { return rounds_; }

private:
    void at_once(const std::function<void()>& changes);  // all of them, or none
    void add_uses(const Uses& used, const std::string& month, const std::string& time);
    std::string setting(const char* name, const std::string& fallback);  // written where it is missing
    Database database_;
    std::string salt_;
    int rounds_ = 0;
};

}  // namespace serve::guard
