// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "serve/api/own/offsets.h"
#include "serve/json.h"
#include "serve/work/translations.h"

namespace serve::api {

// What a client of /v1/translate wants to know of each translation.
struct OwnWanted {
    bool scores = false, quality = false, coverage = false, alignment = false, tokens = false, markup = false;
    bool sentences = false;  // asked for, or needed by one of these
    std::uint32_t alternatives = 0;
    OwnUnit unit = OwnUnit::bytes;
};

// {from, to, models, translations: [...]}, see docs/serve_api.md. `texts` are what was translated.
Json own_answer(const work::Answer& answer, const std::vector<std::string>& texts, const OwnWanted& wanted);

Json own_matrix(const dragoman_matrix& matrix);

}  // namespace serve::api
