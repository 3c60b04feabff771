// SPDX-License-Identifier: Apache-2.0
#include "service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "../commands.h"
#include "base/os/environment.h"
#include "base/os/path_text.h"
#include "keys.h"
#include "serve/environment.h"
#include "serve/guard/hosts.h"
#include "serve_options.h"

namespace cli {

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

// Options whose type here is another one begin with what the service has.
void show_service(Options& options) {
    const ::serve::ServeOptions& service = options.service;
    const auto seconds = [](auto time) { return std::chrono::duration_cast<std::chrono::seconds>(time).count(); };
    options.log = kForms[static_cast<std::size_t>(service.log_form)];
    options.log_level = kLevels[static_cast<std::size_t>(service.log_level)];
    options.head_time = seconds(service.http.head_time);
    options.idle_time = seconds(service.http.idle_time);
    options.grace = seconds(service.grace);
}

void read_environment(Options& options) {
    options.notes = ::serve::read_environment(options.service);
    show_service(options);
}

// The name in "https://translate.example.org:8443/lt".
std::string name_in(const std::string& url) {
    const std::size_t begin = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : url.size();
    const std::string_view rest = std::string_view(url).substr(begin);
    std::string name = ::serve::guard::host_name(rest.substr(0, rest.find_first_of("/?#")));
    if (name.empty()) throw Failure("--public-url " + url + ": expected https://NAME or http://NAME");
    return name;
}

void take_files(Options& options) {
    ::serve::ServeOptions& service = options.service;
    const auto take = [](const std::string& given, std::filesystem::path& place) {
        if (!given.empty()) place = dragoman::path_of(given);
    };
    take(options.state, service.state);
    take(options.keys_file, service.guard.keys_file);
    take(options.certificate, service.http.certificate);
    take(options.private_key, service.http.private_key);
    if (!options.admin_key_file.empty())
        service.guard.admin_key = ::serve::read_secret(dragoman::path_of(options.admin_key_file));
    if (!options.metrics_token_file.empty()) {
        service.metrics_token = ::serve::read_secret(dragoman::path_of(options.metrics_token_file));
        service.metrics = true;
    }
}

void take_limits(Options& options) {
    ::serve::ServeOptions& service = options.service;
    // The service itself counts texts, and characters for whom they are: a key may have a limit of its own.
    std::size_t& most_texts = service.translations.most_texts;
    most_texts = service.max_texts < 0 ? SIZE_MAX : std::max(most_texts, static_cast<std::size_t>(service.max_texts));
    if (service.max_alternatives >= 0)
        service.translations.most_alternatives = static_cast<std::uint32_t>(service.max_alternatives);
    service.grace = std::chrono::seconds(options.grace);
    service.http.head_time = std::chrono::seconds(options.head_time);
    service.http.idle_time = std::chrono::seconds(options.idle_time);
}

void take_address(Options& options) {
    ::serve::ServeOptions& service = options.service;
    if (service.http.certificate.empty() != service.http.private_key.empty())
        throw Failure("--tls-certificate and --tls-key: one of them is missing");
    if (!service.public_url.empty()) service.guard.hosts.push_back(name_in(service.public_url));
    if (!options.unix_socket.empty()) service.http.host = "unix:" + options.unix_socket;
    else service.guard.hosts.push_back(service.http.host);  // a name is served under that name
    std::string& prefix = service.http.api_prefix;
    while (prefix.ends_with('/')) prefix.pop_back();
    if (!prefix.empty() && prefix.front() != '/') prefix.insert(prefix.begin(), '/');
    while (service.public_url.ends_with('/')) service.public_url.pop_back();
}

void finish(Options& options) {
    ::serve::ServeOptions& service = options.service;
    take_files(options);
    take_address(options);
    take_limits(options);
    if (!dragoman::os::environment("DRAGOMAN_OFFLINE").empty()) service.models.offline = true;
    service.log_form = static_cast<LogForm>(place_of(kForms, options.log));
    service.log_level = static_cast<LogLevel>(place_of(kLevels, options.log_level));
}

// Keys are those of the service with the same options and variables.
void run_keys(Options& options) {
    const auto file_of_service = [](std::string& own, const std::string& given, const std::filesystem::path& named) {
        if (own.empty()) own = given.empty() ? dragoman::text_of(named) : given;
    };
    file_of_service(options.keys.keys_file, options.keys_file, options.service.guard.keys_file);
    file_of_service(options.keys.state, options.state, options.service.state);
    keys(options.keys);
}

}  // namespace

ServeCommand::ServeCommand() : options(std::make_unique<Options>()) { show_service(*options); }
ServeCommand::~ServeCommand() = default;

CLI::App* add_serve(CLI::App& app, ServeCommand& command) {
    Options& options = *command.options;
    CLI::App* serve = app.add_subcommand("serve",
                                         "Translate for other programs: LibreTranslate's API, DeepL's and others");
    add_serve_options(*serve, options);
    options.of_keys = add_keys(*serve, options.keys);
    // What the environment says comes first, so that options of the command line overrule it.
    serve->preparse_callback([&options](std::size_t) { read_environment(options); });
    return serve;
}

void serve(ServeCommand& command) {
    Options& options = *command.options;
    if (*options.of_keys) return run_keys(options);
    finish(options);
    for (const std::string& note : options.notes) fmt::print(stderr, "dragoman: {}\n", note);
    ::serve::serve(options.service);
}

}  // namespace cli
