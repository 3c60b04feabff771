// SPDX-License-Identifier: Apache-2.0
#include "translate/job_work.h"

#include "base/failure.h"
#include "base/log.h"
#include "translate/callback_scope.h"

namespace dragoman::translate {

JobWork::JobWork(const Translator& translator, JobInput input, JobOptions options)
    : owner_(&translator), model_(translator.model()), input_(std::move(input)), options_(std::move(options)) {}

JobStatus JobWork::status() const {
    const std::lock_guard lock(mutex_);
    return status_;
}

bool JobWork::wait(std::optional<std::chrono::milliseconds> limit) const {
    CallbackScope::forbid(owner_);
    std::unique_lock lock(mutex_);
    const auto over = [this] { return over_; };
    if (limit) return changed_.wait_for(lock, *limit, over);
    changed_.wait(lock, over);
    return true;
}

void JobWork::cancel() { cancelled_.store(true, std::memory_order_relaxed); }

void JobWork::silence() {
    silent_ = true;
    // Two callbacks of different queues that silence each other's jobs must not wait for one another.
    if (!CallbackScope::inside_any()) const std::lock_guard wait_for_callback(callbacks_);
}

JobOutput JobWork::take() {
    if (!CallbackScope::inside(owner_)) wait({});
    const std::lock_guard lock(mutex_);
    if (status_.state == JobState::waiting || status_.state == JobState::running)
        fail(Status::invalid_argument, "the job has not ended, and in a callback of its translator waiting never ends");
    if (status_.status != Status::ok) throw Error(status_.status, message_);
    if (taken_) fail(Status::invalid_argument, "the job's result has been taken before");
    taken_ = true;
    return std::move(output_);
}

std::span<const Request> JobWork::requests() const {
    if (is_text()) return plan_->requests();
    return std::get<std::vector<Request>>(input_.inputs);
}

void JobWork::begin() {
    begun_ = true;
    {
        const std::lock_guard lock(mutex_);
        status_.state = JobState::running;
    }
    std::size_t total = 0;
    if (is_text()) {
        for (const OwnedText& text : std::get<std::vector<OwnedText>>(input_.inputs))
            views_.push_back({text.text, text.target_prefix});
        plan_.emplace(model_, views_, input_.text, input_.options);
        plan_->prepare(SIZE_MAX);
        total = plan_->spot_count();
    } else {
        results_.resize(requests().size());
        total = results_.size();
    }
    {
        const std::lock_guard lock(mutex_);
        status_.total = total;
    }
    if (!is_text()) return;
    plan_->visit_copies([&](const TextPlan::Spot& spot, const TextPlan::Finished& copy) {
        count(1);
        emit_sentence({.input = spot.text, .sentence = spot.sentence, .source = spot.source}, copy);
    });
}

void JobWork::partial(std::size_t request, std::span<const std::string> tokens) {
    if (!wants_partials()) return;
    const std::string text = model_.info().has_tokenizer ? model_.detokenize(tokens) : std::string();
    JobEvent event{.kind = JobEvent::Kind::partial, .input = request, .text = text, .tokens = tokens};
    if (!is_text()) return emit(event);
    if (!input_.text.return_tokens) event.tokens = {};
    plan_->visit(request, [&](const TextPlan::Spot& spot) {
        event.input = spot.text;
        event.sentence = spot.sentence;
        event.source = spot.source;
        emit(event);
    });
}

void JobWork::finish(std::size_t request, Result result) {
    ++finished_;
    if (is_text()) {
        const TextPlan::Finished finished = plan_->finish(request, std::move(result));
        plan_->visit(request, [&](const TextPlan::Spot& spot) {
            count(1);
            emit_sentence({.input = spot.text, .sentence = spot.sentence, .source = spot.source}, finished);
        });
        return;
    }
    results_[request] = std::move(result);
    count(1);
    if (!wants_sentences()) return;
    const Hypothesis& best = results_[request].hypotheses.front();
    const std::string text = model_.info().has_tokenizer ? model_.detokenize(best.tokens) : std::string();
    emit_sentence({.input = request}, {text, best.tokens, best.score});
}

bool JobWork::go_on(std::size_t requests_done) {
    if (cancelled()) return false;
    const std::lock_guard lock(callbacks_);
    if (silent_ || !options_.progress) return true;
    const CallbackScope scope(owner_);
    return options_.progress(requests_done, requests().size());
}

void JobWork::end(std::exception_ptr error) noexcept {
    JobOutput output;
    Failure failure;
    try {
        if (error) std::rethrow_exception(error);
        if (is_text()) {
            output.texts = plan_->assemble();
        } else {
            output.requests = std::move(std::get<std::vector<Request>>(input_.inputs));
            output.results = std::move(results_);
        }
    } catch (...) {
        failure = Failure::current();
    }
    plan_.reset();
    views_ = {};
    input_.inputs = {};
    JobEvent event;
    {
        const std::lock_guard lock(mutex_);
        status_.state = !failure                              ? JobState::done
                        : failure.status == Status::cancelled ? JobState::cancelled
                                                              : JobState::failed;
        status_.status = failure.status;
        message_ = failure.message;
        output_ = std::move(output);
        event.done = status_.done;
        event.total = status_.total;
    }
    event.status = failure.status;
    event.message = failure.message;
    emit(event);
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
}

void JobWork::count(std::size_t spots) {
    const std::lock_guard lock(mutex_);
    status_.done += spots;
}

void JobWork::emit_sentence(JobEvent event, const TextPlan::Finished& finished) {
    if (!wants_sentences()) return;
    event.kind = JobEvent::Kind::sentence;
    event.text = finished.text;
    event.tokens = finished.tokens;
    event.score = finished.score;
    const JobStatus now = status();
    event.done = now.done;
    event.total = now.total;
    emit(event);
}

void JobWork::emit(const JobEvent& event) {
    const std::lock_guard lock(callbacks_);
    if (silent_ || !options_.on_event) return;
    const CallbackScope scope(owner_);
    try {
        options_.on_event(event);
    } catch (...) {
        log(LogLevel::error, "a job's callback threw");
    }
}

}  // namespace dragoman::translate
