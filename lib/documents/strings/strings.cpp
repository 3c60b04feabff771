// SPDX-License-Identifier: Apache-2.0
// Strings of programs: JSON, ARB, Apple's .strings. Values are replaced, all else stays.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "documents/readers.h"
#include "documents/strings/message_catalogue.h"
#include "documents/strings/values.h"

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

// Walks through a document that nlohmann-json has found valid.
class JsonReader {
public:
    JsonReader(std::string_view source, bool arb) : source_(source), arb_(arb), message_(message_key(source)) {}

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
    std::vector<Value> values;
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
        const std::string text = nlohmann::json::parse(source_.substr(at, end + 1 - at)).get<std::string>();
        if (is_key_) key_ = text;
        else if (arb_ && key_ == "@@locale") locale = {at + 1, end};
        else if (is_text())
            if (Value value{.bytes = {at + 1, end}, .text = text}; add_value(units, value))
                values.push_back(std::move(value));
        return end;
    }

    bool is_text() const {
        if (!message_.empty()) return open_.size() == 2 && key_ == message_;
        return !(arb_ && key_.starts_with("@")) && (open_.empty() || !open_.back().kept);
    }

    const std::string_view source_;
    const bool arb_;
    const std::string_view message_;  // the key of all that is text; empty: every key
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

// Appends the character that four digits stand for, and returns how many bytes they take; pairs of UTF-16 are one.
std::size_t append_unit(std::string& text, std::string_view digits) {
    const auto number = [](std::string_view four) {
        const bool whole = four.size() == 4 && four.find_first_not_of("0123456789abcdefABCDEF") == four.npos;
        return whole ? std::stoul(std::string(four), nullptr, 16) : 0ul;
    };
    std::size_t size = 4;
    std::string json = "\"\\u" + std::string(digits.substr(0, 4));
    if (const auto first = number(digits.substr(0, 4)); first >= 0xd800 && first < 0xdc00) {
        const std::string_view second = digits.size() >= 10 ? digits.substr(6, 4) : std::string_view();
        if (const auto low = number(second); low >= 0xdc00 && low < 0xe000) {
            json += "\\u" + std::string(second);
            size = 10;
        }
    }
    const nlohmann::json read = nlohmann::json::parse(json + '"', nullptr, false);
    if (read.is_discarded()) size = 0;
    text += size > 0 ? read.get<std::string>() : "U";
    return size;
}

std::string from_strings(std::string_view written) {
    std::string text;
    for (std::size_t at = 0; at < written.size(); ++at) {
        if (written[at] != '\\' || at + 1 == written.size()) {
            text += written[at];
            continue;
        }
        const char c = written[++at];
        if (c == 'U' || c == 'u') at += append_unit(text, written.substr(at + 1));
        else text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
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
    auto part = std::make_unique<ValuesPart>(std::move(source), std::move(reader.units), std::move(reader.values),
                                             in_json);
    if (reader.locale.size() > 0 && !languages.target.empty()) part->replace(reader.locale, in_json(languages.target));
    return part;
}

PartPtr read_strings(std::string source) {
    Units units;
    std::vector<Value> values;
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
            Value value{.bytes = {at + 1, end},
                        .text = from_strings(std::string_view(source).substr(at + 1, end - at - 1))};
            if (is_value && add_value(units, value)) values.push_back(std::move(value));
            at = end;
        }
    }
    return std::make_unique<ValuesPart>(std::move(source), std::move(units), std::move(values), in_strings);
}

}  // namespace dragoman::documents
