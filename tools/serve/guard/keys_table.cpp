// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/keys_table.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "base/os/path_text.h"
#include "serve/guard/secrets.h"

namespace serve::guard {
namespace {

constexpr int kSchema = 1;
// About 0.5 ms on a core of today: what a request with an unknown key may cost the service.
constexpr int kRounds = 1000;
constexpr std::size_t kSaltBytes = 16;

constexpr const char* kTables = R"(
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS keys (
        id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, imported INTEGER NOT NULL, note TEXT NOT NULL,
        admin INTEGER NOT NULL, requests_per_minute INTEGER NOT NULL, max_characters INTEGER NOT NULL,
        characters_per_month INTEGER NOT NULL, created TEXT NOT NULL, last_used TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS uses (
        key TEXT NOT NULL, month TEXT NOT NULL, requests INTEGER NOT NULL, characters INTEGER NOT NULL,
        PRIMARY KEY (key, month));
    CREATE TABLE IF NOT EXISTS documents (id TEXT PRIMARY KEY);)";

constexpr const char* kColumns =
    "SELECT id, note, admin, requests_per_minute, max_characters, characters_per_month, created, last_used, "
    "coalesce((SELECT characters FROM uses WHERE key = id AND month = ?1), 0), hash FROM keys ";

Key key_of_row(const Statement& row) {
    Key key;
    key.id = row.text(0);
    key.note = row.text(1);
    key.admin = row.number(2) != 0;
    key.requests_per_minute = row.number(3);
    key.max_characters = row.number(4);
    key.characters_per_month = row.number(5);
    key.created = row.text(6);
    key.last_used = row.text(7);
    key.characters_used = row.number(8);
    return key;
}

int number_of(const std::string& text) {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace

KeysTable::KeysTable(const std::filesystem::path& file) : database_(file, Database::Mode::create) {
    database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database_.run("BEGIN IMMEDIATE");  // of two processes that make the file, one writes the settings
    database_.run(kTables);
    const std::string schema = setting("schema", std::to_string(kSchema));
    if (schema != std::to_string(kSchema))
        throw std::runtime_error(fmt::format("{}: its schema is {}, this version knows {}", dragoman::text_of(file),
                                             schema, kSchema));
    salt_ = setting("salt", hex(random_bytes(kSaltBytes)));
    rounds_ = number_of(setting("rounds", std::to_string(kRounds)));
    if (rounds_ <= 0)
        throw std::runtime_error(fmt::format("{}: its setting 'rounds' is no number above 0", dragoman::text_of(file)));
    database_.run("COMMIT");
}

std::string KeysTable::setting(const char* name, const std::string& fallback) {
    Statement select = database_.prepare("SELECT value FROM settings WHERE name = ?");
    if (select.bind(1, std::string_view(name)).step()) return select.text(0);
    database_.prepare("INSERT INTO settings VALUES (?, ?)").bind(1, std::string_view(name)).bind(2, fallback).run();
    return fallback;
}

void KeysTable::at_once(const std::function<void()>& changes) {
    database_.run("BEGIN IMMEDIATE");
    try {
        changes();
        database_.run("COMMIT");
    } catch (...) {
        try {
            database_.run("ROLLBACK");
        } catch (const std::runtime_error&) {  // SQLite has rolled back already; the first error says why
        }
        throw;
    }
}

bool KeysTable::insert(const Key& key, const std::string& hash, bool imported) {
    bool inserted = false;
    // With a key and no word of it the service would be open to all.
    at_once([&] {
        database_.prepare("INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '') ON CONFLICT (hash) DO NOTHING")
            .bind(1, key.id)
            .bind_bytes(2, hash)
            .bind(3, std::int64_t(imported))
            .bind(4, key.note)
            .bind(5, std::int64_t(key.admin))
            .bind(6, key.requests_per_minute)
            .bind(7, key.max_characters)
            .bind(8, key.characters_per_month)
            .bind(9, key.created)
            .run();
        inserted = database_.changes() > 0;
        database_.prepare("INSERT INTO settings VALUES ('had_keys', '1') ON CONFLICT DO NOTHING").run();
    });
    return inserted;
}

bool KeysTable::remove(const std::string& id) {
    bool removed = false;
    at_once([&] {
        database_.prepare("DELETE FROM uses WHERE key = ?").bind(1, id).run();
        database_.prepare("DELETE FROM keys WHERE id = ?").bind(1, id).run();
        removed = database_.changes() > 0;
    });
    return removed;
}

std::vector<Key> KeysTable::list(const std::string& month) {
    Statement rows = database_.prepare((std::string(kColumns) + "ORDER BY created, rowid").c_str());
    rows.bind(1, month);
    std::vector<Key> keys;
    while (rows.step()) keys.push_back(key_of_row(rows));
    return keys;
}

std::optional<Key> KeysTable::find(const std::string& hash, const std::string& month) {
    Statement row = database_.prepare((std::string(kColumns) + "WHERE hash = ?2").c_str());
    if (!row.bind(1, month).bind_bytes(2, hash).step() || !equal(row.text(9), hash)) return {};
    return key_of_row(row);
}

std::optional<Key> KeysTable::get(const std::string& id, const std::string& month) {
    Statement row = database_.prepare((std::string(kColumns) + "WHERE id = ?2").c_str());
    if (!row.bind(1, month).bind(2, id).step()) return {};
    return key_of_row(row);
}

bool KeysTable::has_imported() { return database_.prepare("SELECT 1 FROM keys WHERE imported LIMIT 1").step(); }

bool KeysTable::had_keys() { return database_.prepare("SELECT 1 FROM settings WHERE name = 'had_keys'").step(); }

void KeysTable::add_use(const Uses& used, const std::string& month, const std::string& time) {
    at_once([&] { add_uses(used, month, time); });
}

void KeysTable::add_uses(const Uses& used, const std::string& month, const std::string& time) {
    for (const auto& [id, counts] : used) {
        // A key that was removed meanwhile is not counted.
        database_
            .prepare(
                "INSERT INTO uses SELECT id, ?2, ?3, ?4 FROM keys WHERE id = ?1 ON CONFLICT DO UPDATE SET "
                "requests = requests + excluded.requests, characters = characters + excluded.characters")
            .bind(1, id)
            .bind(2, month)
            .bind(3, static_cast<std::int64_t>(counts.first))
            .bind(4, counts.second)
            .run();
        database_.prepare("UPDATE keys SET last_used = ?2 WHERE id = ?1").bind(1, id).bind(2, time).run();
    }
}

bool KeysTable::add_document(const std::string& document, const std::string& id, std::uint64_t characters,
                             const std::string& month, const std::string& time) {
    bool added = false;
    at_once([&] {
        database_.prepare("INSERT INTO documents VALUES (?) ON CONFLICT DO NOTHING").bind(1, document).run();
        added = database_.changes() > 0;
        if (added) add_uses({{id, {1, static_cast<std::int64_t>(characters)}}}, month, time);
    });
    return added;
}

bool KeysTable::has_document(const std::string& document) {
    return database_.prepare("SELECT 1 FROM documents WHERE id = ?").bind(1, document).step();
}

void KeysTable::forget_document(const std::string& document) {
    database_.prepare("DELETE FROM documents WHERE id = ?").bind(1, document).run();
}

}  // namespace serve::guard
