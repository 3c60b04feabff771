// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.h"

namespace cli {

// The model of a command on its device, and the command's options as the library takes them.
class Loaded {
public:
    explicit Loaded(TranslateCommand& command);
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;
    dragoman::Translator& translator() { return translator_; }
    const std::optional<dragoman::TranslationMemory>& memory() const { return memory_; }
    void end() const;  // writes what shall be written of the memory

private:
    dragoman::ModelOptions on(const dragoman::Device& device) const;
    std::vector<dragoman::Model> load() const;
    void open_memory();
    static std::vector<std::string> way(const TranslateCommand& command);
    dragoman::Translator make_translator() const;

    TranslateCommand& command_;
    dragoman::Device device_;
    std::vector<dragoman::Model> models_;  // one, or those on the way
    dragoman::Translator translator_;
    std::optional<dragoman::Glossary> glossary_;
    std::optional<dragoman::TranslationMemory> memory_;
    std::vector<std::vector<std::string>> suppress_;
    dragoman::TokenViews suppress_views_;
    std::vector<dragoman_string> end_views_;
};

}  // namespace cli
