// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace cli {

// show.html with places for what a translation has, written into the program by the build.
extern const std::span<const unsigned char> kShowPage;

}  // namespace cli
