// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "serve/api/own/own.h"

namespace serve::api {

// One model for a call that is no translation, by the fields "model", "from" and "to"; the first one of the service
// where none of them says. Runs `work` on the worker once it is loaded, and answers with what it gives. Throws Problem.
using OwnWork = std::function<Json(const work::Way&)>;
void own_with_model(const OwnParts& parts, Call& call, OwnWork work);

}  // namespace serve::api
