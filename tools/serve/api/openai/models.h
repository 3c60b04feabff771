// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "serve/json.h"
#include "serve/work/models.h"

namespace serve::api {

// {"object": "list", "data": [{"id": ...}]}: models by their names, and one for each two languages, "dragoman-de-en".
Json openai_model_list(const work::Models& models);

std::int64_t openai_time();  // now, in seconds since 1970

}  // namespace serve::api
