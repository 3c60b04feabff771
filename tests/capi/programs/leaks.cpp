// SPDX-License-Identifier: Apache-2.0
// leaks ROUNDS [MODEL]: loads a model, translates in both ways and frees everything, again and again. Memory of the
// process and of the device must not grow after the first rounds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "model_in_memory.h"

namespace {

void require(dragoman_status status, const char* what) {
    if (status == DRAGOMAN_OK) return;
    std::fprintf(stderr, "leaks: %s: %s: %s\n", what, dragoman_status_name(status), dragoman_last_error());
    std::exit(1);
}

struct Resident {
    uint64_t all = 0, shared = 0;  // bytes; shared: of files and with devices
};

Resident resident_memory() {
#ifdef __GLIBC__
    malloc_trim(0);  // free lists are no leak
#endif
    std::ifstream file("/proc/self/statm");
    uint64_t total = 0;
    Resident pages;
    file >> total >> pages.all >> pages.shared;
    return {pages.all * 4096, pages.shared * 4096};
}

long long threads() {
    const std::filesystem::path tasks = "/proc/self/task";
    if (!std::filesystem::exists(tasks)) return 0;
    return std::distance(std::filesystem::directory_iterator(tasks), {});
}

struct Round {
    Resident resident;
    uint64_t held, peak, device;
    bool cpu;  // otherwise work in the background may hold buffers for a while
};

// The least of some rounds: resident memory jumps by a MiB or two, and buffers come and go.
struct Least {
    uint64_t resident = UINT64_MAX, held = UINT64_MAX;
    void add(const Round& round) {
        resident = std::min(resident, round.resident.all);
        held = std::min(held, round.held);
    }
};

Round run(const dragoman::test::ModelInMemory& files, const char* path) {
    Round round{};
    dragoman_model* model = nullptr;
    dragoman_translator* translator = nullptr;
    dragoman_result* result = nullptr;
    dragoman_job* job = nullptr;
    require(path ? dragoman_model_load(path, nullptr, &model) : files.load(&model), "load");
    require(dragoman_translator_create(model, &translator), "create");
    const dragoman_string text = dragoman_str("آتزمون\nآزا");
    require(dragoman_translate_texts(translator, &text, 1, nullptr, nullptr, &result), "translate");
    dragoman_result_destroy(result);
    require(dragoman_submit_texts(translator, &text, 1, nullptr, nullptr, nullptr, &job), "submit");
    require(dragoman_job_take_result(job, &result), "take");
    dragoman_result_destroy(result);
    dragoman_job_destroy(job);
    dragoman_memory_info memory;
    dragoman_memory_info_init(&memory);
    require(dragoman_model_memory(model, &memory), "memory");
    round.held = memory.held_bytes;
    round.peak = memory.peak_bytes;
    dragoman_device_info device;
    dragoman_device_info_init(&device);
    require(dragoman_model_device(model, &device), "device");
    dragoman_translator_destroy(translator);
    dragoman_model_destroy(model);
    require(dragoman_device_memory(device.index, &memory), "device's memory");
    round.cpu = device.kind == DRAGOMAN_DEVICE_CPU;
    if (!round.cpu) round.device = memory.used_bytes;  // there it is the whole machine's
    round.resident = resident_memory();
    return round;
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 0;
    if (rounds < 8) {
        std::fprintf(stderr, "usage: leaks ROUNDS [MODEL]   (at least 8 rounds)\n");
        return 2;
    }
    const dragoman::test::ModelInMemory files(DRAGOMAN_TEST_DATA);
    Round base{}, last{};
    const int warm = std::max(rounds / 4, 4), end = rounds - std::max(rounds / 8, 2);
    Least early, late;  // after the warm rounds, and the last ones, so that growth may begin at any time between
    bool flat = true;
    for (int i = 0; i < rounds; ++i) {
        last = run(files, argc > 2 ? argv[2] : nullptr);
        if (i == warm) base = last;
        if (i >= warm) (i < end ? early : late).add(last);
        if (i > warm && last.cpu) flat &= last.held == base.held && last.peak == base.peak;
        if (i % std::max(rounds / 8, 1) == 0 || i + 1 == rounds)
            std::printf(
                "round %d: resident %.2f MiB, shared %.2f MiB, %lld threads, model held %llu bytes (peak %llu), "
                "device in use %llu bytes\n",
                i, double(last.resident.all) / (1 << 20), double(last.resident.shared) / (1 << 20), threads(),
                static_cast<unsigned long long>(last.held), static_cast<unsigned long long>(last.peak),
                static_cast<unsigned long long>(last.device));
    }
    const double growth = double(late.resident) - double(early.resident);
    std::printf("%+.0f bytes of the process, %+lld of the device and %+lld held by the model in %d rounds\n", growth,
                static_cast<long long>(last.device - base.device), static_cast<long long>(late.held - early.held),
                end - warm);
    flat &= late.held <= early.held;
    // A model or its buffers kept alive are millions of bytes in every round.
    flat &= growth < (3 << 20) + 4096.0 * rounds && last.device <= base.device + (uint64_t(1) << 20);
    if (!flat) std::fprintf(stderr, "leaks: memory grows\n");
    return flat ? 0 : 1;
}
