// SPDX-License-Identifier: Apache-2.0
// Where the invocations of a workgroup wait for each other's memory. A kernel that defines IN_STEP_ID has a constant
// that says that its workgroup is one subgroup whose lanes take every step together, as some CPU devices have
// (ops::runs_in_step), and needs no waiting. Lavapipe makes coroutines of what lies between barriers, of memory too,
// and these take most of the time to compile a small kernel, and to run it.
#ifndef DRAGOMAN_MEET_GLSL
#define DRAGOMAN_MEET_GLSL

#ifdef IN_STEP_ID
layout(constant_id = IN_STEP_ID) const uint IN_STEP = 0;
#else
const uint IN_STEP = 0;
#endif

void meet() {
    if (IN_STEP == 0) barrier();  // orders shared memory, too
}

void order_buffers() {
    if (IN_STEP == 0) memoryBarrierBuffer();
}

#endif
