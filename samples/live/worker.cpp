// SPDX-License-Identifier: Apache-2.0
#include "worker.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

Worker::Worker(const Settings& settings)
    : to_(settings.to), model_(settings.model.empty() ? nullptr : settings.model.c_str(), {}), translator_(model_) {
    options_.beam_size = 1;
    options_.target_language = to_.c_str();
    options_.progress = [](std::size_t, std::size_t, void* self) -> int32_t {
        auto& worker = *static_cast<Worker*>(self);
        const std::lock_guard lock(worker.mutex_);
        return worker.wanted_.has_value() || worker.stop_;
    };
    options_.progress_user = this;
    if (pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    // Signals go to the thread that has the terminal.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
    close(pipe_[0]);
    close(pipe_[1]);
}

std::string Worker::translate_now(const std::string& text) {
    return text.find_first_not_of(' ') == std::string::npos ? "" : translator_.translate(text, options_);
}

void Worker::work() {
    for (;;) {
        std::string text;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return wanted_.has_value() || stop_; });
            if (stop_) return;
            text = *std::exchange(wanted_, std::nullopt);
        }
        std::optional<Done> done;
        std::exception_ptr failure;
        try {
            done = Done{text, translate_now(text)};
        } catch (const dragoman::Error& error) {
            if (error.status() != DRAGOMAN_CANCELLED) failure = std::current_exception();
        } catch (...) {
            failure = std::current_exception();
        }
        if (!done && !failure) continue;
        {
            const std::lock_guard lock(mutex_);
            done_ = std::move(done);
            failure_ = failure;
        }
        changed_.notify_all();
        [[maybe_unused]] const ssize_t written = write(pipe_[1], "", 1);
    }
}

void Worker::ask(const std::string& text) {
    {
        const std::lock_guard lock(mutex_);
        wanted_ = text;
    }
    changed_.notify_all();
}

std::optional<Worker::Done> Worker::take() {
    for (char c; read(pipe_[0], &c, 1) == 1;) {
    }
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return std::exchange(done_, std::nullopt);
}

std::string Worker::translate(const std::string& text) {
    ask(text);
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return done_.has_value() || failure_; });
        }
        if (std::optional<Done> done = take(); done && done->source == text) return done->translation;
    }
}
