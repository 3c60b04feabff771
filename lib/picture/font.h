// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace dragoman::picture {

// A subset of DejaVu Sans (font/README.md) as a TrueType file, written by the build.
extern const std::span<const unsigned char> kFont;

}  // namespace dragoman::picture
