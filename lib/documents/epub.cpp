// SPDX-License-Identifier: Apache-2.0
// EPUB: pages, the table of contents, and title, description and language of the book.
#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "documents/xml_units.h"

namespace dragoman::documents {
namespace {

constexpr std::string_view kContents = "application/x-dtbncx+xml";

using markup::Token;

// Decodes a path: "%20" is a blank.
std::string decoded_path(std::string_view path) {
    std::string result;
    for (std::size_t at = 0; at < path.size(); ++at) {
        unsigned code = 0;
        const bool whole = path[at] == '%' && at + 2 < path.size();
        const char* const digits = path.data() + at + 1;
        if (whole && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
            result += char(code);
            at += 2;
        } else {
            result += path[at];
        }
    }
    return result;
}

// A path relative to another member's folder.
std::string beside(std::string_view member, std::string_view path) {
    std::string whole(member.substr(0, member.rfind('/') + 1));
    for (std::string_view rest = path; !rest.empty();) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        const std::string_view step = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (step == "..") {
            if (!whole.empty()) whole.pop_back();
            whole.erase(whole.rfind('/') + 1);
        } else if (step != ".") {
            whole += step;
            if (!rest.empty()) whole += '/';
        }
    }
    return whole;
}

std::string package_document(const Package& package) {
    constexpr std::string_view kContainer = "META-INF/container.xml";
    const std::string source = package.read(kContainer);
    std::string path;
    read_xml(source, kContainer, true, [&](const Token& token) {
        if (token.kind == Token::Kind::start && local_name(token.name) == "rootfile" && path.empty())
            path = decoded_path(attribute_of(source, token, "full-path"));
    });
    if (!package.has(path))
        fail(Status::invalid_argument, "{}: expected a rootfile in the package, got '{}'", kContainer, path);
    return path;
}

Role of_package(const Token&, std::string_view name, bool in_paragraph) {
    if (in_paragraph) return Role::point;
    return name == "title" || name == "description" ? Role::paragraph : Role::outside;
}

Role of_contents(const Token&, std::string_view name, bool in_paragraph) {
    if (in_paragraph) return Role::point;
    return name == "text" ? Role::paragraph : Role::outside;
}

PartPtr read_opf(std::string source, std::string_view name, const Languages& languages) {
    Range language{};
    bool in_language = false;
    read_xml(source, name, false, [&](const Token& token) {
        if (token.kind == Token::Kind::start) in_language = token.name == "dc:language";
        else if (token.kind == Token::Kind::text && in_language && language.size() == 0) language = token.content;
        else in_language = false;
    });
    PartPtr part = read_xml_units(std::move(source), name, false, of_package);
    if (language.size() > 0 && !languages.target.empty())
        static_cast<SplicedPart&>(*part).replace(language, languages.target);
    return part;
}

}  // namespace

void read_epub(const Package& package, const Languages& languages, const AddPart& add) {
    const std::string opf = package_document(package);
    const std::string source = package.read(opf);
    std::map<std::string, std::string> types;
    read_xml(source, opf, false, [&](const Token& token) {
        if (token.kind == Token::Kind::start && local_name(token.name) == "item")
            types[beside(opf, decoded_path(attribute_of(source, token, "href")))] = attribute_of(source, token,
                                                                                                 "media-type");
    });
    for (const std::string& name : package.names()) {
        PartPtr part;
        const std::string& type = types[name];
        if (name == opf) part = read_opf(source, name, languages);
        else if (type == "application/xhtml+xml") part = read_xhtml(package.read(name), languages, name);
        else if (type == kContents) part = read_xml_units(package.read(name), name, false, of_contents);
        if (part && !part->units().units.empty()) add(name, std::move(part));
    }
}

}  // namespace dragoman::documents
