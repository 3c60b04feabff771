// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/key_value.h"

#include "base/fingerprint.h"
#include "text/glossary.h"
#include "tm/kept_key.h"
#include "tm/translation_memory.h"

namespace dragoman::pipeline {
namespace {

const std::string kNone = "none";

void add(Fingerprint& to, const std::vector<std::string>& tokens) {
    to.add(tokens.size());
    for (const std::string& token : tokens) to.add(std::string_view(token));
}

}  // namespace

// A tab or line break would end the value.
std::string key_value(std::string_view text) {
    std::string safe;
    for (const char byte : text) {
        if (byte == '\t') safe += "\\t";
        else if (byte == '\n') safe += "\\n";
        else if (byte == '\\') safe += "\\\\";
        else safe += byte;
    }
    return safe;
}

std::string key_value(const Fingerprint& print) {
    return fmt::format("{}{:016x}{:016x}", tm::kPrintBegin, print.high(), print.low());
}

std::string key_value(const std::vector<std::string>& tokens) {
    if (tokens.empty()) return kNone;
    Fingerprint print;
    add(print, tokens);
    return key_value(print);
}

std::string key_value(const std::vector<std::vector<std::string>>& sequences) {
    if (sequences.empty()) return kNone;
    Fingerprint print;
    print.add(sequences.size());
    for (const auto& tokens : sequences) add(print, tokens);
    return key_value(print);
}

std::string key_value(const std::shared_ptr<const text::Glossary>& glossary) {
    return glossary ? fmt::format("{}{:016x}", tm::kPrintBegin, glossary->fingerprint()) : kNone;
}

std::string key_value(const std::shared_ptr<tm::Memory>& memory) {
    return memory && memory->has_segments() ? key_value(memory->segments_fingerprint()) : kNone;
}

}  // namespace dragoman::pipeline
