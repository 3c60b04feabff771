// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/search_style.h"

namespace dragoman::spec {

inline constexpr float kMaxTemperature = 1e3f;

// How a model is decoded where the caller sets nothing: the options that a model may set (capi/options.json), and what
// only models set. Lengths are in target tokens, including the end token.
struct SearchDefaults {
#include "spec/search_fields.inc"
    bool operator==(const SearchDefaults&) const = default;

    // The defaults of each engine, where neither the caller nor the model sets anything.
    static SearchDefaults of(SearchStyle style) {
        SearchDefaults defaults{.style = style};
#include "spec/engine_defaults.inc"
        return defaults;
    }
};

}  // namespace dragoman::spec
