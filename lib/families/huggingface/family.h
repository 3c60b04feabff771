// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "families/huggingface/keys.h"
#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// A family of models, by the model_type of config.json.
struct Family {
    std::string_view model_type;
    // The classes whose checkpoints it reads; the same type may also be an encoder-only model, or have another layer on
    // top.
    std::vector<std::string_view> architectures;
    spec::ModelSpec (*load)(const FileSet&, const HuggingFaceSettings&);
    std::vector<KeyRules> keys;
    bool generates = true;  // otherwise keys of GenerationConfig that are not in `keys` are ignored

    const KeyRule* find_key(std::string_view key) const;
};

// Each is defined in the file of its name.
Family bart();
Family bert();
Family gpt2();
Family m2m100();
Family marian_mt();
Family mbart();
Family mt5();
Family opt();
Family t5();
Family umt5();
Family xglm();
Family xlm_roberta();

std::span<const Family> huggingface_families();

// Checks the keys of both files. Throws unsupported where a refused one has an effect in transformers; warns about keys
// without a rule, and about generation settings of config.json that generation_config.json overrules.
void check_keys(const HuggingFaceSettings& settings, const Family& family);

}  // namespace dragoman::families
