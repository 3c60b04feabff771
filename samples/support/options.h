// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Reads a command line: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, and flags without a value, also several in one
// (-pq). Other arguments may stand between them; after -- there are no options.
class CommandLine {
public:
    struct Option {
        std::string_view name;
        int letter;  // above 255: there is no short form
        bool has_value;
    };
    static constexpr int kEnd = -1;

    CommandLine(int argc, char** argv, std::vector<Option> known);

    int next();  // the letter of the next option, or kEnd; throws UsageError naming what is wrong
    const char* value() const { return value_; }                        // of this option
    const std::vector<std::string>& others() const { return others_; }  // complete when next() was kEnd

private:
    int long_option(std::string_view text);
    int short_option();
    const char* next_argument(std::string_view option);

    std::vector<Option> known_;
    char** at_;
    char** end_;
    const char* letters_ = "";  // of this argument, yet to be read
    const char* value_ = nullptr;
    std::vector<std::string> others_;
};
