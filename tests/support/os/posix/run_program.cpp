// SPDX-License-Identifier: Apache-2.0
#include "support/run_program.h"

#include <sys/wait.h>

#include <cstdlib>

namespace dragoman::test {

// Through the shell; every argument is quoted.
Run run(const std::string& program, const std::vector<std::string>& arguments, const std::string& input,
        const std::string& environment) {
    const TempDir folder;
    const auto quote = [](const std::string& text) {
        std::string quoted = "'";
        for (char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return quoted + "'";
    };
    std::string command = "DRAGOMAN_VALIDATION=0 " + environment;  // the last one holds
    command.append(" ").append(quote(program));
    for (const std::string& argument : arguments) command.append(" ").append(quote(argument));
    const std::filesystem::path out = folder.path() / "out", err = folder.path() / "err";
    command.append(" <").append(quote(folder.write("in", input)));
    command.append(" >").append(quote(out)).append(" 2>").append(quote(err));
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out), read_file(err)};
}

}  // namespace dragoman::test
