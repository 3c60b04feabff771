// SPDX-License-Identifier: Apache-2.0
// gettext: messages without a translation get one, marked fuzzy.
#include <algorithm>

#include "base/error.h"
#include "documents/strings/conversions.h"
#include "documents/strings/plural_rule.h"
#include "documents/readers.h"
#include "documents/strings/values.h"

namespace dragoman::documents {
namespace {

struct Line {
    Range bytes{};        // of the line, without its end
    std::string keyword;  // "msgid", "msgstr[0]"; empty: the string continues; "#": a comment
    Range string{};       // with its quotation marks
};

struct PoField {
    std::string keyword, text;
    Range string{};  // over all lines
};

constexpr std::size_t kNone = SIZE_MAX;

struct Entry {
    std::size_t begin = 0, previous = kNone;  // of its first string; of comments with its older text ("#| msgid")
    Range flags{};  // bytes of the line "#, ..."
    bool fuzzy = false;
    std::vector<PoField> fields;
};

std::string decoded(std::string_view written) {
    std::string text;
    for (std::size_t at = 0; at < written.size(); ++at) {
        if (written[at] != '\\' || at + 1 == written.size()) {
            text += written[at];
            continue;
        }
        const char c = written[++at];
        text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
    return text;
}

std::string notated(std::string_view text) {
    std::string written = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') written += '\\';
        if (c == '\n') written += "\\n";
        else if (c == '\t') written += "\\t";
        else if (c == '\r') written += "\\r";
        else written += c;
    }
    return written + '"';
}

class PoPart final : public ValuesPart {
public:
    struct Place {
        std::size_t mark = 0;  // place for the flag
        std::string flag{};    // empty: there is one, or another string of the entry adds it
        Range string{};
    };
    PoPart(std::string source, Units units, std::vector<Value> values, std::vector<Place> places)
        : ValuesPart(std::move(source), std::move(units), std::move(values), notated), places_(std::move(places)) {}

private:
    markup::Edit put(std::size_t value, std::string string) const override {
        const Place& place = places_[value];
        markup::Edit edit{.bytes = {place.flag.empty() ? place.string.begin : place.mark, place.string.end},
                          .text = place.flag + string};
        if (!place.flag.empty()) {
            edit.pieces.push_back({false, {0, place.flag.size()}});
            edit.pieces.push_back({true, {place.mark, place.string.begin}});
        }
        edit.pieces.push_back({false, {place.flag.size(), edit.text.size()}});
        return edit;
    }
    const std::vector<Place> places_;
};

class PoReader {
public:
    explicit PoReader(std::string_view source) : source_(source) {}

    void read() {
        for (std::size_t at = source_.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < source_.size();) {
            const std::size_t end = std::min(source_.find('\n', at), source_.size());
            ++number_;
            line({at, end});
            at = end + 1;
        }
        finish();
    }

    Units units;
    std::vector<Value> values;
    std::vector<PoPart::Place> places;

private:
    void line(Range bytes) {
        std::string_view line = text::part(source_, bytes);
        if (line.ends_with('\r')) line.remove_suffix(1);
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos) return finish();
        if (line[first] == '#') return comment(bytes, line.substr(first));
        const std::size_t open = line.find('"', first), close = line.rfind('"');
        if (open == std::string_view::npos || close == open)
            fail(Status::invalid_argument, "po: line {}: expected a string, got '{}'", number_, line);
        const Range string{bytes.begin + open, bytes.begin + close + 1};
        const std::string keyword(line.substr(first, line.find_first_of(" \t\"", first) - first));
        const std::string text = decoded(line.substr(open + 1, close - open - 1));
        if (!keyword.empty()) {
            const bool next = (keyword == "msgid" || keyword == "msgctxt") && has("msgstr");
            if (next) finish();
            if (entry_.fields.empty()) entry_.begin = bytes.begin;
            entry_.fields.push_back({keyword, text, string});
        } else if (entry_.fields.empty()) {
            fail(Status::invalid_argument, "po: line {}: expected msgid, got '{}'", number_, line);
        } else {
            entry_.fields.back().text += text;
            entry_.fields.back().string.end = string.end;
        }
    }
    void comment(Range bytes, std::string_view line) {
        if (has("msgstr")) finish();
        if (line.starts_with("#|")) entry_.previous = std::min(entry_.previous, bytes.begin);
        if (!line.starts_with("#,")) return;
        entry_.flags = {bytes.begin, bytes.begin + line.size()};
        entry_.fuzzy = line.find("fuzzy") != std::string_view::npos;
    }
    bool has(std::string_view keyword) const {
        return std::ranges::any_of(entry_.fields, [&](const PoField& f) { return f.keyword.starts_with(keyword); });
    }
    const PoField* field(std::string_view keyword) const {
        for (const PoField& one : entry_.fields)
            if (one.keyword == keyword) return &one;
        return nullptr;
    }
    // The languages that number a format's arguments all do so as in C, but for Python.
    Reordered reordered() const {
        const bool python = text::part(source_, entry_.flags).find("python-format") != std::string_view::npos;
        return python ? Reordered::refused : Reordered::numbered;
    }
    // The plural's text is the source of all forms but that of the number 1, and of this one where other numbers have it
    // too and the singular does not name them.
    const std::string& text_of(const PoField& string, const PoField& id, const PoField* plural) const {
        if (!plural) return id.text;
        const bool only = std::ranges::count_if(entry_.fields, [](const PoField& one) {
                              return one.keyword.starts_with("msgstr");
                          }) == 1;
        const bool counts = conversions(id.text).size() == conversions(plural->text).size();
        const std::size_t form = rule_.form(1);
        if (string.keyword != "msgstr[" + std::to_string(form) + "]") return plural->text;
        return only || (!counts && rule_.has_others(form)) ? plural->text : id.text;
    }
    void finish() {
        const PoField* id = field("msgid");
        const PoField* plural = field("msgid_plural");
        if (const PoField* head = field("msgstr"); id && id->text.empty() && head) rule_ = PluralRule(head->text);
        bool marked = entry_.fuzzy;
        for (const PoField& one : entry_.fields) {
            const bool names = id && id->text == "translator-credits";  // gettext's word for who translates
            if (!id || id->text.empty() || names || !one.keyword.starts_with("msgstr") || !one.text.empty()) continue;
            Value value{.bytes = one.string, .text = text_of(one, *id, plural), .reordered = reordered()};
            if (!add_value(units, value)) continue;
            PoPart::Place place{.string = one.string};
            if (!marked) {
                place.mark = entry_.flags.size() > 0 ? entry_.flags.end : std::min(entry_.previous, entry_.begin);
                place.flag = entry_.flags.size() > 0 ? ", fuzzy" : "#, fuzzy\n";
                marked = true;
            }
            places.push_back(std::move(place));
            values.push_back(std::move(value));
        }
        entry_ = {};
    }

    const std::string_view source_;
    Entry entry_;
    std::size_t number_ = 0;
    PluralRule rule_;
};

}  // namespace

PartPtr read_po(std::string source, const Languages&) {
    PoReader reader(source);
    reader.read();
    return std::make_unique<PoPart>(std::move(source), std::move(reader.units), std::move(reader.values),
                                    std::move(reader.places));
}

}  // namespace dragoman::documents
