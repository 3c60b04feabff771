// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cli {

// Says on a terminal what the number of --quality in front of translations means.
void explain_quality();

}  // namespace cli
