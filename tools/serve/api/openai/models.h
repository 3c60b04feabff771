// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "serve/json.h"
#include "serve/work/models.h"

namespace serve::api {

// {"object": "list", "data": [{"id": ...}]}: models by their names, and one for each two languages, "dragoman-de-en".
Json openai_model_list(const work::Models& models);
// {"id": ...} as it stands there, also of two languages that are too many to be listed; nothing: there is none.
std::optional<Json> openai_find_model(const work::Models& models, const std::string& id);

std::int64_t openai_time();  // now, in seconds since 1970

}  // namespace serve::api
