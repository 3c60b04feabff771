// SPDX-License-Identifier: Apache-2.0
#include "markup/open_elements.h"

#include <algorithm>

namespace dragoman::markup {
namespace {

constexpr std::size_t kMaxGoingOn = 16;  // formatting elements; a browser has three of a kind

// Whether `place` exists and is after `bound`, which may not exist.
bool after(std::size_t place, std::size_t bound) { return place != kNoMark && (bound == kNoMark || place > bound); }

bool is_block(const OpenElement& element) { return element.role.place != Place::in_line; }

}  // namespace

void OpenElements::push(OpenElement element) {
    const std::size_t place = elements_.size();
    places_[element.name].push_back(place);
    if (element.role.bounds) bounds_.push_back(place);
    if (is_block(element)) blocks_.push_back(place);
    elements_.push_back(std::move(element));
}

std::size_t OpenElements::last(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() || found->second.empty() ? kNoMark : found->second.back();
}

std::size_t OpenElements::last_of(std::initializer_list<std::string_view> names) const {
    std::size_t latest = kNoMark;
    for (const std::string_view name : names)
        if (const std::size_t place = last(name); after(place, latest)) latest = place;
    return latest;
}

std::size_t OpenElements::closed_by_start(std::string_view name) const {
    const std::size_t bound = bounds_.empty() ? kNoMark : bounds_.back();
    const auto unless = [](std::size_t place, std::size_t stop) { return after(place, stop) ? place : kNoMark; };
    const std::size_t table = last_of({"table", "template"});
    std::size_t place = kNoMark;
    if (name == "li") place = unless(last("li"), last_of({"ul", "ol", "menu", "table", "td", "th"}));
    else if (name == "dt" || name == "dd") place = unless(last_of({"dt", "dd"}), last_of({"dl", "table", "td", "th"}));
    else if (name == "option") place = unless(last("option"), last("select"));
    else if (name == "optgroup") place = unless(last("optgroup"), last("select"));
    else if (name == "td" || name == "th") place = unless(last_of({"td", "th", "caption"}), table);
    else if (name == "tr") place = unless(last_of({"tr", "caption"}), table);
    else if (name == "tbody" || name == "thead" || name == "tfoot" || name == "colgroup")
        place = unless(last_of({"tbody", "thead", "tfoot", "caption", "colgroup"}), table);
    else if (name == "rt" || name == "rp") place = unless(last_of({"rt", "rp"}), last("ruby"));
    else if (name == "a" || name == "nobr" || name == "button") place = last(name);
    if (name == "a" && !after(place, bound)) place = kNoMark;
    if (place == kNoMark && name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' && !empty()) {
        const std::string& top = back().name;
        if (top.size() == 2 && top[0] == 'h' && top[1] >= '1' && top[1] <= '6') place = elements_.size() - 1;
    }
    if (place == kNoMark && closes_paragraph(name)) place = unless(last("p"), bound);
    return place;
}

std::size_t OpenElements::closed_by_end(std::string_view name, const ElementRole& role) const {
    const std::size_t place = last(name);
    const auto inner = [&](const std::vector<std::size_t>& bounds) {
        return bounds.empty() || place == kNoMark ? false : bounds.back() > place;
    };
    // A bounding element is closed by its own end tag, whatever is open in it except a table.
    const bool of_table = name == "tr" || name == "tbody" || name == "thead" || name == "tfoot";
    if (role.bounds || of_table) return name == "table" || !after(last("table"), place) ? place : kNoMark;
    if (inner(bounds_)) return kNoMark;
    if (role.place == Place::in_line && !role.formatting && inner(blocks_)) return kNoMark;
    return place;
}

std::size_t OpenElements::foreign_root() const {
    std::size_t place = elements_.size();
    while (place > 0 && elements_[place - 1].foreign && !integrates(elements_[place - 1].name)) --place;
    return place < elements_.size() ? place : kNoMark;
}

void OpenElements::pop() {
    const std::size_t place = elements_.size() - 1;
    if (elements_.back().alive) places_.find(elements_.back().name)->second.pop_back();
    if (!bounds_.empty() && bounds_.back() == place) bounds_.pop_back();
    if (!blocks_.empty() && blocks_.back() == place) blocks_.pop_back();
    elements_.pop_back();
}

std::vector<OpenElement> OpenElements::close(std::size_t place) {
    std::vector<OpenElement> ended, going_on;
    const auto formats = [](const OpenElement& element) {
        return element.role.formatting && !element.kept && !element.in_kept;
    };
    if (formats(elements_[place]) && place + 1 < elements_.size()) {
        elements_[place].alive = false;
        places_.find(elements_[place].name)->second.pop_back();
        return {elements_[place]};
    }
    const bool bounds = elements_[place].role.bounds;
    while (elements_.size() > place) {
        const OpenElement top = back();
        pop();
        if (!top.alive) continue;
        const bool goes_on = !bounds && formats(top) && elements_.size() > place && going_on.size() < kMaxGoingOn;
        (goes_on ? going_on : ended).push_back(top);
    }
    while (!empty() && !back().alive) pop();
    for (auto element = going_on.rbegin(); element != going_on.rend(); ++element) push(std::move(*element));
    return ended;
}

}  // namespace dragoman::markup
