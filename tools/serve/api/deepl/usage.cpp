// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "serve/api/deepl/deepl.h"
#include "serve/api/deepl/form.h"
#include "serve/fields.h"

namespace serve::api {
namespace {

// What DeepL says where there is no limit. Its clients take 0 for a limit that is reached.
constexpr std::uint64_t kDeeplNoLimit = 1'000'000'000'000;

}  // namespace

void deepl_add_usage(Router& router, Services& services) {
    deepl_add(router, {"GET", "/v2/usage",
                       [&services](Call& call) {
                           const auto [used, limit] = services.guard.usage(call.account.owner);
                           call.exchange->send(json_response({{"character_count", used},
                                                              {"character_limit", limit.value_or(kDeeplNoLimit)}}));
                       },
                       Access::key, Body::memory, false});
}

}  // namespace serve::api
