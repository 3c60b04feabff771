// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include "text_model.h"

namespace fed_job_test {

using namespace dragoman::test;

namespace {

using JobHandle = std::unique_ptr<dragoman_job, Destroyer<dragoman_job, dragoman_job_destroy>>;

const std::string kTextA = "آتزمون", kTextB = "آزا";

dragoman_job_options fed_options() {
    dragoman_job_options options;
    require_ok(dragoman_job_options_init(&options));
    options.fed = 1;
    return options;
}

JobHandle feed_texts(const TranslatorHandle& translator) {
    const dragoman_job_options how = fed_options();
    dragoman_job* job = nullptr;
    require_ok(dragoman_submit_texts(translator.get(), nullptr, 0, nullptr, nullptr, &how, &job));
    return JobHandle(job);
}

JobHandle feed_tokens(const TranslatorHandle& translator) {
    const dragoman_job_options how = fed_options();
    dragoman_job* job = nullptr;
    require_ok(dragoman_submit_tokens(translator.get(), nullptr, 0, nullptr, nullptr, &how, &job));
    return JobHandle(job);
}

std::size_t feed(const JobHandle& job, const std::string& text, int64_t timeout_ms = -1) {
    const dragoman_string given{text.data(), text.size()};
    std::size_t taken = 99;
    require_ok(dragoman_job_feed_texts(job.get(), &given, 1, nullptr, timeout_ms, &taken));
    return taken;
}

ResultHandle next(const JobHandle& job, int64_t timeout_ms = -1) {
    dragoman_result* result = reinterpret_cast<dragoman_result*>(1);
    require_ok(dragoman_job_next_result(job.get(), timeout_ms, &result));
    return ResultHandle(result);
}

struct Texts {
    TextModel files;
    ModelHandle model = files.load();
    TranslatorHandle translator = create_translator(model);
};

}  // namespace

TEST_CASE("a fed job: results come in order, the first before the last input is given") {
    const Texts texts;
    const JobHandle job = feed_texts(texts.translator);
    CHECK(feed(job, kTextB) == 1);
    const ResultHandle first = next(job);
    REQUIRE(first);
    CHECK(dragoman_result_first(first.get()) == 0);
    CHECK(text_of(first.get(), 0) == "azza");

    constexpr std::size_t kMore = 50;
    for (std::size_t i = 0; i < kMore; ++i) CHECK(feed(job, i % 2 ? kTextA : kTextB + "\n" + kTextA) == 1);
    require_ok(dragoman_job_finish(job.get()));
    std::size_t seen = 1;
    while (const ResultHandle result = next(job)) {
        CHECK(dragoman_result_first(result.get()) == seen);
        for (std::size_t i = 0; i < dragoman_result_count(result.get()); ++i, ++seen)
            CHECK(text_of(result.get(), i) == (seen % 2 ? "azza\natzmon" : "atzmon"));
    }
    CHECK(seen == 1 + kMore);
    CHECK(next(job) == nullptr);  // and again
    int32_t ended = 0;
    require_ok(dragoman_job_wait(job.get(), 0, &ended));
    CHECK(ended == 1);
}

TEST_CASE("a fed job of tokens, with prefixes, that was submitted with inputs") {
    const ModelHandle model = load_model();
    const TranslatorHandle translator = create_translator(model);
    const dragoman_job_options how = fed_options();
    const Sequences first{kSourceB}, more{kSourceA, kSourceA}, prefixes{"", "a t s"};
    dragoman_job* raw = nullptr;
    require_ok(dragoman_submit_tokens(translator.get(), first.data(), 1, nullptr, nullptr, &how, &raw));
    const JobHandle job(raw);
    std::size_t taken = 0;
    require_ok(dragoman_job_feed_tokens(raw, more.data(), 2, prefixes.data(), -1, &taken));
    CHECK(taken == 2);
    require_ok(dragoman_job_finish(raw));
    std::vector<std::string> got;
    while (const ResultHandle result = next(job))
        for (std::size_t i = 0; i < dragoman_result_count(result.get()); ++i) got.push_back(tokens_of(result, i));
    CHECK(got == std::vector<std::string>{"a z z a", "a t z m o n", "a t s u m o n"});
}

TEST_CASE("a fed job takes no more than it has room for, and goes on when results are taken") {
    const Texts texts;
    const JobHandle job = feed_texts(texts.translator);
    const std::vector<dragoman_string> given(5000, dragoman_str(kTextB.c_str()));
    std::size_t fed = 0, seen = 0, taken = 1;
    for (int round = 0; round < 1000 && taken > 0; ++round) {  // nobody takes results
        require_ok(dragoman_job_feed_texts(job.get(), given.data(), given.size(), nullptr, 0, &taken));
        fed += taken;
    }
    CHECK(taken == 0);
    require_ok(dragoman_job_cancel(job.get()));
    dragoman_status status = DRAGOMAN_OK;
    for (dragoman_result* result = nullptr; status == DRAGOMAN_OK;) {
        status = dragoman_job_next_result(job.get(), -1, &result);
        const ResultHandle handle(result);
        if (!result && status == DRAGOMAN_OK) break;
        seen += dragoman_result_count(result);
    }
    CHECK(status == DRAGOMAN_CANCELLED);
    CHECK(seen <= fed);
    CHECK(feed(job, kTextB) == 0);  // it has ended
}

TEST_CASE("waiting for a fed job's results and for room ends in time") {
    const Texts texts;
    const JobHandle job = feed_texts(texts.translator);
    const auto start = std::chrono::steady_clock::now();
    CHECK(next(job, 0) == nullptr);
    CHECK(next(job, 30) == nullptr);
    CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(30));
    dragoman_job_info info;
    dragoman_job_info_init(&info);
    require_ok(dragoman_job_poll(job.get(), &info));
    CHECK((info.state == DRAGOMAN_JOB_WAITING || info.state == DRAGOMAN_JOB_RUNNING));
    std::thread late([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const dragoman_string given{kTextB.data(), kTextB.size()};
        std::size_t taken = 0;
        dragoman_job_feed_texts(job.get(), &given, 1, nullptr, -1, &taken);
        dragoman_job_finish(job.get());
    });
    const ResultHandle result = next(job);
    late.join();
    REQUIRE(result);
    CHECK(text_of(result.get(), 0) == "azza");
    CHECK(next(job) == nullptr);
}

TEST_CASE("fed jobs: arguments") {
    const Texts texts;
    const dragoman_string text = dragoman_str("x"), bad = dragoman_str("\xff");
    const Sequences tokens{kSourceB};
    std::size_t taken = 1;
    dragoman_result* result = reinterpret_cast<dragoman_result*>(1);

    dragoman_job* raw = nullptr;
    require_ok(dragoman_submit_texts(texts.translator.get(), &text, 1, nullptr, nullptr, nullptr, &raw));
    const JobHandle plain(raw);
    check_error(dragoman_job_feed_texts(raw, &text, 1, nullptr, 0, &taken), DRAGOMAN_INVALID_ARGUMENT, {"fed"});
    CHECK(taken == 0);
    check_error(dragoman_job_finish(raw), DRAGOMAN_INVALID_ARGUMENT, {"fed"});
    check_error(dragoman_job_next_result(raw, 0, &result), DRAGOMAN_INVALID_ARGUMENT, {"fed"});
    CHECK(result == nullptr);

    const JobHandle job = feed_texts(texts.translator);
    check_error(dragoman_job_take_result(job.get(), &result), DRAGOMAN_INVALID_ARGUMENT, {"fed"});
    check_error(dragoman_job_feed_tokens(job.get(), tokens.data(), 1, nullptr, 0, &taken), DRAGOMAN_INVALID_ARGUMENT,
                {"job", "tokens", "texts"});
    check_error(dragoman_job_feed_texts(job.get(), &bad, 1, nullptr, 0, &taken), DRAGOMAN_INVALID_ARGUMENT,
                {"texts[0]"});
    check_error(dragoman_job_feed_texts(job.get(), nullptr, 1, nullptr, 0, &taken), DRAGOMAN_INVALID_ARGUMENT,
                {"texts"});
    check_error(dragoman_job_feed_texts(job.get(), &text, 1, nullptr, 0, nullptr), DRAGOMAN_INVALID_ARGUMENT,
                {"taken"});
    check_error(dragoman_job_feed_texts(nullptr, &text, 1, nullptr, 0, &taken), DRAGOMAN_INVALID_ARGUMENT, {"job"});
    check_error(dragoman_job_finish(nullptr), DRAGOMAN_INVALID_ARGUMENT, {"job"});
    check_error(dragoman_job_next_result(nullptr, 0, &result), DRAGOMAN_INVALID_ARGUMENT, {"job"});
    check_error(dragoman_job_next_result(job.get(), 0, nullptr), DRAGOMAN_INVALID_ARGUMENT, {"result"});
    require_ok(dragoman_job_finish(job.get()));
    check_error(dragoman_job_feed_texts(job.get(), &text, 1, nullptr, 0, &taken), DRAGOMAN_INVALID_ARGUMENT,
                {"finished"});
    CHECK(next(job) == nullptr);  // nothing in, nothing out
    CHECK(dragoman_result_first(nullptr) == 0);

    const JobHandle of_tokens = feed_tokens(texts.translator);
    check_error(dragoman_job_feed_texts(of_tokens.get(), &text, 1, nullptr, 0, &taken), DRAGOMAN_INVALID_ARGUMENT,
                {"job", "texts", "tokens"});
}

TEST_CASE("a fed job ends with its translator") {
    Texts texts;
    const JobHandle job = feed_texts(texts.translator);
    CHECK(feed(job, kTextB) == 1);
    texts.translator.reset();
    int32_t ended = 0;
    require_ok(dragoman_job_wait(job.get(), 0, &ended));
    CHECK(ended == 1);
    CHECK(feed(job, kTextB) == 0);
}

}  // namespace fed_job_test
