// SPDX-License-Identifier: Apache-2.0
#include "documents/office/fields.h"

#include <algorithm>

namespace dragoman::documents {
namespace {

using Kind = RunItem::Kind;

struct Field {
    std::size_t begin = 0, separate = 0, end = 0;  // indices of items; separate: 0 where there is none
    bool link = false, nested = false;
};

Range whole(const RunParagraph& paragraph, std::size_t first, std::size_t last) {
    return {paragraph.runs[paragraph.items[first].run].begin.begin, paragraph.runs[paragraph.items[last].run].end.end};
}

// Whether the runs of the field's ends have no other items.
bool is_apart(const std::vector<RunItem>& items, const Field& field) {
    const auto same_run = [&](std::size_t a, std::size_t b) {
        return b < items.size() && items[a].run == items[b].run;
    };
    return (field.begin == 0 || !same_run(field.begin, field.begin - 1)) && !same_run(field.end, field.end + 1) &&
           (!field.link || (items[field.separate].run != items[field.separate + 1].run &&
                            items[field.end].run != items[field.end - 1].run));
}

// Whether all elements that begin in it end in it.
bool is_closed(const std::vector<RunItem>& items, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) {
        const bool pair = items[i].kind == Kind::open || items[i].kind == Kind::close;
        if (pair && (items[i].other < first || items[i].other > last)) return false;
    }
    return true;
}

// Whether readers see a text in the field's place.
bool shows_text(const std::vector<RunItem>& items, const Field& field) {
    for (std::size_t i = field.separate; field.separate > 0 && i < field.end; ++i)
        if (items[i].kind == Kind::text && items[i].text.find_first_not_of(" \t\n") != std::string::npos) return true;
    return false;
}

// The outermost fields.
std::vector<Field> find(const std::vector<RunItem>& items) {
    std::vector<Field> fields;
    std::vector<Field> open;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].run == kNoRun) continue;
        const std::string& field = items[i].field;
        if (field == "begin") {
            if (!open.empty()) open.back().nested = true;  // those around it are
            open.push_back({.begin = i});
        } else if (open.empty()) {
            continue;
        } else if (field == "separate") {
            open.back().separate = i;
        } else if (field == "end") {
            Field done = open.back();
            open.pop_back();
            done.end = i;
            if (open.empty()) fields.push_back(done);
        } else if (items[i].instruction.find("HYPERLINK") != std::string::npos) {
            open.back().link = open.size() == 1;
        }
    }
    return fields;
}

}  // namespace

void join_fields(RunParagraph& paragraph) {
    std::vector<RunItem>& items = paragraph.items;
    std::vector<Field> fields = find(items);
    std::vector<bool> gone(items.size());
    const auto remove = [&](std::size_t first, std::size_t last) {
        std::fill(gone.begin() + long(first), gone.begin() + long(last) + 1, true);
    };
    for (std::size_t f = fields.size(); f-- > 0;) {
        Field& field = fields[f];
        field.link = field.link && field.separate > 0 && field.end > field.separate + 1 && !field.nested;
        if (!is_apart(items, field)) continue;
        if (field.link && is_closed(items, field.separate + 1, field.end - 1)) {
            items[field.begin] = {.kind = Kind::open, .bytes = whole(paragraph, field.begin, field.separate)};
            items[field.end] = {.kind = Kind::close, .bytes = whole(paragraph, field.end, field.end)};
            remove(field.begin + 1, field.separate);
        } else if (is_closed(items, field.begin, field.end)) {
            items[field.begin] = {.kind = Kind::point,
                                  .bytes = whole(paragraph, field.begin, field.end),
                                  .seen = true,
                                  .word = shows_text(items, field)};
            remove(field.begin + 1, field.end);
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (gone[i]) continue;
        if (kept != i) items[kept] = std::move(items[i]);
        ++kept;
    }
    items.resize(kept);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].kind == Kind::open) open.push_back(i);
        if (items[i].kind != Kind::close) continue;
        items[i].other = open.back();
        items[open.back()].other = i;
        open.pop_back();
    }
}

}  // namespace dragoman::documents
