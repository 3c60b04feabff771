// SPDX-License-Identifier: Apache-2.0
// Jobs that share a search, or take turns, each get what they would get alone, and none is forgotten.
#include "translate/scheduler.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>
#include <thread>

#include "base/error.h"
#include "decode/bigram_model.h"
#include "support/same_results.h"
#include "translate/model_fixture.h"

using namespace dragoman;
using decode::SearchInput;
using decode::SearchRules;
using translate::JobId;
using translate::Mailbox;
using translate::Scheduler;
using translate::SearchEvent;
using translate::SearchJob;

namespace {

constexpr uint32_t kVocabulary = 40, kEnd = 2;

// A model that can be told to fail.
class FragileModel final : public test::BigramModel {
public:
    using BigramModel::BigramModel;
    std::unique_ptr<nn::State> make_state(uint32_t rows, uint32_t places) const override {
        if (rows > most_rows) fail(Status::out_of_memory, "{} rows", rows);
        return BigramModel::make_state(rows, places);
    }
    void encode(nn::Recorder& rec, const nn::EncodeInput& input, nn::Memory& memory) const override {
        if (lost) fail(Status::device_lost, "gone");
        BigramModel::encode(rec, input, memory);
    }
    std::atomic<uint32_t> most_rows = 1000;
    std::atomic<bool> lost = false;
};

SearchRules rules_of(uint32_t beam) {
    SearchRules rules{.beam_size = beam};
    rules.end_ids = {kEnd};
    return rules;
}

SearchJob job_of(std::size_t inputs, uint32_t beam = 1, uint32_t slots = 4) {
    SearchJob job{.rules = rules_of(beam), .limits = {.slots = slots, .source_tokens = 1000}, .inputs = {}};
    for (std::size_t i = 0; i < inputs; ++i) {
        SearchInput input{.source = std::vector<uint32_t>(1 + i % 5, 3), .start_id = uint32_t(3 + i % 30),
                          .context = {}, .prefix = {}, .max_length = 5 + uint32_t(i % 20), .min_length = 3};
        job.inputs.push_back(input);
    }
    return job;
}

// What happened to the jobs of a mailbox, in the order it was told.
struct Diary {
    std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>();
    std::map<JobId, std::map<std::size_t, decode::SearchOutput>> outputs;
    std::vector<JobId> ended;
    std::map<JobId, Status> statuses;
    std::map<JobId, std::map<JobId, std::size_t>> finished_at_end;  // of the others, when a job ended

    void read_until_ended(std::size_t jobs) {
        while (ended.size() < jobs)
            for (SearchEvent& event : mailbox->take()) {
                if (event.kind == SearchEvent::Kind::finished) {
                    CHECK(!statuses.contains(event.job));
                    CHECK(outputs[event.job].emplace(event.input, std::move(event.output)).second);
                }
                if (event.kind != SearchEvent::Kind::ended) continue;
                CHECK(statuses.emplace(event.job, event.status).second);
                ended.push_back(event.job);
                for (const auto& [job, found] : outputs) finished_at_end[event.job][job] = found.size();
            }
    }
};

std::vector<decode::SearchOutput> alone(const std::shared_ptr<vulkan::Context>& context, const nn::Seq2Seq& model,
                                        const SearchJob& job) {
    decode::Search search(context, model);
    std::vector<decode::SearchOutput> outputs;
    for (const SearchInput& input : job.inputs)
        outputs.push_back(search.run(std::span(&input, 1), job.rules, {}, job.limits)[0]);
    return outputs;
}

void check_outputs(const std::map<std::size_t, decode::SearchOutput>& found,
                   const std::vector<decode::SearchOutput>& expected) {
    REQUIRE(found.size() == expected.size());
    for (const auto& [i, output] : found) {
        CAPTURE(i);
        REQUIRE(output.hypotheses.size() == expected[i].hypotheses.size());
        for (std::size_t h = 0; h < output.hypotheses.size(); ++h) {
            CHECK(output.hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
            CHECK(output.hypotheses[h].score == expected[i].hypotheses[h].score);
        }
    }
}

struct Fixture {
    std::shared_ptr<vulkan::Context> context = vulkan::Context::create({});
    FragileModel model{context, kVocabulary, 3};
};

}  // namespace

TEST_CASE("jobs of equal and of other rules, all at once") {
    const Fixture f;
    Scheduler scheduler(f.context, f.model);
    Diary diary;
    std::map<JobId, SearchJob> jobs;
    for (const auto& [inputs, beam] : {std::pair(40, 1), {7, 3}, {1, 1}, {30, 3}, {3, 1}}) {
        const SearchJob job = job_of(std::size_t(inputs), uint32_t(beam));
        jobs.emplace(scheduler.submit(job, diary.mailbox), job);
    }
    diary.read_until_ended(jobs.size());
    for (const auto& [id, job] : jobs) {
        CAPTURE(id);
        CHECK(diary.statuses[id] == Status::ok);
        check_outputs(diary.outputs[id], alone(f.context, f.model, job));
    }
    CHECK(scheduler.stats().decoder_steps > 0);
    scheduler.reset_stats();
    CHECK(scheduler.stats().decoder_steps == 0);
}

TEST_CASE("a short job overtakes a long one; equal ones share; more urgent ones go first") {
    const Fixture f;
    Scheduler scheduler(f.context, f.model);
    for (const int32_t priority : {0, 1'000'000, std::numeric_limits<int32_t>::min()}) {
        Diary diary;
        SearchJob many = job_of(600), one = job_of(1);
        many.priority = one.priority = priority;
        const JobId bulk = scheduler.submit(many, diary.mailbox);
        const JobId single = scheduler.submit(one, diary.mailbox);
        diary.read_until_ended(2);
        CHECK(diary.ended == std::vector<JobId>{single, bulk});
        CHECK(diary.finished_at_end[single][bulk] < 60);
    }
    {
        Diary diary;
        const JobId one = scheduler.submit(job_of(300), diary.mailbox);
        const JobId two = scheduler.submit(job_of(300), diary.mailbox);
        const JobId other_rules = scheduler.submit(job_of(300, 2), diary.mailbox);
        diary.read_until_ended(3);
        const JobId first = diary.ended.front();
        for (const JobId id : {one, two, other_rules})
            if (id != first) CHECK(diary.finished_at_end[first][id] > 60);
    }
    {
        Diary diary;
        SearchJob urgent = job_of(200);
        urgent.priority = 1;
        const JobId usual = scheduler.submit(job_of(200), diary.mailbox);
        const JobId first = scheduler.submit(urgent, diary.mailbox);
        diary.read_until_ended(2);
        CHECK(diary.ended.front() == first);
        CHECK(diary.finished_at_end[first][usual] < 30);
    }
}

TEST_CASE("a more urgent job of other rules is not left alone once it runs") {
    const Fixture f;
    Scheduler scheduler(f.context, f.model);
    for (const int32_t lower : {1, -7}) {
        Diary diary;
        SearchJob urgent = job_of(3, 2), usual = job_of(600);
        for (SearchInput& input : urgent.inputs) input.max_length = input.min_length = 150;
        urgent.priority = lower + 1;
        usual.priority = lower;
        const JobId second = scheduler.submit(usual, diary.mailbox);
        const JobId first = scheduler.submit(urgent, diary.mailbox);
        diary.read_until_ended(2);
        CHECK(diary.ended.front() == first);
        CHECK(diary.finished_at_end[first][second] < 60);
    }
}

TEST_CASE("cancelled jobs end, say nothing more, and leave the others alone") {
    const Fixture f;
    Diary diary;
    Scheduler scheduler(f.context, f.model);
    const SearchJob kept = job_of(50);
    const JobId long_one = scheduler.submit(job_of(2000), diary.mailbox);
    const JobId other = scheduler.submit(kept, diary.mailbox);
    scheduler.cancel(long_one);
    scheduler.cancel(long_one);
    diary.read_until_ended(2);
    CHECK(diary.statuses[long_one] == Status::cancelled);
    CHECK(diary.statuses[other] == Status::ok);
    check_outputs(diary.outputs[other], alone(f.context, f.model, kept));
    scheduler.cancel(other);  // too late
    scheduler.cancel(12345);
}

TEST_CASE("a closed scheduler ends what is at work") {
    const Fixture f;
    Diary diary;
    {
        Scheduler scheduler(f.context, f.model);
        for (int i = 0; i < 3; ++i) scheduler.submit(job_of(500, 1 + uint32_t(i)), diary.mailbox);
    }
    diary.read_until_ended(3);
    for (const auto& [id, status] : diary.statuses) CHECK((status == Status::cancelled || status == Status::ok));
}

TEST_CASE("a lost device ends all jobs with its status, and those that come later") {
    Fixture f;
    Diary diary;
    Scheduler scheduler(f.context, f.model);
    scheduler.submit(job_of(400), diary.mailbox);
    scheduler.submit(job_of(400, 2), diary.mailbox);
    f.model.lost = true;
    scheduler.submit(job_of(2), diary.mailbox);
    diary.read_until_ended(3);
    scheduler.submit(job_of(2), diary.mailbox);
    diary.read_until_ended(4);
    for (const auto& [id, status] : diary.statuses) CHECK(status == Status::device_lost);
    f.model.lost = false;
    const SearchJob again = job_of(5);
    const JobId works = scheduler.submit(again, diary.mailbox);
    diary.read_until_ended(5);
    CHECK(diary.statuses[works] == Status::ok);
    check_outputs(diary.outputs[works], alone(f.context, f.model, again));
}

TEST_CASE("out of memory: fewer slots, the same results") {
    Fixture f;
    Diary diary;
    Scheduler scheduler(f.context, f.model);
    const SearchJob job = job_of(60, 2, 16);
    const auto expected = alone(f.context, f.model, job);
    f.model.most_rows = 9;
    const JobId id = scheduler.submit(job, diary.mailbox);
    diary.read_until_ended(1);
    CHECK(diary.statuses[id] == Status::ok);
    check_outputs(diary.outputs[id], expected);
    f.model.most_rows = 1;  // not even one sentence of two beams
    scheduler.trim();
    const JobId none = scheduler.submit(job, diary.mailbox);
    diary.read_until_ended(2);
    CHECK(diary.statuses[none] == Status::out_of_memory);
}

TEST_CASE("calls from several threads have the results they have alone") {
    const auto translator = translate::Translator::create(test::real_model());
    const vulkan::Context& context = test::real_model()->context();
    const auto alphabet = test::letters("آأابتثجحخدذرزسشصضطظعغفقكلمنهوي");
    std::vector<translate::Request> requests(30);
    for (std::size_t i = 0; i < requests.size(); ++i)
        for (std::size_t t = 0; t < i % 9; ++t)
            requests[i].source.push_back(alphabet[(i * 7 + t * 5) % alphabet.size()]);
    const std::vector<translate::TranslateOptions> options{
        {.beam_size = 1, .return_scores = true},
        {.beam_size = 3, .num_hypotheses = 2, .return_scores = true},
        {.beam_size = 2, .num_hypotheses = 2, .return_scores = true, .return_alternatives = true}};
    std::vector<std::vector<translate::Result>> expected;
    for (const auto& o : options) expected.push_back(translator->translate(requests, o));
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (std::size_t t = 0; t < 6; ++t)
        threads.emplace_back([&, t] {
            const std::size_t which = t % options.size(), begin = t * 3;
            for (int round = 0; round < 3; ++round) {
                const auto some = std::span(requests).subspan(begin, round == 0 ? 1 : 12);
                const auto found = translator->translate(some, options[which]);
                for (std::size_t i = 0; i < found.size(); ++i)
                    for (std::size_t h = 0; h < found[i].hypotheses.size(); ++h) {
                        const auto& same = expected[which][begin + i].hypotheses.at(h);
                        wrong += found[i].hypotheses[h].tokens != same.tokens ||
                                 !test::same_result(context, found[i].hypotheses[h].score, same.score);
                    }
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}
