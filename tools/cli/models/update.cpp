// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "../options.h"
#include "command.h"
#include "table.h"

namespace cli {
namespace {

// The type of the one file that is kept instead of what came.
std::optional<std::string> kept_type(const dragoman::ModelList& list, std::size_t model) {
    constexpr std::string_view kConverted = "converted ";
    const std::string_view proof = list[model].file_count == 1 ? list.file(model, 0).proof : "";
    if (!proof.starts_with(kConverted)) return std::nullopt;
    return std::string(proof.substr(kConverted.size()));
}

class Updates {
public:
    explicit Updates(const ModelsCommand& command) : command_(command), options_(options_of(command)) {
        options_.refresh = options_.again = true;
    }

    bool run() {
        const dragoman::ModelList here = dragoman::installed_models();
        std::vector<std::string> unknown = command_.words;
        for (std::size_t i = 0; i < here.size(); ++i) {
            const std::string name = here[i].name;
            if (std::string_view(here[i].owner) != "dragoman" || !is_asked_for(name)) continue;
            std::erase(unknown, name);
            ++seen_;
            try {
                bring(here, i);
            } catch (const std::exception& error) {
                tell_failure(name, error.what());
            }
        }
        for (const std::string& name : unknown) tell_failure(name, name + ": was not downloaded before");
        if (command_.json) fmt::print("{}\n", Json{{"models", seen_}, {"updated", newer_}, {"failed", failed_}}.dump());
        else fmt::print("{} of {} models had a newer version\n", newer_, seen_);
        return failed_ == 0;
    }

private:
    bool is_asked_for(const std::string& name) const {
        return command_.words.empty() || std::ranges::find(command_.words, name) != command_.words.end();
    }

    void bring(const dragoman::ModelList& here, std::size_t i) {
        const dragoman_published_model& old = here[i];
        const dragoman::ModelList offered = dragoman::show_model(old.name, options_);
        if (std::string_view(offered[0].version) == old.version) return;
        fmt::print(stderr, "{}: version {} replaces {}, {}\n", old.name, offered[0].version, old.version,
                   size_text(offered[0].bytes));
        download_all(offered, options_, way_of(command_));
        ++newer_;
        if (const auto type = kept_type(here, i)) convert(old.name, *type);
    }

    void convert(const std::string& name, const std::string& type) const {
        try {
            convert_kept(dragoman::show_model(name)[0], weight_types().at(type));
            fmt::print(stderr, "{}: converted to {}, as it was\n", name, type);
        } catch (const std::exception& error) {
            throw Failure(fmt::format("{}: stays as its publisher has it, it was converted to {} before: {}", name,
                                      type, error.what()));
        }
    }

    void tell_failure(const std::string& name, const std::string& problem) {
        ++failed_;
        tell(problem.find(name) == problem.npos ? name + ": " + problem : problem);
        if (command_.json) fmt::print("{}\n", Json{{"model", name}, {"problem", problem}}.dump());
    }

    const ModelsCommand& command_;
    dragoman::ModelsOptions options_;
    std::size_t seen_ = 0, newer_ = 0, failed_ = 0;
};

}  // namespace

bool update(const ModelsCommand& command) { return Updates(command).run(); }

}  // namespace cli
