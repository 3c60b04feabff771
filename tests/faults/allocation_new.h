// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Every operator new of the program, of which one call can be made to fail. Calls of drivers, and of libraries
// that cannot say that memory ran out, are not counted.
namespace dragoman::faults {

// made: threads that the library makes fail instead of allocations.
enum class Threads : int { caller = 0, others = 1, all = 2, made = 3 };

// Counts from here on; the n-th call (from 1) of these threads throws.
void arm(Threads threads, uint64_t n);
// Counts no more. How many calls came, and whether one of them threw.
struct Count {
    uint64_t calls = 0;
    bool thrown = false;
};
Count disarm();

// Whether the code at this address, or what called the C++ library there, counts.
bool counts(const void* from);
// Called for each thread that is made; true: it must fail.
bool fails_thread(const void* from);

}  // namespace dragoman::faults
