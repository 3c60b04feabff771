// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "support/os/terminal.h"

struct Settings {
    std::string model, to;
};

// Translates one text at a time in the background; a newer text stops the one at work. The translation grows while the
// library works: whole sentences, and with an engine that tells of them the tokens of unfinished ones.
class Worker {
public:
    struct Shown {
        std::string source, translation;
        bool whole;
    };

    explicit Worker(const Settings& settings);

    void ask(const std::string& text);
    std::optional<Shown> take();                     // what is new; throws what went wrong
    std::string translate(const std::string& text);  // waits
    const os::Bell& bell() const { return bell_; }   // rung when take() has something

private:
    void hear(const dragoman_event& event);
    std::string finish();

    std::string to_;
    dragoman::Model model_;
    dragoman::Translator translator_;
    dragoman::TranslateOptions options_;
    os::Bell bell_;
    std::string asked_;
    std::mutex mutex_;                             // for the next two
    std::map<std::size_t, std::string> sentences_;  // so far
    bool ended_ = false;
    std::optional<dragoman::Job> job_;  // last: it is the first to go
};
