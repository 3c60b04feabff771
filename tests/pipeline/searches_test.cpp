// SPDX-License-Identifier: Apache-2.0
// The searches of a run, event by event.
#include "pipeline/run/searches.h"

#include <chrono>

#include "pipeline/model_fixture.h"

namespace searches_test {

using namespace dragoman;
using pipeline::Query;
using pipeline::Searches;

namespace {

decode::SearchInput input_of(uint32_t id) {
    return {.source = {id, id}, .start_id = 1, .context = {}, .prefix = {}, .max_length = 4, .min_length = 1};
}

}  // namespace

TEST_CASE("an answer that comes after the end was asked for, and asks again, does not keep the searches from ending") {
    const auto model = test::real_model();
    const auto mailbox = std::make_shared<engine::Mailbox>();
    engine::SearchOptions options;
    options.rules.end_ids = {2};
    Searches* all = nullptr;
    std::size_t answers = 0;
    Searches searches(model->replicas(), std::move(options), mailbox,
                      {.answered =
                           [&](Searches::Waiting, decode::SearchOutput) {
                               if (++answers == 1)
                                   all->ask(std::make_shared<Query>(), input_of(4), true);  // as a retry
                           },
                       .partial = {}});
    all = &searches;
    searches.ask(std::make_shared<Query>(), input_of(3), false);
    searches.send(true);
    // The engine is done with it, and nobody has looked yet.
    std::vector<engine::Event> late;
    const auto ended = [&] {
        return std::ranges::any_of(late, [](const auto& event) { return event.kind == engine::Event::Kind::ended; });
    };
    while (!ended())
        for (engine::Event& event : mailbox->take()) late.push_back(std::move(event));
    searches.cancel();
    for (engine::Event& event : late)
        if (searches.owns(event)) searches.handle(std::move(event));
    CHECK(answers == 1);
    while (!searches.idle()) {
        auto events = mailbox->take(std::chrono::seconds(60));
        REQUIRE_MESSAGE(!events.empty(), "nothing ends the second search");
        for (engine::Event& event : events)
            if (searches.owns(event)) searches.handle(std::move(event));
    }
    CHECK(searches.error());
}

}  // namespace searches_test
