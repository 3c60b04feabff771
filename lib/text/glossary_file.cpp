// SPDX-License-Identifier: Apache-2.0
// Glossaries in tables and in TBX (ISO 30042).
#include <expat.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "spec/language_names.h"
#include "text/glossary.h"
#include "text/xml_place.h"

namespace dragoman::text {
namespace {

struct Cells {
    std::size_t line = 0;
    std::vector<std::string> cells;
};

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = char(std::tolower(uint8_t(c)));
    return result;
}

// The rows of a table. Quoted cells may hold line breaks where commas are between cells.
std::vector<Cells> rows_of(std::string_view text, char between) {
    std::vector<Cells> rows;
    const bool quotes = between != '\t';
    std::size_t at = 0, line = 1;
    while (at < text.size()) {
        Cells row{.line = line, .cells = {""}};
        const bool note = text[at] == '#';
        bool quoted = false;
        for (; at < text.size(); ++at) {
            const char c = text[at];
            if (c == '\n') ++line;
            if (quoted) {
                if (c != '"') row.cells.back() += c;
                else if (at + 1 < text.size() && text[at + 1] == '"') row.cells.back() += text[++at];
                else quoted = false;
            } else if (quotes && !note && c == '"' && row.cells.back().empty()) {
                quoted = true;
            } else if (c == between) {
                row.cells.emplace_back();
            } else if (c == '\n') {
                break;
            } else if (c != '\r') {
                row.cells.back() += c;
            }
        }
        if (quoted) fail(Status::invalid_argument, "glossary, line {}: a quotation mark that nothing closes", row.line);
        ++at;
        const bool blank = std::ranges::all_of(row.cells, [](const std::string& cell) {
            return trim(cell, {0, cell.size()}).size() == 0;
        });
        if (!note && !blank) rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::string> alternatives(std::string_view cell) {
    std::vector<std::string> list{""};
    for (std::size_t at = 0; at < cell.size(); ++at) {
        if (cell[at] == '\\' && at + 1 < cell.size() && cell[at + 1] == '|') list.back() += cell[++at];
        else if (cell[at] == '|') list.emplace_back();
        else list.back() += cell[at];
    }
    return list;
}

GlossaryEntry entry_of(const Cells& row) {
    if (row.cells.size() < 2)
        fail(Status::invalid_argument, "glossary, line {}: expected a term and a target, got {} cell", row.line,
             row.cells.size());
    GlossaryEntry entry{.source = row.cells[0], .targets = alternatives(row.cells[1])};
    for (std::size_t i = 2; i < row.cells.size(); ++i) {
        const std::string cell = lower(part(row.cells[i], trim(row.cells[i], {0, row.cells[i].size()})));
        if (cell == "exact") entry.capitals = GlossaryEntry::Case::exact;
        else if (cell == "ignore") entry.capitals = GlossaryEntry::Case::ignored;
        else if (cell == "part") entry.part_of_word = true;
        else if (!cell.empty())
            fail(Status::invalid_argument, "glossary, line {}: expected \"exact\", \"ignore\" or \"part\", got \"{}\"",
                 row.line, row.cells[i]);
    }
    return entry;
}

bool is_header(const Cells& row) {
    return row.cells.size() >= 2 && lower(row.cells[0]) == "source" && lower(row.cells[1]) == "target";
}

// TBX's elements, old (martif, termEntry, langSet) and new (conceptEntry, langSec).
class Tbx {
public:
    Tbx(std::string_view source, std::string_view target) : source_(lower(source)), target_(lower(target)) {}

    std::vector<GlossaryEntry> read(std::string_view bytes) {
        const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr),
                                                                                  &XML_ParserFree);
        if (!parser) fail(Status::out_of_memory, "glossary: no memory for a parser of {} bytes", bytes.size());
        XML_SetUserData(parser.get(), this);
        XML_SetElementHandler(
            parser.get(),
            [](void* self, const XML_Char* name, const XML_Char** attributes) {
                static_cast<Tbx*>(self)->begin(name, attributes);
            },
            [](void* self, const XML_Char* name) { static_cast<Tbx*>(self)->end(name); });
        XML_SetCharacterDataHandler(parser.get(), [](void* self, const XML_Char* text, int size) {
            static_cast<Tbx*>(self)->text_.append(text, std::size_t(size));
        });
        if (XML_Parse(parser.get(), bytes.data(), int(bytes.size()), 1) == XML_STATUS_ERROR)
            fail(Status::invalid_argument, "glossary, line {}: {}", xml_line(parser.get()),
                 XML_ErrorString(XML_GetErrorCode(parser.get())));
        return std::move(entries_);
    }

private:
    struct Term {
        std::string language, text;
        bool forbidden = false, untranslated = false, exact = false;
    };

    void begin(std::string_view name, const XML_Char** attributes) {
        text_.clear();
        type_.clear();
        for (; attributes[0]; attributes += 2) {
            if (std::string_view(attributes[0]) == "type") type_ = attributes[1];
            if (std::string_view(attributes[0]) == "xml:lang" && (name == "langSet" || name == "langSec"))
                language_ = lower(attributes[1]);
        }
        if (name == "termEntry" || name == "conceptEntry") terms_.clear();
        if (name == "tig" || name == "ntig" || name == "termSec") terms_.push_back({.language = language_});
    }

    void end(std::string_view name) {
        const std::string_view text = part(text_, trim(text_, {0, text_.size()}));
        if (!terms_.empty()) {
            Term& term = terms_.back();
            if (name == "term") term.text = text;
            if (type_ == "administrativeStatus" || type_ == "normativeAuthorization")
                term.forbidden |= text.find("forbidden") != text.npos || text.find("deprecated") != text.npos ||
                                  text.find("superseded") != text.npos;
            if (type_ == "translationNote" || type_ == "translate") term.untranslated |= lower(text) == "no";
            if (type_ == "caseSensitive") term.exact |= lower(text) != "no";
        }
        type_.clear();
        if (name == "termEntry" || name == "conceptEntry") finish();
    }

    static bool is_of(const std::string& language, const std::string& wanted) {
        return language == wanted || (language.starts_with(wanted) && language[wanted.size()] == '-');
    }

    void finish() {
        std::vector<std::string> targets;
        for (const Term& term : terms_)
            if (is_of(term.language, target_) && !term.forbidden && !term.text.empty()) targets.push_back(term.text);
        for (const Term& term : terms_) {
            if (!is_of(term.language, source_) || term.text.empty()) continue;
            GlossaryEntry entry{.source = term.text, .targets = term.untranslated ? std::vector{term.text} : targets};
            if (term.exact) entry.capitals = GlossaryEntry::Case::exact;
            if (!entry.targets.empty()) entries_.push_back(std::move(entry));
        }
    }

    const std::string source_, target_;
    std::vector<GlossaryEntry> entries_;
    std::vector<Term> terms_;
    std::string language_, type_, text_;
};

}  // namespace

std::vector<GlossaryEntry> read_glossary(std::string_view bytes, std::string_view source_language,
                                         std::string_view target_language) {
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
    constexpr std::size_t kMax = 64u << 20;
    if (bytes.size() > kMax)
        fail(Status::invalid_argument, "glossary: expected at most {} bytes, got {}", kMax, bytes.size());
    const Range text = trim(bytes, {0, bytes.size()});
    if (text.size() > 0 && bytes[text.begin] == '<') {
        if (source_language.empty() || target_language.empty())
            fail(Status::invalid_argument,
                 "glossary: TBX has several languages; expected two of them, got \"{}\" and \"{}\"", source_language,
                 target_language);
        return Tbx(spec::code_of_language(source_language), spec::code_of_language(target_language)).read(bytes);
    }
    if (const auto invalid = first_invalid_utf8(bytes))
        fail(Status::invalid_argument, "glossary: expected UTF-8, got byte {} that is none", *invalid);
    const char between = bytes.find('\t') != bytes.npos ? '\t' : ',';
    std::vector<GlossaryEntry> entries;
    bool first = true;
    for (const Cells& row : rows_of(bytes, between))
        if (!std::exchange(first, false) || !is_header(row)) entries.push_back(entry_of(row));
    return entries;
}

}  // namespace dragoman::text
