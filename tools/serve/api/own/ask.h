// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/api/own/own.h"
#include "serve/api/own/result.h"

namespace serve::api {

// What a request to /v1/translate says.
struct OwnAsk {
    work::Ask ask;
    OwnWanted wanted;
    bool detected = false;  // `ask.from` was found here, for a glossary
    double confidence = 0;
};
OwnAsk own_ask(Services& services, const Account& account, const Json& fields);  // throws Problem

// Terms of a field: {"source": "target"}, or pairs.
std::vector<std::pair<std::string, std::string>> own_entries(const Json& given, const char* field);

// Other options, an object or, in forms, its JSON; throws Problem.
Json own_options(const Json& fields);

// "none", "html" or "xml"; throws Problem.
dragoman_markup own_markup(const Json& fields);

}  // namespace serve::api
