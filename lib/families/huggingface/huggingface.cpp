// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/huggingface.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "families/huggingface/family.h"
#include "families/huggingface/other_types.h"
#include "formats/checkpoint.h"
#include "formats/post_processor.h"

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
    const std::string_view instead = describe_other_type(type);
    fail(Status::unsupported, "{}: model_type: expected {}, file has {}{}{}", settings.config_file(),
         fmt::join(known, " or "), type, instead.empty() ? "" : "; ", instead);
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

// transformers takes the adapter and the model that its file names, not the weights in this folder.
void refuse_adapter(const FileSet& files) {
    const char* name = "adapter_config.json";
    if (!files.has(name) || !files.chosen().empty()) return;
    fail(Status::unsupported,
         "{}: an adapter (PEFT) beside {}, which is not supported: merge it into its model (merge_and_unload) and save "
         "that; give the path of {} itself for the model without the adapter",
         files.label(name), *formats::find_checkpoint(files), *formats::find_checkpoint(files));
}

// What a tokenizer.json puts around a text is heeded by the name of its class in transformers, not as the file says it.
void compare_template(const FileSet& files, std::string_view type, const spec::ModelSpec& spec) {
    constexpr const char* kFile = "tokenizer.json";
    const bool t5 = type == "t5" || type == "mt5" || type == "umt5";
    if (!(t5 || type == "bart" || type == "bert" || type == "xlm-roberta") || !files.has(kFile)) return;
    const auto stated = formats::read_text_template(files.read(kFile));
    const auto& pattern = spec.prompts.pattern;
    const formats::TextTemplate own = t5 ? formats::TextTemplate{.before = {}, .after = {spec.eos_token}}
                                         : formats::TextTemplate{pattern.source_before, pattern.source_after};
    if (!stated || *stated == own) return;
    log(LogLevel::warning,
        "{}: post_processor: not heeded: puts [{}] before a text and [{}] after it; [{}] and [{}] are put",
        files.label(kFile), fmt::join(stated->before, " "), fmt::join(stated->after, " "), fmt::join(own.before, " "),
        fmt::join(own.after, " "));
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
    refuse_adapter(files);
    const HuggingFaceSettings settings(files);
    const Family& family = family_of(settings);
    check_architecture(settings, family);
    check_keys(settings, family);
    spec::ModelSpec spec = family.load(files, settings);
    compare_template(files, family.model_type, spec);
    spec.path = files.folder_path();
    spec.format = "huggingface";
    return spec;
}

}  // namespace dragoman::families
