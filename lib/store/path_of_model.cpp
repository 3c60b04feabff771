// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "base/os/path_text.h"
#include "store/elsewhere/elsewhere.h"
#include "store/installed.h"
#include "store/model_name.h"

namespace dragoman::store {
namespace {

constexpr std::size_t kNear = 3;

// Names that somebody may have meant: of few other letters, or of the same model elsewhere.
std::vector<std::string> near_misses(const ModelName& name) {
    std::vector<std::string> names;
    for (const Installed& model : installed()) {
        const auto colon = model.name.find(':');
        const bool same_model = model.name.substr(colon + 1) == name.model;
        if (same_model || edit_distance(model.name, name.str()) <= std::max<std::size_t>(2, name.model.size() / 4))
            names.push_back(model.name);
    }
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return nearest_names(name.str(), names, kNear);
}

}  // namespace

std::filesystem::path path_of_model(std::string_view given) {
    const auto name = ModelName::find(given);
    if (!name) return path_of(given);
    if (const auto model = find_installed(given)) return model->path;
    if (const std::string refusal = name->registry == "hf" ? hub_refusal(name->model) : ""; !refusal.empty())
        fail(Status::unsupported, "{}: {}", name->str(), refusal);
    const std::vector<std::string> near = near_misses(*name);
    const std::string command = name->registry == "ollama" ? "ollama pull " + name->model
                                                           : "dragoman models download " + name->str();
    fail(Status::io_error, "{} is not on this machine; `{}` brings it{}{}", name->str(), command,
         near.empty() ? "" : "; here are: ", fmt::join(near, ", "));
}

}  // namespace dragoman::store
