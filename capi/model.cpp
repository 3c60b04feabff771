// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <memory>
#include <string>

#include "arguments.h"
#include "device.h"
#include "files/file_set.h"
#include "guard.h"
#include "handles.h"
#include "options.h"

// Its strings do not move.
struct dragoman_language_list {
    std::vector<std::string> strings;
    std::vector<dragoman_language> languages;
};

namespace dragoman::capi {
namespace {

static_assert(DRAGOMAN_COMPUTE_F16 == static_cast<int>(pipeline::ComputeType::f16));
static_assert(DRAGOMAN_COMPUTE_INT8 == static_cast<int>(pipeline::ComputeType::int8));
static_assert(DRAGOMAN_COMPUTE_INT8_FLOAT16 == static_cast<int>(pipeline::ComputeType::int8_f16));

dragoman_model_options default_model_options() {
    dragoman_model_options options{};
    options.struct_size = sizeof options;
    return options;
}

}  // namespace

pipeline::ModelOptions model_options(const dragoman_model_options* given) {
    const dragoman_model_options options = read_options(given, "options", default_model_options());
    if (options.reserved != 0) fail(Status::invalid_argument, "options.reserved: expected 0, got {}", options.reserved);
    pipeline::ModelOptions result{
        .device = options.device ? at_home(options.device, "options.device").device : nullptr,
        .compute_type = static_cast<pipeline::ComputeType>(
            enumerator(options.compute_type, DRAGOMAN_COMPUTE_INT8_FLOAT16, "options.compute_type")),
        .more_models = tokens({options.more_models, options.more_model_count}, {"options.more_models"}),
        .average_probabilities = flag(options.average_probabilities, "options.average_probabilities")};
    for (std::size_t i = 0; i < result.more_models.size(); ++i)
        if (result.more_models[i].empty()) fail(Status::invalid_argument, "options.more_models[{}]: is empty", i);
    if (options.weight_count == 0) return result;
    check_count(options.weight_count, "options.weight_count");
    const float* const weights = &required(options.weights, "options.weights");
    result.weights.assign(weights, weights + options.weight_count);
    return result;
}

void check_tokenizer(const pipeline::Model& model) {
    if (model.info().has_tokenizer) return;
    fail(Status::unsupported, "{}: the model has no tokenizer; use tokens (dragoman_translate_tokens)",
         model.info().path);
}

// NULL: the library's default model.
std::string model_path(const char* path) {
    if (!path) return {};
    std::string result = path_text(path, {"path"});
    if (result.empty()) fail(Status::invalid_argument, "path: is empty");
    return result;
}

namespace {

void write_model_info(const pipeline::ModelInfo& info, dragoman_model_info* target) {
    dragoman_model_info result{};
    result.has_tokenizer = info.has_tokenizer;
    result.d_model = info.d_model;
    result.heads = info.heads;
    result.encoder_layers = info.encoder_layers;
    result.decoder_layers = info.decoder_layers;
    result.encoder_ffn = info.encoder_ffn;
    result.decoder_ffn = info.decoder_ffn;
    result.source_vocabulary = info.source_vocabulary;
    result.target_vocabulary = info.target_vocabulary;
    result.parameters = info.parameters;
    result.file_bytes = info.file_bytes;
    result.device_bytes = info.device_bytes;
    copy_name(result.format, info.format);
    copy_name(result.family, info.family);
    copy_name(result.stored_types, info.stored_types);
    copy_name(result.compute_type, info.compute_type);
    copy_name(result.version, info.version);
    copy_name(result.license, info.license);
    copy_name(result.path, info.path);
    copy_name(result.prompt, info.prompt);
    result.networks = info.networks;
    result.max_source_tokens = info.max_source_tokens;
    result.max_target_tokens = info.max_target_tokens;
    copy_name(result.lacks, fmt::format("{}", fmt::join(info.unsupported, ", ")));
    copy_name(result.compute_reason, info.compute_reason);
    write_struct(target, target->struct_size, result, "info");
}

// The caller's files, checked; they are used during the call only.
std::shared_ptr<const FileSet> file_set(const dragoman_file* files, std::size_t count) {
    required(files, "files");
    check_count(count, "count");
    std::vector<GivenFile> given(count);
    for (std::size_t i = 0; i < count; ++i) {
        const dragoman_file& from = files[i];
        required(from.name, "files.name");
        GivenFile& to = given[i];
        to.name = text(dragoman_str(from.name), {"files.name", i});
        to.size = from.size;
        if (from.size > SIZE_MAX)
            fail(Status::out_of_memory, "{}: {} bytes are more than {}", to.name, from.size, SIZE_MAX);
        if (from.data) {
            to.bytes = {static_cast<const std::byte*>(from.data), static_cast<std::size_t>(from.size)};
        } else if (from.read) {
            to.read = [&from](uint64_t offset, std::span<std::byte> target) {
                const int32_t result = from.read(offset, target.data(), target.size(), from.user);
                if (result != 0)
                    fail(Status::io_error, "{}: the read callback failed with {} for {} bytes at {} of {}", from.name,
                         result, target.size(), offset, from.size);
            };
        } else if (from.size > 0) {
            fail(Status::invalid_argument, "{}: data and read are NULL, size is {}", to.name, from.size);
        }
    }
    return FileSet::given(std::move(given));
}

dragoman_language_list* make_list(const spec::Languages& from, int32_t side) {
    const auto& languages = enumerator(side, DRAGOMAN_SIDE_TARGET, "side") == DRAGOMAN_SIDE_SOURCE ? from.source
                                                                                                   : from.target;
    auto out = std::make_unique<dragoman_language_list>();
    out->strings.reserve(3 * languages.size());
    for (const spec::Language& language : languages) {
        const auto keep = [&](std::string text) { return out->strings.emplace_back(std::move(text)).c_str(); };
        const char* const tag = keep(language.tag.str());
        const char* const code = keep(language.code);
        out->languages.push_back({tag, code, keep(language.tag.known() ? language.tag.name() : language.code)});
    }
    return out.release();
}

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_model_options_init_sized(dragoman_model_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_model_options(), "options"); });
}

dragoman_status dragoman_model_load(const char* path, const dragoman_model_options* options, dragoman_model** model) {
    return guard([&] {
        required(model, "model") = nullptr;
        const std::string checked_path = model_path(path);
        *model = new dragoman_model{pipeline::Model::load(checked_path, model_options(options))};
    });
}

dragoman_status dragoman_model_load_files(const dragoman_file* files, size_t count,
                                          const dragoman_model_options* options, dragoman_model** model) {
    return guard([&] {
        required(model, "model") = nullptr;
        const pipeline::ModelOptions checked = model_options(options);
        *model = new dragoman_model{pipeline::Model::load(*file_set(files, count), checked)};
    });
}

dragoman_status dragoman_model_describe_files(const dragoman_file* files, size_t count, dragoman_model_info* info) {
    return guard([&] {
        check_info(info);
        write_model_info(pipeline::Model::describe(*file_set(files, count)), info);
    });
}

void dragoman_model_destroy(dragoman_model* model) { destroy(model); }

dragoman_status dragoman_model_get_info(const dragoman_model* model, dragoman_model_info* info) {
    return guard([&] {
        check_info(info);
        write_model_info(required(model, "model").model->info(), info);
    });
}

dragoman_status dragoman_model_describe(const char* path, dragoman_model_info* info) {
    return guard([&] {
        check_info(info);
        write_model_info(pipeline::Model::describe(model_path(path)), info);
    });
}

dragoman_status dragoman_model_languages(const dragoman_model* model, int32_t side,
                                         dragoman_language_list** languages) {
    return guard([&] {
        required(languages, "languages") = nullptr;
        *languages = make_list(required(model, "model").model->info().languages, side);
    });
}

dragoman_status dragoman_model_describe_languages(const char* path, int32_t side, dragoman_language_list** languages) {
    return guard([&] {
        required(languages, "languages") = nullptr;
        *languages = make_list(pipeline::Model::describe(model_path(path)).languages, side);
    });
}

dragoman_status dragoman_model_describe_all(const char* path, dragoman_model_info* info,
                                            dragoman_language_list** sources, dragoman_language_list** targets) {
    return guard([&] {
        check_info(info);
        required(sources, "sources") = nullptr;
        required(targets, "targets") = nullptr;
        const pipeline::ModelInfo found = pipeline::Model::describe(model_path(path));
        std::unique_ptr<dragoman_language_list> from(make_list(found.languages, DRAGOMAN_SIDE_SOURCE));
        *targets = make_list(found.languages, DRAGOMAN_SIDE_TARGET);
        *sources = from.release();
        write_model_info(found, info);
    });
}

dragoman_status dragoman_model_describe_languages_files(const dragoman_file* files, size_t count, int32_t side,
                                                        dragoman_language_list** languages) {
    return guard([&] {
        required(languages, "languages") = nullptr;
        *languages = make_list(pipeline::Model::describe(*file_set(files, count)).languages, side);
    });
}

size_t dragoman_language_list_count(const dragoman_language_list* languages) {
    return languages ? languages->languages.size() : 0;
}

const dragoman_language* dragoman_language_list_data(const dragoman_language_list* languages) {
    return languages && !languages->languages.empty() ? languages->languages.data() : nullptr;
}

void dragoman_language_list_destroy(dragoman_language_list* languages) { delete languages; }

dragoman_status dragoman_model_device(const dragoman_model* model, dragoman_device_info* info) {
    return guard([&] {
        check_info(info);
        write_device_info(required(model, "model").model->replicas()->device().shared_context()->caps(), info);
    });
}

dragoman_status dragoman_model_memory(const dragoman_model* model, dragoman_memory_info* info) {
    return guard([&] {
        check_info(info);
        write_memory_info(at_home(model, "model").model->replicas()->device(), info);
    });
}
