// SPDX-License-Identifier: Apache-2.0
#include "serve/problem.h"

namespace serve {

int http_status(Problem::Kind kind) {
    switch (kind) {
        case Problem::Kind::bad_request:
        case Problem::Kind::missing:
        case Problem::Kind::unsupported_language:
        case Problem::Kind::unsupported_pair: return 400;
        case Problem::Kind::unauthorized: return 401;
        case Problem::Kind::forbidden: return 403;
        case Problem::Kind::not_found: return 404;
        case Problem::Kind::method: return 405;
        case Problem::Kind::gone_by: return 409;
        case Problem::Kind::too_large: return 413;
        case Problem::Kind::unsupported_type: return 415;
        case Problem::Kind::too_many:
        case Problem::Kind::quota: return 429;
        case Problem::Kind::failed: return 500;
        case Problem::Kind::unsupported: return 501;
        case Problem::Kind::busy: return 503;
        case Problem::Kind::cancelled: return 499;
    }
    return 500;
}

}  // namespace serve
