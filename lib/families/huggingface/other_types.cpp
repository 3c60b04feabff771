// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/other_types.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace dragoman::families {
namespace {

constexpr std::string_view kPairModels = "get an OPUS-MT model of the two languages, or M2M-100";
constexpr std::string_view kManyLanguages = "get NLLB-200, M2M-100 or MADLAD-400";
constexpr std::string_view kSpeech = "it is for speech; for texts get NLLB-200, M2M-100 or MADLAD-400";
constexpr std::string_view kOtherTask = "it is for summaries and dialogues; get a model that translates";
constexpr std::string_view kContinues =
    "it continues texts and is asked to translate in words, which is not supported; get a model that translates";
constexpr std::string_view kVectors =
    "for vectors of texts get an encoder in BERT's or XLM-R's form, such as LaBSE or E5";

struct OtherType {
    std::string_view begin;  // of the type, in small letters
    std::string_view instead;
};

constexpr OtherType kOtherTypes[] = {
    {"fsmt", kPairModels},
    {"encoder-decoder", kPairModels},
    {"plbart", kPairModels},
    {"indictrans", kManyLanguages},
    {"nllb-moe", "get one of the other sizes of NLLB-200"},
    {"t5gemma", kManyLanguages},
    {"switch_transformers", kManyLanguages},
    {"seamless_m4t", kSpeech},
    {"whisper", kSpeech},
    {"speech_to_text", kSpeech},
    {"wav2vec2", kSpeech},
    {"pegasus", kOtherTask},
    {"bigbird_pegasus", kOtherTask},
    {"led", kOtherTask},
    {"longt5", kOtherTask},
    {"prophetnet", kOtherTask},
    {"xlm-prophetnet", kOtherTask},
    {"blenderbot", kOtherTask},
    {"mvp", kOtherTask},
    {"llama", kContinues},
    {"mistral", kContinues},
    {"mixtral", kContinues},
    {"qwen", kContinues},
    {"gemma", kContinues},
    {"phi", kContinues},
    {"bloom", kContinues},
    {"gpt_neo", kContinues},
    {"gptj", kContinues},
    {"falcon", kContinues},
    {"cohere", kContinues},
    {"plamo", kContinues},
    {"hunyuan", kContinues},
    {"chatglm", kContinues},
    {"roberta", kVectors},
    {"distilbert", kVectors},
    {"mpnet", kVectors},
    {"albert", kVectors},
    {"electra", kVectors},
    {"deberta", kVectors},
    {"modernbert", kVectors},
    {"nomic_bert", kVectors},
    {"camembert", kVectors},
    {"new", kVectors},
    {"xlm-roberta-xl", kVectors},
};

}  // namespace

std::string_view describe_other_type(std::string_view model_type) {
    std::string small(model_type);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    for (const OtherType& type : kOtherTypes)
        if (small.starts_with(type.begin)) return type.instead;
    return {};
}

}  // namespace dragoman::families
