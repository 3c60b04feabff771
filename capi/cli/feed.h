// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lines.h"

namespace cli {

// Reads inputs ahead on a thread of its own, so that a slow source holds up nobody who has something else to do.
class Feed {
public:
    // `join`: an input is the lines up to a blank one, else a line. At most `ahead` inputs, or
    // a mebibyte of them, wait here.
    Feed(std::unique_ptr<Lines> lines, bool join, std::size_t ahead);
    ~Feed();  // a thread that waits for its source is left to itself
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    // What is there, of a file `most` where it has them: one input, or several of `most_bytes` together.
    std::vector<std::string> take(std::size_t most, std::size_t most_bytes);
    // Until take() gives something, if that is wanted, until wake(), or for a tenth of a second.
    void wait(std::size_t wanted);
    void wake();  // any thread

    bool over() const;        // all is taken
    void rethrow() const;     // what the source ended with: BadLine
    double fraction() const;  // read so far, of a file

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace cli
