// SPDX-License-Identifier: Apache-2.0
#include "markup/elements.h"

#include <unordered_map>
#include <unordered_set>

#include "markup/ascii.h"

namespace dragoman::markup {
namespace {

using Names = std::unordered_set<std::string_view>;

void set(std::unordered_map<std::string_view, ElementRole>& roles, const Names& names, auto&& change) {
    for (const std::string_view name : names) change(roles[name]);
}

std::unordered_map<std::string_view, ElementRole> html_roles() {
    std::unordered_map<std::string_view, ElementRole> roles;
    set(roles,
        {"a",      "abbr",     "acronym", "b",        "bdi",      "bdo",      "big",      "button", "cite",  "data",
         "del",    "dfn",      "em",      "font",     "i",        "ins",      "label",    "mark",   "meter", "nobr",
         "output", "progress", "q",       "rp",       "rt",       "rb",       "rtc",      "ruby",   "s",     "slot",
         "small",  "span",     "strike",  "strong",   "sub",      "sup",      "time",     "tspan",  "tt",    "u",
         "code",   "kbd",      "samp",    "var",      "math",     "textarea", "iframe",   "img",    "input", "wbr",
         "embed",  "script",   "style",   "template", "noscript", "noembed",  "noframes", "applet", "link",  "meta",
         "area",   "param",    "source",  "track",    "base",     "basefont", "bgsound"},
        [](ElementRole& role) { role.place = Place::in_line; });
    set(roles, {"svg", "select", "object", "video", "audio", "canvas", "map", "datalist", "picture"},
        [](ElementRole& role) { role.place = Place::island; });
    set(roles, {"code",     "kbd",     "samp",     "var",       "math",   "textarea", "iframe",
                "pre",      "listing", "xmp",      "plaintext", "script", "style",    "template",
                "noscript", "noembed", "noframes", "applet",    "rt",     "rp",       "rtc"},
        [](ElementRole& role) { role.kept = true; });
    set(roles, {"code", "kbd", "samp", "var"}, [](ElementRole& role) { role.literal = true; });
    set(roles,
        {"area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
         "meta", "param", "source", "track", "wbr"},
        [](ElementRole& role) { role.empty = true; });
    set(roles, {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"},
        [](ElementRole& role) { role.formatting = true; });
    set(roles,
        {"applet", "button", "caption", "marquee", "table", "td", "template", "th", "math", "svg", "select", "object",
         "video", "audio", "canvas", "map", "datalist", "picture"},
        [](ElementRole& role) { role.bounds = true; });
    set(roles,
        {"area", "base", "basefont", "bgsound", "link", "meta", "noscript", "param", "script", "source", "style",
         "template", "track", "wbr"},
        [](ElementRole& role) { role.seen = false; });
    return roles;
}

}  // namespace

ElementRole html_role(std::string_view name) {
    static const auto roles = html_roles();
    const auto found = roles.find(name);
    return found != roles.end() ? found->second : ElementRole();
}

ElementRole xml_role(std::string_view name, bool in_line) {
    static const Names code = {"code",    "codeblock",      "codeph",    "command",  "computeroutput",
                               "envar",   "filename",       "filepath",  "function", "kbd",
                               "literal", "literallayout",  "math",      "option",   "parameter",
                               "pre",     "programlisting", "samp",      "screen",   "script",
                               "style",   "synopsis",       "userinput", "var",      "varname"};
    static const Names blocks = {"codeblock", "literallayout", "math",  "pre",     "programlisting",
                                 "screen",    "script",        "style", "synopsis"};
    static const Names notes = {"annotation", "fn", "footnote", "indexterm", "note"};
    ElementRole role{.place = in_line ? Place::in_line : Place::block, .kept = code.contains(name)};
    role.literal = role.kept && !blocks.contains(name);
    if (in_line && notes.contains(name)) role.place = Place::island;
    return role;
}

Script script_of(std::string_view name) {
    if (name == "sup" || name == "superscript") return Script::raised;
    if (name == "sub" || name == "subscript") return Script::lowered;
    return name == "a" || name == "xref" || name == "link" ? Script::link : Script::none;
}

bool is_text_only(std::string_view name) {
    static const Names names = {"title", "textarea", "select", "option", "optgroup"};
    return names.contains(name);
}

bool closes_paragraph(std::string_view name) {
    static const Names names = {"address", "article", "aside",   "blockquote", "center", "details",   "dd",
                                "dialog",  "dir",     "div",     "dl",         "dt",     "fieldset",  "figcaption",
                                "figure",  "footer",  "form",    "h1",         "h2",     "h3",        "h4",
                                "h5",      "h6",      "header",  "hgroup",     "hr",     "li",        "listing",
                                "main",    "menu",    "nav",     "ol",         "p",      "plaintext", "pre",
                                "search",  "section", "summary", "table",      "ul",     "xmp"};
    return names.contains(name);
}

bool leaves_foreign(std::string_view name) {
    static const Names names = {"b",      "big",  "blockquote", "body",  "br",   "center", "code",    "dd",   "div",
                                "dl",     "dt",   "em",         "embed", "h1",   "h2",     "h3",      "h4",   "h5",
                                "h6",     "head", "hr",         "i",     "img",  "li",     "listing", "menu", "meta",
                                "nobr",   "ol",   "p",          "pre",   "ruby", "s",      "small",   "span", "strong",
                                "strike", "sub",  "sup",        "table", "tt",   "u",      "ul",      "var"};
    return names.contains(name);
}

bool is_text(const Token& tag, const Attribute& attribute, std::string_view source) {
    static const Names everywhere = {
        "title", "aria-label", "aria-description", "aria-placeholder", "aria-roledescription", "aria-valuetext"};
    static const Names with_alt = {"img", "area", "input"}, with_placeholder = {"input", "textarea"},
                       with_label = {"track", "option", "optgroup"}, buttons = {"button", "reset", "submit"},
                       described = {"description",    "keywords",      "og:title",
                                    "og:description", "twitter:title", "twitter:description"};
    const std::string_view name = attribute.name, of = tag.name;
    const auto value = [&](std::string_view other) {
        const Attribute* found = tag.attribute(other);
        std::string text(found ? text::part(source, found->value) : std::string_view());
        for (char& c : text) c = lower(c);
        return text;
    };
    if (everywhere.contains(name)) return of != "link" && of != "style";  // there, a style sheet's name
    if (name == "alt") return with_alt.contains(of);
    if (name == "placeholder") return with_placeholder.contains(of);
    if (name == "label") return with_label.contains(of);
    if (name == "abbr") return of == "th";
    if (name == "summary") return of == "table";
    if (name == "value") return of == "input" && buttons.contains(value("type"));
    if (name != "content" || of != "meta") return false;
    return described.contains(value("name")) || described.contains(value("property"));
}

}  // namespace dragoman::markup
