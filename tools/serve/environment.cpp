// SPDX-License-Identifier: Apache-2.0
#include "serve/environment.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <stdexcept>

#include "base/os/environment.h"
#include "base/os/path_text.h"
#include "serve/environment_values.h"
#include "serve/guard/words.h"

namespace serve {
namespace {

constexpr int kLastPort = 65535;
constexpr std::int64_t kDay = 86400;  // seconds

void read_address(const Variables& own, ServeOptions& options) {
    own.text("HOST", options.http.host);
    own.number("PORT", options.http.port, 0, kLastPort);
    if (own.has("UNIX")) options.http.host = "unix:" + own.get("UNIX");
    own.choice("UNIX_MODE", options.http.unix_mode, {"600", "660", "666"});
    own.text("API_PREFIX", options.http.api_prefix);
    own.text("PUBLIC_URL", options.public_url);
    own.path("TLS_CERTIFICATE", options.http.certificate);
    own.path("TLS_KEY", options.http.private_key);
    own.flag("HSTS", options.guard.hsts);
    own.path("STATE", options.state);
}

void read_models(const Variables& own, ServeOptions& options) {
    own.list("MODELS", options.models.models);
    own.text("DEVICE", options.models.device);
    own.text("CACHE_DIR", options.models.cache_dir);
    own.choice("COMPUTE_TYPE", options.models.compute_type, {"auto", "float32", "float16", "int8", "int8_float16"});
    own.size("MEMORY_LIMIT", options.models.memory_bytes);
    own.number("MAX_LOADED", options.models.most_loaded, 0);
    own.flag("OFFLINE", options.models.offline);
}

void read_rights(const Variables& own, ServeOptions& options) {
    guard::GuardOptions& guard = options.guard;
    own.path("KEYS_FILE", guard.keys_file);
    own.list("KEYS", guard.keys);
    own.flag("REQUIRE_KEY", guard.always_required);
    own.no_flag("KEYS_OPTIONAL", guard.keys_required);
    own.text("ADMIN_KEY", guard.admin_key);
    if (own.has("ADMIN_KEY_FILE")) guard.admin_key = read_secret(dragoman::path_of(own.get("ADMIN_KEY_FILE")));
    own.number("REQUESTS_PER_MINUTE", guard.requests_per_minute, -1);
    own.number("REQUESTS_PER_HOUR", guard.requests_per_hour, -1);
    own.number("REQUESTS_PER_DAY", guard.requests_per_day, -1);
    own.number("CONNECTIONS_PER_ADDRESS", options.http.max_connections_per_address, 0);
    own.list("TRUST_PROXY", guard.proxies);
    own.list("ALLOW_HOST", guard.hosts);
    own.list("ALLOW_ORIGIN", guard.origins);
}

template <class Time>
void read_seconds(const Variables& own, const char* name, Time& time, std::int64_t least, std::int64_t most) {
    std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    own.number(name, seconds, least, most);
    if (own.has(name)) time = std::chrono::seconds(seconds);
}

void read_limits(const Variables& own, ServeOptions& options) {
    own.number("MAX_CHARACTERS", options.guard.max_characters, -1);
    own.number("MAX_TEXTS", options.max_texts, -1);
    own.number("MAX_ALTERNATIVES", options.max_alternatives, -1);
    own.size("MAX_BODY", options.max_body_bytes);
    own.size("MAX_FILE", options.max_file_bytes);
    own.size("MAX_MEMORIES", options.max_memories_bytes);
    own.number("MAX_WAITING", options.translations.most_waiting, 1);
    own.number("MAX_CONNECTIONS", options.http.max_connections, 1);
    own.size("CACHE_SIZE", options.translations.cache_bytes);
    own.number("DOCUMENT_THREADS", options.document_threads, 1, 64);
    read_seconds(own, "HEAD_TIME", options.http.head_time, 1, 3600);
    read_seconds(own, "IDLE_TIME", options.http.idle_time, 1, kDay);
    read_seconds(own, "GRACE", options.grace, 0, kDay);
}

watch::LogForm form_of(const std::string& name, const std::string& given) {
    if (given == "text") return watch::LogForm::text;
    if (given == "json") return watch::LogForm::json;
    if (given == "none") return watch::LogForm::none;
    throw std::runtime_error(fmt::format("{}={}: text, json or none is expected", name, given));
}

watch::LogLevel level_of(const std::string& name, const std::string& given) {
    if (given == "error") return watch::LogLevel::error;
    if (given == "warning") return watch::LogLevel::warning;
    if (given == "info") return watch::LogLevel::info;
    if (given == "debug") return watch::LogLevel::debug;
    throw std::runtime_error(fmt::format("{}={}: error, warning, info or debug is expected", name, given));
}

void read_parts(const Variables& own, ServeOptions& options) {
    own.no_flag("NO_PAGE", options.page);
    own.no_flag("NO_DOCUMENTS", options.documents);
    own.flag("SUGGESTIONS", options.suggestions);
    own.flag("METRICS", options.metrics);
    own.text("METRICS_TOKEN", options.metrics_token);
    if (own.has("METRICS_TOKEN_FILE"))
        options.metrics_token = read_secret(dragoman::path_of(own.get("METRICS_TOKEN_FILE")));
    if (own.has("METRICS_TOKEN") || own.has("METRICS_TOKEN_FILE")) options.metrics = true;
    if (own.has("LOG")) options.log_form = form_of(own.full("LOG"), own.get("LOG"));
    if (own.has("LOG_LEVEL")) options.log_level = level_of(own.full("LOG_LEVEL"), own.get("LOG_LEVEL"));
    own.flag("LOG_TEXTS", options.log_texts);
    own.text("READY_FILE", options.ready_file);
}

}  // namespace

std::string system_environment(const std::string& name) { return dragoman::os::environment(name.c_str()); }

std::vector<std::string> read_environment(ServeOptions& options, const Environment& environment) {
    std::vector<std::string> notes;
    read_libretranslate(environment, options, notes);
    const Variables own("DRAGOMAN_SERVE_", environment);
    read_address(own, options);
    read_models(own, options);
    read_rights(own, options);
    read_limits(own, options);
    read_parts(own, options);
    return notes;
}

std::string read_secret(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error(fmt::format("{}: cannot be read", dragoman::text_of(file)));
    std::string line;
    std::getline(in, line);
    if (line.ends_with('\r')) line.pop_back();
    const std::string secret(guard::trimmed(line));
    if (secret.empty()) throw std::runtime_error(fmt::format("{}: its first line is empty", dragoman::text_of(file)));
    return secret;
}

std::filesystem::path state_folder(const std::filesystem::path& given, const Environment& environment) {
    if (!given.empty()) return given;
    if (const std::string folders = environment("STATE_DIRECTORY"); !folders.empty())
        return dragoman::path_of(folders.substr(0, folders.find(':')));
    if (const std::string said = environment("XDG_STATE_HOME"); !said.empty())
        return dragoman::path_of(said) / "dragoman" / "serve";
    const std::filesystem::path home = dragoman::os::home_folder();
    if (home.empty()) throw std::runtime_error("--state: the system names no folder of the user's; name one");
    return home / ".local" / "state" / "dragoman" / "serve";
}

std::filesystem::path keys_file_in(const std::filesystem::path& state) { return state / "keys.sqlite"; }

}  // namespace serve
