// SPDX-License-Identifier: Apache-2.0
// Jobs, vectors and scores go on where their device is lost, from the files that the models came from.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "base/background.h"
#include "files/file_set.h"
#include "pipeline/model_fixture.h"
#include "pipeline/run/embed.h"
#include "support/lose_device.h"
#include "support/temp_dir.h"
#include "vulkan/reopen.h"

namespace reopen_test {

using namespace dragoman;
using namespace dragoman::pipeline;

namespace {

const std::string kToy = DRAGOMAN_TEST_DATA "/toy-text";

std::shared_ptr<const Model> load(const std::string& path, const std::shared_ptr<engine::Device>& device) {
    return Model::load(path, {.device = device, .compute_type = ComputeType::f32});
}

Tokens some_letters(std::size_t number) {
    const auto alphabet = test::letters("آأابتثجحخدذرزسشصضطظعغفقكلمنهوي");
    Tokens tokens;
    for (std::size_t t = 0; t < 1 + number % 9; ++t) tokens.push_back(alphabet[(number * 7 + t * 5) % alphabet.size()]);
    return tokens;
}

// Every third job is one of texts, on another model.
JobInput job_of(std::size_t number) {
    JobInput input{.documents = {}, .texts = number % 3 == 0};
    input.options = {.beam_size = uint32_t(1 + number % 3), .return_scores = true};
    for (std::size_t i = 0; i < 1 + number % 5; ++i) {
        if (input.texts) input.documents.push_back({.text = i % 2 ? "a b c. d e f g." : "b c d e? g f."});
        else input.documents.push_back({.text = {}, .source = some_letters(number + 10 * i)});
    }
    return input;
}

struct Outcome {
    Status status = Status::internal;
    std::string message;
    std::vector<std::string> texts;
    std::vector<float> scores;
    std::map<std::pair<std::size_t, std::size_t>, std::string> told;  // in events
    bool in_order = true;  // nothing was told twice, and no progress went back
    bool operator==(const Outcome&) const = default;
};

// A job with its events, written down.
class Watched {
public:
    Watched(Translator& translator, std::size_t number) {
        job_ = translator.submit(job_of(number), {.priority = int(number % 4),
                                                  .on_event = [this](const JobEvent& event) { note(event); },
                                                  .partials = number % 2 == 0});
    }
    Outcome finish() {
        job_->wait();
        const std::lock_guard lock(mutex_);
        outcome_.status = job_->status().status;
        try {
            const JobOutput output = job_->take();
            for (const TextResult& text : output.texts) {
                outcome_.texts.push_back(text.hypotheses.at(0).text);
                outcome_.scores.push_back(text.hypotheses.at(0).score);
            }
            for (const Result& result : output.results) {
                outcome_.texts.push_back(test::text_of(result.hypotheses.at(0).tokens));
                outcome_.scores.push_back(result.hypotheses.at(0).score);
            }
        } catch (const Error& error) {
            outcome_.message = error.what();
        }
        return outcome_;
    }
    const std::shared_ptr<Job>& job() const { return job_; }

private:
    void note(const JobEvent& event) {
        const std::lock_guard lock(mutex_);
        const std::pair place(event.input, event.sentence);
        if (event.kind == JobEvent::Kind::partial) {  // it has no counts
            if (outcome_.told.contains(place)) outcome_.in_order = false;
            return;
        }
        if (event.done < done_) outcome_.in_order = false;
        done_ = event.done;
        if (event.kind != JobEvent::Kind::sentence) return;
        std::string text(event.text);
        for (const std::string& token : event.tokens) text += " " + token;
        outcome_.in_order = outcome_.told.emplace(place, text).second && outcome_.in_order;
    }
    std::mutex mutex_;
    Outcome outcome_;
    std::size_t done_ = 0;
    std::shared_ptr<Job> job_;
};

struct Models {
    explicit Models(std::shared_ptr<engine::Device> on)
        : device(std::move(on)), letters(load(test::kRealModel, device)), texts(load(kToy, device)),
          of_letters(Translator::create(letters)), of_texts(Translator::create(texts)) {}
    Translator& of(std::size_t number) { return number % 3 == 0 ? *of_texts : *of_letters; }
    // 64 jobs from four threads.
    std::vector<Outcome> work() {
        std::vector<Outcome> outcomes(64);
        std::vector<std::thread> threads;
        for (std::size_t thread = 0; thread < 4; ++thread)
            threads.emplace_back([&, thread] {
                std::vector<std::unique_ptr<Watched>> jobs;
                for (std::size_t i = thread; i < outcomes.size(); i += 4)
                    jobs.push_back(std::make_unique<Watched>(of(i), i));
                for (std::size_t i = 0; i < jobs.size(); ++i) outcomes[thread + 4 * i] = jobs[i]->finish();
            });
        for (std::thread& thread : threads) thread.join();
        return outcomes;
    }
    std::shared_ptr<engine::Device> device;
    std::shared_ptr<const Model> letters, texts;
    std::shared_ptr<Translator> of_letters, of_texts;
};

// Nothing is measured: what is found would change kernels between two runs.
std::shared_ptr<engine::Device> open() {
    return engine::Device::open({.device = "0", .tuning = vulkan::TuningMode::off});
}

// A GPU's kernels depend on how many sentences meet in a step, which chance decides here.
void check_scores(const std::vector<float>& found, const std::vector<float>& expected, const engine::Device& device) {
    const bool exact = device.current()->context().caps().is_cpu();
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK((exact ? found[i] == expected[i] : found[i] == doctest::Approx(expected[i]).epsilon(1e-4)));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Status status_of(const auto& call, std::string& message) {
    try {
        call();
        return Status::ok;
    } catch (const Error& error) {
        message = error.what();
        return error.status();
    }
}

}  // namespace

TEST_CASE("64 jobs of two models, priorities and threads see nothing of a lost device") {
    const std::vector<Outcome> expected = Models(open()).work();
    for (const Outcome& outcome : expected) {
        CHECK(outcome.status == Status::ok);
        CHECK(outcome.in_order);
        CHECK(!outcome.texts.empty());
    }
    for (const uint64_t submission : {1u, 8u, 20u}) {
        CAPTURE(submission);
        Models models(open());
        models.device->current()->context().background().wait();
        models.device->trim();
        const uint64_t held = models.device->stats_of_all().memory_bytes;
        const auto before = models.device->current();
        test::Losses::lose_at(before->context(), submission);
        const std::vector<Outcome> found = models.work();
        CHECK(models.device->current() != before);
        for (std::size_t i = 0; i < found.size(); ++i) {
            CAPTURE(i);
            CAPTURE(found[i].message);
            CHECK(found[i].status == Status::ok);
            CHECK(found[i].in_order);
            CHECK(found[i].texts == expected[i].texts);
            check_scores(found[i].scores, expected[i].scores, *models.device);
            CHECK(found[i].told == expected[i].told);
        }
        const TranslatorStats stats = models.of_letters->stats();
        CHECK(stats.sentences > 0);
        CHECK(stats.batches < 100000);  // the counters went on, not back
        CHECK(stats.device.submissions < 1000000);
        models.of_letters->translate(std::vector<Request>{{.source = some_letters(3)}}, {});  // both are back
        models.of_texts->translate_texts(std::vector<Text>{{"a b"}}, {}, {});
        models.device->current()->context().background().wait();
        models.device->trim();
        CHECK(models.device->stats_of_all().memory_bytes == held);
    }
}

TEST_CASE("all unfinished jobs of a device that is lost twice end with the status") {
    Models models(open());
    models.device->set_open_again([](const vulkan::Context& lost) {
        auto context = vulkan::open_again(lost);
        test::Losses::lose_at(*context, 30);
        return context;
    });
    test::Losses::lose_at(models.device->context(), 10);
    std::size_t lost = 0;
    for (const Outcome& outcome : models.work()) {
        if (outcome.status == Status::ok) continue;
        ++lost;
        CHECK(outcome.status == Status::device_lost);
        CAPTURE(outcome.message);
        CHECK(has(outcome.message, "not opened again"));
        CHECK(outcome.in_order);
    }
    CHECK(lost > 0);
}

TEST_CASE("vectors and scores of a device that was lost") {
    const std::vector<std::string_view> texts{"a b c", "", "d e f g", "b", "g a c e b d f"};
    const std::vector<Request> pairs{{.source = some_letters(4), .target_prefix = {"a", "b"}},
                                     {.source = some_letters(8), .target_prefix = {"d"}}};
    const auto own = open();
    const Embeddings expected = embed_texts(*load(kToy, own), texts, {});
    const auto expected_scores = Translator::create(load(test::kRealModel, own))->score(pairs);
    for (const uint64_t submission : {1u, 2u}) {
        CAPTURE(submission);
        Models models(open());
        test::Losses::lose_at(models.device->context(), submission);
        std::size_t done = 0;
        const Embeddings found = embed_texts(*models.texts, texts, {}, [&](std::size_t now, std::size_t) {
            CHECK(now == ++done);
            return true;
        });
        CHECK(done == texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) CHECK(found.texts[i].values == expected.texts[i].values);
        const auto scores = models.of_letters->score(pairs);
        for (std::size_t i = 0; i < pairs.size(); ++i) CHECK(scores[i].log_probs == expected_scores[i].log_probs);
    }
}

TEST_CASE("a model whose files have changed or gone is not loaded again, and the message says so") {
    const test::TempDir folder;
    const auto copy = [&](const char* name) {
        const auto to = folder.path() / name;
        std::filesystem::copy(kToy, to);
        return to;
    };
    const auto device = open();
    const auto changed = copy("changed"), gone = copy("gone");
    const auto first = Translator::create(load(changed.string(), device));
    const auto second = Translator::create(load(gone.string(), device));
    {
        // A pair of weights that lie in the middle of the file are not what they were.
        std::fstream file(changed / "model.bin", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(std::streamoff(std::filesystem::file_size(changed / "model.bin") / 8 * 4));
        file.write("\x00\x00\x00\x3f\x00\x00\x80\x3e", 8);
    }
    std::filesystem::remove_all(gone);
    test::Losses::lose_at(device->context(), 1);
    std::string message;
    const std::vector<Text> texts{{"a b c"}};
    CHECK(status_of([&] { first->translate_texts(texts, {}, {}); }, message) == Status::device_lost);
    CHECK(has(message, "changed"));
    CHECK(has(message, "have changed since"));
    CHECK(status_of([&] { second->translate_texts(texts, {}, {}); }, message) == Status::device_lost);
    CHECK(has(message, "gone"));
    std::filesystem::copy(kToy, gone);
    CHECK(second->translate_texts(texts, {}, {}).at(0).hypotheses.at(0).text ==
          Translator::create(load(kToy, device))->translate_texts(texts, {}, {}).at(0).hypotheses.at(0).text);
}

TEST_CASE("a model of given files cannot be loaded again") {
    std::vector<std::string> contents;
    std::vector<GivenFile> files;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(kToy)) paths.push_back(entry.path());
    contents.reserve(paths.size());
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        contents.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        files.push_back({.name = path.filename().string(),
                         .size = contents.back().size(),
                         .bytes = std::as_bytes(std::span(contents.back()))});
    }
    const auto device = open();
    const auto translator =
        Translator::create(Model::load(*FileSet::given(files), {.device = device, .compute_type = ComputeType::f32}));
    test::Losses::lose_at(device->context(), 1);
    std::string message;
    CHECK(status_of([&] { translator->translate_texts(std::vector<Text>{{"a b"}}, {}, {}); }, message) ==
          Status::device_lost);
    CHECK(has(message, "given by the program"));
    Models others(device);  // the device itself was opened again
    CHECK(others.of_texts->translate_texts(std::vector<Text>{{"a b"}}, {}, {}).size() == 1);
}

TEST_CASE("a device that is lost while a model is loaded is opened again, too") {
    const auto device = open();
    const auto expected = Translator::create(load(kToy, device))->translate_texts(std::vector<Text>{{"a b c"}}, {}, {});
    test::Losses::lose_at(device->context(), 1);
    const auto found = Translator::create(load(kToy, device))->translate_texts(std::vector<Text>{{"a b c"}}, {}, {});
    CHECK(found.at(0).hypotheses.at(0).text == expected.at(0).hypotheses.at(0).text);
}

}  // namespace reopen_test
