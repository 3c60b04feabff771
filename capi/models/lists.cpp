// SPDX-License-Identifier: Apache-2.0
#include "lists.h"

#include <fmt/format.h>

#include "base/os/path_text.h"

namespace {

std::string joined(const std::vector<std::string>& languages) { return fmt::format("{}", fmt::join(languages, ",")); }

}  // namespace

const char* dragoman_model_list::keep(std::string text) {
    if (text.empty()) return "";
    return strings.emplace_back(std::move(text)).c_str();
}

void dragoman_model_list::add(const dragoman::store::Installed& model) {
    dragoman_published_model made{};
    made.struct_size = sizeof made;
    made.installed = 1;
    made.name = keep(model.name);
    made.title = "";
    made.from = keep(joined(model.from));
    made.to = keep(joined(model.to));
    made.publisher = keep(model.publisher);
    made.license = keep(model.license);
    made.version = keep(model.version);
    made.architecture = keep(model.architecture);
    made.metric = keep(model.metric);
    made.path = keep(dragoman::text_of(model.path));
    made.owner = keep(model.owner);
    made.notice = made.gate = "";
    made.quality = model.quality;
    made.bytes = model.bytes;
    made.file_count = model.files.size();
    std::vector<dragoman_published_file> own;
    for (const dragoman::store::StoredFile& file : model.files) {
        own.push_back({.struct_size = sizeof(dragoman_published_file),
                       .reserved = 0,
                       .name = keep(file.name),
                       .url = keep(file.url),
                       .sha256 = keep(file.sha256),
                       .proof = keep(file.proof),
                       .bytes = file.bytes});
    }
    models.push_back(made);
    files.push_back(std::move(own));
}

void dragoman_model_list::add(const dragoman::registry::Entry& entry,
                              const std::vector<dragoman::registry::Registry>& registries) {
    dragoman_published_model made{};
    made.struct_size = sizeof made;
    made.name = keep(entry.name());
    made.title = keep(entry.title);
    made.from = keep(joined(entry.from));
    made.to = keep(joined(entry.to));
    made.publisher = keep(entry.publisher);
    made.license = keep(entry.license);
    made.version = keep(entry.version);
    made.architecture = keep(entry.architecture);
    made.metric = keep(entry.metric);
    made.path = made.owner = made.notice = "";
    made.gate = keep(entry.gate);
    made.quality = entry.quality;
    made.bytes = entry.bytes();
    made.file_count = entry.files.size();
    for (const dragoman::registry::Registry& registry : registries)
        if (registry.id == entry.registry) made.notice = keep(registry.notice);
    std::vector<dragoman_published_file> own;
    for (const dragoman::registry::RemoteFile& file : entry.files) {
        own.push_back({.struct_size = sizeof(dragoman_published_file),
                       .reserved = 0,
                       .name = keep(file.name),
                       .url = keep(file.url),
                       .sha256 = keep(file.sha256),
                       .proof = "",
                       .bytes = file.bytes});
    }
    models.push_back(made);
    files.push_back(std::move(own));
}

void dragoman_model_list::note_installed(const dragoman::store::Installed& model) {
    dragoman_published_model& last = models.back();
    last.installed = 1;
    last.path = keep(dragoman::text_of(model.path));
    last.owner = keep(model.owner);
}

void dragoman_model_list::add_problem(const std::string& line) {
    if (!problems.empty()) problems += '\n';
    problems += line;
}

size_t dragoman_model_list_count(const dragoman_model_list* list) { return list ? list->models.size() : 0; }

const dragoman_published_model* dragoman_model_list_get(const dragoman_model_list* list, size_t index) {
    return list && index < list->models.size() ? &list->models[index] : nullptr;
}

const dragoman_published_file* dragoman_model_list_file(const dragoman_model_list* list, size_t index, size_t file) {
    if (!list || index >= list->files.size() || file >= list->files[index].size()) return nullptr;
    return &list->files[index][file];
}

const char* dragoman_model_list_problems(const dragoman_model_list* list) { return list ? list->problems.c_str() : ""; }

void dragoman_model_list_destroy(dragoman_model_list* list) { delete list; }

size_t dragoman_registry_list_count(const dragoman_registry_list* list) { return list ? list->registries.size() : 0; }

const dragoman_registry* dragoman_registry_list_get(const dragoman_registry_list* list, size_t index) {
    return list && index < list->registries.size() ? &list->registries[index] : nullptr;
}

void dragoman_registry_list_destroy(dragoman_registry_list* list) { delete list; }
