// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "inputs.h"

namespace cli {

// Gives a job inputs as they come, on threads of its own, so that a slow source does not hold up results.
class Feed {
public:
    // An input that was read.
    struct Input {
        std::string text;
        std::string place;    // "file: line 3"
        std::string refused;  // why no job gets it; empty: one does
        bool given = false;   // to the job
    };

    // Follows `command`: at most its batch_size inputs are being translated. Starts to read.
    Feed(const TranslateCommand& command, std::unique_ptr<Inputs> inputs, dragoman::Job& job);
    ~Feed();  // cancels the job; a thread that waits for its source is left to itself
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    bool refused();  // whether the first input that has not been taken is one that no job gets
    bool empty();    // whether all that were read have been taken
    Input take();    // the first one that has not been taken
    void let_go();   // of the job, which has ended with an error and may then be destroyed
    // Goes on with another job after one that ended with an error: its inputs are those that have not been taken.
    void go_on(dragoman::Job& job);
    void rethrow() const;  // the error that ended the source, or the job's refusal of an input

private:
    struct State;
    std::shared_ptr<State> state_;
    dragoman::Job* last_job_ = nullptr;
};

std::vector<std::string> split(const std::string& text);  // at spaces
std::vector<std::vector<std::string>> split(const std::vector<std::string>& texts);

}  // namespace cli
