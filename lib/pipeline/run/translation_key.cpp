// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/translation_key.h"

#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "engine/model.h"
#include "pipeline/model/model_info.h"
#include "pipeline/run/remembered.h"
#include "text/glossary.h"
#include "tm/kept_key.h"
#include "tm/translation_memory.h"
#include "vulkan/context.h"

namespace dragoman::pipeline {
namespace {

constexpr std::string_view kNone = "none";

std::string shown(const Fingerprint& print) {
    return fmt::format("{}{:016x}{:016x}", tm::kPrintBegin, print.high(), print.low());
}

// A tab or line break would end the value.
std::string shown(std::string_view text) {
    std::string safe;
    for (const char byte : text) {
        if (byte == '\t') safe += "\\t";
        else if (byte == '\n') safe += "\\n";
        else if (byte == '\\') safe += "\\\\";
        else safe += byte;
    }
    return safe;
}
std::string shown(const std::string& text) { return shown(std::string_view(text)); }

template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
std::string shown(T value) {
    if constexpr (std::is_enum_v<T>) return fmt::format("{}", int(value));
    else return fmt::format("{}", value);
}
template <class T>
std::string shown(const std::optional<T>& value) {
    return value ? shown(*value) : std::string("not set");
}

// One, or several behind each other.
void add_texts(Fingerprint& to, const std::string& text) { to.add(std::string_view(text)); }
template <class T>
void add_texts(Fingerprint& to, const std::vector<T>& texts) {
    to.add(texts.size());
    for (const T& text : texts) add_texts(to, text);
}
template <class T>
std::string shown(const std::vector<T>& texts) {
    if (texts.empty()) return std::string(kNone);
    Fingerprint print;
    add_texts(print, texts);
    return shown(print);
}

std::string shown(const std::shared_ptr<const text::Glossary>& glossary) {
    return glossary ? fmt::format("{}{:016x}", tm::kPrintBegin, glossary->fingerprint()) : std::string(kNone);
}
// Answers of searches are equal with and without a memory; its segments are not what a model would say.
std::string shown(const std::shared_ptr<tm::Memory>& memory) {
    return memory && memory->has_segments() ? shown(memory->segments_fingerprint()) : std::string(kNone);
}

std::string key_of(const Leg& leg, const std::string& place) {
    std::string key;
    const auto add = [&](std::string_view name, const auto& value) {
        key += fmt::format("{}{}\t{}\n", name, place, shown(value));
    };
    const Model& model = *leg.model;
    Fingerprint print = model.fingerprint();
    print.add(model.text_fingerprint());
    add(tm::kDeviceName, std::string(model.context().caps().name));
    add(tm::kComputeTypeName, std::string(name(model.network()->type())));
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
