// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <dragoman/dragoman.hpp>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "text_model.h"

namespace cpp_header_test {

namespace {

const std::string kModel = DRAGOMAN_TEST_DATA "/aren-transliteration";
const std::vector<std::vector<std::string>> kSources = {{"آ", "ز", "ا"}, {"آ", "ت", "ز", "م", "و", "ن"}};

std::string join(std::span<const dragoman_string> tokens) {
    std::string text;
    for (const dragoman_string& token : tokens) text += dragoman::view(token);
    return text;
}

}  // namespace

TEST_CASE("C++: translate, score, statistics") {
    dragoman::ModelOptions exact;
    exact.compute_type = DRAGOMAN_COMPUTE_F32;
    const dragoman::Model model(kModel, exact);
    CHECK(model.info().d_model == 32);
    CHECK(dragoman::describe_model(kModel).decoder_layers == 6);
    const auto devices = dragoman::devices();
    REQUIRE(model.device().index < devices.size());
    CHECK(std::string(devices[model.device().index].name) == model.device().name);

    dragoman::Translator translator(model);
    dragoman::TranslateOptions options;
    options.beam_size = 4;
    options.num_hypotheses = 2;
    options.return_scores = options.return_attention = 1;
    const dragoman::TokenViews sources(kSources);
    const dragoman::Result result = translator.translate(sources, options);
    REQUIRE(result.size() == 2);
    CHECK(result.hypotheses(0) == 2);
    CHECK(join(result.tokens(0)) == "azza");
    CHECK(join(result.tokens(1)) == "atzmon");
    CHECK(join(result.source_tokens(0)) == "آزا");
    CHECK(result.score(1) < 0);
    CHECK(result.attention(1).rows == 6);
    CHECK(result.attention(1).cols == 6);

    const std::vector<std::vector<std::string>> prefixes = {{}, {"a", "t", "s"}};
    CHECK(join(translator.translate(sources, {}, dragoman::TokenViews(prefixes)).tokens(1)) == "atsumon");
    CHECK(join(translator.submit(sources, {}, {}, {}, dragoman::TokenViews(prefixes)).get().tokens(1)) == "atsumon");

    const std::vector<std::vector<std::string>> targets = {{"a"}, {"a", "t", "z", "m", "o", "n"}};
    const dragoman::Scores scores = translator.score(sources, dragoman::TokenViews(targets));
    REQUIRE(scores.size() == 2);
    CHECK(scores.log_probs(1).size() == 7);
    CHECK(scores.log_probs(1)[0] == doctest::Approx(-0.106023).epsilon(1e-3));
    CHECK(join(scores.tokens(0)) == "a</s>");
    CHECK(translator.stats().sentences > 0);
    translator.reset_stats();
    translator.trim();
}

TEST_CASE("C++: errors are exceptions with status and message") {
    try {
        dragoman::Model("/no/such/model");
        FAIL("no exception");
    } catch (const dragoman::Error& error) {
        CHECK(error.status() == DRAGOMAN_IO_ERROR);
        CHECK(std::string(error.what()).find("/no/such/model") != std::string::npos);
    }
    const dragoman::Model model(kModel);
    dragoman::Translator translator(model);
    CHECK_THROWS_AS(translator.translate("text"), dragoman::Error);
    const std::span first(kSources.data(), 1);
    const dragoman::TokenViews sources(kSources), one(first);
    CHECK_THROWS_AS(translator.translate(sources, {}, one), dragoman::Error);
    CHECK_THROWS_AS(translator.submit(sources, {}, {}, {}, one), dragoman::Error);
    CHECK_THROWS_AS(translator.score(sources, one), dragoman::Error);
    CHECK(translator.translate(dragoman::TokenViews{}).size() == 0);
}

TEST_CASE("C++: handles move") {
    dragoman::Model model(kModel);
    dragoman::Model moved = std::move(model);
    dragoman::Translator translator(moved);
    dragoman::Translator other = std::move(translator);
    CHECK(join(other.translate(dragoman::TokenViews(kSources)).tokens(0)) == "azza");
}

TEST_CASE("C++: nothing in, nothing out") {
    const dragoman::test::TextModel files;
    const dragoman::Model model(files.path);
    dragoman::Translator translator(model);
    CHECK(translator.translate(std::span<const std::string_view>()).size() == 0);
    CHECK(translator.submit(std::span<const std::string_view>()).get().size() == 0);
    CHECK(translator.translate("").empty());
}

TEST_CASE("C++: jobs and their events") {
    const dragoman::test::TextModel files;
    const dragoman::Model model(files.path);
    dragoman::Translator translator(model);
    std::vector<std::string> heard;
    dragoman::Job job = translator.submit("آتزمون\nآزا", {}, [&](const dragoman_event& event) {
        if (event.kind == DRAGOMAN_EVENT_SENTENCE) heard.emplace_back(dragoman::view(event.text));
    });
    job.wait();
    CHECK(job.wait_for(std::chrono::milliseconds(0)));
    CHECK(job.poll().state == DRAGOMAN_JOB_DONE);
    CHECK(job.get().text(0) == "atzmon\nazza");
    CHECK(heard == std::vector<std::string>{"atzmon", "azza"});
    CHECK_THROWS_AS(job.get(), dragoman::Error);

    dragoman::Job tokens = translator.submit(dragoman::TokenViews(kSources));
    dragoman::Job moved = std::move(tokens);
    CHECK(join(moved.get().tokens(0)) == "azza");

    int heard_late = 0;  // a job that another one takes the place of falls silent before its listener goes
    dragoman::Job replaced = translator.submit("آزا", {}, [&](const dragoman_event&) { ++heard_late; });
    for (int i = 0; i < 5; ++i)
        replaced = translator.submit("آتزمون", {}, [&](const dragoman_event&) { ++heard_late; });
    replaced.wait();
    CHECK(heard_late >= 2);
    dragoman::Logger logger([](int32_t, const char*) {}, DRAGOMAN_LOG_DEBUG);
    logger = dragoman::Logger([](int32_t, const char*) {}, DRAGOMAN_LOG_ERROR);

    dragoman::Job failing = translator.submit("آزا", {},
                                              [](const dragoman_event&) { throw std::runtime_error("mine"); });
    CHECK_THROWS_WITH_AS(failing.get(), "mine", std::runtime_error);
    dragoman::Job cancelled = translator.submit("آزا");
    cancelled.cancel();
    cancelled.wait();
    dragoman::JobOptions urgent;
    urgent.priority = 1;
    CHECK(translator.submit("آزا", {}, {}, urgent).get().text(0) == "azza");
}

TEST_CASE("C++: a model from memory, its tokens, its memory, its log") {
    const dragoman::test::TextModel files;
    std::vector<std::pair<std::string, std::string>> contents;
    for (const auto& entry : std::filesystem::directory_iterator(files.path))
        contents.emplace_back(entry.path().filename().string(), dragoman::test::read_file(entry.path()));
    std::vector<dragoman_file> given;
    for (const auto& [name, content] : contents)
        given.push_back(dragoman::file(name.c_str(), std::as_bytes(std::span(content))));
    int lines = 0;
    {
        const dragoman::Logger logger([&](int32_t, const char*) { ++lines; }, DRAGOMAN_LOG_DEBUG);
        const dragoman::Model model(given);
        CHECK(model.tokenize("آزا") == std::vector<std::string>{"آ", "ز", "ا"});
        CHECK(model.detokenize(std::vector<std::string>{"a", "z", "z", "a"}) == "azza");
        CHECK(model.memory().held_bytes > 0);
        CHECK(dragoman::device_memory(model.device().index).heap_bytes == model.memory().heap_bytes);
    }
    CHECK(lines > 0);
    const auto ranges = dragoman::split_sentences("One. Two.", "en");
    REQUIRE(ranges.size() == 2);
    CHECK(ranges[1].begin == 5);
    CHECK(ranges[1].end == 9);
}

TEST_CASE("C++: devices, and models on them") {
    dragoman::DeviceOptions options;
    options.memory_limit_bytes = uint64_t(1) << 30;
    dragoman::Device device(options);
    CHECK(device.memory().limit_bytes == options.memory_limit_bytes);
    const dragoman::Model first(kModel, device), second(kModel, device);
    CHECK(std::string(first.device().name) == device.info().name);
    CHECK(device.memory().held_bytes == second.memory().held_bytes);
    device.trim();
    options.name = "no such device";
    CHECK_THROWS_AS(dragoman::Device{options}, dragoman::Error);
    dragoman_vulkan_device mine;
    dragoman_vulkan_device_init(&mine);
    CHECK_THROWS_AS(dragoman::Device{mine}, dragoman::Error);
    CHECK_THROWS_AS(dragoman::WantedDevice{mine}, dragoman::Error);
}

TEST_CASE("C++: languages and ranges of tokens") {
    const std::string path = DRAGOMAN_TEST_DATA "/huggingface/shared";
    const auto targets = dragoman::describe_languages(path, DRAGOMAN_SIDE_TARGET);
    REQUIRE(targets.size() == 2);
    CHECK(targets[0].code == "xx");
    CHECK(dragoman::Model(path).languages(DRAGOMAN_SIDE_TARGET)[0].name == targets[0].name);
    const dragoman::Description all = dragoman::describe(path);
    CHECK(all.info.path == path);
    REQUIRE(all.targets.size() == 2);
    CHECK(all.targets[0].code == "xx");
    CHECK(all.sources.size() == dragoman::describe_languages(path, DRAGOMAN_SIDE_SOURCE).size());

    const dragoman::test::TextModel files;
    const dragoman::Model model(files.path);
    CHECK(model.has_token("z"));
    CHECK_FALSE(model.has_token("zz"));
    const auto ranges = model.token_ranges("آزا");
    REQUIRE(ranges.size() == 3);
    CHECK(ranges[2].begin == 4);
    CHECK(ranges[2].end == 6);
    const std::string_view text = "آزا";
    const dragoman::Result result = dragoman::Translator(model).translate(std::span(&text, 1));
    REQUIRE(result.ranges(0).size() == 4);
    CHECK(result.ranges(0)[3].end == 4);
    REQUIRE(result.source_ranges(0).size() == 3);
    CHECK(result.source_ranges(0)[0].end == 2);
}

TEST_CASE("C++: jobs that are fed") {
    const dragoman::test::TextModel files;
    const dragoman::Model model(files.path);
    dragoman::Translator translator(model);
    const std::string_view texts[] = {"آزا", "آتزمون"};
    dragoman::Job job = translator.feed_texts();
    CHECK(!job.next(std::chrono::milliseconds(0)));
    CHECK(job.feed(texts) == 2);
    job.finish();
    std::vector<std::string> got;
    while (const auto result = job.next()) {
        CHECK(result->first() == got.size());
        for (std::size_t i = 0; i < result->size(); ++i) got.emplace_back(result->text(i));
    }
    CHECK(got == std::vector<std::string>{"azza", "atzmon"});
    CHECK_THROWS_AS(job.feed(texts), dragoman::Error);

    dragoman::Job tokens = translator.feed_tokens();
    CHECK(tokens.feed(dragoman::TokenViews(kSources), std::chrono::milliseconds(100)) == 2);
    CHECK(join(tokens.next()->tokens(0)) == "azza");
    CHECK_THROWS_AS(tokens.feed(texts), dragoman::Error);
    tokens.cancel();
    tokens.wait();

    dragoman::Job failing = translator.feed_texts({}, [](const dragoman_event&) { throw std::runtime_error("mine"); });
    failing.feed(texts);
    failing.finish();
    const auto drain = [&] {
        while (failing.next()) {}
    };
    CHECK_THROWS_WITH_AS(drain(), "mine", std::runtime_error);
}

}  // namespace cpp_header_test
