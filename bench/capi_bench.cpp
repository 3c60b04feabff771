// SPDX-License-Identifier: Apache-2.0
// What a call through the C API costs beside the same call into the C++ core: bench_capi MODEL_WITH_TOKENIZER [CALLS].
#include <dragoman/dragoman.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.h"
#include "capi/handles.h"
#include "pipeline/run/translator.h"

namespace {

using namespace dragoman;

void require(dragoman_status status) {
    if (status != DRAGOMAN_OK) fail(static_cast<Status>(status), "{}", dragoman_last_error());
}

template <class F>
double microseconds(F&& f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double>& values) {
    std::ranges::nth_element(values, values.begin() + std::ptrdiff_t(values.size() / 2));
    return values[values.size() / 2];
}

struct Api {
    dragoman_translator* translator;
    std::vector<dragoman_string> views;

    std::size_t read(dragoman_result* result) const {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < dragoman_result_count(result); ++i) {
            dragoman_string text{};
            require(dragoman_result_text(result, i, 0, &text));
            bytes += text.size;
        }
        dragoman_result_destroy(result);
        return bytes;
    }
    std::size_t call() const {
        dragoman_result* result = nullptr;
        require(dragoman_translate_texts(translator, views.data(), views.size(), nullptr, nullptr, &result));
        return read(result);
    }
    std::size_t job() const {
        dragoman_job* job = nullptr;
        dragoman_result* result = nullptr;
        require(dragoman_submit_texts(translator, views.data(), views.size(), nullptr, nullptr, nullptr, &job));
        require(dragoman_job_take_result(job, &result));
        dragoman_job_destroy(job);
        return read(result);
    }
};

// The three take turns, so that whatever slows the machine down slows all of them.
void compare(const char* name, dragoman_translator* translator, const std::vector<std::string>& texts, int calls) {
    Api api{translator, {}};
    std::vector<pipeline::Text> inputs;
    for (const std::string& text : texts) {
        api.views.push_back({text.data(), text.size()});
        inputs.push_back({text, {}});
    }
    std::size_t bytes = 0, expected = 0;
    const auto core = [&] {
        for (const auto& result : pipeline::translate_texts(*translator->translator, inputs, {}, {}))
            bytes += result.hypotheses.front().text.size();
    };
    core();
    expected = bytes;
    std::vector<double> of_core, of_api, of_jobs, extra, extra_job;
    for (int i = 0; i < calls; ++i) {
        bytes = 0;
        of_core.push_back(microseconds(core));
        of_api.push_back(microseconds([&] { bytes += api.call(); }));
        of_jobs.push_back(microseconds([&] { bytes += api.job(); }));
        DRAGOMAN_ASSERT(bytes == 3 * expected);
        extra.push_back(of_api.back() - of_core.back());
        extra_job.push_back(of_jobs.back() - of_core.back());
    }
    std::printf("%-28s core %10.2f us, C API %+8.2f us (%+.2f us per text), as a job %+8.2f us\n", name,
                median(of_core), median(extra), median(extra) / double(texts.size()), median(extra_job));
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_capi MODEL_WITH_TOKENIZER [CALLS]\n");
        return 2;
    }
    const int calls = argc > 2 ? std::max(std::atoi(argv[2]), 1) : 300;
    dragoman_model* model = nullptr;
    dragoman_translator* translator = nullptr;
    require(dragoman_model_load(argv[1], nullptr, &model));
    require(dragoman_translator_create(model, &translator));
    // Blank texts never reach the device: the difference is the call itself.
    compare("1 blank text", translator, {" "}, calls * 10);
    compare("1000 blank texts", translator, std::vector<std::string>(1000, " "), calls);
    compare("1 sentence", translator, {"Where is the station?"}, calls);
    std::vector<std::string> page;
    for (int i = 0; i < 32; ++i) page.push_back("The train number " + std::to_string(i) + " leaves at noon.");
    compare("32 sentences", translator, page, std::max(calls / 10, 1));
    dragoman_translator_destroy(translator);
    dragoman_model_destroy(model);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_capi: %s\n", error.what());
    return 1;
}
