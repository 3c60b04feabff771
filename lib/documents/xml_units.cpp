// SPDX-License-Identifier: Apache-2.0
#include "documents/xml_units.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "documents/base_style.h"
#include "markup/elements.h"

namespace dragoman::documents {
namespace {

using markup::Token;
using markup::UnitBuilder;

class XmlPart final : public SplicedPart {
public:
    XmlPart(std::string source, Units units, std::set<std::size_t> gaps, const TextNotation* notation)
        : SplicedPart(std::move(source), std::move(units)), gaps_(std::move(gaps)), notation_(notation) {
        for (std::size_t i = 0; i < units_.units.size(); ++i) styles_.emplace_back(source_, plain(i), units_.units[i]);
    }

private:
    markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range> places) const override {
        markup::Edit edit = SplicedPart::edit(unit, target, places);
        strip_beside(edit, gaps_);
        if (!notation_) return styles_[unit].put(edit);
        markup::Edit escaped{.bytes = edit.bytes};
        for (const markup::Edit::Piece& piece : edit.pieces) {
            const std::size_t begin = escaped.text.size();
            if (!piece.copied)
                escaped.text += notation_->write(text::part(edit.text, piece.range), text::part(source_, edit.bytes));
            escaped.pieces.push_back(piece.copied ? piece : markup::Edit::Piece{false, {begin, escaped.text.size()}});
        }
        return escaped;
    }
    const std::set<std::size_t> gaps_;
    const TextNotation* const notation_;
    std::vector<BaseStyle> styles_;  // for each unit
};

class XmlUnitReader {
public:
    XmlUnitReader(const std::string& source, const RoleOf& role_of, const TextNotation* notation,
                  const ScriptOf& script_of)
        : source_(source), role_of_(role_of), notation_(notation), script_of_(script_of) {}

    void take(const Token& token) {
        switch (token.kind) {
            case Token::Kind::start: return start(token);
            case Token::Kind::end: return end(token);
            case Token::Kind::text:
                if (in_text()) text(token);
                return;
            default:
                if (!in_text()) return;
                if (token.kind == Token::Kind::reference && is_blank_reference(text::part(source_, token.bytes)))
                    gap(token.bytes, ' ');
                else if (token.kind == Token::Kind::reference) open_.back().kept(token.bytes);
                else open_.back().point(token.bytes, false);
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
    void gap(Range bytes, char divider) {
        gaps.insert(bytes.begin);
        open_.back().gap(bytes, divider);
    }
    void text(const Token& token) {
        if (notation_) notation_->read(source_, token, open_.back(), units, gaps);
        else open_.back().add_text(source_, token, markup::xml_reference);
    }
    void start(const Token& token) {
        const bool inside = in_text();
        const bool kept = !stack_.empty() && (stack_.back().role == Role::point || stack_.back().role == Role::gap ||
                                              stack_.back().role == Role::divider || stack_.back().role == Role::word);
        Element element{kept ? Role::point : role_of_(token, local_name(token.name), inside), token.bytes};
        if (element.role == Role::in_line && token.self_closing) element.role = Role::point;
        if (element.role == Role::paragraph) open_.emplace_back().join_elements();
        if (element.role == Role::in_line) element.opened = open_.back().open(token.bytes, script(token));
        stack_.push_back(element);
    }
    markup::Script script(const Token& token) const {
        return script_of_ ? script_of_(token) : markup::script_of(local_name(token.name));
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
        } else if (element.role == Role::divider && !stack_.empty() && stack_.back().role == Role::paragraph) {
            open_.back().finish(units);
            open_.back().join_elements();
        } else if (in_text() && (element.role == Role::gap || element.role == Role::divider)) {
            gap(whole, '\n');
        } else if (in_text() && element.role == Role::word) {
            open_.back().kept(whole);
        } else if (in_text()) {
            open_.back().point(whole, element.role == Role::island);
        }
    }

    const std::string& source_;
    const RoleOf& role_of_;
    const TextNotation* const notation_;
    const ScriptOf& script_of_;
    std::vector<Element> stack_;
    std::vector<UnitBuilder> open_;  // nested paragraphs
};

}  // namespace

PartPtr read_xml_units(std::string source, std::string_view name, bool plain, const RoleOf& role_of,
                       const TextNotation* notation, const ScriptOf& script_of) {
    XmlUnitReader reader(source, role_of, notation, script_of);
    read_xml(source, name, plain, [&](const Token& token) { reader.take(token); });
    return std::make_unique<XmlPart>(std::move(source), std::move(reader.units), std::move(reader.gaps), notation);
}

}  // namespace dragoman::documents
