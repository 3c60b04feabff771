// SPDX-License-Identifier: Apache-2.0
#include "serve/work/tmx_units.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "serve/ascii.h"
#include "serve/problem.h"
#include "serve/work/kept_files.h"

namespace serve::work {
namespace {

void append_character(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += char(c);
    } else if (c < 0x800) {
        text += {char(0xC0 | (c >> 6)), char(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
        text += {char(0xE0 | (c >> 12)), char(0x80 | (c >> 6 & 0x3F)), char(0x80 | (c & 0x3F))};
    } else if (c < 0x110000) {
        text += {char(0xF0 | (c >> 18)), char(0x80 | (c >> 12 & 0x3F)), char(0x80 | (c >> 6 & 0x3F)),
                 char(0x80 | (c & 0x3F))};
    }
}

std::string without_references(std::string_view raw) {
    std::string text;
    for (std::size_t at = 0; at < raw.size(); ++at) {
        const std::size_t end = raw[at] == '&' ? raw.find(';', at) : raw.npos;
        if (end == raw.npos) {
            text += raw[at];
            continue;
        }
        const std::string name(raw.substr(at + 1, end - at - 1));
        if (name == "lt") text += '<';
        else if (name == "gt") text += '>';
        else if (name == "amp") text += '&';
        else if (name == "quot") text += '"';
        else if (name == "apos") text += '\'';
        else if (name.starts_with("#x")) append_character(text, char32_t(std::strtoul(name.c_str() + 2, nullptr, 16)));
        else if (name.starts_with("#")) append_character(text, char32_t(std::strtoul(name.c_str() + 1, nullptr, 10)));
        at = end;
    }
    return text;
}

// The value of an attribute in a tag, "tuv xml:lang='en'".
std::string attribute_of(std::string_view tag, std::string_view name) {
    for (std::size_t at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
        std::size_t next = at + name.size();
        const bool begins = at > 0 && std::string_view(" \t\r\n").find(tag[at - 1]) != tag.npos;
        while (next < tag.size() && std::string_view(" \t\r\n").find(tag[next]) != tag.npos) ++next;
        if (!begins || next >= tag.size() || tag[next] != '=') continue;
        const std::size_t open = tag.find_first_of("\"'", next);
        const std::size_t close = open == tag.npos ? open : tag.find(tag[open], open + 1);
        if (close != tag.npos) return without_references(tag.substr(open + 1, close - open - 1));
    }
    return {};
}

// After the tag that begins at `at`; a '>' in quotation marks does not end it.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
    char quote = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quote) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return at + 1;
        }
    }
    return text.size();
}

// How often a unit was used; once where no number says it.
std::uint64_t count_of(const std::string& written) {
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), count);
    return error == std::errc() && end == written.data() + written.size() && count > 0 ? count : 1;
}

class TmxScanner {
public:
    explicit TmxScanner(const std::function<bool(const TmxUnit&)>& take) : take_(take) {}

    std::string scan(std::string_view text) {
        for (std::size_t at = 0; at < text.size() && !over_;) {
            const std::size_t tag = std::min(text.find('<', at), text.size());
            if (in_segment()) text_ += without_references(text.substr(at, tag - at));
            at = tag == text.size() ? tag : after_markup(text, tag);
        }
        return source_;
    }

private:
    bool in_segment() const { return segment_ && codes_ == 0; }

    std::size_t after_markup(std::string_view text, std::size_t at) {
        const auto after = [&](std::string_view closing, std::size_t from) {
            const std::size_t end = text.find(closing, from);
            return end == text.npos ? text.size() : end + closing.size();
        };
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("<!--")) return after("-->", at + 4);
        if (rest.starts_with("<?")) return after("?>", at + 2);
        if (rest.starts_with("<![CDATA[")) {
            const std::size_t end = after("]]>", at + 9);
            if (in_segment()) text_ += text.substr(at + 9, end - at - 12);
            return end;
        }
        if (rest.starts_with("<!")) {
            const std::size_t end = end_of_tag(text, at), subset = text.find('[', at);
            return subset < end ? after(">", text.find(']', subset)) : end;
        }
        const std::size_t end = end_of_tag(text, at);
        std::string_view tag = text.substr(at + 1, end - at - 2);
        if (tag.starts_with('/')) {
            end_element(tag.substr(1, tag.find_first_of(" \t\r\n") - 1));
            return end;
        }
        const bool alone = tag.ends_with('/');
        if (alone) tag.remove_suffix(1);
        const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n"));
        begin_element(name, tag);
        if (alone) end_element(name);
        return end;
    }
    void begin_element(std::string_view name, std::string_view tag) {
        if (segment_) {
            if (name != "hi") ++codes_;
        } else if (name == "header") {
            source_ = attribute_of(tag, "srclang");
        } else if (name == "tu") {
            unit_ = {};
            unit_.count = count_of(attribute_of(tag, "usagecount"));
        } else if (name == "tuv") {
            language_ = attribute_of(tag, "xml:lang");
            if (language_.empty()) language_ = attribute_of(tag, "lang");
        } else if (name == "seg") {
            segment_ = true;
            codes_ = 0;
            text_.clear();
        }
    }
    void end_element(std::string_view name) {
        if (name == "seg") {
            segment_ = false;
            unit_.variants.emplace_back(language_, std::move(text_));
            text_.clear();
        } else if (segment_) {
            if (name != "hi" && codes_ > 0) --codes_;
        } else if (name == "tu") {
            over_ = !take_(unit_);
        }
    }

    const std::function<bool(const TmxUnit&)>& take_;
    TmxUnit unit_;
    std::string source_, language_, text_;
    bool segment_ = false, over_ = false;
    int codes_ = 0;  // elements that are codes, one in the other
};

std::string from_utf16(std::string_view bytes, bool big) {
    std::string text;
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
        const auto unit = [&](std::size_t place) {
            const auto one = static_cast<unsigned char>(bytes[place]),
                       other = static_cast<unsigned char>(bytes[place + 1]);
            return char32_t(big ? one << 8 | other : other << 8 | one);
        };
        char32_t c = unit(at);
        if (c >= 0xD800 && c < 0xDC00 && at + 3 < bytes.size()) {
            const char32_t low = unit(at + 2);
            if (low >= 0xDC00 && low < 0xE000) c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00), at += 2;
        }
        append_character(text, c);
    }
    return text;
}

// Instead of the declaration that a file begins with.
std::string declared_as_utf8(const std::string& text) {
    const std::size_t begin = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    const bool declared = text.compare(begin, 5, "<?xml") == 0;
    const std::size_t end = declared ? text.find("?>", begin) : text.npos;
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + text.substr(end == text.npos ? begin : end + 2);
}

}  // namespace

std::string read_tmx_units(std::string_view utf8, const std::function<bool(const TmxUnit&)>& take) {
    return TmxScanner(take).scan(utf8);
}

std::string tmx_in_utf8(std::string_view bytes) {
    if (bytes.starts_with("\xfe\xff")) return declared_as_utf8(from_utf16(bytes.substr(2), true));
    if (bytes.starts_with("\xff\xfe")) return declared_as_utf8(from_utf16(bytes.substr(2), false));
    if (bytes.starts_with(std::string_view("<\0", 2))) return declared_as_utf8(from_utf16(bytes, false));
    if (bytes.starts_with(std::string_view("\0<", 2))) return declared_as_utf8(from_utf16(bytes, true));
    const std::size_t begin = bytes.starts_with("\xef\xbb\xbf") ? 3 : 0;
    std::string encoding;
    if (bytes.substr(begin).starts_with("<?xml"))
        encoding = in_small_letters(attribute_of(bytes.substr(begin, bytes.find("?>", begin) - begin), "encoding"));
    if (encoding == "iso-8859-1") {
        std::string text;
        for (const char c : bytes) append_character(text, static_cast<unsigned char>(c));
        return declared_as_utf8(text);
    }
    if (!encoding.empty() && encoding != "utf-8" && encoding != "us-ascii" && encoding != "ascii")
        throw Problem(Problem::Kind::unsupported_type,
                      "TMX in " + encoding.substr(0, 40) + ": expected UTF-8, UTF-16 or ISO-8859-1", "encoding");
    check_utf8(bytes, "TMX");
    return std::string(bytes);
}

}  // namespace serve::work
