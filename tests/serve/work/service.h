// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <string>

#include "serve/work/models.h"
#include "serve/work/translations.h"
#include "support/environment.h"
#include "support/temp_dir.h"

// Parts of a service for tests, with models of the repository only.
namespace service_test {

using namespace dragoman;
using namespace serve::work;
using serve::Json;
using serve::Problem;

// A machine without models of its own.
struct CleanMachine {
    test::TempDir folder;
    CleanMachine() {
        for (const char* name : {"XDG_DATA_HOME", "HF_HUB_CACHE", "DRAGOMAN_MODELS_DIR", "HOME"})
            test::set_environment(name, std::string(folder.path()).c_str());
        test::set_environment("DRAGOMAN_MODEL", nullptr);
        test::set_environment("DRAGOMAN_OFFLINE", "1");
    }
};

inline const CleanMachine& clean_machine() {
    static const CleanMachine machine;
    return machine;
}

// A tiny model that says it translates from one language to another.
inline std::string tiny(const test::TempDir& folder, const std::string& from, const std::string& to) {
    const std::string path = folder.path() / (from + "-" + to);
    std::filesystem::copy(DRAGOMAN_TEST_DATA "/huggingface/separate", path);
    auto settings = nlohmann::json::parse(test::read_file(path + "/tokenizer_config.json"));
    settings["source_lang"] = from;
    settings["target_lang"] = to;
    std::ofstream(path + "/tokenizer_config.json") << settings;
    return path;
}

inline ModelsOptions serving(std::vector<std::string> models = {DRAGOMAN_SHIPPED_MODEL}) {
    clean_machine();
    ModelsOptions options;
    options.models = std::move(models);
    options.offline = true;
    options.preload = false;
    return options;
}

using Outcome = std::variant<Answer, Problem>;

// A translation that is waited for.
struct Pending {
    std::promise<Outcome> promise;
    std::future<Outcome> future = promise.get_future();
    std::shared_ptr<Ticket> ticket;

    Pending(Translations& translations, Ask ask, Translations::OnEvent on_event = {}) {
        ticket = translations.translate(
            std::move(ask), [this](Outcome outcome) { promise.set_value(std::move(outcome)); }, std::move(on_event));
    }
    ~Pending() {
        ticket.reset();
        if (future.valid()) future.wait();
    }
    Outcome get() { return future.get(); }
};

inline Ask asking(std::vector<std::string> texts, const std::string& from, const std::string& to) {
    Ask ask;
    ask.texts = std::move(texts);
    ask.from = from;
    ask.to = to;
    return ask;
}

inline Answer answer_to(Translations& translations, Ask ask, Translations::OnEvent on_event = {}) {
    Pending pending(translations, std::move(ask), std::move(on_event));
    Outcome outcome = pending.get();
    if (const auto* problem = std::get_if<Problem>(&outcome)) throw *problem;
    return std::get<Answer>(std::move(outcome));
}

// The kind of the problem that something ends with; nothing: none.
inline std::optional<Problem> problem_of(const std::function<void()>& what) {
    try {
        what();
    } catch (const Problem& problem) {
        return problem;
    }
    return {};
}

inline bool is(const std::optional<Problem>& problem, Problem::Kind kind) { return problem && problem->kind == kind; }

}  // namespace service_test
