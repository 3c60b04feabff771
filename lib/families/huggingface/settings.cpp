// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/settings.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace dragoman::families {
namespace {

using nlohmann::json;

[[noreturn]] void wrong(const std::string& file, const char* key, const std::string& expected, const json& value) {
    fail(Status::bad_model, "{}: {}: expected {}, file has {}", file, key, expected, formats::short_text(value));
}

uint32_t checked_number(const std::string& file, const char* key, const json& value, uint32_t least, uint32_t most) {
    const bool fits = value.is_number_unsigned() && value.get<uint64_t>() >= least && value.get<uint64_t>() <= most;
    if (!fits) wrong(file, key, fmt::format("a whole number from {} to {}", least, most), value);
    return value.get<uint32_t>();
}

double checked_real(const std::string& file, const char* key, const json& value, double least, double most) {
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    if (!(number >= least && number <= most))
        wrong(file, key, fmt::format("a number from {} to {}", least, most), value);
    return number;
}

}  // namespace

bool is_special_token(std::string_view key) {
    constexpr std::string_view keys[] = {"bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id"};
    return std::ranges::find(keys, key) != std::end(keys);
}

HuggingFaceSettings::File HuggingFaceSettings::read(const FileBytes& file) {
    return {file.name, formats::parse_json_object(file.name, file.text())};
}

HuggingFaceSettings::HuggingFaceSettings(const FileSet& files) : config_(read(files.read("config.json"))) {
    const char* generation = "generation_config.json";
    if (files.has(generation)) generation_ = read(files.read(generation));
}

std::optional<HuggingFaceSettings::Item> HuggingFaceSettings::find_config(const char* key) const {
    const auto found = config_.values.find(key);
    if (found == config_.values.end() || found->is_null()) return std::nullopt;
    return Item{&config_, &*found};
}

std::optional<HuggingFaceSettings::Item> HuggingFaceSettings::find_generation(const char* key) const {
    if (!generation_) return find_config(key);
    const auto found = generation_->values.find(key);
    if (found != generation_->values.end() && !found->is_null()) return Item{&*generation_, &*found};
    return is_special_token(key) ? find_config(key) : std::nullopt;
}

void HuggingFaceSettings::missing(const char* key, std::string_view expected) const {
    fail(Status::bad_model, "{}: {}: expected {}, the file has none", config_.file, key, expected);
}

std::string HuggingFaceSettings::text(const char* key) const {
    const auto item = find_config(key);
    if (!item) missing(key, "a string");
    if (!item->value->is_string()) wrong(item->from->file, key, "a string", *item->value);
    return item->value->get<std::string>();
}

std::string HuggingFaceSettings::text(const char* key, const std::string& absent) const {
    return find_config(key) ? text(key) : absent;
}

std::vector<std::string> HuggingFaceSettings::texts(const char* key) const {
    std::vector<std::string> list;
    const auto item = find_config(key);
    if (!item) return list;
    if (!item->value->is_array()) wrong(item->from->file, key, "a list of strings", *item->value);
    for (const json& each : *item->value) {
        if (!each.is_string()) wrong(item->from->file, key, "a list of strings", each);
        list.push_back(each.get<std::string>());
    }
    return list;
}

bool HuggingFaceSettings::flag(const char* key, bool absent) const {
    const auto item = find_config(key);
    if (!item) return absent;
    if (!item->value->is_boolean()) wrong(item->from->file, key, "true or false", *item->value);
    return item->value->get<bool>();
}

uint32_t HuggingFaceSettings::number(const char* key, uint32_t least, uint32_t most) const {
    const auto item = find_config(key);
    if (!item) missing(key, "a number");
    return checked_number(item->from->file, key, *item->value, least, most);
}

uint32_t HuggingFaceSettings::number(const char* key, uint32_t least, uint32_t most, uint32_t absent) const {
    return find_config(key) ? number(key, least, most) : absent;
}

double HuggingFaceSettings::real(const char* key, double least, double most, double absent) const {
    const auto item = find_config(key);
    return item ? checked_real(item->from->file, key, *item->value, least, most) : absent;
}

std::vector<std::pair<std::string, std::string>> HuggingFaceSettings::task_prefixes() const {
    std::vector<std::pair<std::string, std::string>> prefixes;
    const char* key = "task_specific_params";
    const auto item = find_config(key);
    if (!item) return prefixes;
    if (!item->value->is_object()) wrong(item->from->file, key, "an object", *item->value);
    for (const auto& [name, task] : item->value->items()) {
        if (!task.is_object()) wrong(item->from->file, key, "an object for each task", task);
        const auto prefix = task.find("prefix");
        if (prefix == task.end()) continue;
        if (!prefix->is_string()) wrong(item->from->file, key, "a string as prefix", *prefix);
        prefixes.emplace_back(name, prefix->get<std::string>());
    }
    return prefixes;
}

std::optional<double> HuggingFaceSettings::generation_number(const char* key, double least, double most) const {
    const auto item = find_generation(key);
    if (!item) return std::nullopt;
    return checked_real(item->from->file, key, *item->value, least, most);
}

std::string HuggingFaceSettings::generation_word(const char* key, std::initializer_list<std::string_view> known,
                                                 const std::string& absent) const {
    const auto item = find_generation(key);
    if (!item) return absent;
    const json& value = *item->value;
    const std::string word = value.is_boolean()  ? (value.get<bool>() ? "true" : "false")
                             : value.is_string() ? value.get<std::string>()
                                                 : std::string();
    if (std::ranges::find(known, word) == known.end()) {
        std::string list;
        for (const std::string_view each : known) list += (list.empty() ? "" : " or ") + std::string(each);
        wrong(item->from->file, key, list, value);
    }
    return word;
}

uint32_t HuggingFaceSettings::token_id(const char* key, uint32_t size) const {
    const auto id = optional_token_id(key, size);
    if (!id) missing(key, "a token id");
    return *id;
}

std::optional<uint32_t> HuggingFaceSettings::optional_token_id(const char* key, uint32_t size) const {
    const auto item = find_generation(key);
    if (!item) return std::nullopt;
    const json& value = *item->value;
    if (value.is_array() && value.size() > 1)
        fail(Status::unsupported, "{}: {}: expected one token id, file has {}", item->from->file, key,
             formats::short_text(value));
    const bool single = value.is_array() && value.size() == 1;
    return checked_number(item->from->file, key, single ? value[0] : value, 0, size - 1);
}

std::vector<uint32_t> HuggingFaceSettings::end_ids(uint32_t size) const {
    const char* key = "eos_token_id";
    const auto item = find_generation(key);
    if (!item) return {};
    if (!item->value->is_array()) return {checked_number(item->from->file, key, *item->value, 0, size - 1)};
    std::vector<uint32_t> ids;
    for (const json& id : *item->value)
        if (const uint32_t end = checked_number(item->from->file, key, id, 0, size - 1);
            std::ranges::find(ids, end) == ids.end())
            ids.push_back(end);
    if (ids.empty()) wrong(item->from->file, key, "a token id", *item->value);
    const auto own = find_config(key);
    const auto first = std::ranges::find_if(ids, [&](uint32_t id) { return own && *own->value == id; });
    if (first != ids.end()) std::rotate(ids.begin(), first, first + 1);
    return ids;
}

std::vector<uint32_t> HuggingFaceSettings::token_ids(const char* key, uint32_t size) const {
    std::vector<uint32_t> ids;
    const auto item = find_generation(key);
    if (!item) return ids;
    if (!item->value->is_array()) wrong(item->from->file, key, "a list of token ids", *item->value);
    for (const json& id : *item->value) ids.push_back(checked_number(item->from->file, key, id, 0, size - 1));
    return ids;
}

std::vector<std::vector<uint32_t>> HuggingFaceSettings::token_sequences(const char* key, uint32_t size) const {
    std::vector<std::vector<uint32_t>> sequences;
    const auto item = find_generation(key);
    if (!item) return sequences;
    if (!item->value->is_array()) wrong(item->from->file, key, "lists of token ids", *item->value);
    for (const json& list : *item->value) {
        if (!list.is_array() || list.empty()) wrong(item->from->file, key, "lists of token ids", list);
        for (sequences.emplace_back(); const json& id : list)
            sequences.back().push_back(checked_number(item->from->file, key, id, 0, size - 1));
    }
    return sequences;
}

}  // namespace dragoman::families
