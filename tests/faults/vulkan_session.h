// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>

#include <memory>
#include <optional>
#include <string>

#include "faults/vulkan_families.h"

namespace dragoman::test {

// What a program does with a model from open to close, each step on its own and as often as it likes.
class Session {
public:
    enum Step { open, load_other, load, translate, score, embed, trim, ask_other, unload, close, kSteps };
    static const char* name(Step step);

    explicit Session(const Family& family) : family_(&family) {}
    bool has(Step step) const;
    // What there is to compare; throws dragoman::Error.
    std::string run(Step step);
    bool is_open() const { return device_.has_value(); }

private:
    std::string run_translate();
    std::string run_score();

    const Family* family_;
    std::optional<Device> device_;
    std::optional<Model> other_, model_;
    std::optional<Translator> other_translator_, translator_;
};

}  // namespace dragoman::test
