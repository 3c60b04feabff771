// SPDX-License-Identifier: Apache-2.0
#include "serve/api/deepl/deepl.h"

#include <string>

#include "serve/api/deepl/form.h"

namespace serve::api {
namespace {

// What DeepL has and this service does not, answered by its name.
struct DeeplRefused {
    const char* path;
    const char* name;
};
constexpr DeeplRefused kDeeplRefused[] = {
    {"/v3/style_rules", "style rules"},
    {"/v3/style_rules/{rest...}", "style rules"},
    {"/v2/write/{rest...}", "write"},
    {"/v3/voice/{rest...}", "voice"},
    {"/v2/admin/{rest...}", "administration of keys"},
    {"/v1/jobs/voice/{rest...}", "voice"},
    {"/v1/quality-evaluation", "quality evaluation"},
    {"/v1/quality-evaluation/{rest...}", "quality evaluation"},
};

}  // namespace

void add_deepl(Router& router, Services& services) {
    deepl_add_translate(router, services);
    deepl_add_documents(router, services);
    deepl_add_glossaries(router, services);
    deepl_add_glossaries_v3(router, services);
    deepl_add_languages(router, services);
    deepl_add_usage(router, services);
    deepl_add_memory_jobs(router, services);
    deepl_add_memories(router, services);
    for (const DeeplRefused& refused : kDeeplRefused)
        for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE"})
            deepl_add(router, {method, refused.path, [&refused](Call&) {
                                   throw Problem(Problem::Kind::not_found,
                                                 std::string(refused.name) + ": not supported by this service",
                                                 refused.name);
                               }});
}

}  // namespace serve::api
