// SPDX-License-Identifier: Apache-2.0
#include "documents/office/runs.h"

#include <algorithm>
#include <utility>

#include "documents/office/fields.h"
#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

using Kind = RunItem::Kind;
using markup::Mark;

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

// The run whose properties most letters have.
std::size_t find_base(const RunParagraph& paragraph) {
    std::map<std::string_view, std::size_t> letters;
    for (const RunItem& item : paragraph.items)
        if (item.kind == Kind::text) letters[paragraph.runs[item.run].meaning] += item.text.size();
    std::size_t base = kNoRun, most = 0;
    for (const RunItem& item : paragraph.items) {
        if (item.kind != Kind::text) continue;
        const std::size_t count = letters[paragraph.runs[item.run].meaning];
        if (base != kNoRun && count <= most) continue;
        base = item.run;
        most = count;
    }
    return base;
}

// Combines items into a unit's text and marks.
class Builder {
public:
    Builder(const std::vector<Run>& runs, std::size_t base) : runs_(runs), base_(base) {}

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
    bool begins_blank = false, ends_blank = false;  // blanks around the text
    std::map<std::size_t, std::size_t> opens, points;
    std::set<std::size_t> closes, gaps;

private:
    void add_text(const RunItem& item) {
        if (!is_blank_text(item.text)) choose_group(item.run);
        for (const char c : item.text) add_character(c);
    }
    void choose_group(std::size_t run) {
        const std::string& meaning = runs_[run].meaning;
        if (group_ != kNoRun && meaning != runs_[group_].meaning) end_group();
        if (group_ != kNoRun || meaning == runs_[base_].meaning) return;
        group_ = run;
        opens[runs_[run].begin.begin] = run;
        open(runs_[run].begin);
    }
    void end_group() {
        if (group_ == kNoRun) return;
        const Range end = runs_[std::exchange(group_, kNoRun)].end;
        closes.insert(end.begin);
        close(end);
    }
    void add_character(char c) {
        if (markup::is_blank(c)) {
            blank_ = ends_blank = true;
            begins_blank = begins_blank || text.empty();
            if (last_point_ != kNoRun) marks[last_point_].blank_after = true;
        } else {
            if (blank_ && !text.empty()) text += ' ';
            blank_ = ends_blank = false;
            text += c;
        }
        last_point_ = kNoRun;
    }
    void add_point(const RunItem& item) {
        const bool blank_before = item.seen && blank_ && last_point_ == kNoRun;
        if (item.seen) last_point_ = marks.size();
        if (item.run != kNoRun) points[item.bytes.begin] = item.run;
        marks.push_back({.kind = Mark::Kind::point,
                         .open = item.bytes,
                         .parent = parent(),
                         .plain = {here(), here()},
                         .blank_before = blank_before});
        if (!item.gap) return;
        gaps.insert(item.bytes.begin);
        blank_ = true;
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
    std::size_t last_point_ = kNoRun;
    std::vector<std::size_t> open_;
    bool blank_ = false;  // since the last character
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

}  // namespace

void RunPart::add(RunParagraph paragraph, const std::set<std::string>& kept) {
    join_fields(paragraph);
    const Range items = with_text(paragraph.items);
    const std::size_t base = find_base(paragraph);
    if (items.size() == 0 || base == kNoRun) return;
    Builder builder(paragraph.runs, base);
    for (std::size_t i = items.begin; i < items.end; ++i) builder.add(paragraph.items[i]);
    builder.finish();
    if (!has_letter(builder.text) || kept.contains(builder.text)) return;
    add_unit(units_, extent(paragraph, items.begin, items.end - 1), builder.text);
    units_.units.back().marks = std::move(builder.marks);
    wrappings_.push_back({std::move(paragraph.runs), base, std::move(builder.opens), std::move(builder.points),
                          std::move(builder.closes), std::move(builder.gaps), builder.begins_blank,
                          builder.ends_blank});
}

// The tags before a text of a run.
std::string RunPart::begin_of(const Run& run) const {
    std::string begin(text::part(source_, run.begin));
    return begin.append(text::part(source_, run.properties));
}

markup::Edit RunPart::edit(std::size_t unit, std::string_view target, std::span<const Range> places) const {
    const Wrapping& wrapping = wrappings_[unit];
    markup::Edit plain = markup::edit(units_.units[unit], target, places);
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
            if (std::exchange(first, false) && wrapping.blank_before) edit.text += ' ';
            edit.text += text::part(plain.text, range);
            if (p == last_text && wrapping.blank_after) edit.text += ' ';
            edit.text += "</" + run.text_tag + ">";
            edit.text += text::part(source_, run.end);
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
