// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/os/environment.h"
#include "base/os/path_text.h"
#include "store/elsewhere/elsewhere.h"
#include "store/elsewhere/folder_files.h"
#include "store/elsewhere/gguf_architecture.h"
#include "store/elsewhere/plain_name.h"
#include "store/elsewhere/user_folders.h"
#include "store/folders.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

constexpr std::string_view kModelLayer = "application/vnd.ollama.image.model";
constexpr std::string_view kSystemFolder = "/usr/share/ollama/.ollama/models";  // of its service on Linux

std::vector<fs::path> ollama_folders() {
    if (fs::path named = named_folder("OLLAMA_MODELS"); !named.empty()) return {std::move(named)};
    return {below(os::home_folder(), ".ollama/models"), path_of(kSystemFolder)};
}

// "gemma3:4b" for models of its own library, "host/namespace/model:tag" for others; "" for parts that no name has. A
// port's colon is written as %3A.
std::string name_of(std::string host, const std::string& space, const std::string& model, const std::string& tag) {
    if (const auto colon = host.find("%3A"); colon != host.npos) host.replace(colon, 3, "+");
    for (const std::string_view part :
         {std::string_view(host), std::string_view(space), std::string_view(model), std::string_view(tag)})
        if (!is_plain_name(part)) return {};
    std::ranges::replace(host, '+', ':');
    const bool own = host == "registry.ollama.ai" || host == "ollama.com";
    return fmt::format("ollama:{}{}{}:{}", own ? "" : host + "/", own && space == "library" ? "" : space + "/", model,
                       tag);
}

// The blob with this digest, or an empty path for what is no digest.
fs::path blob(const fs::path& folder, std::string_view digest) {
    constexpr std::string_view kBegin = "sha256:";
    const std::string_view hex = digest.substr(std::min(kBegin.size(), digest.size()));
    const bool right = digest.starts_with(kBegin) && hex.size() == 64 && std::ranges::all_of(hex, [](char c) {
                           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                       });
    return right ? folder / "blobs" / fmt::format("sha256-{}", hex) : fs::path();
}

const Json* list_in(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_array() ? &*found : nullptr;
}

// The file with the weights. Of a manifest for several programs, the first one's that has any.
fs::path weights_of(const fs::path& folder, const Json& manifest, bool of_several = false) {
    if (const Json* layers = list_in(manifest, "layers")) {
        for (const Json& layer : *layers)
            if (layer.is_object() && text_in(layer, "mediaType") == kModelLayer)
                return blob(folder, text_in(layer, "digest"));
    }
    const Json* manifests = of_several ? nullptr : list_in(manifest, "manifests");
    if (!manifests) return {};
    for (const Json& one : *manifests) {
        if (!one.is_object()) continue;
        const fs::path kept = blob(folder, text_in(one, "digest"));
        const fs::path weights = weights_of(folder, kept.empty() ? one : read_json_file(kept), true);
        if (!weights.empty()) return weights;
    }
    return {};
}

void add_manifest(const fs::path& folder, const fs::path& manifest, std::string name, std::vector<Installed>& models) {
    fs::path weights;
    try {
        weights = weights_of(folder, read_json_file(manifest));
    } catch (const Error&) {
        return;
    }
    if (weights.empty()) return;
    std::string architecture = gguf_architecture(weights);
    if (!is_read_architecture(architecture)) return;
    std::error_code error;
    Installed model;
    model.name = std::move(name);
    model.path = weights;
    model.architecture = std::move(architecture);
    model.bytes = fs::file_size(weights, error);
    model.owner = "ollama";
    if (!error) models.push_back(std::move(model));
}

}  // namespace

void add_ollama(std::vector<Installed>& models) {
    std::set<std::string> taken = {""};
    const auto add_host = [&](const fs::path& folder, const fs::path& host) {
        for (const fs::path& space : folders_in(host)) {
            for (const fs::path& model : folders_in(space)) {
                for (const auto& [tag, bytes] : files_in(model)) {
                    std::string name = name_of(text_of(host.filename()), text_of(space.filename()),
                                               text_of(model.filename()), tag);
                    if (taken.insert(name).second) add_manifest(folder, model / path_of(tag), std::move(name), models);
                }
            }
        }
    };
    for (const fs::path& folder : ollama_folders())
        for (const char* version : {"manifests-v2", "manifests"})  // the newer one goes first
            for (const fs::path& host : folders_in(below(folder, version))) add_host(folder, host);
}

}  // namespace dragoman::store
