// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "markup/project.h"
#include "markup/units.h"
#include "markup/write.h"

namespace dragoman::documents {

using markup::Unit;
using markup::Units;
using text::Range;

// A unit's translation: its text, and its word alignment.
struct Translation {
    std::string text{};
    std::vector<markup::AlignedSentence> sentences{};
};

// Makes points of the literals with names, and takes their names out of the texts.
void leave_out_names(Units& units);

// A file, or a member of a package, that has units.
class Part {
public:
    virtual ~Part() = default;
    virtual const Units& units() const = 0;
    virtual void leave_out_names() {}  // see Document
    // One translation for each unit.
    virtual std::string write(std::span<const Translation> translations) const = 0;
};

// A part whose units are stretches of its bytes, each replaced on its own.
class SplicedPart : public Part {
public:
    SplicedPart(std::string source, Units units) : source_(std::move(source)), units_(std::move(units)) {}
    const Units& units() const override { return units_; }
    void leave_out_names() override { documents::leave_out_names(units_); }
    std::string write(std::span<const Translation> translations) const override;
    // Replaces bytes in a translated document, such as the code of its language.
    void replace(Range bytes, std::string text) { replaced_.push_back({bytes, text, {{false, {0, text.size()}}}}); }
    void replace(std::vector<markup::Edit> edits) {
        for (markup::Edit& edit : edits) replaced_.push_back(std::move(edit));
    }

protected:
    virtual markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range> places) const {
        return markup::edit(units_.units[unit], target, places);
    }
    // The edits of all units.
    virtual std::vector<markup::Edit> edits(std::span<const Translation> translations) const {
        std::vector<markup::Edit> found;
        for (std::size_t i = 0; i < units_.units.size(); ++i) add_edit(i, translations[i], found);
        return found;
    }
    void add_edit(std::size_t unit, const Translation& translation, std::vector<markup::Edit>& edits) const;
    const std::string& source() const { return source_; }
    std::string_view plain(std::size_t unit) const { return text::part(units_.text, units_.units[unit].plain); }

    std::string source_;
    Units units_;

private:
    std::vector<markup::Edit> replaced_;
};

// A part with texts in a notation of its own, such as the strings of a programming language.
class NotatedPart final : public SplicedPart {
public:
    using Notation = std::string (*)(std::string_view text);
    NotatedPart(std::string source, Units units, Notation notation)
        : SplicedPart(std::move(source), std::move(units)), notation_(notation) {}

private:
    markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range>) const override {
        const std::string text = notation_(target);
        return {units_.units[unit].bytes, text, {{false, {0, text.size()}}}};
    }
    const Notation notation_;
};

// Removes blanks at the ends of an edit's texts next to such a point, which is given by its place in the document.
void strip_beside(markup::Edit& edit, const std::set<std::size_t>& gaps);

// The places of a unit's marks in its translation, as markup::project() finds them. Literals with names
// (UnitBuilder::kept) are where the translation has these; one without is put in its place as a point.
std::vector<Range> places_of(const Unit& unit, std::string_view plain, const Translation& translation);

// Adds a unit without marks.
void add_unit(Units& units, Range bytes, std::string_view plain);
bool has_letter(std::string_view text);
// Whether a text is translated: it has a letter, or a number that languages write differently.
bool is_translated(std::string_view text);

}  // namespace dragoman::documents
