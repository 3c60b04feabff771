// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search.h"
#include "engine/tasks.h"

namespace dragoman::test {

// A search with what came of it.
struct SearchRun {
    SearchRun(std::shared_ptr<const engine::Replicas> replicas, engine::SearchOptions options)
        : search(std::move(replicas), std::move(options), mailbox,
                 {.finished =
                      [this](std::size_t i, decode::SearchOutput output) {
                          CHECK(outputs.emplace(i, std::move(output)).second);
                      },
                  .partial =
                      [this](std::size_t i, std::span<const uint32_t>) {
                          CHECK(!outputs.contains(i));
                          ++partials;
                      }}) {}
    void handle_until(const auto& enough) {
        while (!enough())
            for (engine::Event& event : mailbox->take())
                if (search.owns(event)) search.handle(std::move(event));
    }
    void finish() {
        handle_until([&] { return search.over(); });
    }
    Failure failure() const { return Failure::of(search.error()); }
    Status status() const { return failure().status; }

    std::shared_ptr<engine::Mailbox> mailbox = std::make_shared<engine::Mailbox>();
    std::map<std::size_t, decode::SearchOutput> outputs;
    std::size_t partials = 0;
    engine::Search search;
};

enum class SearchKind { plain, alternatives, samples };

inline engine::SearchOptions options_of(SearchKind kind) {
    engine::SearchOptions options{.rules = rules_of(kind == SearchKind::samples ? 1 : 3),
                                  .max_batch_size = 4,
                                  .length_penalty = 0.7f,
                                  .num_hypotheses = 3};
    options.rules.num_hypotheses = kind == SearchKind::samples ? 1 : 3;
    options.rules.sampling = kind == SearchKind::samples;
    options.alternatives = kind == SearchKind::alternatives;
    return options;
}

inline std::vector<decode::SearchInput> some_inputs(std::size_t count) {
    std::vector<decode::SearchInput> inputs = task_of(count).inputs;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 3 == 0) inputs[i].prefix = {uint32_t(5 + i % 7), 9};
        inputs[i].sampling.seed = i;
    }
    return inputs;
}

}  // namespace dragoman::test
