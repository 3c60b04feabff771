// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "pipeline/run/job.h"

namespace dragoman::pipeline {

class Translator;

// The thread on which a translator's jobs run: it prepares their sentences, and makes results and events when they come
// back. Safe from any thread.
class JobThread {
public:
    explicit JobThread(const Translator& owner);
    ~JobThread();  // cancels the jobs and waits for their end; in a callback it does not wait

    std::shared_ptr<Job> submit(JobInput input, JobOptions options);

private:
    struct Shared;  // with the thread, which outlives this when a callback ends the translator
    struct Active;
    static std::unique_ptr<Active> begin(Shared& shared, std::shared_ptr<Job> job);
    static bool turn(Shared& shared, std::vector<std::unique_ptr<Active>>& all);
    static void work(const std::shared_ptr<Shared>& shared) noexcept;

    const std::shared_ptr<Shared> shared_;
    std::vector<std::weak_ptr<Job>> submitted_;
    std::thread thread_;  // with the first job
};

}  // namespace dragoman::pipeline
