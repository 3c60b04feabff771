// SPDX-License-Identifier: Apache-2.0
// windows_console TOOL MODEL SENTENCES: runs the tool in a console of its own, types, reads back what is shown, presses
// Ctrl-C and Ctrl-Break. SENTENCES: a text in UTF-8, a sentence a line. One line of output a case: "yes", "no", or "none"
// where the system does not do it; its name; what was seen. Ends with 1 if one was "no".
#ifndef UNICODE
#define UNICODE
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { kRoom = 1 << 18, kWidth = 400, kHeight = 300, kPatience = 120000 };
static const DWORD kEndedByControl = 0xC000013A;

static const wchar_t *tool, *model;
static FILE* said;
static int faults;
static HANDLE errors;  // of those that start from here: where this one tells its own

enum { kNo, kYes, kNone };

static void told(int right, const char* name, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(said, "%s\t%s\t", right == kNone ? "none" : right ? "yes" : "no", name);
    vfprintf(said, format, arguments);
    fputc('\n', said);
    fflush(said);
    va_end(arguments);
    faults += !right;
}

static BOOL WINAPI heed(DWORD event) {
    (void)event;
    return TRUE;  // a handler, unlike being deaf to Ctrl-C, is not handed on to those that start from here
}

// A stream for one that starts from here; `console` where there is no pipe.
typedef struct {
    HANDLE mine, theirs;
} Stream;

static Stream console(const wchar_t* name) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    Stream stream = {NULL, NULL};
    stream.theirs = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                                OPEN_EXISTING, 0, NULL);
    return stream;
}

static Stream stream_to(void) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    Stream stream;
    CreatePipe(&stream.theirs, &stream.mine, &inherited, kRoom);
    SetHandleInformation(stream.mine, HANDLE_FLAG_INHERIT, 0);
    return stream;
}

static Stream stream_from(void) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    Stream stream;
    CreatePipe(&stream.mine, &stream.theirs, &inherited, kRoom);
    SetHandleInformation(stream.mine, HANDLE_FLAG_INHERIT, 0);
    return stream;
}

static PROCESS_INFORMATION start(const wchar_t* arguments, Stream in, Stream out, DWORD flags) {
    static wchar_t line[4096];
    PROCESS_INFORMATION process = {0};
    STARTUPINFOW how = {0};
    how.cb = sizeof how;
    how.dwFlags = STARTF_USESTDHANDLES;
    how.hStdInput = in.theirs;
    how.hStdOutput = out.theirs;
    how.hStdError = errors;
    swprintf(line, 4096, L"\"%ls\" translate --model \"%ls\" %ls", tool, model, arguments);
    if (!CreateProcessW(tool, line, NULL, NULL, TRUE, flags, NULL, NULL, &how, &process)) {
        told(0, "start", "error %lu", GetLastError());
        exit(1);
    }
    CloseHandle(in.theirs);
    CloseHandle(out.theirs);
    return process;
}

static DWORD ended(PROCESS_INFORMATION process) {
    DWORD code = 0;
    if (WaitForSingleObject(process.hProcess, kPatience) != WAIT_OBJECT_0) TerminateProcess(process.hProcess, 99);
    WaitForSingleObject(process.hProcess, kPatience);
    GetExitCodeProcess(process.hProcess, &code);
    CloseHandle(process.hProcess);
    CloseHandle(process.hThread);
    return code;
}

static char* everything(HANDLE from, char* text) {
    DWORD got = 0, size = (DWORD)strlen(text);
    while (size < kRoom - 1 && ReadFile(from, text + size, kRoom - 1 - size, &got, NULL) && got) text[size += got] = 0;
    CloseHandle(from);
    return text;
}

static void send(Stream in, const char* text) {
    DWORD written;
    WriteFile(in.mine, text, (DWORD)strlen(text), &written, NULL);
}

// The tool's answer to this text without a console.
static char* answer(const wchar_t* arguments, const char* text, char* result) {
    Stream in = stream_to(), out = stream_from();
    PROCESS_INFORMATION process = start(arguments, in, out, 0);
    send(in, text);
    CloseHandle(in.mine);
    *result = 0;
    everything(out.mine, result);
    ended(process);
    return result;
}

static void clear(HANDLE screen) {
    COORD begin = {0, 0};
    DWORD written;
    FillConsoleOutputCharacterW(screen, L' ', kWidth * kHeight, begin, &written);
    SetConsoleCursorPosition(screen, begin);
}

// The rows to the last with something in it, as UTF-8.
static char* shown(HANDLE screen, char* result) {
    static CHAR_INFO cells[kWidth];
    static wchar_t text[kRoom];
    int size = 0, last = 0;
    for (SHORT row = 0; row < kHeight; ++row) {
        COORD room = {kWidth, 1}, begin = {0, 0};
        SMALL_RECT part = {0, row, kWidth - 1, row};
        int end = size;
        if (!ReadConsoleOutputW(screen, cells, room, begin, &part)) break;
        for (int i = 0; i < kWidth; ++i) {
            if (cells[i].Attributes & COMMON_LVB_TRAILING_BYTE) continue;  // the second half of a wide letter
            text[size++] = cells[i].Char.UnicodeChar;
            if (text[size - 1] != L' ') end = size;
        }
        if (end > size - kWidth && end && text[end - 1] != L'\n') last = end + 1;
        size = end;
        text[size++] = L'\n';
    }
    while (last > 1 && text[last - 2] == L'\n') --last;
    result[WideCharToMultiByte(CP_UTF8, 0, text, last, result, kRoom - 1, NULL, NULL)] = 0;
    return result;
}

static void type(const wchar_t* text) {
    HANDLE keys = console(L"CONIN$").theirs;
    for (; *text; ++text) {
        INPUT_RECORD record = {0};
        DWORD written;
        record.EventType = KEY_EVENT;
        record.Event.KeyEvent.bKeyDown = TRUE;
        record.Event.KeyEvent.wRepeatCount = 1;
        record.Event.KeyEvent.uChar.UnicodeChar = *text;
        if (*text == L'\r') record.Event.KeyEvent.wVirtualKeyCode = VK_RETURN;
        if (*text < 27 && *text != L'\r') {  // with Control
            record.Event.KeyEvent.wVirtualKeyCode = (WORD)(*text + L'A' - 1);
            record.Event.KeyEvent.dwControlKeyState = LEFT_CTRL_PRESSED;
        }
        WriteConsoleInputW(keys, &record, 1, &written);
        record.Event.KeyEvent.bKeyDown = FALSE;
        WriteConsoleInputW(keys, &record, 1, &written);
    }
    CloseHandle(keys);
}

static int lines(const char* text) {
    int count = 0;
    for (; *text; ++text) count += *text == '\n';
    return count;
}

static void shows(const char* name, const char* text, HANDLE screen) {
    static char expected[kRoom], seen[kRoom];
    answer(L"", text, expected);
    Stream in = stream_to();
    clear(screen);
    PROCESS_INFORMATION process = start(L"", in, console(L"CONOUT$"), 0);
    send(in, text);
    CloseHandle(in.mine);
    const DWORD code = ended(process);
    shown(screen, seen);
    int same = 0;
    while (expected[same] && expected[same] == seen[same]) ++same;
    const int right = code == 0 && *expected && strcmp(expected, seen) == 0;
    if (right) told(1, name, "%d lines, %d bytes", lines(seen), (int)strlen(seen));
    else told(0, name, "exit code %lX; expected '%.60s', got '%.60s'", code, expected + same, seen + same);
}

static void reads_what_is_typed(void) {
    static char expected[kRoom], seen[kRoom];
    answer(L"--from de --to en", "Wo ist der schöne große Bahnhof?\nEr übt täglich.\n", expected);
    Stream out = stream_from();
    PROCESS_INFORMATION process = start(L"--from de --to en", console(L"CONIN$"), out, 0);
    type(L"Wo ist der schöne große Bahnhof?\rEr übt täglich.\r\x1a\r");
    *seen = 0;
    everything(out.mine, seen);
    const DWORD code = ended(process);
    const int right = code == 0 && *expected && strcmp(expected, seen) == 0;
    told(right, "typed text with umlauts", "exit code %lX, %d lines, %d bytes", code, lines(seen), (int)strlen(seen));
}

static void stops(const char* name, const char* text, DWORD event, int whole_lines) {
    static char expected[kRoom], seen[kRoom];
    answer(L"", text, expected);
    Stream in = stream_to(), out = stream_from();
    PROCESS_INFORMATION process = start(L"", in, out, event == CTRL_C_EVENT ? 0 : CREATE_NEW_PROCESS_GROUP);
    send(in, text);
    DWORD got = 0;
    if (!ReadFile(out.mine, seen, kRoom - 1, &got, NULL)) got = 0;
    seen[got] = 0;
    // To all of this console, as the key does; a group of its own is deaf to Ctrl-C.
    const BOOL sent = GenerateConsoleCtrlEvent(event, event == CTRL_C_EVENT ? 0 : process.dwProcessId);
    const DWORD why = GetLastError();
    if (!sent) TerminateProcess(process.hProcess, 99);
    const DWORD code = ended(process);
    CloseHandle(in.mine);
    everything(out.mine, seen);
    if (!sent) {
        told(kNone, name, "GenerateConsoleCtrlEvent: error %lu", why);
        return;
    }
    const size_t size = strlen(seen);
    const int whole = size && seen[size - 1] == '\n';
    const int part = size < strlen(expected) && strncmp(seen, expected, size) == 0;
    told(code == kEndedByControl && part && (whole || !whole_lines), name, "exit code %lX after %d of %d lines%s", code,
         lines(seen), lines(expected), !part ? ", not those of the whole" : whole ? "" : ", the last one not whole");
}

static void stops_while_it_waits(void) {
    Stream out = stream_from();
    static char seen[kRoom];
    PROCESS_INFORMATION process = start(L"", console(L"CONIN$"), out, 0);
    type(L"Where is the station?\r");
    DWORD got = 0;
    if (!ReadFile(out.mine, seen, kRoom - 1, &got, NULL)) got = 0;
    seen[got] = 0;
    type(L"\x03");
    const int at_once = WaitForSingleObject(process.hProcess, 10000) == WAIT_OBJECT_0;
    if (!at_once) type(L"\x03");
    const DWORD code = ended(process);
    CloseHandle(out.mine);
    told(code == kEndedByControl && lines(seen) == 1, "Ctrl-C while it waits for text",
         "exit code %lX, at the %s Ctrl-C", code, at_once ? "first" : "second");
}

static char* file_text(const wchar_t* path) {
    static char text[kRoom];
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    *text = 0;
    return everything(file, text);
}

int wmain(int count, wchar_t** arguments) {
    if (count != 4) return 2;
    tool = arguments[1];
    model = arguments[2];
    const char* text = file_text(arguments[3]);
    said = stdout;
    DuplicateHandle(GetCurrentProcess(), GetStdHandle(STD_ERROR_HANDLE), GetCurrentProcess(), &errors, 0, TRUE,
                    DUPLICATE_SAME_ACCESS);
    FreeConsole();  // Wine gives one that nobody sees
    if (!AllocConsole()) {
        told(0, "a console", "error %lu", GetLastError());
        return 1;
    }
    SetConsoleCtrlHandler(heed, TRUE);
    HANDLE screen = console(L"CONOUT$").theirs;
    COORD size = {kWidth, kHeight};
    if (!SetConsoleScreenBufferSize(screen, size)) told(0, "a large console", "error %lu", GetLastError());
    shows("UTF-8 on the console: umlauts", text, screen);
    shows("UTF-8 on the console: Chinese and emoji", "She knows 東京. 🙂\n", screen);
    reads_what_is_typed();
    stops("Ctrl-C between two lines", text, CTRL_C_EVENT, 1);
    stops("Ctrl-Break at once", text, CTRL_BREAK_EVENT, 0);
    stops_while_it_waits();
    return faults != 0;
}
