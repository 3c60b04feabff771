// SPDX-License-Identifier: Apache-2.0
#include "formats/tokenizer_file.h"

#include <utility>

#include "base/error.h"
#include "files/file_budget.h"
#include "formats/sentencepiece_model.h"

namespace dragoman::formats {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxTokens = kMaxVocabularyEntries;

// The bytes of a key's value in an object's text if the key comes before another one; the same position twice otherwise.
std::pair<std::size_t, std::size_t> early_value(std::string_view text, std::string_view key, std::string_view before) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (begin && depth == 1 && (c == ',' || c == '}')) return {begin, at};
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (c != '"') continue;
        const std::size_t first = at + 1;
        for (++at; at < text.size() && text[at] != '"'; ++at)
            if (text[at] == '\\') ++at;
        if (depth != 1 || begin || at >= text.size()) continue;
        const std::size_t colon = text.find_first_not_of(" \t\r\n", at + 1);
        if (colon == text.npos || text[colon] != ':') continue;
        const std::string_view found = text.substr(first, at - first);
        if (found == before) break;
        if (found == key) begin = colon + 1;
    }
    return {};
}

std::string text_of(const json* found) { return found ? short_text(*found) : std::string("none"); }

}  // namespace

std::string early_part(std::string_view text, std::string_view key) {
    const auto [begin, end] = early_value(text, key, "model");
    if (begin == end) return {};
    return fmt::format("{{\"{}\":{}}}", key, text.substr(begin, end - begin));
}

void TokenizerFields::wrong(std::string_view where, std::string_view expected, const json* found) const {
    fail(Status::bad_model, "{}: {}: expected {}, file has {}", file_, where, expected, text_of(found));
}

void TokenizerFile::refuse(std::string_view where, std::string_view expected, const json* found) const {
    fail(Status::unsupported, "{}: {}: expected {}, file has {}", file_, where, expected, text_of(found));
}

const json* TokenizerFields::find(const json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string TokenizerFields::text(const json& object, std::string_view where, const char* key) const {
    const json* value = find(object, key);
    if (!value || !value->is_string()) wrong(fmt::format("{}: {}", where, key), "a string", value);
    return value->get<std::string>();
}

const json& TokenizerFields::list(const json& object, std::string_view where, const char* key) const {
    const json* value = find(object, key);
    if (!value || !value->is_array()) wrong(fmt::format("{}: {}", where, key), "a list", value);
    return *value;
}

bool TokenizerFields::flag(const json& object, std::string_view where, const char* key, bool absent) const {
    const json* value = find(object, key);
    if (value && !value->is_boolean()) wrong(fmt::format("{}: {}", where, key), "true or false", value);
    return value ? value->get<bool>() : absent;
}

std::vector<std::string> TokenizerFile::tokens(const json& model) const {
    std::vector<std::string> tokens;
    const json* vocabulary = find(model, "vocab");
    if (!vocabulary || !vocabulary->is_object() || vocabulary->size() > kMaxTokens)
        wrong("model: vocab", "an object", vocabulary);
    constexpr std::size_t kMaxGap = 1 << 12;  // ids without a token: lines of a list that were there twice
    std::size_t most = vocabulary->size() + kMaxGap;
    for (const auto& [token, id] : vocabulary->items()) put(token, id, most, tokens);
    const json* added = find(json_, "added_tokens");
    if (added && !added->is_array()) wrong("added_tokens", "a list", added);
    for (std::size_t i = 0; added && i < added->size(); ++i, ++most) {
        const json& token = (*added)[i];
        const json *content = find(token, "content"), *id = find(token, "id");
        if (!content || !content->is_string() || content->get_ref<const std::string&>().empty() || !id)
            wrong("added_tokens", "an id and its content", &token);
        put(content->get<std::string>(), *id, most, tokens);
    }
    for (std::size_t id = 0; id < tokens.size(); ++id)
        if (tokens[id].empty()) tokens[id] = unused_token(uint32_t(id));
    return tokens;
}

void TokenizerFile::put(const std::string& token, const json& id, std::size_t most,
                        std::vector<std::string>& tokens) const {
    if (!id.is_number_unsigned() || id.get<uint64_t>() >= most)
        wrong(fmt::format("\"{}\"", token), fmt::format("an id from 0 to {}", most - 1), &id);
    const auto at = id.get<std::size_t>();
    if (tokens.size() <= at) tokens.resize(at + 1);
    if (!tokens[at].empty() && tokens[at] != token)
        fail(Status::bad_model, "{}: id {}: expected one token, file has \"{}\" and \"{}\"", file_, at, tokens[at],
             token);
    tokens[at] = token;
}

}  // namespace dragoman::formats
