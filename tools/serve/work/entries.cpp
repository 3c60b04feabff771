// SPDX-License-Identifier: Apache-2.0
// Entries of glossaries as clients send them and as the library reads them.
#include <algorithm>
#include <set>

#include "serve/work/glossaries.h"
#include "serve/work/glossary_entries.h"
#include "serve/work/kept_files.h"

namespace serve::work {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

[[noreturn]] void broken_line(std::size_t line, const std::string& what) {
    throw Problem(Problem::Kind::bad_request, "entries, line " + std::to_string(line) + ": " + what, "entries");
}

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == text.npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

struct EntryRow {
    std::size_t line = 1;
    std::vector<std::string> fields{""};
    bool blank() const { return fields.size() == 1 && trimmed(fields[0]).empty(); }
};

std::vector<EntryRow> tsv_rows(std::string_view text) {
    std::vector<EntryRow> rows;
    for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        EntryRow row{line, {""}};
        for (const char c : text.substr(at, end - at)) {
            if (c == '\t') row.fields.emplace_back();
            else row.fields.back() += c;
        }
        rows.push_back(std::move(row));
        at = end + 1;
    }
    return rows;
}

std::vector<EntryRow> csv_rows(std::string_view text) {
    std::vector<EntryRow> rows;
    for (std::size_t at = 0, line = 1; at < text.size(); ++at) {
        EntryRow row{line, {""}};
        bool quoted = false, closed = false;
        for (; at < text.size(); ++at) {
            const char c = text[at];
            std::string& field = row.fields.back();
            if (c == '\n') ++line;
            if (quoted && c == '"' && at + 1 < text.size() && text[at + 1] == '"') field += text[++at];
            else if (quoted && c == '"') quoted = false, closed = true;
            else if (quoted) field += c;
            else if (c == '"' && field.empty() && !closed) quoted = true;
            else if (c == '"') broken_line(row.line, "a quotation mark inside a field that is not quoted");
            else if (c == ',') row.fields.emplace_back(), closed = false;
            else if (c == '\n') break;
            else if (c != '\r') field += c;
        }
        if (quoted) broken_line(row.line, "a quotation mark that nothing closes");
        rows.push_back(std::move(row));
    }
    return rows;
}

// A cell of the library's tables of terms; a vertical bar is a part of the term there.
std::string library_cell(const std::string& text, bool is_target) {
    std::string cell = "\"";
    for (const char c : text) {
        if (c == '"') cell += '"';
        if (c == '|' && is_target) cell += '\\';
        cell += c;
    }
    return cell + '"';
}

}  // namespace

void check_entries(const Entries& entries, const std::vector<std::size_t>& lines) {
    std::set<std::string_view> sources;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& [source, target] = entries[i];
        const std::size_t line = lines.empty() ? i + 1 : lines[i];
        for (const std::string* text : {&source, &target}) {
            if (text->empty()) broken_line(line, "a term and its translation are needed, one is empty");
            const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
            if (std::ranges::any_of(*text, is_control))
                broken_line(line, "a term with a tab, a line break or the like");
        }
        if (!sources.insert(source).second) broken_line(line, "the term \"" + source + "\" comes twice");
    }
}

Entries read_entries(std::string_view text, bool csv) {
    check_utf8(text, "entries");
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    Entries entries;
    std::vector<std::size_t> lines;
    for (const EntryRow& row : csv ? csv_rows(text) : tsv_rows(text)) {
        if (row.blank()) continue;
        if (row.fields.size() != 2)
            broken_line(row.line, "expected a term and its translation, got " + std::to_string(row.fields.size()) +
                                      (row.fields.size() == 1 ? " field" : " fields"));
        entries.emplace_back(trimmed(row.fields[0]), trimmed(row.fields[1]));
        lines.push_back(row.line);
    }
    check_entries(entries, lines);
    return entries;
}

std::string write_tsv(const Entries& entries) {
    std::string text;
    for (const auto& [source, target] : entries) text += source + '\t' + target + '\n';
    return text;
}

std::string library_table(const Entries& entries) {
    std::string table = "source,target\n";
    for (const auto& [source, target] : entries)
        table += library_cell(source, false) + ',' + library_cell(target, true) + '\n';
    return table;
}

}  // namespace serve::work
