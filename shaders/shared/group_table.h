// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_SHARED_GROUP_TABLE_H
#define DRAGOMAN_SHARED_GROUP_TABLE_H
#include "shared/scalar.h"
DRAGOMAN_SHARED_BEGIN

// One slot: workgroups (ceil(counts[count_at] / rows_per_group), y, z). rows_per_group 0: an unused slot.
struct GroupEntry {
    uint rows_per_group, y, z, count_at;
};

// Words between the arguments of neighbouring slots; each is three words.
const uint kGroupArgumentStride = 4u;

struct GroupArgumentsPush {
    uint slots;
};

DRAGOMAN_SHARED_END
#endif
