// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dragoman::bench {

// What a benchmark takes from its command line: CLI11, whose headers take longer to compile than most of these programs
// do, and which is therefore compiled once for all of them. Not for several threads.
class Arguments {
public:
    // One of the options. Lives as long as its Arguments. Each call returns the same option.
    class Option {
    public:
        Option& required();
        Option& shown();  // --help says what the value is before the command line is read
        Option& needs(const Option& other);
        Option& excludes(const Option& other);
        Option& between(uint32_t least, uint32_t most);
        Option& one_of(std::vector<std::string> values);
        Option& by_commas();  // a list in one argument

    private:
        friend class Arguments;
        explicit Option(void* option) : option_(option) {}
        void* option_;  // CLI::Option, which has no name here
    };

    explicit Arguments(const std::string& what);  // what the program does
    ~Arguments();

    // `names`: "-m,--model", or "files" for what stands without a name. `value` has the default, and must outlive parse().
    Option option(const std::string& names, std::string& value, const std::string& help = "");
    Option option(const std::string& names, uint32_t& value, const std::string& help = "");
    Option option(const std::string& names, std::vector<std::string>& value, const std::string& help = "");
    Option option(const std::string& names, std::vector<uint32_t>& value, const std::string& help = "");
    Option flag(const std::string& names, bool& value, const std::string& help = "");

    // What the program has to return where it ends here: --help, or an error. Both have been printed.
    std::optional<int> parse(int argc, char** argv);

private:
    struct App;
    const std::unique_ptr<App> app_;
};

}  // namespace dragoman::bench
