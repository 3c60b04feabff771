// SPDX-License-Identifier: Apache-2.0
#include "model/families.h"

#include <string>
#include <vector>

#include "base/error.h"
#include "model/ctranslate2.h"
#include "model/huggingface.h"

namespace dragoman::model {
namespace {

constexpr Family kFamilies[] = {
    {"ctranslate2", "a directory with model.bin", is_ctranslate2, load_ctranslate2},
    {"huggingface", "a directory with config.json and model.safetensors", is_huggingface, load_huggingface},
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

ModelSpec load(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        fail(Status::io_error, "{}: {}", path.string(), error ? error.message() : "no such file or directory");
    }
    std::vector<std::string_view> known;
    for (const Family& family : kFamilies) {
        if (family.recognises(path)) return family.load(path);
        known.push_back(family.looks_like);
    }
    fail(Status::bad_model, "{}: not a model (expected {})", path.string(), fmt::join(known, " or "));
}

}  // namespace dragoman::model
