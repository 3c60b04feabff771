// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>

#include "pipeline/model_fixture.h"
#include "support/same_results.h"

namespace threads_test {

using namespace dragoman;

TEST_CASE("calls from several threads have the results they have alone") {
    const auto translator = pipeline::Translator::create(test::real_model());
    const vulkan::Context& context = test::real_model()->context();
    const auto alphabet = test::letters("آأابتثجحخدذرزسشصضطظعغفقكلمنهوي");
    std::vector<pipeline::Request> requests(30);
    for (std::size_t i = 0; i < requests.size(); ++i)
        for (std::size_t t = 0; t < i % 9; ++t)
            requests[i].source.push_back(alphabet[(i * 7 + t * 5) % alphabet.size()]);
    const std::vector<pipeline::TranslateOptions> options{
        {.beam_size = 1, .return_scores = true},
        {.beam_size = 3, .num_hypotheses = 2, .return_scores = true},
        {.beam_size = 2, .num_hypotheses = 2, .return_scores = true, .return_alternatives = true}};
    std::vector<std::vector<pipeline::Result>> expected;
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

}  // namespace threads_test
