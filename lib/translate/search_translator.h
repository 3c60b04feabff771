// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

#include "translate/task.h"

namespace dragoman::translate {

// The one kind of translator. Safe from any thread: calls share the device's scheduler.
class SearchTranslator final : public Translator {
public:
    explicit SearchTranslator(std::shared_ptr<const LoadedModel> model);

    const Model& model() const override { return *model_; }
    std::vector<Result> translate(std::span<const Request> requests, const TranslateOptions& options,
                                  const Progress& progress) override;
    std::vector<ScoreResult> score(std::span<const Request> pairs, uint32_t max_input_length) override;
    TranslatorStats stats() const override;
    void reset_stats() override;
    void trim() override;

    // For who wants to wait for several at once; `plan`, `requests` and this outlive the task.
    SearchPlan plan(const TranslateOptions& options) const { return {*model_, options}; }
    std::unique_ptr<Task> start(const SearchPlan& plan, std::span<const Request> requests, int priority,
                                std::shared_ptr<engine::Mailbox> mailbox, Task::Sink sink);

private:
    std::shared_ptr<const LoadedModel> model_;
    TaskCounters counters_;
    mutable std::mutex mutex_;  // for what follows: what was there before
    vulkan::ContextStats device_base_;
    decode::SearchStats search_base_;
};

}  // namespace dragoman::translate
