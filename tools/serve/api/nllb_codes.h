// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "serve/work/models.h"

namespace serve::api {

// The code of FLORES-200 for a served language, "deu_Latn"; its tag where that list has none.
std::string flores_code(const work::Models& models, const std::string& tag);

}  // namespace serve::api
