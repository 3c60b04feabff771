// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/http/message.h"

namespace serve::guard {

// What tells browsers to do nothing with an answer that was not meant; what an answer says itself stays.
// `hsts`: browsers come back over TLS only, for a year.
void add_security_headers(http::Response& response, bool hsts);

}  // namespace serve::guard
