// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "serve/work/models.h"

namespace serve::work {

struct Guess {
    std::string tag;        // a served one
    double confidence = 0;  // 0 to 1
};

constexpr double kClear = 0.9;  // the confidence of a guess from which on it is taken to be right

// Which of the service's languages texts are in together, the best first, at most three; none: nothing in them tells.
std::vector<Guess> detect(const Models& models, const std::vector<std::string>& texts);

// What texts that were guessed so are translated to `to` from: the best guess that leads there. `to` itself, which
// leaves them as they are, counts where it is clear alone, since short texts look like many languages ("Hello" like
// German); otherwise the next guess does, and at last the first language served that leads there, with confidence 0.
// Nothing: no guess leads there.
std::optional<Guess> source_of(const Models& models, const std::vector<Guess>& guesses, const std::string& to);

}  // namespace serve::work
