// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pipeline/model/plan.h"
#include "tm/translation_memory.h"

namespace dragoman::pipeline {

// What the answers to a plan's questions depend on besides these: the model's fingerprint and the rules.
std::string answer_context(const Plan& plan);

// The answers of a plan's searches in a memory. A question holds all that its answer depends on, and is compared in
// full: the model's fingerprint, the rules, and the input with its prefix and terms.
class Remembered {
public:
    // Null: the plan has no memory, or draws its translations at random.
    static std::unique_ptr<Remembered> of(const Plan& plan);
    explicit Remembered(const Plan& plan);

    // `attends`: the search keeps attention, whatever the plan says.
    static std::string question(const decode::SearchInput& input, bool attends);
    // Nothing, where the memory has none or what it has is no answer to that input.
    std::optional<decode::SearchOutput> find(const std::string& question, const decode::SearchInput& input,
                                             bool attends) const;
    void keep(const std::string& question, const decode::SearchOutput& output) const;
    void flush() const { memory_->flush(); }

private:
    bool fits(const decode::Hypothesis& hypothesis, std::size_t source, bool attends) const;

    const std::shared_ptr<tm::Memory> memory_;
    const uint32_t vocabulary_;
    const bool attention_, certainty_;
    const std::string& context_;
};

}  // namespace dragoman::pipeline
