// SPDX-License-Identifier: Apache-2.0
#include "service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "../commands.h"
#include "keys.h"
#include "base/os/environment.h"
#include "base/os/path_text.h"
#include "serve/environment.h"
#include "serve/serve.h"

namespace cli {

struct ServeCommand::Options {
    ::serve::ServeOptions service;
    KeysCommand keys;
    std::string state, certificate, private_key, unix_socket, admin_key_file, metrics_token_file, log = "text",
                                                                                                  log_level = "info";
    std::string keys_file;
    CLI::App* of_keys = nullptr;
    int64_t grace = 30, head_time = 10, idle_time = 75;
    std::vector<std::string> notes;
};

ServeCommand::ServeCommand() : options(std::make_unique<Options>()) {}
ServeCommand::~ServeCommand() = default;

namespace {

using Options = ServeCommand::Options;

using ::serve::watch::LogForm;
using ::serve::watch::LogLevel;
// In the order of LogForm and LogLevel.
constexpr std::array kForms = {"text", "json", "none"};
constexpr std::array kLevels = {"error", "warning", "info", "debug"};

template <class Names>
std::ptrdiff_t place_of(const Names& names, const std::string& name) {
    return std::ranges::find(names, name) - names.begin();
}

// Options whose type here is another one begin with what the environment says.
void read_environment(Options& options) {
    options.notes = ::serve::read_environment(options.service);
    options.log = kForms[static_cast<std::size_t>(options.service.log_form)];
    options.log_level = kLevels[static_cast<std::size_t>(options.service.log_level)];
    options.grace = options.service.grace.count();
}

// The host of "https://translate.example.org:8443/lt".
std::string host_of(const std::string& url) {
    const std::size_t scheme = url.find("://");
    if (scheme == std::string::npos) throw Failure("--public-url " + url + ": expected https://NAME or http://NAME");
    const std::size_t begin = scheme + 3, end = url.find_first_of("/?#", begin);
    std::string host = url.substr(begin, end == std::string::npos ? end : end - begin);
    if (const std::size_t port = host.rfind(':');
        port != std::string::npos && host.find(']', port) == std::string::npos)
        host.resize(port);
    return host;
}

void add_models_and_device(CLI::App& app, Options& options) {
    const char* group = "Model and device";
    auto& models = options.service.models;
    app.add_option("model", models.models,
                   "Paths or names of models; none: DRAGOMAN_MODEL, or those on this machine and the one that ships")
        ->expected(0, CLI::detail::expected_max_vector_size);
    app.add_option("-d,--device", models.device, "Index, UUID or part of the name")->group(group);
    app.add_option("--cache-dir", models.cache_dir, "Folder for compiled kernels; \"-\": none")->group(group);
    app.add_option("--compute-type", models.compute_type, "Type of the weights on the device")->group(group);
    app.add_option("--memory-limit", models.memory_bytes, "Device memory of models and their work; 0: no limit")
        ->transform(CLI::AsSizeValue(false))
        ->group(group);
    app.add_option("--max-loaded", models.most_loaded, "Models on the device at a time; 0: as many as its memory takes")
        ->group(group);
    app.add_flag("--offline", models.offline, "Download nothing (also DRAGOMAN_OFFLINE=1)")->group(group);
}

void add_address(CLI::App& app, Options& options) {
    auto& http = options.service.http;
    app.add_option("--host", http.host, "Address to listen on; 0.0.0.0: all of IPv4, ::: all")->capture_default_str();
    app.add_option("-p,--port", http.port, "Port; 0: any free one")->capture_default_str();
    app.add_option("--unix", options.unix_socket, "Listen on a UNIX socket at this path instead");
    app.add_option("--api-prefix", http.api_prefix, "What all paths begin with, such as /translate");
    app.add_option("--public-url", options.service.public_url, "Address that clients know the service by, for links");
    app.add_option("--tls-certificate", options.certificate, "PEM file with the certificate and its chain");
    app.add_option("--tls-key", options.private_key, "PEM file with its private key");
    app.add_flag("--hsts", options.service.guard.hsts, "Browsers shall ask over TLS alone from now on");
    app.add_option("--state", options.state, "Folder for keys, glossaries and documents");
}

void add_rights(CLI::App& app, Options& options) {
    const char* group = "Who may ask";
    auto& guard = options.service.guard;
    app.add_option("--keys-file", options.keys_file, "SQLite file with API keys; none: keys.sqlite in the state folder")
        ->group(group);
    app.add_flag("--require-key", guard.always_required, "Nobody may ask without a key, even where there is none yet")
        ->group(group);
    app.add_flag_callback(
           "--keys-optional", [&guard] { guard.keys_required = false; },
           "Who has no key may ask, too: keys only raise limits")
        ->group(group);
    app.add_option("--admin-key-file", options.admin_key_file,
                   "File whose first line is the key for what changes the service; none: from this machine only")
        ->group(group);
    app.add_option("--requests-per-minute", guard.requests_per_minute, "Of a key or an address")->group(group);
    app.add_option("--requests-per-hour", guard.requests_per_hour, "Likewise, in an hour")->group(group);
    app.add_option("--requests-per-day", guard.requests_per_day, "Likewise, in a day")->group(group);
    app.add_option("--connections-per-address", options.service.http.max_connections_per_address, "0: no limit")
        ->group(group);
    app.add_option("--trust-proxy", guard.proxies,
                   "Address or network whose X-Forwarded-For is believed; may be repeated")
        ->allow_extra_args(false)
        ->group(group);
    app.add_option("--allow-host", guard.hosts,
                   "Name that the service is asked by, besides localhost and addresses; may be repeated; *: any")
        ->allow_extra_args(false)
        ->group(group);
    app.add_option("--allow-origin", guard.origins, "Pages that may ask from a browser; may be repeated; *: all")
        ->allow_extra_args(false)
        ->group(group);
}

void add_limits(CLI::App& app, Options& options) {
    const char* group = "Limits";
    ::serve::ServeOptions& service = options.service;
    app.add_option("--max-characters", service.guard.max_characters, "Of one text; -1: no limit")->group(group);
    app.add_option("--max-texts", service.max_texts, "Of one request; -1: no limit")->group(group);
    app.add_option("--max-alternatives", service.max_alternatives, "Of one text; -1: 16")->group(group);
    app.add_option("--max-body", service.max_body_bytes, "Bytes of a request")
        ->transform(CLI::AsSizeValue(false))
        ->group(group);
    app.add_option("--max-file", service.max_file_bytes, "Bytes of a document")
        ->transform(CLI::AsSizeValue(false))
        ->group(group);
    app.add_option("--max-waiting", service.translations.most_waiting,
                   "Translations at work or waiting; beyond them 503 at once")
        ->capture_default_str()
        ->group(group);
    app.add_option("--max-connections", service.http.max_connections, "Open connections")
        ->capture_default_str()
        ->group(group);
    app.add_option("--cache-size", service.translations.cache_bytes, "Memory for sentences that come again; 0: none")
        ->transform(CLI::AsSizeValue(false))
        ->group(group);
    app.add_option("--document-threads", service.document_threads, "Documents at work at a time")
        ->check(CLI::Range(1, 64))
        ->capture_default_str()
        ->group(group);
    app.add_option("--head-time", options.head_time, "Seconds that a client has to send a request's head")
        ->check(CLI::Range(1, 3600))
        ->capture_default_str()
        ->group(group);
    app.add_option("--idle-time", options.idle_time, "Seconds that a connection may stay open without a request")
        ->check(CLI::Range(1, 86400))
        ->capture_default_str()
        ->group(group);
    app.add_option("--grace", options.grace, "Seconds that requests at work get when the service is told to end")
        ->check(CLI::Range(0, 86400))
        ->capture_default_str()
        ->group(group);
}

void add_parts(CLI::App& app, Options& options) {
    const char* group = "What it shows";
    ::serve::ServeOptions& service = options.service;
    app.add_flag_callback("--no-page", [&service] { service.page = false; }, "No page at /")->group(group);
    app.add_flag_callback("--no-documents", [&service] { service.documents = false; }, "No documents")->group(group);
    app.add_flag("--suggestions", service.suggestions, "Keep what /suggest sends")->group(group);
    app.add_flag("--metrics", service.metrics, "Prometheus' metrics at /metrics")->group(group);
    app.add_option("--metrics-token-file", options.metrics_token_file,
                   "File whose first line /metrics wants as a bearer token")
        ->group(group);
    app.add_option("--log", options.log, "Form of the log on standard error")
        ->check(CLI::IsMember({"text", "json", "none"}))
        ->capture_default_str()
        ->group(group);
    app.add_option("--log-level", options.log_level, "Least weight of what it has")
        ->check(CLI::IsMember({"error", "warning", "info", "debug"}))
        ->capture_default_str()
        ->group(group);
    app.add_flag("--log-texts", service.log_texts, "Log what is translated, too")->group(group);
    app.add_option("--ready-file", service.ready_file, "File that gets the address when the service listens")
        ->group(group);
}

void finish(Options& options) {
    ::serve::ServeOptions& service = options.service;
    if (!options.state.empty()) service.state = dragoman::path_of(options.state);
    if (!options.keys_file.empty()) service.guard.keys_file = dragoman::path_of(options.keys_file);
    if (!options.certificate.empty()) service.http.certificate = dragoman::path_of(options.certificate);
    if (!options.private_key.empty()) service.http.private_key = dragoman::path_of(options.private_key);
    if (service.http.certificate.empty() != service.http.private_key.empty())
        throw Failure("--tls-certificate and --tls-key: one of them is missing");
    if (!options.admin_key_file.empty())
        service.guard.admin_key = ::serve::read_secret(dragoman::path_of(options.admin_key_file));
    if (!options.metrics_token_file.empty()) {
        service.metrics_token = ::serve::read_secret(dragoman::path_of(options.metrics_token_file));
        service.metrics = true;
    }
    if (!service.public_url.empty()) service.guard.hosts.push_back(host_of(service.public_url));
    if (!options.unix_socket.empty()) service.http.host = "unix:" + options.unix_socket;
    else service.guard.hosts.push_back(service.http.host);  // a name is served under that name
    service.translations.most_characters =
        service.guard.max_characters < 0 ? 0 : std::uint64_t(service.guard.max_characters);
    std::string& prefix = service.http.api_prefix;
    while (!prefix.empty() && prefix.back() == '/') prefix.pop_back();
    if (!prefix.empty() && prefix.front() != '/') prefix.insert(prefix.begin(), '/');
    while (!service.public_url.empty() && service.public_url.back() == '/') service.public_url.pop_back();
    if (service.max_texts > 0) service.translations.most_texts = static_cast<std::size_t>(service.max_texts);
    if (service.max_alternatives >= 0)
        service.translations.most_alternatives = static_cast<std::uint32_t>(service.max_alternatives);
    if (!dragoman::os::environment("DRAGOMAN_OFFLINE").empty()) service.models.offline = true;
    service.grace = std::chrono::seconds(options.grace);
    service.http.head_time = std::chrono::seconds(options.head_time);
    service.http.idle_time = std::chrono::seconds(options.idle_time);
    service.log_form = static_cast<LogForm>(place_of(kForms, options.log));
    service.log_level = static_cast<LogLevel>(place_of(kLevels, options.log_level));
}

}  // namespace

CLI::App* add_serve(CLI::App& app, ServeCommand& command) {
    Options& options = *command.options;
    CLI::App* serve = app.add_subcommand("serve",
                                         "Translate for other programs: LibreTranslate's API, DeepL's and others");
    add_address(*serve, options);
    add_models_and_device(*serve, options);
    add_rights(*serve, options);
    add_limits(*serve, options);
    add_parts(*serve, options);
    options.of_keys = add_keys(*serve, options.keys);
    // What the environment says comes first, so that options of the command line overrule it.
    serve->preparse_callback([&options](std::size_t) { read_environment(options); });
    return serve;
}

void serve(ServeCommand& command) {
    Options& options = *command.options;
    if (*options.of_keys) return keys(options.keys);
    finish(options);
    for (const std::string& note : options.notes) fmt::print(stderr, "dragoman: {}\n", note);
    ::serve::serve(options.service);
}

}  // namespace cli
