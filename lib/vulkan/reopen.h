// SPDX-License-Identifier: Apache-2.0
// What can be done about a context whose device is lost.
#pragma once

#include <memory>

#include "vulkan/context.h"

namespace dragoman::vulkan {

bool is_lost(const Context& context);   // as far as is known
bool is_owned(const Context& context);  // false: the device is an app's

// The same device once more, with the same options and what is known of its kernels; not for an app's. Throws no_device
// where it is gone.
std::shared_ptr<Context> open_again(const Context& lost);

}  // namespace dragoman::vulkan
