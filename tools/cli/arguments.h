// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands.h"

namespace cli {

// Sorts the arguments of `dragoman translate` into words, which stay, and names of files, which become the command's
// input and output, or its list of files where there are several. Throws Failure for a name without a file, and for an
// output that does not fit.
void take_files(TranslateCommand& command);

// Refuses an output whose name says another format than a document of this format is written in. Of an unknown format the
// input's name may say that it cannot be read at all, which is not said here.
void check_output(const std::string& output, const std::string& input, int32_t format);

}  // namespace cli
