// SPDX-License-Identifier: Apache-2.0
#include "documents/office/runs.h"

#include <algorithm>
#include <array>
#include <utility>

#include "documents/office/fields.h"
#include "markup/ascii.h"
#include "markup/entities.h"
#include "markup/glued_marks.h"
#include "markup/unit_builder.h"

namespace dragoman::documents {
namespace {

using Kind = RunItem::Kind;
using markup::Mark;

// Blanks as they are; those that lay out the file are one.
std::string kept_blanks(std::string blanks) { return blanks.find_first_not_of(' ') == blanks.npos ? blanks : " "; }

bool is_blank_text(std::string_view text) { return std::ranges::all_of(text, markup::is_blank); }

// The items of the unit: from the first text to the last one, with the elements around one of them alone and with the
// other items in the same runs.
Range with_text(const std::vector<RunItem>& items) {
    Range part{items.size(), 0};
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].kind != Kind::text || is_blank_text(items[i].text)) continue;
        part.begin = std::min(part.begin, i);
        part.end = i + 1;
    }
    if (part.begin >= part.end) return {};
    for (bool grown = true; grown;) {
        const Range before = part;
        const auto same_run = [&](std::size_t a, std::size_t b) {
            return items[a].run != kNoRun && items[a].run == items[b].run;
        };
        while (part.begin > 0 && same_run(part.begin, part.begin - 1)) --part.begin;
        while (part.end < items.size() && same_run(part.end, part.end - 1)) ++part.end;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].kind != Kind::open) continue;
            const bool holds = i < part.begin && items[i].other >= part.begin;
            const bool cuts = (i < part.end && items[i].other >= part.end) || holds;
            if (!cuts) continue;
            part.begin = std::min(part.begin, i);
            part.end = std::max(part.end, items[i].other + 1);
        }
        grown = before != part;
    }
    return part;
}

bool is_spoken_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size();)
        if (const int32_t c = text::next_character(text, at); text::is_letter(c) || text::is_digit(c)) return true;
    return false;
}

// Whether readers see such properties on a blank, or they make it a link.
bool shows_on_blanks(std::string_view meaning) {
    constexpr std::array<std::string_view, 8> kShown{"hlinkClick", "Hyperlink", "<u ",       "<u>",
                                                     " u=sng",     " u=dbl",    "highlight", "<shd"};
    return std::ranges::any_of(kShown, [&](std::string_view one) { return meaning.find(one) != meaning.npos; });
}

// The run whose properties most letters have; not those of a link or an underlined word where others have letters, too.
std::size_t find_base(const RunParagraph& paragraph) {
    std::map<std::string_view, std::size_t> letters;
    bool plain = false;
    for (const RunItem& item : paragraph.items) {
        if (item.kind != Kind::text) continue;
        const std::string& meaning = paragraph.runs[item.run].meaning;
        letters[meaning] += item.text.size();
        plain = plain || (is_spoken_text(item.text) && !shows_on_blanks(meaning));
    }
    if (plain) std::erase_if(letters, [](const auto& one) { return shows_on_blanks(one.first); });
    std::size_t base = kNoRun, most = 0;
    for (const RunItem& item : paragraph.items) {
        if (item.kind != Kind::text || !letters.contains(paragraph.runs[item.run].meaning)) continue;
        const std::size_t count = letters[paragraph.runs[item.run].meaning];
        if (base != kNoRun && count <= most) continue;
        base = item.run;
        most = count;
    }
    return base;
}

// Whether a run is raised or lowered, in Word's and Excel's words or in DrawingML's.
markup::Script script_of(const Run& run) {
    const std::string_view meaning = run.meaning;
    const auto has = [&](std::string_view what) { return meaning.find(what) != meaning.npos; };
    if (has("val=superscript") || has("val=FootnoteReference") || has("val=EndnoteReference"))
        return markup::Script::raised;
    if (has("val=subscript")) return markup::Script::lowered;
    const std::size_t baseline = meaning.find("baseline=");
    if (baseline == meaning.npos) return markup::Script::none;
    const std::string_view shift = meaning.substr(baseline + 9);
    if (shift.starts_with('-')) return markup::Script::lowered;
    return shift.starts_with('0') ? markup::Script::none : markup::Script::raised;
}

// A text with the run that it comes from.
struct Segment {
    std::size_t run = 0;
    std::string text{};
};

// Combines items into a unit's text and marks.
class Builder {
public:
    Builder(const std::vector<Run>& runs, std::size_t base, bool lines) : runs_(runs), base_(base), lines_(lines) {}

    void add(const RunItem& item) {
        switch (item.kind) {
            case Kind::text: return add_text(item);
            case Kind::point: return add_point(item);
            case Kind::open: end_group(); return open(item.bytes);
            case Kind::close: end_group(); return close(item.bytes);
        }
    }
    void finish() {
        end_group();
        for (Mark& mark : marks)
            mark.plain = {std::min(mark.plain.begin, text.size()), std::min(mark.plain.end, text.size())};
    }

    std::string text;
    std::vector<Mark> marks;
    std::string before, after;  // blanks around the text
    std::map<std::size_t, std::size_t> opens, points;
    std::set<std::size_t> closes, gaps;
    std::map<std::size_t, Segment> made;  // points that are texts, by their place
    std::vector<Segment> segments;

    // A text that is a point: a bullet between two tabs, a line end.
    void add_made(std::size_t place, Segment segment) {
        made[place] = std::move(segment);
        marks.push_back(
            {.kind = Mark::Kind::point, .open = {place, place + 1}, .parent = parent(), .plain = {here(), here()}});
        gaps.insert(place);
        blank_ = true;
        last_point_ = kNoRun;
    }

private:
    void add_text(const RunItem& item) {
        if (!is_blank_text(item.text)) choose_group(item.run);
        if (segments.empty() || segments.back().run != item.run) segments.push_back({item.run});
        segments.back().text += item.text;
        for (std::size_t i = 0; i < item.text.size(); ++i) {
            if (lines_ && (item.text[i] == '\n' || item.text[i] == '\t'))
                add_made(item.bytes.begin + i, {item.run, item.text.substr(i, 1)});
            else add_character(std::string_view(item.text).substr(i));
        }
    }
    void choose_group(std::size_t run) {
        const std::string& meaning = runs_[run].meaning;
        if (group_ != kNoRun && meaning != runs_[group_].meaning) end_group();
        if (group_ != kNoRun || meaning == runs_[base_].meaning) return;
        group_ = run;
        opens[runs_[run].begin.begin] = run;
        open(runs_[run].begin);
        marks.back().script = script_of(runs_[run]);
    }
    void end_group() {
        if (group_ == kNoRun) return;
        const Range end = runs_[std::exchange(group_, kNoRun)].end;
        closes.insert(end.begin);
        close(end);
    }
    // Takes the first character of a text.
    void add_character(std::string_view rest) {
        const char c = rest.front();
        if (markup::is_blank(c)) {
            blank_ = true;
            if (text.empty()) before += c;
            after += c;
            if (last_point_ != kNoRun) marks[last_point_].blank_after = true;
        } else {
            if (blank_ && !text.empty()) add_blank(rest);
            blank_ = false;
            after.clear();
            divider_ = ' ';
            text += c;
        }
        last_point_ = kNoRun;
    }
    void add_point(const RunItem& item) {
        if (!item.text.empty()) {
            add_made(item.bytes.begin, {item.run, item.text});
            divider_ = '\t';
            return;
        }
        const bool blank_before = item.seen && blank_ && last_point_ == kNoRun;
        if (item.seen) last_point_ = marks.size();
        if (item.run != kNoRun) points[item.bytes.begin] = item.run;
        if (item.word) return add_word(item);
        blank_ = blank_ || item.gap;
        marks.push_back({.kind = Mark::Kind::point,
                         .open = item.bytes,
                         .parent = parent(),
                         .plain = {here(), here()},
                         .blank_before = blank_before});
        if (!item.gap) return;
        gaps.insert(item.bytes.begin);
        divider_ = item.tab || divider_ != ' ' ? '\t' : '\n';
    }
    void add_blank(std::string_view next) { text += divider_ == '\n' && !markup::divides(text, next) ? ' ' : divider_; }
    void add_word(const RunItem& item) {
        if (blank_ && !text.empty()) add_blank("{");
        const std::size_t begin = text.size();
        text += "{_" + std::to_string(++names_) + "}";
        marks.push_back(
            {.kind = Mark::Kind::literal, .open = item.bytes, .parent = parent(), .plain = {begin, text.size()}});
        blank_ = false;
        after.clear();
        divider_ = ' ';
        last_point_ = kNoRun;
    }
    void open(Range bytes) {
        const Mark mark{.open = bytes, .parent = parent(), .plain = {here(), here()}};
        open_.push_back(marks.size());
        marks.push_back(mark);
    }
    void close(Range bytes) {
        Mark& mark = marks[open_.back()];
        mark.close = bytes;
        mark.plain.end = std::max(mark.plain.begin, text.size());
        open_.pop_back();
    }
    std::size_t parent() const { return open_.empty() ? markup::kNoMark : open_.back(); }
    std::size_t here() const { return text.size() + (blank_ && !text.empty()); }  // place of the next character

    const std::vector<Run>& runs_;
    const std::size_t base_;
    std::size_t group_ = kNoRun;  // the run whose properties the text has now, if not the base's
    std::size_t last_point_ = kNoRun, names_ = 0;
    const bool lines_;
    std::vector<std::size_t> open_;
    bool blank_ = false;  // since the last character
    char divider_ = ' ';  // likewise
};

// The bytes of an item with the run that contains it.
Range extent(const RunParagraph& paragraph, std::size_t first, std::size_t last) {
    const RunItem &a = paragraph.items[first], &b = paragraph.items[last];
    const auto outer = [&](const RunItem& item) {
        if (item.run == kNoRun || paragraph.runs[item.run].begin.size() == 0) return item.bytes;
        return Range{paragraph.runs[item.run].begin.begin, paragraph.runs[item.run].end.end};
    };
    return {outer(a).begin, outer(b).end};
}

// Text before the elements and behind them, with these elements' own, as runs; empty where their runs are not found.
std::vector<Segment> segments_of(const markup::Glued& glued, const std::vector<Run>& runs,
                                 const std::vector<Segment>& all) {
    std::size_t first = 0, last = 0;
    while (first < all.size() && runs[all[first].run].begin.begin != glued.tags.begin) ++first;
    for (last = first; last < all.size() && runs[all[last].run].end.end != glued.tags.end;) ++last;
    if (last >= all.size()) return {};
    while (last + 1 < all.size() && runs[all[last + 1].run].meaning == runs[all[last].run].meaning) ++last;
    std::vector<Segment> found(all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(last) + 1);
    if (glued.before > 0) {
        if (first == 0 || all[first - 1].text.size() < glued.before) return {};
        const std::string& text = all[first - 1].text;
        found.insert(found.begin(), {all[first - 1].run, text.substr(text.size() - glued.before)});
    }
    if (glued.after > 0) {
        if (last + 1 == all.size() || all[last + 1].text.size() < glued.after) return {};
        found.push_back({all[last + 1].run, all[last + 1].text.substr(0, glued.after)});
    }
    return found;
}

// A bullet or a number's sign alone between tabs.
bool is_bullet(const std::vector<RunItem>& items, std::size_t i) {
    const auto is_gap = [&](std::size_t at) {
        return at < items.size() && items[at].kind == Kind::point && items[at].gap;
    };
    return items[i].kind == Kind::text && !is_blank_text(items[i].text) && !is_spoken_text(items[i].text) &&
           (i == 0 || is_gap(i - 1)) && is_gap(i + 1);
}

}  // namespace

void RunPart::add(RunParagraph paragraph, const std::set<std::string>& kept) {
    join_fields(paragraph);
    const Range items = with_text(paragraph.items);
    const std::size_t base = find_base(paragraph);
    if (items.size() == 0 || base == kNoRun || add_fields(paragraph.items)) return;
    Builder builder(paragraph.runs, base, lines_);
    for (std::size_t i = items.begin; i < items.end; ++i) {
        const RunItem& item = paragraph.items[i];
        if (is_bullet(paragraph.items, i)) builder.add_made(item.bytes.begin, {item.run, item.text});
        else builder.add(item);
    }
    builder.finish();
    if (!is_translated(builder.text) || kept.contains(builder.text)) return;
    const bool bare = paragraph.items.size() == 1 && paragraph.runs[base].begin.size() == 0;
    if (bare && !builder.made.empty()) {
        const Range element = paragraph.items.front().bytes;
        return add_lines({source_.find('>', element.begin) + 1, source_.rfind('<', element.end - 1)}, 0);
    }
    std::map<std::size_t, std::string> made;
    for (const auto& [place, segment] : builder.made) made[place] = written(paragraph.runs[segment.run], segment.text);
    markup::set_glued_apart(builder.marks, builder.text, markup::Literals::named, [&](const markup::Glued& glued) {
        const std::vector<Segment> found = segments_of(glued, paragraph.runs, builder.segments);
        if (found.empty()) return glued.before + glued.after == 0 ? glued.tags : Range();
        std::string& runs = made[glued.tags.begin];
        for (const Segment& segment : found) runs += written(paragraph.runs[segment.run], segment.text);
        return Range{glued.tags.begin, glued.tags.begin + 1};
    });
    if (!has_letter(builder.text) && !markup::is_whole_amount(builder.marks, builder.text)) return;
    add_unit(units_, extent(paragraph, items.begin, items.end - 1), builder.text);
    units_.units.back().marks = std::move(builder.marks);
    wrappings_.push_back({std::move(paragraph.runs), base, std::move(builder.opens), std::move(builder.points),
                          std::move(made), std::move(builder.closes), std::move(builder.gaps),
                          kept_blanks(builder.before), kept_blanks(builder.after)});
}

void RunPart::add_lines(Range content, char quote) {
    const std::string_view source(source_);
    for (std::size_t at = content.begin; at < content.end;) {
        std::size_t next = content.end, size = 0;
        for (const std::string_view sign : {"\n", "\t", "&#10;", "&#xA;", "&#xa;", "&#9;", "\r", "&#13;", "_x000D_"})
            if (const std::size_t found = source.find(sign, at); found < next) {
                next = found;
                size = sign.size();
            }
        Range line = text::trim(source, {at, next});
        for (const std::string_view bullet : {"- ", "* ", "\u2022 ", "\u2013 "})
            if (text::part(source, line).starts_with(bullet)) line.begin += bullet.size();
        std::string text;
        for (std::size_t i = line.begin; i < line.end;) {
            const auto found = source[i] == '&' ? markup::xml_reference(source.substr(i)) : markup::Reference{};
            text += found.bytes > 0 ? found.text : std::string(1, source[i]);
            i += std::max<std::size_t>(found.bytes, 1);
        }
        if (is_translated(text)) {
            add_unit(units_, line, text);
            units_.units.back().attribute = quote != 0;
            units_.units.back().quote = quote;
            wrappings_.push_back({.base = kNoRun});
        }
        at = next + std::max<std::size_t>(size, 1);
    }
}

// Texts with tabs between them, each in one run, are units of their own. False: the paragraph is not of this kind.
bool RunPart::add_fields(const std::vector<RunItem>& items) {
    std::vector<const RunItem*> fields;
    bool new_field = true;
    for (const RunItem& item : items) {
        if (item.kind == Kind::text && !is_blank_text(item.text)) {
            if (!new_field || item.text == "\u2011") return false;
            fields.push_back(&item);
            new_field = false;
        } else if (item.kind == Kind::point && item.tab) {
            new_field = true;
        } else if (item.kind != Kind::text) {
            return false;
        }
    }
    if (fields.size() < 2) return false;
    for (const RunItem* field : fields) {
        std::string text;
        for (const char c : text::part(std::string_view(field->text), text::trim(field->text, {0, field->text.size()})))
            if (!markup::is_blank(c) || !text.ends_with(' ')) text += markup::is_blank(c) ? ' ' : c;
        if (!is_translated(text)) continue;
        add_unit(units_, text::trim(source_, field->bytes), text);
        wrappings_.push_back({.base = kNoRun});
    }
    return true;
}

std::string RunPart::written(const Run& run, std::string_view text) const {
    std::string result = begin_of(run) + "<" + run.text_tag + (preserve_ ? " xml:space=\"preserve\">" : ">");
    markup::append_escaped(result, text);
    return result + "</" + run.text_tag + ">" + std::string(text::part(source_, run.end));
}

// The tags before a text of a run.
std::string RunPart::begin_of(const Run& run) const {
    std::string begin(text::part(source_, run.begin));
    return begin.append(text::part(source_, run.properties));
}

markup::Edit RunPart::edit(std::size_t unit, std::string_view target, std::span<const Range> places) const {
    const Wrapping& wrapping = wrappings_[unit];
    markup::Edit plain = markup::edit(units_.units[unit], target, places);
    if (wrapping.base == kNoRun) return plain;
    strip_beside(plain, wrapping.gaps);
    markup::Edit edit{.bytes = plain.bytes};
    std::size_t written = 0;
    const auto flush = [&] {
        if (edit.text.size() > written) edit.pieces.push_back({false, {written, edit.text.size()}});
        written = edit.text.size();
    };
    const auto copy = [&](Range bytes) {
        flush();
        edit.pieces.push_back({true, bytes});
    };
    std::size_t last_text = plain.pieces.size();
    for (std::size_t p = 0; p < plain.pieces.size(); ++p)
        if (!plain.pieces[p].copied) last_text = p;
    bool first = true;
    std::vector<std::size_t> runs{wrapping.base};
    for (std::size_t p = 0; p < plain.pieces.size(); ++p) {
        const auto [copied, range] = plain.pieces[p];
        if (!copied) {
            if (range.size() == 0) continue;
            const Run& run = wrapping.runs[runs.back()];
            edit.text += begin_of(run) + "<" + run.text_tag + (preserve_ ? " xml:space=\"preserve\">" : ">");
            if (std::exchange(first, false)) edit.text += wrapping.before;
            edit.text += text::part(plain.text, range);
            if (p == last_text) edit.text += wrapping.after;
            edit.text += "</" + run.text_tag + ">";
            edit.text += text::part(source_, run.end);
        } else if (const auto made = wrapping.made.find(range.begin); made != wrapping.made.end()) {
            edit.text += made->second;
        } else if (const auto open = wrapping.opens.find(range.begin); open != wrapping.opens.end()) {
            runs.push_back(open->second);
        } else if (wrapping.closes.contains(range.begin)) {
            runs.pop_back();
        } else if (const auto point = wrapping.points.find(range.begin); point != wrapping.points.end()) {
            edit.text += begin_of(wrapping.runs[point->second]);
            copy(range);
            edit.text += text::part(source_, wrapping.runs[point->second].end);
        } else {
            copy(range);
        }
    }
    flush();
    return edit;
}

}  // namespace dragoman::documents
