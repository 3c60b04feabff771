// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/translation_key.h"

#include "base/error.h"
#include "base/fingerprint.h"
#include "engine/replicas.h"
#include "pipeline/model/model_info.h"
#include "pipeline/run/key_value.h"
#include "pipeline/run/remembered.h"
#include "tm/kept_key.h"
#include "vulkan/context.h"

namespace dragoman::pipeline {
namespace {

std::string key_of(const Leg& leg, const std::string& place) {
    std::string key;
    const auto add = [&](std::string_view name, const auto& value) {
        key += fmt::format("{}{}\t{}\n", name, place, key_value(value));
    };
    const Model& model = *leg.model;
    Fingerprint print = model.fingerprint();
    print.add(model.text_fingerprint());
    add(tm::kDeviceName, model.replicas()->device_names());
    add(tm::kComputeTypeName, std::string(name(model.replicas()->types())));
    add(tm::kModelName, print);
    const spec::SearchDefaults& search = leg.plan.search;
    {
        const TranslateOptions& o = leg.plan.decoding;
#include "pipeline/run/decoding_key.inc"
    }
    {
        const TextOptions& o = leg.plan.text;
#include "pipeline/run/text_key.inc"
    }
    Fingerprint rules;
    rules.add(std::string_view(answer_context(leg.plan)));
    add(tm::kRulesName, rules);
    return key;
}

}  // namespace

std::string translation_key(std::span<const Leg> legs, bool of_texts) {
    std::string key = fmt::format("inputs\t{}\n", of_texts ? "texts" : "tokens");
    for (std::size_t i = 0; i < legs.size(); ++i)
        key += key_of(legs[i], i == 0 ? std::string() : fmt::format(" of model {}", i + 1));
    return key;
}

}  // namespace dragoman::pipeline
