// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "../commands.h"
#include "base/os/environment.h"
#include "base/os/path_text.h"
#include "download.h"
#include "models.h"

namespace cli {
namespace {

// "firefox:de-en" where a registry is called so; a file of that name is a path.
bool is_name(const std::string& text) {
    const std::size_t colon = text.find(':');
    std::error_code none;
    if (colon == std::string::npos || std::filesystem::exists(dragoman::path_of(text), none)) return false;
    dragoman_registry_list* list = nullptr;
    if (const dragoman_status status = dragoman_registries(&list); status != DRAGOMAN_OK)
        throw dragoman::Error(status, dragoman_models_error());
    bool found = false;
    for (std::size_t i = 0; i < dragoman_registry_list_count(list); ++i)
        found |= text.substr(0, colon) == dragoman_registry_list_get(list, i)->id;
    dragoman_registry_list_destroy(list);
    return found;
}

dragoman::ModelsOptions options_of(const Downloads& downloads) {
    dragoman::ModelsOptions options;
    options.offline = downloads.offline;
    return options;
}

void bring(const dragoman::ModelList& models, const std::string& why, const Downloads& downloads, bool progress) {
    bool all_here = true;
    for (std::size_t i = 0; i < models.size(); ++i) all_here &= models[i].installed != 0;
    if (all_here) return;
    ask(why + ". It would be downloaded:\n" + offer_text(models), {downloads.yes});
    download_all(models, options_of(downloads), progress ? DownloadProgress::Way::line : DownloadProgress::Way::none);
}

void bring_named(const std::string& given, const Downloads& downloads, bool progress) {
    if (!is_name(given)) return;
    try {
        bring(dragoman::show_model(given, options_of(downloads)), given + " is not on this machine", downloads,
              progress);
    } catch (const dragoman::Error& error) {
        throw dragoman::Error(error.status(), fmt::format("{}: is not on this machine; {}", given, error.what()));
    }
}

std::string in_lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

constexpr float kSure = 0.8f;  // of the language of a text that is to choose a model

// What is translated, or its beginning; empty where that comes from a pipe.
std::string sample(const TranslateCommand& command) {
    std::string text;
    for (const std::string& each : command.texts) text += each + "\n";
    for (const std::string& each : command.words) text += each + "\n";
    std::string file = command.files.empty() ? command.input : command.files.front().first;
    std::error_code none;
    if (!text.empty() || file == "-" || !std::filesystem::is_regular_file(dragoman::path_of(file), none)) return text;
    text.resize(4096);
    std::ifstream in(dragoman::path_of(file), std::ios::binary);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

std::string detected(const TranslateCommand& command) {
    const std::string text = sample(command);
    if (text.empty()) return {};
    try {
        const std::string_view view = text;
        const dragoman::Languages found(std::vector<std::string_view>{view}, "");
        const bool sure = !found[0].empty() && found[0].front().probability >= kSure;
        return sure ? std::string(found[0].front().tag) : std::string();
    } catch (const dragoman::Error&) {  // a document's bytes are no text
        return {};
    }
}

bool leads(const std::string& path, const std::string& from, const std::string& to) {
    const char* models[] = {path.c_str()};
    std::size_t place = 0, length = 0;
    return dragoman_find_route(models, 1, from.c_str(), to.c_str(), &place, &length) == DRAGOMAN_OK && length == 1;
}

// Whether the model that comes with the library translates to a language, from whichever.
bool default_writes(const std::string& to) {
    const dragoman::Description model = dragoman::describe(nullptr);
    return std::ranges::any_of(model.sources,
                               [&](const auto& source) { return leads(model.info.path, source.tag, to); });
}

// Of the device that is named by its place, or of the largest GPU; 0 where that is not clear.
uint64_t device_memory(const std::string& named) {
    uint64_t most = 0;
    bool gpu = false;
    try {
        for (const dragoman_device_info& device : dragoman::devices()) {
            if (named == std::to_string(device.index)) return device.memory_bytes;
            const bool is_gpu = device.kind != DRAGOMAN_DEVICE_CPU;
            if (is_gpu && !gpu) most = 0;  // a CPU counts only where there is nothing else
            if (is_gpu || !gpu) most = std::max(most, device.memory_bytes);
            gpu |= is_gpu;
        }
    } catch (const dragoman::Error&) {  // without a device the translation says so
        return 0;
    }
    return named.empty() ? most : 0;
}

void take(TranslateCommand& command, const dragoman::ModelList& way, const std::string& from) {
    if (way.size() == 1) {
        command.machine.model = way[0].path;
    } else {
        for (std::size_t i = 0; i < way.size(); ++i) command.route.emplace_back(way[i].path);
        command.from = from;
    }
    for (std::size_t i = 0; i < way.size(); ++i) command.chosen.emplace_back(way[i].name);
}

}  // namespace

void add_download_flags(CLI::App& app, Downloads& downloads) {
    const char* group = "Model and device";
    app.add_flag("-y,--yes", downloads.yes, "Download a model that is needed without a question")->group(group);
    app.add_flag("--offline", downloads.offline, "Models on this machine only (also DRAGOMAN_OFFLINE=1)")->group(group);
}

void choose_models(TranslateCommand& command) {
    const Downloads& downloads = command.downloads;
    const bool progress = command.progress && !command.json;
    Machine& machine = command.machine;
    if (!machine.model.empty()) bring_named(machine.model, downloads, progress);
    for (const std::string& model : machine.models) bring_named(model, downloads, progress);
    for (const std::string& model : command.route) bring_named(model, downloads, progress);
    const bool named = !machine.model.empty() || !machine.models.empty() || !command.route.empty();
    if (named || command.to.empty() || !dragoman::os::environment("DRAGOMAN_MODEL").empty()) return;
    std::string from = command.from == "auto" ? "" : command.from;
    const bool said = !from.empty();
    if (said && in_lower_case(from) == in_lower_case(command.to))
        throw Failure(fmt::format("--from and --to are both {}", from));
    if (!said) from = detected(command);
    if (!from.empty())
        if (const dragoman::ModelList here = dragoman::installed_route(from, command.to); !here.empty())
            return take(command, here, from);
    // A guess is no reason not to try what is here.
    if (said ? leads(dragoman::describe_model(nullptr).path, from, command.to) : default_writes(command.to)) return;
    if (from == command.to)
        throw Failure(fmt::format("--to {0}: the text is in {0}; --from says what else it is in", from));
    if (from.empty()) return;  // the model that comes with the library says what it can
    const std::string pair = fmt::format("{} to {}", from, command.to);
    dragoman::ModelsOptions options = options_of(downloads);
    options.memory_bytes = device_memory(machine.device);
    const dragoman::ModelList way = dragoman::model_route(from, command.to, options);
    if (way.empty())
        throw Failure(fmt::format("no model on this machine translates {}, and {}", pair,
                                  way.problems().empty() ? "no registry offers one"
                                                         : "registries could not be asked: " + problems_text(way)));
    bring(way, "No model on this machine translates " + pair, downloads, progress);
    take(command, dragoman::installed_route(from, command.to), from);
}

}  // namespace cli
