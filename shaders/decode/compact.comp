// SPDX-License-Identifier: Apache-2.0
// Lists the live rows and slots where no step did so before.
#version 460
#include "shared/search.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;
#define IN_STEP_ID 1
layout(push_constant) uniform Push { SearchPush pc; };
layout(binding = 0) buffer State { uint s[]; };
layout(binding = 1) buffer Progress { uint progress[]; };
#include "list_live.glsl"

void main() { list_live(); }
