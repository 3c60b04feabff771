// SPDX-License-Identifier: Apache-2.0
// Jobs whose inputs come while others are translated, against translate_texts().
#include "base/error.h"
#include "pipeline/model_fixture.h"
#include "pipeline/recorded.h"

#include <doctest/doctest.h>

#include <future>
#include <thread>

namespace fed_test {

using namespace dragoman;
using namespace dragoman::pipeline;
using namespace std::chrono_literals;

namespace {

const std::string kToy = DRAGOMAN_TEST_DATA "/toy-text";

std::shared_ptr<Translator> new_translator() {
    static const auto model = Model::load(kToy, {.device = {}, .compute_type = ComputeType::f32});
    return Translator::create(model);
}

JobInput fed_texts() {
    JobInput input{.documents = {}, .fed = true};
    input.options = {.beam_size = 2, .return_scores = true};
    return input;
}

void feed_one(Job& job, const std::string& text) {
    JobDocument document{text};
    CHECK(job.feed({&document, 1}) == 1);
}

// Everything until the end.
std::vector<TextResult> take_all(Job& job, std::size_t first = 0) {
    std::vector<TextResult> results;
    for (;;) {
        JobOutput output = job.next();
        if (output.size() == 0) return results;
        CHECK(output.first == first + results.size());
        std::ranges::move(output.texts, std::back_inserter(results));
    }
}

template <class F>
Status status_of(F&& action, std::string* message = nullptr) {
    try {
        action();
    } catch (const Error& error) {
        if (message) *message = error.what();
        return error.status();
    }
    return Status::ok;
}

}  // namespace

TEST_CASE("fed from one thread, taken on another: what translate_texts() gives, in order") {
    const auto translator = new_translator();
    std::vector<std::string> texts;
    for (int round = 0; round < 3; ++round) {
        for (const auto& text : test::read_recorded(kToy).texts) texts.push_back(text.text);
        texts.push_back(round == 1 ? "" : " \n");
        texts.push_back("bara! lotilu.\n12345\nmin.");
    }
    std::vector<Text> views;
    for (const std::string& text : texts) views.push_back({text, {}});
    const JobInput input = fed_texts();
    const auto expected = translator->translate_texts(views, input.text, input.options);

    const auto job = translator->submit(input, {});
    std::thread feeder([&] {
        std::vector<JobDocument> documents;
        for (const std::string& text : texts) documents.push_back({text});
        for (std::size_t at = 0; at < documents.size();) {
            const auto some = std::span(documents).subspan(at, std::min<std::size_t>(7, documents.size() - at));
            at += job->feed(some);
        }
        job->finish();
    });
    const auto results = take_all(*job);
    feeder.join();
    REQUIRE(results.size() == expected.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        REQUIRE(results[i].hypotheses.size() == expected[i].hypotheses.size());
        CHECK(results[i].hypotheses[0].text == expected[i].hypotheses[0].text);
        CHECK(results[i].sentences.size() == expected[i].sentences.size());
    }
    CHECK(job->wait());
    CHECK(job->status().state == JobState::done);
    CHECK(job->next().size() == 0);  // again and again
    CHECK(job->next(0ms).size() == 0);
    std::size_t sentences = 0;
    for (const TextResult& result : expected) sentences += result.sentences.size();
    CHECK(job->status().done == sentences);
    CHECK(job->status().total == sentences);
}

TEST_CASE("a result is there before the next input, and inputs may come with submit()") {
    const auto translator = new_translator();
    JobInput input = fed_texts();
    input.documents.push_back({"bara!"});
    const auto job = translator->submit(std::move(input), {});
    for (std::size_t i = 0; i < 4; ++i) {
        const JobOutput output = job->next();  // nothing more has come yet
        REQUIRE(output.texts.size() == 1);
        CHECK(output.first == i);
        CHECK(job->next(1ms).size() == 0);
        CHECK(job->status().state == JobState::running);
        feed_one(*job, i % 2 ? "" : "lotilu.");
    }
    job->finish();
    CHECK(take_all(*job, 4).size() == 1);
    JobDocument late{"min."};
    CHECK(status_of([&] { job->feed({&late, 1}); }) == Status::invalid_argument);
    CHECK(late.text == "min.");
}

TEST_CASE("tokens are fed as well") {
    const auto translator = Translator::create(test::real_model());
    const auto job = translator->submit({.documents = {}, .texts = false, .fed = true}, {});
    std::vector<JobDocument> documents;
    for (const char* word : {"آتزمون", "", "آزا"}) documents.push_back({.text = {}, .source = test::letters(word)});
    CHECK(job->feed(documents) == 3);
    job->finish();
    std::vector<std::string> found;
    for (JobOutput output = job->next(); output.size() > 0; output = job->next())
        for (std::size_t i = 0; i < output.results.size(); ++i)
            found.push_back(test::text_of(output.sources.at(i)) + " " +
                            test::text_of(output.results[i].hypotheses.at(0).tokens));
    CHECK(found == std::vector<std::string>{"آتزمون atzmon", " ", "آزا azza"});
}

TEST_CASE("what is not taken out bounds what goes in") {
    const auto translator = new_translator();
    for (const char* text : {"bara!", ""}) {  // the same sentence, and none at all: neither waits for the device
        CAPTURE(text);
        JobInput input = fed_texts();
        input.text.return_tokens = false;
        const auto job = translator->submit(std::move(input), {});
        constexpr std::size_t kMax = 1u << 17;
        std::size_t fed = 0, taken = 0;
        for (int full = 0; full < 2;) {
            std::vector<JobDocument> documents(1000, {text});
            const std::size_t now = job->feed(documents, 500ms);
            fed += now;
            REQUIRE(fed <= kMax);
            full = now == 0 ? full + 1 : 0;
        }
        taken += job->next().size();
        CHECK(taken > 0);
        feed_one(*job, text);  // there is room again
        job->finish();
        taken += take_all(*job, taken).size();
        CHECK(taken == fed + 1);
    }
    // Few large ones: megabytes, not documents, are counted.
    const auto job = translator->submit(fed_texts(), {});
    std::size_t fed = 0;
    for (int full = 0; full < 2;) {
        JobDocument large{std::string(1u << 20, '\n')};
        const std::size_t now = job->feed({&large, 1}, 500ms);
        fed += now;
        REQUIRE(fed <= 64);
        full = now == 0 ? full + 1 : 0;
    }
    job->finish();
    CHECK(take_all(*job).size() == fed);
}

TEST_CASE("an input that cannot be used: first the results of those before it") {
    const auto translator = new_translator();
    for (const bool finish : {false, true}) {
        const auto job = translator->submit(fed_texts(), {});
        std::vector<JobDocument> documents{{"bara!"}, {"lotilu. min min."}, {"ab\xff"}, {"bara!"}};
        CHECK(job->feed(documents) == 4);
        if (finish) job->finish();
        std::vector<TextResult> results;
        std::string message;
        const Status status = status_of(
            [&] {
                for (;;) {
                    JobOutput output = job->next();
                    REQUIRE(output.size() > 0);
                    CHECK(output.first == results.size());
                    std::ranges::move(output.texts, std::back_inserter(results));
                }
            },
            &message);
        CHECK(status == Status::invalid_argument);
        CHECK(message.find("text 2") != std::string::npos);
        CHECK(message.find("byte 2") != std::string::npos);
        CHECK(results.size() == 2);
        CHECK(job->wait());
        CHECK(job->status().state == JobState::failed);
        CHECK(status_of([&] { job->next(); }) == Status::invalid_argument);
        if (finish) continue;
        JobDocument more{"bara!"};
        CHECK(job->feed({&more, 1}) == 0);
    }
}

TEST_CASE("cancelled before anything came, idle, and with much to do") {
    const auto translator = new_translator();
    for (const std::size_t before : {0u, 1u, 200u}) {
        CAPTURE(before);
        const auto job = translator->submit(fed_texts(), {});
        for (std::size_t i = 0; i < before; ++i) feed_one(*job, "bara " + std::to_string(i) + " lotilu min min.");
        if (before == 1) CHECK(job->next().size() == 1);
        job->cancel();
        CHECK(job->wait());
        CHECK(job->status().state == JobState::cancelled);
        JobDocument more{"bara!"};
        CHECK(job->feed({&more, 1}) == 0);
        CHECK(status_of([&] { take_all(*job, before == 1); }) == Status::cancelled);
    }
    // A thread that waits for room, or for a result, is woken.
    const auto job = translator->submit(fed_texts(), {});
    auto waiting = std::async(std::launch::async, [&] { return status_of([&] { job->next(); }); });
    job->cancel();
    CHECK(waiting.get() == Status::cancelled);
    // So it is when the translator ends.
    auto other = new_translator();
    const auto orphan = other->submit(fed_texts(), {});
    auto left = std::async(std::launch::async, [&] { return status_of([&] { orphan->next(); }); });
    other.reset();
    CHECK(left.get() == Status::cancelled);
}

TEST_CASE("what waits for room when another thread finishes the job is refused, not lost") {
    const auto translator = new_translator();
    const auto job = translator->submit(fed_texts(), {});
    std::atomic<std::size_t> taken = 0;
    std::atomic<bool> refused = false;
    std::thread feeder([&] {
        std::vector<JobDocument> blanks(20000);
        while (!refused) {
            for (JobDocument& blank : blanks) blank = {" "};
            const Status status = status_of([&] { taken += job->feed(blanks); });
            refused = status != Status::ok;
            if (refused) CHECK(status == Status::invalid_argument);
        }
    });
    while (taken < 40000) CHECK(job->next(5ms).size() <= 40000);
    job->finish();
    std::size_t given = 0;
    feeder.join();
    for (JobOutput some = job->next(); some.size() > 0; some = job->next()) given = some.first + some.size();
    CHECK(given == taken);
}

TEST_CASE("the room for what is fed") {
    const auto translator = new_translator();
    const auto job = translator->submit(fed_texts(), {});
    const auto room = job->wait_for_room(0ms);
    CHECK(room.documents > 1000);
    CHECK(room.bytes > 1'000'000);
    job->cancel();
    CHECK(job->wait());
    CHECK(job->wait_for_room({}).documents == 0);
    const auto finished = translator->submit(fed_texts(), {});
    finished->finish();
    CHECK(status_of([&] { finished->wait_for_room({}); }) == Status::invalid_argument);
}

TEST_CASE("in callbacks: without waiting") {
    const auto translator = new_translator();
    std::shared_ptr<Job> job;
    std::promise<void> there;
    const auto ready = there.get_future().share();
    std::vector<TextResult> results;
    Status fed = Status::ok, taken = Status::ok;
    std::size_t events = 0;
    JobInput input = fed_texts();
    input.documents.push_back({"bara!"});
    job = translator->submit(std::move(input), {.on_event = [&](const JobEvent& event) {
                                 ready.wait();
                                 JobDocument next{"lotilu " + std::to_string(events) + "."};
                                 if (event.kind == JobEvent::Kind::end) {
                                     fed = status_of([&] { job->next(); });
                                     return;
                                 }
                                 if (++events == 1) {
                                     taken = status_of([&] { job->feed({&next, 1}); });
                                     CHECK(status_of([&] { job->next(5ms); }) == Status::invalid_argument);
                                 }
                                 for (TextResult& result : job->next(0ms).texts) results.push_back(std::move(result));
                                 if (events < 5) CHECK(job->feed({&next, 1}, 0ms) == 1);
                                 else job->finish();
                             }});
    there.set_value();
    CHECK(job->wait());
    CHECK(fed == Status::invalid_argument);
    CHECK(taken == Status::invalid_argument);
    CHECK(events == 5);
    const std::size_t inside = results.size();
    CHECK(inside + take_all(*job, inside).size() == 5);
}

TEST_CASE("each kind of job has its own way out") {
    const auto translator = new_translator();
    const auto job = translator->submit(fed_texts(), {});
    CHECK(status_of([&] { job->take(); }) == Status::invalid_argument);
    job->finish();
    CHECK(job->next().size() == 0);
    const auto whole = translator->submit({.documents = {{"bara!"}}}, {});
    JobDocument more{"bara!"};
    CHECK(status_of([&] { whole->feed({&more, 1}); }) == Status::invalid_argument);
    CHECK(status_of([&] { whole->finish(); }) == Status::invalid_argument);
    CHECK(status_of([&] { whole->next(); }) == Status::invalid_argument);
    CHECK(whole->take().texts.size() == 1);
}

}  // namespace fed_test
