// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "serve/ascii.h"
#include "serve/environment_values.h"

namespace serve {
namespace {

struct NotHeeded {
    const char* name;
    const char* why;
};
constexpr std::array kNotHeeded = {
    NotHeeded{"THREADS", "all requests share the device in batches"},
    NotHeeded{"TIMEOUT", "a request may take as long as its client waits"},
    NotHeeded{"LOAD_ONLY", "name the models to serve instead"},
    NotHeeded{"UPDATE_MODELS", "`dragoman models` downloads and updates"},
    NotHeeded{"FORCE_UPDATE_MODELS", "`dragoman models` downloads and updates"},
    NotHeeded{"SSL", "--public-url https://... says what links begin with, --tls-certificate turns TLS on"},
    NotHeeded{"TRUST_FORWARDED_FOR", "it would believe everybody; name your proxies with --trust-proxy"},
    NotHeeded{"API_KEYS_DB_PATH", "import the keys of that file once: see `serve keys import` in docs/serve.md"},
    NotHeeded{"API_KEYS_REMOTE", "keys are in a file of this service"},
    NotHeeded{"GET_API_KEY_LINK", "the answer to a request without a key names no address"},
    NotHeeded{"REQUIRE_API_KEY_ORIGIN", "the origin of a request can be made up; --require-key asks all for a key"},
    NotHeeded{"REQUIRE_API_KEY_SECRET", "a secret in a page is none; --require-key asks all for a key"},
    NotHeeded{"REQUIRE_API_KEY_FINGERPRINT", "--require-key asks all for a key"},
    NotHeeded{"UNDER_ATTACK", "--require-key asks all for a key"},
    NotHeeded{"REQ_LIMIT_STORAGE", "limits are counted in memory"},
    NotHeeded{"HOURLY_REQ_LIMIT_DECAY", "limits of an hour do not decay"},
    NotHeeded{"REQ_FLOOD_THRESHOLD", "nobody is banned for asking too often; --requests-per-hour and -day limit it"},
    NotHeeded{"REQ_TIME_COST", "a request counts as one"},
    NotHeeded{"HIDE_API", "the page always says that there is an interface"},
    NotHeeded{"SHARED_STORAGE", "there is one process"},
    NotHeeded{"SECONDARY", "there is one process"},
    NotHeeded{"TRANSLATION_CACHE", "sentences that come again are always answered from memory"},
    NotHeeded{"FRONTEND_LANGUAGE_SOURCE", "the page remembers its languages in the browser"},
    NotHeeded{"FRONTEND_LANGUAGE_TARGET", "the page remembers its languages in the browser"},
    NotHeeded{"FRONTEND_TIMEOUT", "the page shows translations while they are made"},
    NotHeeded{"FRONTEND_TITLE", "the page has its own title"}};

// Its own default, or off.
bool says_nothing(const std::string& value) {
    const std::string small = in_small_letters(value);
    return small.empty() || small == "false" || small == "0" || small == "no" || small == "off" || small == "-1";
}

}  // namespace

void read_libretranslate(const Environment& environment, ServeOptions& options, std::vector<std::string>& notes) {
    const Variables theirs("LT_", environment);
    theirs.text("HOST", options.http.host);
    theirs.number("PORT", options.http.port, 0, 65535);
    theirs.text("URL_PREFIX", options.http.api_prefix);
    theirs.number("CHAR_LIMIT", options.guard.max_characters, -1);
    theirs.number("BATCH_LIMIT", options.max_texts, -1);
    theirs.number("ALTERNATIVES_LIMIT", options.max_alternatives, -1);
    theirs.number("REQ_LIMIT", options.guard.requests_per_minute, -1);
    theirs.number("HOURLY_REQ_LIMIT", options.guard.requests_per_hour, -1);
    theirs.number("DAILY_REQ_LIMIT", options.guard.requests_per_day, -1);
    theirs.no_flag("DISABLE_FILES_TRANSLATION", options.documents);
    theirs.no_flag("DISABLE_WEB_UI", options.page);
    theirs.flag("SUGGESTIONS", options.suggestions);
    theirs.flag("METRICS", options.metrics);
    theirs.text("METRICS_AUTH_TOKEN", options.metrics_token);
    bool debug = false, keys = false;
    theirs.flag("DEBUG", debug);
    if (debug) options.log_level = watch::LogLevel::debug;
    theirs.flag("API_KEYS", keys);
    if (keys &&
        options.guard.requests_per_minute == 0) {  // there: nobody without a key; each key has limits of its own
        options.guard.always_required = true;
        options.guard.requests_per_minute = -1;
    } else if (keys) {
        options.guard.keys_required = false;
    }
    for (const NotHeeded& each : kNotHeeded)
        if (!says_nothing(theirs.get(each.name)))
            notes.push_back(fmt::format("{} is not heeded: {}", theirs.full(each.name), each.why));
}

}  // namespace serve
