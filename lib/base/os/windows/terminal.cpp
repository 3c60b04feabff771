// SPDX-License-Identifier: Apache-2.0
#include "base/os/terminal.h"

#include <array>
#include <cstdlib>
#include <iostream>
#include <streambuf>
#include <string>
#include <vector>

#include "base/os/windows/api.h"
// This header needs windows.h before it.
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdio.h>

namespace dragoman::os {
namespace {

// Reads typed text line by line: read as bytes, a console gives nothing for letters beyond ASCII.
class TypedLines : public std::streambuf {
    int underflow() override {
        std::wstring typed;
        do {
            std::array<wchar_t, 512> part;
            DWORD count = 0;
            SetLastError(ERROR_SUCCESS);
            const bool read = ReadConsoleW(GetStdHandle(STD_INPUT_HANDLE), part.data(), DWORD(part.size()), &count,
                                           nullptr);
            if (count == 0 && GetLastError() == ERROR_OPERATION_ABORTED) continue;  // Ctrl-C, which other code handles
            if (!read || count == 0) break;
            typed.append(part.data(), count);
        } while (!typed.ends_with(L'\n'));
        constexpr wchar_t kCtrlZ = 26;
        if (typed.empty() || typed.front() == kCtrlZ) return traits_type::eof();
        line_ = utf8(typed);
        if (line_.ends_with("\r\n")) line_.replace(line_.size() - 2, 2, "\n");
        setg(line_.data(), line_.data(), line_.data() + line_.size());
        return traits_type::to_int_type(line_.front());
    }

    std::string line_;
};

std::vector<char*> utf8_arguments(int& count) {
    static std::vector<std::string> texts;
    wchar_t** arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    for (int i = 0; i < count; ++i) texts.push_back(utf8(arguments[i]));
    LocalFree(arguments);
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

bool is_terminal(std::FILE* stream) { return _isatty(_fileno(stream)) != 0; }

const char* end_of_input() { return "Ctrl-Z and Enter"; }

void prepare_console(int& argc, char**& argv) {
    static std::vector<char*> arguments = utf8_arguments(argc);
    argv = arguments.data();
    for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    DWORD mode = 0;
    static TypedLines typed;
    std::ios::sync_with_stdio(false);  // called later, it would give std::cin another buffer
    if (GetConsoleMode(GetStdHandle(STD_INPUT_HANDLE), &mode)) std::cin.rdbuf(&typed);
}

void end_as_interrupted(int) {  // there only Ctrl-C comes
    constexpr UINT kControlC = 0xC000013A;
    TerminateProcess(GetCurrentProcess(), kControlC);
    std::abort();
}

}  // namespace dragoman::os
