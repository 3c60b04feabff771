// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.h"

#include <dragoman/dragoman.h>

#include <memory>
#include <utility>
#include <vector>

#include "arguments.h"
#include "check/check.h"
#include "device.h"
#include "guard.h"
#include "handles.h"
#include "options.h"

namespace dragoman::capi {
namespace {

dragoman_bench_options default_bench_options() {
    const bench::Options from;
    dragoman_bench_options to{};
    to.struct_size = sizeof to;
    to.repeat = from.repeat;
    to.latency_samples = from.latency_samples;
    to.synthetic_sentences = from.synthetic_sentences;
    to.synthetic_tokens = from.synthetic_tokens;
    to.seed = from.seed;
    to.ceilings = from.ceilings;
    to.passes = from.passes;
    return to;
}

bench::Options read_bench(const dragoman_bench_options* given) {
    const dragoman_bench_options from = read_options(given, "bench_options", default_bench_options());
    bench::Options to;
    to.repeat = from.repeat;
    to.latency_samples = from.latency_samples;
    to.synthetic_sentences = from.synthetic_sentences;
    to.synthetic_tokens = from.synthetic_tokens;
    to.seed = from.seed;
    to.ceilings = flag(from.ceilings, "bench_options.ceilings");
    to.passes = flag(from.passes, "bench_options.passes");
    to.device = device_options(from.device);
    return to;
}

struct Checked {
    std::string path;
    pipeline::ModelOptions model;
    Options options;
    bench::Options how;
};

// `measure` reads the inputs, after the other arguments have been checked.
template <class Measure>
void bench_into(dragoman_report*& report, const char* path, const dragoman_model_options* model,
                const dragoman_translate_options* options, const dragoman_bench_options* bench_options,
                std::size_t count, Measure&& measure) {
    report = nullptr;
    const Checked checked{model_path(path), model_options(model), read(options), read_bench(bench_options)};
    if (checked.model.device)
        fail(Status::invalid_argument, "model_options.device: expected NULL, a device is named in bench_options");
    if (count > 0) check_count(count, "count");
    const bench::Measurement measured = measure(checked);
    report = std::make_unique<dragoman_report>(bench::to_json(measured, checked.options.decoding)).release();
}

}  // namespace
}  // namespace dragoman::capi

using namespace dragoman;
using namespace dragoman::capi;

dragoman_status dragoman_bench_options_init_sized(dragoman_bench_options* options, size_t struct_size) {
    return guard([&] { write_struct(options, struct_size, default_bench_options(), "options"); });
}

dragoman_status dragoman_bench_texts(const char* path, const dragoman_model_options* model_options,
                                     const dragoman_string* texts, size_t count,
                                     const dragoman_translate_options* options,
                                     const dragoman_bench_options* bench_options, dragoman_report** report) {
    return guard([&] {
        const auto measure = [&](const Checked& checked) {
            std::vector<std::string_view> views;
            for (size_t i = 0; i < count; ++i)
                views.push_back(capi::text((&required(texts, "texts"))[i], {"texts", i}));
            return bench::measure(checked.path, checked.model, views, checked.options.text, checked.options.decoding,
                                  checked.how, checked.options.progress);
        };
        bench_into(required(report, "report"), path, model_options, options, bench_options, count, measure);
    });
}

dragoman_status dragoman_bench_tokens(const char* path, const dragoman_model_options* model_options,
                                      const dragoman_tokens* sources, size_t count,
                                      const dragoman_translate_options* options,
                                      const dragoman_bench_options* bench_options, dragoman_report** report) {
    return guard([&] {
        const auto measure = [&](const Checked& checked) {
            std::vector<pipeline::Request> inputs(count);
            for (size_t i = 0; i < count; ++i)
                inputs[i].source = tokens((&required(sources, "sources"))[i], {"sources", i});
            return bench::measure(checked.path, checked.model, std::move(inputs), checked.options.decoding, checked.how,
                                  checked.options.progress);
        };
        bench_into(required(report, "report"), path, model_options, options, bench_options, count, measure);
    });
}

dragoman_status dragoman_device_check(const dragoman_device* device, dragoman_report** report) {
    return guard([&] {
        dragoman_report*& into = required(report, "report");
        into = nullptr;
        engine::Device& first = *at_home(device, "device").device;
        std::vector<check::Report> found{check::check_device(first.opened()->context())};
        for (const auto& other : first.others()) found.push_back(check::check_device(other->opened()->context()));
        into = std::make_unique<dragoman_report>(check::to_json(found)).release();
    });
}

void dragoman_report_destroy(dragoman_report* report) { delete report; }

dragoman_status dragoman_report_json(const dragoman_report* report, dragoman_string* json) {
    return guard([&] {
        const std::string& text = required(report, "report").json;
        required(json, "json") = {text.c_str(), text.size()};
    });
}
