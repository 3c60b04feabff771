// SPDX-License-Identifier: Apache-2.0
#include "serve/work/model_list.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "base/os/environment.h"
#include "base/os/path_text.h"

namespace serve::work {
namespace {

void add_model(ModelList& list, const std::string& name, const std::string& path, const PublishedModel* given) {
    const std::string free = list.free_name(name);
    list.models.push_back(std::make_shared<const CatalogModel>(describe(free, path, given)));
    if (given) list.published[free] = *given;
}

void add_named(ModelList& list, const std::string& model, bool offline) {
    std::error_code none;
    if (!std::filesystem::exists(dragoman::path_of(model), none) && is_published_name(model)) {
        try {
            const PublishedModel brought = bring_model(model, offline, {});
            return add_model(list, brought.name, brought.path, &brought);
        } catch (const Problem& problem) {
            throw std::runtime_error(problem.what());
        }
    }
    add_model(list, name_of_path(model), model, nullptr);
}

void add_what_is_here(ModelList& list) {
    const auto add = [&](const std::string& name, const std::string& path, const PublishedModel* given) {
        try {
            add_model(list, name, path, given);
        } catch (const std::exception& error) {
            list.notes.push_back(name + " is left out: " + error.what());
        }
    };
    std::vector<PublishedModel> installed;
    try {
        installed = published_models();
    } catch (const std::exception& error) {
        list.notes.push_back(std::string("models on this machine are left out: ") + error.what());
    }
    for (const PublishedModel& model : installed) add(model.name, model.path, &model);
    try {
        const std::string shipped = dragoman::describe_model(nullptr).path;
        add(name_of_path(shipped), shipped, nullptr);
    } catch (const dragoman::Error& error) {
        list.notes.push_back(std::string("there is no model that comes with the library: ") + error.what());
    }
}

}  // namespace

std::string ModelList::free_name(const std::string& wanted) const {
    const auto taken = [&](const std::string& name) {
        return std::ranges::any_of(models, [&](const auto& model) { return model->name == name; });
    };
    std::string name = wanted;
    for (int number = 2; taken(name); ++number) name = wanted + "-" + std::to_string(number);
    return name;
}

void ModelList::put(const std::string& name, const std::optional<PublishedModel>& given) {
    const auto old = std::ranges::find(models, name, [](const auto& model) { return model->name; });
    const auto known = published.find(name);
    const PublishedModel* about = given ? &*given : known == published.end() ? nullptr : &known->second;
    try {
        const std::string path = given ? given->path : (*old)->path;
        auto fresh = std::make_shared<const CatalogModel>(describe(name, path, about));
        if (given) published[name] = *given;
        if (old == models.end()) models.push_back(std::move(fresh));
        else *old = std::move(fresh);
    } catch (const std::runtime_error&) {
        throw Problem(Problem::Kind::failed, "model " + name + ": its files are no model that translates texts", name);
    }
}

void ModelList::remove(const std::string& name) {
    std::erase_if(models, [&](const auto& model) { return model->name == name; });
    published.erase(name);
}

void ModelList::read_again() {
    notes.clear();
    for (auto& model : models) {
        const auto known = published.find(model->name);
        try {
            model = std::make_shared<const CatalogModel>(describe(model->name, model->path,
                                                                  known == published.end() ? nullptr : &known->second));
        } catch (const std::exception& error) {
            notes.push_back(model->name + " stays as it was: " + error.what());
        }
    }
}

ModelList read_models(const ModelsOptions& options) {
    ModelList list;
    for (const std::string& model : options.models) add_named(list, model, options.offline);
    const std::string said = dragoman::os::environment("DRAGOMAN_MODEL");
    if (options.models.empty() && !said.empty()) add_named(list, said, options.offline);
    if (options.models.empty() && said.empty()) add_what_is_here(list);
    if (!list.models.empty()) return list;
    std::string notes;
    for (const std::string& note : list.notes) notes += "; " + note;
    throw std::runtime_error("there is no model to serve" + notes);
}

}  // namespace serve::work
