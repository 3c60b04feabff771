// SPDX-License-Identifier: Apache-2.0
#include "markup/glued_marks.h"

#include <algorithm>
#include <string_view>

#include "markup/ascii.h"
#include "text/amount.h"

namespace dragoman::markup {
namespace {

constexpr std::size_t kLongestMark = 24, kLongestChunk = 64;  // bytes
constexpr std::size_t kMostMarks = 64;                        // in a formula

bool is_spoken(int32_t c) { return text::is_letter(c) || text::is_digit(c); }
bool is_word(int32_t c) { return is_spoken(c) && !text::is_unspaced(c); }

bool all_of(std::string_view text, auto&& is) {
    for (std::size_t at = 0; at < text.size();)
        if (!is(text::next_character(text, at))) return false;
    return !text.empty();
}

bool is_one_of(int32_t c, std::u32string_view set) { return c >= 0 && set.find(char32_t(c)) != set.npos; }
bool is_sign(int32_t c) { return is_one_of(c, U"+-\u2212\u2013\u00b1"); }
bool is_vowel(int32_t c) {
    return is_one_of(c, U"aeiouyAEIOUY\u00e4\u00f6\u00fc\u00e9\u00e8\u00e1\u00f3") || c >= 0x100;
}

std::size_t letters_in(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size();) count += text::is_letter(text::next_character(text, at));
    return count;
}

// Whether it is the text of a mark that leads to a note: "1", "[2]", "a", "*", "1, 3".
bool is_note(std::string_view text, Script script, int32_t left) {
    const bool bracket = (text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')');
    const bool digits = all_of(text, [](int32_t c) { return text::is_digit(c) || is_one_of(c, U", -\u2013"); }) &&
                        !is_blank(text.front());
    if (script == Script::none) {
        const bool sign = all_of(text,
                                 [](int32_t c) { return is_one_of(c, U"*\u2020\u2021\u00a7\u00b6\u2122\u00ae"); });
        return sign || (digits && text.size() <= 2 && text::is_letter(left));
    }
    if (bracket && text.size() > 2) return true;
    if (digits || all_of(text, [](int32_t c) { return !is_spoken(c) && !text::is_space(c); })) return true;
    if (script == Script::link) return false;
    if (text == "TM" || text == "SM" || text == "R") return true;
    return text.size() == 1 && !text::is_digit(left);
}

// Whether an element is part of a unit, a number or a formula, of which `base` is the text before it.
bool is_formula(std::string_view base, std::string_view text, Script script, std::size_t letters_behind,
                bool number_before, bool sign_near) {
    const bool word_behind = letters_behind > 0;
    if (script != Script::raised && script != Script::lowered) return false;
    const bool short_text = all_of(text, [](int32_t c) { return text::is_digit(c) || is_sign(c); }) ||
                            (text.size() == 1 && is_letter(text.front()));
    const std::size_t letters = letters_in(base);
    if (script == Script::lowered)
        return (short_text || text.size() <= 6) && !base.empty() && (letters <= 4 || word_behind);
    if (!short_text) return false;
    if (base.empty()) return word_behind && letters_behind <= 2;
    if (letters == 0) return !text::is_digit(text.front()) || base.size() < 3;
    if (letters > 3) return false;
    return word_behind || number_before || (letters <= 2 && sign_near) ||
           !std::ranges::any_of(base, [](char c) { return is_vowel(static_cast<unsigned char>(c)); });
}

// A change of a unit's text.
struct Change {
    Range range{};
    std::string by{};
};

// Applies changes, in order, to the text and to the places of its marks.
void apply(const std::vector<Change>& changes, std::string& plain, std::vector<Mark>& marks) {
    std::vector<std::size_t> ends;  // of the changes in the new text
    std::string text;
    std::size_t done = 0;
    for (const Change& change : changes) {
        text += plain.substr(done, change.range.begin - done) + change.by;
        done = change.range.end;
        ends.push_back(text.size());
    }
    text += plain.substr(done);
    const auto moved = [&](std::size_t at) {
        const auto next = std::ranges::upper_bound(changes, at, {}, [](const Change& one) { return one.range.begin; });
        if (next == changes.begin()) return at;
        const auto i = std::size_t(next - changes.begin()) - 1;
        const std::size_t end = changes[i].range.end;
        if (at >= end) return ends[i] + (at - end);
        return ends[i] - changes[i].by.size();
    };
    for (Mark& mark : marks) mark.plain = {moved(mark.plain.begin), moved(mark.plain.end)};
    plain = std::move(text);
}

class Setter {
public:
    Setter(std::vector<Mark>& marks, std::string& plain, Literals literals, const BytesOfGlued& bytes_of)
        : marks_(marks), plain_(plain), literals_(literals), bytes_of_(bytes_of), dropped_(marks.size()),
          ends_(marks.size()), scripts_(marks.size()) {
        for (std::size_t m = marks.size(); m-- > 0;) {
            ends_[m] = std::max(ends_[m], m + 1);
            scripts_[m] = std::max(scripts_[m], marks[m].script);
            names_ += marks[m].kind == Mark::Kind::literal;
            const std::size_t parent = marks[m].parent;
            if (parent == kNoMark) continue;
            ends_[parent] = std::max(ends_[parent], ends_[m]);
            if (marks[parent].plain == marks[m].plain) scripts_[parent] = std::max(scripts_[parent], scripts_[m]);
        }
    }

    // From the last to the first, so that marks that touch each other are known.
    void run() {
        for (std::size_t m = marks_.size(); m-- > 0;)
            if (!dropped_[m] && is_whole(marks_[m]) && is_outermost(m)) look(m);
        if (changes_.empty()) return;
        std::ranges::reverse(changes_);
        apply(changes_, plain_, marks_);
        compact();
    }

private:
    static bool is_whole(const Mark& mark) {
        return mark.kind == Mark::Kind::pair && mark.open.size() > 0 && mark.close.size() > 0;
    }
    // Whether no element around the same text is around it.
    bool is_outermost(std::size_t m) const {
        const std::size_t parent = marks_[m].parent;
        return parent == kNoMark || !is_whole(marks_[parent]) || marks_[parent].plain != marks_[m].plain;
    }
    int32_t before(std::size_t at) const { return text::previous_character(plain_, at); }
    int32_t behind(std::size_t at) const { return text::next_character(plain_, at); }

    void look(std::size_t m) {
        const Range own = marks_[m].plain;
        if (own.size() == 0 || own.size() > kLongestMark || own.size() == plain_.size()) return;
        if (!changes_.empty() && own.end > changes_.back().range.begin) return;
        const int32_t left = before(own.begin);
        const bool begins = own.begin == 0, touches = !begins && !text::is_space(left);
        const Script script = scripts_[m];
        if (!touches && script != Script::raised) return;
        if (!touches && !begins && left != ' ') return;
        if ((touches || begins || is_word(behind(own.end))) && literals_ != Literals::as_points &&
            look_for_formula(m, script))
            return;
        const bool next_is_mark = !changes_.empty() && changes_.back().range.begin == own.end;
        const int32_t right = next_is_mark ? behind(changes_.back().range.end) : behind(own.end);
        if ((is_word(right) && !begins) || !is_note(text::part(plain_, own), script, left) || is_cents(own)) return;
        const Range bytes = bytes_of_({own, {marks_[m].open.begin, marks_[m].close.end}});
        if (bytes.size() == 0) return;
        for (std::size_t i = m + 1; i < ends_[m]; ++i) dropped_[i] = true;
        const bool blank = begins && !next_is_mark && text::is_space(right);
        Mark& mark = marks_[m];
        mark.kind = Mark::Kind::point;
        mark.open = bytes;
        mark.close = {};
        mark.blank_before = !touches && !begins;
        mark.blank_after = blank;
        changes_.push_back({{own.begin - mark.blank_before, own.end + blank}, {}});
    }

    // Whether it is the rest of a price: "$1,299.<sup>99</sup>".
    bool is_cents(Range own) const {
        const std::string_view text = text::part(plain_, own);
        if (text.size() != 2 || !all_of(text, text::is_digit) || own.begin < 2) return false;
        std::size_t at = own.begin;
        if (!is_one_of(text::previous_character(plain_, at), U".,")) return false;
        while (at > 0 && own.begin - at < kLongestMark && is_one_of(plain_[at - 1], U"0123456789.,")) --at;
        const int32_t sign = at > 0 ? text::previous_character(plain_, at) : 0;
        return is_one_of(sign, U"$\u00a3\u00a5\u20ac\u20b9");
    }

    // The characters around a place without a blank, and without the punctuation around all of them; empty: too many.
    Range chunk_at(Range own) const {
        Range chunk = own;
        const auto ends = [](int32_t c) { return text::is_space(c) || text::is_unspaced(c); };
        for (std::size_t at = own.begin; at > 0 && !ends(text::previous_character(plain_, at)); chunk.begin = at)
            if (own.begin - at > kLongestChunk) return {};
        for (std::size_t at = own.end; at < plain_.size() && !ends(text::next_character(plain_, at)); chunk.end = at)
            if (at - own.end > kLongestChunk) return {};
        while (chunk.begin < own.begin && !is_spoken(behind(chunk.begin))) text::next_character(plain_, chunk.begin);
        while (chunk.end > own.end && !is_spoken(before(chunk.end))) text::previous_character(plain_, chunk.end);
        return chunk;
    }

    bool is_in_formula(std::size_t m, Script script, Range chunk) const {
        const Range own = marks_[m].plain;
        std::size_t base = own.begin;
        for (std::size_t at = base; at > chunk.begin && is_spoken(text::previous_character(plain_, at));) base = at;
        const bool blank = chunk.begin > 1 && plain_[chunk.begin - 1] == ' ';
        const bool number_before = blank && text::is_digit(before(chunk.begin - 1));
        const auto sign_at = [&](std::size_t at) { return at < plain_.size() && is_one_of(plain_[at], U"=+-*/<>"); };
        const bool sign_near = (blank && sign_at(chunk.begin - 2)) || sign_at(chunk.end + 1);
        std::size_t letters_behind = 0;
        for (std::size_t at = own.end; at < chunk.end && is_word(text::next_character(plain_, at));) ++letters_behind;
        return is_formula(text::part(plain_, {base, own.begin}), text::part(plain_, own), script, letters_behind,
                          number_before, sign_near);
    }

    // The marks that stand in a chunk, of which all must be siblings or inside these; empty: they are not.
    Range marks_in(Range chunk, std::size_t m) const {
        std::size_t first = m, end = ends_[m];
        const auto near = [&](std::size_t i) { return m - i < kMostMarks && marks_[i].plain.end > chunk.begin; };
        for (std::size_t i = m; i-- > 0 && near(i);) {
            if (marks_[i].parent == marks_[m].parent && marks_[i].plain.begin >= chunk.begin) first = i;
        }
        while (end < marks_.size() && marks_[end].parent == marks_[m].parent && marks_[end].plain.begin < chunk.end)
            end = ends_[end];
        if (end - first > kMostMarks) return {};
        for (std::size_t i = first; i < end; ++i)
            if (marks_[i].plain.begin < chunk.begin || marks_[i].plain.end > chunk.end || !is_whole(marks_[i]))
                return {};
        return {first, end};
    }

    bool look_for_formula(std::size_t m, Script script) {
        const Range chunk = chunk_at(marks_[m].plain);
        if (chunk.size() == 0 || (!changes_.empty() && chunk.end > changes_.back().range.begin)) return false;
        const Range within = marks_in(chunk, m);
        if (within.size() == 0) return false;
        // Its first element says what it is.
        if (!is_in_formula(within.begin, within.begin == m ? script : scripts_[within.begin], chunk)) return false;
        std::size_t last = within.begin;
        for (std::size_t i = within.begin; i < within.end; i = ends_[i]) last = i;
        if (marks_[last].plain.end > chunk.end) return false;
        const Range bytes = bytes_of_({chunk,
                                       {marks_[within.begin].open.begin, marks_[last].close.end},
                                       marks_[within.begin].plain.begin - chunk.begin,
                                       chunk.end - marks_[last].plain.end});
        if (bytes.size() == 0) return false;
        for (std::size_t i = within.begin + 1; i < within.end; ++i) dropped_[i] = true;
        Mark& mark = marks_[within.begin];
        mark.kind = Mark::Kind::literal;
        mark.open = bytes;
        mark.close = {};
        mark.plain = chunk;
        std::string name(text::part(plain_, chunk));
        if (literals_ == Literals::named) name = "{_" + std::to_string(++names_) + "}";
        changes_.push_back({chunk, name});
        return true;
    }

    void compact() {
        std::vector<std::size_t> places(marks_.size(), kNoMark);
        std::vector<Mark> kept;
        for (std::size_t m = 0; m < marks_.size(); ++m) {
            if (dropped_[m]) continue;
            places[m] = kept.size();
            kept.push_back(marks_[m]);
            Mark& mark = kept.back();
            if (mark.parent != kNoMark) mark.parent = places[mark.parent];
            if (mark.kind == Mark::Kind::point) mark.plain.end = mark.plain.begin;
        }
        marks_ = std::move(kept);
    }

    std::vector<Mark>& marks_;
    std::string& plain_;
    const Literals literals_;
    const BytesOfGlued& bytes_of_;
    std::vector<bool> dropped_;
    std::vector<std::size_t> ends_;  // behind the marks inside each
    std::vector<Script> scripts_;  // of an element, or of one in it around the same text
    std::vector<Change> changes_;  // the last one first
    std::size_t names_ = 0;
};

}  // namespace

void leave_out_literals(std::vector<Mark>& marks, std::string& plain) {
    std::vector<Change> changes;
    for (Mark& mark : marks) {
        if (mark.kind != Mark::Kind::literal) continue;
        Range name = mark.plain;
        mark.kind = Mark::Kind::point;
        mark.blank_before = name.begin > 0 && plain[name.begin - 1] == ' ';
        mark.blank_after = name.end < plain.size() && plain[name.end] == ' ';
        if (mark.blank_after && (mark.blank_before || name.begin == 0)) ++name.end;
        mark.plain.end = mark.plain.begin;
        changes.push_back({name, {}});
    }
    apply(changes, plain, marks);
}

void set_glued_apart(std::vector<Mark>& marks, std::string& plain, Literals literals, const BytesOfGlued& bytes_of) {
    if (!marks.empty()) Setter(marks, plain, literals, bytes_of).run();
}

bool is_whole_amount(const std::vector<Mark>& marks, std::string_view plain) {
    if (!text::is_amount(plain)) return false;
    const auto in_figures = [&](std::size_t at) {
        constexpr std::string_view kFigures = "0123456789.,'";
        return at > 0 && at < plain.size() && kFigures.find(plain[at - 1]) != plain.npos &&
               kFigures.find(plain[at]) != plain.npos;
    };
    return std::ranges::none_of(marks, [&](const Mark& mark) {
        return in_figures(mark.plain.begin) || in_figures(mark.plain.end);
    });
}

}  // namespace dragoman::markup
