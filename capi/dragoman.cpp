// SPDX-License-Identifier: Apache-2.0
#include <dragoman/dragoman.h>

#include <algorithm>
#include <memory>
#include <string>

#include "arguments.h"
#include "base/log.h"
#include "base/utf8.h"
#include "files/file_set.h"
#include "guard.h"
#include "handles.h"
#include "options.h"

namespace dragoman::capi {
namespace {

static_assert(DRAGOMAN_INTERNAL == static_cast<int>(Status::internal));
static_assert(DRAGOMAN_LOG_DEBUG == static_cast<int>(LogLevel::debug));
static_assert(DRAGOMAN_DEVICE_OTHER == static_cast<int>(vulkan::DeviceKind::other));
static_assert(DRAGOMAN_COMPUTE_F16 == static_cast<int>(pipeline::ComputeType::f16));
static_assert(DRAGOMAN_COMPUTE_INT8 == static_cast<int>(pipeline::ComputeType::int8));

struct LastError {
    char text[2048] = "";
};

LastError& last_error() noexcept {
    thread_local LastError error;
    return error;
}

dragoman_model_options default_model_options() {
    dragoman_model_options options{};
    options.struct_size = sizeof options;
    return options;
}

}  // namespace

pipeline::ModelOptions model_options(const dragoman_model_options* given) {
    const dragoman_model_options options = read_options(given, "options", default_model_options());
    if (options.reserved != 0) fail(Status::invalid_argument, "options.reserved: expected 0, got {}", options.reserved);
    const auto name = [](const char* value, const char* argument) {
        return std::string(text(dragoman_str(value), {argument}));
    };
    pipeline::ModelOptions result;
    result.compute_type = static_cast<pipeline::ComputeType>(
        enumerator(options.compute_type, DRAGOMAN_COMPUTE_INT8, "options.compute_type"));
    result.device.device = name(options.device, "options.device");
    result.device.cache_dir = name(options.cache_dir, "options.cache_dir");
    result.device.memory_limit_bytes = options.memory_limit_bytes;
    result.device.validation = flag(options.validation, "options.validation");
    return result;
}

void check_tokenizer(const pipeline::Model& model) {
    if (model.info().has_tokenizer) return;
    fail(Status::unsupported, "{}: the model brings no tokenizer; use tokens (dragoman_translate_tokens)",
         model.info().path);
}

// NULL: the library's default model.
std::string model_path(const char* path) {
    if (!path) return {};
    std::string result(text(dragoman_str(path), {"path"}));
    if (result.empty()) fail(Status::invalid_argument, "path: is empty");
    return result;
}

namespace {

// As many codes as fit, none of them cut.
template <std::size_t N>
void copy_codes(char (&target)[N], const std::vector<std::string>& codes) {
    std::string list;
    for (const std::string& code : codes) {
        const std::string next = list.empty() ? code : list + ", " + code;
        if (next.size() >= N) break;
        list = next;
    }
    copy_name(target, list);
}

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
    copy_codes(result.source_languages, info.source_languages);
    copy_codes(result.target_languages, info.target_languages);
    copy_name(result.version, info.version);
    copy_name(result.license, info.license);
    copy_name(result.path, info.path);
    write_struct(target, target->struct_size, result, "info");
}

void write_device_info(const vulkan::Caps& caps, dragoman_device_info* target) {
    dragoman_device_info result{};
    result.index = caps.index;
    result.kind = static_cast<int32_t>(caps.kind);
    result.vendor_id = caps.vendor_id;
    result.device_id = caps.device_id;
    result.api_version = caps.api_version;
    result.driver_version = caps.driver_version;
    result.subgroup_size = caps.subgroup_size;
    result.f16 = caps.f16;
    result.cooperative_matrix = !caps.coop_shapes.empty();
    result.integer_dot_product = caps.integer_dot;
    result.unified_memory = caps.unified_memory;
    result.memory_bytes = caps.device_memory_bytes;
    result.max_buffer_bytes = caps.max_storage_range_bytes;
    std::copy(caps.uuid.begin(), caps.uuid.end(), result.uuid);
    copy_name(result.name, caps.name);
    copy_name(result.driver, caps.driver);
    write_struct(target, target->struct_size, result, "info");
}

LogSink log_function(dragoman_log_fn callback, void* user) {
    return [callback, user](LogLevel level, std::string_view line) {
        callback(static_cast<int32_t>(level), std::string(line).c_str(), user);
    };
}

void write_memory_info(const vulkan::DeviceMemory& memory, dragoman_memory_info result, dragoman_memory_info* target) {
    result.measured = memory.measured;
    result.heap_bytes = memory.heap_bytes;
    result.budget_bytes = memory.budget_bytes;
    result.used_bytes = memory.used_bytes;
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

// Before the work, so that a bad struct costs nothing.
template <class Info>
void check_info(const Info* info) {
    check_struct_size<Info>(required(info, "info").struct_size, "info");
}

}  // namespace

void set_last_error(std::string_view message) noexcept {
    LastError& error = last_error();
    copy_name(error.text, message);
}

}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

uint32_t dragoman_version(void) { return DRAGOMAN_VERSION; }

#define DRAGOMAN_TEXT_(x) #x
#define DRAGOMAN_TEXT(x) DRAGOMAN_TEXT_(x)

const char* dragoman_version_string(void) {
    return DRAGOMAN_TEXT(DRAGOMAN_VERSION_MAJOR) "." DRAGOMAN_TEXT(DRAGOMAN_VERSION_MINOR) "." DRAGOMAN_TEXT(
        DRAGOMAN_VERSION_PATCH);
}

const char* dragoman_status_name(int32_t status) {
    static constexpr const char* kNames[] = {"ok",            "invalid_argument", "bad_model", "unsupported",
                                             "out_of_memory", "device_lost",      "no_device", "io_error",
                                             "cancelled",     "internal"};
    return status >= 0 && status < static_cast<int32_t>(std::size(kNames)) ? kNames[status] : "unknown";
}

const char* dragoman_last_error(void) { return last_error().text; }

dragoman_status dragoman_set_log(dragoman_log_fn callback, void* user, int32_t max_level) {
    return guard([&] {
        if (!callback) return set_log_sink({}, LogLevel::warning);
        const auto level = static_cast<LogLevel>(enumerator(max_level, DRAGOMAN_LOG_DEBUG, "max_level"));
        set_log_sink(log_function(callback, user), level);
    });
}

struct dragoman_logger {
    uint64_t id;
};

dragoman_status dragoman_logger_create(dragoman_log_fn callback, void* user, int32_t max_level,
                                       dragoman_logger** logger) {
    return guard([&] {
        required(logger, "logger") = nullptr;
        if (!callback) fail(Status::invalid_argument, "callback: is NULL");
        const auto level = static_cast<LogLevel>(enumerator(max_level, DRAGOMAN_LOG_DEBUG, "max_level"));
        auto out = std::make_unique<dragoman_logger>();
        out->id = add_log_sink(log_function(callback, user), level);
        *logger = out.release();
    });
}

void dragoman_logger_destroy(dragoman_logger* logger) {
    if (logger) remove_log_sink(logger->id);
    delete logger;
}

size_t dragoman_utf8_prefix(const char* text, size_t size) {
    return text ? first_invalid_utf8({text, size}).value_or(size) : 0;
}

dragoman_status dragoman_device_count(uint32_t* count) {
    return guard([&] {
        required(count, "count");
        *count = static_cast<uint32_t>(vulkan::list_devices().size());
    });
}

dragoman_status dragoman_device_describe(uint32_t index, dragoman_device_info* info) {
    return guard([&] {
        check_info(info);
        const std::vector<vulkan::Caps> devices = vulkan::list_devices();
        if (index >= devices.size()) {
            fail(Status::no_device, "index: {} is not a device, there are {}", index, devices.size());
        }
        write_device_info(devices[index], info);
    });
}

dragoman_status dragoman_device_memory(uint32_t index, dragoman_memory_info* info) {
    return guard([&] {
        check_info(info);
        write_memory_info(vulkan::device_memory(index), {}, info);
    });
}

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

void dragoman_model_destroy(dragoman_model* model) { delete model; }

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

dragoman_status dragoman_model_device(const dragoman_model* model, dragoman_device_info* info) {
    return guard([&] {
        check_info(info);
        write_device_info(required(model, "model").model->context().caps(), info);
    });
}

dragoman_status dragoman_model_memory(const dragoman_model* model, dragoman_memory_info* info) {
    return guard([&] {
        check_info(info);
        const vulkan::Context& context = required(model, "model").model->context();
        const vulkan::ContextStats stats = context.stats();
        dragoman_memory_info held{};
        held.held_bytes = stats.memory_bytes;
        held.peak_bytes = stats.memory_peak_bytes;
        held.limit_bytes = context.memory_limit_bytes();
        write_memory_info(context.memory(), held, info);
    });
}
