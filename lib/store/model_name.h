// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dragoman::store {

// The name of a published model: "firefox:de-en", "hf:facebook/nllb-200-distilled-600M", "url:https://host/model.zip".
struct ModelName {
    // Nullopt for what is a path: no ':', a drive ("C:\models"), or a file or folder of that very name.
    // A registry is [a-z][a-z0-9_-]+ of at least two characters; the rest is not empty.
    static std::optional<ModelName> find(std::string_view text);

    std::string registry;
    std::string model;

    std::string str() const { return registry + ":" + model; }
    // Name of the model's folder in its registry's folder: one path component that is valid on every system and differs
    // for different models ("facebook--nllb-200-distilled-600M"); percent signs stand for other bytes.
    std::string folder() const;

    auto operator<=>(const ModelName&) const = default;
};

}  // namespace dragoman::store
