// SPDX-License-Identifier: Apache-2.0
#include "serve/keys_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "base/os/path_text.h"
#include "serve/environment.h"
#include "serve/guard/database.h"
#include "serve/guard/words.h"
#include "serve/json.h"

namespace serve {
namespace {

Json json_of(const guard::Key& key) {
    const auto limit = [](std::int64_t value) { return value < 0 ? Json() : Json(value); };
    return {{"id", key.id},
            {"note", key.note},
            {"admin", key.admin},
            {"requests_per_minute", limit(key.requests_per_minute)},
            {"max_characters", limit(key.max_characters)},
            {"characters_per_month", limit(key.characters_per_month)},
            {"characters_used", key.characters_used},
            {"created", key.created},
            {"last_used", key.last_used.empty() ? Json() : Json(key.last_used)}};
}

// JSON for a reader that is a program: bytes that are no UTF-8 do not end it.
void print(const Json& value) { std::cout << value.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n'; }

// What an operator wrote, without characters that a terminal would obey.
std::string shown(std::string text) {
    std::ranges::replace_if(
        text, [](char each) { return static_cast<unsigned char>(each) < ' ' || each == 0x7f; }, '?');
    return text;
}

void print_table(const std::vector<guard::Key>& keys) {
    const auto limit = [](std::int64_t value) { return value < 0 ? std::string("-") : std::to_string(value); };
    std::vector<std::vector<std::string>> rows = {
        {"ID", "CREATED", "LAST USED", "A MINUTE", "A TEXT", "A MONTH", "USED", "ADMIN", "NOTE"}};
    for (const guard::Key& key : keys)
        rows.push_back({key.id, key.created, key.last_used.empty() ? "never" : key.last_used,
                        limit(key.requests_per_minute), limit(key.max_characters), limit(key.characters_per_month),
                        std::to_string(key.characters_used), key.admin ? "yes" : "no", shown(key.note)});
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t column = 0; column + 1 < row.size(); ++column) {
            std::size_t width = 0;
            for (const auto& other : rows) width = std::max(width, other[column].size());
            line += fmt::format("{:<{}}  ", row[column], width);
        }
        std::cout << line << row.back() << '\n';
    }
}

struct Imported {
    std::string secret;
    guard::Key key;
    std::string from;  // where it stands, for messages
};

// A table of LibreTranslate's: what it leaves out is as `defaults` say.
std::vector<Imported> read_libretranslate_keys(const std::filesystem::path& file, const guard::Key& defaults) {
    guard::Database database(file, guard::Database::Mode::read_only);
    guard::Statement columns =
        database.prepare("SELECT 1 FROM pragma_table_info('api_keys') WHERE name = 'char_limit'");
    const char* select = columns.step()
                             ? "SELECT api_key, req_limit, coalesce(char_limit, -1) FROM api_keys ORDER BY rowid"
                             : "SELECT api_key, req_limit, -1 FROM api_keys ORDER BY rowid";
    guard::Statement rows = database.prepare(select);
    std::vector<Imported> all;
    while (rows.step()) {
        guard::Key key = defaults;
        if (rows.number(1) >= 0) key.requests_per_minute = rows.number(1);
        if (rows.number(2) >= 0) key.max_characters = rows.number(2);
        all.push_back({rows.text(0), key, fmt::format("row {}", all.size() + 1)});
    }
    return all;
}

// A key a line, and behind it, if there is something, a note. Lines that begin with '#' are none.
std::vector<Imported> read_lines(std::istream& in, const guard::Key& defaults) {
    std::vector<Imported> all;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (line.ends_with('\r')) line.pop_back();
        const std::string_view text = guard::trimmed(line);
        if (text.empty() || text.starts_with('#')) continue;
        const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
        guard::Key key = defaults;
        if (const auto note = guard::trimmed(text.substr(end)); !note.empty()) key.note = note;
        all.push_back({std::string(text.substr(0, end)), key, fmt::format("line {}", number)});
    }
    return all;
}

std::vector<Imported> read_keys(const std::string& source, const guard::Key& defaults) {
    if (source == "-") return read_lines(std::cin, defaults);
    static constexpr std::string_view kSqlite = "SQLite format 3";
    std::ifstream in(dragoman::path_of(source), std::ios::binary);
    if (!in) throw std::runtime_error(fmt::format("{}: cannot be read", source));
    std::string begin(kSqlite.size(), '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    if (in && begin == kSqlite) return read_libretranslate_keys(dragoman::path_of(source), defaults);
    in.clear();
    in.seekg(0);
    return read_lines(in, defaults);
}

void import(guard::Keys& keys, const KeysCommand& command) {
    std::size_t added = 0, there = 0;
    for (const Imported& each : read_keys(command.source, command.key)) {
        try {
            ++(keys.import(each.secret, each.key) ? added : there);
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(fmt::format("{}, {}: {}; {} keys before it were imported", command.source,
                                                 each.from, error.what(), added));
        }
    }
    if (command.json) print({{"imported", added}, {"already_there", there}});
    else std::cout << fmt::format("{} imported, {} were already there\n", added, there);
}

void add(guard::Keys& keys, const KeysCommand& command) {
    const std::string secret = keys.add(command.key);
    const std::optional<guard::Key> key = keys.find(secret);
    if (!key) throw std::runtime_error("the key that was added is not there");
    if (command.json) {
        Json answer = json_of(*key);
        answer["key"] = secret;
        return print(answer);
    }
    std::cout << secret << '\n';
    std::cerr << fmt::format("The key {}. It is not kept and cannot be shown again.\n", key->id);
}

}  // namespace

int keys_command(const KeysCommand& command) {
    const std::filesystem::path file = command.keys_file.empty() ? keys_file_in(state_folder(command.state))
                                                                 : command.keys_file;
    const bool makes = command.action == KeysCommand::Action::add || command.action == KeysCommand::Action::import;
    if (!makes && !std::filesystem::exists(file))
        throw std::runtime_error(fmt::format("{}: there are no keys yet", dragoman::text_of(file)));
    guard::Keys keys(file);
    switch (command.action) {
        case KeysCommand::Action::add: add(keys, command); break;
        case KeysCommand::Action::import: import(keys, command); break;
        case KeysCommand::Action::remove:
            if (!keys.remove(command.id))
                throw std::runtime_error(fmt::format("{}: there is no key '{}'", dragoman::text_of(file), command.id));
            break;
        case KeysCommand::Action::list:
            if (!command.json) {
                print_table(keys.list());
                break;
            }
            for (const guard::Key& key : keys.list()) print(json_of(key));
    }
    return 0;
}

}  // namespace serve
