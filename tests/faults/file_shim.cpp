// SPDX-License-Identifier: Apache-2.0
#include "file_shim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace dragoman::faults {
namespace {

constexpr unsigned kReads = 1, kWrites = 2, kMakes = 4, kOther = 8;  // kinds of calls

struct State {
    std::mutex mutex;
    std::string folder;
    Fault fault = Fault::io;
    uint64_t left = 0, calls = 0;
    bool struck = false;
    std::string what;
    std::array<std::string, 4096> names;  // of open files, by descriptor
};

std::atomic<bool> striking = false;

State& state() {
    static State& one = *new State;
    return one;
}

bool may_fail(Fault fault, unsigned kind) {
    switch (fault) {
        case Fault::io: return true;
        case Fault::full:
        case Fault::full_from: return kind & (kWrites | kMakes);
        case Fault::interrupted:
        case Fault::part: return kind & (kReads | kWrites);
        case Fault::end: return kind & kReads;
    }
    return false;
}

enum class Verdict { pass, fail, part, end };

Verdict judge(const char* call, const std::string& name, unsigned kind, std::size_t size = 2) {
    State& now = state();
    if (name.empty() || !name.starts_with(now.folder) || !may_fail(now.fault, kind)) return Verdict::pass;
    if (now.fault == Fault::part && size < 2) return Verdict::pass;
    ++now.calls;
    const bool again = now.struck && now.fault == Fault::full_from;
    if (!again && (now.struck || now.left-- > 0)) return Verdict::pass;
    if (!now.struck) now.what = std::string(call) + " of " + name;
    now.struck = true;
    if (now.fault == Fault::part) return Verdict::part;
    if (now.fault == Fault::end) return Verdict::end;
    errno = now.fault == Fault::io ? EIO : now.fault == Fault::interrupted ? EINTR : ENOSPC;
    return Verdict::fail;
}

// By a path, also one that is relative to an open folder.
Verdict of_path(const char* call, const char* path, unsigned kind) {
    if (!striking || !path) return Verdict::pass;
    const std::lock_guard lock(state().mutex);
    return judge(call, path, kind);
}

Verdict of_file(const char* call, int file, unsigned kind, std::size_t size = 2) {
    if (!striking || file < 0 || std::size_t(file) >= state().names.size()) return Verdict::pass;
    const std::lock_guard lock(state().mutex);
    return judge(call, state().names[std::size_t(file)], kind, size);
}

void opened(int file, const char* path) {
    if (!striking || file < 0 || std::size_t(file) >= state().names.size()) return;
    const std::lock_guard lock(state().mutex);
    state().names[std::size_t(file)] = path;
}

void closed(int file) {
    if (!striking || file < 0 || std::size_t(file) >= state().names.size()) return;
    const std::lock_guard lock(state().mutex);
    state().names[std::size_t(file)].clear();
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

Striking::Striking(std::string folder, Fault fault, uint64_t before) {
    State& now = state();
    const std::lock_guard lock(now.mutex);
    now.folder = std::move(folder);
    now.fault = fault;
    now.left = before;
    now.calls = 0;
    now.struck = false;
    now.what.clear();
    striking = true;
}

Striking::~Striking() {
    striking = false;
    const std::lock_guard lock(state().mutex);
    for (std::string& name : state().names) name.clear();
}

bool Striking::struck() const { return state().struck; }
uint64_t Striking::calls() const { return state().calls; }
std::string Striking::what() const { return state().what; }

}  // namespace dragoman::faults

using namespace dragoman::faults;

// Each call asks first, then goes on to the C library's own.
#define NEXT(name) static auto* const go_on = next<decltype(name)>(#name)
#define BY_PATH(result, name, parameters, arguments, path, kind, failed) \
    extern "C" result name parameters {                                  \
        NEXT(name);                                                      \
        if (of_path(#name, path, kind) != Verdict::pass) return failed;  \
        return go_on arguments;                                          \
    }
#define BY_FILE(result, name, parameters, arguments, kind)          \
    extern "C" result name parameters {                             \
        NEXT(name);                                                 \
        if (of_file(#name, file, kind) != Verdict::pass) return -1; \
        return go_on arguments;                                     \
    }
#define OPENS(name, first, handed, path)                                                \
    extern "C" int name(first const char* path, int flags, ...) {                       \
        NEXT(name);                                                                     \
        va_list more;                                                                   \
        va_start(more, flags);                                                          \
        const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                                   \
        const bool makes = flags & (O_CREAT | __O_TMPFILE);                             \
        if (of_path(#name, path, makes ? kMakes : kOther) != Verdict::pass) return -1;  \
        const int file = go_on(handed path, flags, mode);                               \
        opened(file, path);                                                             \
        return file;                                                                    \
    }
#define NOTHING
#define FOLDER int folder,
#define PASS_FOLDER folder,
OPENS(open, NOTHING, NOTHING, path)
OPENS(open64, NOTHING, NOTHING, path)
OPENS(openat, FOLDER, PASS_FOLDER, path)
OPENS(openat64, FOLDER, PASS_FOLDER, path)

#define READS(name, parameters, arguments, kind)                  \
    extern "C" ssize_t name parameters {                          \
        NEXT(name);                                               \
        const Verdict verdict = of_file(#name, file, kind, size); \
        if (verdict == Verdict::fail) return -1;                  \
        if (verdict == Verdict::end) return 0;                    \
        if (verdict == Verdict::part) size /= 2;                  \
        return go_on arguments;                                   \
    }
READS(read, (int file, void* data, size_t size), (file, data, size), kReads)
READS(pread, (int file, void* data, size_t size, off_t at), (file, data, size, at), kReads)
READS(pread64, (int file, void* data, size_t size, off64_t at), (file, data, size, at), kReads)
READS(write, (int file, const void* data, size_t size), (file, data, size), kWrites)
READS(pwrite, (int file, const void* data, size_t size, off_t at), (file, data, size, at), kWrites)
READS(pwrite64, (int file, const void* data, size_t size, off64_t at), (file, data, size, at), kWrites)

BY_FILE(int, fsync, (int file), (file), kMakes)
BY_FILE(int, fdatasync, (int file), (file), kMakes)
BY_FILE(int, ftruncate, (int file, off_t size), (file, size), kMakes)
BY_FILE(int, ftruncate64, (int file, off64_t size), (file, size), kMakes)
BY_FILE(int, fstat, (int file, struct stat* to), (file, to), kOther)
BY_FILE(int, fstat64, (int file, struct stat64* to), (file, to), kOther)
BY_FILE(ssize_t, writev, (int file, const struct iovec* parts, int count), (file, parts, count), kMakes)

BY_PATH(int, stat, (const char* path, struct stat* to), (path, to), path, kOther, -1)
BY_PATH(int, stat64, (const char* path, struct stat64* to), (path, to), path, kOther, -1)
BY_PATH(int, lstat, (const char* path, struct stat* to), (path, to), path, kOther, -1)
BY_PATH(int, lstat64, (const char* path, struct stat64* to), (path, to), path, kOther, -1)
BY_PATH(int, access, (const char* path, int mode), (path, mode), path, kOther, -1)
BY_PATH(int, mkdir, (const char* path, mode_t mode), (path, mode), path, kMakes, -1)
BY_PATH(int, truncate, (const char* path, off_t size), (path, size), path, kMakes, -1)
BY_PATH(int, truncate64, (const char* path, off64_t size), (path, size), path, kMakes, -1)
BY_PATH(int, rename, (const char* from, const char* to), (from, to), to, kMakes, -1)
BY_PATH(int, link, (const char* from, const char* to), (from, to), to, kMakes, -1)
BY_PATH(int, linkat, (int a, const char* from, int b, const char* to, int flags), (a, from, b, to, flags), to, kMakes,
        -1)
BY_PATH(DIR*, opendir, (const char* path), (path), path, kOther, nullptr)

extern "C" int close(int file) {
    NEXT(close);
    const Verdict verdict = of_file("close", file, kOther);
    closed(file);
    const int error = errno, result = go_on(file);  // it is closed in any case
    if (verdict == Verdict::pass) return result;
    errno = error;
    return -1;
}

#define OPENS_STREAM(name)                                                                  \
    extern "C" FILE* name(const char* path, const char* mode) {                             \
        NEXT(name);                                                                         \
        const bool makes = mode[0] != 'r';                                                  \
        if (of_path(#name, path, makes ? kMakes : kOther) != Verdict::pass) return nullptr; \
        FILE* const file = go_on(path, mode);                                               \
        if (file) opened(fileno(file), path);                                               \
        return file;                                                                        \
    }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)
