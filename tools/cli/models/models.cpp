// SPDX-License-Identifier: Apache-2.0
#include "models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "command.h"
#include "download.h"
#include "../options.h"
#include "table.h"

namespace cli {
namespace {

const std::vector<std::string> kActions = {"list",   "search", "show", "download",   "verify",
                                           "remove", "update", "path", "registries", "clean"};

constexpr const char* kWhat =
    "list: models on this machine; search [FROM TO]: what registries offer; show, download,\n"
    "verify, remove NAME...: one model; update [NAME...]: newer versions of what was downloaded,\n"
    "converted as it was; path [NAME]: where models lie, or one; registries: who is asked;\n"
    "clean: parts of downloads";

dragoman::Error misuse(const std::string& message) { return {DRAGOMAN_INVALID_ARGUMENT, message}; }

void need_names(const ModelsCommand& command) {
    if (command.words.empty())
        throw misuse(fmt::format("models {0}: expected the name of a model, such as dragoman models {0} firefox:de-en",
                                 command.action));
}

void tell_problems(const dragoman::ModelList& list) {
    const std::string problems = list.problems();
    for (std::size_t begin = 0; begin < problems.size();) {
        const std::size_t end = std::min(problems.find('\n', begin), problems.size());
        tell(problems.substr(begin, end - begin));
        begin = end + 1;
    }
}

void print(const ModelsCommand& command, const dragoman::ModelList& list) {
    tell_problems(list);
    if (command.json) print_json(list);
    else print_table(list);
}

Failure none_offered(const dragoman::ModelList& list, const std::string& from, const std::string& to) {
    if (!list.problems().empty()) return Failure("registries could not be asked: " + problems_text(list));
    return Failure(fmt::format("no registry has a model from {} to {}", from.empty() ? "any language" : from,
                               to.empty() ? "any" : to));
}

void search(const ModelsCommand& command) {
    std::string from = command.from, to = command.to;
    if (command.words.size() > 2)
        throw misuse(fmt::format("models search: expected two languages, got {} words", command.words.size()));
    if (!command.words.empty()) from = command.words[0];
    if (command.words.size() > 1) to = command.words[1];
    const dragoman::ModelList found = dragoman::search_models(from, to, options_of(command));
    print(command, found);
    if (!found.empty()) return;
    if (from.empty() || to.empty()) throw none_offered(found, from, to);
    const dragoman::ModelList way = dragoman::model_route(from, to, options_of(command));
    if (way.empty()) throw none_offered(found, from, to);
    if (!command.json)
        fmt::print("No registry offers a model from {} to {}; {}:\n", from, to,
                   way.size() == 1 ? "one is here" : "over another language");
    if (!command.json) print_table(way);
}

// By name, or the way between two languages.
std::vector<std::string> wanted(const ModelsCommand& command) {
    if (!command.words.empty() || command.from.empty() || command.to.empty()) return command.words;
    const dragoman::ModelList way = dragoman::model_route(command.from, command.to, options_of(command));
    if (way.empty()) throw none_offered(way, command.from, command.to);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < way.size(); ++i) names.emplace_back(way[i].name);
    return names;
}

// Does it for each model; one that fails keeps none of the others from it. Returns whether none failed. Where there is one
// only, its error is the command's.
template <class Act>
bool for_each_name(const std::vector<std::string>& names, Act&& act) {
    bool right = true;
    for (const std::string& name : names) {
        try {
            act(name);
        } catch (const std::exception& error) {
            if (names.size() == 1) throw;
            right = false;
            tell(error.what());
        }
    }
    return right;
}

bool download(ModelsCommand command) {
    command.words = wanted(command);
    need_names(command);
    return for_each_name(command.words, [&](const std::string& name) {
        const dragoman::ModelsOptions options = options_of(command);
        const dragoman::ModelList offered = dragoman::show_model(name, options);
        const bool there = offered[0].installed != 0;
        if (!there) {
            const std::string text = "To download:\n" + offer_text(offered);
            // Who asks for a download by its name has agreed; what the registry wants said is said all the same.
            if (!command.json) fmt::print(stderr, "{}", text);
            if (*offered[0].gate) ask(text, {command.yes});
        }
        download_all(offered, options, way_of(command));
        if (command.convert) convert_kept(dragoman::show_model(name)[0], *command.convert);
        const dragoman::ModelList here = dragoman::show_model(name);
        if (command.json) print_json(here);
        else fmt::print("{}{}: {}\n", name, there ? " was here already" : "", here[0].path);
    });
}

bool verify(const ModelsCommand& command) {
    need_names(command);
    bool right = true;
    const bool checked = for_each_name(command.words, [&](const std::string& name) {
        Json event;
        event["model"] = name;
        try {
            dragoman::verify_model(name);
            event["right"] = true;
            if (!command.json) fmt::print("{}: every file is what was downloaded\n", name);
        } catch (const dragoman::Error& error) {
            if (error.status() != DRAGOMAN_BAD_MODEL) throw;
            right = false;
            event["right"] = false;
            event["problem"] = error.what();
            if (!command.json) fmt::print("{}\n", error.what());
        }
        if (command.json) fmt::print("{}\n", event.dump());
    });
    return right && checked;
}

bool remove(const ModelsCommand& command) {
    need_names(command);
    return for_each_name(command.words, [](const std::string& name) { dragoman::remove_model(name); });
}

bool show(const ModelsCommand& command) {
    need_names(command);
    return for_each_name(command.words, [&](const std::string& name) {
        const dragoman::ModelList list = dragoman::show_model(name, options_of(command));
        if (command.json) print_json(list);
        else print_details(list);
    });
}

void print_path(const ModelsCommand& command, const char* path) {
    if (command.json) fmt::print("{}\n", Json{{"path", path}}.dump());
    else fmt::print("{}\n", path);
}

bool path(const ModelsCommand& command) {
    if (command.words.empty()) print_path(command, dragoman_models_folder());
    return for_each_name(command.words, [&](const std::string& name) {
        dragoman::ModelsOptions here;
        here.offline = true;
        const dragoman::ModelList list = dragoman::show_model(name, here);
        if (!list[0].installed) throw Failure(name + ": is not on this machine");
        print_path(command, list[0].path);
    });
}

}  // namespace

CLI::App* add_models(CLI::App& app, ModelsCommand& command) {
    CLI::App* models = app.add_subcommand("models", "Find, download and keep published models by their names");
    models->add_option("action", command.action, kWhat)->check(CLI::IsMember(kActions))->required();
    models->add_option("name", command.words, "Names such as firefox:de-en; of search, two languages")
        ->expected(0, CLI::detail::expected_max_vector_size);
    models->add_option("--from", command.from, "Language that is translated: of search and download");
    models->add_option("--to", command.to, "Language that it is translated to");
    models->add_option("--registry", command.registries, "Ask this one only; may be repeated")->allow_extra_args(false);
    models->add_flag("--json", command.json, "JSON, one object per line");
    models->add_flag("-y,--yes", command.yes, "Download without a question");
    models->add_flag("--offline", command.offline, "No network: lists as they were kept (also DRAGOMAN_OFFLINE=1)");
    models->add_flag("--refresh", command.refresh,
                     "Ask for lists even where those that are kept are younger than a day");
    models->add_flag("--again", command.again, "Download what is here already");
    models->add_option("--convert", command.convert, "After a download keep one GGUF file of this type instead")
        ->transform(CLI::CheckedTransformer(weight_types()).description("{keep,f32,f16,q8,q4}"))
        ->type_name("NAME");
    models->add_option("--parallel", command.parallel, "Files that come side by side")
        ->check(CLI::Range(1, 16))
        ->capture_default_str();
    models->add_option("--days", command.days, "Of clean: parts that nobody went on with for so long")
        ->capture_default_str();
    models->add_flag_callback(
        "--no-progress", [&command] { command.progress = false; }, "Do not show how far a download is");
    return models;
}

bool models(const ModelsCommand& command) {
    for (const char* alone : {"list", "registries", "clean"})
        if (command.action == alone && !command.words.empty())
            throw misuse(command.words.front() + ": is an argument too many for models " + command.action);
    if (command.action == "download") return download(command);
    if (command.action == "path") return path(command);
    if (command.action == "remove") return remove(command);
    if (command.action == "show") return show(command);
    if (command.action == "update") return update(command);
    if (command.action == "verify") return verify(command);
    if (command.action == "list") print(command, dragoman::installed_models());
    if (command.action == "search") search(command);
    if (command.action == "registries") print_registries(command.json);
    if (command.action == "clean") {
        const uint64_t bytes = dragoman::clean_downloads(command.days);
        if (command.json) fmt::print("{}\n", Json{{"removed_bytes", bytes}}.dump());
        else fmt::print("{} removed\n", bytes == 0 ? "nothing" : size_text(bytes));
    }
    return true;
}

}  // namespace cli
