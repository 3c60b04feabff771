// SPDX-License-Identifier: Apache-2.0
#include "registry/versions.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dragoman::registry {
namespace {

bool is_figure(char c) { return c >= '0' && c <= '9'; }

// Takes a run of digits, or of other characters, from the beginning.
std::string_view take_run(std::string_view& text) {
    std::size_t end = 1;
    while (end < text.size() && is_figure(text[end]) == is_figure(text[0])) ++end;
    const std::string_view run = text.substr(0, end);
    text.remove_prefix(end);
    return run;
}

std::string_view without_zeros(std::string_view digits) {
    while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
    return digits;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool goes_first(const Found& left, const Found& right) {
    for (std::size_t i = 0; i < std::min(left.order.size(), right.order.size()); ++i) {
        const Precedence &a = left.order[i], &b = right.order[i];
        if (a.number != b.number) return a.number > b.number;
        if (version_before(b.version, a.version)) return true;
        if (version_before(a.version, b.version)) return false;
    }
    return false;
}

}  // namespace

bool version_before(std::string_view left, std::string_view right) {
    while (!left.empty() && !right.empty()) {
        const std::string_view a = take_run(left), b = take_run(right);
        if (is_figure(a[0]) && is_figure(b[0])) {
            const std::string_view x = without_zeros(a), y = without_zeros(b);
            if (x.size() != y.size()) return x.size() < y.size();
            if (x != y) return x < y;
        } else if (a != b) {
            if (is_letter(a[0]) != is_letter(b[0])) return is_letter(a[0]);  // "3.0a1" before "3.0.1"
            return a < b;
        }
    }
    if (left.empty() != right.empty()) {
        const bool before_release = is_letter(left.empty() ? right[0] : left[0]);
        return left.empty() != before_release;
    }
    return false;
}

void ListContent::add_broken(std::string_view what) {
    if (broken++ == 0) first_broken = what;
}

void add_found(std::vector<Found> found, ListContent& content) {
    std::ranges::stable_sort(found, [](const Found& left, const Found& right) {
        if (left.entry.model != right.entry.model) return left.entry.model < right.entry.model;
        return goes_first(left, right);
    });
    std::set<std::string> names;
    std::string previous;
    for (Found& one : found) {
        const std::string model = one.entry.model;
        const bool first = std::exchange(previous, model) != model;
        const std::string pinned = one.pin.empty() ? "" : model + "@" + one.pin;
        if (!pinned.empty() && names.insert(pinned).second) {  // lists repeat themselves
            content.pinned.push_back(one.entry);
            content.pinned.back().model = pinned;
        }
        if (first) content.entries.push_back(std::move(one.entry));
    }
}

}  // namespace dragoman::registry
