// SPDX-License-Identifier: Apache-2.0
#include "line_editor.h"

#include <algorithm>
#include <cstdint>

#include "support/os/terminal.h"

namespace {

struct Character {
    std::size_t begin, size, columns;
};

std::vector<Character> characters(std::string_view text) {
    std::vector<Character> result;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t wanted = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        const std::size_t size = std::min(wanted, text.size() - at);
        uint32_t code = size == 1 ? lead : lead & (0x7Fu >> size);
        for (std::size_t i = 1; i < size; ++i) code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
        result.push_back({at, size, os::columns_of(static_cast<char32_t>(code))});
        at += size;
    }
    return result;
}

}  // namespace

LineEditor::Event LineEditor::feed(unsigned char byte) {
    constexpr unsigned char kEscape = 27, kDelete = 127, kBackspace = 8;
    constexpr unsigned char kCtrlD = 4, kCtrlU = 21, kCtrlW = 23;
    if (escape_ == Escape::begun) {
        escape_ = byte == '[' || byte == 'O' ? Escape::sequence : Escape::no;
        return Event::none;
    }
    if (escape_ == Escape::sequence) {  // arrow keys and the like
        if (byte >= 0x40) escape_ = Escape::no;
        return Event::none;
    }
    const auto pop = [this] {
        while (!text_.empty() && (static_cast<unsigned char>(text_.back()) & 0xC0) == 0x80) text_.pop_back();
        if (!text_.empty()) text_.pop_back();
    };
    if (byte < 0x80) missing_ = 0;
    switch (byte) {
        case kEscape: escape_ = Escape::begun; return Event::none;
        case '\r':
        case '\n': return Event::enter;
        case kCtrlD: return text_.empty() ? Event::end : Event::none;
        case kCtrlU: text_.clear(); return Event::changed;
        case kDelete:
        case kBackspace: pop(); return Event::changed;
        case kCtrlW:
            while (text_.ends_with(' ')) text_.pop_back();
            while (!text_.empty() && !text_.ends_with(' ')) pop();
            return Event::changed;
        default: break;
    }
    if (byte < ' ' && byte != '\t') return Event::none;
    text_ += byte == '\t' ? ' ' : static_cast<char>(byte);
    if (byte >= 0xC0) missing_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    else if (byte >= 0x80 && missing_ > 0) --missing_;
    return Event::changed;
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    for (const Character& c : characters(text)) columns += c.columns;
    return columns;
}

std::string tail(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return std::string(text);
    const std::vector<Character> all = characters(text);
    std::size_t used = 1, begin = text.size();  // 1: the ellipsis
    for (auto c = all.rbegin(); c != all.rend() && used + c->columns <= columns; ++c) {
        used += c->columns;
        begin = c->begin;
    }
    return "…" + std::string(text.substr(begin));
}

std::vector<std::string> fold(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    std::size_t begin = 0, space = 0, used = 0;
    for (const Character& c : characters(text)) {
        if (used + c.columns > columns && text[c.begin] == ' ') {
            lines.emplace_back(text.substr(begin, c.begin - begin));
            begin = c.begin + 1;
            used = 0;
            continue;
        }
        if (used + c.columns > columns) {
            const std::size_t end = space > begin ? space : c.begin;
            lines.emplace_back(text.substr(begin, end - begin));
            begin = space > begin ? space + 1 : end;
            used = columns_of(text.substr(begin, c.begin - begin));
        }
        if (text[c.begin] == ' ') space = c.begin;
        used += c.columns;
    }
    lines.emplace_back(text.substr(std::min(begin, text.size())));
    return lines;
}
