// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "arguments.h"
#include "guard.h"
#include "handles.h"
#include "options.h"

// Pieces that end in .inc are made of options.json: the same lines for each of its rows.
namespace dragoman::capi {
namespace {

constexpr float kModelDefault = std::numeric_limits<float>::quiet_NaN();

dragoman_translate_options default_translate_options() {
    dragoman_translate_options to{};
    to.struct_size = sizeof to;
#include "capi/option_defaults.inc"
    return to;
}

std::optional<uint32_t> unless_default(uint32_t value) {
    return value == DRAGOMAN_MODEL_DEFAULT ? std::nullopt : std::optional(value);
}

std::optional<float> unless_default(float value, const char* name) {
    return std::isnan(value) ? std::nullopt : std::optional(finite(value, name));
}

struct Sequences {
    const dragoman_tokens* data;
    std::size_t count;
    const char* count_name;
};

std::vector<std::vector<std::string>> sequences(const Sequences& from, const Argument& place) {
    std::vector<std::vector<std::string>> result;
    if (from.count == 0) return result;
    check_count(from.count, from.count_name);
    required(from.data, place.name);
    for (std::size_t i = 0; i < from.count; ++i) {
        result.push_back(tokens(from.data[i], {place.name, i}));
        if (result.back().empty()) fail(Status::invalid_argument, "{}[{}]: is empty", place.name, i);
    }
    return result;
}

}  // namespace

Options read(const dragoman_translate_options* given) {
    const dragoman_translate_options from = read_options(given, "options", default_translate_options());
    if (from.memory) at_home(from.memory, "options.memory");
    Options result;
#include "capi/option_reading.inc"
    pipeline::check_text(result.text);
    if (from.progress) {
        result.progress = [call = from.progress, user = from.progress_user](std::size_t done, std::size_t total) {
            return call(done, total, user) == 0;
        };
    }
    return result;
}

}  // namespace dragoman::capi

using namespace dragoman::capi;

dragoman_status dragoman_translate_options_init_sized(dragoman_translate_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_translate_options(), "options"); });
}
