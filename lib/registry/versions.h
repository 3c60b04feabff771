// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "registry/entry.h"

namespace dragoman::registry {

// What an entry is compared by with others of its name.
struct Precedence {
    double number = 0;    // the greater goes first,
    std::string version;  // then the later: "3.10" after "3.9"
};

struct Found {
    Entry entry;
    std::vector<Precedence> order;
    std::string pin;  // what follows '@' in a name that means this very one; "": nothing does
};

// What a list holds.
struct ListContent {
    std::vector<Entry> entries;  // one of each name,
    std::vector<Entry> pinned;   // all of them, as NAME@PIN
    std::size_t items = 0, broken = 0;
    std::string first_broken;    // what is wrong with the first of those that are left out

    void add_broken(std::string_view what);
};

// Whether version `left` is before `right`: numbers in them count as numbers, letters behind a number go before its end
// ("3.0a1" before "3.0").
bool version_before(std::string_view left, std::string_view right);

// Takes the first of each name as an entry, and all of them as pinned ones.
void add_found(std::vector<Found> found, ListContent& content);

}  // namespace dragoman::registry
