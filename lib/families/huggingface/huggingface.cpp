// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/huggingface.h"

#include <algorithm>

#include "base/error.h"
#include "families/huggingface/family.h"
#include "formats/checkpoint.h"

namespace dragoman::families {
namespace {

// The order is that in which messages name them.
constexpr Family (*kFamilies[])() = {marian_mt, m2m100, bart, mbart, t5, mt5, umt5, gpt2, xglm, opt, bert, xlm_roberta};

const Family& family_of(const HuggingFaceSettings& settings) {
    const std::string type = settings.text("model_type");
    std::vector<std::string_view> known;
    for (const Family& family : huggingface_families()) {
        if (family.model_type == type) return family;
        known.push_back(family.model_type);
    }
    fail(Status::unsupported, "{}: model_type: expected {}, file has {}", settings.config_file(),
         fmt::join(known, " or "), type);
}

void check_architecture(const HuggingFaceSettings& settings, const Family& family) {
    const std::vector<std::string> stated = settings.texts("architectures");
    const auto known = [&](const std::string& name) {
        return std::ranges::find(family.architectures, name) != family.architectures.end();
    };
    if (!stated.empty() && std::ranges::none_of(stated, known)) {
        fail(Status::unsupported, "{}: architectures: expected {}, file has {}", settings.config_file(),
             fmt::join(family.architectures, " or "), fmt::join(stated, ", "));
    }
}

}  // namespace

std::span<const Family> huggingface_families() {
    static const std::vector<Family> families = [] {
        std::vector<Family> list;
        for (const auto family : kFamilies) list.push_back(family());
        return list;
    }();
    return families;
}

bool is_huggingface(const FileSet& files) { return formats::find_checkpoint(files).has_value(); }

spec::ModelSpec load_huggingface(const FileSet& files) {
    const HuggingFaceSettings settings(files);
    const Family& family = family_of(settings);
    check_architecture(settings, family);
    check_keys(settings, family);
    spec::ModelSpec spec = family.load(files, settings);
    spec.path = files.folder_path();
    spec.format = "huggingface";
    return spec;
}

}  // namespace dragoman::families
