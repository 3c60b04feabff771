// SPDX-License-Identifier: Apache-2.0
#include "support/system.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <system_error>

namespace dragoman::test {

bool on_wine() { return false; }

void make_named_pipe(const std::filesystem::path& path) {
    if (mkfifo(path.c_str(), 0600) != 0) throw std::system_error(errno, std::system_category(), "mkfifo");
}

int run_into(const std::string& device, const std::string& program, const std::vector<std::string>& arguments) {
    std::string command = "'" + program + "'";
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const int status = std::system((command + " >" + device + " 2>/dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace dragoman::test
