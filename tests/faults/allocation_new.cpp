// SPDX-License-Identifier: Apache-2.0
#include "allocation_new.h"

#include <link.h>
#include <unwind.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace dragoman::faults {
namespace {

std::atomic<bool> armed = false;
std::atomic<uint64_t> counted = 0, wanted = 0;
std::atomic<bool> thrown = false;
Threads counted_threads = Threads::all;
thread_local bool is_caller = false;

// Code that was there when the program began: the library and what it stands on, and no driver. Nor do this program's
// own allocations count, nor those of SentencePiece and Protocol Buffers, whose destructors crash after one has failed.
struct Code {
    uintptr_t begin, end;
    bool between;  // the C++ library, whose callers count
};
std::array<Code, 512> codes;
std::size_t code_count = 0;

int add_code(dl_phdr_info* info, std::size_t, void*) {
    const char* const name = info->dlpi_name;
    const auto has = [name](const char* part) { return std::strstr(name, part) != nullptr; };
    if (!name || !*name || has("libsentencepiece") || has("libprotobuf")) return 0;
    const bool between = has("libstdc++") || has("libgcc_s") || has("libc++") || has("libc.so");
    for (int i = 0; i < info->dlpi_phnum && code_count < codes.size(); ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
        const uintptr_t begin = info->dlpi_addr + header.p_vaddr;
        codes[code_count++] = {begin, begin + header.p_memsz, between};
    }
    return 0;
}

[[maybe_unused]] const int listed = dl_iterate_phdr(add_code, nullptr);

const Code* code_at(uintptr_t address) {
    for (std::size_t i = 0; i < code_count; ++i)
        if (address >= codes[i].begin && address < codes[i].end) return &codes[i];
    return nullptr;
}

struct Walk {
    int frames = 0;
    bool ours = false;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* user) {
    auto& walk = *static_cast<Walk*>(user);
    const uintptr_t address = _Unwind_GetIP(context);
    const Code* const code = code_at(address);
    if (++walk.frames <= 3) return _URC_NO_REASON;  // this file's own
    if (code && code->between) return _URC_NO_REASON;
    walk.ours = code != nullptr;
    return _URC_END_OF_STACK;
}

bool fails(const void* from) {
    if (!armed.load(std::memory_order_relaxed) || counted_threads == Threads::made) return false;
    if (counted_threads != Threads::all && is_caller != (counted_threads == Threads::caller)) return false;
    if (!counts(from)) return false;
    if (++counted != wanted) return false;
    thrown = true;
    return true;
}

[[gnu::noinline]] void* allocate(std::size_t size, std::size_t alignment, const void* from) {
    if (fails(from)) return nullptr;
    if (size == 0) size = 1;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

[[gnu::noinline]] void* require(std::size_t size, std::size_t alignment, const void* from) {
    if (void* const memory = allocate(size, alignment, from)) return memory;
    throw std::bad_alloc();
}

}  // namespace

bool counts(const void* from) {
    const Code* const code = code_at(reinterpret_cast<uintptr_t>(from));
    if (!code) return false;
    if (!code->between) return true;
    Walk walk;
    _Unwind_Backtrace(step, &walk);
    return walk.ours;
}

bool fails_thread(const void* from) {
    if (!armed || counted_threads != Threads::made || !counts(from) || ++counted != wanted) return false;
    thrown = true;
    return true;
}

void arm(Threads threads, uint64_t n) {
    is_caller = true;
    counted_threads = threads;
    counted = 0;
    thrown = false;
    wanted = n;
    armed = true;
}

Count disarm() {
    armed = false;
    is_caller = false;
    return {counted, thrown};
}

}  // namespace dragoman::faults

#define CALLER __builtin_return_address(0)
using dragoman::faults::allocate;
using dragoman::faults::require;
constexpr std::size_t kUsual = alignof(std::max_align_t);

void* operator new(std::size_t size) { return require(size, kUsual, CALLER); }
void* operator new[](std::size_t size) { return require(size, kUsual, CALLER); }
void* operator new(std::size_t size, std::align_val_t to) { return require(size, std::size_t(to), CALLER); }
void* operator new[](std::size_t size, std::align_val_t to) { return require(size, std::size_t(to), CALLER); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, kUsual, CALLER); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, kUsual, CALLER); }
void* operator new(std::size_t size, std::align_val_t to, const std::nothrow_t&) noexcept {
    return allocate(size, std::size_t(to), CALLER);
}
void* operator new[](std::size_t size, std::align_val_t to, const std::nothrow_t&) noexcept {
    return allocate(size, std::size_t(to), CALLER);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
