// SPDX-License-Identifier: Apache-2.0
#include "formats/yaml_map.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "base/error.h"
#include "base/real.h"
#include "base/utf8.h"
#include "files/file_budget.h"

namespace dragoman::formats {
namespace {

constexpr int kMaxLevels = 32;

struct TooDeep {};
struct TooMany {};
struct NotAMap {};

// Listens to the parser. No tree is built, so only the parser grows or recurses, and only to kMaxLevels.
class Collector final : public YAML::EventHandler {
public:
    explicit Collector(std::vector<std::pair<std::string, YamlValue>>& entries) : entries_(entries) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override { scalar("null"); }
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {
        nested();
        if (level_ != 1) return;
        if (has_key_) finish();
        else has_key_ = true;
    }
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string& value) override {
        scalar(value);
    }
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        if (level_ == 0) throw NotAMap{};
        if (level_ == 1 && has_key_) value_.list = true;
        else nested();
        enter();
    }
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        if (level_ > 0) nested();
        enter();
    }
    void OnSequenceEnd() override { leave(); }
    void OnMapEnd() override { leave(); }

private:
    void enter() {
        if (++level_ > kMaxLevels) throw TooDeep{};
    }

    void leave() {
        if (--level_ != 1) return;
        if (has_key_) finish();
        else has_key_ = true;  // a list or map was the key
    }

    void scalar(const std::string& text) {
        if (level_ == 0) throw NotAMap{};
        if (level_ == 1 && !has_key_) {
            key_ = text;
            has_key_ = true;
            return;
        }
        if (value_.items.size() == kMaxVocabularyEntries) throw TooMany{};
        if (level_ == 1 || (level_ == 2 && value_.list)) value_.items.push_back(text);
        if (level_ == 1) finish();
    }

    void nested() {
        if (level_ == 0) throw NotAMap{};
        value_.nested = true;
    }

    void finish() {
        if (value_.nested) value_.items.clear();
        if (entries_.size() == kMaxVocabularyEntries) throw TooMany{};
        entries_.emplace_back(std::move(key_), std::move(value_));
        key_.clear();
        value_ = {};
        has_key_ = false;
    }

    std::vector<std::pair<std::string, YamlValue>>& entries_;
    std::string key_;
    YamlValue value_;
    bool has_key_ = false;
    int level_ = 0;
};

}  // namespace

YamlMap::YamlMap(std::string where, std::string_view text) : where_(std::move(where)) {
    check_file_bytes(where_, where_, text.size());
    if (const auto bad = first_invalid_utf8(text)) fail(Status::bad_model, "{}: not UTF-8 at byte {}", where_, *bad);
    std::istringstream in{std::string(text)};
    Collector collector(entries_);
    try {
        YAML::Parser parser(in);
        if (!parser.HandleNextDocument(collector)) throw NotAMap{};
    } catch (const TooDeep&) {
        fail(Status::bad_model, "{}: expected at most {} levels of nesting, file has more", where_, kMaxLevels);
    } catch (const TooMany&) {
        fail(Status::bad_model, "{}: expected at most {} entries, file has more", where_, kMaxVocabularyEntries);
    } catch (const NotAMap&) {
        fail(Status::bad_model, "{}: expected a YAML map, file has something else", where_);
    } catch (const YAML::Exception& error) {
        fail(Status::bad_model, "{}: broken YAML ({})", where_, error.what());
    }
}

const YamlValue* YamlMap::find(std::string_view key) const {
    // Searches backwards, for the last entry of that name; clang 14 cannot compile views::reverse of these.
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
        if (entry->first == key) return &entry->second;
    return nullptr;
}

void YamlMap::wrong(std::string_view key, std::string_view expected, std::string_view found) const {
    fail(Status::bad_model, "{}: {}: expected {}, file has {}", where_, key, expected, found.substr(0, 60));
}

const std::string* YamlMap::scalar(std::string_view key) const {
    const YamlValue* value = find(key);
    if (!value) return nullptr;
    if (value->list || value->nested) wrong(key, "one value", "a list or map");
    return &value->items.at(0);
}

std::string YamlMap::text(std::string_view key, std::string_view absent) const {
    const std::string* value = scalar(key);
    return value ? *value : std::string(absent);
}

bool YamlMap::flag(std::string_view key, bool absent) const {
    const std::string* value = scalar(key);
    if (!value) return absent;
    for (const std::string_view yes : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y", "1"})
        if (*value == yes) return true;
    for (const std::string_view no : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N", "0"})
        if (*value == no) return false;
    wrong(key, "true or false", *value);
}

uint32_t YamlMap::number(std::string_view key, uint32_t absent, uint32_t most) const {
    const std::string* value = scalar(key);
    if (!value) return absent;
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (error != std::errc{} || end != value->data() + value->size() || number > most)
        wrong(key, fmt::format("a number from 0 to {}", most), *value);
    return number;
}

std::optional<double> YamlMap::real(std::string_view key) const {
    const std::string* value = scalar(key);
    if (!value) return std::nullopt;
    double number = 0;
    if (read_real(*value, number) != std::errc{} || !std::isfinite(number)) wrong(key, "a number", *value);
    return number;
}

std::vector<std::string> YamlMap::list(std::string_view key) const {
    const YamlValue* value = find(key);
    if (!value) return {};
    if (value->nested) wrong(key, "a list", "a list or map of lists or maps");
    return value->items;
}

}  // namespace dragoman::formats
