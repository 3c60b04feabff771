// SPDX-License-Identifier: Apache-2.0
#include "registry/field_map.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "registry/mirror.h"
#include "registry/packing.h"
#include "registry/safe_text.h"
#include "spec/language_tag.h"

namespace dragoman::registry {
namespace {

constexpr std::size_t kMostMatched = 2000;  // bytes: regular expressions need stack for each

double number_of(const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(number) ? number : 0;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (c != ' ' && c != '+') words.back() += c;
        else if (!words.back().empty()) words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

}  // namespace

std::regex read_pattern(const std::string& pattern, const std::string& where) {
    try {
        return std::regex(pattern, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error& error) {
        fail(Status::bad_model, "{}: expected a regular expression, got {}: {}", where, pattern, error.what());
    }
}

FieldMap::FieldMap(const Registry& registry) : registry_(registry) {
    DataKeys keys(registry.data, registry.file);
    publisher_ = keys.text("publisher");
    if (const nlohmann::json* parts = keys.find("parts"))
        for (const auto& [name, part] : parts->items()) {
            DataKeys inner(part, keys.at("parts") + ": " + name);
            parts_.push_back({name, inner.text_template("of"),
                              read_pattern(inner.needed("pattern"), inner.at("pattern"))});
            inner.finish();
        }
    if (const nlohmann::json* where = keys.find("where"))
        for (const auto& [text, pattern] : where->items()) {
            if (!pattern.is_string()) fail(Status::bad_model, "{}: {}: expected a text", keys.at("where"), text);
            where_.emplace_back(keys.read_template(text, "where"),
                                read_pattern(pattern.get<std::string>(), keys.at("where")));
        }
    if (const nlohmann::json* languages = keys.find("languages")) {
        DataKeys inner(*languages, keys.at("languages"));
        for (const auto& [code, unused] : languages->items()) languages_[code] = inner.text(code);
    }
    if (const nlohmann::json* corrections = keys.find("corrections"))
        for (const auto& [model, right] : corrections->items()) {
            DataKeys inner(right, keys.at("corrections") + ": " + model);
            corrections_[model] = {inner.text("from"), inner.text("to")};
            inner.finish();
        }
    const nlohmann::json* entry = keys.find("entry");
    if (!entry) fail(Status::bad_model, "{}: expected an object, it is missing", keys.at("entry"));
    read_entry(DataKeys(*entry, keys.at("entry")));
    for (const nlohmann::json& file : keys.elements("files"))
        files_.push_back(read_file_keys(DataKeys(file, keys.at("files"))));
    if (files_.empty()) fail(Status::bad_model, "{}: expected at least one file", keys.at("files"));
}

void FieldMap::read_entry(DataKeys keys) {
    keys.needed("model");
    model_ = keys.text_template("model");
    from_ = keys.text_template("from");
    to_ = keys.text_template("to");
    title_ = keys.text_template("title");
    publisher_of_entry_ = keys.text_template("publisher");
    license_ = keys.text_template("license");
    version_ = keys.text_template("version");
    architecture_ = keys.text_template("architecture");
    gate_ = keys.text_template("gate");
    pin_ = keys.find("pin") ? keys.text_template("pin") : version_;
    for (const std::string& text : keys.texts("needs")) needs_.push_back(keys.read_template(text, "needs"));
    for (const nlohmann::json& metric : keys.elements("quality")) {
        DataKeys inner(metric, keys.at("quality"));
        const nlohmann::json* scale = inner.find("scale");
        if (scale && !scale->is_number()) fail(Status::bad_model, "{}: expected a number", inner.at("scale"));
        quality_.push_back({inner.needed("metric"), inner.text_template("value"), scale ? scale->get<double>() : 1});
        inner.finish();
    }
    for (const nlohmann::json& order : keys.elements("first")) order_.push_back(read_order(order, keys));
    keys.finish();
}

FieldMap::Order FieldMap::read_order(const nlohmann::json& data, const DataKeys& keys) const {
    DataKeys inner(data, keys.at("first"));
    Order order;
    inner.needed("of");
    order.of = inner.text_template("of");
    const nlohmann::json* as = inner.find("as");
    if (as && as->is_array()) {
        order.as = Order::As::place;
        order.places = inner.texts("as");
    } else if (const std::string how = inner.text("as"); how == "number") {
        order.as = Order::As::number;
    } else if (how != "version" && !how.empty()) {
        fail(Status::bad_model, "{}: expected \"version\", \"number\" or a list of texts, got {}", inner.at("as"), how);
    }
    inner.finish();
    return order;
}

FieldMap::File FieldMap::read_file_keys(DataKeys keys) const {
    File file;
    keys.needed("url");
    file.url = keys.text_template("url");
    file.name = keys.text_template("name");
    file.bytes = keys.text_template("bytes");
    file.unpacked_bytes = keys.text_template("unpacked_bytes");
    file.sha256 = keys.text_template("sha256");
    file.unpacked_sha256 = keys.text_template("unpacked_sha256");
    file.packing = keys.text("packing");
    file.optional = keys.flag("optional");
    if (!file.packing.empty() && file.packing != "none" && file.packing != "file" && file.packing != "archive")
        fail(Status::bad_model, "{}: expected none, file or archive, got {}", keys.at("packing"), file.packing);
    keys.finish();
    return file;
}

bool FieldMap::prepare(Item& item) const {
    for (const Part& part : parts_) {
        const std::string text = part.of.fill_or_empty(item);
        std::smatch match;
        if (text.size() <= kMostMatched && std::regex_match(text, match, part.pattern) && match.size() > 1)
            item.parts[part.name] = match[1].str();
    }
    return std::ranges::all_of(where_, [&](const auto& rule) {
        const std::string text = rule.first.fill_or_empty(item);
        return text.size() <= kMostMatched && std::regex_match(text, rule.second);
    });
}

// A code that is unknown is left out: the entry can still be found by its name.
std::vector<std::string> FieldMap::languages(const std::string& codes) const {
    std::vector<std::string> tags;
    const auto add = [&](const std::string& code) {
        const auto tag = spec::LanguageTag::find(code);
        if (tag && tag->known() && std::ranges::find(tags, tag->str()) == tags.end()) tags.push_back(tag->str());
    };
    for (const std::string& code : words_of(codes)) {
        const auto own = languages_.find(code);
        if (own == languages_.end()) add(code);
        else
            for (const std::string& tag : words_of(own->second)) add(tag);
    }
    return tags;
}

void FieldMap::correct(Entry& entry) const {
    const auto right = corrections_.find(entry.model);
    if (right == corrections_.end()) return;
    if (!right->second.first.empty()) entry.from = languages(right->second.first);
    if (!right->second.second.empty()) entry.to = languages(right->second.second);
}

Found FieldMap::found(const Item& item) const {
    Found found;
    Entry& entry = found.entry;
    entry.registry = registry_.id;
    entry.model = checked_model(model_.fill_or_empty(item));
    for (const TextTemplate& need : needs_)
        if (!need.fill(item)) fail(Status::bad_model, "{}: a field is missing or empty", entry.model);
    entry.from = languages(from_.fill_or_empty(item));
    entry.to = languages(to_.fill_or_empty(item));
    correct(entry);
    entry.title = shown_text(title_.fill_or_empty(item));
    entry.publisher = shown_text(publisher_of_entry_.fill_or_empty(item));
    if (entry.publisher.empty()) entry.publisher = publisher_;
    entry.license = shown_text(license_.fill_or_empty(item));
    if (entry.license.empty()) entry.license = registry_.license;
    entry.version = shown_text(version_.fill_or_empty(item));
    entry.architecture = shown_text(architecture_.fill_or_empty(item));
    entry.gate = shown_text(gate_.fill_or_empty(item));
    for (const Metric& metric : quality_) {
        entry.quality = number_of(metric.value.fill_or_empty(item)) * metric.scale;
        if (entry.quality <= 0) entry.quality = 0;
        else {
            entry.metric = metric.name;
            break;
        }
    }
    for (const Order& order : order_) {
        const std::string text = order.of.fill_or_empty(item);
        Precedence value;
        if (order.as == Order::As::version) value.version = text;
        else if (order.as == Order::As::number) value.number = number_of(text);
        else value.number = -double(std::ranges::find(order.places, text) - order.places.begin());
        found.order.push_back(std::move(value));
    }
    found.pin = shown_text(pin_.fill_or_empty(item));
    std::ranges::replace(found.pin, ' ', '_');
    return found;
}

std::vector<RemoteFile> FieldMap::files(const Item& item) const {
    std::vector<RemoteFile> files;
    for (const File& rule : files_) {
        const auto url = rule.url.fill(item);
        if (!url && rule.optional) continue;
        RemoteFile file;
        file.url = mirrored(registry_, checked_url("url", url.value_or("")));
        std::string name = rule.name.fill_or_empty(item);
        if (name.empty()) name = file_name_of(file.url);
        file.packing = rule.packing == "file"      ? Packing::file
                       : rule.packing == "archive" ? Packing::archive
                       : rule.packing == "none"    ? Packing::none
                                                   : packing_of(name);
        file.name = checked_file_name("name", file.packing == Packing::file ? unpacked_name(name) : name);
        file.bytes = checked_size("bytes", rule.bytes.fill_or_empty(item));
        file.unpacked_bytes = checked_size("unpacked_bytes", rule.unpacked_bytes.fill_or_empty(item));
        file.sha256 = checked_hash("sha256", rule.sha256.fill_or_empty(item), 64);
        file.unpacked_sha256 = checked_hash("unpacked_sha256", rule.unpacked_sha256.fill_or_empty(item), 64);
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace dragoman::registry
