// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"

namespace bench_test {

using namespace dragoman;
using bench::Measurement;
using nlohmann::json;
using pipeline::Request;

namespace {

const std::string kModel = DRAGOMAN_TEST_DATA "/aren-transliteration";
const pipeline::ModelOptions kFloat32{.compute_type = pipeline::ComputeType::f32};

// A pass of its own; GPUs do without it where rows are few.
bool counts_live_rows(const Measurement& m) { return m.device.is_cpu(); }

// GPUs find the best tokens in the dispatch that moves the beams on (docs/architecture.md).
uint64_t search_dispatches(const Measurement& m) { return m.device.is_cpu() ? 2 : 1; }

Request request(const std::string& text) {
    Request made;
    std::istringstream words(text);
    for (std::string word; words >> word;) made.source.push_back(word);
    return made;
}

std::map<std::string, vulkan::PassTime> by_name(const std::vector<vulkan::PassTime>& passes) {
    std::map<std::string, vulkan::PassTime> result;
    for (const vulkan::PassTime& pass : passes) result[pass.name] = pass;
    return result;
}

}  // namespace

TEST_CASE("work of passes is what the shapes of the model say") {
    // 6 + 6 layers of width 32, feed-forward 128, 43 words out. Six letters become six, and the end token.
    const double d = 32, ffn = 128, words = 43, layers = 6;
    for (const uint32_t beam : {1u, 4u}) {
        CAPTURE(beam);
        const Measurement m = bench::measure(kModel, kFloat32, {request("آ ت ز م و ن")}, {.beam_size = beam},
                                             {.repeat = 1, .latency_samples = 0, .ceilings = false});
        REQUIRE(m.stats.target_tokens == 6);
        if (!m.device.timestamps) {
            std::printf("skipped: %s has no timestamps\n", m.device.name.c_str());
            return;
        }
        REQUIRE(m.passes.size() == 1);
        auto passes = by_name(m.passes[0]);
        CHECK(passes.size() == (counts_live_rows(m) ? 11 : 10));
        const double n = double(m.stats.source_tokens);
        CHECK(passes["encoder/self_attention"].work.flops == layers * (2 * 4 * d * d * n + 4 * d * n * n));
        CHECK(passes["encoder/ffn"].work.flops == layers * 2 * 2 * d * ffn * n);
        CHECK(passes["encoder/memory"].work.flops == layers * 2 * 2 * d * d * n);
        CHECK(passes["encoder/embed"].work.flops == 0);
        CHECK(passes["encoder/embed"].work.bytes > 0);
        CHECK(passes.contains("decoder/extents") == counts_live_rows(m));
        if (beam == 1) {
            const double steps = 7, keys = 7 * 8 / 2;
            CHECK(passes["decoder/self_attention"].work.flops == layers * (2 * 4 * d * d * steps + 4 * d * keys));
            CHECK(passes["decoder/cross_attention"].work.flops == layers * (2 * 2 * d * d * steps + 4 * d * n * steps));
            CHECK(passes["decoder/ffn"].work.flops == layers * 2 * 2 * d * ffn * steps);
            CHECK(passes["decoder/output"].work.flops == 2 * d * words * steps);
            CHECK(passes["decoder/output"].work.bytes >= steps * 4 * (d * words + d + words));
            // The best of every 64 columns or so, not the logits.
            CHECK(passes["decoder/search"].work.bytes >= steps * 4 * 3 * std::ceil(words / 64));
        } else {
            // One row at the first step, four at each of those that follow.
            const double rows = passes["decoder/output"].work.flops / (2 * d * words);
            CHECK(rows == 1 + 4 * (double(m.stats.decoder_steps) - 1));
            CHECK(passes["decoder/ffn"].work.flops == layers * 2 * 2 * d * ffn * rows);
        }
        for (const auto& [name, pass] : passes) {
            CAPTURE(name);
            CHECK(pass.total_ns > 0);
            CHECK(pass.dispatches >= pass.count);
        }
        // Top k, beam step; in the first step the end tokens are disabled before.
        const vulkan::PassTime& search = passes["decoder/search"];
        CHECK(search.dispatches == search_dispatches(m) * search.count + 1);
    }
}

TEST_CASE("the report: fields, and numbers that agree with each other") {
    const std::vector<Request> inputs = {request("آ ز ا"), request("آ ت ز م و ن"), request("ب"), request("م و ن ا")};
    const pipeline::TranslateOptions options{.beam_size = 2, .max_batch_size = 3};
    const Measurement m = bench::measure(kModel, {}, inputs, options, {.repeat = 2, .latency_samples = 5});
    const json report = json::parse(bench::to_json(m, options));
    CHECK(report["schema"] == "dragoman-bench/1");
    CHECK(report["model"]["d_model"] == 32);
    CHECK(report["options"]["beam_size"] == 2);
    CHECK(report["device"]["name"] == m.device.name);

    // The same translations without the bench, counted by the translator.
    const auto translator = pipeline::Translator::create(pipeline::Model::load(kModel, {}));
    translator->translate(inputs, options);
    translator->reset_stats();
    translator->translate(inputs, options);
    const pipeline::TranslatorStats stats = translator->stats();
    const json& counters = report["throughput"]["counters"];
    CHECK(counters["sentences"] == 4);
    CHECK(counters["source_tokens"] == stats.source_tokens);
    CHECK(counters["target_tokens"] == stats.target_tokens);
    CHECK(counters["padding_tokens"] == 0);
    CHECK(counters["batches"] == 2);
    CHECK(counters["decoder_steps"] == stats.decoder_steps);
    CHECK(counters["dispatches_per_step"] == stats.dispatches_per_step);
    CHECK(counters["dispatches"] == stats.device.dispatches);
    // How many steps go into a submission depends on their time.
    CHECK(counters["submissions"] == m.stats.device.submissions);
    CHECK(m.stats.device.submissions >= stats.batches);
    CHECK(counters["host_waits"].get<uint64_t>() >= 1);
    CHECK(counters["host_waits_per_sentence"].get<double>() <= 4);

    const json& seconds = report["throughput"]["seconds"];
    CHECK(seconds["count"] == 2);
    CHECK(seconds["min"] <= seconds["median"]);
    CHECK(seconds["median"] <= seconds["max"]);
    CHECK(report["throughput"]["target_tokens_per_second"].get<double>() ==
          doctest::Approx(counters["target_tokens"].get<double>() / seconds["median"].get<double>()));
    CHECK(report["first_translation"]["seconds"].get<double>() > 0);

    const json& latency = report["latency"];
    CHECK(latency["seconds"]["count"] == 5);
    CHECK(latency["counters"]["sentences"] == 5);
    CHECK(latency["counters"]["batches"] == 5);
    CHECK(latency["p50_seconds"] <= latency["p90_seconds"]);
    CHECK(latency["p90_seconds"] <= latency["p99_seconds"]);
    CHECK(latency["p99_seconds"] <= latency["seconds"]["max"]);

    CHECK(report["memory"]["device_peak_bytes"] >= report["memory"]["device_weights_bytes"]);
    CHECK(report["memory"]["device_weights_bytes"].get<uint64_t>() > 0);

    const json& ceilings = report["ceilings"];
    for (const char* field :
         {"copy_bytes_per_second", "matmul_flops_per_second", "dispatch_seconds", "submit_wait_seconds"}) {
        CAPTURE(field);
        CHECK(ceilings[field].get<double>() > 0);
    }
    if (!m.device.timestamps) return;
    const json& profile = report["profile"];
    CHECK(profile["runs"] == 2);
    CHECK(profile["passes"].size() == (counts_live_rows(m) ? 11 : 10));
    double total = 0, share = 0;
    for (const json& pass : profile["passes"]) {
        CAPTURE(pass["name"]);
        total += pass["seconds"]["median"].get<double>();
        share += pass["share"].get<double>();
        CHECK(pass["of_ceiling"].get<double>() > 0);
        CHECK(pass["least_seconds"].get<double>() > 0);
    }
    CHECK(total == doctest::Approx(profile["passes_seconds"].get<double>()));
    CHECK(share == doctest::Approx(1.0));
    CHECK(profile["passes_seconds"] <= profile["wall_seconds"]["max"]);  // passes do not overlap
}

TEST_CASE("random words where there are no inputs, the same for the same seed") {
    const bench::Options options{.repeat = 1,
                                 .latency_samples = 0,
                                 .synthetic_sentences = 3,
                                 .synthetic_tokens = 4,
                                 .ceilings = false,
                                 .passes = false};
    const pipeline::TranslateOptions decoding{.beam_size = 1, .max_decoding_length = 5};
    const Measurement first = bench::measure(kModel, {}, std::vector<Request>(), decoding, options);
    CHECK(first.stats.sentences == 3);
    CHECK(first.passes.empty());
    CHECK(first.latencies.empty());
    const json report = json::parse(bench::to_json(first, decoding));
    CHECK(report["profile"].is_null());
    CHECK(report["latency"].is_null());
    CHECK(report["ceilings"].is_null());
    const Measurement again = bench::measure(kModel, {}, std::vector<Request>(), decoding, options);
    CHECK(again.stats.target_tokens == first.stats.target_tokens);
}

TEST_CASE("texts are prepared as for a translation: sentences, language codes") {
    const std::string model_path = DRAGOMAN_TEST_DATA "/huggingface/shared";
    const std::vector<std::string_view> texts = {"batin kétiß. Késora banara!", "batin kétiß.", "Késora banara!"};
    const bench::Options quick{.repeat = 1, .latency_samples = 2, .ceilings = false, .passes = false};
    const auto translator = pipeline::Translator::create(pipeline::Model::load(model_path, {}));
    std::vector<pipeline::Text> given;
    for (const std::string_view text : texts) given.push_back({text, {}});
    for (const bool split : {true, false}) {
        for (const char* target : {"xx", "yy"}) {
            CAPTURE(split);
            CAPTURE(target);
            const pipeline::TextOptions how{.split_sentences = split, .target_language = target, .raw = true};
            translator->reset_stats();
            translate_texts(*translator, given, how, {.beam_size = 2});
            const pipeline::TranslatorStats stats = translator->stats();
            const Measurement m = bench::measure(model_path, {}, texts, how, {.beam_size = 2}, quick);
            CHECK(m.stats.sentences == (split ? 2 : 3));
            CHECK(m.stats.source_tokens == stats.source_tokens);
            CHECK(m.stats.target_tokens == stats.target_tokens);
            CHECK(m.latency_stats.sentences == 2);
        }
    }
    const auto status = [&](std::vector<std::string_view> one, const char* target) {
        try {
            bench::measure(model_path, {}, one, {.target_language = target}, {}, quick);
        } catch (const Error& error) {
            return error.status();
        }
        return Status::ok;
    };
    CHECK(status({"késora!"}, "zz") == Status::invalid_argument);
    CHECK(status({" \n", "", "日本語"}, "yy") == Status::unsupported);  // nothing, and what is only copied
}

TEST_CASE("options out of range are named") {
    const auto message = [](const bench::Options& options) -> std::string {
        try {
            bench::measure(kModel, {}, std::vector<Request>(), {}, options);
        } catch (const Error& error) {
            CHECK(error.status() == Status::invalid_argument);
            return error.what();
        }
        return "";
    };
    CHECK(message({.repeat = 0}).starts_with("repeat: expected 1 to"));
    CHECK(message({.latency_samples = 1u << 30}).starts_with("latency_samples: expected 0 to"));
    CHECK(message({.synthetic_sentences = 0}).starts_with("synthetic_sentences"));
    CHECK(message({.synthetic_tokens = 0}).starts_with("synthetic_tokens"));
}

}  // namespace bench_test
