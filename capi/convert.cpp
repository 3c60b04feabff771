// SPDX-License-Identifier: Apache-2.0
#include "convert/convert.h"

#include <dragoman/dragoman.h>

#include "arguments.h"
#include "guard.h"
#include "handles.h"
#include "options.h"

namespace dragoman::capi {
namespace {

dragoman_convert_options default_convert_options() {
    dragoman_convert_options options{};
    options.struct_size = sizeof options;
    return options;
}

convert::ConvertOptions read_convert(const dragoman_convert_options* given) {
    const dragoman_convert_options from = read_options(given, "options", default_convert_options());
    if (from.reserved != 0) fail(Status::invalid_argument, "options.reserved: expected 0, got {}", from.reserved);
    convert::ConvertOptions to;
    switch (enumerator(from.weight_type, DRAGOMAN_WEIGHTS_Q4, "options.weight_type")) {
        case DRAGOMAN_WEIGHTS_F32: to.type = DType::f32; break;
        case DRAGOMAN_WEIGHTS_F16: to.type = DType::f16; break;
        case DRAGOMAN_WEIGHTS_Q8: to.type = DType::q8; break;
        case DRAGOMAN_WEIGHTS_Q4: to.type = DType::q4; break;
        default: break;
    }
    to.replace = flag(from.replace, "options.replace");
    const auto named = [](const char* name, const char* value) {
        return std::string(text(dragoman_str(value), {name}));
    };
    to.alignment = {.text = named("options.alignment_text", from.alignment_text),
                    .source_language = named("options.source_language", from.source_language),
                    .target_language = named("options.target_language", from.target_language)};
    to.quality = {.pairs = named("options.quality_pairs", from.quality_pairs),
                  .source_language = to.alignment.source_language,
                  .target_language = to.alignment.target_language};
    if (from.device) to.device = from.device->device;
    if (from.progress)
        to.progress = [call = from.progress, user = from.progress_user](uint64_t done, uint64_t total) {
            return call(static_cast<std::size_t>(done), static_cast<std::size_t>(total), user) == 0;
        };
    return to;
}

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_convert_options_init_sized(dragoman_convert_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_convert_options(), "options"); });
}

dragoman_status dragoman_model_convert(const char* path, const char* out_path,
                                       const dragoman_convert_options* options) {
    return guard([&] {
        const std::string source = model_path(path);
        const std::string out = capi::path_text(&required(out_path, "out_path"), {"out_path"});
        if (out.empty()) fail(Status::invalid_argument, "out_path: is empty");
        convert::convert(source, out, read_convert(options));
    });
}
