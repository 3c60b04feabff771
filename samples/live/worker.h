// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <dragoman/dragoman.hpp>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

struct Settings {
    std::string model, to;
};

// Translates one text at a time on a thread of its own; a newer text stops the one at work. Today a translation comes
// as a whole; with a callback for each step it could be shown token by token.
class Worker {
public:
    struct Done {
        std::string source, translation;
    };

    explicit Worker(const Settings& settings);
    ~Worker();

    void ask(const std::string& text);
    std::optional<Done> take();                     // what is ready; throws what went wrong
    std::string translate(const std::string& text);  // waits
    int ready() const { return pipe_[0]; }          // readable when take() has something

private:
    void work();
    std::string translate_now(const std::string& text);

    std::string to_;
    dragoman::Model model_;
    dragoman::Translator translator_;
    dragoman::TranslateOptions options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<std::string> wanted_;
    std::optional<Done> done_;
    std::exception_ptr failure_;
    bool stop_ = false;
    int pipe_[2] = {-1, -1};
    std::thread thread_;
};
