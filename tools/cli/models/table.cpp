// SPDX-License-Identifier: Apache-2.0
#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "../commands.h"
#include "base/os/path_text.h"
#include "download.h"

namespace cli {
namespace {

std::string quality_text(const dragoman_published_model& model) {
    return model.quality == 0 ? "" : fmt::format("{} {:.3g}", model.metric, model.quality);
}

using Cells = std::vector<std::string>;

void print_rows(const std::vector<Cells>& rows) {
    std::vector<std::size_t> widths;
    for (const Cells& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    for (const Cells& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
        line.erase(line.find_last_not_of(' ') + 1);
        fmt::print("{}\n", line);
    }
}

Json file_json(const dragoman_published_file& file) {
    Json json;
    json["name"] = file.name;
    if (*file.url) json["url"] = file.url;
    if (*file.sha256) json["sha256"] = file.sha256;
    if (*file.proof) json["proof"] = file.proof;
    json["bytes"] = file.bytes;
    return json;
}

Json languages_json(const std::string& languages) {
    Json list = Json::array();
    for (std::size_t begin = 0; begin < languages.size();) {
        const std::size_t end = std::min(languages.find(',', begin), languages.size());
        list.push_back(languages.substr(begin, end - begin));
        begin = end + 1;
    }
    return list;
}

}  // namespace

std::string few(const std::string& languages) {
    const auto commas = std::ranges::count(languages, ',');
    if (languages.empty()) return "?";
    return commas < 3 ? languages : fmt::format("{} languages", commas + 1);
}

void print_table(const dragoman::ModelList& list) {
    if (list.empty()) return;
    std::vector<Cells> rows = {{"NAME", "FROM", "TO", "SIZE", "QUALITY", "LICENCE", "HERE"}};
    for (std::size_t i = 0; i < list.size(); ++i) {
        const dragoman_published_model& model = list[i];
        rows.push_back({model.name, few(model.from), few(model.to), size_text(model.bytes), quality_text(model),
                        *model.license ? model.license : "not stated", model.installed ? model.owner : ""});
    }
    print_rows(rows);
}

void print_json(const dragoman::ModelList& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const dragoman_published_model& model = list[i];
        Json json;
        json["name"] = model.name;
        json["installed"] = model.installed != 0;
        json["from"] = languages_json(model.from);
        json["to"] = languages_json(model.to);
        const std::pair<const char*, const char*> texts[] = {{"title", model.title},
                                                             {"publisher", model.publisher},
                                                             {"license", model.license},
                                                             {"version", model.version},
                                                             {"architecture", model.architecture},
                                                             {"metric", model.metric},
                                                             {"path", model.path},
                                                             {"owner", model.owner},
                                                             {"notice", model.notice},
                                                             {"gate", model.gate}};
        for (const auto& [key, value] : texts)
            if (*value) json[key] = value;
        if (model.quality != 0) json["quality"] = static_cast<float>(model.quality);
        json["bytes"] = model.bytes;
        json["files"] = Json::array();
        for (std::size_t f = 0; f < model.file_count; ++f) json["files"].push_back(file_json(list.file(i, f)));
        fmt::print("{}\n", json.dump());
    }
}

void print_details(const dragoman::ModelList& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const dragoman_published_model& model = list[i];
        const auto print = [](const char* label, std::string_view value) {
            if (!value.empty()) fmt::print("{:<13} {}\n", label, value);
        };
        print("name", model.name);
        print("title", model.title);
        print("from", model.from);
        print("to", model.to);
        print("size", size_text(model.bytes));
        print("licence", *model.license ? model.license : "not stated");
        print("publisher", model.publisher);
        print("version", model.version);
        print("architecture", model.architecture);
        print("quality", quality_text(model));
        print("accept first", model.gate);
        print("notice", model.notice);
        print("path", model.path);
        print("kept by", model.owner);
        const char* label = "files";
        for (std::size_t f = 0; f < model.file_count; ++f) {
            const dragoman_published_file& file = list.file(i, f);
            std::string checked = *file.sha256 ? " sha256 " + std::string(file.sha256) : " no hash is published";
            if (*file.proof) checked += fmt::format(" ({})", file.proof);
            fmt::print("{:<13} {}, {},{}\n", label, file.name, size_text(file.bytes), checked);
            label = "";
        }
    }
}

void print_registries(bool json) {
    dragoman_registry_list* list = nullptr;
    if (const dragoman_status status = dragoman_registries(&list); status != DRAGOMAN_OK)
        throw dragoman::Error(status, dragoman_models_error());
    std::vector<Cells> rows = {{"ID", "TITLE", "LICENCE", "LIST OF", "LIST", "MIRROR", "FILE"}};
    for (std::size_t i = 0; i < dragoman_registry_list_count(list); ++i) {
        const dragoman_registry& registry = *dragoman_registry_list_get(list, i);
        rows.push_back({registry.id, registry.title, *registry.license ? registry.license : "by model",
                        *registry.list_time ? registry.list_time : "", *registry.list_url ? registry.list_url : "none",
                        registry.mirror, registry.file});
        if (!json) continue;
        Json object;
        object["id"] = registry.id;
        object["title"] = registry.title;
        object["homepage"] = registry.homepage;
        object["license"] = registry.license;
        object["notice"] = registry.notice;
        object["list_url"] = registry.list_url;
        object["list_time"] = registry.list_time;
        object["mirror"] = registry.mirror;
        object["file"] = registry.file;
        fmt::print("{}\n", object.dump());
    }
    dragoman_registry_list_destroy(list);
    if (!json) print_rows(rows);
}

void convert_kept(const dragoman_published_model& model, int32_t weight_type) {
    if (std::string(model.owner) != "dragoman")
        throw Failure(fmt::format("{}: --convert: expected a model that was downloaded, it is {}'s", model.name,
                                  model.owner));
    const std::string made = std::string(model.path) + ".convert.gguf";
    dragoman::ConvertOptions options;
    options.weight_type = weight_type;
    options.replace = 1;
    std::error_code none;
    try {
        dragoman::convert_model(model.path, made, options);
        dragoman::keep_file(model.name, made);
    } catch (...) {
        std::filesystem::remove(dragoman::path_of(made), none);
        throw;
    }
    std::filesystem::remove(dragoman::path_of(made), none);
}

}  // namespace cli
