// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/huggingface.h"

#include <algorithm>

#include "base/error.h"
#include "families/huggingface/bart.h"
#include "families/huggingface/bert.h"
#include "families/huggingface/gpt2.h"
#include "families/huggingface/keys.h"
#include "families/huggingface/m2m100.h"
#include "families/huggingface/marian_mt.h"
#include "families/huggingface/mbart.h"
#include "families/huggingface/opt.h"
#include "families/huggingface/settings.h"
#include "families/huggingface/t5.h"
#include "families/huggingface/xglm.h"
#include "families/huggingface/xlm_roberta.h"
#include "formats/checkpoint.h"

namespace dragoman::families {
namespace {

// A family by the model_type of config.json. `architectures`: the classes whose checkpoints it reads; the same
// type may also be an encoder alone, or have another layer on top.
struct Family {
    std::string_view model_type;
    std::vector<std::string_view> architectures;
    spec::ModelSpec (*load)(const FileSet&, const HuggingFaceSettings&);
};

const Family kFamilies[] = {
    {"marian", {"MarianMTModel", "MarianModel"}, load_marianmt},
    {"m2m_100", {"M2M100ForConditionalGeneration", "M2M100Model"}, load_m2m100},
    {"bart", {"BartForConditionalGeneration", "BartModel"}, load_bart},
    {"mbart", {"MBartForConditionalGeneration", "MBartModel"}, load_mbart},
    {"t5", {"T5ForConditionalGeneration", "T5WithLMHeadModel"}, load_t5},
    {"mt5", {"MT5ForConditionalGeneration", "T5ForConditionalGeneration"}, load_t5},
    {"umt5", {"UMT5ForConditionalGeneration"}, load_t5},
    {"gpt2", {"GPT2LMHeadModel"}, load_gpt2},
    {"xglm", {"XGLMForCausalLM"}, load_xglm},
    {"opt", {"OPTForCausalLM"}, load_opt},
    {"bert", {"BertModel", "BertForMaskedLM", "BertForPreTraining", "BertForNextSentencePrediction"}, load_bert},
    {"xlm-roberta", {"XLMRobertaModel", "XLMRobertaForMaskedLM"}, load_xlm_roberta},
};

const Family& family_of(const HuggingFaceSettings& settings) {
    const std::string type = settings.text("model_type");
    std::vector<std::string_view> known;
    for (const Family& family : kFamilies) {
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

bool is_huggingface(const FileSet& files) { return formats::find_checkpoint(files).has_value(); }

spec::ModelSpec load_huggingface(const FileSet& files) {
    const HuggingFaceSettings settings(files);
    const Family& family = family_of(settings);
    check_architecture(settings, family);
    check_huggingface_keys(settings, family.model_type);
    spec::ModelSpec spec = family.load(files, settings);
    spec.path = files.folder_path();
    spec.format = "huggingface";
    return spec;
}

}  // namespace dragoman::families
