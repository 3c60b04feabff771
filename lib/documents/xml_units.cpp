// SPDX-License-Identifier: Apache-2.0
#include "documents/xml_units.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "documents/base_style.h"

namespace dragoman::documents {
namespace {

using markup::Token;
using markup::UnitBuilder;

class XmlPart final : public SplicedPart {
public:
    XmlPart(std::string source, Units units, std::set<std::size_t> gaps, Escape escape)
        : SplicedPart(std::move(source), std::move(units)), gaps_(std::move(gaps)), escape_(escape) {
        for (std::size_t i = 0; i < units_.units.size(); ++i) styles_.emplace_back(source_, plain(i), units_.units[i]);
    }

private:
    markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range> places) const override {
        markup::Edit edit = SplicedPart::edit(unit, target, places);
        strip_beside(edit, gaps_);
        if (!escape_) return styles_[unit].put(edit);
        markup::Edit escaped{.bytes = edit.bytes};
        for (const markup::Edit::Piece& piece : edit.pieces) {
            const std::size_t begin = escaped.text.size();
            if (!piece.copied) escaped.text += escape_(text::part(edit.text, piece.range));
            escaped.pieces.push_back(piece.copied ? piece : markup::Edit::Piece{false, {begin, escaped.text.size()}});
        }
        return escaped;
    }
    const std::set<std::size_t> gaps_;
    const Escape escape_;
    std::vector<BaseStyle> styles_;  // for each unit
};

class XmlUnitReader {
public:
    XmlUnitReader(const std::string& source, const RoleOf& role_of, bool escapes)
        : source_(source), role_of_(role_of), escapes_(escapes) {}

    void take(const Token& token) {
        switch (token.kind) {
            case Token::Kind::start: return start(token);
            case Token::Kind::end: return end(token);
            case Token::Kind::text:
                if (in_text()) text(token);
                return;
            default:
                if (in_text()) open_.back().point(token.bytes, token.kind == Token::Kind::reference);
        }
    }

    Units units;
    std::set<std::size_t> gaps;

private:
    struct Element {
        Role role = Role::outside;
        Range tag{};
        std::size_t opened = 0;
    };
    bool in_text() const {
        return !stack_.empty() && (stack_.back().role == Role::paragraph || stack_.back().role == Role::in_line);
    }
    void text(const Token& token) {
        if (!escapes_) return open_.back().add_text(source_, token, markup::xml_reference);
        for (std::size_t at = token.content.begin; at < token.content.end;) {
            const std::size_t end = std::min(source_.find('\\', at), token.content.end);
            Token part = token;
            part.bytes = part.content = {at, end};
            if (end > at) open_.back().add_text(source_, part, markup::xml_reference);
            at = end;
            if (end + 1 >= token.content.end) break;
            at = end + 2;
            part.bytes = {end, at};
            part.content = {end + 1, at};
            if (std::string_view("'\"\\@?").find(source_[end + 1]) != std::string_view::npos) {
                open_.back().add_text(source_, part, markup::xml_reference);
            } else {
                gaps.insert(end);
                open_.back().gap(part.bytes);
            }
        }
    }
    void start(const Token& token) {
        const bool inside = in_text();
        const bool kept = !stack_.empty() && (stack_.back().role == Role::point || stack_.back().role == Role::gap);
        Element element{kept ? Role::point : role_of_(token, local_name(token.name), inside), token.bytes};
        if (element.role == Role::in_line && token.self_closing) element.role = Role::point;
        if (element.role == Role::paragraph) open_.emplace_back().join_elements();
        if (element.role == Role::in_line) element.opened = open_.back().open(token.bytes);
        stack_.push_back(element);
    }
    void end(const Token& token) {
        const Element element = stack_.back();
        stack_.pop_back();
        const Range whole{element.tag.begin, std::max(token.bytes.end, element.tag.end)};
        if (element.role == Role::paragraph) {
            open_.back().finish(units);
            open_.pop_back();
        } else if (element.role == Role::in_line) {
            open_.back().close(token.bytes, element.opened);
        } else if (in_text() && element.role == Role::gap) {
            gaps.insert(whole.begin);
            open_.back().gap(whole);
        } else if (in_text()) {
            open_.back().point(whole, element.role == Role::island);
        }
    }

    const std::string& source_;
    const RoleOf& role_of_;
    const bool escapes_;
    std::vector<Element> stack_;
    std::vector<UnitBuilder> open_;  // nested paragraphs
};

}  // namespace

PartPtr read_xml_units(std::string source, std::string_view name, bool plain, const RoleOf& role_of, Escape escape) {
    XmlUnitReader reader(source, role_of, escape != nullptr);
    read_xml(source, name, plain, [&](const Token& token) { reader.take(token); });
    return std::make_unique<XmlPart>(std::move(source), std::move(reader.units), std::move(reader.gaps), escape);
}

}  // namespace dragoman::documents
