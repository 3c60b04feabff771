// SPDX-License-Identifier: Apache-2.0
#include "documents/subtitles/marked.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "documents/subtitles/layout.h"
#include "documents/subtitles/overrides.h"
#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

constexpr Range kTag{0, 1};  // for a mark whose tags are in a TagPair, not in a document: it has both

constexpr std::string_view kRubyEnd = "</ruby>";

struct Entity {
    std::string_view name, text;
};
constexpr std::array<Entity, 3> kEscapes{{{"\\h", "\xC2\xA0"}, {"\\{", "{"}, {"\\}", "}"}}};
constexpr std::array<Entity, 6> kEntities{{{"&amp;", "&"},
                                           {"&lt;", "<"},
                                           {"&gt;", ">"},
                                           {"&nbsp;", "\xC2\xA0"},
                                           {"&lrm;", "\xE2\x80\x8E"},
                                           {"&rlm;", "\xE2\x80\x8F"}}};

std::span<const Entity> entities_of(Format format) {
    if (format == Format::ass) return kEscapes;
    return format == Format::vtt ? std::span<const Entity>(kEntities) : std::span<const Entity>();
}

constexpr std::array<std::string_view, 13> kFrame{" ", "-",  "–",        "—",        "♪",  "♫", "♩",
                                                  "♬", ">>", "&gt;&gt;", "\xC2\xA0", "# ", " #"};

// The length of the tag that `text` begins with; 0: none. In SubRip a '<' may be an ordinary character.
std::size_t tag_length(std::string_view text, Format format) {
    if (format == Format::ass) return override_length(text);
    if (text.starts_with("{\\")) {
        const std::size_t end = text.find('}');
        return end == std::string_view::npos ? 0 : end + 1;
    }
    const std::size_t end = text.starts_with('<') ? text.find('>') : std::string_view::npos;
    if (end == std::string_view::npos) return 0;
    if (format == Format::vtt) {  // what a ruby text says stays beside its base
        const std::size_t ruby = text.starts_with("<rt>") ? text.find("</rt>") : std::string_view::npos;
        if (ruby == std::string_view::npos) return end + 1;
        const std::size_t behind = ruby + std::string_view("</rt>").size();
        return behind + (text.substr(behind).starts_with(kRubyEnd) ? kRubyEnd.size() : 0);
    }
    std::string name = markup::lower(text.substr(1, end - 1));
    if (name.starts_with('/')) name.erase(0, 1);
    name = name.substr(0, name.find_first_of(" \t"));
    constexpr std::array<std::string_view, 5> kNames{"i", "b", "u", "s", "font"};
    return std::ranges::find(kNames, name) == kNames.end() ? 0 : end + 1;
}

// A ruby text that ends its element: "<rt>text</rt></ruby>".
bool ends_ruby(std::string_view tag) { return tag.starts_with("<rt>") && tag.ends_with(kRubyEnd); }

bool closes(std::string_view tag) {
    return tag.starts_with('{') ? override_closes(tag) : tag.starts_with("</") || ends_ruby(tag);
}

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

// "i" for <i>, </i> and <i.loud>; empty for tags without an end, such as {\\an8} and <00:01.000>.
std::string name_of(std::string_view tag) {
    if (tag.starts_with('{')) return override_name(tag);
    if (ends_ruby(tag)) return "ruby";
    tag.remove_prefix(closes(tag) ? 2 : 1);
    const std::string name = markup::lower(tag.substr(0, tag.find_first_of(" \t.>")));
    return name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) ? name : "";
}

void find_partners(std::vector<Marked::Tag>& tags) {
    std::vector<std::pair<std::size_t, std::string>> open;
    std::unordered_map<std::string, std::size_t> counts;  // of those open: what has no beginning is not looked for
    for (std::size_t i = 0; i < tags.size(); ++i) {
        std::string name = name_of(tags[i].tag);
        if (name.empty()) continue;
        if (!closes(tags[i].tag)) {
            ++counts[name];
            open.emplace_back(i, std::move(name));
            continue;
        }
        if (name == kResets && counts[name] == 0 && !open.empty() && open.back().second.starts_with('\\'))
            name = open.back().second;
        const auto count = counts.find(name);
        if (count == counts.end() || count->second == 0) continue;
        for (bool found = false; !found;) {
            const auto [other, name_of_other] = std::move(open.back());
            open.pop_back();
            --counts[name_of_other];
            found = name_of_other == name;
            if (!found) continue;
            tags[i].partner = other;
            tags[other].partner = i;
        }
    }
}

}  // namespace

Marked take_markup(std::string_view line, Format format) {
    Marked marked;
    std::string text;
    std::vector<std::string_view> written;  // for each byte of the text: what the file has for it
    while (!line.empty()) {
        if (const std::size_t length = tag_length(line, format)) {
            marked.tags.push_back({std::string(line.substr(0, length)), text.size()});
            line.remove_prefix(length);
            continue;
        }
        const std::span<const Entity> entities = entities_of(format);
        const auto entity = std::ranges::find_if(entities, [&](const Entity& e) { return line.starts_with(e.name); });
        if (entity != entities.end()) {
            text += entity->text;
            written.resize(text.size() - 1);
            written.push_back(line.substr(0, entity->name.size()));
            line.remove_prefix(entity->name.size());
        } else {
            text += line.front();
            written.push_back(line.substr(0, 1));
            line.remove_prefix(1);
        }
    }
    const std::size_t begin = frame_at_begin(text), end = std::max(begin, frame_at_end(text));
    marked.before = text.substr(0, begin);
    marked.after = text.substr(end);
    marked.text = text.substr(begin, end - begin);
    std::size_t front = 0, back = end;  // the frame is written up to here
    const auto write_to = [&](std::string& frame, std::size_t& from, std::size_t to) {
        for (; from < to; ++from) frame += written[from];
    };
    std::vector<Marked::Tag> all = std::exchange(marked.tags, {});
    find_partners(all);
    const auto inside = [&](const Marked::Tag& tag) { return tag.at > begin && tag.at < end; };
    std::vector<std::size_t> places(all.size(), kNoTag);  // indices among the tags inside
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Marked::Tag& tag = all[i];
        if (inside(tag) || (tag.partner != kNoTag && inside(all[tag.partner]))) {
            places[i] = marked.tags.size();
            marked.tags.push_back({tag.tag, std::clamp(tag.at, begin, end) - begin});
            if (tag.partner >= i) continue;
            marked.tags.back().partner = places[tag.partner];
            marked.tags[places[tag.partner]].partner = places[i];
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

void add_marks(const Marked& marked, std::size_t begin, std::vector<markup::Mark>& marks, std::vector<TagPair>& pairs) {
    using markup::Mark;
    std::vector<std::size_t> open;
    for (const Marked::Tag& tag : marked.tags) {
        const bool paired = tag.partner != kNoTag;
        if (paired && closes(tag.tag)) {
            open.pop_back();
            continue;
        }
        const std::size_t at = begin + tag.at, end = paired ? begin + marked.tags[tag.partner].at : at;
        const std::size_t parent = open.empty() ? markup::kNoMark : open.back();
        if (paired) open.push_back(marks.size());
        marks.push_back({.kind = paired ? Mark::Kind::pair : Mark::Kind::point,
                         .open = kTag,
                         .close = kTag,
                         .parent = parent,
                         .plain = {at, end}});
        pairs.push_back({tag.tag, paired ? marked.tags[tag.partner].tag : ""});
    }
}

std::vector<std::string> put_tags(std::string_view target, std::span<const Range> parts, std::span<const TagPair> pairs,
                                  std::span<const Range> places, Format format) {
    struct Tag {
        std::size_t at;
        bool opens;
        std::string text;
    };
    std::vector<std::vector<Tag>> tags(parts.size());
    for (std::size_t m = 0; m < pairs.size(); ++m) {
        const Range place = places[m];
        if (place.size() == 0 || pairs[m].close.empty()) {
            std::size_t part = 0;
            while (part + 1 < parts.size() && parts[part].end < place.begin) ++part;
            const std::size_t at = std::clamp(place.begin, parts[part].begin, parts[part].end);
            tags[part].push_back({at, true, pairs[m].open + pairs[m].close});
            continue;
        }
        for (std::size_t part = 0; part < parts.size(); ++part) {
            const Range inside{std::max(place.begin, parts[part].begin), std::min(place.end, parts[part].end)};
            if (inside.begin >= inside.end) continue;
            tags[part].push_back({inside.begin, true, pairs[m].open});
            tags[part].insert(tags[part].begin(), {inside.end, false, pairs[m].close});  // the innermost first
        }
    }
    std::vector<std::string> written;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        std::ranges::stable_sort(tags[part], {}, [](const Tag& tag) { return std::pair(tag.at, tag.opens); });
        std::string& text = written.emplace_back();
        std::size_t done = parts[part].begin;
        for (const Tag& tag : tags[part]) {
            text += escape(target.substr(done, tag.at - done), format) + tag.text;
            done = tag.at;
        }
        text += escape(target.substr(done, parts[part].end - done), format);
    }
    return written;
}

std::string escape(std::string_view text, Format format) {
    if (format == Format::srt) return std::string(text);
    std::string result;
    const bool braces = format == Format::ass;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (braces && text.substr(at).starts_with("\xC2\xA0")) result += "\\h", ++at;
        else if (braces && (c == '{' || c == '}')) result.append("\\") += c;
        else if (braces || (c != '&' && c != '<' && c != '>')) result += c;
        else result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;";
    }
    return result;
}

bool has_words(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return std::isalnum(c) || c >= 0xC3; });
}

}  // namespace dragoman::documents
