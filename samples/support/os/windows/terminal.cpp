// SPDX-License-Identifier: Apache-2.0
#include "support/os/terminal.h"

#include <array>
#include <system_error>
#include <vector>

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// After windows.h.
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdio.h>

namespace os {
namespace {

DWORD cooked_input, cooked_output;

HANDLE input() { return GetStdHandle(STD_INPUT_HANDLE); }
HANDLE output() { return GetStdHandle(STD_OUTPUT_HANDLE); }
HANDLE handle_of(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

void check(bool right, const char* what) {
    if (!right) throw std::system_error(static_cast<int>(GetLastError()), std::system_category(), what);
}

std::string utf8(const wchar_t* text, int size) {
    std::string result(static_cast<std::size_t>(WideCharToMultiByte(CP_UTF8, 0, text, size, nullptr, 0, nullptr,
                                                                    nullptr)),
                       0);
    WideCharToMultiByte(CP_UTF8, 0, text, size, result.data(), static_cast<int>(result.size()), nullptr, nullptr);
    return result;
}

BOOL WINAPI restore(DWORD) {
    SetConsoleMode(input(), cooked_input);
    SetConsoleMode(output(), cooked_output);
    return FALSE;  // the program ends
}

}  // namespace

bool is_terminal(std::FILE* stream) { return _isatty(_fileno(stream)) != 0; }

void prepare_console(int& argc, char**& argv) {
    static std::vector<std::string> texts;
    static std::vector<char*> pointers;
    wchar_t** arguments = CommandLineToArgvW(GetCommandLineW(), &argc);
    for (int i = 0; i < argc; ++i) {
        texts.push_back(utf8(arguments[i], -1));
        texts.back().pop_back();  // its zero
    }
    LocalFree(arguments);
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    argv = pointers.data();
    for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

// Counts as consoles do: two for the wide scripts of East Asia and for emoji, none for marks.
std::size_t columns_of(char32_t c) {
    if ((c >= 0x300 && c < 0x370) || c == 0x200B || c == 0x200D || (c >= 0xFE00 && c < 0xFE10)) return 0;
    const bool wide = (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) || (c >= 0xAC00 && c < 0xD7A4) ||
                      (c >= 0xF900 && c < 0xFB00) || (c >= 0xFE30 && c < 0xFE70) || (c >= 0xFF00 && c < 0xFF61) ||
                      (c >= 0x1F300 && c < 0x1FAF0) || (c >= 0x20000 && c < 0x40000);
    return wide ? 2 : 1;
}

Bell::Bell() : handles_{reinterpret_cast<std::intptr_t>(CreateEventW(nullptr, TRUE, FALSE, nullptr)), 0} {
    check(handles_[0] != 0, "CreateEvent");
}

Bell::~Bell() { CloseHandle(handle_of(handles_[0])); }

void Bell::ring() { SetEvent(handle_of(handles_[0])); }

void Bell::quiet() { ResetEvent(handle_of(handles_[0])); }

RawTerminal::RawTerminal() {
    check(GetConsoleMode(input(), &cooked_input) && GetConsoleMode(output(), &cooked_output), "terminal");
    SetConsoleCtrlHandler(restore, TRUE);
    // Keys as the sequences that terminals elsewhere send; Ctrl-C still ends the program.
    check(SetConsoleMode(input(), ENABLE_PROCESSED_INPUT | ENABLE_VIRTUAL_TERMINAL_INPUT | ENABLE_WINDOW_INPUT) &&
              SetConsoleMode(output(), cooked_output | ENABLE_VIRTUAL_TERMINAL_PROCESSING),
          "terminal");
}

RawTerminal::~RawTerminal() {
    restore(0);
    SetConsoleCtrlHandler(restore, FALSE);
}

std::size_t RawTerminal::columns() {
    CONSOLE_SCREEN_BUFFER_INFO info{};
    if (!GetConsoleScreenBufferInfo(output(), &info)) return 80;
    const int columns = info.srWindow.Right - info.srWindow.Left + 1;
    return columns > 10 ? static_cast<std::size_t>(columns) : 80;
}

RawTerminal::Ready RawTerminal::wait(const Bell& bell, int pause_ms) {
    const std::array handles{input(), handle_of(bell.handle())};
    const DWORD pause = pause_ms < 0 ? INFINITE : static_cast<DWORD>(pause_ms);
    const DWORD ready = WaitForMultipleObjects(2, handles.data(), FALSE, pause);
    check(ready != WAIT_FAILED, "the terminal cannot be read");
    const bool rung = WaitForSingleObject(handles[1], 0) == WAIT_OBJECT_0;
    return {.keys = ready == WAIT_OBJECT_0, .rung = rung, .in_time = ready != WAIT_TIMEOUT};
}

bool RawTerminal::read(std::string& keys) {
    std::array<INPUT_RECORD, 64> records;
    DWORD count = 0;
    keys.clear();
    if (!ReadConsoleInputW(input(), records.data(), DWORD(records.size()), &count)) return false;
    std::wstring typed;
    for (DWORD i = 0; i < count; ++i) {
        const KEY_EVENT_RECORD& key = records[i].Event.KeyEvent;
        if (records[i].EventType == KEY_EVENT && key.bKeyDown && key.uChar.UnicodeChar)
            typed.append(key.wRepeatCount, key.uChar.UnicodeChar);
    }
    keys = utf8(typed.data(), static_cast<int>(typed.size()));
    return true;
}

}  // namespace os
