// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cli {

// Says that a text is in the language already that it is translated to: a model that is not told otherwise takes it for
// its other language, and spoils it.
class TargetNote {
public:
    // A code as --to has it; empty: nothing is said.
    explicit TargetNote(std::string_view target_language) : target_(target_language) {}
    // Looks at the first texts only.
    void see(std::string_view text);
    void say() const;

private:
    std::string target_, begin_;
};

}  // namespace cli
