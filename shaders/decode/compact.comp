// SPDX-License-Identifier: Apache-2.0
// Lists the live rows and slots where no step did so before.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "shared/search.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push { SearchPush pc; };
layout(binding = 0) buffer State { uint s[]; };
layout(binding = 1) buffer Progress { uint progress[]; };
#define LIST_LANES 64
#include "list_live.glsl"

void main() { list_live(); }
