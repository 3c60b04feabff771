// SPDX-License-Identifier: Apache-2.0
// allocation_faults MODEL {CASE THREADS FIRST STRIDE}...: lets every STRIDE-th allocation of a case fail, from the FIRST
// on, of the calling thread (0), the other ones (1) or all (2), or a thread that it makes (3), and goes on to the next
// case: opening a device and loading models takes longer than most cases. Each time the call must say out_of_memory, or
// have a right result in spite of it; it must do so again with memory; the device must hold as much as before; and
// another model must translate as before. What hangs is ended by an alarm. allocations.py runs all of it and writes a
// table.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "allocation_cases.h"
#include "allocation_new.h"

namespace {

using namespace dragoman::faults;

constexpr unsigned kHangSeconds = 60;
constexpr uint64_t kNeighbourEvery = 16;

int problems = 0;  // of a case

void problem(uint64_t n, const char* what, const std::string& said = "") {
    std::printf("problem %llu %s %s\n", static_cast<unsigned long long>(n), what, said.c_str());
    ++problems;
}

int run(Cases& cases, const Case& one, Threads threads, uint64_t first, uint64_t stride) {
    problems = 0;
    alarm(20 * kHangSeconds);  // kernels may have to be compiled
    const auto again = [&](std::string& found) {
        if (one.prepare) one.prepare();
        found.clear();
        return one.run(found);
    };
    std::string expected, found;
    if (const dragoman_status status = again(expected); status != DRAGOMAN_OK) {
        std::printf("skipped %s: %s\n", dragoman_status_name(status), dragoman_last_error());
        return 0;
    }
    again(expected);  // what is made once is made
    const std::string neighbour = cases.neighbour();
    const uint64_t held = cases.held_bytes();
    uint64_t ok = 0, refused = 0, most = 0;
    for (uint64_t n = first, unhurt = 0; unhurt < 3; n += stride) {
        alarm(kHangSeconds);
        std::printf("at %llu\n", static_cast<unsigned long long>(n));
        std::fflush(stdout);
        if (one.prepare) one.prepare();
        found.clear();
        dragoman_status status = DRAGOMAN_OK;
        arm(threads, n);
        status = one.run(found);
        const std::string said = dragoman_last_error();
        const Count count = disarm();
        most = std::max(most, count.calls);
        if (!count.thrown) {  // the end; other threads may need a little more another time
            ++unhurt;
            n -= stride;
        } else {
            unhurt = 0;
            ++(status == DRAGOMAN_OK ? ok : refused);
        }
        if (status != DRAGOMAN_OK && status != DRAGOMAN_OUT_OF_MEMORY) problem(n, dragoman_status_name(status), said);
        if (status == DRAGOMAN_OK && found != expected) problem(n, "another result");
        if (again(found) != DRAGOMAN_OK) problem(n, "unusable afterwards:", dragoman_last_error());
        else if (found != expected) problem(n, "another result afterwards");
        if (n % kNeighbourEvery == 0 && cases.neighbour() != neighbour) problem(n, "another model's result");
        if (const uint64_t now = cases.held_bytes(); now != held)
            problem(n, "device memory:", std::to_string(held) + " bytes before, " + std::to_string(now) + " after");
        if (problems > 20) break;
    }
    if (cases.neighbour() != neighbour) problem(0, "another model's result");
    std::printf("done allocations %llu refused %llu survived %llu problems %d\n", static_cast<unsigned long long>(most),
                static_cast<unsigned long long>(refused), static_cast<unsigned long long>(ok), problems);
    return problems ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::printf("allocation_faults MODEL list|{CASE [THREADS [FIRST [STRIDE]]]}...\n");
        return 2;
    }
    alarm(20 * kHangSeconds);
    const auto number = [&](int place, uint64_t otherwise) {
        return count > place ? std::strtoull(arguments[place], nullptr, 10) : otherwise;
    };
    int result = 0;
    Cases cases(arguments[1]);
    const std::vector<Case> all = cases.all();
    if (std::string_view(arguments[2]) == "list")
        for (const Case& one : all) std::printf("%s\n", one.name);
    else
        for (int place = 2; place < count; place += 4) {
            const auto one = std::ranges::find(all, std::string_view(arguments[place]), &Case::name);
            if (one == all.end()) return 2;
            std::printf("case %s %llu\n", one->name, static_cast<unsigned long long>(number(place + 1, 0)));
            result |= run(cases, *one, Threads(number(place + 1, 0)), number(place + 2, 1),
                          std::max<uint64_t>(number(place + 3, 1), 1));
        }
    cases.unload();
    if (const uint64_t held = cases.held_bytes(); held != 0) {
        problem(0, "device memory after everything was unloaded:", std::to_string(held));
        result = 1;
    }
    return result;
}
