// SPDX-License-Identifier: Apache-2.0
#include <ctime>
#include <random>
#include <set>

#include "base/error.h"
#include "base/os/process.h"
#include "bench/bench.h"
#include "bench/spread.h"
#include "pipeline/model/model.h"
#include "pipeline/model/options.h"
#include "pipeline/model/plan.h"
#include "pipeline/run/translator.h"
#include "pipeline/stages/stage.h"
#include "text/vocabulary.h"

namespace dragoman::bench {
namespace {

using pipeline::Model;
using pipeline::ModelOptions;
using pipeline::Progress;
using pipeline::Request;
using pipeline::TextOptions;
using pipeline::Translator;
using pipeline::TranslateOptions;

constexpr uint32_t kMax = 1u << 20;
constexpr uint32_t kProfiledRuns = 3;

void check(uint32_t value, uint32_t least, uint32_t most, const char* name) {
    if (value < least || value > most)
        fail(Status::invalid_argument, "{}: expected {} to {}, got {}", name, least, most, value);
}

void check(const Options& options) {
    check(options.repeat, 1, 100'000, "repeat");
    check(options.latency_samples, 0, kMax, "latency_samples");
    check(options.synthetic_sentences, 1, kMax, "synthetic_sentences");
    check(options.synthetic_tokens, 1, kMax, "synthetic_tokens");
}

std::vector<Request> synthetic(const Model& model, const Options& options) {
    const text::Vocabulary& vocabulary = model.source();
    std::vector<std::string> words;
    for (uint32_t id = 0; id < vocabulary.size(); ++id)
        if (const std::string& token = vocabulary.token(id); !token.empty() && token.front() != '<')
            words.push_back(token);
    if (words.empty()) fail(Status::unsupported, "{}: no words in the vocabulary to make inputs of", model.info().path);
    std::mt19937 random(options.seed);
    std::vector<Request> requests(options.synthetic_sentences);
    for (Request& request : requests)
        for (uint32_t i = 0; i < options.synthetic_tokens; ++i)
            request.source.push_back(words[random() % words.size()]);
    return requests;
}

std::vector<Request> sentences(const Model& model, std::span<const std::string_view> texts, TextOptions text_options,
                               const TranslateOptions& options) {
    // No stage changes the sentences: only the model is measured, with those that it does not only copy otherwise.
    text_options.raw = true;
    const pipeline::Plan plan(model, pipeline::Plan::Inputs::texts, text_options, options);
    const pipeline::Stages stages = pipeline::text_stages(plan);
    std::set<std::pair<pipeline::Tokens, pipeline::Tokens>> met;
    std::vector<Request> requests;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        pipeline::Document document{.index = i, .text = texts[i]};
        pipeline::open(stages, document);
        while (!document.down())
            for (auto at = pipeline::down(stages, document); at != document.sentences.end(); ++at)
                if (!at->finished && reads_word(model, *at) && met.emplace(at->tokens, at->prompt->target_begin).second)
                    requests.push_back({.source = at->tokens, .target_prefix = at->prompt->target_begin});
    }
    if (requests.empty()) fail(Status::unsupported, "texts: nothing in them that the model translates");
    return requests;
}

class Bench {
public:
    Bench(const std::string& path, const ModelOptions& model_options, const TranslateOptions& translate_options,
          const Options& options, const Progress& progress)
        : path_(path), compute_type_(model_options.compute_type), translate_options_(translate_options),
          options_(options), progress_(progress) {
        check(options);
    }

    template <class MakeInputs>
    Measurement run(MakeInputs&& make_inputs) {
        std::shared_ptr<const Model> model;
        m_.load_seconds = seconds_of([&] { model = load(options_.device); });
        m_.model = model->info();
        m_.device = model->context().caps();
        m_.search = pipeline::resolve(translate_options_, model->search());
        inputs_ = make_inputs(*model);
        {
            const auto translator = Translator::create(model);
            m_.first_seconds = seconds_of([&] { translate(*translator, alone(0)); });
            throughput(*translator);
            latency(*translator);
            m_.host_peak_bytes = os::peak_resident_bytes();
        }
        model.reset();
        ceilings();
        if (options_.passes) {
            profile();
            ceilings();
        }
        return std::move(m_);
    }

private:
    std::span<const Request> alone(std::size_t input) const {
        return std::span(inputs_).subspan(input % inputs_.size(), 1);
    }

    std::shared_ptr<const Model> load(const vulkan::ContextOptions& device) const {
        return Model::load(path_, {.device = engine::Device::open(device), .compute_type = compute_type_});
    }

    void translate(Translator& translator, std::span<const Request> requests) const {
        translator.translate(requests, translate_options_, progress_);
    }

    void throughput(Translator& translator) {
        m_.warm_up_seconds = seconds_of([&] { translate(translator, inputs_); });
        for (uint32_t run = 0; run < options_.repeat; ++run) {
            note_peak(translator);
            translator.reset_stats();
            const std::clock_t cpu = std::clock();
            m_.seconds.push_back(seconds_of([&] { translate(translator, inputs_); }));
            m_.cpu_seconds.push_back(double(std::clock() - cpu) / CLOCKS_PER_SEC);
        }
        m_.stats = translator.stats();
        note_peak(translator);
    }

    void latency(Translator& translator) {
        // The first run is not timed: it records new shapes.
        for (uint32_t i = 0; i < std::min<std::size_t>(options_.latency_samples, inputs_.size()); ++i)
            translate(translator, alone(i));
        translator.reset_stats();
        for (uint32_t i = 0; i < options_.latency_samples; ++i)
            m_.latencies.push_back(seconds_of([&] { translate(translator, alone(i)); }));
        m_.latency_stats = translator.stats();
        note_peak(translator);
    }

    void note_peak(const Translator& translator) {
        m_.device_peak_bytes = std::max(m_.device_peak_bytes, translator.stats().device.memory_peak_bytes);
    }

    void ceilings() {
        if (!options_.ceilings) return;
        const DType type = m_.model.compute_type.ends_with("float16") ? DType::f16 : DType::f32;
        measure_ceilings(*vulkan::Context::create(options_.device), type, m_.ceilings);
    }

    void profile() {
        vulkan::ContextOptions device = options_.device;
        device.profiling = true;
        const auto model = load(device);
        if (!model->context().caps().timestamps) return;
        const auto translator = Translator::create(model);
        translate(*translator, inputs_);
        for (uint32_t run = 0; run < std::min(options_.repeat, kProfiledRuns); ++run) {
            model->context().reset_pass_times();
            m_.profiled_seconds.push_back(seconds_of([&] { translate(*translator, inputs_); }));
            m_.passes.push_back(model->context().pass_times());
        }
    }

    const std::string& path_;
    const pipeline::ComputeType compute_type_;
    const TranslateOptions& translate_options_;
    const Options& options_;
    const Progress& progress_;
    std::vector<Request> inputs_;
    Measurement m_;
};

}  // namespace

Measurement measure(const std::string& model_path, const ModelOptions& model_options, std::vector<Request> inputs,
                    const TranslateOptions& translate_options, const Options& options, const Progress& progress) {
    return Bench(model_path, model_options, translate_options, options, progress).run([&](const Model& model) {
        return inputs.empty() ? synthetic(model, options) : std::move(inputs);
    });
}

Measurement measure(const std::string& model_path, const ModelOptions& model_options,
                    std::span<const std::string_view> texts, const TextOptions& text_options,
                    const TranslateOptions& translate_options, const Options& options, const Progress& progress) {
    return Bench(model_path, model_options, translate_options, options, progress).run([&](const Model& model) {
        return texts.empty() ? synthetic(model, options) : sentences(model, texts, text_options, translate_options);
    });
}

}  // namespace dragoman::bench
