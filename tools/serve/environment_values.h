// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/environment.h"

namespace serve {

// Reads variables whose names begin with a prefix. One that is not set, or empty, leaves its place as it is; a value
// that does not fit throws std::runtime_error with name and value.
class Variables {
public:
    Variables(std::string prefix, const Environment& environment)
        : prefix_(std::move(prefix)), environment_(environment) {}

    bool has(const std::string& name) const { return !get(name).empty(); }
    std::string get(const std::string& name) const { return environment_(prefix_ + name); }
    std::string full(const std::string& name) const { return prefix_ + name; }

    void text(const std::string& name, std::string& place) const;
    void path(const std::string& name, std::filesystem::path& place) const;
    void list(const std::string& name, std::vector<std::string>& place) const;  // "a,b"; replaces what was there
    void flag(const std::string& name, bool& place) const;  // 1, true, yes, on; 0, false, no, off
    void no_flag(const std::string& name, bool& place) const;  // the other way round
    void choice(const std::string& name, std::string& place, std::initializer_list<std::string_view> values) const;
    template <class Number>
    void number(const std::string& name, Number& place, std::int64_t least,
                std::int64_t most = std::numeric_limits<std::int64_t>::max()) const {
        if (std::cmp_less(std::numeric_limits<Number>::max(), most)) most = std::numeric_limits<Number>::max();
        if (has(name)) place = static_cast<Number>(integer(name, least, most));
    }
    template <class Number>
    void size(const std::string& name, Number& place) const {  // "64M"
        if (has(name)) place = static_cast<Number>(bytes(name));
    }

private:
    std::int64_t integer(const std::string& name, std::int64_t least, std::int64_t most) const;
    std::uint64_t bytes(const std::string& name) const;
    [[noreturn]] void refuse(const std::string& name, const std::string& wanted) const;
    std::string prefix_;
    const Environment& environment_;
};

// LibreTranslate's; see read_environment.
void read_libretranslate(const Environment& environment, ServeOptions& options, std::vector<std::string>& notes);

}  // namespace serve
