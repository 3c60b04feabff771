// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace serve {

// Why a request gets no answer. Handlers throw it; the route it belongs to says in which form a client reads it.
struct Problem : std::runtime_error {
    enum class Kind {
        bad_request,           // 400: the client can mend it
        missing,               // 400: a field; `thing` names it
        unsupported_language,  // 400: `thing` is the code
        unsupported_pair,      // 400: no model leads there, not over a pivot either
        unauthorized,          // 401
        forbidden,             // 403: a wrong or missing key, or what the operator has turned off
        not_found,             // 404
        method,                // 405
        gone_by,               // 409: the state of the thing does not allow it
        too_large,             // 413
        unsupported_type,      // 415
        too_many,              // 429: a limit of the client; see retry_after
        quota,                 // 456 at DeepL's, 429 elsewhere: characters of a period are used up
        failed,                // 500
        unsupported,           // 501: a feature that this service does not have; `thing` names it
        busy,                  // 503: the queue is full, the model is loading or the service ends; see retry_after
        cancelled              // nobody waits any more; is not written
    };
    Problem(Kind problem, const std::string& message, std::string about = "", int seconds = 0)
        : std::runtime_error(message), kind(problem), thing(std::move(about)), retry_after(seconds) {}

    Kind kind;
    std::string thing;    // the field, code or thing it is about; may be empty
    int retry_after = 0;  // seconds; 0: not said
};

// 400 to 503, as most services have it.
int http_status(Problem::Kind kind);

}  // namespace serve
