// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/entities.h"
#include "markup/glued_marks.h"
#include "markup/token.h"
#include "markup/unit.h"

namespace dragoman::markup {

// Whether a line break between two texts ends a sentence: a line of an address or a verse, a heading.
bool divides(std::string_view left, std::string_view right);

// Takes texts and tags until a sentence must end, and makes a unit of them.
class UnitBuilder {
public:
    using References = Reference (*)(std::string_view);

    explicit UnitBuilder(Literals literals = Literals::named) : literals_(literals) {}
    void add_text(std::string_view source, const Token& token, References references);
    void add(std::string_view characters, Range bytes);  // characters that these bytes stand for
    // Returns the number with which to close it.
    std::size_t open(Range tag, Script script = Script::none);
    void close(Range tag, std::size_t opened);  // kNoMark: in an earlier unit
    void point(Range bytes, bool seen);
    void literal(Range bytes, std::string_view text);  // a kept element whose text is part of the unit's
    // The same with a name instead of its text, which translators keep: "{_1}", or "`_1`" for code.
    void kept(Range bytes, bool code = false);
    void blank() { blank_ = true; }  // as if the text had one here
    // A tab or a line break: a point that is a blank between words, or divides the text where no sentence goes on.
    void gap(Range bytes, char divider = '\n');
    void ends_untold(std::size_t opened);  // an element without an end tag, before the unit's end
    void loose(Range tag);  // a tag that closes nothing
    void join_elements() { joins_ = true; }  // a word may continue after an element's end
    // Moves the unit to `units`, if it has a word or a number that languages write differently, and begins the next one.
    void finish(Units& units);
    std::size_t number() const { return number_; }  // number of the unit that is being built

private:
    struct Event {
        Mark::Kind kind = Mark::Kind::point;
        bool closes = false, loose = false, blank_before = false, blank_after = false;
        Range bytes{};
        std::size_t plain = 0, plain_end = 0;  // the same without literals
        std::size_t text = 0;  // of an element's beginning: the size of the text before it, without a blank
        std::size_t other = kNoMark;  // for a pair: its other end
        Script script = Script::none;
    };
    // Text between two tags.
    struct Stretch {
        Range bytes{}, plain{};
        bool words = false;  // it has letters, digits, or marks that belong to sentences
    };
    void add_blank(std::string_view next);
    std::size_t behind_blank() const;
    void separate(std::string_view next);
    bool is_gap(std::size_t opened) const;
    void close_gap(Range tag, std::size_t opened);
    void find_loose();
    Range extent(Range text) const;
    Range worded() const;
    std::vector<Mark> marks(Range extent, Range plain);
    Range bytes_of(const Glued& glued, std::string_view plain) const;

    Literals literals_;
    std::string_view source_;
    std::string text_;
    std::vector<Stretch> stretches_;
    std::vector<Event> events_;
    std::size_t last_seen_ = kNoMark;  // a point with nothing after it
    bool blank_ = false, closed_ = false, between_elements_ = false, behind_point_ = false;  // since the last character
    char divider_ = ' ';  // likewise
    bool letters_ = false, in_order_ = false, stretch_ended_ = true, joins_ = false;
    std::size_t number_ = 0, names_ = 0;
};

}  // namespace dragoman::markup
