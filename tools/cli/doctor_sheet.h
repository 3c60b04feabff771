// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands.h"

namespace cli {

enum class Verdict { fine, note, wrong };

// What `doctor` found of one thing: a line for people, and facts for programs.
struct Finding {
    std::string name;
    Verdict verdict = Verdict::fine;
    std::string text, hint{};
    Json facts = Json::object();
};

// Shows findings as they come, so that what was found is there if a driver ends the process; or all of them as JSON.
class Sheet {
public:
    explicit Sheet(bool json) : json_(json) {}
    void add(Finding finding);
    void end(bool works) const;

private:
    const bool json_;
    Json findings_ = Json::array();
};

}  // namespace cli
