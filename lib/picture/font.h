// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace dragoman::picture {

// DejaVu Sans, a part of it (font/README.md), as a TrueType file. Written by the build.
extern const std::span<const unsigned char> kFont;

}  // namespace dragoman::picture
