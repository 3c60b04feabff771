// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace dragoman::registry {

int64_t seconds_now();  // since 1970, UTC
// ISO 8601, UTC: "2026-11-26T10:00:00Z".
std::string iso_time(int64_t seconds);
std::string iso_time_now();

}  // namespace dragoman::registry
