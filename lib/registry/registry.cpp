// SPDX-License-Identifier: Apache-2.0
#include "registry/registry.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/environment.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/os/path_text.h"
#include "registry/built_in.h"
#include "registry/data_keys.h"
#include "registry/mirror.h"
#include "registry/shapes/shapes.h"

namespace dragoman::registry {
namespace {

bool is_id(const std::string& id) {
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    return id.size() >= 2 && id.size() <= 40 && id[0] >= 'a' && id[0] <= 'z' && std::ranges::all_of(id, fits);
}

Registry read_registry(nlohmann::json data, const std::string& file) {
    Registry registry;
    DataKeys keys(data, file);
    registry.id = keys.needed("id");
    if (!is_id(registry.id))
        fail(Status::bad_model, "{}: expected two or more of a-z, 0-9, '_', '-', a letter first, got {}", keys.at("id"),
             registry.id);
    registry.title = keys.needed("title");
    registry.homepage = keys.text("homepage");
    registry.license = keys.text("license");
    registry.notice = keys.text("notice");
    registry.list_url = keys.text("list");
    if (!registry.list_url.empty() && server_of(registry.list_url).empty())
        fail(Status::bad_model, "{}: expected an http or https address, got {}", keys.at("list"), registry.list_url);
    registry.mirror_variable = "DRAGOMAN_MIRROR_";
    for (const char c : registry.id)
        registry.mirror_variable += c == '-' ? '_' : c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    registry.file = file;
    registry.data = std::move(data);
    check_shape(registry);
    return registry;
}

nlohmann::json parse_file(const std::string& text, const std::string& file) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& error) {
        fail(Status::bad_model, "{}: {}", file, error.what());
    }
}

void put(std::vector<Registry>& all, Registry registry) {
    const auto same = std::ranges::find(all, registry.id, &Registry::id);
    if (same == all.end()) all.push_back(std::move(registry));
    else *same = std::move(registry);
}

}  // namespace

std::vector<Registry> registries() {
    std::vector<Registry> all;
    const auto built_in = nlohmann::json::parse(kBuiltIn.begin(), kBuiltIn.end());
    for (const auto& [name, data] : built_in.items()) put(all, read_registry(data, "built in: " + name));
    for (Registry& registry : all) registry.file = "built in";

    const std::filesystem::path config = os::config_folder();
    std::vector<std::filesystem::path> files;
    std::error_code none;
    if (!config.empty())
        for (const auto& entry : std::filesystem::directory_iterator(config / "dragoman" / "registries", none))
            if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const std::filesystem::path& path : files) {
        std::ifstream in(path, std::ios::binary);
        if (!in) fail(Status::io_error, "{}: cannot be read", text_of(path));
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        put(all, read_registry(parse_file(text, text_of(path)), text_of(path)));
    }
    std::ranges::sort(all, {}, &Registry::id);
    return all;
}

const Registry& find_registry(const std::vector<Registry>& all, const std::string& id) {
    const auto found = std::ranges::find(all, id, &Registry::id);
    if (found != all.end()) return *found;
    std::vector<std::string> ids;
    for (const Registry& registry : all) ids.push_back(registry.id);
    fail(Status::invalid_argument, "{}: no such registry; those known are {}", id, fmt::join(ids, ", "));
}

}  // namespace dragoman::registry
