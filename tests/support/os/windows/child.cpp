// SPDX-License-Identifier: Apache-2.0
#include "support/child.h"

#include <csignal>
#include <stdexcept>

#include "command_line.h"

namespace dragoman::test {
namespace {

constexpr UINT kKilled = 0x4B;

// Not in the headers of every compiler.
template <class F>
F kernel(const char* name) {
    const auto function =
        reinterpret_cast<F>(reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"kernel32.dll"), name)));
    if (!function) throw std::runtime_error(std::string("this Windows has no ") + name);
    return function;
}

void close(HANDLE& handle) {
    if (handle) CloseHandle(handle);
    handle = nullptr;
}

// Without the sequences that place, colour and name things: ESC [ ... letter, ESC ] ... BEL, ESC character.
std::string plain(std::string& given) {
    std::string text;
    std::size_t at = 0;
    while (at < given.size()) {
        if (given[at] != '\033') {
            text += given[at++];
            continue;
        }
        if (at + 1 == given.size()) break;
        const char kind = given[at + 1];
        std::size_t end = at + 1;
        if (kind == '[') end = given.find_first_of("@ABCDEFGHIJKLMPSTXZabcdefghijklmnopqrstuvwxyz", at + 2);
        if (kind == ']') end = given.find('\a', at + 2);
        if (end == std::string::npos) break;  // the rest is still to come
        at = end + 1;
    }
    given.erase(0, at);
    return text;
}

}  // namespace

struct Child::System {
    void* console = nullptr;
    HANDLE process = nullptr, keys = nullptr, screen = nullptr;
    std::string unread;
};

Child::Child(std::vector<std::string> command) : system_(std::make_unique<System>()) {
    HANDLE keys = nullptr, screen = nullptr;
    if (!CreatePipe(&keys, &system_->keys, nullptr, 0) || !CreatePipe(&system_->screen, &screen, nullptr, 0))
        throw std::runtime_error("no pipes");
    using Create = HRESULT(WINAPI*)(COORD, HANDLE, HANDLE, DWORD, void**);
    constexpr COORD kSize{60, 24};
    const HRESULT made = kernel<Create>("CreatePseudoConsole")(kSize, keys, screen, 0, &system_->console);
    close(keys);
    close(screen);
    if (made != S_OK) throw std::runtime_error("no pseudo console");

    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    std::vector<std::byte> memory(size);
    const auto attributes = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory.data());
    InitializeProcThreadAttributeList(attributes, 1, 0, &size);
    constexpr DWORD_PTR kPseudoConsole = 0x20016;
    UpdateProcThreadAttribute(attributes, 0, kPseudoConsole, system_->console, sizeof(void*), nullptr, nullptr);
    STARTUPINFOEXW startup{};
    startup.StartupInfo.cb = sizeof startup;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;  // none: the console's own
    startup.lpAttributeList = attributes;
    if (!command.front().ends_with(".exe")) command.front() += ".exe";
    std::wstring line = command_line(command);
    PROCESS_INFORMATION process{};
    const bool started = CreateProcessW(nullptr, line.data(), nullptr, nullptr, FALSE, EXTENDED_STARTUPINFO_PRESENT,
                                        nullptr, nullptr, &startup.StartupInfo, &process);
    DeleteProcThreadAttributeList(attributes);
    if (!started) throw std::runtime_error("no process: " + os::last_error().message());
    CloseHandle(process.hThread);
    system_->process = process.hProcess;
}

Child::~Child() {
    kill();
    if (system_->process) WaitForSingleObject(system_->process, INFINITE);
    close(system_->process);
    close(system_->keys);
    close(system_->screen);
    if (system_->console) kernel<void(WINAPI*)(void*)>("ClosePseudoConsole")(system_->console);
}

void Child::kill() const {
    if (system_->process) TerminateProcess(system_->process, kKilled);
}

void Child::signal(int) const { throw std::logic_error("Windows has no signals for other processes"); }

bool Child::running() {
    drain();
    if (!system_->process) return false;
    if (WaitForSingleObject(system_->process, 0) != WAIT_OBJECT_0) return true;
    DWORD code = 0;
    GetExitCodeProcess(system_->process, &code);
    close(system_->process);
    constexpr int kSigkill = 9;
    constexpr DWORD kByCtrlC = 0xC000013A;
    if (code == kKilled) end_.signal = kSigkill;
    else if (code == kByCtrlC) end_.signal = SIGINT;
    else end_.exit_code = static_cast<int>(code);
    return false;
}

void Child::type(const std::string& keys) const {
    std::string typed = keys;
    for (char& key : typed)
        if (key == '\n') key = '\r';
    DWORD written = 0;
    if (!WriteFile(system_->keys, typed.data(), static_cast<DWORD>(typed.size()), &written, nullptr) ||
        written != typed.size())
        throw std::runtime_error("the console takes no keys");
}

std::optional<bool> Child::raw() const { return std::nullopt; }

void Child::drain() {
    for (DWORD there = 0; PeekNamedPipe(system_->screen, nullptr, 0, nullptr, &there, nullptr) && there > 0;) {
        std::string bytes(there, 0);
        if (!ReadFile(system_->screen, bytes.data(), there, &there, nullptr)) return;
        system_->unread.append(bytes, 0, there);
    }
    output_ += plain(system_->unread);
}

}  // namespace dragoman::test
