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

struct LastError {
    char text[2048] = "";
};

LastError& last_error() noexcept {
    thread_local LastError error;
    return error;
}

LogSink log_function(dragoman_log_fn callback, void* user) {
    return [callback, user](LogLevel level, std::string_view line) {
        callback(static_cast<int32_t>(level), std::string(line).c_str(), user);
    };
}

}  // namespace

void set_last_error(std::string_view message) noexcept {
    LastError& error = last_error();
    copy_name(error.text, message);
    // A path that it names may be no UTF-8.
    while (const auto bad = first_invalid_utf8(error.text)) error.text[*bad] = '?';
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
    static constexpr const char* kNames[] = {"ok",          "invalid_argument", "bad_model",
                                             "unsupported", "out_of_memory",    "device_lost",
                                             "no_device",   "io_error",         "cancelled",
                                             "internal"};
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
