// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/api/api.h"

namespace serve::api {

http::Response google_error(const Problem& problem);
void google_translate(Services& services, Call& call);

}  // namespace serve::api
