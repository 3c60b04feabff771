// SPDX-License-Identifier: Apache-2.0
#include "documents/subtitles/marked.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "documents/subtitles/layout.h"

namespace dragoman::documents {
namespace {

struct Entity {
    std::string_view name, text;
};
constexpr std::array<Entity, 6> kEntities{{{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", "\xC2\xA0"},
                                           {"&lrm;", "\xE2\x80\x8E"}, {"&rlm;", "\xE2\x80\x8F"}}};

constexpr std::array<std::string_view, 9> kFrame{" ", "-", "–", "—", "♪", "♫", "♩", "♬", "\xC2\xA0"};

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

// Bytes of the tag that `text` begins with; 0: none. In SubRip a '<' may be an ordinary character.
std::size_t tag_length(std::string_view text, Format format) {
    if (text.starts_with("{\\")) {
        const std::size_t end = text.find('}');
        return end == std::string_view::npos ? 0 : end + 1;
    }
    const std::size_t end = text.starts_with('<') ? text.find('>') : std::string_view::npos;
    if (end == std::string_view::npos) return 0;
    if (format == Format::vtt) return end + 1;
    std::string name = lower(text.substr(1, end - 1));
    if (name.starts_with('/')) name.erase(0, 1);
    name = name.substr(0, name.find_first_of(" \t"));
    constexpr std::array<std::string_view, 5> kNames{"i", "b", "u", "s", "font"};
    return std::ranges::find(kNames, name) == kNames.end() ? 0 : end + 1;
}

bool closes(std::string_view tag) { return tag.starts_with("</"); }

std::size_t frame_at_begin(std::string_view text) {
    std::size_t size = 0;
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view part : kFrame) {
            if (!text.substr(size).starts_with(part)) continue;
            size += part.size();
            found = true;
        }
    }
    return size;
}

std::size_t frame_at_end(std::string_view text) {
    std::size_t size = text.size();
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view part : kFrame) {
            // A dash at the end is an interruption and belongs to the sentence.
            if (part.size() != 1 && part[0] == '\xE2' && part[1] == '\x80') continue;
            if (part == "-" || !text.substr(0, size).ends_with(part)) continue;
            size -= part.size();
            found = true;
        }
    }
    return size;
}

std::string escape(std::string_view text, Format format) {
    if (format == Format::srt) return std::string(text);
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            default: result += c;
        }
    }
    return result;
}

// The beginning of the word (an opening tag) or the end of the word (a closing one) nearest to a place.
std::size_t nearest_edge(std::string_view text, double place, bool end_of_word) {
    std::size_t best = end_of_word ? text.size() : 0;
    const auto distance = [&](std::size_t at) { return std::abs(static_cast<double>(at) - place); };
    for (const Break& b : breaks(text)) {
        const std::size_t edge = end_of_word ? b.end : b.next;
        if (distance(edge) < distance(best)) best = edge;
    }
    const std::size_t other = end_of_word ? 0 : text.size();
    return distance(other) < distance(best) ? other : best;
}

}  // namespace

Marked take_markup(std::string_view line, Format format) {
    Marked marked;
    std::string text;
    while (!line.empty()) {
        if (const std::size_t length = tag_length(line, format)) {
            marked.tags.push_back({std::string(line.substr(0, length)), text.size()});
            line.remove_prefix(length);
            continue;
        }
        const auto entity = std::ranges::find_if(kEntities, [&](const Entity& e) { return line.starts_with(e.name); });
        if (format == Format::vtt && entity != kEntities.end()) {
            text += entity->text;
            line.remove_prefix(entity->name.size());
        } else {
            text += line.front();
            line.remove_prefix(1);
        }
    }
    const std::size_t begin = frame_at_begin(text), end = std::max(begin, frame_at_end(text));
    marked.before = text.substr(0, begin);
    marked.after = text.substr(end);
    marked.text = text.substr(begin, end - begin);
    std::size_t front = 0, back = end;  // of the frame, up to here is written
    const auto write_to = [&](std::string& frame, std::size_t& from, std::size_t to) {
        frame += escape(std::string_view(text).substr(from, to - from), format);
        from = to;
    };
    for (const Marked::Tag& tag : std::exchange(marked.tags, {})) {
        if (tag.at > begin && tag.at < end) {
            marked.tags.push_back({tag.tag, tag.at - begin});
        } else if (tag.at <= begin && (begin < end || !closes(tag.tag))) {
            write_to(marked.prefix, front, tag.at);
            marked.prefix += tag.tag;
        } else {
            write_to(marked.prefix, front, begin);
            write_to(marked.suffix, back, std::max(tag.at, end));
            marked.suffix += tag.tag;
        }
    }
    write_to(marked.prefix, front, begin);
    write_to(marked.suffix, back, text.size());
    return marked;
}

std::string put_markup(const Marked& source, std::string_view translation, Format format) {
    const double scale = static_cast<double>(translation.size()) /
                         static_cast<double>(std::max<std::size_t>(source.text.size(), 1));
    std::string result = source.prefix;
    std::size_t done = 0;
    bool open = false;  // there is a tag at `done`, and nothing follows it yet
    for (const Marked::Tag& tag : source.tags) {
        const bool closing = closes(tag.tag);
        std::size_t at = nearest_edge(translation, static_cast<double>(tag.at) * scale, closing);
        at = std::max(at, done);  // tags keep their order
        if (closing && open && at == done) at = next_word_end(translation, at);
        open = !closing || (open && at == done);
        result += escape(translation.substr(done, at - done), format) + tag.tag;
        done = at;
    }
    return result + escape(translation.substr(done), format) + source.suffix;
}

bool has_words(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return std::isalnum(c) || c >= 0xC3; });
}

}  // namespace dragoman::documents
