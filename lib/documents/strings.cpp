// SPDX-License-Identifier: Apache-2.0
// Strings of programs: JSON, ARB, Apple's .strings. Values are replaced, all else stays.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "documents/icu_message.h"
#include "documents/readers.h"

namespace dragoman::documents {
namespace {

std::string in_json(std::string_view text) {
    const std::string quoted = nlohmann::json(text).dump();
    return quoted.substr(1, quoted.size() - 2);
}

// The end of the string whose quotation mark is at `at`.
std::size_t string_end(std::string_view source, std::size_t at) {
    for (++at; at < source.size() && source[at] != '"'; ++at)
        if (source[at] == '\\') ++at;
    return std::min(at, source.size());
}

// Adds a message; if it has forms, each is a text of its own, whose bytes are known where nothing is escaped.
void add_message(Units& units, Range bytes, std::string_view written, const std::string& text) {
    const std::vector<Range> forms = icu_forms(text);
    if (forms.empty()) {
        if (has_letter(text)) add_unit(units, bytes, text);
        return;
    }
    if (written != text) return;
    for (const Range& form : forms)
        if (has_letter(text::part(text, form)))
            add_unit(units, {bytes.begin + form.begin, bytes.begin + form.end}, text::part(text, form));
}

// Walks through a document that nlohmann-json has found valid.
class JsonReader {
public:
    JsonReader(std::string_view source, bool arb) : source_(source), arb_(arb) {}

    void read() {
        for (std::size_t at = 0; at < source_.size(); ++at) {
            const char c = source_[at];
            if (c == '{' || c == '[') begin(c == '{');
            else if (c == '}' || c == ']') end();
            else if (c == ',') is_key_ = !open_.empty() && open_.back().object;
            else if (c == ':') is_key_ = false;
            else if (c == '"') at = string(at);
        }
    }

    Units units;
    Range locale{};  // for ARB
    std::size_t deepest = 0;  // the deepest nesting of values

private:
    struct Open {
        bool object = false, kept = false;
    };
    void begin(bool object) {
        const bool kept = (!open_.empty() && open_.back().kept) || (arb_ && key_.starts_with("@"));
        open_.push_back({object, kept});
        deepest = std::max(deepest, open_.size());
        is_key_ = object;
    }
    void end() {
        open_.pop_back();
        key_.clear();
        is_key_ = false;
    }
    std::size_t string(std::size_t at) {
        const std::size_t end = string_end(source_, at);
        const std::string_view written = source_.substr(at + 1, end - at - 1);
        const std::string text = nlohmann::json::parse(source_.substr(at, end + 1 - at)).get<std::string>();
        if (is_key_) key_ = text;
        else if (arb_ && key_ == "@@locale") locale = {at + 1, end};
        else if (!(arb_ && key_.starts_with("@")) && (open_.empty() || !open_.back().kept))
            add_message(units, {at + 1, end}, written, text);
        return end;
    }

    const std::string_view source_;
    const bool arb_;
    std::vector<Open> open_;
    std::string key_;
    bool is_key_ = false;
};

[[noreturn]] void refuse(std::string_view what, std::size_t at) {
    fail(Status::invalid_argument, "strings: expected the end of the {} at byte {}, got the end of the file", what, at);
}

std::string in_strings(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') result += "\\n";
        else if (c == '\t') result += "\\t";
        else if (c != '\r') result += c;
    }
    return result;
}

std::string from_strings(std::string_view written) {
    std::string text;
    for (std::size_t at = 0; at < written.size(); ++at) {
        if (written[at] != '\\' || at + 1 == written.size()) {
            text += written[at];
            continue;
        }
        const char c = written[++at];
        text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    return text;
}

}  // namespace

PartPtr read_json(std::string source, bool arb, const Languages& languages) {
    if (const std::size_t zero = source.find('\0'); zero != std::string::npos)  // nlohmann-json would stop there
        fail(Status::invalid_argument, "JSON: expected text, got a zero byte at byte {}", zero);
    try {
        const auto nothing = [](int, nlohmann::json::parse_event_t, const nlohmann::json&) { return false; };
        [[maybe_unused]] const nlohmann::json empty = nlohmann::json::parse(source, nothing);
    } catch (const nlohmann::json::exception& error) {
        fail(Status::invalid_argument, "JSON: {}", error.what());
    }
    JsonReader reader(source, arb);
    reader.read();
    if (reader.deepest > kMaxDepth)
        fail(Status::invalid_argument, "JSON: expected at most {} values within each other, got {}", kMaxDepth,
             reader.deepest);
    auto part = std::make_unique<NotatedPart>(std::move(source), std::move(reader.units), in_json);
    if (reader.locale.size() > 0 && !languages.target.empty()) part->replace(reader.locale, in_json(languages.target));
    return part;
}

PartPtr read_strings(std::string source) {
    Units units;
    bool is_value = false;
    for (std::size_t at = 0; at < source.size(); ++at) {
        const std::string_view rest = std::string_view(source).substr(at);
        if (rest.starts_with("/*")) {
            const std::size_t end = source.find("*/", at + 2);
            if (end == std::string::npos) refuse("comment", at);
            at = end + 1;
        } else if (rest.starts_with("//")) {
            at = std::min(source.find('\n', at), source.size()) - 1;
        } else if (source[at] == '=' || source[at] == ';') {
            is_value = source[at] == '=';
        } else if (source[at] == '"') {
            const std::size_t end = string_end(source, at);
            if (end == source.size()) refuse("string", at);
            const std::string text = from_strings(std::string_view(source).substr(at + 1, end - at - 1));
            if (is_value && has_letter(text)) add_unit(units, {at + 1, end}, text);
            at = end;
        }
    }
    return std::make_unique<NotatedPart>(std::move(source), std::move(units), in_strings);
}

}  // namespace dragoman::documents
