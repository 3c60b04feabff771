// SPDX-License-Identifier: Apache-2.0
#include "pipeline/convert.h"

#include "base/error.h"
#include "families/families.h"
#include "families/gguf_writer.h"
#include "pipeline/default_model.h"

namespace dragoman::pipeline {

void convert(const std::string& path, const std::string& out, const ConvertOptions& options) {
    std::error_code error;
    if (!options.replace && std::filesystem::exists(out, error))  // before all the work
        fail(Status::io_error, "cannot write {}: it exists, and replacing it was not asked for", out);
    families::write_gguf(families::load(path.empty() ? default_model() : path), out,
                         {.type = options.type, .replace = options.replace, .progress = options.progress});
}

}  // namespace dragoman::pipeline
