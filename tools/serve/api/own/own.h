// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "serve/fields.h"
#include "serve/router.h"
#include "serve/services.h"
#include "serve/work/worker.h"

// What the files of the own interface, /v1, share.
namespace serve::api {

class OwnEvents;
class OwnJobs;

// What the handlers of /v1 have besides the services. Ends with the router.
struct OwnParts {
    Services& services;
    std::shared_ptr<OwnEvents> events;    // streams that are open
    std::shared_ptr<work::Worker> worker;   // what waits for the device
    std::shared_ptr<OwnJobs> downloads;   // models that are added
};

// {"error": {"code": "not_found", "message": "...", "field": "glossary"}}
Json own_error_json(const Problem& problem);
http::Response own_error(const Problem& problem);

// A route of /v1, with its form of errors.
Route own_route(const char* method, std::string path, std::function<void(Call&)> handler, Access access = Access::key,
                Body body = Body::memory);

// Whether the body is fields: then it is no file itself.
bool own_is_form(const http::Request& request);

// "2026-01-31T12:00:00Z"; null for a time that was never set.
Json own_time(std::chrono::system_clock::time_point time);
// With six digits behind the point: a float's own digits end there.
double own_number(double value);
// The double that is written with the digits a float needs.
double own_exact(float value);
// What a client is told of a failure of the library.
Problem own_problem(const dragoman::Error& error);
// A string; throws Problem (missing) where there is none.
std::string own_needed(const Json& fields, const char* name);
// One or more texts; throws Problem (missing) where there is none.
Texts own_texts(const Json& fields, const char* name);

void add_own_translate(Router& router, const OwnParts& parts);
void add_own_languages(Router& router, const OwnParts& parts);
void add_own_models(Router& router, const OwnParts& parts);
void add_own_registry(Router& router, const OwnParts& parts);
void add_own_vectors(Router& router, const OwnParts& parts);
void add_own_tokens(Router& router, const OwnParts& parts);
void add_own_documents(Router& router, const OwnParts& parts);
void add_own_glossaries(Router& router, const OwnParts& parts);
void add_own_memories(Router& router, const OwnParts& parts);
void add_own_info(Router& router, const OwnParts& parts);

}  // namespace serve::api
