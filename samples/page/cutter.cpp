// SPDX-License-Identifier: Apache-2.0
#include "cutter.h"

#include <algorithm>
#include <array>

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 'a' - 'A') : c; }
bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool is_blank(char c) { return std::string_view(" \t\n\f\r").find(c) != std::string_view::npos; }

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

// Their content has no tags.
constexpr std::array<std::string_view, 9> kRaw{"script",  "style",    "textarea", "title", "iframe",
                                               "noembed", "noframes", "noscript", "xmp"};
// The content of these elements belongs together, or is read in another way than outside.
constexpr std::array<std::string_view, 11> kWhole{"pre",   "svg",   "math",   "select", "template", "object",
                                                  "video", "audio", "button", "ruby",   "a"};
constexpr std::array<std::string_view, 30> kBlocks{"address", "article", "aside",   "blockquote", "body",   "dd",
                                                   "details", "div",     "dl",      "dt",         "figure", "footer",
                                                   "form",    "h1",      "h2",      "h3",         "h4",     "h5",
                                                   "h6",      "head",    "header",  "li",         "main",   "nav",
                                                   "ol",      "p",       "section", "table",      "tr",     "ul"};

}  // namespace

Attribute attribute(std::string_view tag, std::string_view name) {
    std::size_t at = std::min(tag.find_first_of(" \t\n\f\r/"), tag.size());
    while (at < tag.size()) {
        while (at < tag.size() && (is_blank(tag[at]) || tag[at] == '/')) ++at;
        const std::size_t begin = at;
        while (at < tag.size() && !is_blank(tag[at]) && tag[at] != '=' && tag[at] != '>' && tag[at] != '/') ++at;
        const std::string found = lowered(tag.substr(begin, at - begin));
        if (found.empty()) break;
        while (at < tag.size() && is_blank(tag[at])) ++at;
        Attribute value{true, at, at};
        if (at < tag.size() && tag[at] == '=') {
            do ++at;
            while (at < tag.size() && is_blank(tag[at]));
            const char quote = at < tag.size() && (tag[at] == '"' || tag[at] == '\'') ? tag[at++] : '\0';
            value.begin = at;
            while (at < tag.size() && (quote ? tag[at] != quote : !is_blank(tag[at]) && tag[at] != '>')) ++at;
            value.end = at;
            if (quote && at < tag.size()) ++at;
        }
        if (found == name) return value;
    }
    return {};
}

// Moves behind the next tag; comments and what only looks like one are passed over.
bool Cutter::next_tag(Tag& tag) {
    for (;;) {
        const std::size_t open = page_.find('<', at_);
        if (open >= page_.size() - std::min<std::size_t>(page_.size(), 1)) break;
        at_ = open + 1;
        if (page_.substr(open).starts_with("<!--")) {
            const std::size_t end = page_.find("-->", open + 2);
            if (end == page_.npos) break;
            at_ = end + 3;
            continue;
        }
        const bool closes = page_[at_] == '/';
        const std::size_t name = at_ + closes;
        if (name >= page_.size() || !is_letter(page_[name])) continue;
        char quote = '\0';
        for (at_ = name; at_ < page_.size() && (quote || page_[at_] != '>'); ++at_) {
            const char c = page_[at_];
            if (quote) quote = c == quote ? '\0' : quote;
            else if ((c == '"' || c == '\'') && page_[at_ - 1] == '=') quote = c;
        }
        if (at_ == page_.size()) return false;
        tag.text = page_.substr(open, ++at_ - open);
        const std::size_t end = tag.text.find_first_of(" \t\n\f\r/>", closes + 1u);
        tag.name = lowered(tag.text.substr(closes + 1u, end - closes - 1u));
        tag.closes = closes;
        return true;
    }
    at_ = page_.size();
    return false;
}

void Cutter::skip_raw(const std::string& name) {
    while (at_ < page_.size()) {
        const std::size_t open = page_.find("</", at_);
        at_ = std::min(open, page_.size());
        if (open == page_.npos || lowered(page_.substr(open + 2, name.size())) == name) return;
        at_ += 2;
    }
}

// Finds the element that must end before there is another cut.
void Cutter::watch(const Tag& tag) {
    if (!holds_.empty()) {
        if (tag.name == holds_ && tag.closes && --depth_ == 0) holds_.clear();
        else if (tag.name == holds_ && !tag.closes) ++depth_;
        return;
    }
    if (tag.closes || tag.text.ends_with("/>") || tag.name == "html" || tag.name == "meta" || tag.name == "br") return;
    const auto has = [&](std::string_view name) { return attribute(tag.text, name).found; };
    if (!is_one_of(kWhole, tag.name) && !has("translate") && !has("lang") && !has("class")) return;
    if (has("class") && !is_one_of(kWhole, tag.name) && !has("translate") && !has("lang") &&
        tag.text.find("notranslate") == tag.text.npos)
        return;
    holds_ = tag.name;
    depth_ = 1;
}

std::string_view Cutter::next() {
    const std::size_t begin = at_;
    Tag tag;
    while (next_tag(tag)) {
        if (!tag.closes && is_one_of(kRaw, tag.name)) skip_raw(tag.name);
        else watch(tag);
        if (holds_.empty() && tag.closes && at_ - begin >= least_ && is_one_of(kBlocks, tag.name)) break;
    }
    return page_.substr(begin, at_ - begin);
}

std::string_view html_tag(std::string_view page) {
    for (std::size_t at = page.find('<'); at != page.npos; at = page.find('<', at + 1)) {
        if (page.substr(at).starts_with("<!--")) at = std::min(page.find("-->", at), page.size() - 1);
        else if (lowered(page.substr(at, 5)) == "<html") return page.substr(at, page.find('>', at) + 1 - at);
        else if (at + 1 < page.size() && is_letter(page[at + 1])) break;
    }
    return {};
}

std::string with_language(std::string_view page, std::string_view language) {
    const std::string_view tag = html_tag(page);
    std::string changed(page);
    if (tag.empty()) return changed;
    const std::size_t begin = std::size_t(tag.data() - page.data());
    const Attribute own = attribute(tag, "lang");
    if (own.found && own.end > own.begin) changed.replace(begin + own.begin, own.end - own.begin, language);
    else if (!own.found) changed.insert(begin + 5, " lang=\"" + std::string(language) + "\"");
    return changed;
}
