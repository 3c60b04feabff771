// SPDX-License-Identifier: Apache-2.0
// Compiled here and not linked from a package: a distribution's static volk is not position independent.
#define VOLK_IMPLEMENTATION
#include <volk.h>
