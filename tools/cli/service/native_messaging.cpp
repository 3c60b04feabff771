// SPDX-License-Identifier: Apache-2.0
#include "native_messaging.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "../commands.h"
#include "../device_options.h"
#include "base/os/environment.h"
#include "base/os/library.h"
#include "base/os/path_text.h"
#include "native_messaging/host.h"
#include "native_messaging/manifests.h"
#include "serve_options.h"

namespace cli {
namespace {

std::filesystem::path own_program() {
    const auto path = dragoman::os::file_of_address(reinterpret_cast<const void*>(&own_program));
    if (path.empty()) throw Failure("--install: the system does not say where this program is");
    return path;
}

// What a browser shall start the program with.
std::vector<std::string> arguments_of(const NativeMessagingCommand& command) {
    std::vector<std::string> words;
    const auto add = [&](const char* flag, const std::string& value) {
        if (value.empty()) return;
        words.push_back(flag);
        words.push_back(value);
    };
    add("--device", command.device);
    add("--cache-dir", command.cache_dir);
    add("--compute-type", command.compute_type);
    if (command.offline) words.push_back("--offline");
    std::error_code none;
    for (const std::string& model : command.models) {  // a browser starts it in a folder of its own choice
        const std::filesystem::path path = dragoman::path_of(model);
        words.push_back(std::filesystem::exists(path, none) ? dragoman::text_of(std::filesystem::absolute(path))
                                                            : model);
    }
    return words;
}

::native_messaging::Installation installation(const NativeMessagingCommand& command,
                                              const std::vector<std::string>& browsers) {
    if (dragoman::os::home_folder().empty()) throw Failure("the system does not say where this user's folder is");
    ::native_messaging::Installation made{.home = dragoman::os::home_folder(),
                                          .config = dragoman::os::config_folder(),
                                          .data = dragoman::os::data_folder(),
                                          .program = own_program(),
                                          .arguments = arguments_of(command),
                                          .browsers = browsers,
                                          .extensions = command.extensions};
    if (std::ranges::find(browsers, "all") == browsers.end()) return made;
    made.browsers = ::native_messaging::browsers();
    if (command.uninstall.empty())  // those that some add-on is for
        std::erase_if(made.browsers, [&](const std::string& browser) {
            return ::native_messaging::allowed_extensions(made, browser).empty();
        });
    return made;
}

void answer_messages(const NativeMessagingCommand& command) {
    std::ios::sync_with_stdio(false);
    serve::work::ModelsOptions options;
    options.models = command.models;
    options.device = command.device;
    options.cache_dir = command.cache_dir;
    options.compute_type = command.compute_type;
    options.offline = command.offline;
    serve::work::Models models(options);
    serve::work::Translations translations(models, {});
    bool whole = false;
    {
        ::native_messaging::Host host(models, translations, std::cout, {.offline = command.offline});
        whole = host.run(std::cin);
    }
    if (!whole) throw Failure("standard input: no message of a browser");
}

}  // namespace

CLI::App* add_native_messaging(CLI::App& app, NativeMessagingCommand& command) {
    CLI::App* own = app.add_subcommand("native-messaging",
                                       "Translate for add-ons of browsers, as translateLocally does");
    std::vector<std::string> names = ::native_messaging::browsers();
    names.push_back("all");
    add_served_models(*own, command.models);
    add_device(*own, command.device);
    add_cache_dir(*own, command.cache_dir);
    add_compute_type(*own, command.compute_type);
    own->add_flag("--offline", command.offline, "No lists of models from the network, no downloads");
    own->add_option("--install", command.install, "Write what these browsers need to find it, and end")
        ->check(CLI::IsMember(names))
        ->allow_extra_args(false);
    own->add_option("--uninstall", command.uninstall, "Remove that again, and end")
        ->check(CLI::IsMember(names))
        ->allow_extra_args(false)
        ->excludes("--install");
    own->add_option("--extension", command.extensions, "With --install: id of an add-on that may use it; may repeat")
        ->allow_extra_args(false);
    return own;
}

void native_messaging(NativeMessagingCommand& command) {
    if (!command.install.empty()) {
        for (const auto& path : ::native_messaging::install(installation(command, command.install)))
            fmt::print("{}\n", dragoman::text_of(path));
    } else if (!command.uninstall.empty()) {
        for (const auto& path : ::native_messaging::uninstall(installation(command, command.uninstall)))
            fmt::print("{}\n", dragoman::text_of(path));
    } else {
        answer_messages(command);
    }
}

}  // namespace cli
