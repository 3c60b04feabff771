// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work on Node's worker threads, and the promise of its result.

#include <functional>
#include <optional>

#include "value.h"

namespace addon {

// `execute` runs on a worker thread and may throw Failure; `complete` makes the promise's value on JavaScript's thread.
template <class Result>
class Work {
public:
    using Execute = std::function<Result()>;
    using Complete = std::function<napi_value(napi_env, Result&)>;

    static napi_value start(napi_env env, Execute execute, Complete complete) {
        auto work = std::make_unique<Work>(std::move(execute), std::move(complete));
        napi_value promise;
        check(env, napi_create_promise(env, &work->deferred_, &promise));
        const napi_value name = string(env, std::string_view("dragoman"));
        check(env, napi_create_async_work(env, nullptr, name, run, finish, work.get(), &work->work_));
        check(env, napi_queue_async_work(env, work->work_));
        work.release();
        return promise;
    }

    Work(Execute execute, Complete complete) : execute_(std::move(execute)), complete_(std::move(complete)) {}

private:
    static void run(napi_env, void* data) {
        auto& work = *static_cast<Work*>(data);
        try {
            work.result_.emplace(work.execute_());
        } catch (const Failure& failure) {
            work.failure_ = failure;
        } catch (const std::exception& error) {
            work.failure_ = Failure{"internal", error.what()};
        }
        work.execute_ = nullptr;  // what it holds ends here, not on JavaScript's thread
    }

    static void finish(napi_env env, napi_status status, void* data) {
        const std::unique_ptr<Work> work(static_cast<Work*>(data));
        napi_delete_async_work(env, work->work_);
        if (status == napi_cancelled) work->failure_ = Failure{"cancelled", "the program ends"};
        try {
            if (work->failure_) throw *work->failure_;
            check(env, napi_resolve_deferred(env, work->deferred_, work->complete_(env, *work->result_)));
        } catch (const Failure& failure) {
            napi_reject_deferred(env, work->deferred_, error(env, failure));
        } catch (const Pending&) {
            napi_value pending;
            if (napi_get_and_clear_last_exception(env, &pending) == napi_ok)
                napi_reject_deferred(env, work->deferred_, pending);
        }
    }

    Execute execute_;
    Complete complete_;
    std::optional<Result> result_;
    std::optional<Failure> failure_;
    napi_deferred deferred_ = nullptr;
    napi_async_work work_ = nullptr;
};

}  // namespace addon
