// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "serve/router.h"
#include "serve/services.h"

namespace serve {

// What /metrics shows besides requests: work, models, device, connections.
void add_measures(watch::Metrics& metrics, Services& services);
// GET /metrics; `token`: what "Authorization: Bearer" must have, empty: nothing.
void add_metrics(Router& router, Services& services, const std::string& token);

}  // namespace serve
