// SPDX-License-Identifier: Apache-2.0
#include "text/pair_times.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace dragoman::text {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

class TimePairing {
public:
    TimePairing(std::span<const Number> source, std::span<const Number> target, const std::vector<bool>& placed,
                const std::vector<bool>& taken)
        : source_(source), target_(target) {
        for (std::size_t i = 0; i < source.size(); ++i)
            if (!placed[i] && source[i].kind == Number::Kind::time) times_.push_back(i);
        for (std::size_t t = 0; t < target.size(); ++t) {
            if (taken[t] || minutes_of(target[t]) < 0) continue;
            hours_.push_back(t);
            if (target[t].kind == Number::Kind::time) target_times_.push_back(t);
        }
    }

    Pairs run() {
        for (const std::size_t i : times_) {
            const int hour = source_[i].minutes % kHalfDay;
            const std::vector<std::size_t> own = with(hour, source_, times_);
            if (own.front() != i) continue;
            std::vector<std::size_t> others = with(hour, target_, target_times_);
            if (others.size() < own.size()) others = with(hour, target_, hours_, source_[i].whole_hour);
            if (others.size() != own.size()) by_place(own);
            else if (has_guessed_half(others) || !by_half(own, others))
                for (std::size_t k = 0; k < own.size(); ++k) pairs_.emplace_back(own[k], others[k]);
        }
        return std::move(pairs_);
    }

private:
    static bool is_bare(const Number& number) {
        return number.kind != Number::Kind::time && number.figures.size() <= 2;
    }

    // "from 8 to 8 am": the first one's half follows from the second one's, which may be wrong.
    bool has_guessed_half(std::span<const std::size_t> others) const {
        return std::ranges::any_of(others, [&](std::size_t t) { return target_[t].shares_mark; });
    }

    static std::vector<std::size_t> with(int hour, std::span<const Number> numbers, std::span<const std::size_t> among,
                                         bool bare = true) {
        std::vector<std::size_t> found;
        for (const std::size_t i : among)
            if (minutes_of(numbers[i]) % kHalfDay == hour && (bare || !is_bare(numbers[i]))) found.push_back(i);
        return found;
    }

    bool by_half(std::span<const std::size_t> own, std::vector<std::size_t> others) {
        Pairs found;
        for (const std::size_t i : own) {
            const auto same = std::ranges::find_if(others, [&](std::size_t t) {
                return minutes_of(target_[t]) == source_[i].minutes;
            });
            if (same == others.end()) return false;
            found.emplace_back(i, *same);
            others.erase(same);
        }
        pairs_.insert(pairs_.end(), found.begin(), found.end());
        return true;
    }

    void by_place(std::span<const std::size_t> own) {
        if (times_.size() != target_times_.size()) return;
        for (const std::size_t i : own) {
            const auto place = std::size_t(std::ranges::find(times_, i) - times_.begin());
            const std::size_t t = target_times_[place];
            if ((target_[t].minutes - source_[i].minutes) % kHalfDay == 0) pairs_.emplace_back(i, t);
        }
    }

    const std::span<const Number> source_, target_;
    std::vector<std::size_t> times_, target_times_, hours_;  // hours_: the translation's times, and what may be some
    Pairs pairs_;
};

}  // namespace

int minutes_of(const Number& number) {
    if (number.kind == Number::Kind::time) return number.minutes;
    if (number.kind != Number::Kind::value || number.sign >= 0 || number.value.starts_with('-')) return -1;
    const int hour = std::atoi(number.value.c_str());
    if (hour > 24 || number.grouped) return -1;
    if (number.figures.size() <= 2) return hour * 60;
    const std::string whole = std::to_string(hour);
    if (!number.digits.starts_with(whole) || number.digits.size() != whole.size() + 2) return -1;
    const int minute = std::atoi(number.digits.c_str() + whole.size());
    return minute > 59 || number.figures.size() > 5 ? -1 : hour * 60 + minute;
}

std::vector<std::pair<std::size_t, std::size_t>> pair_times(std::span<const Number> source,
                                                            std::span<const Number> target,
                                                            const std::vector<bool>& placed,
                                                            const std::vector<bool>& taken) {
    return TimePairing(source, target, placed, taken).run();
}

}  // namespace dragoman::text
