// SPDX-License-Identifier: Apache-2.0
#include "serve_options.h"

#include "../device_options.h"

namespace cli {
namespace {

using Options = ServeCommand::Options;

void add_models_and_device(CLI::App& app, Options& options) {
    const char* group = "Model and device";
    auto& models = options.service.models;
    add_served_models(app, models.models);
    add_device(app, models.device)->group(group);
    add_cache_dir(app, models.cache_dir)->group(group);
    add_compute_type(app, models.compute_type)->group(group);
    add_memory_limit(app, models.memory_bytes)->group(group);
    app.add_option("--max-loaded", models.most_loaded, "Models on the device at a time; 0: as many as its memory takes")
        ->group(group);
    app.add_flag("--offline", models.offline, "Download nothing (also DRAGOMAN_OFFLINE=1)")->group(group);
}

void add_address(CLI::App& app, Options& options) {
    auto& http = options.service.http;
    app.add_option("--host", http.host, "Address to listen on; 0.0.0.0: all of IPv4, ::: all")->capture_default_str();
    app.add_option("-p,--port", http.port, "Port; 0: any free one")->check(CLI::Range(0, 65535))->capture_default_str();
    app.add_option("--unix", options.unix_socket, "Listen on a UNIX socket at this path instead");
    app.add_option("--unix-mode", http.unix_mode, "Who may connect to it: owner, group, everybody; none: the umask")
        ->check(CLI::IsMember({"600", "660", "666"}));
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
    app.add_option("--max-characters", service.guard.max_characters,
                   "Of one text, unless a key says else; -1: no limit")
        ->group(group);
    app.add_option("--max-texts", service.max_texts, "Of one request; -1: no limit")
        ->capture_default_str()
        ->group(group);
    app.add_option("--max-alternatives", service.max_alternatives, "Of one text; -1: 16")->group(group);
    app.add_option("--max-body", service.max_body_bytes, "Bytes of a request")
        ->transform(CLI::AsSizeValue(false))
        ->group(group);
    app.add_option("--max-file", service.max_file_bytes, "Bytes of a document")
        ->transform(CLI::AsSizeValue(false))
        ->group(group);
    app.add_option("--max-memories", service.max_memories_bytes, "Bytes of translation memories of all clients")
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

}  // namespace

CLI::Option* add_served_models(CLI::App& app, std::vector<std::string>& models) {
    return app
        .add_option("model", models,
                    "Paths or names of models; none: DRAGOMAN_MODEL, or those on this machine and the one that ships")
        ->expected(0, CLI::detail::expected_max_vector_size);
}

void add_serve_options(CLI::App& app, Options& options) {
    add_address(app, options);
    add_models_and_device(app, options);
    add_rights(app, options);
    add_limits(app, options);
    add_parts(app, options);
}

}  // namespace cli
