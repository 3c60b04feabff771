// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dragoman::tm {

// Keys say what kept translations depend on, in lines of a name, a tab and a value. These names and this first
// character of a value have a meaning: what follows from others is told only where these are equal.
inline constexpr std::string_view kDeviceName = "device", kComputeTypeName = "compute type", kModelName = "model",
                                  kRulesName = "search rules";
inline constexpr char kPrintBegin = '#';  // of a value that is a fingerprint

// "glossary: another one; beam_size: 4 then, 3 now"; empty: the keys are equal.
std::string differences(std::string_view then, std::string_view now);

}  // namespace dragoman::tm
