// SPDX-License-Identifier: Apache-2.0
#include "serve/api/openai/placeholders.h"

#include <array>
#include <cstddef>
#include <utility>

namespace serve::api {
namespace {

using Entity = std::pair<char, std::string_view>;
constexpr std::array<Entity, 5> kXmlEntities{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}}};

// Bytes of the placeholder that a text begins with; 0: none.
std::size_t placeholder_bytes(std::string_view text) {
    if (!text.starts_with("@@PH")) return 0;
    std::size_t end = 4;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    return end > 4 && text.substr(end).starts_with("@@") ? end + 2 : 0;
}

void add_escaped(std::string& xml, char c) {
    for (const auto& [plain, entity] : kXmlEntities)
        if (c == plain && c != '"' && c != '\'') {
            xml += entity;
            return;
        }
    xml += c;
}

}  // namespace

bool has_placeholders(std::string_view text) {
    for (std::size_t at = text.find("@@PH"); at != std::string_view::npos; at = text.find("@@PH", at + 1))
        if (placeholder_bytes(text.substr(at)) > 0) return true;
    return false;
}

std::string with_elements(std::string_view text) {
    std::string xml = "<t><l>";
    for (std::size_t i = 0; i < text.size();) {
        if (const std::size_t bytes = placeholder_bytes(text.substr(i)); bytes > 0) {
            xml += "<x id=\"" + std::string(text.substr(i + 4, bytes - 6)) + "\"/>";
            i += bytes;
        } else if (text[i] == '\n') {
            xml += "</l>\n<l>";
            ++i;
        } else {
            add_escaped(xml, text[i++]);
        }
    }
    return xml + "</l></t>";
}

std::string with_placeholders(std::string_view xml) {
    std::string text;
    while (!xml.empty()) {
        if (xml.front() == '<') {
            const std::size_t end = std::min(xml.find('>'), xml.size() - 1);
            const std::size_t id = xml.find('"');
            if (xml.starts_with("<x ") && id < end) {
                const std::size_t close = xml.find('"', id + 1);
                text += "@@PH" + std::string(xml.substr(id + 1, close - id - 1)) + "@@";
            }
            xml.remove_prefix(end + 1);
            continue;
        }
        std::size_t taken = 1;
        char c = xml.front();
        for (const auto& [plain, entity] : kXmlEntities)
            if (xml.starts_with(entity)) c = plain, taken = entity.size();
        text += c;
        xml.remove_prefix(taken);
    }
    return text;
}

}  // namespace serve::api
