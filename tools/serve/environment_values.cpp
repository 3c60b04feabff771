// SPDX-License-Identifier: Apache-2.0
#include "serve/environment_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "base/os/path_text.h"
#include "serve/ascii.h"
#include "serve/guard/words.h"

namespace serve {

void Variables::refuse(const std::string& name, const std::string& wanted) const {
    throw std::runtime_error(fmt::format("{}{}={}: {} is expected", prefix_, name, get(name), wanted));
}

void Variables::text(const std::string& name, std::string& place) const {
    if (has(name)) place = get(name);
}

void Variables::path(const std::string& name, std::filesystem::path& place) const {
    if (has(name)) place = dragoman::path_of(get(name));
}

void Variables::list(const std::string& name, std::vector<std::string>& place) const {
    if (!has(name)) return;
    place.clear();
    const std::string value = get(name);
    for (const std::string_view part : guard::split(value, ','))
        if (!part.empty()) place.emplace_back(part);
}

void Variables::flag(const std::string& name, bool& place) const {
    if (!has(name)) return;
    const std::string value = in_small_letters(get(name));
    if (value == "1" || value == "true" || value == "yes" || value == "on") place = true;
    else if (value == "0" || value == "false" || value == "no" || value == "off") place = false;
    else refuse(name, "true or false");
}

void Variables::no_flag(const std::string& name, bool& place) const {
    bool without = !place;
    flag(name, without);
    place = !without;
}

void Variables::choice(const std::string& name, std::string& place,
                       std::initializer_list<std::string_view> values) const {
    if (!has(name)) return;
    if (std::ranges::find(values, get(name)) == values.end())
        refuse(name, fmt::format("one of {}", fmt::join(values, ", ")));
    place = get(name);
}

std::int64_t Variables::integer(const std::string& name, std::int64_t least, std::int64_t most) const {
    const std::string value = get(name);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < least || number > most)
        refuse(name, fmt::format("a whole number from {} to {}", least, most));
    return number;
}

std::uint64_t Variables::bytes(const std::string& name) const {
    static constexpr std::string_view kUnits = "kmgt";
    const std::string value = in_small_letters(get(name));
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(value.data() + value.size() - end));
    if (unit.ends_with('b')) unit.remove_suffix(1);
    if (unit.ends_with('i')) unit.remove_suffix(1);
    const std::size_t power = unit.size() == 1 ? kUnits.find(unit[0]) + 1 : 0;
    const std::uint64_t factor = std::uint64_t(1) << 10 * std::min<std::size_t>(power, kUnits.size());
    if (error != std::errc() || unit.size() > 1 || (unit.size() == 1 && power == 0) ||
        number > std::numeric_limits<std::int64_t>::max() / factor)
        refuse(name, "a size such as 512M or 6G");
    return number * factor;
}

}  // namespace serve
