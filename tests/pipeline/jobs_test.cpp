// SPDX-License-Identifier: Apache-2.0
// Jobs against translate() and translate_texts(), which have references of their own.
#include "pipeline/run/translator.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "pipeline/model_fixture.h"
#include "pipeline/run/callback_scope.h"

namespace jobs_test {

using namespace dragoman;
using namespace dragoman::pipeline;
using test::letters;
using test::text_of;
using namespace std::chrono_literals;

namespace {

const std::string kShared = DRAGOMAN_TEST_DATA "/huggingface/shared";

std::shared_ptr<Translator> new_translator() { return Translator::create(test::real_model()); }

std::shared_ptr<Translator> text_translator() {
    static const auto model = Model::load(kShared, {.device = {}, .compute_type = ComputeType::f32});
    return Translator::create(model);
}

JobInput words(std::initializer_list<std::string_view> texts) {
    JobInput input{.documents = {}, .texts = false};
    for (const std::string_view text : texts) input.documents.push_back({.text = {}, .source = letters(text)});
    return input;
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

// Holds a translator's thread in the first event of a job until it is let go.
class Gate {
public:
    std::function<void(const JobEvent&)> hold() {
        return [this](const JobEvent&) {
            reached_.set_value();
            open_.get_future().wait();
        };
    }
    void wait_reached() { reached_.get_future().wait(); }
    void open() { open_.set_value(); }

private:
    std::promise<void> reached_, open_;
};

}  // namespace

TEST_CASE("a job gives what translate() gives, and its input comes back") {
    const auto translator = new_translator();
    const auto job = translator->submit(words({"آتزمون", "آزا"}), {});
    JobOutput output = job->take();
    REQUIRE(output.results.size() == 2);
    CHECK(text_of(output.results[0].hypotheses.at(0).tokens) == "atzmon");
    CHECK(text_of(output.results[1].hypotheses.at(0).tokens) == "azza");
    CHECK(output.sources.at(1) == letters("آزا"));
    CHECK(job->status().state == JobState::done);
    CHECK(job->status().done == 2);
    CHECK(job->status().total == 2);
    CHECK(status_of([&] { job->take(); }) == Status::invalid_argument);
    CHECK(translator->submit(words({}), {})->take().results.empty());
}

TEST_CASE("events tell every sentence of the result once, then the end") {
    const auto translator = text_translator();
    const std::string first = "batin kétiß kénara. késora banara!\n12345\nbatin kétiß kénara.";
    const std::string second = "késora banara!";
    TextOptions options{.target_language = "xx"};
    const std::vector<Text> texts = {{first, {}}, {"", {}}, {second, {}}};
    const auto expected = translate_texts(*translator, texts, options, {.return_scores = true});

    struct Seen {
        std::string text, source;
        Tokens tokens;
        float score;
    };
    std::map<std::pair<std::size_t, std::size_t>, Seen> seen;
    std::vector<std::size_t> done;
    int ends = 0;
    bool after_end = false;
    JobInput input{.documents = {{first}, {""}, {second}}, .text = options, .options = {.return_scores = true}};
    JobOptions how;
    how.on_event = [&](const JobEvent& event) {
        after_end |= ends > 0;
        if (event.kind == JobEvent::Kind::end) {
            ++ends;
            CHECK(event.status == Status::ok);
            return;
        }
        const std::string& source = event.input == 0 ? first : second;
        Seen one{std::string(event.text),
                 std::string(text::part(source, event.source)),
                 {event.tokens.begin(), event.tokens.end()},
                 event.score};
        CHECK(seen.emplace(std::pair(event.input, event.sentence), std::move(one)).second);
        done.push_back(event.done);
    };
    const auto job = translator->submit(std::move(input), how);
    CHECK(job->wait());
    const JobOutput output = job->take();
    CHECK(ends == 1);
    CHECK_FALSE(after_end);

    REQUIRE(output.texts.size() == expected.size());
    std::size_t sentences = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(output.texts[i].hypotheses.at(0).text == expected[i].hypotheses.at(0).text);
        for (std::size_t s = 0; s < expected[i].sentences.size(); ++s, ++sentences) {
            CAPTURE(i);
            CAPTURE(s);
            REQUIRE(seen.contains({i, s}));
            const Seen& event = seen.at({i, s});
            const auto& target = expected[i].hypotheses[0].sentences[s];
            CHECK(event.text == text::part(expected[i].hypotheses[0].text, target.range()));
            CHECK(event.source == text::part(texts[i].text, expected[i].sentences[s].range));
            CHECK(event.tokens == expected[i].hypotheses[0].tokens(s));
            CHECK(event.score == target.score);
        }
    }
    CHECK(sentences >= 5);
    CHECK(seen.size() == sentences);
    CHECK(job->status().total == sentences);
    CHECK(done.back() == sentences);
}

TEST_CASE("more urgent jobs go first, equal ones in the order they came") {
    const auto translator = new_translator();
    Gate gate;
    std::mutex mutex;
    std::string order;
    const auto mark = [&](char name) {
        return [&order, &mutex, name](const JobEvent& event) {
            const std::lock_guard lock(mutex);
            if (event.kind == JobEvent::Kind::end) order += name;
        };
    };
    const auto first = translator->submit(words({}), {.on_event = gate.hold()});
    gate.wait_reached();
    std::vector<std::shared_ptr<Job>> jobs;
    const std::pair<char, int> asked[] = {{'a', 0}, {'b', -1}, {'c', 5}, {'d', 0}, {'e', 5}};
    for (const auto& [name, priority] : asked)
        jobs.push_back(translator->submit(words({"آزا"}), {.priority = priority, .on_event = mark(name)}));
    gate.open();
    for (const auto& job : jobs) CHECK(job->wait());
    CHECK(order == "ceadb");
}

TEST_CASE("cancelled: while waiting, in a callback, by progress; the others go on") {
    const auto translator = new_translator();
    Gate gate;
    const auto blocker = translator->submit(words({}), {.on_event = gate.hold()});
    gate.wait_reached();
    const auto waiting = translator->submit(words({"آزا"}), {});
    const auto other = translator->submit(words({"آزا"}), {});
    CHECK(waiting->status().state == JobState::waiting);
    CHECK_FALSE(waiting->wait(1ms));
    waiting->cancel();
    gate.open();
    std::string message;
    CHECK(status_of([&] { waiting->take(); }, &message) == Status::cancelled);
    CHECK(message.find("cancelled") != std::string::npos);
    CHECK(waiting->status().state == JobState::cancelled);
    CHECK(text_of(other->take().results.at(0).hypotheses.at(0).tokens) == "azza");
    other->cancel();  // too late: nothing happens
    CHECK(other->status().state == JobState::done);

    const auto stopped = translator->submit(words({"آزا"}), {.progress = [](auto, auto) { return false; }});
    CHECK(status_of([&] { stopped->take(); }) == Status::cancelled);
    const auto after = translator->submit(words({"آزا"}), {});
    CHECK(text_of(after->take().results.at(0).hypotheses.at(0).tokens) == "azza");
}

TEST_CASE("a job that fails says why, and options are checked before") {
    const auto translator = new_translator();
    JobInput bad = words({"آزا"});
    bad.options.beam_size = 1000;
    CHECK(status_of([&] { translator->submit(bad, {}); }) == Status::invalid_argument);
    CHECK(status_of([&] { translator->submit({.documents = {{"a"}}}, {}); }) == Status::unsupported);

    JobInput too_long = words({});
    too_long.documents.push_back({.text = {}, .source = Tokens(5000, "آ")});
    too_long.options.max_input_length = 0;
    Status told = Status::ok;
    const auto job = translator->submit(too_long, {.on_event = [&](const JobEvent& event) {
                                            told = event.status;
                                            CHECK(event.message.find("5000") != std::string_view::npos);
                                        }});
    std::string message;
    CHECK(status_of([&] { job->take(); }, &message) == Status::invalid_argument);
    CHECK(message.find("5000") != std::string::npos);
    CHECK(told == Status::invalid_argument);
    CHECK(job->status().state == JobState::failed);
}

TEST_CASE("in a callback: submitting works, waiting is refused, what has ended can be taken") {
    const auto translator = new_translator();
    std::shared_ptr<Job> inner, outer;
    std::promise<void> submitted;
    Status waited = Status::ok, taken = Status::internal;
    bool inside = false;
    const auto ready = submitted.get_future().share();
    outer = translator->submit(words({"آزا"}), {.on_event = [&](const JobEvent& event) {
                                   if (event.kind != JobEvent::Kind::end) return;
                                   ready.wait();
                                   inner = translator->submit(words({"آتزمون"}), {});
                                   waited = status_of([&] { inner->wait(); });
                                   inside = CallbackScope::inside(translator.get());
                                   taken = status_of([&] { outer->take(); });
                               }});
    submitted.set_value();
    CHECK(outer->wait());
    CHECK(waited == Status::invalid_argument);
    CHECK(inside);
    CHECK(taken == Status::ok);
    CHECK(text_of(inner->take().results.at(0).hypotheses.at(0).tokens) == "atzmon");
    CHECK_FALSE(CallbackScope::inside(translator.get()));
}

TEST_CASE("the translator ends with jobs waiting, at work and in a callback") {
    auto translator = new_translator();
    std::vector<std::shared_ptr<Job>> jobs;
    for (int i = 0; i < 20; ++i) jobs.push_back(translator->submit(words({"آتزمون", "آزا"}), {}));
    translator.reset();
    for (const auto& job : jobs) {
        CHECK(job->wait(0ms));
        const JobState state = job->status().state;
        CHECK((state == JobState::done || state == JobState::cancelled));
    }

    translator = new_translator();
    std::promise<void> at_work;
    bool first = true;
    JobInput many = words({});
    many.fed = true;  // and never finished, so that it is at work however late this thread goes on
    for (int i = 0; i < 500; ++i) many.documents.push_back({.text = {}, .source = letters("آتزمون")});
    many.options.max_batch_size = 1;
    const auto begun = translator->submit(std::move(many), {.on_event = [&](const JobEvent&) {
                                              if (std::exchange(first, false)) at_work.set_value();
                                          }});
    at_work.get_future().wait();
    translator.reset();
    CHECK(begun->wait(0ms));
    CHECK(begun->status().state == JobState::cancelled);

    translator = new_translator();
    std::promise<void> there;
    const auto ready = there.get_future().share();
    const auto last = translator->submit(words({"آزا"}), {.on_event = [&](const JobEvent& event) {
                                             if (event.kind != JobEvent::Kind::end) return;
                                             ready.wait();
                                             translator.reset();
                                         }});
    there.set_value();
    CHECK(last->wait());
    CHECK(translator == nullptr);
}

TEST_CASE("a silenced job says nothing more") {
    const auto translator = new_translator();
    Gate gate;
    const auto blocker = translator->submit(words({}), {.on_event = gate.hold()});
    gate.wait_reached();
    std::atomic<int> events = 0;
    const auto job = translator->submit(words({"آزا"}), {.on_event = [&](const JobEvent&) { ++events; }});
    job->silence();
    gate.open();
    CHECK(job->wait());
    CHECK(events == 0);
    CHECK(job->take().results.size() == 1);

    const auto thrower = translator->submit(words({"آزا"}), {.on_event = [](const JobEvent&) { throw 1; }});
    CHECK(thrower->take().results.size() == 1);
}

}  // namespace jobs_test
