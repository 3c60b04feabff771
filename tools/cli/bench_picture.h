// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "picture/picture.h"

namespace cli {

// A report of `dragoman bench` as a picture: the device's time by pass, and a roofline where ceilings were measured.
dragoman::picture::Picture draw_report(const nlohmann::ordered_json& report);

}  // namespace cli
