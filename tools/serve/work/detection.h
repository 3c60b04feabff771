// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "serve/work/models.h"

namespace serve::work {

struct Guess {
    std::string tag;        // a served one
    double confidence = 0;  // 0 to 1
};

// Which of the service's languages texts are in together, the best first, at most three; none: nothing in them tells.
std::vector<Guess> detect(const Models& models, const std::vector<std::string>& texts);

}  // namespace serve::work
