// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/json.h"
#include "serve/work/memories.h"

namespace serve::work {

// What a memory's file says of it.
Json memory_json(const MemoryInfo& info);
MemoryInfo memory_of(const Json& json);  // throws what is wrong with it

}  // namespace serve::work
