// SPDX-License-Identifier: Apache-2.0
// Lines of any length are translated part by part: what is held does not grow with the line, progress comes before its
// end, and it can be cancelled within.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/mailbox.h"
#include "pipeline/model_fixture.h"
#include "pipeline/run/run.h"

namespace long_lines_test {

using namespace dragoman;
using namespace dragoman::pipeline;

namespace {

std::shared_ptr<const Model> toy_model() {
    static const auto model = Model::load(std::string(DRAGOMAN_TEST_DATA) + "/toy-text",
                                          {.device = {}, .compute_type = ComputeType::f32});
    return model;
}

std::string times(std::size_t count, std::string_view unit) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += unit;
    return text;
}

const std::string kUnknown = times(200'000, "\xe6\xb0\xb4");  // the model has no piece for it

struct Held {
    std::size_t most = 0, settled = 0;  // sentences that a document held, and that it had in the end
    std::size_t bytes = 0;  // that the sentences of its result take
    std::string translation{};
};

Held translate(const std::string& text, const TextOptions& options) {
    Held held;
    const auto mailbox = std::make_shared<engine::Mailbox>();
    std::vector<Leg> legs;
    legs.push_back({toy_model(), Plan(*toy_model(), Plan::Inputs::texts, options, {.beam_size = 1})});
    bool given = false;
    const auto source = [&]() -> NextDocument {
        if (std::exchange(given, true)) return {nullptr, true};
        auto document = std::make_unique<Document>();
        document->text = text;
        return {std::move(document), false};
    };
    Run run(std::move(legs), source, 1, 0, mailbox,
            {.sentence = [&](const Document& document,
                             const Sentence&) { held.most = std::max(held.most, document.sentences.size()); },
             .partial = {},
             .document =
                 [&](std::unique_ptr<Document> document) {
                     CHECK(document->sentences.empty());
                     const TextResult& result = document->result;
                     held.settled = result.sentences.size();
                     held.bytes = result.sentences.bytes() + result.hypotheses.front().sentences.bytes();
                     held.translation = result.hypotheses.front().text;
                 },
             .results_before_error = false});
    while (!run.over()) {
        const bool more = run.work();
        if (run.over()) break;
        for (engine::Event& event : more ? mailbox->try_take() : mailbox->take())
            if (run.owns(event)) run.handle(std::move(event));
    }
    if (run.error()) std::rethrow_exception(run.error());
    return held;
}

}  // namespace

TEST_CASE("a document holds the sentences that are at work, however long its line is") {
    TextOptions options;
    options.raw = true;
    options.max_segment_tokens = 16;
    constexpr std::size_t kWindow = 131'072 / 16, kPortion = 16'384 / 16;
    for (const char* unit : {"b", "b a r a "}) {
        CAPTURE(unit);
        const std::string text = times(400'000 / std::string_view(unit).size(), unit);
        const Held held = translate(text, options);
        CHECK(held.settled > 10'000);
        CHECK(held.most <= kWindow + 2 * kPortion);
    }
}

TEST_CASE("a long sentence is cut as it goes down, so that its first part need not wait for the last") {
    const std::string text = times(50'000, "bara lotilu, min ");
    Document document;
    document.text = text;
    document.places.set_longest(4096);
    document.places.add({0, 100});
    document.places.add({101, text.size()});
    const std::size_t expected = document.places.expected();
    CHECK(expected > text.size() / 4096);
    CHECK(take_place(document).range == text::Range{0, 100});
    std::size_t taken = 0, end = 101;
    while (!document.down()) {
        const Places::Place place = take_place(document);
        CHECK(place.continues == (taken > 0));
        CHECK(place.range.size() <= 4096 + 256);
        CHECK(place.range.begin - end <= 1);
        end = place.range.end;
        if (++taken % 32 == 0) CHECK(document.places.expected() < expected - taken / 2);
    }
    CHECK(end == text.size() - 1);
    CHECK(taken > text.size() / 4096);
}

TEST_CASE("a sentence of two letters takes some bytes of a result, with tokens of both sides or without") {
    const std::string text = times(20'000, "a\tb\tr\tal\tbara\t");  // the toy model's own pieces
    TextOptions with, without;
    without.return_tokens = false;
    const Held full = translate(text, with), lean = translate(text, without);
    CHECK(full.settled == 100'000);
    CHECK(full.translation == lean.translation);
    CHECK(full.bytes <= 100'000 * 56);
    CHECK(lean.bytes <= 100'000 * 24);
}

TEST_CASE("finished sentences do not pile up behind one that is at work") {
    // The model is asked about the first field; numbers are done at once.
    const std::string text = "bara\t" + times(200'000, "5\t");
    const Held held = translate(text, {});
    CHECK(held.settled == 200'001);
    CHECK(held.most <= 16'384 + 16);
}

TEST_CASE("a line that the model is not asked about has progress, and can be cancelled") {
    const auto translator = Translator::create(toy_model());
    const Text text{kUnknown, {}};
    std::size_t calls = 0, last = 0;
    const auto results = translator->translate_texts({&text, 1}, {}, {}, [&](std::size_t done, std::size_t total) {
        CHECK(done >= last);
        CHECK(done < total);
        last = done;
        ++calls;
        return true;
    });
    CHECK(results.front().hypotheses.front().text == kUnknown);
    CHECK(results.front().sentences.size() > 100);
    CHECK(calls > 2);

    std::size_t told = 0;
    try {
        translator->translate_texts({&text, 1}, {}, {}, [&](std::size_t done, std::size_t) {
            ++told;
            CHECK(done < results.front().sentences.size());
            return told < 2;
        });
        FAIL("not cancelled");
    } catch (const Error& error) {
        CHECK(error.status() == Status::cancelled);
    }
    CHECK(told == 2);
}

TEST_CASE("a job with such a line, too") {
    const auto translator = Translator::create(toy_model());
    JobInput input;
    input.documents.push_back({kUnknown});
    std::size_t told = 0;
    const auto job = translator->submit(input, {.progress = [&](std::size_t, std::size_t) { return ++told < 3; }});
    job->wait();
    CHECK(job->status().state == JobState::cancelled);
    CHECK(told == 3);
}

TEST_CASE("parts of a long sentence follow one another without a gap") {
    const std::string text = times(3000, "\xe6\xb0\xb4") + " " + times(3000, "\xe6\xb0\xb4") + " \n " + kUnknown;
    CHECK(translate(text, {}).translation == text);
}

}  // namespace long_lines_test
