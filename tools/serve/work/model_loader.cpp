// SPDX-License-Identifier: Apache-2.0
#include "serve/work/model_loader.h"

#include <exception>
#include <future>
#include <memory>
#include <utility>

namespace serve::work {

Problem service_ends() { return {Problem::Kind::busy, "the service ends", "", 5}; }

ModelLoader::ModelLoader() : thread_([this] { work(); }) {}

void ModelLoader::end() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    for (const Task& task : std::exchange(tasks_, {})) task.refuse();
}

void ModelLoader::post(Task task) {
    bool refused = false;
    {
        const std::lock_guard lock(mutex_);
        refused = stopping_;
        if (!refused) tasks_.push_back(std::move(task));
    }
    if (refused) task.refuse();
    else changed_.notify_one();
}

void ModelLoader::run_there(const std::function<void()>& what) {
    const auto done = std::make_shared<std::promise<void>>();  // who waits may be gone before it is left
    auto end = done->get_future();
    post({[&what, done] {
              try {
                  what();
                  done->set_value();
              } catch (...) {
                  done->set_exception(std::current_exception());
              }
          },
          [done] { done->set_exception(std::make_exception_ptr(service_ends())); }});
    end.get();
}

void ModelLoader::work() {
    for (;;) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
            if (stopping_) return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task.run();
    }
}

}  // namespace serve::work
