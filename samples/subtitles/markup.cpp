// SPDX-License-Identifier: Apache-2.0
#include "markup.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "layout.h"

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

// Bytes of the tag that `text` begins with; 0: none. In SubRip a '<' may be just that.
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
    marked.prefix = text.substr(0, begin);
    marked.suffix = text.substr(end);
    marked.text = text.substr(begin, end - begin);
    for (Marked::Tag& tag : marked.tags) {
        tag.at = std::clamp(tag.at, begin, end) - begin;
    }
    return marked;
}

std::string put_markup(const Marked& source, std::string_view translation, Format format) {
    const double scale = source.text.empty() ? 0 : static_cast<double>(translation.size()) /
                                                       static_cast<double>(source.text.size());
    struct Placed {
        std::size_t at;
        const std::string* tag;
    };
    std::vector<Placed> placed;
    std::size_t least = 0;
    bool opened_here = false;
    for (const Marked::Tag& tag : source.tags) {
        std::size_t at = 0;
        if (tag.at >= source.text.size()) {
            at = translation.size();
        } else if (tag.at > 0) {
            at = nearest_edge(translation, static_cast<double>(tag.at) * scale, closes(tag.tag));
        }
        at = std::max(at, least);  // tags keep their order
        if (closes(tag.tag) && opened_here && at == least) at = next_word_end(translation, at);
        opened_here = !closes(tag.tag) || (opened_here && at == least);
        least = at;
        placed.push_back({at, &tag.tag});
    }
    // Tags in front stay in front of a dash, tags behind stay behind a note.
    std::string result;
    std::size_t done = 0, next = 0;
    const auto put_tags = [&](auto wanted) {
        for (; next < placed.size() && wanted(placed[next]); ++next) {
            result += escape(translation.substr(done, placed[next].at - done), format);
            done = placed[next].at;
            result += *placed[next].tag;
        }
    };
    put_tags([](const Placed& p) { return p.at == 0 && !closes(*p.tag); });
    result += escape(source.prefix, format);
    put_tags([&](const Placed& p) { return p.at < translation.size(); });
    result += escape(translation.substr(done), format);
    done = translation.size();
    result += escape(source.suffix, format);
    put_tags([](const Placed&) { return true; });
    return result;
}

bool has_words(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return std::isalnum(c) || c >= 0xC3; });
}
