// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "inputs.h"

namespace cli {

// Gives a job inputs as they come, on a thread of its own, so that a slow source does not hold up results.
class Feed {
public:
    // As `command` says; at most its batch_size are at work. Starts to read.
    Feed(const TranslateCommand& command, std::unique_ptr<Inputs> inputs, dragoman::Job& job);
    ~Feed();  // cancels the job; a thread that waits for its source is left to itself
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    std::vector<std::string> done(std::size_t count);  // the first inputs at work, which no longer are
    void rethrow() const;     // the error that ended the source, or the job's refusal of an input
    double fraction() const;  // read so far, of a file

private:
    struct State;
    std::shared_ptr<State> state_;
};

std::vector<std::string> split(const std::string& text);  // at spaces
std::vector<std::vector<std::string>> split(const std::vector<std::string>& texts);

}  // namespace cli
