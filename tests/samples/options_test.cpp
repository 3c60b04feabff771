// SPDX-License-Identifier: Apache-2.0
#include "support/options.h"

#include <doctest/doctest.h>

namespace options_test {

namespace {

struct Read {
    std::string options;  // letters with their values
    std::vector<std::string> others;
};

Read read(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    CommandLine line(
        int(pointers.size()), pointers.data(),
        {{"model", 'm', true}, {"quiet", 'q', false}, {"paragraphs", 'p', false}, {"restart", 256, false}});
    Read read;
    for (int c; (c = line.next()) != CommandLine::kEnd;) {
        read.options += c < 256 ? std::string(1, char(c)) : "R";
        if (c == 'm') read.options += std::string("=") + line.value();
        read.options += ' ';
    }
    read.others = line.others();
    return read;
}

std::string fault(std::vector<std::string> arguments) {
    try {
        read(std::move(arguments));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("options in every form, between other arguments") {
    const Read all =
        read({"in", "--model", "a", "--model=b=c", "-m", "d", "-me", "-pq", "-qm", "f", "out", "--restart"});
    CHECK(all.options == "m=a m=b=c m=d m=e p q q m=f R ");
    CHECK(all.others == Texts{"in", "out"});
    CHECK(read({"--model="}).options == "m= ");
    CHECK(read({"-m", "-q"}).options == "m=-q ");
    CHECK(read({}).others.empty());
}

TEST_CASE("a dash is no option, and after two there are none") {
    const Read dashes = read({"-", "-q", "--", "-p", "--model"});
    CHECK(dashes.options == "q ");
    CHECK(dashes.others == Texts{"-", "-p", "--model"});
}

TEST_CASE("wrong options are named") {
    CHECK(fault({"--mode", "a"}) == "--mode: no such option");
    CHECK(fault({"-x"}) == "-x: no such option");
    CHECK(fault({"-qx"}) == "-x: no such option");
    CHECK(fault({"--model"}) == "--model: expected a value");
    CHECK(fault({"-m"}) == "-m: expected a value");
    CHECK(fault({"--quiet=1"}) == "--quiet: takes no value");
}

}  // namespace options_test
