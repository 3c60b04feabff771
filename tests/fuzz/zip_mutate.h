// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fuzz/mutate.h"

namespace dragoman::test {

struct Member {
    std::string name, content;
    bool packed = false;
};

// The files of a sound zip archive; none: it is no such thing.
std::vector<Member> read_members(std::string_view bytes);

// Changes one member's content by `change`, or which members there are; sizes and checksums are right again. An archive
// that is broken, and one in eight, is changed as bytes.
std::size_t change_zip(uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                       const std::function<void(Member&, Chance&)>& change);

}  // namespace dragoman::test
