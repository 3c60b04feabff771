// SPDX-License-Identifier: Apache-2.0
#include "support/run_program.h"

#include <array>
#include <map>
#include <stdexcept>

#include "command_line.h"

namespace dragoman::test {
namespace {

// "NAME=value NAME='value with spaces'"
std::map<std::wstring, std::wstring> variables(const std::string& text) {
    std::map<std::wstring, std::wstring> found;
    for (std::size_t at = text.find_first_not_of(' '); at < text.size(); at = text.find_first_not_of(' ', at)) {
        const std::size_t equals = text.find('=', at);
        if (equals == std::string::npos) throw std::runtime_error("no NAME=value: " + text);
        const bool quoted = text.compare(equals + 1, 1, "'") == 0;
        const std::size_t begin = equals + (quoted ? 2 : 1), end = text.find(quoted ? '\'' : ' ', begin);
        found[os::wide(text.substr(at, equals - at))] = os::wide(text.substr(begin, end - begin));
        at = end == std::string::npos ? end : end + 1;
    }
    return found;
}

// This process's environment with these: NAME=value, each with its zero, and one more.
std::wstring environment_with(const std::map<std::wstring, std::wstring>& more) {
    std::wstring block;
    wchar_t* const own = GetEnvironmentStringsW();
    for (const wchar_t* entry = own; *entry; entry += std::wstring_view(entry).size() + 1) {
        const std::wstring_view line = entry;
        if (!more.contains(std::wstring(line.substr(0, line.find(L'=', 1))))) block.append(line).push_back(0);
    }
    FreeEnvironmentStringsW(own);
    for (const auto& [name, value] : more) block.append(name + L"=" + value).push_back(0);
    block.push_back(0);
    return block;
}

HANDLE inherited(const std::filesystem::path& path, bool write) {
    SECURITY_ATTRIBUTES passed_on{sizeof passed_on, nullptr, TRUE};
    return CreateFileW(path.c_str(), write ? GENERIC_WRITE : GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                       &passed_on, write ? CREATE_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
}

}  // namespace

Run run(const std::string& program, const std::vector<std::string>& arguments, const std::string& input,
        const std::string& environment) {
    const TempDir folder;
    const std::filesystem::path out = folder.path() / "out", err = folder.path() / "err";
    const std::array files{inherited(folder.write("in", input), false), inherited(out, true), inherited(err, true)};
    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdInput = files[0];
    startup.hStdOutput = files[1];
    startup.hStdError = files[2];
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), program.ends_with(".exe") ? program : program + ".exe");
    std::wstring line = command_line(words),
                 block = environment_with(variables("DRAGOMAN_VALIDATION=0 " + environment));
    PROCESS_INFORMATION process{};
    const bool started = CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_UNICODE_ENVIRONMENT,
                                        block.data(), nullptr, &startup, &process);
    const std::error_code error = os::last_error();
    for (const HANDLE file : files) CloseHandle(file);
    if (!started) throw std::runtime_error(words.front() + ": " + error.message());
    WaitForSingleObject(process.hProcess, INFINITE);
    DWORD code = 0;
    GetExitCodeProcess(process.hProcess, &code);
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    constexpr DWORD kLargest = 0xFFFF;  // above: why the system ended it
    return {code <= kLargest ? static_cast<int>(code) : -1, read_file(out), read_file(err)};
}

}  // namespace dragoman::test
