// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "commands.h"
#include "inputs.h"

namespace cli {

// How much of an output file of lines is done, in a file beside it, OUTPUT.resume, until all of it is. That one only
// grows, by a checked line after each portion of the output, so the program may end at any moment. It begins with the
// key of the translations: others cannot be mixed with them. Sentences that end before those of earlier lines are in
// OUTPUT.resume-sentences.
class KeptLines {
public:
    struct Position {
        uint64_t inputs = 0, bytes = 0;         // written, and the output's size then
        uint64_t print = 0xcbf29ce484222325u;  // of the inputs
    };

    // Whether there can be one: the output is, or will be, a file.
    static bool possible(const TranslateCommand& command);

    // Without --resume begins anew. With it reads what an earlier run has left, and passes over the inputs that it wrote.
    // Throws Failure where these are others, or something else differs.
    KeptLines(const TranslateCommand& command, const dragoman::Translator& translator, Inputs& inputs);

    const Position& position() const { return position_; }
    dragoman_memory* sentences() const { return sentences_.get(); }  // for the options of jobs
    void take(std::string_view input);  // which is written next
    void save(uint64_t bytes);  // all that were taken are written, and the output has this size
    void finish();  // the output is complete
    // Says how to go on, if anything is kept. `begun`: the output was opened; it is not complete.
    void stop(bool begun);

    // In a handler: throws a Failure that names the output where what is kept beside it could not be written, otherwise
    // what is handled.
    [[noreturn]] void rethrow() const;

private:
    void begin();
    std::string key(const std::string* kept) const;
    void read();
    void pass_over(Inputs& inputs);
    void add(const std::string& line);
    void keep_sentences();
    [[noreturn]] void refuse(const std::string& why) const;
    [[noreturn]] void fail(const std::string& why) const;

    const TranslateCommand& command_;
    const dragoman::Translator& translator_;
    const std::string path_, sentences_path_;
    std::string key_;
    Position position_, saved_;
    bool follows_stop_ = false;  // another run had kept something, and its output may be there
    std::ofstream file_;
    dragoman::detail::Handle<dragoman_memory, dragoman_memory_destroy> sentences_;
};

}  // namespace cli
