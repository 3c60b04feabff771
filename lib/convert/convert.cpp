// SPDX-License-Identifier: Apache-2.0
#include "convert/convert.h"

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "pipeline/model/default_model.h"
#include "pipeline/model/model_info.h"

namespace dragoman::convert {
namespace {

void name_heads(spec::ModelSpec& spec, const std::string& path, const ConvertOptions& options) {
    if (spec.recurrent) fail(Status::unsupported, "{}: expected a Transformer, recurrent decoders have one head", path);
    const AlignmentHeads best =
        find_alignment(pipeline::Model::load(path, {.device = options.device}), options.alignment).front();
    log(LogLevel::info, "{}: words are aligned by layer {}, {}, of the step that {} a token; agreement {:.3f}", path,
        best.layer + 1, best.all_heads ? "all heads" : fmt::format("head {}", best.head + 1),
        best.next_step ? "reads" : "writes", best.agreement);
    set_alignment(spec.config, best);
}

}  // namespace

void convert(const std::string& path, const std::string& out, const ConvertOptions& options) {
    std::error_code error;
    if (!options.replace && std::filesystem::exists(path_of(out), error))  // checked before all the work
        fail(Status::io_error, "cannot write {}: it exists, and replacing it was not asked for", out);
    const std::filesystem::path place = pipeline::place_of_model(path);
    const std::string source = text_of(place);
    spec::ModelSpec spec = families::load(place);
    if (!options.alignment.text.empty()) name_heads(spec, source, options);
    if (!options.quality.pairs.empty())
        spec.quality = fit_quality(pipeline::Model::load(source, {.device = options.device}), options.quality);
    families::write_gguf(spec, path_of(out),
                         {.type = options.type, .replace = options.replace, .progress = options.progress});
}

}  // namespace dragoman::convert
